"""Powers such as 4^(10^18/7), too large to be written out, as SymPy sees them.

SymPy evaluates a power of a rational whenever it meets one. A `HugePower` is left as it is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sympy
from sympy.printing.str import StrPrinter

if TYPE_CHECKING:
    _Function = Any
else:
    _Function = sympy.Function


class HugePower(_Function):  # type: ignore[misc]
    """base^exponent for a positive base and a rational exponent; `doit` makes it an unevaluated `Pow`."""

    nargs = 2
    is_commutative = True
    is_positive = True

    def doit(self, **hints: Any) -> Any:
        return sympy.Pow(*self.args, evaluate=False)

    def _eval_evalf(self, prec: int) -> Any:
        base, exponent = self.args
        digits = max(prec, 53) + exponent.p.bit_length()
        return sympy.exp((exponent * sympy.log(base)).evalf(digits), evaluate=False)._eval_evalf(prec)


def parts(exponent: Any) -> tuple[Any, Any]:
    """An exponent of e as (the sum of its rational multiples of logarithms of numbers, the rest)."""
    logs: list[Any] = []
    rest: list[Any] = []
    for term in sympy.Add.make_args(exponent):
        inside = term.as_coeff_Mul(rational=True)[1]
        plain = isinstance(inside, sympy.log) and not inside.free_symbols
        (logs if plain else rest).append(term)
    return sympy.Add(*logs), sympy.Add(*rest)


def power_of_e(logs: Any) -> Any:
    """e to a sum of rational multiples of logarithms, as a product of huge powers."""
    factors = []
    for term in sympy.Add.make_args(logs):
        q, inside = term.as_coeff_Mul(rational=True)
        factors.append(HugePower(inside.args[0], q))
    return sympy.Mul(*factors)


KNOWN_PARTS = 1 << 12
"""So many parts of expressions are known as text: the entries of a row share a long denominator."""
_printer = StrPrinter()
_printer._print = lru_cache(maxsize=KNOWN_PARTS)(_printer._print)


def source(expression: Any) -> str:
    """An expression as text that SymPy reads back, without evaluating huge powers in it."""
    if not expression.has(HugePower):
        return str(_printer.doprint(expression))
    if isinstance(expression, HugePower):
        base, q = expression.args
        exponent = f"Rational({q.p}, {q.q})" if q.q != 1 else str(q.p)
        return f"Pow({base}, {exponent}, evaluate=False)"
    arguments = ", ".join(map(source, expression.args))
    if expression.is_Add or expression.is_Mul or expression.is_Pow:
        return f"{type(expression).__name__}({arguments}, evaluate=False)"
    return f"{type(expression).__name__}({arguments})"
