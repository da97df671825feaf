"""Double-double arithmetic against exact fractions: what is exact, and errors below their bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpz_mat

from symattn.exact.certified.double_double import (
    PRODUCT,
    QUOTIENT,
    U,
    product,
    quotient,
    slices,
    split,
    total,
    two_product,
    two_sum,
)
from symattn.exact.certified.gaps import GapsOfProduct, GapsOfScores
from symattn.exact.certified.integers import integers, limbs
from symattn.exact.certified.power_tables import GONE, TABLE, Imprecise, PowerTables

EXACT = Fraction


def worst_product(count: int = 20_000) -> float:
    """The largest error of a product of pairs with low parts as long as they may be."""
    rng, worst = np.random.default_rng(3), 0.0
    a, b = (1 + rng.random(count) * 2.0 ** -rng.integers(0, 12, count) for _ in range(2))
    al, bl = (U * (1 - rng.random(count) * 0.02) * rng.choice([-1, 1], count) for _ in range(2))
    for x, y, p, q, h, low in zip(a, al, b, bl, *product((a, al), (b, bl), split(b)), strict=True):
        true = (EXACT(x) + EXACT(y)) * (EXACT(p) + EXACT(q))
        worst = max(worst, float(abs(EXACT(h) + EXACT(low) - true) / true))
    return worst


def test_sums_products_and_halves_are_exact() -> None:
    rng = np.random.default_rng(5)
    a, b = (rng.choice([-1, 1], 2000) * 2.0 ** rng.uniform(-60, 60, 2000) for _ in range(2))
    parts = (*two_sum(a, b), *two_product(a, split(a), b, split(b)), *split(a))
    for x, y, s, e, p, r, h, low in zip(a, b, *parts, strict=True):
        assert EXACT(s) + EXACT(e) == EXACT(x) + EXACT(y)
        assert EXACT(p) + EXACT(r) == EXACT(x) * EXACT(y)
        assert EXACT(h) + EXACT(low) == EXACT(x)
        assert all(np.ldexp(np.frexp(z)[0], 26).is_integer() for z in (h, low))


def test_a_product_is_wrong_by_less_than_its_bound_and_by_more_than_an_eighth_of_it() -> None:
    assert PRODUCT / 8 < worst_product() < PRODUCT


@pytest.mark.parametrize("places", [0, 7, 15, 18])
def test_a_quotient_is_wrong_by_less_than_its_bound(places: int) -> None:
    rng = np.random.default_rng(places)
    h = 1 + rng.random(2000) * 2.0 ** -rng.integers(0, 12, 2000)
    low = U * rng.uniform(0.9, 1, 2000) * rng.choice([-1, 1], 2000)
    for x, y, p, q in zip(h, low, *quotient(10.0**places, (h, low)), strict=True):
        true = 10**places / (EXACT(x) + EXACT(y))
        assert abs(EXACT(p) + EXACT(q) - true) < EXACT(QUOTIENT) * true


@pytest.mark.parametrize("k", [2, 3, 7, 13])
def test_a_compensated_sum_is_wrong_by_less_than_its_bound(k: int) -> None:
    rng = np.random.default_rng(k)
    terms = [rng.choice([-1, 1], 500) * 2.0 ** rng.uniform(-75, 0, 500) for _ in range(k)]
    for at, (h, low) in enumerate(zip(*total(terms), strict=True)):
        parts = [EXACT(term[at]) for term in terms]
        bound = (k - 1) ** 2 * EXACT(U) ** 2 * sum(map(abs, parts))
        assert abs(EXACT(h) + EXACT(low) - sum(parts)) <= bound


@pytest.mark.parametrize("bits", [21, 34, 50])
def test_slices_are_short_integers_that_sum_to_the_pair(bits: int) -> None:
    rng, count = np.random.default_rng(bits), -(-100 // bits)
    h = np.r_[1.0, 2.0 ** -rng.uniform(0, 130, 400), 0.0]
    low = h * np.r_[0.0, U * rng.uniform(-1, 1, 400), 0.0]
    sliced = slices((h, low), bits, count)
    for at, (x, y) in enumerate(zip(h, low, strict=True)):
        left = EXACT(x) + EXACT(y)
        for s in range(count):
            digit = EXACT(sliced[s, at]) * 2 ** (bits * (s + 1))
            assert digit.denominator == 1
            assert abs(digit) <= 2**bits
            left -= EXACT(sliced[s, at])
        assert abs(left) * 2 ** (bits * count) < 1


def table(rng: Any, rows: int, columns: int, bits: int) -> Any:
    most = 1 << min(bits, 20)
    made = rng.integers(-most, most, (rows, columns)).astype(object) << max(0, bits - 20)
    return made + rng.integers(0, 9, (rows, columns))


@pytest.mark.parametrize("bits", [6, 30, 46, 120])
@pytest.mark.parametrize("masked", [False, True])
def test_gaps_are_exact_integers_by_limbs_of_q_and_k_or_by_the_scores(bits: int, masked: bool) -> None:
    rng = np.random.default_rng(bits)
    q, k = table(rng, 9, 5, bits), table(rng, 12, 5, bits).T
    k[:, 3] = k[:, 4] + rng.integers(-1, 2, 5)  # scores that floats do not tell apart
    visible = rng.random((9, 12)) < 0.5 if masked else None
    if visible is not None:
        visible[:, 3] = True
    scores = q @ k
    small = bits < 26
    made = [
        GapsOfProduct(*((q.astype(np.int64), k.astype(np.int64)) if small else (q, k)), visible),
        GapsOfScores(scores.astype(np.int64) if small else scores, visible),
    ]
    seen = np.ones((9, 12), bool) if visible is None else visible
    for gaps in made:
        digits = gaps.rows(2, 9)
        found = sum(d.astype(object) << gaps.digit_bits * at for at, d in enumerate(digits))
        for i in range(7):
            top = max(scores[i + 2][seen[i + 2]])
            right = [top - s if there else 0 for s, there in zip(scores[i + 2], seen[i + 2], strict=True)]
            assert list(found[i]) == right
            assert max(right) < 1 << gaps.bits


def test_limbs_and_integers_hold_their_matrix() -> None:
    rows = [[2**70, -3], [0, -(2**90) + 1]]
    held = integers(fmpz_mat(rows))
    assert held.tolist() == rows
    parts = (limb.astype(np.int64).astype(object) << 18 * at for at, limb in enumerate(limbs(held, 18)))
    assert sum(parts).tolist() == rows
    assert integers(fmpz_mat([[1, 2]])).dtype == np.int64


@pytest.mark.parametrize("size", [1, 10**8, 10**40])
def test_powers_are_wrong_by_less_than_their_bound_or_vanish_below_e_to_minus_90(size: int) -> None:
    def factor() -> arb:
        return 1 / (arb(size) * arb(7).sqrt())

    rng, bits = np.random.default_rng(1), (size * 300).bit_length()
    d = [0, 1, *(int(size * 250 * x) for x in rng.random(300))]
    digits = [np.array([[x >> 54 * at & (1 << 54) - 1 for x in d]]) for at in range(-(-bits // 54))]
    tables = PowerTables(factor, bits, 9)
    h, low = tables.powers(digits, 54)
    assert (h[0, 0], low[0, 0]) == (1, 0)
    with ctx.workprec(300):
        for x, y, gap in zip(h[0], low[0], d, strict=True):
            true = (-factor() * gap).exp()
            bound = arb(tables.bound) * 1.001 * true if x else arb(GONE)
            assert abs(arb(float(x)) + arb(float(y)) - true) < bound
    assert tables.bound == pytest.approx(len(tables.tables) * (TABLE + PRODUCT) - PRODUCT)


def test_tables_refuse_a_factor_that_is_not_known_well_and_groups_across_digits() -> None:
    with pytest.raises(Imprecise):
        PowerTables(lambda: arb(1, 2.0**-60), 40, 9)
    with pytest.raises(ValueError, match="one digit"):
        PowerTables(lambda: arb(1), 40, 11)
