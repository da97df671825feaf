"""Logarithms of exponential sums with square roots: a ln x + b, which SymPy need not write out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symattn.exact.expression import Node, logarithm, of_surd, product, total
from symattn.exact.number import Exact
from symattn.exact.surd import ONE, ZERO, Surd
from symattn.exact.symbolic import Coefficient, Symbolic, coefficient
from symattn.exact.trees import of_exact

if TYPE_CHECKING:
    import sympy


class Logarithm(Symbolic):
    """a ln x + b with surds a and b, a not 0, and x > 0 that is not c e^l.

    By the Lindemann-Weierstrass theorem e^r is no such x for an algebraic r, so that a ln x + b is
    transcendental: neither zero nor a surd in another form.
    """

    __slots__ = ("_written", "factor", "inside", "rest")
    factor: Surd
    inside: Exact
    rest: Surd
    _written: sympy.Expr

    def __init__(self, inside: Exact, factor: Surd = ONE, rest: Surd = ZERO) -> None:
        for name, value in (("inside", inside), ("factor", factor), ("rest", rest)):
            object.__setattr__(self, name, value)

    @property
    def expression(self) -> sympy.Expr:
        """The number in SymPy, expanded."""
        try:
            return self._written
        except AttributeError:
            import sympy

            whole = self.factor.to_sympy() * sympy.log(self.inside.to_sympy()) + self.rest.to_sympy()
            object.__setattr__(self, "_written", coefficient(whole).to_sympy())
            return self._written

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Logarithm) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    @property
    def _parts(self) -> tuple[Exact, Surd, Surd]:
        return self.inside, self.factor, self.rest

    def __neg__(self) -> Coefficient:
        return Logarithm(self.inside, -self.factor, -self.rest)

    def __add__(self, other: Coefficient) -> Coefficient:
        if isinstance(other, Surd):
            return Logarithm(self.inside, self.factor, self.rest + other)
        if isinstance(other, Logarithm) and self.inside == other.inside:
            factor, rest = self.factor + other.factor, self.rest + other.rest
            return Logarithm(self.inside, factor, rest) if factor else rest
        return super().__add__(other)

    __radd__ = __add__

    def __sub__(self, other: Coefficient) -> Coefficient:
        return self.__add__(-other)

    def __rsub__(self, other: Coefficient) -> Coefficient:
        found: Coefficient = -self + other
        return found

    def __mul__(self, other: Coefficient) -> Coefficient:
        if isinstance(other, Surd):
            return Logarithm(self.inside, self.factor * other, self.rest * other) if other else ZERO
        return super().__mul__(other)

    __rmul__ = __mul__

    @property
    def node(self) -> Node:
        scaled = product(of_surd(self.factor), logarithm(of_exact(self.inside)))
        return total(scaled, of_surd(self.rest))

    @property
    def free_symbols(self) -> frozenset[str]:
        return frozenset()

    @property
    def names(self) -> frozenset[object]:
        return frozenset()

    @property
    def operations(self) -> int:
        return self.node.size

    @property
    def oscillates(self) -> bool:
        return bool(self.factor.imaginary or self.rest.imaginary)


def logarithm_of(x: Exact) -> Logarithm | None:
    """ln x of a number that is known to be positive, where it is such a logarithm."""
    if x.symbolic or x.algebraic is not None:
        return None
    pairs = [pair for terms in (x.over, x.under) for pair in terms.by_exponent.items()]
    single = len(x.over.by_exponent) == 1 == len(x.under.by_exponent)
    if single or any(isinstance(c, Surd) and c.imaginary for pair in pairs for c in pair):
        return None
    return Logarithm(x)
