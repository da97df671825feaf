"""Rigorous enclosures of expressions: Arb balls (python-flint) at any working precision.

Numbers without an imaginary unit in them are real balls, all others complex ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from flint import acb, arb, fmpq

from symattn.exact.expression import Node

Ball = arb | acb
Point = Mapping[str, fmpq]
"""Rationals for the free symbols."""


class HasSymbols(ValueError):
    """A number with free symbols was asked for its numerical value."""


def ball(node: Node, point: Point | None = None, known: MutableMapping[Node, Ball] | None = None) -> Ball:
    """A ball that contains the number, at the working precision of `flint.ctx`.

    `known` keeps the balls of one precision and point. Raises HasSymbols for a symbol that `point` does not
    give, and ValueError for a function without an enclosure.
    """
    found: MutableMapping[Node, Ball] = {} if known is None else known
    stack = [node]
    while stack:  # without recursion: definitions may be long chains
        top = stack[-1]
        if top in found:
            stack.pop()
            continue
        missing = [part for part in top.arguments if part not in found]
        if missing:
            stack += missing
            continue
        found[top] = _value(top, [found[part] for part in top.arguments], point)
        stack.pop()
    return found[node]


def _value(node: Node, parts: list[Ball], point: Point | None) -> Ball:
    match node.operation:
        case "number":
            return arb(fmpq(*node.value))
        case "sum":
            return _sum(parts)
        case "product":
            return _product(parts)
        case "power":
            return parts[0] ** int(node.value)
        case "root":
            return _root(parts[0], node.value)
        case "unity":
            angle = fmpq(2 * node.value.numerator, node.value.denominator)
            return acb(arb.cos_pi_fmpq(angle), arb.sin_pi_fmpq(angle))
        case "exp":
            return parts[0].exp()
        case "log":
            return parts[0].log()
        case "pi":
            return arb.pi()
        case "symbol":
            if point is None or node.value not in point:
                raise HasSymbols(node.value)
            return arb(point[node.value])
        case "named":
            return node.value.ball() if node.constant else node.value.ball_at(point)  # type: ignore[no-any-return]
    return _call(node.value, parts)


def _sum(parts: list[Ball]) -> Ball:
    result: Ball = parts[0]
    for part in parts[1:]:
        result = result + part
    return result


def _product(parts: list[Ball]) -> Ball:
    result: Ball = parts[0]
    for part in parts[1:]:
        result = result * part
    return result


def _root(x: Ball, degree: int) -> Ball:
    """The principal root; no number where a real ball does not show the sign."""
    if isinstance(x, arb) and x < 0:
        turn = fmpq(1, degree)
        return acb(arb.cos_pi_fmpq(turn), arb.sin_pi_fmpq(turn)) * (-x).root(degree)
    return x.root(degree)


def _real(z: Ball) -> arb:
    return z.real if isinstance(z, acb) else z


_FUNCTIONS: Mapping[str, Callable[[Any], Ball]] = {"erf": lambda z: z.erf(), "Abs": lambda z: abs(z)}


def _call(name: str, parts: list[Ball]) -> Ball:
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](parts[0])
    if name in ("Max", "Min"):
        result = _real(parts[0])
        for part in parts[1:]:
            result = result.max(_real(part)) if name == "Max" else result.min(_real(part))
        return result
    raise ValueError(f"no enclosure for {name}")
