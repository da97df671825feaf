"""What is zero, decided in one place.

`is_zero(node)` is True (proved), False (proved), or None: not decided within the bound on work.

- Not zero: an enclosure that excludes zero, with doubled precision; with free symbols, at a rational point.
- Zero, for algebraic numbers: sums of square roots by their normal form; all others by the separation bound
  (`symattn.exact.separation`): an enclosure below the bound is a proof.
- Zero, for all else: the expression multiplied out (`symattn.exact.monomials`) vanishes where the
  coefficients of equal terms do. Exponents are compared by this function again. For exponentials of distinct
  algebraic exponents and for polynomials in symbols this decides both ways (Lindemann-Weierstrass; linear
  independence of monomials).
- Logarithms: a sum of rational multiples of logarithms of positive algebraic numbers is zero exactly when
  the product of their powers is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm

from flint import fmpq
from msgspec.structs import replace

from symattn.exact.algebraic import (
    FIRST_BITS,
    MOST_BITS,
    algebraic_is_zero,
    effort,
    enclosed,
    excludes_zero,
    near_rational,
)
from symattn.exact.evaluation import Point
from symattn.exact.expression import LARGEST_ROOT, ZERO, Node, fractional_power, number, power, product, total
from symattn.exact.monomials import Powers, Sum, Term, TooLong, multiplied_out, rational_of

LARGEST_SCALE = 4096
"""Bits of a power b^q up to which it is multiplied out."""
WITNESSES = tuple(fmpq(*pair) for pair in ((3, 7), (5, 11), (2, 3), (7, 5), (11, 13), (1, 9), (13, 8)))

MINUS_ONE = number(-1)


def is_zero(node: Node) -> bool | None:
    """Whether the number is zero, or with free symbols the function of them."""
    return _decided(node, effort())


@lru_cache(maxsize=1 << 13)
def _decided(node: Node, bits_allowed: int) -> bool | None:
    """`is_zero` for one bound on the work, which is a part of what is remembered."""
    q = node.rational
    if q is not None:
        return not q
    if differs_from_zero(node):
        return False
    found = algebraic_is_zero(node) if node.algebraic else _by_terms(node)
    if found is not None or node.algebraic:
        return found
    bits = 16 * FIRST_BITS
    while bits <= MOST_BITS:
        if any(_excluded(node, bits, point) for point in _points(node)):
            return False
        bits *= 4
    return None


def differs_from_zero(node: Node) -> bool:
    """Whether a short enclosure excludes zero; with free symbols, at a rational point."""
    points = _points(node)
    return any(_excluded(node, bits, point) for bits in (FIRST_BITS, 4 * FIRST_BITS) for point in points)


def _by_terms(node: Node) -> bool | None:
    """The decision on an expression that is not algebraic, once it is multiplied out."""
    try:
        left = collected(multiplied_out(node).over)
    except (TooLong, ValueError, OverflowError):
        return None
    if None in [algebraic_is_zero(term.coefficient) for term in left]:
        return None
    if not left:
        return True
    if len(left) == 1 and all(atom is not node and _is_nonzero(atom) for atom, _ in left[0].powers):
        return False
    if _logarithms_vanish(left):
        return True
    return False if _independent(left) else None


def collected(terms: Sum) -> Sum:
    """The terms with equal powers and equal exponents joined, without those that are proved to be zero."""
    first: dict[Node, Node] = {}
    distinct: list[Node] = []
    groups: dict[tuple[Powers, Powers, Node], list[Term]] = {}
    for term in _rescaled(terms):
        exponent = first.get(term.exponent)
        if exponent is None:
            exponent = next((known for known in distinct if _equal(known, term.exponent)), term.exponent)
            first[term.exponent] = exponent
            if exponent is term.exponent:
                distinct.append(exponent)
        groups.setdefault((term.powers, term.scales, exponent), []).append(term)
    joined = (
        replace(group[0], coefficient=total(*(term.coefficient for term in group)))
        for group in groups.values()
    )
    return tuple(term for term in joined if algebraic_is_zero(term.coefficient) is not True)


def _rescaled(terms: Sum) -> Iterator[Term]:
    """The terms, all divided by the scales of the first; scales of modest size go into the coefficients."""
    reference = dict(terms[0].scales) if any(_huge(term.scales) for term in terms) else {}
    for term in terms:
        relative = dict(term.scales)
        for base, q in reference.items():
            relative[base] = relative.get(base, Fraction(0)) - q
        scales = tuple((base, q) for base, q in relative.items() if q)
        if _huge(scales):
            yield Term(
                term.coefficient, tuple(sorted(scales, key=lambda s: id(s[0]))), term.exponent, term.powers
            )
        else:
            powers = (fractional_power(base, q) for base, q in scales)
            yield Term(product(term.coefficient, *powers), (), term.exponent, term.powers)


def _huge(scales: Powers) -> bool:
    for base, q in scales:
        height = base.rational.height_bits() if base.rational is not None else 64
        if abs(q.numerator) * height > LARGEST_SCALE or q.denominator > LARGEST_ROOT:
            return True
    return False


def _equal(a: Node, b: Node) -> bool:
    if a is b:
        return True
    p, q = _approximation(a), _approximation(b)
    if p is not None and q is not None and abs(p - q) > 1e-9 * (abs(p) + abs(q) + 1):
        return False  # no decision rests on this: terms that are not joined are only not proved to cancel
    return is_zero(total(a, product(MINUS_ONE, b))) is True


@lru_cache(maxsize=1 << 12)
def _approximation(node: Node) -> complex | None:
    """The number, or its value at a witness, to some ten digits; None where it has no value there."""
    try:
        value = enclosed(node, FIRST_BITS, _points(node)[0])
    except (ValueError, ZeroDivisionError):
        return None
    return complex(value.mid()) if value.is_finite() else None


def _is_nonzero(atom: Node) -> bool:
    """Whether an atom is known not to vanish: pi, a symbol as a function of itself, log of another than
    one.
    """
    return atom.operation in ("pi", "symbol") or (atom.constant and _excluded(atom, 4 * FIRST_BITS, None))


def _independent(terms: Sequence[Term]) -> bool:
    """Whether terms with coefficients that do not vanish cannot add up to zero.

    Their exponents are distinct polynomials in the symbols with algebraic coefficients, and nothing but
    symbols multiplies them.
    """
    if any(atom.operation != "symbol" for term in terms for atom, _ in term.powers):
        return False
    exponents = [term.exponent for term in terms]
    if not all(map(_polynomial, set(exponents))):
        return False
    return all(
        terms[i].powers != terms[j].powers
        or is_zero(total(exponents[i], product(MINUS_ONE, exponents[j]))) is False
        for i in range(len(terms))
        for j in range(i)
    )


def _polynomial(exponent: Node) -> bool:
    """Whether an exponent is a polynomial in the symbols with algebraic coefficients."""
    found = multiplied_out(exponent)
    return not found.under and all(
        not term.scales
        and term.exponent is ZERO
        and all(atom.operation == "symbol" and q.denominator == 1 for atom, q in term.powers)
        for term in found.over
    )


def _logarithms_vanish(terms: Sequence[Term]) -> bool:
    """Whether the terms are sums of logarithms that cancel: a product of powers is one.

    The terms are grouped by what multiplies a logarithm, and then by coefficients with a rational ratio.
    """
    groups: dict[tuple[Node, Powers], list[tuple[Node, Node]]] = {}
    for term in terms:
        logs = [(atom, q) for atom, q in term.powers if atom.operation == "log" and q == 1]
        if term.scales or len(logs) != 1 or not logs[0][0].arguments[0].algebraic:
            return False
        rest = tuple(pair for pair in term.powers if pair != logs[0])
        groups.setdefault((term.exponent, rest), []).append((logs[0][0].arguments[0], term.coefficient))
    return all(_cancel(pairs) for pairs in groups.values())


def _cancel(pairs: Sequence[tuple[Node, Node]]) -> bool:
    """Whether sum c log b = 0 for the pairs (b, c), grouped by coefficients with a rational ratio."""
    left = list(pairs)
    while left:
        first = left[0][1]
        ratios = [(b, c, _ratio(c, first)) for b, c in left]
        together = [(b, q) for b, _, q in ratios if q is not None]
        whole = lcm(*(q.denominator for _, q in together))
        found = product(*(power(b, int(q * whole)) for b, q in together))
        if algebraic_is_zero(total(found, MINUS_ONE)) is not True:
            return False
        left = [(b, c) for b, c, q in ratios if q is None]
    return True


def _ratio(c: Node, first: Node) -> Fraction | None:
    """c/first where that is a rational with a denominator up to 10^9, else None."""
    quotient = rational_of(product(c, power(first, -1)))
    if quotient is not None or c is first:
        return Fraction(1) if c is first else quotient
    guess = near_rational(product(c, power(first, -1)), 10**9)
    if guess is None or not algebraic_is_zero(total(c, product(number(-guess), first))):
        return None
    return Fraction(int(guess.p), int(guess.q))


def _points(node: Node) -> list[Point | None]:
    """The points at which a function of symbols is looked at; None for a number."""
    if node.constant:
        return [None]
    names = sorted(symbols(node))
    return [
        {name: WITNESSES[(turn + k) % len(WITNESSES)] + k // len(WITNESSES) for k, name in enumerate(names)}
        for turn in range(3)
    ]


def symbols(node: Node) -> set[str]:
    """The names of the free symbols."""
    if node.constant:
        return set()
    if node.operation == "symbol":
        return {node.value}
    if node.operation == "named":
        return {str(symbol) for symbol in node.value.free_symbols}
    return set().union(*(symbols(part) for part in node.arguments))


def _excluded(node: Node, bits: int, point: Point | None) -> bool:
    try:
        return excludes_zero(enclosed(node, bits, point))
    except (ValueError, ZeroDivisionError):
        return False
