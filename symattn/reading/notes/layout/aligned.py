"""Labels and what is told of them in columns of blanks: vectors of tokens, or a step of one query in a line.

query   [0.5, 1.8]                               raw scores   0.28  3.11
key 1   [0.2, 0.1]   value 1   [1.3, 1.2]        / sqrt(2)    0.20  2.20
key 2   [0.1, 1.7]   value 2   [0.2, 1.0]        softmax      0.12  0.88
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import normalise
from symattn.reading.notes.formulas.formula import Num, Row
from symattn.reading.notes.formulas.names import VECTORS, Bases, Ref
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.layout.cells import SQUARE
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.rows import NUMBER, NUMERAL, in_place

_PAIR = re.compile(
    r" *(?P<label>[A-Za-z][A-Za-z ]{0,20}?)(?: ?(?P<number>\d{1,2}))? *:? +"
    r"[\[(](?P<cells>[-\d., ]*\d[-\d., ]*)[\])](?: {2,}|\t| *$)"
)
_STEP = re.compile(
    r" *(?P<label>[^\s\d\[|=:][^\[|=:\t]{0,30}?):?(?: {2,}|\t)"
    rf"(?P<cells>{NUMBER}(?:(?: {{2,}}|\t){NUMBER})+) *"
)


def with_aligned(text: str, found: list[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with the lists of such lines tied to what their labels name."""
    lines = normalise(text).split("\n")
    made = [*_pairs(lines, context, bases), *_steps(lines, context, bases)]
    return in_place(found, made) if made else found


def _pairs(lines: Sequence[str], context: Context, bases: Bases) -> Iterator[Item]:
    """Blocks of lines of labels and lists, where a label that counts says that these are no shapes."""
    i = 0
    while i < len(lines):
        block = list(takewhile(bool, map(_told, lines[i : i + 64])))
        counted = [pair for pairs in block for pair in pairs if pair["number"]]
        if len(block) > 1 and len(counted) > 1 and any(len(pairs) > 1 for pairs in block):
            for start, pairs in zip(context.starts[i:], block, strict=False):
                yield from _tied(pairs, start, bases)
        i += max(len(block), 1)


def _told(line: str) -> list[re.Match[str]]:
    """The labels and lists that fill a line."""
    pairs: list[re.Match[str]] = []
    at = 0
    while at < len(line) and (pair := _PAIR.match(line, at)) is not None:
        pairs.append(pair)
        at = pair.end()
    return pairs if at == len(line) else []


def _tied(pairs: Sequence[re.Match[str]], start: int, bases: Bases) -> Iterator[Item]:
    for pair in pairs:
        name = named(pair["label"], bases)
        row = int(pair["number"]) - bases.subscript if pair["number"] else None
        if name in VECTORS and (row is None or row >= 0):
            yield _listed(pair, start, Ref(name, row))


def _steps(lines: Sequence[str], context: Context, bases: Bases) -> Iterator[Item]:
    """Lines below one another of as many numbers, each of which is another step of a row of scores."""
    i = 0
    while i < len(lines):
        block = list(takewhile(bool, (_STEP.fullmatch(line) for line in lines[i : i + 16])))
        names = [named(step["label"], bases) for step in block if step is not None]
        widths = {len(NUMERAL.findall(step["cells"])) for step in block if step is not None}
        if len(block) > 1 == len(widths) and set(names) <= set(SQUARE) and len(set(names)) == len(names):
            for start, step, name in zip(context.starts[i:], block, names, strict=False):
                if step is not None and name is not None:
                    yield _listed(step, start, Ref(name))
        i += max(len(block), 1)


def _listed(said: re.Match[str], start: int, target: Ref) -> Item:
    """The numbers of a line as a list."""
    at = start + said.start("cells")
    nums = tuple(Num(n[0], at + n.start(), at + n.end()) for n in NUMERAL.finditer(said["cells"]))
    row = Row(nums, nums[0].start, nums[-1].end)
    return Item(row, start + said.start("label"), row.end, target=target)
