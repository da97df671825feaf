"""Gradients of a softmax that are carried whole: decimals in double-double arithmetic, as by balls."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq, fmpz
from numpy.typing import NDArray

from symattn.exact import decimal
from symattn.exact.certified import softmax
from symattn.exact.certified.enclosed import Enclosed
from symattn.exact.certified.table import DecimalTable
from symattn.exact.functions import sqrt
from symattn.exact.masked import mask_of, with_mask
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names, with_zeros
from symattn.exact.number import Exact
from symattn.exact.plain import plain
from symattn.exact.rounding import round_ball
from symattn.exact.weighted import Weighted
from symattn.exact.whole import Whole
from symattn.floats.from_exact import matrix_to_floats
from symattn.many.workers import packed
from symattn.plans.base import Base
from symattn.plans.ops.softmax_backward import SoftmaxBackward

N, D = 34, 8
BASES = {"base 2": Base(Exact.of(2)), "base 3/2": Base(Exact.of(fmpq(3, 2)))}
KINDS = ("spread", "saturated", "equal", "masked", "sink", "sines", *BASES)


def table(rows: int, columns: int, seed: int, unit: fmpq) -> Matrix:
    drawn = np.random.default_rng(seed).integers(-150, 150, (rows, columns)).tolist()
    return Matrix.rational([[x * unit for x in row] for row in drawn])


def gradients(kind: str) -> dict[str, Matrix]:
    """A and the gradients of scores q k^T, and of q, k and v, for a gradient of the outputs."""
    unit = fmpq(3, 10) if kind == "saturated" else fmpq(1, 100)
    q, k, v, slopes = (table(N, D, seed, unit) for seed in (1, 2, 3, 4))
    if kind == "equal":
        q = q.scaled(Exact.of(0))
    scores = (q @ k.T).scaled(sqrt(Exact.of(D)).inverse())
    base = BASES.get(kind, Base())
    if kind == "masked":
        hidden = with_mask(scores, mask_of([b"\1" * (i + 1) + bytes(N - i - 1) for i in range(N)]))
        assert hidden is not None
        scores = hidden
    if kind == "sines":
        scores = scores + Matrix.of([[sqrt(Exact.of(2))] * N for _ in range(N)])  # several roots: by balls
    powers = Weighted(scores, normalised=False, base=base.value)
    sums = powers.sums_with(sqrt(Exact.of(2))) if kind == "sink" else powers.row_sums()
    names = Names()
    weights = names.seen("A", powers.over(sums), 0, carry=True)
    found = {"dV": weights.T @ slopes, "dS": SoftmaxBackward(base).exact(weights, slopes @ v.T)}
    seen = names.seen("dS", found["dS"].scaled(sqrt(Exact.of(D)).inverse()), 0, carry=True)
    found |= {"dQ": seen @ k, "dK": seen.T @ q}
    sides = [names.seen(name, found[name], 0, carry=True) for name in ("dQ", "dK")]
    weight = table(D, D, 5, unit)
    return found | {"dW": q.T @ sides[0], "dX": (sides[0] @ weight), "sum": found["dQ"].scaled(Exact.of(-2))}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("places", [2, 15])
def test_gradients_have_the_decimals_of_balls(kind: str, places: int) -> None:
    found = gradients(kind)
    for name, made in zip(found, decimal.rounded_matrices([*found.values()], places), strict=True):
        assert isinstance(found[name], Whole), name
        if name != "dV":
            assert isinstance(made, DecimalTable), name
        plain = decimal._by_enclosures(found[name], places)
        assert [list(row) for row in made] == list(plain), name


def test_no_entry_is_made_for_decimals_and_floats() -> None:
    found = gradients("spread")
    for matrix in found.values():
        assert with_zeros(matrix) is matrix
        floats = matrix_to_floats(matrix)
        made = decimal.rounded_matrix(matrix, 15)
        assert isinstance(matrix, Whole)
        assert not matrix._made
        assert float(made[1][2].digits) == pytest.approx(float(floats[1, 2]), abs=1e-14)


def test_an_entry_is_the_definition_that_its_line_says() -> None:
    found = gradients("masked")
    assert [found["dS"][i, j].rational for i, j in ((0, 0), (0, 1), (3, 9))] == [0, 0, 0]
    assert plain(found["dQ"][2, 1]).count("dS_2_") == 3
    assert found["dW"].T.T is found["dW"] or found["dW"] == found["dW"].T.T
    assert plain(found["dW"][0, 1]).count("dQ_") == N - 1  # no gradient of a query of one key


def test_a_matrix_that_is_carried_whole_reaches_another_process() -> None:
    found = gradients("masked")["dQ"]
    again = pickle.loads(packed(found))
    assert decimal.rounded_matrix(again, 9).digits() == decimal.rounded_matrix(found, 9).digits()
    assert plain(again[2, 1]) == plain(found[2, 1])


def exact(x: Enclosed) -> list[list[Fraction]]:
    return [
        [Fraction(h) + Fraction(low) for h, low in zip(*rows, strict=True)]
        for rows in zip(x.high.tolist(), x.low.tolist(), strict=True)
    ]


def drawn(rng: np.random.Generator, n: int, m: int) -> Enclosed:
    """Pairs of many sizes and signs, some of them 0."""
    high = rng.standard_normal((n, m)) * 2.0 ** rng.integers(-60, 60, (n, m)) * rng.integers(0, 8, (n, m))
    low = high * 2.0**-53 * rng.uniform(-1, 1, (n, m))
    return Enclosed(high, low, np.zeros((n, m)))


def beyond(made: Enclosed, right: list[list[Fraction]]) -> NDArray[np.float64]:
    """How far each number is off, as a part of its bound."""
    off = [
        [float(abs(x - y)) for x, y in zip(*rows, strict=True)]
        for rows in zip(exact(made), right, strict=True)
    ]
    assert (np.array(off)[made.error == 0] == 0).all()
    return np.array(off)[made.error > 0] / made.error[made.error > 0]


@pytest.mark.parametrize("seed", range(4))
def test_each_operation_keeps_its_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, c = drawn(rng, 9, 70), drawn(rng, 9, 70), drawn(rng, 70, 5)
    x, y, z = map(exact, (a, b, c))
    pairs = [[*zip(p, q, strict=True)] for p, q in zip(x, y, strict=True)]
    parts = {
        "plus": beyond(a.plus(b), [[p + q for p, q in row] for row in pairs]),
        "hadamard": beyond(a.hadamard(b), [[p * q for p, q in row] for row in pairs]),
        "row_sums": beyond(a.row_sums(), [[sum(row, Fraction(0))] for row in x]),
        "times": beyond(
            a.times(c),
            [
                [sum((p * q for p, q in zip(row, e, strict=True)), Fraction(0)) for e in zip(*z, strict=True)]
                for row in x
            ],
        ),
    }
    for name, part in parts.items():
        assert 1e-5 < part.max(initial=0.0) <= 1, (name, part.max(initial=0.0))


def test_bounds_of_what_goes_in_come_out_again() -> None:
    a, b = (
        Enclosed(np.full((2, 2), x), np.zeros((2, 2)), np.full((2, 2), e))
        for x, e in ((3.0, 0.5), (-2.0, 0.25))
    )
    assert (a.plus(b).error >= 0.75).all()
    assert (a.hadamard(b).error >= 3.5 * 2.25 - 6).all()
    assert (a.row_sums().error >= 1).all()
    assert (a.times(b).error >= 2 * (3.5 * 2.25 - 6)).all()
    assert a.decimals(2) is not None
    assert len(a.decimals(2).left_open) == 4  # type: ignore[union-attr]
    assert Enclosed(a.high * 1e20, a.low, a.error).decimals(2) is None
    assert Enclosed(a.high, a.low, a.error * np.inf).decimals(2) is None


def near_ties(monkeypatch: pytest.MonkeyPatch, part: float) -> tuple[DecimalTable, list[int]]:
    """Gradients of scores next to ties, with every bound a part of what is proved, and what is right."""
    monkeypatch.setattr(softmax, "SECOND_ORDER", softmax.SECOND_ORDER * part)
    rng = np.random.default_rng(7)
    rows = 300
    scores = table(rows, 4, 6, fmpq(1, 100))
    powers = Weighted(scores, normalised=False)
    weights = powers.over(powers.row_sums())
    slopes, right = [], []
    with ctx.workprec(300):
        for row in weights.balls():
            nearest = int(rng.integers(10**16, 10**17))
            off = int(rng.choice([-1, 1])) * arb(nearest) * arb(2) ** -int(rng.integers(102, 112))
            slope = (nearest + arb(0.5) + off) / 10**18 / (row[0] * (1 - row[0]))
            slopes.append(fmpq((slope * arb(10) ** 45).floor().unique_fmpz(), fmpz(10) ** 45))
            exactly = arb(slopes[-1]) * row[0] * (1 - row[0]) * 10**18
            found = round_ball(exactly)
            assert found is not None
            right.append(found)
    seen = Names().seen("A", weights, 0, carry=True)
    made = SoftmaxBackward().exact(seen, Matrix.rational([[x, 0, 0, 0] for x in slopes]))
    assert isinstance(made, Whole)
    table_made = made.pairs().decimals(18)
    assert table_made is not None
    return table_made, right


def test_next_to_a_tie_a_gradient_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1.0)
    left = {i for i, j in made.left_open if j == 0}
    assert len(left) > 200
    assert all(made.scaled[i, 0] == x for i, x in enumerate(right) if i not in left)


def test_with_a_smaller_bound_digits_of_gradients_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1 / 64)
    left = {i for i, j in made.left_open if j == 0}
    assert any(made.scaled[i, 0] != x for i, x in enumerate(right) if i not in left)
