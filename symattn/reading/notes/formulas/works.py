"""A worked formula entry by entry.

`0.3*[1, 2] + 0.7*[3, 1]` is two workings, `0.3*1 + 0.7*3` and `0.3*2 + 0.7*1`.

Workings are spelled in the expression language of a case, so that the judge evaluates them exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from symattn.immutable import immutable
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Grid,
    Name,
    Negate,
    Node,
    Num,
    Row,
    Transpose,
    grid_of,
    names,
)
from symattn.reading.notes.formulas.words import UNSPACED

Table = tuple[tuple[Node, ...], ...]
MOST_ENTRIES = 4_096
_STRENGTH = {"+": 10, "-": 10, "*": 20, "/": 20, "^": 40}
FINEST_ROOT = 64
T = TypeVar("T")


@immutable(frozen=True, slots=True)
class Maths(Generic[T]):
    """What is made of the entries of a list, written as formulas or worked out as what these come to."""

    negated: Callable[[T], T]
    applied: Callable[[str, T], T]
    joined: Callable[[str, T, T], T]
    number: Callable[[int], T]

    def summed(self, terms: Sequence[T]) -> T:
        """The sum of several entries."""
        total = terms[0]
        for term in terms[1:]:
            total = self.joined("+", total, term)
        return total

    def mean(self, row: Sequence[T]) -> T:
        """The mean of the entries."""
        return self.joined("/", self.summed(row), self.number(len(row)))

    def squares(self, row: Sequence[T]) -> list[T]:
        """The square of each entry."""
        two = self.number(2)
        return [self.joined("^", cell, two) for cell in row]

    def centred(self, row: Sequence[T]) -> list[T]:
        """The entries without their mean."""
        return self.less(row, self.mean(row))

    def deviation(self, row: Sequence[T]) -> T:
        """The standard deviation."""
        return self.applied("sqrt", self.mean(self.squares(self.centred(row))))

    def normalised(self, row: Sequence[T]) -> list[T]:
        """The entries without their mean, over their deviation."""
        return self.over(self.centred(row), self.deviation(row))

    def less(self, row: Sequence[T], other: T) -> list[T]:
        """Each entry less another number."""
        return [self.joined("-", cell, other) for cell in row]

    def over(self, row: Sequence[T], divisor: T) -> list[T]:
        """Each entry over a divisor."""
        return [self.joined("/", cell, divisor) for cell in row]

    def each(self, function: str, row: Sequence[T]) -> list[T]:
        """A function of each entry."""
        return [self.applied(function, cell) for cell in row]


WRITTEN: Maths[Node] = Maths(Negate, Call, Binary, lambda n: Num(str(n), 0, 0))
"""Formulas, as they are written."""


def is_literal(node: Node) -> bool:
    """Whether a tree is a number, a list of numbers or a matrix of numbers."""
    match node:
        case Num():
            return True
        case Row(items=items):
            return all(isinstance(item, Num) for item in items) or is_table(node)
        case Grid():
            return is_table(node)
    return False


def is_table(node: Node) -> bool:
    """Whether a tree is a matrix of which every cell is a number."""
    grid = grid_of(node)
    return grid is not None and all(isinstance(cell, Num) for row in grid.rows for cell in row)


def entries(node: Node) -> Table | None:
    """The formula of every entry, or None where it has names in it, does not fit, or is too large."""
    if next(names(node), None) is not None:
        return None
    table = _entries(node)
    return table if table is not None and sum(map(len, table)) <= MOST_ENTRIES else None


def _entries(node: Node) -> Table | None:
    match node:
        case Num():
            return ((node,),)
        case Row(items=items):
            grid = grid_of(node)
            if grid is not None:
                return _cells(grid.rows)
            return _cells((items,))
        case Grid(rows=rows):
            return _cells(rows)
        case Negate(of=inner):
            table = _entries(inner)
            return None if table is None else tuple(tuple(Negate(cell) for cell in row) for row in table)
        case Transpose(of=inner):
            table = _entries(inner)
            return None if table is None else tuple(zip(*table, strict=True))
        case Call(function="sum"):
            return None
        case Call(function="softmax", argument=Num() | Negate()):
            return None  # of one number it is 1 whatever that is, and not what is meant
        case Call(function="softmax", argument=argument):
            table = _entries(argument)
            return None if table is None else _by_line(_softmax, table)
        case Call(function="ffn"):
            return None
        case Call(function="layernorm", argument=argument):
            table = _entries(argument)
            return None if table is None else _by_line(WRITTEN.normalised, table)
        case Call(function=function, argument=argument):
            table = _entries(argument)
            if table is None or (function == "relu" and not all(map(_are_numerals, table))):
                return None
            return tuple(tuple(_applied(function, cell) for cell in row) for row in table)
        case Binary(op="+" | "-" as op, left=Row() as left, right=Num() as one):
            table = _entries(left)  # `[1, 2] - 1.5`: of every entry
            return None if table is None else tuple(tuple(Binary(op, x, one) for x in row) for row in table)
        case Binary(op=op, left=left, right=right):
            a, b = _entries(left), _entries(right)
            return None if a is None or b is None else _joined(op, a, b)
    return None


def _by_line(make: Callable[[Sequence[Node]], Iterable[Node]], table: Table) -> Table:
    """What is made of each row of a table, or of a single column, which stands for a vector."""
    if len(table[0]) == 1 < len(table):
        return tuple((cell,) for cell in make([cell for (cell,) in table]))
    return tuple(tuple(make(row)) for row in table)


def _cells(rows: Sequence[Sequence[Node]]) -> Table | None:
    table = []
    for row in rows:
        line: list[Node] = []
        for cell in row:
            inner = cell.members[0] if isinstance(cell, Chain) else cell
            if isinstance(inner, Num):
                line.append(inner)
                continue
            one = _entries(inner) if isinstance(inner, Binary | Negate | Call) else None
            if one is None or len(one) != 1 or len(one[0]) != 1:
                return None
            line.append(one[0][0])
        table.append(tuple(line))
    return tuple(table) if table and all(len(row) == len(table[0]) for row in table) else None


def _are_numerals(row: Sequence[Node]) -> bool:
    return all(isinstance(cell, Num) for cell in row)


def _applied(function: str, cell: Node) -> Node:
    """A function of one entry, in what the expression language of a case can say of it."""
    if function == "relu" and isinstance(cell, Num):
        return Binary("*", Num("0" if cell.text.startswith("-") else "1", cell.start, cell.start), cell)
    if function == "tanh":
        twice = Call("exp", Binary("*", Num("2", 0, 0), cell))
        return Binary("/", Binary("-", twice, Num("1", 0, 0)), Binary("+", twice, Num("1", 0, 0)))
    return Call(function, cell)


def _softmax(row: Sequence[Node]) -> tuple[Node, ...]:
    """The quotients of a softmax: an entry of minus infinity weighs nothing, and adds nothing."""
    total = WRITTEN.summed([Call("exp", cell) for cell in row if not _is_hidden(cell)] or list(row))
    return tuple(
        Num("0", cell.start, cell.end)
        if isinstance(cell, Num) and _is_hidden(cell)
        else Binary("/", Call("exp", cell), total)
        for cell in row
    )


def _is_hidden(cell: Node) -> bool:
    return isinstance(cell, Num) and "inf" in cell.text


def _joined(op: str, a: Table, b: Table) -> Table | None:
    one_a, one_b = len(a) == len(a[0]) == 1, len(b) == len(b[0]) == 1
    same = len(a) == len(b) and len(a[0]) == len(b[0])
    if op in "+-⊙":
        sign = "*" if op == "⊙" else op
        a, b = _spread(a, b), _spread(b, a)
        same = len(a) == len(b) and len(a[0]) == len(b[0])
        pairs = zip(a, b, strict=True) if same else ()
        return tuple(tuple(Binary(sign, x, y) for x, y in zip(r, s, strict=True)) for r, s in pairs) or None
    if one_a and op == "*":
        return tuple(tuple(Binary(op, a[0][0], cell) for cell in row) for row in b)
    if one_b and op in "*/^":
        return tuple(tuple(Binary(op, cell, b[0][0]) for cell in row) for row in a)
    if op != "*" or len(a) * len(a[0]) * len(b[0]) > MOST_ENTRIES:
        return None
    if len(a) == len(b) == 1 and same:
        return ((WRITTEN.summed([Binary("*", x, y) for x, y in zip(a[0], b[0], strict=True)]),),)
    if len(a[0]) != len(b):
        return None
    columns = tuple(zip(*b, strict=True))
    return tuple(
        tuple(
            WRITTEN.summed([Binary("*", x, y) for x, y in zip(row, column, strict=True)])
            for column in columns
        )
        for row in a
    )


def _spread(table: Table, other: Table) -> Table:
    """A single row, or a column, as often as another table has them: a bias is added to every token."""
    if len(table) == 1 < len(other) and len(table[0]) == len(other[0]) > 1:
        return table * len(other)
    if len(table[0]) == 1 < len(other[0]) and len(table) == len(other) > 1:
        return tuple(row * len(other[0]) for row in table)
    return table


def by_entries(node: Node) -> Node:
    """A formula whose products are those of entries: `γ x̂` of two lists."""
    match node:
        case Binary(op="*", left=left, right=right):
            return Binary("⊙", by_entries(left), by_entries(right))
        case Binary(op="+" | "-" as op, left=left, right=right):
            return Binary(op, by_entries(left), by_entries(right))
    return node


def spell(node: Node, strength: int = 0) -> str:
    """A scalar formula in the expression language of a case: `1.1*0.9 + exp(2)/3`."""
    match node:
        case Num(text=text):
            return f"({text})" if text.startswith("-") and strength else text
        case Negate(of=inner):
            said = f"-{spell(inner, 15)}"
            return f"({said})" if strength else said
        case Call(function="exp", argument=Num(text="-inf")):
            return "0"
        case Call(function=function, argument=argument):
            return f"{function}({spell(argument)})"
        case Binary(op="^", left=Num(text=base), right=exponent) if _is_fine(share := _share(exponent)):
            return f"{float(base) ** float(share):.12f}" if base.isdecimal() and len(base) < 7 else "?"
        case Binary(op=op, left=left, right=right):
            own = _STRENGTH.get(op, 20)
            sign = f" {op} " if op in "+-" else op
            said = f"{spell(left, own)}{sign}{spell(right, own + 1)}"
            return f"({said})" if own < strength else said
    return "?"


def _share(exponent: Node) -> Fraction:
    """The exponent that the quotient of two whole numbers says; 0 where it is none."""
    match exponent:
        case Binary(op="/", left=Num(text=over), right=Num(text=under)) if f"{over}{under}".isdecimal():
            return Fraction(int(over), int(under)) if int(under) else Fraction(0)
    return Fraction(0)


def _is_fine(exponent: Fraction) -> bool:
    """Whether a power is too fine a root for exact numbers, `10000^(2/512)`: its digits stand for it then."""
    return exponent.denominator > FINEST_ROOT and 0 < exponent < 1


def is_worked(node: Node) -> bool:
    """Whether a formula shows the arithmetic of its entries, and is not just two matrices side by side."""
    match node:
        case Num() | Transpose():
            return False
        case Row() | Grid():
            return not is_literal(node)
        case Binary(op="*", left=left, right=right):
            return not (_wide(left) or _wide(right))
        case Binary() | Negate():
            return True
        case Call(function=function):
            return function != "softmax"
    return False


def _wide(node: Node) -> bool:
    return isinstance(node, Row | Grid | Transpose)


def is_word(node: Node) -> bool:
    """Whether a name is a word without blanks around it: 得到权重 before a list multiplies nothing."""
    return isinstance(node, Name) and len(node.text) > 1 and UNSPACED.search(node.text) is not None


def is_shape(node: Node) -> bool:
    """`(3×4)` behind a name says a shape and multiplies nothing."""
    match node:
        case Binary(op="*", left=Num(text=a), right=Num(text=b)):
            return a.isdigit() and b.isdigit()
    return False
