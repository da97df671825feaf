"""Weights of one head, `[given.head1] W_Q = ...`, make what their columns side by side make."""

from __future__ import annotations

import pytest

from symattn import result
from symattn.casefile.case_file import parse_case
from symattn.exact.decision import equal
from symattn.text.errors import SymattnError

X = "X = [[1, 0, 2], [0, 1, 1]]\n"
JOINED = """
[given]
X = [[1, 0, 2], [0, 1, 1]]
W_Q = [[1, 0, 2, 1], [0, 1, 1, 1], [1, 1, 0, 2]]
W_K = [[1, 1, 0, 1], [2, 0, 1, 0], [0, 1, 1, 1]]
W_V = [[1, 0, 1, 2], [3, 1, 0, 1], [0, 0, 1, 1]]
b_Q = [1, 2, 3, 4]
"""
APART = """
[given]
X = [[1, 0, 2], [0, 1, 1]]
W_V = [[1, 0, 1, 2], [3, 1, 0, 1], [0, 0, 1, 1]]
[given.head1]
W_Q = [[1, 0], [0, 1], [1, 1]]
W_K = [[1, 1], [2, 0], [0, 1]]
b_Q = [1, 2]
[given.head2]
W_Q = [[2, 1], [1, 1], [0, 2]]
W_K = [[0, 1], [1, 0], [1, 1]]
b_Q = [3, 4]
"""
TARGET = "target = [[1, 0, 0, 0], [0, 1, 0, 2]]\n"


@pytest.mark.parametrize(
    "settings",
    ['mask = "causal"', 'positions = "rope"', 'evaluation = "online"', 'loss = "squared"'],
)
def test_weights_of_each_head_make_what_their_columns_make(settings: str) -> None:
    """Scores, weights, outputs and the gradient of X; the textbook check covers the form, too."""
    tail = f"[attention]\nheads = 2\n{settings}\n"
    target = TARGET if "loss" in settings else ""
    joined = result.work(parse_case(JOINED + target + tail))
    apart = result.work(parse_case(APART.replace(X, X + target) + tail))
    assert apart.check.agrees
    assert {proof.refuted for proof in apart.proofs} <= {False}
    names = [name for name in joined.derivation.values if name in apart.derivation.values]
    assert {"head1.scores", "concat"} <= set(names)
    assert ("dX" in names) == ("loss" in settings)
    for name in names:
        assert equal(joined.derivation.values[name], apart.derivation.values[name]), name
    assert "Q⁽¹⁾ = X W_Q⁽¹⁾" in apart.text()


def test_a_bias_of_all_heads_beside_weights_of_one_is_refused() -> None:
    """Its columns belong to no head."""
    text = APART.replace("b_Q = [1, 2]\n", "").replace(X, X + "b_Q = [1, 2, 3, 4]\n")
    with pytest.raises(SymattnError, match=r"give head1\.b_Q"):
        result.work(parse_case(text + "[attention]\nheads = 2\n"))
