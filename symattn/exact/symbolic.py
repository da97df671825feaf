"""Coefficients outside the surds: free symbols, other algebraic numbers, anything SymPy can write.

A `Symbolic` holds a SymPy expression in expanded form; a `Polynomial` in symbols computes without SymPy. What
expands to a surd or a polynomial comes back as one, and what is proved to be a rational with a small
denominator as that rational.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from flint import fmpq

from symattn.exact import polynomial
from symattn.exact.algebraic import near_rational
from symattn.exact.evaluation import Ball, ball
from symattn.exact.expression import Node, number, total
from symattn.exact.opaque import Opaque
from symattn.exact.polynomial import Parts
from symattn.exact.surd import Surd
from symattn.exact.trees import of_sympy
from symattn.exact.work import STEPS_OF_ADDENDS, STEPS_OF_NODES, spend
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


class Polynomial(Symbolic):
    """A polynomial in symbols with surds as coefficients; SymPy sees it once somebody asks for that."""

    __slots__ = ("_hash", "_written", "parts")
    parts: Parts
    _hash: int
    _written: sympy.Expr

    def __init__(self, parts: Parts) -> None:
        object.__setattr__(self, "parts", parts)

    @property
    def expression(self) -> sympy.Expr:
        """The polynomial in SymPy, expanded."""
        try:
            return self._written
        except AttributeError:
            object.__setattr__(self, "_written", polynomial.to_sympy(self.parts))
            return self._written

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Polynomial) and self.parts == other.parts)

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            terms = ((m, x, int(q.p), int(q.q)) for m, p in self.parts.items() for x, q in p.items())
            object.__setattr__(self, "_hash", hash(frozenset(terms)))
            return self._hash

    def __neg__(self) -> Coefficient:
        return _summed({}, self.parts, -1)

    def __add__(self, other: Coefficient) -> Coefficient:
        parts = _parts(other)
        return super().__add__(other) if parts is None else _summed(self.parts, parts)

    __radd__ = __add__

    def __sub__(self, other: Coefficient) -> Coefficient:
        parts = _parts(other)
        return super().__sub__(other) if parts is None else _summed(self.parts, parts, -1)

    def __rsub__(self, other: Coefficient) -> Coefficient:
        parts = _parts(other)
        return super().__rsub__(other) if parts is None else _summed(parts, self.parts, -1)

    def __mul__(self, other: Coefficient) -> Coefficient:
        parts = _parts(other)
        if parts is None:
            return super().__mul__(other)
        spend(STEPS_OF_ADDENDS * self.addends * polynomial.addends(parts))
        return of_parts(polynomial.multiplied(self.parts, parts))

    __rmul__ = __mul__

    def at(self, values: Mapping[str, fmpq]) -> Coefficient:
        """The polynomial with rationals for some of its symbols."""
        return of_parts(polynomial.evaluated(self.parts, values))

    @property
    def free_symbols(self) -> frozenset[str]:
        return frozenset(name for p in self.parts.values() for x in p for name in x)

    @property
    def names(self) -> frozenset[Any]:
        return frozenset()

    @property
    def addends(self) -> int:
        return polynomial.addends(self.parts)

    @property
    def oscillates(self) -> bool:
        return any(m < 0 for m in self.parts)


def _summed(a: Parts, b: Parts, sign: int = 1) -> Coefficient:
    parts = polynomial.added(a, b, sign)
    spend(STEPS_OF_ADDENDS * (polynomial.addends(parts) or 1))
    return of_parts(parts)


Coefficient = Surd | Opaque


def dot(pairs: Iterable[tuple[Coefficient | None, Coefficient | None]]) -> Coefficient | None:
    """The sum of products of polynomials, collected in one pass; None where one has no polynomial in it."""
    factors = []
    for a, b in pairs:
        p, q = _parts(a), _parts(b)
        if p is None or q is None or (p and q and isinstance(a, Surd) and isinstance(b, Surd)):
            return None
        factors.append((p, q))
    found: Parts = {}
    for p, q in factors:
        spend(STEPS_OF_ADDENDS * (polynomial.addends(p) * polynomial.addends(q) + polynomial.addends(found)))
        polynomial.add_product(found, p, q)
    spend(STEPS_OF_ADDENDS * polynomial.addends(found))
    return of_parts(found)


def coefficient(expression: Any) -> Coefficient:
    """A SymPy expression as a Surd where it is one, else as a Symbolic in expanded form.

    Raises UndefinedValue where SymPy met a division by zero.
    """
    import sympy

    if expression.has(sympy.zoo, sympy.nan, sympy.oo):
        raise UndefinedValue(DIVISION_BY_ZERO)
    spend(STEPS_OF_ADDENDS * _addends(expression))
    expanded = _multiplied_out(expression)
    parts = polynomial.of_sympy(expanded)
    if parts is not None:
        return of_parts(parts)
    rational = _hidden_rational(expanded)
    return Symbolic(expanded) if rational is None else Surd.of(rational)


def _multiplied_out(expression: Any) -> Any:
    """The expression as SymPy expands it, and without SymPy's search where it is made of sums of names."""
    import sympy

    factors: list[tuple[Any, ...]] = []
    for factor in sympy.Mul.make_args(expression):
        base, times = factor.as_base_exp()
        factors += [base.args] * 2 if base.is_Add and times == 2 else [sympy.Add.make_args(factor)]
    if not all(_is_monomial(term) for terms in factors for term in terms):
        spend(STEPS_OF_NODES * sum(1 for _ in sympy.preorder_traversal(expression)))
        return sympy.expand(expression, power_exp=False, log=False, trig=False, func=False)
    return sympy.Add(*(sympy.Mul(*terms) for terms in product(*factors))) if factors[1:] else expression


def _is_monomial(term: Any) -> bool:
    """Whether a term is a product of powers of numbers, symbols and names."""
    import sympy

    return all(
        factor.is_Atom or (factor.is_Pow and factor.base.is_Atom and factor.exp.is_Number)
        for factor in sympy.Mul.make_args(term)
    )


def _addends(expression: Any) -> int:
    """About how many addends an expression has once its products are multiplied out."""
    import sympy

    factors = expression.args if expression.is_Mul else (expression,)
    return prod(len(sympy.Add.make_args(factor)) for factor in factors)


LARGEST_DENOMINATOR = 1000


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


def of_parts(parts: Parts) -> Coefficient:
    """A polynomial as a coefficient: a surd where no symbol is in it."""
    for p in parts.values():
        if len(p) > 1 or () not in p:
            return Polynomial(parts)
    return Surd.of_roots((m, p[()]) for m, p in parts.items())


def _parts(c: Coefficient | None) -> Parts | None:
    if type(c) is Polynomial:
        return c.parts
    return polynomial.of_surd(c) if isinstance(c, Surd) else None


def named_symbol(name: str) -> Polynomial:
    """A free real symbol."""
    return Polynomial({1: {(name,): fmpq(1)}})
