"""Neutral notation read back into exact numbers: what a formula says, computed.

For tests only: `evaluate(spell(x))` must be x again, and the working of an entry must give the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from itertools import combinations

import sympy

from symattn.exact import functions
from symattn.exact.decision import compare
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact, Infinite
from symattn.exact.spell import spell
from symattn.exact.symbolic import coefficient
from symattn.text.notation import (
    Absolute,
    Call,
    Formula,
    Grid,
    Infinity,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
)


def _threshold(*logits: Exact) -> Exact:
    """Of a sparsemax: the largest of (the sum of some of the logits - 1) over their number."""
    means = [
        (sum(some, Exact.of(0)) - Exact.of(1)) / Exact.of(size)
        for size in range(1, len(logits) + 1)
        for some in combinations(logits, size)
    ]
    return max(means, key=lambda mean: float(mean.to_sympy()))


FUNCTIONS: Mapping[str, Callable[[Exact], Exact]] = {
    "sin": functions.sin,
    "cos": functions.cos,
    "exp": functions.exp,
    "ln": functions.log,
    "tanh": functions.tanh,
    "step": lambda x: Exact.of(int(compare(x, Exact.of(0)) == 1)),
    "erf": lambda x: Exact.of(coefficient(sympy.erf(x.to_sympy()))),
}


def evaluate(formula: Formula) -> Exact:
    """The exact value of a formula; a Symbol other than e and pi is a free symbol."""
    match formula:
        case Number(digits):
            return Exact.of(Fraction(digits))
        case Symbol("e", None, None):
            return functions.exp(Exact.of(1))
        case Symbol("pi", None, None):
            return functions.pi()
        case Symbol(name, sub, None):
            return functions.symbol(name if sub is None else f"{name}_{_index(sub)}")
        case Sum(terms):
            return reduce(lambda a, b: a + b, map(evaluate, terms))
        case Negative(Infinity()):
            return MINUS_INFINITY
        case Negative(term):
            return -evaluate(term)
        case Product(factors):
            return reduce(lambda a, b: a * b, map(evaluate, factors))
        case Quotient(over, under):
            return evaluate(over) / evaluate(under)
        case Power(base, exponent):
            return _power(evaluate(base), evaluate(exponent))
        case Root(radicand, index):
            return functions.power(evaluate(radicand), Exact.of(Fraction(1, index)))
        case Call(name, (argument,)) if name in FUNCTIONS:
            return FUNCTIONS[name](evaluate(argument))
        case Call("threshold", arguments):
            return _threshold(*map(evaluate, arguments))
        case Call("min", (Call(name, row),)) if name.startswith("top"):
            return sorted(map(evaluate, row), key=lambda x: float(x.to_sympy()))[-int(name[3:])]
        case Call("keep" | "keep_or_0" as name, (x, least)):
            otherwise = MINUS_INFINITY if name == "keep" else Exact.of(0)
            return otherwise if compare(evaluate(x), evaluate(least)) == -1 else evaluate(x)
        case Call("max", arguments):
            return reduce(lambda a, b: a if compare(a, b) == 1 else b, map(evaluate, arguments))
        case Absolute(body):
            x = evaluate(body)
            return x if functions.sqrt(x * x) == x else -x
    raise ValueError(f"no value for {formula}")


def _power(base: Exact, exponent: Exact) -> Exact:
    if isinstance(exponent, Infinite):
        return Exact.of(0)
    return functions.exp(exponent) if base == functions.exp(Exact.of(1)) else functions.power(base, exponent)


def _index(sub: Formula) -> str:
    return sub.digits if isinstance(sub, Number) else sub.name if isinstance(sub, Symbol) else str(sub)


def grid(matrix: Matrix) -> Grid:
    """An exact matrix written out."""
    return Grid(tuple(tuple(spell(entry) for entry in row) for row in matrix.rows()))
