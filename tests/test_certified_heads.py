"""Decimals of several heads with W_O in double-double arithmetic: those of balls, with needed bounds."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from symattn.exact import decimal
from symattn.exact.certified import softmax
from symattn.exact.certified.gaps import GapsOfScores
from symattn.exact.certified.heads import summed
from symattn.exact.certified.singles import decide
from symattn.exact.certified.softmax import Scaled, Softmax, Values
from symattn.exact.certified.table import DecimalTable
from symattn.exact.functions import sqrt
from symattn.exact.masked import mask_of, with_mask
from symattn.exact.matrix import Dense, Matrix
from symattn.exact.number import Exact
from symattn.exact.summed import Summed
from symattn.exact.weighted import Weighted

N = 14


def table(rows: int, columns: int, seed: int, scale: int = 100) -> Matrix:
    drawn = np.random.default_rng(seed).integers(-150, 150, (rows, columns)).tolist()
    return Matrix.rational([[fmpq(x, scale) for x in row] for row in drawn])


def head(kind: str, seed: int) -> Weighted:
    """The outputs of a head, two columns."""
    scores = table(N, 2, seed) @ table(N, 2, seed + 1).T
    logits = scores.scaled(sqrt(Exact.of(2)).inverse() if seed % 2 else Exact.of(fmpq(1, 2)))
    if kind == "saturated":
        logits = logits.scaled(Exact.of(500))
    if kind == "causal":
        masked = with_mask(logits, mask_of([b"\1" * (i + 1) + bytes(N - i - 1) for i in range(N)]))
        assert masked is not None
        logits = masked
    powers = Weighted(logits, normalised=False)
    sums = powers.sums_with(Exact.of(fmpq(1, 3))) if kind == "sinks" else powers.row_sums()
    values = table(N, 2, seed + 2)
    if kind == "constant":
        values = Matrix.rational([[fmpq(1, 8), (-1) ** i] for i in range(N)])
    made = powers.over(sums) @ values
    assert isinstance(made, Weighted)
    return made


@pytest.mark.parametrize("kind", ["spread", "saturated", "causal", "sinks", "constant", "cancelling"])
@pytest.mark.parametrize("places", [2, 15])
def test_heads_with_an_output_projection_have_the_decimals_of_balls(kind: str, places: int) -> None:
    parts = [head(kind, 1), head(kind, 1 if kind == "cancelling" else 4), head(kind, 7)]
    whole = parts[0].beside(parts[1]).beside(parts[2])
    w_o = table(6, 3, 20)
    if kind in (
        "constant",
        "cancelling",
    ):  # an output of 1/8 and -1/8, and one of two heads that differ by 10^-12
        near = fmpq(10**12 + 1, 10**12)
        w_o = Matrix.rational([[1, 1, 0], [0, 0, 5], [-1, -near, 1], [0, 0, -5], [1, 0, 0], [0, 0, 0]])
    bias = table(1, 3, 21)
    outputs = whole @ w_o + bias
    assert isinstance(outputs, Summed)
    made = decimal.rounded_matrix(outputs, places)
    assert isinstance(made, DecimalTable) == (kind != "sinks")  # with a bias, a sink apart goes by balls
    plain = decimal._by_enclosures(outputs, places)
    assert [list(row) for row in made] == list(plain)
    assert decimal.rounded_matrix(outputs.T, places).digits() == [
        list(c) for c in zip(*made.digits(), strict=True)
    ]


def test_heads_with_a_sink_above_every_score_have_the_decimals_of_balls() -> None:
    powers = Weighted(table(N, 2, 4) @ table(N, 2, 5).T, normalised=False)
    weights = powers.over(powers.sums_with(Exact.of(5)))
    outputs = (weights @ table(N, 2, 6)).beside(weights @ table(N, 2, 7)) @ table(4, 3, 20)
    made = decimal.rounded_matrix(outputs, 15)
    assert isinstance(made, DecimalTable)
    assert [list(row) for row in made] == list(decimal._by_enclosures(outputs, 15))


NEAR_TIES = (
    (-58685245873, 1717224930805, 3442153640758),
    (-100418792459, 1667081958717, 3415574340139),
    (-61750219780, 1705992802613, 3583412264777),
    (-71651482647, 1695580393067, 3458624610692),
    (118574569873, 1896581919361, 3839494384666),
)
"""How far three scores are below a first one, in units of 2^-36: its weight is next to a tie of 18 places."""


def near_ties(monkeypatch: pytest.MonkeyPatch, part: float) -> tuple[Scaled, list[int]]:
    """The first weights of those rows and a head of zeros, with every bound a part of what is proved."""
    monkeypatch.setattr(softmax, "SECOND_ORDER", softmax.SECOND_ORDER * part)
    monkeypatch.setattr(softmax, "MANY_KEYS", 1)
    rows = np.array([(0, *row) for row in NEAR_TIES])

    def factor() -> arb:
        return arb(1) / 2**36

    first, nothing = np.array([[1], [0], [0], [0]]), np.zeros((4, 1), np.int64)
    made = summed([(Softmax(GapsOfScores(-rows), factor, 18), Values(v, 1)) for v in (first, nothing)])
    return made, [decide(row, [1, 0, 0, 0], 1, factor, 18)[0] for row in rows.tolist()]


def test_next_to_a_tie_a_sum_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1.0)
    assert len(made.left_open) == len(right)


def test_with_a_smaller_bound_digits_of_a_sum_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1 / 4096)
    assert not made.left_open
    assert made.nearest[:, 0].tolist() != right


def test_a_sum_of_heads_has_the_entries_of_the_product() -> None:
    whole = head("spread", 1).beside(head("causal", 4)).taken(range(2), range(4))
    joined, w_o = head("spread", 1).beside(head("causal", 4)), table(4, 2, 20)
    product = joined @ w_o
    plain = whole @ w_o
    assert isinstance(plain, Dense)
    assert [list(row) for row in plain.rows()] == [[product[i, j] for j in range(2)] for i in range(2)]


def test_a_sum_of_heads_is_enclosed_as_precisely_as_they_are() -> None:
    whole = head("spread", 1).beside(head("causal", 4)) @ table(4, 2, 20)
    balls = [ball for row in whole.enclosures(200) for ball in row]
    assert all(ball.rad() < 2.0**-150 for ball in balls)


def test_entries_of_many_heads_are_carried_and_not_multiplied_out() -> None:
    """Four heads of 14 keys would have 38,416 terms below the line."""
    parts = [head("spread", seed) for seed in (1, 4, 7, 10)]
    made = Summed(tuple(parts))
    assert made[13, 0].carried
    assert not Summed(tuple(parts[:1]))[13, 0].carried
    places = 20
    entry = decimal.rounded(made[13, 0], places)
    assert decimal.rounded_matrix(made, places)[13][0] == entry


def test_a_saturated_sum_next_to_a_decimal_is_enclosed_and_not_made_one_quotient(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = head("saturated", 1).beside(head("saturated", 4)).beside(head("saturated", 7))
    outputs = whole @ table(6, 3, 20)
    right = decimal.rounded_matrix(outputs, 4)
    monkeypatch.delattr(Summed, "__getitem__")
    made = decimal.rounded_matrix(outputs, 4)
    assert isinstance(made, DecimalTable)
    assert made.digits() == right.digits()
