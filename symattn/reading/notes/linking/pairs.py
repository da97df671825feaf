"""Entries told by two tokens: `“猫”对“坐”的得分：3`, `cat → sat: 0.43`.

What they are entries of is what most of a run of them agree with: the words say it, or the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Grid, Num, last_of
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.layout.captions import caption, named
from symattn.reading.notes.layout.sentences import undressed_end
from symattn.reading.notes.linking.bounds import can_be
from symattn.reading.notes.linking.in_order import ROOTS
from symattn.reading.notes.linking.ledger import value
from symattn.reading.notes.linking.link import Linker

OF_PAIRS = ("scores", "scaled", "masked", "exp", "A")
FEWEST = 2
_STEP = re.compile(r"→|->|⇒|=>")
_PART = re.compile(r"[,，;；。]")
_OF_SIZE = re.compile(r"(?:维度?|长度|大小|个数)$")
"""What a number that is no entry is called: `维度是 2`."""
_WEIGHT = re.compile(r"\b(?:weights?|attn|prob(?:ability)?)\W*$", re.IGNORECASE)
"""What the number of a query and a key is called that comes out of the softmax: `cat -> sat: weight=0.4`."""
_SIGNS = frozenset(":=≈→为是约得到占はが")
"""What stands before a value, but for the marks around this."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An item with a single number behind two tokens, and what the words of its line call the number.

    It stands behind so many arrows: `cat · sat: 3 → 2.12 → 8.3` tells one thing after the other.
    """

    item: Item
    num: Num
    at: tuple[int, int]
    said: str | None
    steps: int


def paired(linker: Linker, found: Sequence[Item]) -> None:
    """Link the numbers told by two tokens, run by run."""
    for run in _runs(linker, found):
        name = _name(linker, run)
        for entry in run if name is not None else ():
            node = entry.item.node
            members = node.members if isinstance(node, Chain) and not entry.item.broken else (entry.num,)
            linker.members(Ref(str(name), *entry.at), members)


def _runs(linker: Linker, found: Sequence[Item]) -> Iterator[list[_Entry]]:
    """The entries, anew below a heading or where a pair comes again.

    What stands behind more arrows or other words is a run of its own.
    """
    claimed = {made.num.start for made in linker.ledger.prints} | linker.roles.keys()
    runs: dict[tuple[int, str | None], list[_Entry]] = {}
    for item in found:
        entry = _entry(linker, item)
        if entry is None or entry.num.start in claimed:
            continue
        run = runs.get((entry.steps, entry.said))
        if run and (_parts(linker, run[-1], entry) or any(entry.at == other.at for other in run)):
            yield from _in_order(runs.values())
            runs = {}
        runs.setdefault((entry.steps, entry.said), []).append(entry)
    yield from _in_order(runs.values())


def _in_order(runs: Iterable[list[_Entry]]) -> list[list[_Entry]]:
    """Runs by how many arrows stand before their numbers, and by where they begin."""
    return sorted(runs, key=lambda run: (run[0].steps, run[0].num.start))


def _parts(linker: Linker, last: _Entry, entry: _Entry) -> bool:
    """Whether a heading stands between two entries."""
    between = range(linker.context.line(last.num.start) + 1, linker.context.line(entry.num.start))
    return any(linker.context.said(line).lstrip().startswith(("#", "**")) for line in between)


def _entry(linker: Linker, item: Item) -> _Entry | None:
    num = last_of(item.node)
    if not isinstance(num, Num) or item.target is not None or _OF_SIZE.search(item.label):
        return None
    context = linker.context
    before = context.before(num.start)
    if undressed_end(before) not in _SIGNS:
        return None
    part = _PART.split(before)[-1]
    key = context.mentions.key(part)
    at = context.pair(num.start) if key is None else None
    key = context.mentions.key(before) if at is None and key is None else key
    row = linker.query(num.start) if key is not None else None
    if key is not None and row is not None:
        at = row, key
    if at is None:
        return None
    at = (0, at[1]) if linker.bases.single else at
    said = "A" if _WEIGHT.search(part) else named(part, linker.bases) or named(before, linker.bases)
    return _Entry(item, num, at, said, len(_STEP.findall(before)))


def _name(linker: Linker, run: Sequence[_Entry]) -> str | None:
    """The quantity that a run is of: the said one or another that most numbers agree with."""
    told = (entry.said for entry in run if entry.said is not None)
    line = linker.context.line(run[0].num.start)
    said = next(told, None) or caption(linker.context, linker.bases, line)
    said = said if said in OF_PAIRS else None
    if said == "scores" and all(ROOTS.search(linker.context.before(entry.num.start)) for entry in run):
        said = "scaled"  # `Score(I, love) / √2 ≈ 0.56`
    names = ([said] if said else []) + [
        name for name in OF_PAIRS if name != said and name not in linker.ledger.first
    ]
    best = next((name for name in names if _agrees(linker, name, run, told=name == said)), None)
    if best is None and said == "scaled" and all(_is_score(linker, entry) for entry in run):
        return said
    if best is None and said == "A" and _are_weights(run):
        return said
    return best


def _are_weights(run: Sequence[_Entry]) -> bool:
    """Whether numbers fill a square that a softmax may have made, over whatever side of it."""
    cells = {entry.at: entry.num for entry in run}
    n = isqrt(len(cells))
    if n < FEWEST or set(cells) != set(product(range(n), repeat=2)):
        return False
    rows = tuple(tuple(cells[i, j] for j in range(n)) for i in range(n))
    return can_be("A", Grid(rows, run[0].item.start, run[-1].item.end))


def _agrees(linker: Linker, name: str, run: Sequence[_Entry], *, told: bool) -> bool:
    """Whether more than half of the numbers are those of a quantity, by the numbers printed before.

    Half of them are enough where words have told the quantity: one wrong query spoils a row.
    """
    near = sum(linker.predictor.is_entry(name, entry.at, entry.num) for entry in run)
    return near >= FEWEST and 2 * near + told > len(run)


def _is_score(linker: Linker, entry: _Entry) -> bool:
    """Whether a number is the score printed before, left as it was."""
    score = linker.ledger.entry("scores", *entry.at)
    return score is not None and score == value(entry.num)
