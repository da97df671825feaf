"""How much a formula of numbers comes to, about: it decides about links only, and never about a verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from symattn.reading.notes.formulas.formula import Binary, Call, Negate, Node, Num
from symattn.reading.notes.linking.ledger import value

_FUNCTIONS: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {"exp": math.exp, "sqrt": math.sqrt, "ln": math.log, "sin": math.sin, "cos": math.cos}
)


def amount(node: Node) -> float | None:
    """How large a formula of numbers is, about; None with a name in it, or where it has no value."""
    match node:
        case Num():
            q = value(node)
            return None if q is None else float(q)
        case Negate(of=inner):
            size = amount(inner)
            return None if size is None else -size
        case Call(function=function, argument=inner) if function in _FUNCTIONS:
            size = amount(inner)
            try:
                return None if size is None else _FUNCTIONS[function](size)
            except (ArithmeticError, ValueError):
                return None
        case Binary(op=op, left=left, right=right):
            a, b = amount(left), amount(right)
            try:
                return None if a is None or b is None else _joined(op, a, b)
            except (ArithmeticError, ValueError):
                return None
    return None


def _joined(op: str, a: float, b: float) -> float | None:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b
        case "^":
            return math.pow(a, b)
    return None
