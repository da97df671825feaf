"""Masked scores are the same matrix as their entries one by one, and products are those multiplied out."""

from __future__ import annotations

import pickle

import pytest
from flint import arb

from symattn.exact.functions import sqrt
from symattn.exact.masked import Masked, mask_of, with_mask
from symattn.exact.matrix import Dense, Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.many.workers import packed
from symattn.plans.ops.mask import Mask, causal, padding, windowed
from symattn.plans.rules import Ruled

SCORES = Matrix.rational([[1, 2, 3], [4, 5, 6]])
MASK = mask_of([b"\1\0\1", b"\0\1\1"])
INF = MINUS_INFINITY


def held(masked: Matrix) -> Masked:
    assert isinstance(masked, Masked)
    return masked


def one_by_one(matrix: Matrix) -> Dense:
    return Dense(tuple(matrix.rows()))


def test_hidden_scores_are_minus_infinity() -> None:
    made = held(Mask(MASK).exact(SCORES))
    one, three, five, six = (Exact.of(x) for x in (1, 3, 5, 6))
    assert list(made.rows()) == [(one, INF, three), (INF, five, six)]
    balls = made.enclosures(53)
    assert [[bool(ball == arb.neg_inf()) for ball in row] for row in balls] == [[0, 1, 0], [1, 0, 0]]
    assert [balls[0][0], balls[1][2]] == [arb(1), arb(6)]


@pytest.mark.parametrize("factor", [Exact.of(3), sqrt(Exact.of(2)), Exact.of(1) + sqrt(Exact.of(2))])
def test_masked_scores_are_scaled_transposed_and_taken_as_their_entries_are(factor: Exact) -> None:
    made = held(Mask(MASK).exact(SCORES))
    assert made.scaled(factor) == one_by_one(made).scaled(factor)
    assert made.T == one_by_one(made).T
    assert made == held(made.T).T
    assert made.taken([1, 0], [2, 0]) == one_by_one(made).taken([1, 0], [2, 0])


def test_masks_add_up_whatever_holds_them() -> None:
    bias = Matrix.of([[Exact.of(2), INF, Exact.of(0)], [Exact.of(0), Exact.of(0), Exact.of(1)]])
    for mask in (MASK, bias, one_by_one(MASK), Matrix.rational([[0, 1, 0], [0, 0, 0]])):
        for scores in (SCORES, Mask(MASK).exact(SCORES), one_by_one(SCORES)):
            made = Mask(mask).exact(scores)
            assert made == Ruled.exact(Mask(mask), scores)
    assert held(MASK + causal(2, 3)) == one_by_one(MASK) + one_by_one(causal(2, 3))
    assert with_mask(SCORES, Dense(((sqrt(Exact.of(2)), INF, INF),) * 2)) is not None


def test_a_mask_that_hides_nothing_leaves_plain_scores() -> None:
    assert not isinstance(Mask(windowed(2, 3, 0, None, None)).exact(SCORES), Masked)
    assert not isinstance(padding(2, Matrix.rational([[1, 1]])), Masked)
    assert pickle.loads(packed(MASK)) == MASK
    assert held(mask_of([b"\0\0", b"\1\0"])).hides_a_row()
    assert not held(MASK).hides_a_row()


def test_a_product_is_the_same_before_and_after_somebody_looks_at_it() -> None:
    left, right = Matrix.rational([[1, 2], [3, 4]]), Matrix.rational([[5], [6]]).scaled(sqrt(Exact.of(2)))
    root = sqrt(Exact.of(2))
    fresh, seen = left @ right, left @ right
    assert list(seen.rows()) == [(Exact.of(17) * root,), (Exact.of(39) * root,)]
    for made in (fresh, seen):
        assert made.scaled(root) == Matrix.rational([[34], [78]])
        assert made.T @ left == Matrix.rational([[134, 190]]).scaled(root)
