"""Expressions from exact numbers: a coefficient, a sum of exponentials or a quotient of two as a `Node`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from symattn.exact.expression import (
    IMAGINARY,
    ONE,
    PI,
    Node,
    exponential,
    fractional_power,
    logarithm,
    number,
    of_surd,
    power,
    product,
    total,
    unity,
)
from symattn.exact.surd import Surd

MINUS_ONE = number(-1)


@lru_cache(maxsize=1 << 12)
def of_sympy(expression: Any) -> Node:
    """A SymPy tree as a node. A function that is not known stays a call of that name."""
    if expression.is_Rational:
        return number(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return Node("symbol", expression.name)
    name = type(expression).__name__
    if name == "Named":
        return Node("named", expression)
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if expression.is_Pow and expression.exp.is_Rational:
        base = of_sympy(expression.base)
        return fractional_power(base, Fraction(int(expression.exp.p), int(expression.exp.q)))
    parts = tuple(of_sympy(argument) for argument in expression.args)
    if expression.is_Add:
        return total(*parts)
    if expression.is_Mul:
        return product(*parts)
    if expression.is_Pow:
        return exponential(product(parts[1], logarithm(parts[0])))
    if name == "HugePower":
        return exponential(product(parts[1], logarithm(parts[0])))
    if name in FUNCTIONS:
        return FUNCTIONS[name](parts[0])
    return Node("call", name, parts)


_CONSTANTS = {"Pi": PI, "Exp1": exponential(ONE), "ImaginaryUnit": IMAGINARY}


def _turned(angle: Node) -> Node:
    """e^(i angle): a root of unity for a rational multiple of pi."""
    factors = angle.arguments if angle.operation == "product" else (angle,)
    rationals = [q for q in (factor.rational for factor in factors) if q is not None]
    if PI in factors and len(factors) == len(rationals) + 1:
        q = rationals[0] if rationals else number(1).rational
        assert q is not None
        return unity(Fraction(int(q.p), 2 * int(q.q)))
    return exponential(product(IMAGINARY, angle))


def _conjugates(x: Node, turned: bool) -> tuple[Node, Node]:
    """e^x and e^(-x), or with `turned` e^(ix) and e^(-ix)."""
    behind = product(MINUS_ONE, x)
    return (_turned(x), _turned(behind)) if turned else (exponential(x), exponential(behind))


def _even(x: Node, turned: bool) -> Node:
    """The cosine of x, hyperbolic unless `turned`."""
    return product(number(Fraction(1, 2)), total(*_conjugates(x, turned)))


def _odd(x: Node, turned: bool) -> Node:
    """The sine of x, hyperbolic unless `turned`."""
    ahead, behind = _conjugates(x, turned)
    half = product(number(Fraction(1, 2)), total(ahead, product(MINUS_ONE, behind)))
    return product(half, power(IMAGINARY, -1)) if turned else half


FUNCTIONS: Mapping[str, Callable[[Node], Node]] = {
    "exp": exponential,
    "log": logarithm,
    "sin": lambda x: _odd(x, True),
    "cos": lambda x: _even(x, True),
    "tan": lambda x: product(_odd(x, True), power(_even(x, True), -1)),
    "sinh": lambda x: _odd(x, False),
    "cosh": lambda x: _even(x, False),
    "erf": lambda x: Node("call", "erf", (x,)),
    "tanh": lambda x: product(_odd(x, False), power(_even(x, False), -1)),
}


def of_coefficient(c: Any) -> Node:
    """A coefficient of any kind."""
    if isinstance(c, Surd):
        return of_surd(c)
    found: Node = c.node
    return found


def of_terms(terms: Any) -> Node:
    """An exponential sum."""
    return total(
        *(
            product(of_coefficient(c), exponential(of_coefficient(exponent)))
            for exponent, c in terms.by_exponent.items()
        )
    )


def of_exact(x: Any) -> Node:
    """A quotient of exponential sums."""
    return product(of_terms(x.over), power(of_terms(x.under), -1))
