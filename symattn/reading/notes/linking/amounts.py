"""How much a formula of numbers comes to, about: it decides about links only, and never about a verdict."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType

from symattn.reading.notes.formulas.formula import Binary, Call, Negate, Node, Num
from symattn.reading.notes.formulas.works import Maths
from symattn.reading.notes.linking.ledger import size

_FUNCTIONS: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {"exp": math.exp, "sqrt": math.sqrt, "ln": math.log, "sin": math.sin, "cos": math.cos}
)
_OPERATIONS: Mapping[str, Callable[[float, float], float]] = MappingProxyType(
    {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": math.pow}
)


def amount(node: Node) -> float | None:
    """How large a formula of numbers is, about; None with a name in it, or where it has no value."""
    match node:
        case Num():
            return size(node)
        case Negate(of=inner):
            return _negated(amount(inner))
        case Call(function=function, argument=inner):
            return _applied(function, amount(inner))
        case Binary(op=op, left=left, right=right):
            return _joined(op, amount(left), amount(right))
    return None


def _negated(a: float | None) -> float | None:
    return None if a is None else -a


def _applied(function: str, a: float | None) -> float | None:
    known = _FUNCTIONS.get(function)
    try:
        return None if a is None or known is None else known(a)
    except (ArithmeticError, ValueError):
        return None


def _joined(op: str, a: float | None, b: float | None) -> float | None:
    known = _OPERATIONS.get(op)
    try:
        return None if a is None or b is None or known is None else known(a, b)
    except (ArithmeticError, ValueError):
        return None


AMOUNTS: Maths[float | None] = Maths(_negated, _applied, _joined, float)
"""How much is made of the entries of a list, about, without a formula of it."""
