"""Softmax rows in structure: the same numbers as entry by entry, and the closed forms that people expect."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import mpmath
import pytest
from exact_numbers import SMALL, ball_holds, mp
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from symattn.exact.decision import equal
from symattn.exact.functions import exp, symbol
from symattn.exact.joined import Joined
from symattn.exact.literal import read
from symattn.exact.matrix import Dense, Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.plain import plain
from symattn.exact.surd import Surd
from symattn.exact.weighted import Weighted
from symattn.plans.ops import Exponential, Normalise, RowSums, WeightedSum
from symattn.plans.ops.blocks import Concatenate
from symattn.text.errors import UndefinedValue

SCORES = {
    "whole numbers": [["1", "2", "3"], ["0", "-1", "4"]],
    "duplicates": [["2", "2", "1"], ["5", "5", "5"]],
    "roots": [["sqrt(2)", "sqrt(8)", "0"], ["1/2", "-sqrt(3)", "sqrt(3)"]],
    "two keys": [["1", "3"], ["sqrt(2)", "0"]],
    "one key": [["7"], ["sqrt(2)"]],
    "a causal mask": [["1", "-inf", "-inf"], ["2", "5", "-inf"], ["1", "2", "3"]],
    "a hidden row": [["1", "2"], ["-inf", "-inf"]],
    "logarithms": [["log(2)", "log(6)"], ["0", "1"]],
    "symbols": [["a", "b"], ["0", "a"]],
    "symbols and a mask": [["a", "-inf", "b"], ["a", "b", "a"]],
}


def scores(name: str) -> Matrix:
    names = {letter: symbol(letter) for letter in "ab"}
    return Matrix.of([[read(text, names) for text in row] for row in SCORES[name]])


def attention(logits: Matrix, values: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    powers = Exponential().exact(logits)
    sums = RowSums().exact(powers)
    weights = Normalise().exact(powers, sums)
    return powers, sums, weights, WeightedSum().exact(weights, values)


def one_by_one(logits: Matrix, values: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """The same four matrices by the definition, without any structure."""
    zero = Exact.of(0)
    powers = [[exp(logit) for logit in row] for row in logits.rows()]
    sums = [[sum(row, zero)] for row in powers]
    weights = [[p / s if s else zero for p in row] for row, (s,) in zip(powers, sums, strict=True)]
    columns = list(values.T.rows())
    outputs = [
        [sum((w * v for w, v in zip(row, column, strict=True)), zero) for column in columns]
        for row in weights
    ]
    return Matrix.of(powers), Matrix.of(sums), Matrix.of(weights), Matrix.of(outputs)


def values_for(logits: Matrix) -> Matrix:
    return Matrix.rational([[k + 1, Fraction(-k, 2), 3] for k in range(logits.shape[1])])


def assert_equal(a: Matrix, b: Matrix) -> None:
    assert a.shape == b.shape
    for i, j in product(*map(range, a.shape)):
        assert equal(a[i, j], b[i, j]) is True, (i, j, a[i, j], b[i, j])


@pytest.mark.parametrize("name", SCORES)
def test_the_structure_holds_the_same_numbers_as_entry_by_entry(name: str) -> None:
    logits = scores(name)
    for fast, slow in zip(
        attention(logits, values_for(logits)), one_by_one(logits, values_for(logits)), strict=True
    ):
        assert_equal(fast, slow)


@pytest.mark.parametrize("name", SCORES)
def test_a_constant_column_of_values_comes_out_as_the_constant(name: str) -> None:
    outputs = attention(scores(name), values_for(scores(name)))[3]
    for i, row in enumerate(SCORES[name]):
        hidden = all(entry == "-inf" for entry in row)
        assert outputs[i, 2] == Exact.of(0 if hidden else 3)


def test_two_visible_keys_give_logistic_weights() -> None:
    weights = attention(Matrix.rational([[1, 3]]), Matrix.rational([[1], [2]]))[2]
    assert [plain(entry) for entry in next(weights.rows())] == ["1/(1 + exp(2))", "1/(1 + exp(-2))"]
    masked = attention(scores("a causal mask"), values_for(scores("a causal mask")))[2]
    assert [plain(entry) for entry in list(masked.rows())[1]] == ["1/(1 + exp(3))", "1/(1 + exp(-3))", "0"]


def test_a_mixture_of_two_keys_is_shifted_by_the_first() -> None:
    outputs = attention(Matrix.rational([[1, 3]]), Matrix.rational([[1], [2]]))[3]
    assert plain(outputs[0, 0]) == "(1 + 2*exp(2))/(1 + exp(2))"


def test_three_visible_keys_keep_their_logits() -> None:
    weights = attention(Matrix.rational([[1, 2, 3]]), Matrix.rational([[1], [2], [3]]))[2]
    assert plain(weights[0, 0]) == "exp(1)/(exp(1) + exp(2) + exp(3))"


def test_a_single_visible_key_has_all_the_weight() -> None:
    weights = attention(scores("a causal mask"), values_for(scores("a causal mask")))[2]
    assert [weights[0, k] for k in range(3)] == [Exact.of(1), Exact.of(0), Exact.of(0)]


def test_equal_logits_share_the_weight() -> None:
    weights = attention(scores("duplicates"), values_for(scores("duplicates")))[2]
    assert weights[1, 0] == Exact.of(Fraction(1, 3))
    assert weights[0, 0] == weights[0, 1]


def test_weights_keep_their_structure_through_values_outputs_scale_and_bias() -> None:
    logits = scores("roots")
    powers, sums, weights, outputs = attention(logits, values_for(logits))
    w_o = Matrix.rational([[1, 0], [0, 2], [1, 1]])
    for matrix in (powers, sums, weights, outputs, outputs @ w_o):
        assert isinstance(matrix, Weighted)
    projected = outputs @ w_o + Matrix.rational([[1, -1]])
    assert isinstance(projected, Weighted)
    assert_equal(projected, Dense(tuple(outputs.rows())) @ w_o + Matrix.rational([[1, -1]]))
    assert_equal(outputs.scaled(symbol("c")), Dense(tuple(outputs.rows())).scaled(symbol("c")))
    assert_equal(weights.T, Dense(tuple(weights.rows())).T)
    assert_equal(weights.taken([1], [2, 0]), Matrix.of([[weights[1, 2], weights[1, 0]]]))
    assert_equal(weights.columns(0, 3), weights)


def test_a_bias_of_unnormalised_rows_is_added_once_and_not_once_a_key() -> None:
    powers = Exponential().exact(Matrix.rational([[0, 1]]))
    assert_equal(
        powers + Matrix.rational([[1, 1]]), Matrix.of([[Exact.of(2), exp(Exact.of(1)) + Exact.of(1)]])
    )


def other_powers() -> Matrix:
    return Exponential().exact(Matrix.rational([[0, 1]]))


@pytest.mark.parametrize("normalised", [True, False])
def test_sums_over_the_same_logits_keep_their_structure(normalised: bool) -> None:
    logits = scores("roots")
    a, b = (Matrix.rational(rows) for rows in ([[1, 2], [3, 4], [5, 6]], [[7, -1], [0, 1], [2, -6]]))
    weights = Weighted(logits, normalised=normalised)
    total = (weights @ a) + (weights @ b)
    assert isinstance(total, Weighted)
    assert total == Weighted(logits, a + b, normalised=normalised)
    for i, j in product(range(2), range(2)):
        assert equal(total[i, j], (weights @ a)[i, j] + (weights @ b)[i, j]) is True
    assert not isinstance((weights @ a) + (Weighted(logits, normalised=not normalised) @ b), Weighted)


def test_the_sums_of_other_rows_do_not_normalise() -> None:
    powers = Exponential().exact(Matrix.rational([[0, 0]]))
    other = RowSums().exact(other_powers())
    weights = Normalise().exact(powers, other)
    assert weights[0, 0] == Exact.of(1) / (Exact.of(1) + exp(Exact.of(1)))
    first = Normalise().exact(other_powers(), other_powers() @ Matrix.rational([[1], [0]]))
    assert [first[0, k] for k in range(2)] == [Exact.of(1), exp(Exact.of(1))]
    without = RowSums(without=0).exact(powers)
    assert Normalise().exact(powers, without)[0, 0] == Exact.of(1)


def test_a_normalised_row_without_a_visible_key_is_undefined() -> None:
    hidden = Weighted(Matrix.of([[MINUS_INFINITY, MINUS_INFINITY]]), normalised=True)
    with pytest.raises(UndefinedValue):
        hidden[0, 0]


def test_indices_outside_are_refused() -> None:
    weights = attention(Matrix.rational([[1, 3]]), Matrix.rational([[1], [2]]))[2]
    for place in ((0, 2), (1, 0), (0, -1)):
        with pytest.raises(IndexError):
            weights[place]


@pytest.mark.parametrize(
    "name", [name for name in SCORES if "symbol" not in name and name not in ("a hidden row", "logarithms")]
)
def test_enclosures_hold_the_weights_and_outputs(name: str) -> None:
    before = ctx.prec
    for matrix in attention(scores(name), values_for(scores(name))):
        for bits in (24, 64, 300):
            balls = matrix.enclosures(bits)
            for i, j in product(*map(range, matrix.shape)):
                with mpmath.workdps(200):
                    assert ball_holds(balls[i][j], mp(matrix[i, j]))
    assert ctx.prec == before


def test_deep_saturation_keeps_the_small_weight() -> None:
    weights = Weighted(Matrix.rational([[0, 5000]]), normalised=True)
    ball = weights.enclosures(64)[0][0]
    assert ball > 0
    assert ball < 1e-300


def test_a_logit_without_bounds_is_not_taken_for_a_masked_one() -> None:
    # at 8 bits the logarithm of a number that cancels to 2^-20 has no bounds
    logit = read("log(sqrt(2) - 1.41421)", {})
    weights = Weighted(Matrix.of([[logit, Exact.of(0)]]), normalised=True)
    ball = weights.enclosures(8)[0][0]
    assert not ball.is_finite() or ball.overlaps(weights.enclosures(200)[0][0])
    assert (ball == 0) is False


def test_entries_of_long_rows_take_linear_time() -> None:
    n = 400
    weights = Weighted(Matrix.rational([list(range(n))]), normalised=True)
    outputs = weights @ Matrix.rational([[k] for k in range(n)])
    entry = outputs[0, 0]
    assert len(entry.over.by_exponent) == n - 1
    assert len(entry.under.by_exponent) == n


logits = st.lists(
    st.lists(st.sampled_from(["0", "1", "-2", "1/2", "sqrt(2)", "-inf"]), min_size=3, max_size=3),
    min_size=2,
    max_size=2,
)


@given(logits)
@SMALL
def test_random_masks_ties_and_roots_agree_with_the_definition(texts: list[list[str]]) -> None:
    matrix = Matrix.of([[read(text, {}) for text in row] for row in texts])
    for fast, slow in zip(
        attention(matrix, values_for(matrix)), one_by_one(matrix, values_for(matrix)), strict=True
    ):
        assert_equal(fast, slow)


def test_heads_side_by_side_keep_their_structures() -> None:
    """Their decimals need no entry, of which 256 tokens have thousands with hundreds of terms each."""
    logits = Matrix.rational([[1, 2], [3, 5]])
    heads = tuple(Weighted(logits, normalised=True) @ Matrix.rational([[k, 1], [0, 2]]) for k in (1, 3))
    joined = Concatenate().exact(*heads)
    assert isinstance(joined, Joined)
    assert joined.parts == heads
    assert [joined[1, j] for j in range(4)] == [
        heads[0][1, 0],
        heads[0][1, 1],
        heads[1][1, 0],
        heads[1][1, 1],
    ]


@pytest.mark.parametrize("name", [name for name in SCORES if name != "a hidden row"])
@pytest.mark.parametrize("base", [None, Exact.of(2)])
def test_a_plain_weight_is_known_before_it_is_made(name: str, base: Exact | None) -> None:
    powers = Weighted(scores(name), normalised=False, base=base)
    weights = powers.over(powers.row_sums())
    assert isinstance(weights, Weighted)
    for at in product(range(weights.shape[0]), range(weights.shape[1])):
        plain_weight = weights.is_plain(at)
        assert base is not None or name == "logarithms" or "symbols" in name or not weights._entries
        assert plain_weight is isinstance(weights[at].algebraic, Surd), at
        weights._entries.clear()
