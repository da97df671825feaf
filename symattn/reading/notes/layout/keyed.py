"""A row told key by key, a line each, below words that say what the numbers are.

    Attention weights:          exp值
    - cat: 0.42                   - 猫：2.03
    - sat: 0.58                   - 坐：1.00

The tokens of these lines are keys: whose row it is, the words above all of them say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Num, Row, numerals
from symattn.reading.notes.formulas.names import Bases, Ref
from symattn.reading.notes.layout.captions import caption
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.rows import in_place

_KEY = (
    r" *(?:[>│|] *)*(?:(?:[-*+•]|\d{{1,2}}[.)]) +)?[*_`\"“「'‘]*{token}[*_`\"”」'’]*"
    r" ?(?:[:=≈→]|->|为|是|占)[*_` ]*"
    r"(?P<number>[-−]?(?:\d+(?:\.\d+)?|\.\d+) ?\\?%?)[*_`]*[。,.;；，]? *"
)
FARTHEST = 2
"""How many lines further down the next key may stand: with one blank line between them."""
_TOLD = frozenset({"scores", "scaled", "masked", "exp", "A"})


def with_keyed(found: list[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with a list for each run of lines that give a number for every token in turn."""
    tokens = context.tokens
    if len(set(tokens)) != len(tokens) or len(tokens) < 2:
        return found
    made = list(_runs(context, bases, tokens))
    if not made:
        return found
    context.are_keyed({context.line(num.start) for item in made for num in numerals(item.node)})
    return in_place(found, made)


def _runs(context: Context, bases: Bases, tokens: Sequence[str]) -> Iterator[Item]:
    ways = [re.compile(_KEY.format(token=re.escape(token))) for token in tokens]
    line = context.lines.start
    last = context.lines.stop - len(tokens)
    while line <= last:
        run = _run(context, line, ways)
        name = caption(context, bases, line) if run else None
        if name in _TOLD:
            nums = tuple(_number(context.starts[at], told) for at, told in run)
            yield Item(Row(nums, nums[0].start, nums[-1].end), nums[0].start, nums[-1].end, target=Ref(name))
        line = run[-1][0] + 1 if run else line + 1


def _run(context: Context, line: int, ways: Sequence[re.Pattern[str]]) -> list[tuple[int, re.Match[str]]]:
    """The lines from one on that tell of every token in turn."""
    run: list[tuple[int, re.Match[str]]] = []
    for way in ways:
        while run and line <= run[-1][0] + FARTHEST and not context.said(line).strip():
            line += 1
        told = way.fullmatch(context.said(line).rstrip())
        if told is None:
            return []
        run.append((line, told))
        line += 1
    return run


def _number(start: int, told: re.Match[str]) -> Num:
    text = told["number"].replace("−", "-").replace(" ", "").replace("\\", "")
    return Num(text, *(start + at for at in told.span("number")))
