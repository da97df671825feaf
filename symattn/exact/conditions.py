"""What an expression takes for granted: denominators, radicands and arguments of logarithms left
undecided.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from symattn.exact.carried import carried
from symattn.exact.expression import Node
from symattn.exact.number import Exact, Infinite
from symattn.exact.opaque import Opaque
from symattn.exact.surd import Surd
from symattn.exact.symbolic import coefficient
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
        if c.carried:
            yield from _of_carried(c.node, seen)
            continue
        for kind, expression in _needed(c.to_sympy()):
            if expression in seen:
                continue
            seen.add(expression)
            node = of_sympy(expression)
            if node.constant and is_zero(node) is None:
                yield kind, Exact.of(coefficient(expression))


def _of_carried(node: Node, seen: set[Any]) -> Iterator[tuple[Kind, Exact]]:
    for part in node.parts:
        if part.operation in ("root", "log") or (part.operation == "power" and part.value < 0):
            inside = part.arguments[0]
            if inside not in seen and inside.constant and is_zero(inside) is None:
                yield "nonzero" if part.operation == "power" else "positive", Exact.of(carried(inside))
            seen.add(inside)


def _symbolic_parts(*sums: Terms) -> Iterator[Opaque]:
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
