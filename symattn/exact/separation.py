"""The separation bound of algebraic expressions: how small a number may be without being zero.

Burnikel, Funke, Mehlhorn, Schirra and Schmitt, "A Separation Bound for Real Algebraic Expressions" (ESA
2001). Every expression E of rationals, roots of unity, arithmetic and k-th roots is a quotient U/L of
algebraic integers, of which all conjugates are at most u and l in magnitude; both lie in a field of degree
at most D, the product of the degrees of the distinct roots. The norm of a nonzero algebraic integer is at
least 1, so E is zero or at least 1/(u^(D-1) l). The rules for u and l are those of the paper; the
denominator of rationals is kept apart as an integer d, so that sums share it. Roots of unity are algebraic
integers of magnitude 1 with conjugates alike; they share one order N and add phi(N) to the degree. Roots of
integers share their primes: sqrt(2), sqrt(3) and sqrt(6) have degree 4 together.
"""

from __future__ import annotations

from math import lcm, log2, prod

from flint import fmpz
from msgspec import Struct

from symattn.exact.expression import Node
from symattn.exact.work import LONGEST_FACTORED

"""Bits of a radicand up to which it is split into primes; the bound holds without, and is weaker."""
SLACK = 1 + 2.0**-30
"""What floating-point sums of logarithms may have lost."""


class _Size(Struct, frozen=True):
    """log2 of u, the integer denominator d, and log2 of the rest of l."""

    over: float
    whole: int
    under: float

    @property
    def below(self) -> float:
        """log2 of the whole denominator."""
        return self.under + log2(self.whole)


def separation_bits(node: Node) -> float:
    """b such that the number is zero or at least 2^-b in magnitude. The node is algebraic."""
    nodes = _parts(node)
    sizes: dict[Node, _Size] = {}
    for part in nodes:
        sizes[part] = _size(part, [sizes[argument] for argument in part.arguments])
    size, degree = sizes[node], degree_bound(nodes)
    return ((degree - 1) * size.over + size.below) * SLACK + 1


def _parts(node: Node) -> list[Node]:
    """Every node of the graph once, arguments before what is made of them."""
    order: dict[Node, None] = {}
    stack = [(node, False)]
    while stack:
        part, ready = stack.pop()
        if part in order:
            continue
        if ready:
            order[part] = None
        else:
            stack.append((part, True))
            stack += [(argument, False) for argument in part.arguments]
    return list(order)


def degree_bound(nodes: list[Node]) -> int:
    """The product of the degrees of the roots among the nodes."""
    order = 1
    primes: dict[int, int] = {}
    radicands: dict[Node, int] = {}
    for node in nodes:
        if node.operation == "unity":
            order = lcm(order, node.value.denominator)
        elif node.operation == "root":
            (radicand,) = node.arguments
            found = _primes(radicand)
            if found is None:
                radicands[radicand] = lcm(radicands.get(radicand, 1), node.value)
                continue
            for prime in found:
                primes[prime] = lcm(primes.get(prime, 1), node.value)
    return _totient(order) * prod(primes.values()) * prod(radicands.values())


def _primes(radicand: Node) -> list[int] | None:
    """The primes of a rational, or None for another number and a long one."""
    q = radicand.rational
    if q is None or q.height_bits() > LONGEST_FACTORED:
        return None
    return [int(prime) for part in (q.p, q.q) for prime, _ in fmpz(abs(int(part))).factor()]


def _totient(n: int) -> int:
    return prod(int(p) ** (int(k) - 1) * (int(p) - 1) for p, k in fmpz(n).factor())


def _size(node: Node, parts: list[_Size]) -> _Size:
    match node.operation:
        case "number":
            p, q = node.value
            return _Size(log2(abs(p)) if p else 0.0, q, 0.0)
        case "unity":
            return _Size(0.0, 1, 0.0)
        case "sum":
            whole, under = lcm(*(part.whole for part in parts)), sum(part.under for part in parts)
            shares = (part.over + log2(whole // part.whole) + under - part.under for part in parts)
            return _Size(max(shares) + log2(len(parts)), whole, under)
        case "product":
            return _Size(
                sum(part.over for part in parts),
                prod(part.whole for part in parts),
                sum(part.under for part in parts),
            )
        case "power":
            (part,), n = parts, int(node.value)
            if n > 0:
                return _Size(n * part.over, part.whole**n, n * part.under)
            return _Size(-n * part.below, 1, -n * part.over)
        case "root":
            (part,), k = parts, int(node.value)
            if part.over >= part.below:
                return _Size((part.over + (k - 1) * part.below) / k, part.whole, part.under)
            return _Size(part.over, 1, ((k - 1) * part.over + part.below) / k)
    raise ValueError(f"no separation bound for {node.operation}")
