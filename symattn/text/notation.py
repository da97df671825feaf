"""Neutral mathematical notation: what a formula *says*, before any typesetter decides how it looks.

A `Formula` is an immutable tree, in which Python need not look for cycles (`gc=False`). Nothing here knows
LaTeX, HTML or a terminal; a typesetter adds the parentheses that precedence asks for (a negative factor, a
sum inside a product, a quotient as base).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct

Role = Literal["slip", "carried", "rounding", "undecided", "right", "token", "used"]
"""What a mark says: the verdict of an audit, or that a worked entry uses a number."""


class Number(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A numeral exactly as it prints: `0.50`, `3`, `-1.2`, `2.61e-17` (the sign belongs to it)."""

    digits: str


class Symbol(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A named quantity. `W_Q` is Symbol("W", sub=Symbol("Q")); Greek names are spelled out (`theta`).

    A name of several letters (`scores`, `head`) prints upright. `bold` marks a matrix or vector name
    only where a convention asks for it; the default is the plain italic of Vaswani et al.
    """

    name: str
    sub: Formula | None = None
    sup: Formula | None = None


class Text(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Words inside mathematics, upright and escaped: a token, `if`, a unit. May hold any character."""

    words: str


class Infinity(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """The infinity sign; minus infinity is Negative(Infinity())."""


class Blank(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A place to fill in by hand, with room for so many digits."""

    digits: int = 4

    @property
    def em(self) -> float:
        """Its width for numbers written by hand, in em."""
        return 0.6 * self.digits + 0.8


class Sum(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Terms joined by plus; a Negative (or negative Number) term prints with a minus instead.

    `spelled` keeps every term as its own summand with negatives in parentheses, `2 + (-3)`.
    """

    terms: tuple[Formula, ...]
    spelled: bool = False


class Negative(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Minus the term."""

    term: Formula


class Product(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Factors side by side; `sign` is the visible multiplication sign, if any.

    "" juxtaposes (X W_Q), "dot" is a centred dot (worked products; a negative factor gets its
    parentheses), "times" a cross, "circle" the elementwise product.
    """

    factors: tuple[Formula, ...]
    sign: Literal["", "dot", "times", "circle"] = ""


class Quotient(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A fraction. `flat` asks for a slash on one line (inside an exponent)."""

    over: Formula
    under: Formula
    flat: bool = False


class Power(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Base to an exponent. e to the x is Power(Symbol("e"), x)."""

    base: Formula
    exponent: Formula


class Root(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """The square root; `index` for another one."""

    radicand: Formula
    index: int = 2


class Call(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A function by its upright name applied to arguments: softmax, exp, sin, max, LayerNorm."""

    function: str
    arguments: tuple[Formula, ...]


class Transpose(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """The transpose of a matrix."""

    matrix: Formula


class Inverse(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """The reciprocal written as an exponent of -1."""

    matrix: Formula


class Entry(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """One entry of a named matrix, `Q_{12}`; the indices count from 1, as on paper."""

    matrix: Formula
    row: int
    col: int | None = None


class Grid(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A matrix written out. Labels stand outside the brackets; rows all have the same length.

    `row_labels` is empty or has one label a row (a token, any characters); likewise `col_labels`.
    A dash of three dots stands for what is left out (Ellipsis cells).
    """

    rows: tuple[tuple[Formula, ...], ...]
    row_labels: tuple[str, ...] = ()
    col_labels: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    def at(self, i: int, j: int) -> Formula:
        """Entry (i, j), from 0; a single row or column is repeated."""
        row = self.rows[i if len(self.rows) > 1 else 0]
        return row[j if len(row) > 1 else 0]

    @property
    def T(self) -> Grid:
        """The transpose, dots and labels included."""
        transposed = tuple(tuple(map(_transposed, row)) for row in zip(*self.rows, strict=True))
        return Grid(transposed, self.col_labels, self.row_labels)


class Dots(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Terms or entries left out: `...` on the line, down, or along the diagonal of a grid."""

    direction: Literal["across", "down", "diagonal"] = "across"


def _transposed(cell: Formula) -> Formula:
    match cell:
        case Dots(direction="across"):
            return Dots("down")
        case Dots(direction="down"):
            return Dots("across")
    return cell


class Series(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A big sum (or maximum): `sign` over `index` from `lower` to `upper` of `body`."""

    sign: Literal["sum", "max", "prod"]
    index: Formula
    lower: Formula | None
    upper: Formula | None
    body: Formula


def entry_of(matrix: Formula, i: int, j: int) -> Formula:
    """Entry (i, j), from 0, of a matrix by its name or written out; that of a transpose is entry (j, i)."""
    match matrix:
        case Transpose(matrix=other):
            return entry_of(other, j, i)
        case Grid():
            return matrix.at(i, j)
    return Entry(matrix, i + 1, j + 1)


EVERYWHERE = Product((Symbol("i"), Symbol("j")))
"""The index of a sum over all entries of a matrix."""


class Absolute(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """The absolute value |x|."""

    body: Formula


class Marked(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A formula that carries a verdict; a typesetter shows the role by more than colour.

    A slip is struck out with `instead` (the right value) beside it; something carried forward is
    marked, with `instead` beside it too.
    """

    body: Formula
    role: Role
    instead: Formula | None = None


Relation = Literal["=", "≈", "<", ">", "≤", "≥", "≠", "→", ":=", "∈"]


class Chain(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A relation chain `first = second ≈ third`. A typesetter may break it before any relation sign.

    `=` stands before exact values, `≈` before rounded ones, always.
    """

    first: Formula
    links: tuple[tuple[Relation, Formula], ...]


Formula = (
    Number
    | Symbol
    | Text
    | Infinity
    | Blank
    | Sum
    | Negative
    | Product
    | Quotient
    | Power
    | Root
    | Call
    | Transpose
    | Inverse
    | Entry
    | Grid
    | Dots
    | Series
    | Absolute
    | Marked
    | Chain
)


def commuted(working: Formula) -> Formula:
    """A sum of products with the factors of each the other way round: w x + b for x w + b."""
    match working:
        case Sum(terms=terms, spelled=spelled):
            return Sum(tuple(map(commuted, terms)), spelled)
        case Product(factors=factors, sign=sign):
            return Product(factors[::-1], sign)
    return working


def equation(first: Formula, *values: Formula) -> Chain:
    """`first = value = value ...`, the commonest chain."""
    return Chain(first, tuple(("=", value) for value in values))


def sum_of(terms: Iterable[Formula], *, spelled: bool = False) -> Formula:
    """The sum of the terms; a single one is itself."""
    found = tuple(terms)
    return Sum(found, spelled) if len(found) > 1 else found[0]


def product_of(factors: Iterable[Formula]) -> Formula:
    """The product of the factors, with dots; a single one is itself."""
    found = tuple(factors)
    return Product(found, "dot") if len(found) > 1 else found[0]


def named(name: str) -> Symbol:
    """A plan's name as a symbol: `W_Q`, `Q`, `head1.A` as A with superscript (1), `scores` upright."""
    head, _, rest = name.rpartition(".")
    base, _, sub = rest.partition("_")
    return Symbol(
        base,
        sub=Symbol(sub) if sub else None,
        sup=Text(f"({head.removeprefix('head')})") if head else None,
    )


def rewritten(formula: Formula, how: Callable[[Any], Formula | None]) -> Formula:
    """The formula with each part for which `how` knows another replaced by that, from the outside in."""

    def visit(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(visit, part))
        if not isinstance(part, Struct):
            return part
        found = how(part)
        if found is not None:
            return found
        return type(part)(*[visit(getattr(part, name)) for name in part.__struct_fields__])

    return visit(formula)  # type: ignore[no-any-return]


def parts(value: object) -> Iterator[object]:
    """A formula with everything in it."""
    yield value
    if isinstance(value, tuple):
        for item in value:
            yield from parts(item)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from parts(getattr(value, name))
