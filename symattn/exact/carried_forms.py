"""Definitions that are carried, written: as text that SymPy reads back, and as SymPy expressions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from symattn.exact.expression import Node

LONG_PART = 16
"""The nodes from which on a sum or root that definitions share has a label."""


def text(node: Node, labels: Mapping[Node, str] = MappingProxyType({})) -> str:
    """The node as SymPy reads it back, with the labels of the parts that have one."""
    if node in labels:
        return labels[node]
    parts = [text(part, labels) for part in node.arguments]
    inside = [
        f"({word})" if _open(part) and part not in labels else word
        for part, word in zip(node.arguments, parts, strict=True)
    ]
    match node.operation:
        case "number":
            p, q = node.value
            return str(p) if q == 1 else f"{p}/{q}"
        case "named":
            return str(node.value.label)
        case "symbol":
            return str(node.value)
        case "sum":
            return " + ".join(parts).replace("+ -", "- ")
        case "product":
            minus = node.arguments[0].rational == -1
            return "-" + "*".join(inside[1:]) if minus else "*".join(inside)
        case "power":
            return f"{inside[0]}**({node.value})" if node.value < 0 else f"{inside[0]}**{node.value}"
        case "root":
            return f"sqrt({parts[0]})" if node.value == 2 else f"({parts[0]})**(1/{node.value})"
        case "exp" | "log":
            return f"{node.operation}({parts[0]})"
        case "call":
            return f"{node.value}({', '.join(parts)})"
    return str(in_sympy(node))


def _open(part: Node) -> bool:
    """Whether a part of a product or a power has brackets."""
    if part.operation == "number":
        return bool(part.value[0] < 0 or part.value[1] != 1)
    return part.operation in ("sum", "product", "power", "unity")


def long_parts(node: Node) -> list[Node]:
    """The sums and roots of at least `LONG_PART` nodes below a node, each after those in it."""
    found: dict[Node, None] = {}

    def visit(part: Node) -> None:
        if part in found or part.size < LONG_PART:
            return
        for inner in part.arguments:
            visit(inner)
        if part.operation in ("sum", "root"):
            found[part] = None

    for part in node.arguments:
        visit(part)
    return list(found)


def in_sympy(node: Node) -> Any:
    """The node as a SymPy expression, not expanded."""
    import sympy

    known: dict[Node, Any] = {}

    def made(node: Node) -> Any:
        if node not in known:
            known[node] = _in_sympy(node, [made(part) for part in node.arguments], sympy)
        return known[node]

    return made(node)


def _in_sympy(node: Node, inside: list[Any], sympy: Any) -> Any:
    match node.operation:
        case "number":
            return sympy.Rational(*node.value)
        case "named":
            return node.value
        case "symbol":
            return sympy.Symbol(node.value, real=True)
        case "sum":
            return sympy.Add(*inside)
        case "product":
            return sympy.Mul(*inside)
        case "power":
            return sympy.Pow(inside[0], node.value)
        case "root":
            return sympy.Pow(inside[0], sympy.Rational(1, node.value))
        case "unity":
            return sympy.exp(
                2 * sympy.pi * sympy.I * sympy.Rational(node.value.numerator, node.value.denominator)
            )
        case "pi":
            return sympy.pi
        case "exp" | "log":
            return getattr(sympy, node.operation)(*inside)
    return getattr(sympy, node.value)(*inside)
