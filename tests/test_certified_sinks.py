"""Decimals of softmax rows with a sink in double-double arithmetic: as by balls, with needed bounds."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from symattn.exact import decimal
from symattn.exact.certified import softmax
from symattn.exact.certified.gaps import GapsOfScores
from symattn.exact.certified.singles import decide
from symattn.exact.certified.sinks import ApartSink
from symattn.exact.certified.softmax import Scaled, Softmax
from symattn.exact.certified.table import DecimalTable
from symattn.exact.functions import sqrt
from symattn.exact.masked import mask_of, with_mask
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.weighted import Weighted

N = 20
KINDS = ("spread", "equal", "tied", "saturated", "of many digits", "masked", "hidden rows")
SINKS = (
    Exact.of(0),
    Exact.of(fmpq(-7, 3)),
    Exact.of(95) * sqrt(Exact.of(3)).inverse(),
    sqrt(Exact.of(2)),
    Exact.of(-400),
    Exact.of(89) + Exact.of(fmpq(1, 7)),
    Exact.of(10**6) * sqrt(Exact.of(2)),
)


def table(rows: int, columns: int, seed: int, unit: fmpq) -> Matrix:
    drawn = np.random.default_rng(seed).integers(-150, 150, (rows, columns)).tolist()
    return Matrix.rational([[x * unit for x in row] for row in drawn])


def scores(kind: str) -> Matrix:
    """Scores that are integers times a rational number over the root of 3."""
    unit = {"saturated": fmpq(3, 10), "of many digits": fmpq(10**30 + 57, 10**32)}.get(kind, fmpq(1, 100))
    q, k = table(N, 3, 1, unit), table(N, 3, 2, unit)
    if kind == "equal":
        q = q.scaled(Exact.of(0))
    if kind == "tied":
        q, k = (Matrix.rational([[i % 3, 1]] * 2 + [[0, i]] * (N - 2)) for i in (1, 2))
    made = (q @ k.T).scaled(sqrt(Exact.of(3)).inverse())
    if kind in ("masked", "hidden rows"):
        first = int(kind == "masked")
        masked = with_mask(made, mask_of([b"\1" * (i + first) + bytes(N - i - first) for i in range(N)]))
        assert masked is not None
        return masked
    return made


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sink", SINKS, ids=range(len(SINKS)))
@pytest.mark.parametrize("places", [2, 15])
def test_weights_and_outputs_with_a_sink_have_the_decimals_of_balls(
    kind: str, sink: Exact, places: int
) -> None:
    powers = Weighted(scores(kind), normalised=False)
    weights = powers.over(powers.sums_with(sink))
    assert isinstance(weights, Weighted)
    drawn = np.random.default_rng(3).integers(-9, 9, N).tolist()
    values = Matrix.rational([[3, (-1) ** i, x, fmpq(x, 7)] for i, x in enumerate(drawn)])
    outputs = weights @ values
    found = (weights, outputs, outputs + Matrix.rational([[1, 0, fmpq(1, 3), -1]]))
    for matrix, made in zip(found, decimal.rounded_matrices(found, places), strict=True):
        if kind != "hidden rows" and matrix is not found[2]:
            assert isinstance(made, DecimalTable)
        plain = decimal._by_enclosures(matrix, places)
        assert [list(row) for row in made] == list(plain)


NEAR_TIES = (
    (243793514694, -1722441154655, -3494514241639),
    (261993983503, -1453384680903, -3459361777971),
    (230631456105, -1498979644307, -3215043948410),
    (245482485588, -1509004478185, -3257553034709),
    (252412306591, -1604662492720, -3351027818848),
    (225413978953, -1559169098035, -3278487015983),
)
"""Further scores in units of 2^-36: with a sink of sqrt(2) the weight of a score of 0 is next to a tie."""


def near_ties(monkeypatch: pytest.MonkeyPatch, part: float) -> tuple[Scaled, list[int]]:
    """The first weights of those rows, with every bound a part of what is proved, and what is right."""
    monkeypatch.setattr(softmax, "SECOND_ORDER", softmax.SECOND_ORDER * part)
    monkeypatch.setattr(softmax, "MANY_KEYS", 1)
    rows = np.array([(0, *row) for row in NEAR_TIES])
    sink = ApartSink(lambda: arb(2).sqrt(), lambda: arb(1) / 2**36)
    made = Softmax(GapsOfScores(rows), sink.factor, 18, None, sink).decimals([None])[0]
    right = []
    for row in rows.tolist():
        top = max(row)
        column, gaps = [1, 0, 0, 0], [top - s for s in row]
        right.append(decide(gaps, column, 1, sink.factor, 18, lambda top=top: sink.power(top))[0])  # type: ignore[misc]
    return made, right


def test_next_to_a_tie_with_a_sink_an_entry_is_decided_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1.0)
    assert made.nearest[:, 0].tolist() == right
    assert made.singles >= len(right)


def test_with_a_smaller_bound_digits_beside_a_sink_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1 / 64)
    assert made.nearest[:, 0].tolist() != right


def test_a_sink_takes_its_share_of_what_is_computed_with_the_weights_too() -> None:
    powers = Weighted(scores("spread"), normalised=False)
    weights = powers.over(powers.sums_with(Exact.of(1)))
    column, bias = table(N, 2, 5, fmpq(1, 10)), Matrix.rational([[5, -3]])
    dense = Matrix.of(list(powers.rows())).over(powers.sums_with(Exact.of(1)))
    assert weights == dense
    assert weights @ column @ Matrix.rational([[1], [2]]) == dense @ column @ Matrix.rational([[1], [2]])
    assert weights @ column + bias == dense @ column + bias
    taken = weights.taken(range(3), range(2, 5))
    assert taken == dense.taken(range(3), range(2, 5))
    assert weights.taken(range(3), range(N)) == dense.taken(range(3), range(N))
