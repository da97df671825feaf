"""What an expression takes for granted: denominators, radicands and arguments of logarithms left
undecided.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from symattn.exact.number import Exact, Infinite
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Symbolic, coefficient
from symattn.exact.terms import Terms
from symattn.exact.trees import of_sympy, of_terms
from symattn.exact.zero import is_zero

Kind = Literal["nonzero", "positive"]


def conditions(x: Exact) -> Iterator[tuple[Kind, Exact]]:
    """Each number without symbols of which x needs that it is not zero (or is positive), where that is
    undecided.
    """
    if isinstance(x, Infinite) or not x.symbolic:
        return
    if x.under.opaque and of_terms(x.under).constant and is_zero(of_terms(x.under)) is None:
        yield "nonzero", Exact(x.under)
    seen: set[Any] = set()
    for c in _symbolic_parts(x.over, x.under):
        for kind, expression in _needed(c.expression):
            if expression in seen:
                continue
            seen.add(expression)
            node = of_sympy(expression)
            if node.constant and is_zero(node) is None:
                yield kind, Exact.of(coefficient(expression))


def _symbolic_parts(*sums: Terms) -> Iterator[Symbolic]:
    for terms in sums:
        for pair in terms.by_exponent.items():
            for part in pair:
                if not isinstance(part, Surd):
                    yield part


def _needed(expression: Any) -> Iterator[tuple[Kind, Any]]:
    """The parts of a SymPy tree that stand under a quotient, a root or a logarithm."""
    import sympy

    for part in sympy.preorder_traversal(expression):
        if part.is_Pow and not part.base.is_Number:
            if part.exp.could_extract_minus_sign():
                yield "nonzero", part.base
            elif part.exp.is_Rational and part.exp.q > 1:
                yield "positive", part.base
        elif isinstance(part, sympy.log):
            yield "positive", part.args[0]
