"""Zero among algebraic numbers: sums of square roots by their normal form, all others by the separation
bound.

An enclosure below the bound (`symattn.exact.separation`) is a proof of zero, one that excludes zero a proof
of the contrary. No minimal polynomial is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from flint import acb, arb, ctx, fmpq

from symattn.exact.evaluation import Ball, Point, ball
from symattn.exact.expression import ZERO, Node, product, total
from symattn.exact.separation import separation_bits
from symattn.exact.surd import I, Surd
from symattn.exact.work import spend

T = TypeVar("T")

FIRST_BITS = 64
MOST_BITS = 8192
"""Working precision up to which a number is refined of which no separation bound is known."""
MOST_SURDS = 64


class _Effort:
    """The bound on work: the bits of precision that a proof of zero may take."""

    bits = 100_000
    wanted = 0.0


def effort() -> int:
    """The bits of precision that a proof of zero may take."""
    return _Effort.bits


def set_effort(bits: int) -> None:
    """Let a proof of zero take that many bits of precision."""
    _Effort.bits = bits


def algebraic_is_zero(node: Node) -> bool | None:
    """Whether an algebraic number is zero; None where the separation bound asks for too much work."""
    surd = as_surd(node)
    if surd is not None:
        return not surd
    bound = separation_bits(node)
    most = 2 * bound + 1024 if bound <= effort() else MOST_BITS
    bits = 4 * FIRST_BITS
    while True:
        value = enclosed(node, bits, None)
        if not value.is_finite() and bits == 4 * FIRST_BITS:
            plainer = without_hidden_zeros(node)
            if plainer is not node:
                return None if plainer is None else algebraic_is_zero(plainer)
        if excludes_zero(value):
            return False
        if bound <= effort() and _below(value, bound):
            return True
        if bits >= most:
            want_effort(bound)
            return None
        bits = min(2 * bits, int(most) + 1)


def wanted_effort() -> float:
    """The most bits that a proof which was left undone would have taken so far; 0 for none."""
    return _Effort.wanted


def want_effort(bits: float) -> None:
    """Note that a proof elsewhere was left undone, which would have taken so many bits."""
    _Effort.wanted = max(_Effort.wanted, bits)


def under_effort(bits: int, work: Callable[[], T]) -> tuple[T, float]:
    """What the work gives where a proof may take so many bits, and the most that it wanted; 0 for none."""
    before = _Effort.bits, _Effort.wanted
    _Effort.bits, _Effort.wanted = bits, 0.0
    try:
        return work(), _Effort.wanted
    finally:
        _Effort.bits, _Effort.wanted = before


def without_hidden_zeros(node: Node) -> Node | None:
    """The number with 0 for every radicand that is zero without showing it; None for a division by zero."""
    parts = [without_hidden_zeros(part) for part in node.arguments]
    seen = [part for part in parts if part is not None]
    if len(seen) < len(parts):
        return None
    if node.operation in ("root", "power") and algebraic_is_zero(seen[0]):
        return None if node.operation == "power" and node.value < 0 else ZERO
    rebuilt = {"sum": total, "product": product}.get(node.operation)
    return rebuilt(*seen) if rebuilt else Node(node.operation, node.value, tuple(seen))


def as_surd(node: Node) -> Surd | None:
    """The number as a sum of square roots of rationals, where it is written with these alone."""
    match node.operation:
        case "number":
            return Surd.of(fmpq(*node.value))
        case "unity":
            return {Fraction(1, 4): I, Fraction(3, 4): -I}.get(node.value)
        case "root":
            q = node.arguments[0].rational
            if node.value != 2 or q is None:
                return None
            return Surd.root(q)
        case "sum" | "product":
            parts = []
            for part in node.arguments:
                surd = as_surd(part)
                if surd is None:
                    return None
                parts.append(surd)
            result = parts[0]
            for surd in parts[1:]:
                spend(1 + len(result.terms) * (1 if node.operation == "sum" else len(surd.terms)))
                result = result + surd if node.operation == "sum" else result * surd
                if len(result.terms) > MOST_SURDS:
                    return None
            return result
        case "power":
            base, exponent = as_surd(node.arguments[0]), int(node.value)
            if (
                base is None
                or (exponent < 0 and len(base.terms) > 2)
                or not base
                or abs(exponent) > MOST_SURDS
            ):
                return None
            result = Surd.of(1)
            for _ in range(abs(exponent)):
                result = result * base
                if len(result.terms) > MOST_SURDS:
                    return None
            return result if exponent > 0 else result.inverse()
    return None


def near_rational(node: Node, largest_denominator: int) -> fmpq | None:
    """The one rational with a small denominator that an enclosure of a real number leaves, if any."""
    try:
        value = real_part(enclosed(node, 2 * FIRST_BITS, None))
    except (ValueError, ZeroDivisionError):
        return None
    if not value.is_finite() or value.rad() > 2**-FIRST_BITS:
        return None
    mantissa, exponent = (int(part) for part in value.mid().man_exp())
    guess = (Fraction(mantissa) * Fraction(2) ** exponent).limit_denominator(largest_denominator)
    found = fmpq(guess.numerator, guess.denominator)
    return found if value.contains(arb(found)) else None


def enclosed(node: Node, bits: int, point: Point | None) -> Ball:
    """A ball that contains the number, or the value of a function at a point, at that working precision."""
    with ctx.workprec(bits):
        return ball(node, point)


def excludes_zero(value: Ball) -> bool:
    """Whether a ball excludes zero; one that is no number excludes nothing."""
    return value.is_finite() and not value.contains(0)


def _below(value: Ball, bound: float) -> bool:
    """Whether every number of a ball is smaller than 2^-bound."""
    if not value.is_finite():
        return False
    limit = arb(2) ** -(int(bound) + 1)
    return bool(abs(value).upper() < limit)


def real_part(value: Ball) -> arb:
    """The real part of a ball."""
    return value.real if isinstance(value, acb) else value
