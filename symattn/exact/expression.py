"""Expressions: the immutable trees on which it is decided what is zero (`symattn.exact.zero`).

A node is a number, a root of unity, a symbol, a named quantity, or an operation on nodes. Equal nodes are one
object, so a tree is a directed graph in which every part that occurs twice is kept and evaluated once.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from flint import fmpq

from symattn.exact.surd import Surd


class Node:
    """An operation, what it is an operation with (`value`), and the nodes that it is applied to.

    | operation | value | meaning |
    |---|---|---|
    | number | (p, q) | the rational p/q |
    | unity | a Fraction r in [0, 1) | e^(2 pi i r) |
    | root | k | the principal k-th root of the one argument |
    | power | an integer | the argument to that power |
    | sum, product, exp, log, pi | None | as named |
    | symbol | its name | a free real symbol |
    | named | a `Named` | the number that its definition gives |
    | call | a function's name | erf, Abs, Max, ... of the arguments |
    """

    __slots__ = ("__weakref__", "algebraic", "arguments", "constant", "operation", "value")
    operation: str
    value: Any
    arguments: tuple[Node, ...]
    algebraic: bool
    """Whether only rationals, roots of unity, roots and arithmetic are in it."""
    constant: bool
    """Whether no free symbol is in it."""

    _known: ClassVar[WeakValueDictionary[Any, Node]] = WeakValueDictionary()

    def __new__(cls, operation: str, value: Any = None, arguments: tuple[Node, ...] = ()) -> Node:
        key = (operation, value, arguments)
        found = cls._known.get(key)
        if found is None:
            found = super().__new__(cls)
            put = object.__setattr__
            put(found, "operation", operation)
            put(found, "value", value)
            put(found, "arguments", arguments)
            put(found, "algebraic", operation in _ALGEBRAIC and all(a.algebraic for a in arguments))
            free = operation == "symbol" or (operation == "named" and bool(value.free_symbols))
            put(found, "constant", not free and all(a.constant for a in arguments))
            cls._known[key] = found
        return found

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Node is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Node is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.operation, self.value, self.arguments)

    @property
    def parts(self) -> tuple[Node, ...]:
        """The node and all that is in it, each once, in an order that does not depend on the run."""
        found, stack = {self: None}, [self]
        while stack:
            for part in stack.pop().arguments:
                if part not in found:
                    found[part] = None
                    stack.append(part)
        return tuple(found)

    @property
    def size(self) -> int:
        """How many different nodes are in it."""
        return _size(self)

    @property
    def rational(self) -> fmpq | None:
        """The value of a number, else None."""
        return fmpq(*self.value) if self.operation == "number" else None

    def __repr__(self) -> str:
        inside = ", ".join(map(repr, self.arguments))
        return f"{self.operation}[{self.value}]({inside})" if inside else f"{self.operation}[{self.value}]"


@lru_cache(maxsize=1 << 15)
def _size(node: Node) -> int:
    return len(node.parts)


_ALGEBRAIC = frozenset({"number", "unity", "root", "power", "sum", "product"})


def number(q: Any) -> Node:
    """A rational: an int, a Fraction or an fmpq."""
    if isinstance(q, int):
        return Node("number", (q, 1))
    if isinstance(q, Fraction):
        return Node("number", (q.numerator, q.denominator))
    return Node("number", (int(q.p), int(q.q)))


ZERO, ONE = number(0), number(1)
NO_TURN = Fraction(0)
PI = Node("pi")


def unity(turns: Fraction) -> Node:
    """e^(2 pi i turns)."""
    turns %= 1
    if not turns:
        return ONE
    return number(-1) if turns == Fraction(1, 2) else Node("unity", turns)


IMAGINARY = unity(Fraction(1, 4))


def total(*parts: Node) -> Node:
    """The sum; sums inside it are opened and rationals added up."""
    rational, rest = fmpq(0), []
    for part in _opened("sum", parts):
        q = part.rational
        if q is None:
            rest.append(part)
        else:
            rational += q
    if rational or not rest:
        rest.append(number(rational))
    return rest[0] if len(rest) == 1 else Node("sum", None, tuple(rest))


def product(*parts: Node) -> Node:
    """The product; products inside it are opened, rationals and roots of unity multiplied."""
    rational, turns, rest = fmpq(1), NO_TURN, []
    for part in _opened("product", parts):
        q = part.rational
        if q is not None:
            rational *= q
        elif part.operation == "unity":
            turns += part.value
        else:
            rest.append(part)
    if not rational:
        return ZERO
    if turns:
        turned = unity(turns)
        q = turned.rational
        if q is None:
            rest.append(turned)
        else:
            rational *= q
    if rational != 1 or not rest:
        rest.insert(0, number(rational))
    return rest[0] if len(rest) == 1 else Node("product", None, tuple(rest))


def _opened(operation: str, parts: tuple[Node, ...]) -> list[Node]:
    opened: list[Node] = []
    for part in parts:
        opened.extend(part.arguments if part.operation == operation else (part,))
    return opened


LARGEST_POWER_OF_A_NUMBER = 1 << 14
"""Bits up to which a power of a rational is a rational again."""


def power(base: Node, exponent: int) -> Node:
    """base^exponent; a power of zero with a negative exponent stays, for the caller to refuse."""
    if exponent == 0:
        return ONE
    if exponent == 1:
        return base
    if base.operation == "power":
        return power(base.arguments[0], base.value * exponent)
    if base.operation == "unity":
        return unity(base.value * exponent)
    q = base.rational
    if q is not None and q and abs(exponent) * q.height_bits() <= LARGEST_POWER_OF_A_NUMBER:
        return number(q**exponent)
    if base.operation == "root" and exponent % base.value == 0:
        return power(base.arguments[0], exponent // base.value)
    return Node("power", exponent, (base,))


LARGEST_ROOT = 1000
"""The degree up to which a root is one of the algebraic numbers that are decided."""


def root(base: Node, degree: int) -> Node:
    """The principal root of that degree."""
    q = base.rational
    if q is not None and q >= 0:
        over, under = _whole_root(int(q.p), degree), _whole_root(int(q.q), degree)
        if over is not None and under is not None:
            return number(fmpq(over, under))
    if q is not None and q < 0:
        return product(unity(Fraction(1, 2 * degree)), root(number(-q), degree))
    return base if degree == 1 else Node("root", degree, (base,))


def _whole_root(n: int, degree: int) -> int | None:
    from flint import fmpz

    found = int(fmpz(n).root(degree))
    return found if found**degree == n else None


def fractional_power(base: Node, exponent: Fraction) -> Node:
    """base^(p/q) as the p-th power of the principal q-th root; e^(p/q log base) where q is large."""
    if exponent.denominator > LARGEST_ROOT:
        return exponential(product(number(exponent), logarithm(base)))
    return power(root(base, exponent.denominator), exponent.numerator)


def exponential(exponent: Node) -> Node:
    """e^exponent."""
    return ONE if exponent is ZERO else Node("exp", None, (exponent,))


def logarithm(argument: Node) -> Node:
    """The natural logarithm."""
    return ZERO if argument is ONE else Node("log", None, (argument,))


@lru_cache(maxsize=1 << 14)
def of_surd(c: Surd) -> Node:
    """A sum of rational multiples of square roots."""
    return total(
        *(
            product(number(q), root(number(abs(m)), 2), IMAGINARY if m < 0 else ONE) if m != 1 else number(q)
            for m, q in c.terms
        )
    )
