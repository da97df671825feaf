"""An epsilon that a norm adds to the root, (x - mean) / (sigma + epsilon), and not under it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from contract import broken_clauses
from numpy.typing import NDArray

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.floats.from_exact import matrix_to_floats
from symattn.narrate.export import conventions
from symattn.plans.operation import Operation
from symattn.plans.ops.layer_norm import LayerNorm
from symattn.plans.ops.norm_backward import NormBackward
from symattn.plans.ops.rms_norm import RMSNorm
from symattn.result import work
from symattn.text.errors import UnusableValue
from tests.audit_cases import case, stated

HALF = Exact.of(Fraction(1, 2))
LAYER = """
[given]
X = [[1, 0, 2], [0, 3, 1]]
W_Q = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
W_K = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
W_V = [[1, 0, 1], [0, 1, 0], [2, 0, 1]]
W_1 = [[1, 0], [0, 1], [2, 1]]
W_2 = [[1, 0, 1], [0, 1, 2]]
[attention]
layer = "pre-norm"
epsilon = "1/10"
epsilon_added_to = "deviation"
"""
ROWS = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]])


def normed(
    x: NDArray[np.float64], *, centred: bool = True, freedom: int = 0, inside: float = 0.0
) -> NDArray[np.float64]:
    apart = x - x.mean(1, keepdims=True) if centred else x
    variance = (apart**2).sum(1, keepdims=True) / (x.shape[1] - freedom)
    made: NDArray[np.float64] = apart / (np.sqrt(variance + inside) + 0.1 - inside)
    return made


@pytest.mark.parametrize(
    "op",
    [
        LayerNorm(outside=HALF),
        RMSNorm(outside=HALF),
        NormBackward(outside=HALF),
        NormBackward(Exact.of(1), HALF, centred=False),
    ],
    ids=lambda op: type(op).__name__,
)
def test_what_adds_outside_of_the_root_keeps_the_contract(op: Operation) -> None:
    assert broken_clauses(op, type(op).example()[1]) == []


@pytest.mark.parametrize("norm", ["layer", "rms"])
def test_the_norm_and_its_gradients_are_those_of_plain_numpy(norm: str) -> None:
    worked = work(parse_case(LAYER + f'norm = "{norm}"\nloss = "sum"\n'))
    expected = normed(ROWS, centred=norm == "layer")
    np.testing.assert_allclose(matrix_to_floats(worked["norm_1"]), expected, rtol=1e-14)
    assert worked.check.agrees
    assert worked.check.textbook is not None
    assert "norm_2" in worked.check.textbook.covers
    assert all(gradient.agrees for gradient in worked.check.gradients)
    assert {gradient.name for gradient in worked.check.gradients} >= {"dX", "dW_V"}


def test_a_row_without_a_deviation_has_a_gradient() -> None:
    x, y, g = [[2, 2]], [[0, 0]], [[3, 1]]
    made = NormBackward(outside=HALF).exact(*(Matrix.rational(rows) for rows in (x, y, g)))
    assert made == Matrix.rational([[2, -2]])


def test_the_page_and_the_data_say_where_epsilon_goes() -> None:
    said = parse_case(LAYER)
    clause = "a norm adds ε outside the square root"
    assert clause in " ".join(work(said).text().split())
    assert "归一化把 ε 加在根号之外" in work(said).text(lang="zh").replace("\n", "")
    assert conventions(said)["epsilon_added_to"] == "deviation"


def test_it_goes_with_an_epsilon() -> None:
    with pytest.raises(UnusableValue, match='epsilon_added_to = "deviation" has no effect'):
        work(parse_case(LAYER.replace('epsilon = "1/10"\n', "")))


@pytest.mark.parametrize(
    ("norm", "declared", "printed", "cause"),
    [
        ("layer", "variance", normed(ROWS), "layernorm-epsilon-outside"),
        ("layer", "variance", normed(ROWS, freedom=1), "layernorm-sample-epsilon-outside"),
        ("rms", "variance", normed(ROWS, centred=False), "rms-epsilon-outside"),
        ("layer", "deviation", normed(ROWS, inside=0.1), "layernorm-epsilon-inside"),
        ("rms", "deviation", normed(ROWS, centred=False, inside=0.1), "rms-epsilon-inside"),
        ("rms", "deviation", normed(ROWS, centred=False), None),
    ],
)
def test_who_mixed_them_up_is_told_so(
    norm: str, declared: str, printed: NDArray[np.float64], cause: str | None
) -> None:
    claim = stated("norm_1", [[f"{x:.4f}" for x in row] for row in printed])
    settings = {"layer": "pre-norm", "norm": norm, "epsilon": "1/10", "epsilon_added_to": declared}
    report = audit(case({"X": [["1", "0", "2"], ["0", "3", "1"]]}, claim, **settings))
    assert [found.slip for found in report.causes] == ([cause] if cause else [])


def test_a_deviation_that_is_printed_is_the_one_without_epsilon() -> None:
    parts = stated("norm_1.deviation", [["0.8165"], ["1.2472"]]), stated("norm_1", [["0.0000"]])
    row = stated("norm_1", [["-0.9897", "1.2371", "-0.2474"]], row=1)
    settings = {"layer": "pre-norm", "epsilon": "1/10", "epsilon_added_to": "deviation"}
    report = audit(case({"X": [["1", "0", "2"], ["0", "3", "1"]]}, *parts, row, **settings))
    assert {judgement.verdict for judgement in report.judgements} == {"correct"}
