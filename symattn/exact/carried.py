"""Coefficients that are carried, not written out: definitions (`symattn.exact.expression`) with enclosures.

Where the closed forms of a line would be longer than anybody reads, its arguments are seen by name and what
is made of them stays the expression as it was computed: nothing is expanded. Equal definitions are one node,
so equality is identity; enclosures come from the names, each evaluated once at each precision; everything
else is decided in `symattn.exact.zero`, or is undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from flint import ctx

from symattn.exact.evaluation import Ball, ball
from symattn.exact.expression import Node, number, power, product, total
from symattn.exact.number import Exact, Infinite
from symattn.exact.opaque import Opaque
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient
from symattn.exact.trees import of_coefficient, of_exact
from symattn.exact.zero import symbols

if TYPE_CHECKING:
    import sympy

MINUS_ONE = number(-1)


class Carried(Opaque):
    """A number as it was computed: equal where the definitions are."""

    __slots__ = ("node",)
    node: Node
    carried: ClassVar[bool] = True

    def __init__(self, node: Node) -> None:
        object.__setattr__(self, "node", node)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Carried) and self.node is other.node

    def __hash__(self) -> int:
        return hash(self.node)

    def __neg__(self) -> Coefficient:
        return carried(product(MINUS_ONE, self.node))

    def __add__(self, other: Coefficient) -> Coefficient:
        return carried(total(self.node, of_coefficient(other)))

    __radd__ = __add__

    def __sub__(self, other: Coefficient) -> Coefficient:
        return carried(total(self.node, product(MINUS_ONE, of_coefficient(other))))

    def __rsub__(self, other: Coefficient) -> Coefficient:
        return carried(total(of_coefficient(other), product(MINUS_ONE, self.node)))

    def __mul__(self, other: Coefficient) -> Coefficient:
        return carried(product(self.node, of_coefficient(other)))

    __rmul__ = __mul__

    def inverse(self) -> Coefficient:
        return carried(power(self.node, -1))

    def to_sympy(self) -> sympy.Expr:
        """The SymPy expression, not expanded."""
        from symattn.exact.carried_forms import in_sympy

        return in_sympy(self.node)

    @property
    def free_symbols(self) -> frozenset[str]:
        return frozenset(symbols(self.node))

    @property
    def names(self) -> frozenset[Any]:
        return frozenset(part.value for part in self.node.parts if part.operation == "named")

    @property
    def size(self) -> int:
        return self.node.size

    @property
    def operations(self) -> int:
        return int(self.to_sympy().count_ops())

    @property
    def addends(self) -> int:
        return len(self.node.arguments) if self.node.operation == "sum" else 1

    @property
    def rationals(self) -> Iterator[Fraction]:
        return (Fraction(*part.value) for part in self.node.parts if part.operation == "number")

    @property
    def leaves(self) -> Iterator[object]:
        return (part for part in self.node.parts if not part.arguments)

    @property
    def oscillates(self) -> bool:
        return False  # what is carried is real, as all names are

    def ball(self) -> Ball:
        """A ball at the working precision; what definitions share is evaluated once."""
        return ball(self.node, known=_balls.setdefault(ctx.prec, WeakKeyDictionary()))

    @staticmethod
    def total(numbers: Iterable[Coefficient]) -> Coefficient:
        return carried(total(*map(of_coefficient, numbers)))

    def __repr__(self) -> str:
        return f"Carried({self.node})"


_balls: dict[int, WeakKeyDictionary[Node, Ball]] = {}


def carried(node: Node) -> Coefficient:
    """A node as a coefficient; a rational is a surd."""
    q = node.rational
    return Carried(node) if q is None else Surd.of(q)


def definition(x: Exact) -> Coefficient:
    """The definition of a number as a coefficient that is carried; a surd is itself."""
    c = x.algebraic
    return c if c is not None and (c.carried or isinstance(c, Surd)) else carried(of_exact(x))


def as_carried(x: Exact) -> Exact:
    """A number that is carried from here on; plain numbers and minus infinity are as they were."""
    return x if isinstance(x, Infinite) else Exact.of(definition(x))


def of_carried(how: Callable[..., Node], *arguments: Exact) -> Exact | None:
    """A function of numbers as a definition, where one of them is carried; else None."""
    if not any(x.carried for x in arguments):
        return None
    return Exact.of(carried(how(*map(of_exact, arguments))))
