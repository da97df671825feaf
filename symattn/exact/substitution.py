"""Numbers for free symbols: to refute an identity by a witness, and to evaluate a symbolic computation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flint import fmpq

from symattn.exact.number import Exact, Terms
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient, Polynomial, coefficient

STEP = "_t"
"""The symbol of a step towards 0, by which is differentiated: no symbol of a case begins like this."""


def free_symbols(x: Exact) -> tuple[str, ...]:
    """The names of the free symbols in x, sorted."""
    return tuple(
        sorted(
            {
                symbol
                for terms in (x.over, x.under)
                for pair in terms.by_exponent.items()
                for part in pair
                if not isinstance(part, Surd)
                for symbol in part.free_symbols
            }
        )
    )


def substitute(x: Exact, values: Sequence[Any] | Mapping[str, Any]) -> Exact:
    """x with rationals for its free symbols: by name, or in the sorted order of the names."""
    names = free_symbols(x)
    if not names:
        return x
    import sympy

    from symattn.exact.leaf import Leaf

    if not isinstance(values, Mapping):
        values = {name: values[k % len(values)] + k // len(values) for k, name in enumerate(names)}
    rationals = {name: fmpq(int(values[name].p), int(values[name].q)) for name in names if name in values}
    table = {
        sympy.Symbol(name, real=True): sympy.Rational(int(q.p), int(q.q)) for name, q in rationals.items()
    }

    def put(c: Coefficient) -> Coefficient:
        if isinstance(c, Surd):
            return c
        if isinstance(c, Polynomial):
            return c.at(rationals)
        expression = c.to_sympy()
        named = {leaf: leaf.at(values) for leaf in expression.atoms(Leaf) if leaf.free_symbols}
        return coefficient(expression.xreplace(named).subs(table))

    return mapped(x, put)


def at_rest(x: Exact) -> Exact:
    """x without the step. Raises UndefinedValue where it has no value there."""
    return substitute(x, {STEP: fmpq(0)})


def mapped(x: Exact, put: Callable[[Coefficient], Coefficient]) -> Exact:
    """x with `put` applied to every coefficient and exponent."""

    def total(terms: Terms) -> Terms:
        collected = Terms({})
        for exponent, c in terms.by_exponent.items():
            value = put(c)
            if value:
                collected = collected + Terms({put(exponent): value})
        return collected

    return Exact.quotient(total(x.over), total(x.under))
