"""Matrices of a text whose rows have labels beside them, under a caption, a line of heads or both.

Scaled scores:
         cat    sat
  cat  [ 0.71   0.00 ]
  sat  [ 0.35   0.71 ]

In a row may stand as many vectors as there are heads, `Q  K  V`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import normalise
from symattn.reading.notes.formulas.formula import Grid, Name, Num, Row
from symattn.reading.notes.formulas.names import Bases, Ref, resolve
from symattn.reading.notes.layout.captions import caption, named
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.rows import NUMBER, NUMERAL, in_place, masked, numbers

_ROW = re.compile(
    rf"(?P<label> *[^\s\d\[\]|=:][^\s\[\]|=:]{{0,20}})(?<!\() *"
    rf"(?:(?:→|->|│|\|) *)?(?P<open>\[{{1,2}}| +|(?<=[ │|]))"
    rf"(?P<cells> *{NUMBER}(?:(?: *, *| +){NUMBER})* *)(?P<close>\]{{0,2}})(?P<rest>[^\d\[\]]*.*)"
)
_VECTOR = re.compile(r"[\[(][-\d., ]+[\])]")
_VECTORS = re.compile(rf" *[^\d\[\](){{}}|=]{{0,24}}(?: *{_VECTOR.pattern})+ *")
_OF_TOKENS = re.compile(
    rf" *(?P<label>[A-Za-z][^\[\]|=:\n]{{0,30}}?):?(?P<vectors>(?: {{2,}}|\t){_VECTOR.pattern}"
    rf"(?:(?: {{2,}}|\t){_VECTOR.pattern})+) *"
)
"""A quantity, and at least two vectors in columns behind it."""
_HEADS = re.compile(
    r" *(?:│ *)?(?:[^\s\d\[\]|│=:][^\s\[\]|=:]{0,20} +)+[^\s\d\[\]|=:][^\s\[\]|=:]{0,20} *(?:(?:←|<-).*)?"
)
_BARE = re.compile(r" *[*_`\"'“「]*[^\W\d_]")
"""The label of a row of numbers without any bracket."""
_RULED = re.compile(r" *─*[┼│]─+ *")
"""Between the heads and the rows."""
_QUANTITIES = frozenset({"Q", "K", "V", "X", "scores", "scaled", "masked", "exp", "A", "Z"})


def with_labelled(text: str, found: list[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with those of labelled matrices exchanged for the matrices and what their captions say."""
    plain = normalise(text)
    found = in_place(in_place(found, _matrices(plain, context, bases)), _in_columns(plain, context, bases))
    heads = dict(_headed(plain.split("\n"), bases))
    return [_under(item, heads, context) for item in found] if heads else found


def _in_columns(text: str, context: Context, bases: Bases) -> Iterator[Item]:
    """Lines of a quantity each, with a vector for each token: `query   (1, 0)   (0, 1)`."""
    lines = [_OF_TOKENS.fullmatch(line) for line in text.split("\n")]
    vectors = [list(_VECTOR.finditer(said["vectors"])) if said is not None else [] for said in lines]
    for i, (said, mine) in enumerate(zip(lines, vectors, strict=True)):
        beside = (vectors[at] for at in (i - 1, i + 1) if 0 <= at < len(lines))
        if said is None or not any(len(other) == len(mine) for other in beside):
            continue
        start = context.starts[i] + said.start("vectors")
        rows = tuple(
            tuple(
                Num(n[0], start + each.start() + n.start(), start + each.start() + n.end())
                for n in NUMERAL.finditer(each[0])
            )
            for each in mine
        )
        name = named(said["label"], bases)
        if name in _QUANTITIES and len({len(row) for row in rows}) == 1:
            grid = Grid(rows, rows[0][0].start, rows[-1][-1].end)
            yield Item(grid, context.starts[i] + said.start("label"), grid.end, target=Ref(name))


def _headed(lines: Sequence[str], bases: Bases) -> Iterator[tuple[int, tuple[tuple[str, ...], int]]]:
    """The lines with a vector for each quantity of the line of heads above: these heads, and which row."""
    heads: tuple[str, ...] = ()
    row = 0
    for line, said in enumerate(lines):
        known = _whole_names(said.split(), bases)
        if len(known) == len(set(known)) > 1:
            heads, row = known, 0
        elif heads and _VECTORS.fullmatch(said) and len(_VECTOR.findall(said)) == len(heads):
            yield line, (heads, row)
            row += 1
        else:
            heads = ()


def _whole_names(words: Sequence[str], bases: Bases) -> tuple[str, ...]:
    """The quantities that words mean, each as a whole; none where one of them means none."""
    known: list[str] = []
    for word in words:
        ref = resolve(Name(word), bases)
        if ref is None or ref.row is not None:
            return ()
        known.append(ref.name)
    return tuple(known)


def _under(item: Item, heads: Mapping[int, tuple[tuple[str, ...], int]], context: Context) -> Item:
    """A vector in such a line, with the quantity whose head it stands below."""
    line = context.line(item.start)
    if line not in heads or not isinstance(item.node, Row) or item.target is not None:
        return item
    names, row = heads[line]
    before = context.before(item.start)
    return replace(item, target=Ref(names[len(_VECTOR.findall(before))], row), broken=False)


def _matrices(text: str, context: Context, bases: Bases) -> Iterator[Item]:
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        rows = _rows(lines, i)
        if len(rows) < 2:
            i += 1
            continue
        above = i - 2 if i > 1 and _RULED.fullmatch(lines[i - 1]) else i - 1
        heads = above if above >= 0 and _HEADS.fullmatch(lines[above]) else i
        name = caption(context, bases, heads)
        grid = _grid(rows, context.starts[i : i + len(rows)])
        said = masked(name or "scores", grid)
        of_tokens = lines[heads].split() == [*grid.labels] or set(grid.labels) <= {*context.tokens}
        apart = of_tokens or all(row["open"] != " " for row in rows)
        alone = all(_BARE.match(row["label"]) and "[" not in row["open"] for row in rows)
        alone = alone and not any(NUMERAL.search(row["rest"]) for row in rows)
        headed = apart and (
            heads < i or (alone and _width(rows[0]) > 1 and len(set(grid.labels)) == len(rows))
        )
        if headed and said in _QUANTITIES and (name is not None or said == "masked"):
            yield Item(grid, grid.start, grid.end, target=Ref(said))
        elif headed and of_tokens:
            yield Item(grid, grid.start, grid.end, shown=True)
        i += len(rows)


def _rows(lines: Sequence[str], first: int) -> list[re.Match[str]]:
    """The rows from a line on: equally many numbers in brackets of one kind."""
    rows: list[re.Match[str]] = []
    for at in range(first, len(lines)):
        row = _ROW.fullmatch(lines[at])
        if row is None or (rows and _width(row) != _width(rows[0])):
            break
        rows.append(row)
    return rows


def _width(row: re.Match[str]) -> int:
    return len(NUMERAL.findall(row["cells"]))


def _grid(rows: Sequence[re.Match[str]], starts: Sequence[int]) -> Grid:
    cells = tuple(numbers(row, start) for row, start in zip(rows, starts, strict=True))
    labels = tuple(row["label"].strip(' "“”') for row in rows)
    begin, end = starts[0] + rows[0].start("cells"), starts[-1] + rows[-1].end("cells")
    return Grid(cells, begin, end, labels)
