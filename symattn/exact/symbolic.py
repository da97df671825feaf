"""Coefficients outside the surds: free symbols, other algebraic numbers, anything SymPy can write.

A `Symbolic` holds a SymPy expression in expanded form. What expands to a surd comes back as one, and what is
proved to be a rational with a small denominator as that rational.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from flint import fmpq

from symattn.exact.algebraic import near_rational
from symattn.exact.evaluation import Ball, ball
from symattn.exact.expression import Node, number, total
from symattn.exact.opaque import Opaque
from symattn.exact.radicand import split_square
from symattn.exact.surd import Surd
from symattn.exact.trees import of_sympy
from symattn.exact.work import spend
from symattn.exact.zero import is_zero
from symattn.text.errors import DIVISION_BY_ZERO, UndefinedValue

if TYPE_CHECKING:
    import sympy


class Symbolic(Opaque):
    """An immutable SymPy expression, expanded; equal where the expanded trees are equal."""

    __slots__ = ("expression",)
    expression: sympy.Expr

    def __init__(self, expression: sympy.Expr) -> None:
        object.__setattr__(self, "expression", expression)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbolic) and self.expression == other.expression

    def __hash__(self) -> int:
        return hash(self.expression)

    def __neg__(self) -> Coefficient:
        return coefficient(-self.expression)

    def __add__(self, other: Coefficient) -> Coefficient:
        if other.carried:
            return NotImplemented
        return coefficient(self.expression + other.to_sympy())

    __radd__ = __add__

    def __sub__(self, other: Coefficient) -> Coefficient:
        if other.carried:
            return NotImplemented
        return coefficient(self.expression - other.to_sympy())

    def __rsub__(self, other: Coefficient) -> Coefficient:
        return coefficient(other.to_sympy() - self.expression)

    def __mul__(self, other: Coefficient) -> Coefficient:
        if other.carried:
            return NotImplemented
        return coefficient(self.expression * other.to_sympy())

    __rmul__ = __mul__

    def inverse(self) -> Coefficient:
        return coefficient(1 / self.expression)

    @staticmethod
    def total(numbers: Iterable[Coefficient]) -> Coefficient:
        import sympy

        return coefficient(sympy.Add(*(c.to_sympy() for c in numbers)))

    def to_sympy(self) -> sympy.Expr:
        return self.expression

    @property
    def node(self) -> Node:
        return of_sympy(self.expression)

    @property
    def free_symbols(self) -> frozenset[str]:
        return frozenset(map(str, self.expression.free_symbols))

    @property
    def names(self) -> frozenset[Any]:
        from symattn.exact.leaf import Leaf

        return frozenset(self.expression.atoms(Leaf))

    @property
    def size(self) -> int:
        import sympy

        return sum(1 for _ in sympy.preorder_traversal(self.expression))

    @property
    def operations(self) -> int:
        return int(self.expression.count_ops())

    @property
    def addends(self) -> int:
        return len(self.expression.args) if self.expression.is_Add else 1

    @property
    def rationals(self) -> Iterator[Fraction]:
        import sympy

        return (Fraction(int(q.p), int(q.q)) for q in self.expression.atoms(sympy.Rational))

    @property
    def leaves(self) -> Iterator[object]:
        import sympy

        return (part for part in sympy.preorder_traversal(self.expression) if not part.args)

    @property
    def oscillates(self) -> bool:
        import sympy

        return bool(self.expression.has(sympy.I))

    def ball(self) -> Ball:
        return ball(self.node)

    def __repr__(self) -> str:
        return f"Symbolic({self.expression})"


Coefficient = Surd | Opaque


def coefficient(expression: Any) -> Coefficient:
    """A SymPy expression as a Surd where it is one, else as a Symbolic in expanded form.

    Raises UndefinedValue where SymPy met a division by zero.
    """
    import sympy

    if expression.has(sympy.zoo, sympy.nan, sympy.oo):
        raise UndefinedValue(DIVISION_BY_ZERO)
    spend(STEPS * _addends(expression))
    expanded = sympy.expand(expression, power_exp=False, log=False, trig=False, func=False)
    surd = as_surd(expanded)
    if surd is not None:
        return surd
    rational = _hidden_rational(expanded)
    return Symbolic(expanded) if rational is None else Surd.of(rational)


def _addends(expression: Any) -> int:
    """About how many addends an expression has once its products are multiplied out."""
    import sympy

    factors = expression.args if expression.is_Mul else (expression,)
    return prod(len(sympy.Add.make_args(factor)) for factor in factors)


LARGEST_DENOMINATOR = 1000
STEPS = 100
"""Of each addend that SymPy expands."""


def _hidden_rational(expression: Any) -> fmpq | None:
    """The value of a number that is proved to be a rational with a small denominator, though not written
    so.
    """
    node = of_sympy(expression)
    if not node.constant:
        return None
    guess = near_rational(node, LARGEST_DENOMINATOR)
    if guess is None or is_zero(total(node, number(-guess))) is not True:
        return None
    return guess


def as_surd(expression: Any) -> Surd | None:
    """The expanded expression as a Surd, or None where another kind of number is in it."""
    import sympy

    collected: dict[int, Any] = {}
    for term in sympy.Add.make_args(expression):
        rational, free = fmpq(1), 1
        for factor in sympy.Mul.make_args(term):
            if factor.is_Rational:
                rational *= fmpq(int(factor.p), int(factor.q))
                continue
            if factor is sympy.I:
                radicand = -1
            elif factor.is_Pow and factor.base.is_Integer and factor.exp in (sympy.S.Half, -sympy.S.Half):
                radicand = int(factor.base)
                if factor.exp == -sympy.S.Half:
                    rational /= radicand
            else:
                return None
            sign = -1 if radicand < 0 and free < 0 else 1
            square, free = split_square(radicand * free if sign == 1 else abs(radicand * free))
            rational *= sign * square
        collected[free] = collected.get(free, fmpq(0)) + rational
    return Surd._from(collected)


def named_symbol(name: str) -> Symbolic:
    """A free real symbol."""
    import sympy

    return Symbolic(sympy.Symbol(name, real=True))
