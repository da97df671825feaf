"""An output gate, and a temperature for each head."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.floats.from_exact import matrix_to_floats
from symattn.result import Worked, work
from symattn.text.errors import SymattnError

GIVEN = """[given]
X   = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 0], [1, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[1, 0], [2, 1]]
W_G = [[1, -1], [0, 2]]
"""
COSINE = """[given]
Q = [[3, 4, 1, 0], [0, 2, 4, 3]]
K = [[4, 3, 0, 2], [1, 0, 3, 4]]
V = [[1, 0, 2, 1], [0, 1, 1, 3]]
[attention]
heads = 2
scale = "1"
qk_norm = "unit"
"""


def worked(given: str = "", more: str = "") -> Worked:
    return work(parse_case(f"{GIVEN}{given}[attention]\n{more}"))


def test_the_outputs_are_multiplied_by_the_sigmoid_of_the_projected_inputs() -> None:
    found = worked()
    z, x, w = (np.array(matrix_to_floats(found[name])) for name in ("Z", "X", "W_G"))
    assert np.allclose(matrix_to_floats(found["gated"]), z / (1 + np.exp(-x @ w)), atol=1e-12)
    assert "C_G = Z ⊙ G" in found.text()
    assert "σ(X W_G)" in found.text()


@pytest.mark.parametrize("more", ["", "heads = 2\n", 'layer = "residual"\n', 'mask = "causal"\n'])
def test_gradients_agree_with_derivatives(more: str) -> None:
    seed = "dresidual_1" if "layer" in more else "doutput"
    given = f"W_O = [[1, 0], [1, 1]]\nb_G = [1, 0]\n{seed} = [[1, 0], [0, 1], [2, 1]]\n"
    check = worked(given, more).check
    assert check.agrees
    assert {"dX", "dW_G", "db_G", "dW_V"} <= {each.name for each in check.gradients}


@pytest.mark.parametrize(
    ("name", "slip"), [("gated", "gate-omitted"), ("gate", "sigmoid-omitted"), ("gate", "sigmoid-complement")]
)
def test_a_mistake_at_the_gate_is_named_as_the_cause(name: str, slip: str) -> None:
    found = worked()
    line = found.derivation.line(name)
    assert line is not None
    wrong = next(each for each in line.op.slips() if each.code == slip)
    values = matrix_to_floats(wrong.instead.exact(*(found[argument] for argument in line.args)))
    rows = ", ".join(f"[{', '.join(f'{x:.4f}' for x in row)}]" for row in values)
    stated = f'[[stated]]\nname = "{name}"\nvalues = [{rows}]\n'
    judgements = audit(parse_case(GIVEN + stated)).judgements
    assert {each.cause.slip for each in judgements if each.cause} == {slip}


def test_each_head_may_have_a_temperature_of_its_own() -> None:
    both = work(parse_case(COSINE + 'temperature = ["1/10", "1/5"]\n'))
    one, other = (work(parse_case(f'{COSINE}temperature = "{t}"\n')) for t in ("1/10", "1/5"))
    assert both["head1.A"] == one["head1.A"]
    assert both["head2.A"] == other["head2.A"]
    assert "T = [1/10  1/5]" in both.text()


@pytest.mark.parametrize(
    ("temperatures", "said"),
    [("[1, 2, 3]", "3 numbers for 2 heads"), ("[1, 0]", "temperature is 0"), ("[]", "temperature")],
)
def test_temperatures_that_do_not_fit_are_refused(temperatures: str, said: str) -> None:
    with pytest.raises(SymattnError) as refused:
        work(parse_case(f"{COSINE}temperature = {temperatures}\n"))
    assert said in str(refused.value)
    assert "attention.temperature" in str(refused.value)
