"""Values from inputs of their own (`X_V`), as where positions are added to queries and keys alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from symattn.casefile.case_file import parse_case
from symattn.floats.from_exact import matrix_to_floats
from symattn.result import work
from symattn.text.errors import ShapeMismatch, UnusableValue

GIVEN = """
[given]
X = [[1, 2], [0, 1]]
X_V = [[1, 0, 2], [1, -1, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [1, 1]]
W_V = [[1, 0], [0, 2], [1, 1]]
"""
MEMORY = GIVEN.replace("X_V = [[1, 0, 2], [1, -1, 1]]", "memory = [[3, 1]]\nX_V = [[1, 2, 3]]")
TURNED = """
[given]
X = [[1, 0], [2, 1]]
X_V = [[1, 1], [0, -1], [2, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[1, 0, 1], [0, 2, 1]]
[attention]
tokens_as = "columns"
loss = "sum"
"""
LATENT = """
[given]
X = [[1, 2], [0, 1]]
X_V = [[1, 0], [1, 1]]
W_DQ = [[1], [1]]
W_UQ = [[1, 1]]
W_DKV = [[1], [1]]
W_UK = [[1, 1]]
W_UV = [[1, 1]]
"""


def attend(x: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(x @ (x @ np.array([[1.0, 0], [1, 1]])).T / np.sqrt(2))
    made: NDArray[np.float64] = powers / powers.sum(1, keepdims=True) @ values
    return made


def test_the_values_are_projections_of_their_own_inputs() -> None:
    worked = work(parse_case(GIVEN))
    x, inputs = np.array([[1.0, 2], [0, 1]]), np.array([[1.0, 0, 2], [1, -1, 1]])
    expected = attend(x, inputs @ np.array([[1.0, 0], [0, 2], [1, 1]]))
    np.testing.assert_allclose(matrix_to_floats(worked["Z"]), expected, rtol=1e-14)
    assert worked.check.textbook is not None
    assert {"V", "Z"} <= set(worked.check.textbook.covers)
    turned = work(parse_case(TURNED))
    np.testing.assert_allclose(matrix_to_floats(turned["Z"]), expected.T, rtol=1e-14)
    assert "values come from X_V" in " ".join(worked.text().split())
    with_memory = " ".join(work(parse_case(MEMORY)).text().split())
    assert "keys come from memory; values come from X_V" in with_memory
    assert "值取自 X_V" in worked.text(lang="zh").replace("\n", "")


@pytest.mark.parametrize("text", [GIVEN, MEMORY, GIVEN + '[attention]\npositions = "sinusoidal"\n'])
def test_their_gradient_is_the_derivative(text: str) -> None:
    loss = 'loss = "sum"\n' if "[attention]" in text else '[attention]\nloss = "sum"\n'
    worked = work(parse_case(text + loss))
    line = worked.derivation.line("dX_V")
    assert line is not None
    assert line.args == ("dV", "W_V")
    assert worked["dX_V"].shape == worked.derivation.given["X_V"].shape
    assert {gradient.name for gradient in worked.check.gradients if gradient.agrees} >= {"dX_V", "dX", "dW_V"}


def test_as_many_rows_as_there_are_keys() -> None:
    with pytest.raises(ShapeMismatch, match="V is 3×2"):
        work(parse_case(GIVEN.replace("[1, -1, 1]]", "[1, -1, 1], [0, 0, 1]]")))


def test_a_latent_that_makes_keys_and_values_takes_no_inputs_of_values() -> None:
    with pytest.raises(UnusableValue, match="X_V is given, and no step"):
        work(parse_case(LATENT))
