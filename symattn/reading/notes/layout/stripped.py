"""Matrices that a copy out of a page left with one number a line, `X =` above `1`, `2`, `0`, `1`.

Nothing is left of their shape. That of the walk tells it: as many rows as the scores are wide, and rows or
columns, as the products of the matrices come out. What no name or no product speaks for is read as nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isqrt, sqrt

from symattn.exact.numeral import numeral_or_none
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import normalise
from symattn.reading.notes.formulas.formula import Chain, Grid, Name, Num, Row, walk
from symattn.reading.notes.formulas.names import FACTORS, resolve

_LONE = re.compile(r" *(-?\d{1,6}(?:\.\d{1,10})?) *[,.;]?")
_NAMED = re.compile(r"(?:^|[,.;] *)([A-Za-z][A-Za-z_]{0,6}) ?[=≈]")
_SCORES = re.compile(r"Q ?K ?\^?(?:T|ᵀ|⊤)")
_ROOT = re.compile(r"√|sqrt")
_SQUARE = frozenset({"scores", "scaled", "A"})
_OF_ROWS = frozenset({"X", "Q", "K", "V", "Z"}) | _SQUARE
MOST_ABOVE = 6
"""How many lines a name may stand above its first number."""
LONGEST_HEAD = 60
MOST_ENTRIES = 400
NEAR = 0.03
"""How far a sum of products of rounded numbers may be from its print."""

Table = tuple[tuple[Num, ...], ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """Numbers on lines of their own below a sign of equality, and what the lines above that call them."""

    name: str
    start: int
    nums: tuple[Num, ...]


def with_stripped(text: str, found: list[Item]) -> list[Item]:
    """The items, with the numbers below a name as a matrix; none of them is what an equation comes to."""
    lists = sorted(node.start for item in found for node in walk(item.node) if isinstance(node, Row | Grid))
    runs = [run for run in _runs(normalise(text)) if not _is_read(lists, run)]
    if not runs:
        return found
    spans = [(run.start, run.nums[-1].end) for run in runs]
    kept, at = [], 0
    for item in found:
        while at < len(spans) and spans[at][1] <= item.start:
            at += 1
        if at == len(spans) or item.end <= spans[at][0]:
            kept.append(item)
    tables = _tables({run.name: run.nums for run in reversed(runs) if run.name})
    made = [
        Item(
            Chain((Name(run.name, (), run.start, run.start), Grid(table, first.start, last.end)), ("=",)),
            run.start,
            last.end,
        )
        for run in runs
        if (table := tables.get(run.name)) is not None and table[0][0] is run.nums[0]
        for first, last in ((run.nums[0], run.nums[-1]),)
    ]
    return sorted([*kept, *made], key=lambda item: item.start)


def _is_read(lists: Sequence[int], run: _Run) -> bool:
    """Whether some of the numbers are a list or a matrix already, as these begin at offsets."""
    at = bisect_left(lists, run.nums[0].start)
    return at < len(lists) and lists[at] < run.nums[-1].end


def _runs(text: str) -> Iterator[_Run]:
    """Two or more lines with a number each, below a line that ends with a sign of equality."""
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    i = 0
    while i < len(lines):
        head = i
        i += 1
        if not lines[head].rstrip().endswith(("=", "≈")):
            continue
        while i < len(lines) and not lines[i].strip():
            i += 1
        nums: list[Num] = []
        while i < len(lines) and (lone := _LONE.fullmatch(lines[i])) is not None:
            nums.append(Num(lone[1], starts[i] + lone.start(1), starts[i] + lone.end(1)))
            i += 1
        if 1 < len(nums) <= MOST_ENTRIES:
            name, first = _named(lines, head)
            yield _Run(name, starts[first], tuple(nums))


def _named(lines: Sequence[str], head: int) -> tuple[str, int]:
    """What the lines down to a sign of equality name, and the first of them."""
    said = ""
    for i in range(head, max(head - MOST_ABOVE, -1), -1):
        line = lines[i].strip()
        if not line or len(line) > LONGEST_HEAD or _LONE.fullmatch(line):
            break
        said = f"{line} {said}"
        named = _NAMED.search(line)
        if named is not None:
            ref = resolve(Name(named[1])) or resolve(Name(named[1].replace("_", "")))
            return (ref.name if ref is not None and ref.row is None else ""), i
        if _SCORES.search(line) and said.count(")") <= said.count("("):
            return ("scaled" if _ROOT.search(said) else "scores"), i
    return "", head


def _tables(runs: Mapping[str, tuple[Num, ...]]) -> Mapping[str, Table]:
    """The matrices, by rows or by columns, as more of their products come out; none where neither does."""
    height = _height({name: len(nums) for name, nums in runs.items()})
    if height is None:
        return {}
    ways = [{name: t for name in runs if (t := _laid_out(name, runs, height, by))} for by in (True, False)]
    told = [sum(_comes_out(name, tables) for name in tables) for tables in ways]
    if not any(told) or (told[0] == told[1] and ways[0] != ways[1]):
        return {}
    return ways[told.index(max(told))]


def _height(counts: Mapping[str, int]) -> int | None:
    """How many rows X has: a square tells it, or the sizes of X, of weights, and of what these make."""
    for name in _SQUARE & counts.keys():
        if isqrt(counts[name]) ** 2 == counts[name]:
            return isqrt(counts[name])
    for name in ("Q", "K", "V"):
        if counts.keys() >= {"X", name, f"W_{name}"}:
            squared = counts["X"] * counts[name] / counts[f"W_{name}"]
            if squared == int(squared) and isqrt(int(squared)) ** 2 == squared:
                return isqrt(int(squared))
    return None


def _laid_out(name: str, runs: Mapping[str, tuple[Num, ...]], height: int, by_rows: bool) -> Table | None:
    """The numbers of a matrix in the shape that it has in the walk."""
    nums = runs[name]
    rows = height if name in _OF_ROWS else len(runs.get("X", ())) // height
    if not rows or len(nums) % rows:
        return None
    width = len(nums) // rows
    if by_rows:
        return tuple(nums[k : k + width] for k in range(0, len(nums), width))
    return tuple(nums[k::rows] for k in range(rows))


def _comes_out(name: str, tables: Mapping[str, Table]) -> bool:
    """Whether most entries of a product are those that its factors make."""
    factors = FACTORS.get("scores" if name == "scaled" else name, ())
    if len(factors) != 2 or not tables.keys() >= {*factors}:
        return False
    left, right = (_floats(tables[factor]) for factor in factors)
    columns = right if factors[1] == "K" else [list(column) for column in zip(*right, strict=True)]
    over = sqrt(len(left[0])) if name == "scaled" else 1.0
    made = _floats(tables[name])
    if len(made) != len(left) or any(len(row) != len(columns) for row in made):
        return False
    pairs: list[tuple[float, float]] = [
        (sum(a * b for a, b in zip(row, column, strict=False)) / over, made[i][j])
        for i, row in enumerate(left)
        for j, column in enumerate(columns)
    ]
    near = [abs(x - y) <= NEAR * max(1.0, abs(x)) for x, y in pairs]
    return 4 * near.count(True) >= 3 * len(near)


def _floats(table: Table) -> list[list[float]]:
    return [[float(numeral_or_none(num.text) or 0) for num in row] for row in table]
