"""Columns of a table whose heads are formulas of other heads: `softmax(q·k)` beside `q·k`, or `q·k / 2`.

A head alone does not tell two columns of weights apart, those of scaled and those of plain scores. Where two
columns of one quantity have other numbers, neither is tied to it by its head; what its formula makes of the
column that it names is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Chain, Node, Num, Row
from symattn.reading.notes.formulas.names import Bases
from symattn.reading.notes.formulas.works import WRITTEN, is_worked
from symattn.reading.notes.layout.cells import SQUARE, Cell, heading

_BLANKS = re.compile(r"[\s*`$]+")
_VECTOR = re.compile(r"(?:its)?vectors?|向量", re.IGNORECASE)
_ROWS = ("Q", "K", "V")
_CALL = re.compile(r"(softmax|exp)\((.+)\)")
WORKING = re.compile(
    r"calculation|computation|formula|working|expression|operation|quantity|what|matrix|symbol|tensor|variable"
    r"|计算|算式|公式|过程|rechnung|cálculo|calcul\b",
    re.I,
)
"""The head of a column of workings, and of other columns that are no results."""
_SHARE = re.compile(r"%|(?:per ?cent|percentage|share)s?|百分比|占比|比例", re.IGNORECASE)
_QUOTIENT = re.compile(r"\(?(.+?)\)?[/÷](\d+(?:\.\d+)?)")


def told_apart(
    columns: Sequence[str | None], header: Sequence[Cell], body: Sequence[Sequence[Cell]], bases: Bases
) -> list[str | None]:
    """The quantities of columns, but for what their heads alone leave open.

    That is one that two columns with other numbers claim to be, and a quotient of another column that is
    called by a vector. Below `vector` stand those of the keys that the rows are labelled by.
    """
    twice = {name for name in SQUARE if columns.count(name) > 1 and _differ(name, columns, body)}
    heads = [_BLANKS.sub("", cell.said) for cell in header[: len(columns)]]
    said: list[str | None] = []
    for name, head in zip(columns, heads, strict=True):
        divided = _QUOTIENT.fullmatch(head) if name not in SQUARE else None
        said.append(None if name in twice or (divided and divided[1] in heads) else name)
    labels = heading(header[0], bases)
    if labels in _ROWS and labels not in said:
        return [
            labels if name is None and _VECTOR.fullmatch(head) else name
            for name, head in zip(said, heads, strict=True)
        ]
    return said


def _differ(name: str, columns: Sequence[str | None], body: Sequence[Sequence[Cell]]) -> bool:
    """Whether the columns of a quantity have other numbers; one of workings, `1×2 + 0×1`, has none."""
    of_it = [[row[k] for row in body] for k, of in enumerate(columns) if of == name]
    return len({tuple(cell.said for cell in cells) for cells in of_it if not all(map(_is_worked, cells))}) > 1


def _is_worked(cell: Cell) -> bool:
    return isinstance(cell.node, Binary) and is_worked(cell.node)


def by_formula(
    header: Sequence[Cell], body: Sequence[Sequence[Cell]], columns: Sequence[str | None], told: Set[int]
) -> Iterator[Item]:
    """The columns whose heads make them of a column with numbers before them, or that stand behind workings.

    None of these has been `told` to be of a quantity, by where its numbers begin.
    """
    heads = [_BLANKS.sub("", cell.said) for cell in header[: len(columns)]]
    for k, head in enumerate(heads):
        result = _column(body, k)
        if result is None or result[0].start in told:
            continue
        if k:
            yield from _behind(heads[k - 1 : k + 1], [row[k - 1].node for row in body], result)
        called = _CALL.fullmatch(head)
        divided = _QUOTIENT.fullmatch(head) if called is None else None
        of = called[2] if called else divided[1] if divided else ""
        source = _column(body, heads.index(of)) if of in heads else None
        if source is None or (columns[k] is not None and not called):
            continue
        if called:
            made = WRITTEN.each("exp", source)
            if called[1] == "softmax":
                made = WRITTEN.over(made, WRITTEN.summed(made))
            for formula, num in zip(made, result, strict=True):
                yield Item(Chain((formula, num), ("=",)), num.start, num.end)
            continue
        match header[k].node:
            case Binary(op="/", right=Num() as divisor):
                chain = Chain((Binary("/", _listed(source), divisor), _listed(result)), ("=",))
                yield Item(chain, result[0].start, result[-1].end)


def _behind(heads: Sequence[str], before: Sequence[Node | None], nums: Sequence[Num]) -> Iterator[Item]:
    """Numbers as what the workings in the cells before them come to, or as their percentages."""
    worked = WORKING.search(heads[0]) and all(isinstance(node, Binary) and is_worked(node) for node in before)
    shares = _SHARE.fullmatch(heads[1]) and all(isinstance(node, Num) and "." in node.text for node in before)
    for node, num in zip(before, nums, strict=True) if worked or shares else ():
        if node is not None and (worked or num.text.endswith("%")):
            yield Item(Chain((node, num), ("=",)), num.start, num.end)


def _column(body: Sequence[Sequence[Cell]], k: int) -> tuple[Num, ...] | None:
    """The numbers below a head, those of a total not among them; nothing where one of them is none."""
    cells = [row[k].node for row in body]
    nums = tuple(node for node in cells if isinstance(node, Num))
    return nums if len(nums) == len(cells) else None


def _listed(nums: tuple[Num, ...]) -> Row:
    return Row(nums, nums[0].start, nums[-1].end)
