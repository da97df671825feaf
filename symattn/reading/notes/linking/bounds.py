"""Which numbers a quantity can have at all: weights lie between 0 and 1, and those of a row add up to 1.

A name that is written before its numbers, `A = [...]`, says what they are, however wrong they are. Words
above a table and the step that an arrow points to say less: what no softmax makes is something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from symattn.reading.notes.formulas.formula import Node, Num, Row, grid_of
from symattn.reading.notes.formulas.names import INPUTS
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.ledger import value
from symattn.reading.notes.linking.place import table_of

NEAR_ONE = Fraction(1, 10)
"""How far the sum of a row of weights may be from 1: further than the rounding of its entries."""


def can_be(name: str, node: Node) -> bool:
    """Whether the numbers of a list or a matrix may be those of a quantity, slips among them.

    Of a list of weights half of the numbers are enough, for the others may hold slips; of a matrix half of
    the rows, or half of the columns, over which some take the softmax, or all of it, over which others do.
    """
    table = table_of(node) if is_literal(node) and not isinstance(node, Num) else None
    if name != "A" or table is None:
        return True
    if grid_of(node) is None:
        return _half(map(_is_share, table[0]))
    whole = [[num for row in table for num in row]] if len(table) > 1 else []
    return any(_half(map(_of_softmax, lines)) for lines in (table, zip(*table, strict=True), whole) if lines)


def is_counted(node: Node) -> bool:
    """Whether a matrix has nothing but whole numbers, and some above 1: by no slip are these weights."""
    grid = grid_of(node) if is_literal(node) else None
    nums = [cell for row in grid.rows for cell in row if isinstance(cell, Num)] if grid is not None else []
    return any(value(num) not in (None, 0, 1) for num in nums) and all(num.text.isdigit() for num in nums)


def can_measure(name: str, node: Node, width: int | None) -> bool:
    """Whether a list is as wide as it should be, and a matrix as wide or turned as high, if that is known."""
    grid = grid_of(node)
    if width is None or name in INPUTS or (grid is not None and len(grid.rows) == 1):
        return True
    if grid is None:
        return not isinstance(node, Row) or len(node.items) == width
    return width in (len(grid.rows[0]), len(grid.rows))


def _half(holds: Iterable[bool]) -> bool:
    """Whether something holds at least as often as not."""
    counted = Counter(holds)
    return counted[True] >= counted[False]


def _is_share(num: Num) -> bool:
    q = value(num)
    return num.text == "inf" or (q is not None and 0 <= q <= 1)


def _of_softmax(nums: Sequence[Num]) -> bool:
    """Whether numbers are shares of one whole."""
    whole = sum((value(num) or Fraction(0) for num in nums), Fraction(0))
    return all(map(_is_share, nums)) and abs(whole - 1) <= NEAR_ONE
