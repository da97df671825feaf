"""Decimals of a softmax to another base in double-double arithmetic: as the plain way, with needed bounds."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from symattn.exact import decimal
from symattn.exact.certified import covered, softmax
from symattn.exact.certified.gaps import GapsOfScores
from symattn.exact.certified.singles import decide
from symattn.exact.certified.softmax import Scaled, Softmax
from symattn.exact.certified.table import DecimalTable
from symattn.exact.decision import equal
from symattn.exact.functions import sqrt
from symattn.exact.masked import mask_of, with_mask
from symattn.exact.matrix import Dense, Matrix
from symattn.exact.number import Exact
from symattn.exact.weighted import Weighted
from symattn.plans.base import Base
from symattn.plans.ops.exponential import Exponential
from symattn.plans.ops.normalise import Normalise
from symattn.plans.ops.products import WeightedSum
from symattn.plans.ops.sink import SinkSums

N = 20


def scores(kind: str) -> Matrix:
    rng = np.random.default_rng(4)
    q, k = (
        Matrix.rational([[fmpq(int(x), 100) for x in row] for row in rng.integers(-99, 99, (N, 2))])
        for _ in "QK"
    )
    made = q @ k.T
    match kind:
        case "a root":
            return made.scaled(sqrt(Exact.of(2)).inverse())
        case "masked":
            masked = with_mask(made, mask_of([b"\1" * (i + 1) + bytes(N - i - 1) for i in range(N)]))
            assert masked is not None
            return masked
        case "saturated":
            return made.scaled(Exact.of(fmpq(10**6, 1009)))
        case "whole gaps":  # and halves: 0, 1/2, 1, ... in each row, of which powers are rational
            return Matrix.rational(
                [[fmpq(i, 1009) + fmpq(j * (i % 3), 2) for j in range(N)] for i in range(N)]
            )
    return made


@pytest.mark.parametrize("kind", ["fractions", "a root", "masked", "saturated", "whole gaps"])
@pytest.mark.parametrize(
    ("base", "sink"), [(fmpq(2), None), (fmpq(9, 4), fmpq(0)), (fmpq(3), fmpq(1, 3)), (fmpq(10), fmpq(1, 3))]
)
def test_powers_of_other_bases_have_the_decimals_of_the_plain_way(
    kind: str, base: fmpq, sink: fmpq | None
) -> None:
    b = Base(Exact.of(base))
    logits = scores(kind)
    powers = Exponential(b).exact(logits)
    plain = Dense(tuple(logits.map(b.power).rows()))
    assert isinstance(powers, Weighted)
    values = Matrix.rational([[3, (-1) ** i, i, fmpq(i, 7)] for i in range(N)])
    found = []
    for held in (powers, plain):
        sums = held.row_sums() if sink is None else SinkSums(base=b).exact(held, Matrix.rational([[sink]]))
        weights = Normalise().exact(held, sums)
        found.append((weights, WeightedSum().exact(weights, values)))
    for places in (2, 15):
        for kept, entries, made in zip(*found, decimal.rounded_matrices(found[0], places), strict=True):
            assert isinstance(made, DecimalTable) == (kind != "a root" or not sink)
            assert [list(row) for row in made] == [
                list(row) for row in decimal.rounded_matrix(entries, places)
            ]
            pairs = zip(kept.rows(), entries.rows(), strict=True)
            assert all(a == b or equal(a, b) for one, other in pairs for a, b in zip(one, other, strict=True))


def test_rational_weights_of_gaps_that_roots_of_the_base_make_rational_are_exact() -> None:
    """9^(1/2) = 3: weights 1/4 and 3/4, the first one a tie at one place."""
    logits = Matrix.rational([[fmpq(i, 1009), fmpq(i, 1009) + fmpq(1, 2)] for i in range(200)])
    powers = Exponential(Base(Exact.of(9))).exact(logits)
    weights = Normalise().exact(powers, powers.row_sums())
    for places, right in ((2, [("0.25", True), ("0.75", True)]), (1, [("0.3", False), ("0.8", False)])):
        made = decimal.rounded_matrix(weights, places)
        assert isinstance(made, DecimalTable)
        assert all([(x.digits, x.exact) for x in row] == right for row in made)


def test_the_share_of_a_sink_may_be_a_decimal_where_no_column_is_printed() -> None:
    scores = Matrix.rational([[int(j < i % 8) for j in range(N)] for i in range(N)])
    powers = Weighted(scores, normalised=False, base=Exact.of(2))
    weights = powers.over(powers.sums_with(Exact.of(0)))
    made = decimal.rounded_matrix(weights, 2)  # row 4: the sink takes 1/20
    assert isinstance(made, DecimalTable)
    assert [list(row) for row in made] == list(decimal._by_enclosures(weights, 2))


def test_softmaxes_of_the_same_scores_to_two_bases_are_kept_apart() -> None:
    logits = scores("fractions")
    natural, binary = (Weighted(logits, normalised=True, base=base) for base in (None, Exact.of(2)))
    found = decimal.rounded_matrices((natural, binary), 6)
    for matrix, made in zip((natural, binary), found, strict=True):
        assert [list(row) for row in made] == list(decimal._by_enclosures(matrix, 6))
    corner = (natural + binary).taken(range(1), range(1))
    assert equal(corner[0, 0], natural[0, 0] + binary[0, 0])


@pytest.mark.parametrize(
    ("base", "g"), [(fmpq(2), 1), (fmpq(8), 3), (fmpq(64), 6), (fmpq(9, 4), 2), (fmpq(8, 9), 1)]
)
def test_a_base_is_the_largest_power_of_another(base: fmpq, g: int) -> None:
    assert covered._largest_exponent(base) == g


NEAR_TIES = (
    (-43002700529, -2620894031934, -5138284804012),
    (-171477988793, -2716563605312, -5286289945775),
    (98558378014, -2471490279172, -5208019823801),
    (-145687711242, -2663298956345, -5310208339921),
    (77812518713, -2491701714806, -5116888712255),
    (80883741692, -2508521169787, -5228533269875),
)
"""Further scores in units of 2^-36: to the base 2 the weight of a score of 0 is next to a tie."""


def near_ties(monkeypatch: pytest.MonkeyPatch, part: float) -> tuple[Scaled, list[int]]:
    """The first weights of those rows, with every bound a part of what is proved, and what is right."""
    monkeypatch.setattr(softmax, "SECOND_ORDER", softmax.SECOND_ORDER * part)
    monkeypatch.setattr(softmax, "MANY_KEYS", 1)
    rows = np.array([(0, *row) for row in NEAR_TIES])

    def factor() -> arb:
        return arb(2).log() / 2**36

    made = Softmax(GapsOfScores(rows), factor, 18, degree=fmpq(1, 2**36)).decimals([None])[0]
    gaps = (rows.max(axis=1)[:, None] - rows).tolist()
    return made, [decide(row, [1, 0, 0, 0], 1, factor, 18)[0] for row in gaps]


def test_next_to_a_tie_a_power_of_two_is_decided_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1.0)
    assert made.nearest[:, 0].tolist() == right
    assert made.singles >= len(right)


def test_with_a_smaller_bound_digits_to_the_base_two_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1 / 64)
    assert made.nearest[:, 0].tolist() != right
