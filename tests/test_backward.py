"""Gradients, held against what SymPy gets by differentiating the forward walk."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from once import work_text

import symattn
from symattn.casefile.case_file import parse_case
from symattn.exact.decision import equal
from symattn.exact.literal import read
from symattn.result import Worked, work

SYMBOLIC = """
symbols = ["x", "y", "q", "k", "v", "s", "t"]
[given]
X = [["x", 1], ["y", 2]]
W_Q = [["q"], [1]]
W_K = [[1], ["k"]]
W_V = [["v"], [3]]
b_Q = ["s"]
b_V = ["t"]
dZ = [[1], [-2]]
"""
HEADS = """
symbols = ["x", "w", "o", "c"]
[given]
X = [["x", 1], [0, 2]]
W_Q = [["w", 1], [1, 0]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 2], [0, 1]]
W_O = [["o", 1], [2, 1]]
b_O = ["c", 0]
doutput = [[1, 3], [-2, 1]]
[attention]
heads = 2
mask = "causal"
"""


def slope(worked: Worked, made: str, given: str, symbol: str) -> Any:
    """The derivative of the loss sum(d * Z) by a symbol, by SymPy."""
    weights, output = worked[given], worked[made]
    loss = sum(
        (
            weights[i, j].to_sympy() * output[i, j].to_sympy()
            for i in range(output.shape[0])
            for j in range(output.shape[1])
        ),
        sympy.Integer(0),
    )
    return sympy.diff(loss, sympy.Symbol(symbol, real=True))


def alike(a: Any, b: Any) -> bool:
    """Whether two expressions agree to 40 digits where their symbols are some rationals."""
    names = sorted(a.free_symbols | b.free_symbols, key=str)
    at = {name: sympy.Rational(2 * k + 3, 11) for k, name in enumerate(names)}
    near, far = a.evalf(50, subs=at), b.evalf(50, subs=at)
    return bool(abs(near - far) <= sympy.Float(10) ** -40 * (1 + abs(far)))


@pytest.mark.parametrize(
    ("symbol", "name", "at"),
    [
        ("x", "dX", (0, 0)),
        ("y", "dX", (1, 0)),
        ("q", "dW_Q", (0, 0)),
        ("k", "dW_K", (1, 0)),
        ("v", "dW_V", (0, 0)),
        ("s", "db_Q", (0, 0)),
        ("t", "db_V", (0, 0)),
    ],
)
def test_the_gradients_of_one_head_are_the_derivatives(symbol: str, name: str, at: tuple[int, int]) -> None:
    worked = work_text(SYMBOLIC)
    assert alike(worked[name][at].to_sympy(), slope(worked, "Z", "dZ", symbol))


@pytest.mark.parametrize(
    ("symbol", "name", "at"),
    [("x", "dX", (0, 0)), ("w", "dW_Q", (0, 0)), ("o", "dW_O", (0, 0)), ("c", "db_O", (0, 0))],
)
def test_the_gradients_of_two_masked_heads_are_the_derivatives(
    symbol: str, name: str, at: tuple[int, int]
) -> None:
    worked = work_text(HEADS)
    assert alike(worked[name][at].to_sympy(), slope(worked, "output", "doutput", symbol))


def test_a_wrong_jacobian_is_noticed_by_the_derivative() -> None:
    worked = work_text(SYMBOLIC)
    assert not alike(worked["dX_V"][0, 0].to_sympy(), slope(worked, "Z", "dZ", "x"))


def test_transposed_weights_have_transposed_gradients() -> None:
    text = "[given]\nX = [[1, 2], [3, 5]]\n{}dZ = [[1], [2]]\n"
    plain = work(parse_case(text.format("W_Q = [[1], [0]]\nW_K = [[0], [1]]\nW_V = [[2], [1]]\n")))
    rows = (
        text.format("W_Q = [[1, 0]]\nW_K = [[0, 1]]\nW_V = [[2, 1]]\n")
        + '[attention]\nweights = "transposed"\n'
    )
    turned = work(parse_case(rows))
    for name in ("dW_Q", "dW_K", "dW_V"):
        assert turned[name].shape == (1, 2)
        assert all(equal(turned[name][0, i], plain[name][i, 0]) is True for i in range(2))
    assert all(equal(turned["dX"][i, j], plain["dX"][i, j]) is True for i in range(2) for j in range(2))


def test_the_softmax_backwards_by_hand() -> None:
    """Weights 1/2 and 1/2 and a gradient of 0 and 1: half of (0 - 1/2) and of (1 - 1/2)."""
    text = "[given]\nQ = [[0]]\nK = [[1], [2]]\nV = [[0], [1]]\ndZ = [[1]]\n[attention]\nscale = 1\n"
    worked = work(parse_case(text))
    assert [str(x.rational) for x in next(worked["dscaled"].rows())] == ["-1/4", "1/4"]
    assert [str(x.rational) for x in next(worked["dQ"].rows())] == ["1/4"]
    assert equal(worked["dV"][1, 0], read("1/2", {})) is True


def test_gradients_of_a_memory_go_to_the_memory() -> None:
    text = "[given]\nX = [[1]]\nmemory = [[1], [2]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\ndZ = [[1]]\n"
    worked = work(parse_case(text))
    assert worked["dmemory"].shape == (2, 1)
    assert worked["dX_Q"] == worked["dX"]


def test_no_score_and_no_gradient_is_divided_by_one() -> None:
    worked = work(
        parse_case("[given]\nQ = [[1]]\nK = [[1], [2]]\nV = [[1], [3]]\ndZ = [[1]]\n[attention]\nscale = 1\n")
    )
    formulas = {step["name"]: step["formula"] for step in worked.data()["steps"]}
    assert (formulas["scaled"], formulas["dscores"]) == ("scores", "dscaled")
    assert "/1 " not in worked.text().replace("\n", " ")


def test_products_that_are_left_out_of_a_sum_within_a_working_are_one_row_of_dots() -> None:
    rows = [[i, 1 - i] for i in range(14)]
    unit = [[1, 0], [0, 1]]
    given = {"X": rows, "W_Q": unit, "W_K": unit, "W_V": unit, "dZ": rows}
    page = symattn.work({"given": given}).text()
    working = page[page.index("dS'₁₁ = A₁₁") :][:400]
    assert "+ ⋯ + A_(1,14)" in working
    assert "⋯·⋯" not in page
