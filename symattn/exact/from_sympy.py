"""A SymPy expression as an exact number, the inverse of `Exact.to_sympy`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symattn.exact import functions
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.symbolic import coefficient
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue

_FUNCTIONS = {
    "exp": functions.exp,
    "log": functions.log,
    "sin": functions.sin,
    "cos": functions.cos,
    "tanh": functions.tanh,
}


def from_sympy(expression: Any) -> Exact:
    """The same number; symbols are real ones of the same name.

    Raises UnusableValue for what is not an exact real number, UndefinedValue for a division by zero.
    """
    import sympy

    if expression is sympy.S.NegativeInfinity:
        return MINUS_INFINITY
    if not isinstance(expression, sympy.Expr) or expression.has(sympy.I, sympy.nan, sympy.oo, sympy.zoo):
        raise _not_real(expression)
    return _number(expression)


def _number(expression: Any) -> Exact:
    import sympy

    if expression.is_Rational:
        return Exact.of(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Float:
        raise UnusableValue(
            Bilingual(f"the float {expression} in an expression", f"式子中有浮点数 {expression}"),
            Bilingual("write it as a Rational", "请写成 Rational"),
        )
    if expression.is_Symbol and type(expression) is sympy.Symbol:
        return functions.symbol(expression.name)
    if expression is sympy.E:
        return functions.exp(Exact.of(1))
    if expression.is_Add or expression.is_Mul:
        first, *rest = map(_number, expression.args)
        for x in rest:
            first = first + x if expression.is_Add else first * x
        return first
    if expression.is_Pow:
        base, exponent = map(_number, expression.args)
        return functions.exp(exponent) if expression.base is sympy.E else functions.power(base, exponent)
    known = _FUNCTIONS.get(type(expression).__name__)
    if known is not None:
        return known(_number(expression.args[0]))
    if expression.is_extended_real is False:
        raise _not_real(expression)
    return Exact.of(coefficient(expression))


def _not_real(expression: object) -> UnusableValue:
    return UnusableValue(
        Bilingual(f"{str(expression)[:60]}, which is not a real number", f"{str(expression)[:60]} 不是实数"),
        Bilingual("real numbers are computed, and -oo in a mask", "只计算实数；掩码中可用 -oo"),
    )
