"""A reverse-mode tape over mpmath numbers: each records what it was made of, and the derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import mpmath
from mpmath import mpf


@dataclass(eq=False)
class Value:
    """A number, what it was computed from, and the derivative of the loss with respect to it."""

    number: mpf
    operands: tuple[tuple[Value, mpf], ...] = ()
    slope: mpf = field(default_factory=lambda: mpf(0))

    def __add__(self, other: Value) -> Value:
        return Value(self.number + other.number, ((self, mpf(1)), (other, mpf(1))))

    def __sub__(self, other: Value) -> Value:
        return Value(self.number - other.number, ((self, mpf(1)), (other, mpf(-1))))

    def __mul__(self, other: Value) -> Value:
        return Value(self.number * other.number, ((self, other.number), (other, self.number)))

    def __truediv__(self, other: Value) -> Value:
        quotient = self.number / other.number
        return Value(quotient, ((self, 1 / other.number), (other, -quotient / other.number)))

    def through(self, function: Callable[[mpf], mpf], derivative: Callable[[mpf], mpf]) -> Value:
        """A function of one variable."""
        return Value(function(self.number), ((self, derivative(self.number)),))


Table = list[list[Value]]


def constant(x: mpf | int) -> Value:
    return Value(mpf(x))


def total(values: Sequence[Value]) -> Value:
    return Value(mpmath.fsum(x.number for x in values), tuple((x, mpf(1)) for x in values))


def product(a: Table, b: Table) -> Table:
    columns = list(zip(*b, strict=True))
    return [[total([x * y for x, y in zip(row, column, strict=True)]) for column in columns] for row in a]


def backward(loss: Value) -> None:
    """Sets the slopes of all that the loss was computed from."""
    order: list[Value] = []
    seen: set[int] = set()
    stack: list[tuple[Value, bool]] = [(loss, False)]
    while stack:
        value, done = stack.pop()
        if done:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack += [(value, True), *((operand, False) for operand, _ in value.operands)]
    loss.slope = mpf(1)
    for value in reversed(order):
        for operand, partial in value.operands:
            operand.slope += value.slope * partial
