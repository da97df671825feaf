"""Decimals in double-double arithmetic: digits and flags as by balls, errors below bounds that are needed."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx, fmpq, fmpz, fmpz_mat

from symattn.casefile.case_file import parse_case
from symattn.exact import decimal
from symattn.exact.certified import softmax
from symattn.exact.certified.gaps import GapsOfProduct, GapsOfScores
from symattn.exact.certified.singles import decide, rational_outputs
from symattn.exact.certified.softmax import Scaled, Softmax, Values
from symattn.exact.certified.table import DecimalTable
from symattn.exact.functions import sqrt
from symattn.exact.masked import mask_of, with_mask
from symattn.exact.matrix import Dense, Matrix
from symattn.exact.number import Exact
from symattn.exact.rounding import Decimal, Undecided, spell_scaled
from symattn.exact.weighted import Weighted
from symattn.many.workers import packed
from symattn.result import work
from symattn.text.errors import ShapeMismatch


def factor_of(q: fmpq) -> Callable[[], arb]:
    return lambda: arb(q)


def assert_as_decided(
    made: Scaled,
    scores: Any,
    values: Any,
    denominator: int,
    factor: Callable[[], arb],
    places: int,
    seen: Any,
) -> None:
    """Every digit and flag is that of `decide`, an entry by itself."""
    for i, row in enumerate(scores):
        keys = np.flatnonzero(seen[i])
        gaps = [int(max(row[keys])) - int(s) for s in row[keys]]
        for j in range(made.nearest.shape[1]):
            column = [int(k == j) if values is None else int(values[k, j]) for k in keys]
            right = decide(gaps, column, denominator, factor, places) if any(column) else (0, True)
            assert (int(made.nearest[i, j]), bool(made.exact[i, j])) == right, (i, j)


@pytest.mark.parametrize("number", range(60))
def test_ties_saturation_cancellation_and_masks_come_out_as_entry_by_entry(number: int) -> None:
    rng = np.random.default_rng(number)
    n, m = int(rng.integers(1, 7)), int(rng.integers(1, 16))
    size = (1, 3, 10**9, 10**17, 10**30)[number % 5]
    scores = rng.integers(-4, 5, (n, m)).astype(object) * size
    scores = scores + rng.integers(-1, 2, (n, m)) * int(number % 2)  # next to equal scores
    seen = np.ones((n, m), bool)
    if number % 3:
        seen = np.tri(n, m, m - n, dtype=bool) if number % 3 == 1 else rng.random((n, m)) < 0.5
        seen[np.arange(n), rng.integers(0, m, n)] = True
    numbers = rng.integers(-3, 4, (m, 5))
    numbers[:, 0], numbers[:, 1] = 5, numbers[:, 1] * 10**5  # a constant column
    numbers[:, 2] = [(-1) ** k for k in range(m)]
    denominator, places = int(rng.choice([1, 7, 8, 1000])), int(rng.choice([2, 12]))
    factor = factor_of((fmpq(1, 3 * size), fmpq(40, size), fmpq(10**6, size), fmpq(1, 2**60))[number % 4])
    small = size < 10**18
    held = scores.astype(np.int64) if small else scores
    mask = None if seen.all() else seen
    weights, outputs = Softmax(GapsOfScores(held, mask), factor, places, mask).decimals(
        [None, Values(numbers, denominator)]
    )
    assert_as_decided(weights, scores, None, 1, factor, places, seen)
    assert_as_decided(outputs, scores, numbers, denominator, factor, places, seen)


NEAR_TIES = (
    (-58685245873, 1717224930805, 3442153640758),
    (-100418792459, 1667081958717, 3415574340139),
    (-61750219780, 1705992802613, 3583412264777),
    (-71651482647, 1695580393067, 3458624610692),
    (118574569873, 1896581919361, 3839494384666),
)
"""How far three scores are below a first one, in units of 2^-36: its weight is next to a tie of 18 places."""


def near_ties(monkeypatch: pytest.MonkeyPatch, part: float) -> tuple[Scaled, list[int]]:
    """The first weights of those rows, with every bound a part of what is proved, and what is right."""
    monkeypatch.setattr(softmax, "SECOND_ORDER", softmax.SECOND_ORDER * part)
    monkeypatch.setattr(softmax, "MANY_KEYS", 1)
    rows, factor = np.array([(0, *row) for row in NEAR_TIES]), factor_of(fmpq(1, 2**36))
    made = Softmax(GapsOfScores(-rows), factor, 18).decimals([None])[0]
    return made, [decide([*map(int, row)], [1, 0, 0, 0], 1, factor, 18)[0] for row in rows]


def test_next_to_a_tie_an_entry_is_decided_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1.0)
    assert made.nearest[:, 0].tolist() == right
    assert made.singles >= len(right)


def test_with_a_smaller_bound_digits_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    made, right = near_ties(monkeypatch, 1 / 64)
    assert made.nearest[:, 0].tolist() != right


def test_each_error_is_below_its_bound_and_no_digit_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """By balls of 200 bits, for scores near 0, spread, and of many digits."""
    seen: list[Any] = []
    inner = softmax.rounded

    def recorded(y: Any, relative: Any, absolute: Any, out: Any) -> Any:
        seen.append((*y, np.abs(y[0]) * relative + absolute))
        return inner(y, relative, absolute, out)

    monkeypatch.setattr(softmax, "rounded", recorded)
    for seed, bits, unit in ((1, 15, fmpq(1, 2**30)), (2, 15, fmpq(9, 2**30)), (3, 60, fmpq(2, 2**120))):
        rng = np.random.default_rng(seed)
        q, k = (rng.integers(-(2**20), 2**20, (40, 6)).astype(object) * 2**bits >> 20 for _ in range(2))
        if bits < 30:
            q, k = q.astype(np.int64), k.astype(np.int64)
        v = rng.integers(-30000, 30000, (40, 5))
        seen.clear()
        found = Softmax(GapsOfProduct(q, k.T), factor_of(unit), 15).decimals([None, Values(v, 10**4)])
        with ctx.workprec(200):
            scores = (fmpz_mat(q.tolist()) * fmpz_mat(k.tolist()).transpose()).tolist()
            powers = arb_mat([[(arb(unit) * (s - max(row))).exp() for s in row] for row in scores])
            outputs = (powers * arb_mat(fmpz_mat(v.tolist()))).tolist()
            for i, row in enumerate(powers.tolist()):
                per_sum = fmpz(10) ** 15 / sum(row, arb(0))
                lines = [p * per_sum for p in row], [z * per_sum / 10**4 for z in outputs[i]]
                for at, line in enumerate(lines):
                    h, low, bound = seen[at]
                    for j, y in enumerate(line):
                        assert (y + 0.5).floor().unique_fmpz() == found[at].nearest[i, j]
                        assert abs(y - float(h[i, j]) - float(low[i, j])) < float(bound[i, j])


def test_far_from_a_tie_by_less_than_any_precision_an_entry_is_decided() -> None:
    for far in (10**3, 10**12, 10**60):
        for column, right in (((1, 0), 0), ((1, 2), 1), ((-1, 0), 0), ((-1, -2), -1)):
            assert decide([0, far], column, 2 * 10**15, lambda: arb(1), 15) == (right, False)


def test_a_base_whose_powers_are_rational_is_undecided_and_not_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.exact.certified.singles.effort", lambda: 0)
    with pytest.raises(Undecided):
        decide([0, 1], [3, 0], 4 * 10**15, lambda: arb(2).log(), 15)


def test_rows_and_columns_that_are_ties_are_rounded_as_integers_at_once() -> None:
    values = Values(np.array([[1, -1]] * 8), 8)
    found = Softmax(GapsOfScores(np.zeros((3, 8), np.int64)), lambda: arb(1), 2).decimals([None, values])
    assert [made.nearest.tolist() for made in found] == [[[13] * 8] * 3, [[13, -13]] * 3]
    assert all(made.singles == 0 and not made.exact.any() for made in found)


def test_an_output_is_rational_where_the_keys_of_each_gap_have_one_mean() -> None:
    digits = np.array([[0, 5, 5, 0]])
    values = np.array([[1, 1, 2**61], [2, 1, 2**61], [0, 2, 2**61], [1, 1, 2**61]])
    assert list(rational_outputs(digits, values, np.arange(3))) == [(0, 2, 2), (2, 2**62, 2)]


@pytest.mark.parametrize("places", range(19))
def test_tables_are_written_as_numbers_are(places: int) -> None:
    rng = np.random.default_rng(places)
    scaled = rng.integers(-(2**60), 2**60, (9, 7)) >> rng.integers(0, 60, (9, 7))
    scaled[0, 0], exact = 0, rng.random((9, 7)) < 0.5
    table = DecimalTable(scaled, exact, places)
    right = [[spell_scaled(int(x), places) for x in row] for row in scaled]
    assert table.digits() == [[entry.digits for entry in row] for row in table] == right
    assert [[entry.exact for entry in row] for row in table[2:]] == exact[2:].tolist()


def rows(n: int, m: int, seed: int) -> Matrix:
    rng = np.random.default_rng(seed)
    return Matrix.rational([[fmpq(int(x), 100) for x in row] for row in rng.integers(-150, 150, (n, m))])


def logits(name: str) -> Matrix:
    scores = (rows(24, 4, 1) @ rows(24, 4, 2).T).scaled(sqrt(Exact.of(3)).inverse())
    if name == "masked":
        made = with_mask(scores, mask_of([b"\1" * (i + 1) + bytes(23 - i) for i in range(24)]))
        assert made is not None
        return made
    return {"equal": rows(24, 24, 3).scaled(Exact.of(0)), "two roots": scores + rows(24, 24, 3)}.get(
        name, scores
    )


@pytest.mark.parametrize(
    ("name", "coefficients", "covered"),
    [
        ("a product", rows(24, 3, 5), True),
        ("masked", rows(24, 3, 5), True),
        ("equal", rows(24, 3, 5), True),
        ("two roots", rows(24, 3, 5), False),
        ("a product", rows(24, 3, 5).scaled(sqrt(Exact.of(2))), False),
        ("a product", rows(24, 3, 5).scaled(Exact.of(10**9)), False),
        ("a product", rows(24, 3, 5).scaled(Exact.of(fmpq(10**1000 + 1, 10**1000))), False),
    ],
)
def test_what_is_covered_and_what_is_not_have_the_decimals_of_balls(
    name: str, coefficients: Matrix, covered: bool
) -> None:
    weights = Weighted(logits(name), normalised=True)
    outputs = Weighted(weights.logits, coefficients, normalised=True)
    for matrix, made in zip(
        (weights, outputs), decimal.rounded_matrices((weights, outputs), 15), strict=True
    ):
        assert isinstance(made, DecimalTable) == (covered or (matrix is weights and name != "two roots"))
        assert [list(row) for row in made] == by_balls(matrix, 15)


@pytest.mark.parametrize("places", [0, 18, 19])
def test_up_to_18_places_are_covered(places: int) -> None:
    weights = Weighted(logits("a product"), normalised=True)
    made = decimal.rounded_matrix(weights, places)
    assert isinstance(made, DecimalTable) == (places < 19)
    assert [list(row) for row in made] == by_balls(weights, places)


def by_balls(matrix: Matrix, places: int) -> list[list[Decimal]]:
    """The plain way, on which tables of decimals are held to be right."""
    return [list(row) for row in decimal._by_enclosures(matrix, places)]


def text(matrix: Matrix) -> str:
    return str([[str(entry.rational) for entry in row] for row in matrix.rows()]).replace("'", '"')


@pytest.mark.parametrize(
    "settings",
    [
        'mask = "causal"',
        "window_left = 3\nwindow_right = 1",
        f"padding = {[1] * 20 + [0] * 2}",
        f'padding = {[1] * 20 + [0] * 2}\nmask = "causal"',
        "heads = 2\nkv_heads = 1",
        'scale = "1/3"',
    ],
)
def test_masks_windows_padding_heads_and_scales_of_cases_are_covered(settings: str) -> None:
    x, w = rows(22, 4, 7), rows(4, 4, 8)
    narrow = "kv_heads" in settings
    w_k = w.columns(0, 2) if narrow else w
    given = "\n".join(
        f"{name} = {text(matrix)}" for name, matrix in (("X", x), ("W_Q", w), ("W_K", w_k), ("W_V", w_k))
    )
    worked = work(parse_case(f"[given]\n{given}\n[attention]\n{settings}"))
    names = ("head1.A", "head2.Z") if narrow else ("A", "Z")
    for name in names:
        made = decimal.rounded_matrix(worked[name], 15)
        assert isinstance(made, DecimalTable)
        assert [list(row) for row in made] == by_balls(worked[name], 15)


def test_tokens_as_columns_have_the_same_decimals_the_other_way_round() -> None:
    weights = Weighted(logits("masked"), normalised=True)
    for matrix in (weights, weights.taken(range(3), range(24))):
        plain, other = decimal.rounded_matrices((matrix, matrix.T), 7)
        assert [list(row) for row in other] == [list(row) for row in zip(*plain, strict=True)]
        assert other.digits() == [[entry.digits for entry in row] for row in other]


def test_several_heads_side_by_side_keep_the_decimals_of_each() -> None:
    weights = Weighted(logits("masked"), normalised=True)
    heads = [weights @ rows(24, 2, seed) for seed in (11, 12, 13)]
    whole = heads[0].beside(heads[1]).beside(heads[2])
    plain = [list(row) for row in decimal.rounded_matrix(whole, 9)]
    assert plain == by_balls(Dense(tuple(whole.rows())), 9)
    assert [list(row) for row in decimal.rounded_matrix(whole.T, 9)] == [
        list(c) for c in zip(*plain, strict=True)
    ]
    assert whole == Dense(tuple(a + b + c for a, b, c in zip(*(head.rows() for head in heads), strict=True)))
    assert whole[3, 5] == heads[2][3, 1]
    assert pickle.loads(packed(whole)) == whole
    with pytest.raises(IndexError):
        whole[0, 6]
    with pytest.raises(ShapeMismatch):
        whole.beside(rows(23, 2, 1))
