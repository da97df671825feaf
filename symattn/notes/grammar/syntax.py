"""Expressions: one kind of node, the numerals in them, and the values that a literal prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field

from symattn.notes.grammar.tokens import Token

if TYPE_CHECKING:
    Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Node(Struct, eq=False, gc=False):
    """An expression.

    `kind` is one of: lit (a number, vector or matrix of numerals), name, add, sub, mul, div, pow, neg, T,
    sqrt, call, list, chain, hole (not understood). `name` is that of a name or a function, `mark` the sign of
    a product, `index` the index of a name. Of a literal `tokens` are the numerals row by row, `signs` their
    signs, `shape` its shape (none for a number) and `labels` those of its rows. Of a chain `between` holds
    the signs between its members.
    """

    kind: str
    args: list[Node] = field(default_factory=list)
    name: str = ""
    mark: str = ""
    index: tuple[str, ...] = ()
    tokens: list[Token] = field(default_factory=list)
    signs: list[float] = field(default_factory=list)
    shape: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    between: list[str] = field(default_factory=list)
    _bits: Array | None = None
    _units: Array | None = None
    _ranges: tuple[list[bool], list[Ranged]] | None = None

    def units(self) -> Array:
        """The unit of the last place of each number of a literal; 0 for integers."""
        if self._units is None:
            self._units = np.array([t.unit for t in self.tokens], dtype=float).reshape(self.shape)
        return self._units

    def bits(self) -> Array:
        """What a match of each number would say, in bits: about log2(range/unit), at most ten.

        Integers say little, 0 and 1 next to nothing.
        """
        if self._bits is None:
            self._bits = _information(self)
        return self._bits

    def ranges(self) -> list[Ranged]:
        """Each number with half a unit of its last place around it.

        Whole numbers among decimals are rounded as those are; what is given is exact. Where digits may be cut
        off, a whole unit lies behind the number.
        """
        state = [flag for t in self.tokens for flag in (t.given, t.cut)]
        if self._ranges is None or self._ranges[0] != state:
            self._ranges = state, _ranges(self)
        return self._ranges[1]

    def printed(self) -> Array:
        """The numbers as they are printed, with their signs."""
        return np.array(
            [s * t.value for s, t in zip(self.signs, self.tokens, strict=True)], dtype=float
        ).reshape(self.shape)

    def names(self) -> list[Node]:
        """The names in it, functions not among them."""
        found = [self] if self.kind == "name" else []
        for arg in self.args:
            found += arg.names()
        return found

    def key(self) -> str:
        """One spelling for one expression."""
        if self.kind == "name":
            return "_".join((self.name, *self.index))
        if self.kind == "hole":
            return f"?{id(self)}"
        if self.kind == "lit":
            return "[" + " ".join(t.text for t in self.tokens[:40]) + "]"
        return f"{self.kind}{self.name}({','.join(a.key() for a in self.args)})"


Ranged = tuple[float, float, float, float]
"""A printed number, the unit of its last place, and the least and the largest that it may stand for."""


def _ranges(node: Node) -> list[Ranged]:
    least = min((t.unit for t in node.tokens if t.unit and not t.given), default=0.0)
    found = []
    for sign, token in zip(node.signs, node.tokens, strict=True):
        number, half = sign * token.value, 0.0 if token.given else (token.unit or least) / 2
        away = 2 * half if token.cut else half
        low, high = number - (half if number > 0 else away), number + (half if number < 0 else away)
        found.append((number, token.unit, low, high))
    return found


class Drawn(Token, eq=False):
    """A matrix that the layout draws, as one token; `node` is its literal."""

    node: Node = field(default_factory=lambda: Node("hole"))


def drawn(node: Node, first: Token, space: int = 1) -> Drawn:
    """The token of a literal in the place of its first token."""
    return Drawn("OBJ", "", first.line, first.column, space, node=node)


def literal(
    tokens: list[Token], signs: list[float], shape: tuple[int, ...], labels: tuple[str, ...] = ()
) -> Node:
    """Numerals row by row, in a shape."""
    return Node("lit", tokens=tokens, signs=signs, shape=shape, labels=labels)


def matrix_of(rows: Sequence[Node], labels: tuple[str, ...] = ()) -> Node:
    """Literals of one shape as the rows of a larger one."""
    tokens, signs = [t for row in rows for t in row.tokens], [s for row in rows for s in row.signs]
    return literal(tokens, signs, (len(rows), *rows[0].shape), labels)


def number(token: Token, sign: float = 1.0) -> Node:
    """The literal of one numeral."""
    return Node("lit", tokens=[token], signs=[sign], shape=())


def stacked(items: list[Node]) -> Node:
    """A literal of literals of one shape, or a list of expressions; one matrix in brackets is that matrix."""
    if len(items) == 1 and items[0].kind == "lit" and len(items[0].shape) > 1:
        return items[0]
    if (
        items
        and all(i.kind == "lit" and i.shape == items[0].shape for i in items)
        and len(items[0].shape) < 4
    ):
        return matrix_of(items)
    return Node("list", items)


def part(literal: Node, where: slice, shape: tuple[int, ...]) -> Node:
    """Some of the numbers of a literal in a shape of their own."""
    return Node("lit", tokens=literal.tokens[where], signs=literal.signs[where], shape=shape)


MOST_BITS, MOST_OF_WHOLE, NEXT_TO_NOTHING = 10.0, 4.0, 0.3


def _information(node: Node) -> Array:
    printed, unit = np.abs(node.printed()), node.units()
    spread = np.max(np.where(np.isfinite(printed), printed, 0), initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        fine = np.log2(np.maximum(spread, unit) / unit)
        coarse = np.log2(np.maximum(spread, 2.0))
    whole = (unit == 0) | (printed == np.round(np.where(np.isfinite(printed), printed, 0)))
    decimals = np.minimum(np.where(unit > 0, fine, 0.0), MOST_BITS)
    out = np.where(whole, np.minimum(coarse, MOST_OF_WHOLE), decimals)
    found: Array = np.where((printed == 0) | (printed == 1) | ~np.isfinite(printed), NEXT_TO_NOTHING, out)
    return found
