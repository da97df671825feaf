"""Deciding on exact numbers: is it zero, are they equal, which is larger. True or False is a proof.

None is undecided: beyond the theorems, or beyond the bound on work. Sums of exponentials of surds are their
own normal form (Lindemann-Weierstrass); enclosures tell unequal numbers apart; all else is decided by
`symattn.exact.zero`.
"""

from __future__ import annotations

from symattn.exact import zero
from symattn.exact.algebraic import MOST_BITS, effort
from symattn.exact.balls import FIRST_BITS, refined_sign
from symattn.exact.enclosure import enclose
from symattn.exact.number import Exact, Infinite
from symattn.exact.substitution import STEP, at_rest, free_symbols
from symattn.exact.trees import of_terms
from symattn.exact.unfolding import vanishes
from symattn.exact.zero import WITNESSES
from symattn.text.bilingual import Bilingual
from symattn.text.errors import OutOfBounds, UndefinedValue

__all__ = ["FIRST_BITS", "MOST_BITS", "WITNESSES", "compare", "equal", "is_zero", "sign"]


def equal(a: Exact, b: Exact) -> bool | None:
    """Whether a = b, as numbers or (with free symbols) as functions of the symbols."""
    if isinstance(a, Infinite) or isinstance(b, Infinite):
        return isinstance(a, Infinite) and isinstance(b, Infinite)
    if a == b:
        return True
    p, q = a.rational, b.rational
    if p is not None and q is not None:
        return bool(p == q)
    if a.under != b.under and _order(a, b, 2 * FIRST_BITS):
        return False  # seen without multiplying the denominators out
    if a.symbolic and b.symbolic and _one_definition(a, b):
        return True
    return _difference_is_zero(a, b)


def _one_definition(a: Exact, b: Exact) -> bool:
    """Whether two derivations gave one number different names."""
    from symattn.exact.named import nameless

    return nameless(a) == nameless(b)


def is_zero(x: Exact) -> bool | None:
    """Whether x = 0."""
    if isinstance(x, Infinite):
        return False
    if not x.over:
        return True
    if not x.over.opaque:
        return False
    node = of_terms(x.over)
    found = zero.is_zero(node)
    return True if found is None and vanishes(node) else found


def compare(a: Exact, b: Exact) -> int | None:
    """-1, 0 or 1 as a is less than, equal to or greater than b; None where it cannot be decided.

    Numbers with a step in them are compared for all steps near 0. Raises UndefinedValue where the step alone
    makes them differ: the order turns there.
    """
    if isinstance(a, Infinite) or isinstance(b, Infinite):
        return int(isinstance(b, Infinite)) - int(isinstance(a, Infinite))
    if a == b:
        return 0
    p, q = a.rational, b.rational
    if p is not None and q is not None:
        return int(p > q) - int(p < q)
    if any(x.symbolic and STEP in free_symbols(x) for x in (a, b)):
        return _about_rest(a, b)
    if a.under == b.under:
        return sign(a - b)
    order = _order(a, b, 4 * FIRST_BITS)
    if order:
        return order
    try:
        return sign(a - b)  # what the two have in common cancels before anything is enclosed
    except OutOfBounds:
        return _order(a, b, MOST_BITS)


def _about_rest(a: Exact, b: Exact) -> int | None:
    """Numbers that differ without the step keep their order for small ones, for they move continuously."""
    order = compare(at_rest(a), at_rest(b))
    if order == 0 and not equal(a, b):
        raise UndefinedValue(
            Bilingual(
                "equal numbers are compared that a step moves apart: a kink, where there is no derivative",
                "所比较的两个数恰好相等，加上 t 后便不相等：这是折点，此处不可导",
            ),
            Bilingual("other numbers", "请换用其他数值"),
        )
    return order


def sign(x: Exact) -> int | None:
    """The sign of a real number; None with free symbols or where refinement does not settle it."""
    if isinstance(x, Infinite):
        return -1
    q = x.rational
    if q is not None:
        return int(q > 0) - int(q < 0)
    order = _order(x, None, 4 * FIRST_BITS)
    if order:
        return order
    vanishes = is_zero(x)
    return 0 if vanishes else _order(x, None, _most_bits(vanishes))


def _most_bits(vanishes: bool | None) -> int:
    """How far an order is refined: as far as the effort allows where the difference is known not to
    vanish.
    """
    return max(MOST_BITS, effort()) if vanishes is False else MOST_BITS


def _order(a: Exact, b: Exact | None, most_bits: int) -> int | None:
    """1 or -1 where an enclosure with at most that many bits shows a > b or a < b, else None; b None is 0."""
    if b is None:
        return refined_sign(lambda bits: enclose(a, bits), most_bits)
    return refined_sign(lambda bits: enclose(a, bits) - enclose(b, bits), most_bits)


def _difference_is_zero(a: Exact, b: Exact) -> bool | None:
    try:
        return is_zero(a - b)
    except OutOfBounds:  # two long rows: their product is not multiplied out
        return None
