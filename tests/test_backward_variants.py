"""The backward pass through every convention: each gradient is the derivative of the forward walk, decided.

The derivative is that of the forward walk with a step t added to one entry, by t at 0
(`symattn.checks.proofs.gradient_proofs`), which knows nothing of the formulas of the backward pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from once import but_slow, work_text

from symattn.casefile.case_file import parse_case
from symattn.checks.proofs import gradient_proofs
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.derive import derive
from symattn.plans.ops.softmax_backward import SoftmaxBackward
from symattn.result import Worked, work
from symattn.text.errors import UnusableValue

INPUTS = """
[given]
X = [[1, 0], [1, 2]]
W_Q = [[1, 0], [0, 2]]
W_K = [[1, 1], [0, 1]]
W_V = [[2, 0], [1, 3]]
"""
ONE = "dZ = [[1, 0], [-1, 2]]\n"
OUT = "W_O = [[1, 2], [0, 1]]\ndoutput = [[1, 0], [-1, 2]]\n"
BIASED = "b_Q = [1, 0]\nb_K = [0, 1]\nb_V = [2, -1]\n"
SHARED = """
[given]
X = [[1, 0], [1, 2]]
W_Q = [[1, 0, 2, 1], [0, 2, 1, 0]]
W_K = [[1], [1]]
W_V = [[2], [1]]
dconcat = [[1, 0, 2, 1], [-1, 2, 0, 1]]
[attention]
heads = 4
kv_heads = 1
"""
ROPE = """
[given]
Q = [[1, 2, 1], [0, 1, 3]]
K = [[2, 1, 1], [1, 1, 0]]
V = [[1], [3]]
dZ = [[1], [2]]
[attention]
positions = "rope"
angles = ["pi/3"]
"""
CAPPED = """
[given]
Q = [[1]]
K = [[1], [2]]
V = [[1], [3]]
dZ = [[2]]
[attention]
softcap = 3
"""
NARROW = """
[given]
X = [[1, 0]]
memory = [[1, 0], [0, 1]]
W_Q = [[1], [2]]
W_K = [[1], [0]]
W_V = [[2], [1]]
dZ = [[1]]
[attention]
positions = "sinusoidal"
start = 1
"""
LAYER = """
[given]
X = [[3, 2]]
W_Q = [[1, 0], [0, 2]]
W_K = [[0, 0], [0, 0]]
W_V = [[2, 0], [1, 3]]
"""
FORWARD = "W_1 = [[1, 2, -1], [0, 1, 1]]\nW_2 = [[1, 0], [2, 1], [0, 1]]\nb_1 = [1, 0, 2]\nb_2 = [0, 1]\n"

CASES = {
    "biases": INPUTS + BIASED + ONE,
    "output": INPUTS + OUT + "b_O = [1, 2]\n",
    "causal": INPUTS + ONE + '[attention]\nmask = "causal"\n',
    "additive mask": INPUTS + ONE + "[attention]\nmask = [[0, 2], [0, '-inf']]\n",
    "padding": INPUTS + ONE + "[attention]\npadding = [1, 0]\n",
    "hidden row": INPUTS + ONE + "[attention]\nmask = [[1, 1], [0, 0]]\n",
    "scale": INPUTS + ONE + '[attention]\nscale = "1/3"\n',
    "temperature": INPUTS + ONE + '[attention]\ntemperature = "3/2"\n',
    "base": INPUTS + ONE + '[attention]\nbase = 2\nscale = "1"\n',
    "softcap": CAPPED,
    "alibi": INPUTS + ONE + '[attention]\npositions = "alibi"\n',
    "relative": INPUTS + ONE + 'relative = [1, 2, 3]\n[attention]\npositions = "relative"\n',
    "sink": INPUTS + ONE + "sink = [1]\n",
    "sink to another base": INPUTS + ONE + "sink = [1]\n[attention]\nbase = 2\nscale = 1\n",
    "sinks of two heads": INPUTS + OUT + "sink = [0, 1]\n[attention]\nheads = 2\n",
    "one sink for two heads": INPUTS + OUT + "sink = [1]\n[attention]\nheads = 2\n",
    "two heads": INPUTS + BIASED + OUT + '[attention]\nheads = 2\nmask = "causal"\n',
    "multi-query": SHARED,
    "grouped-query": SHARED.replace("[[1], [1]]", "[[1, 0], [1, 2]]")
    .replace("[[2], [1]]", "[[2, 1], [1, 0]]")
    .replace("kv_heads = 1", "kv_heads = 2"),
    "rope": ROPE,
    "rope, half": ROPE + 'pairs = "half"\nstart = 1\n',
    "unit rows": INPUTS + ONE + '[attention]\nqk_norm = "unit"\n',
    "rms rows": INPUTS + ONE + '[attention]\nqk_norm = "rms"\n',
    "weights on the left": INPUTS + BIASED + ONE + '[attention]\nweights = "left"\n',
    "transposed weights": INPUTS + ONE + '[attention]\nweights = "transposed"\n',
    "memory": INPUTS + "memory = [[1, 1], [0, 3]]\n" + ONE,
    "sinusoidal": NARROW,
    "residual": INPUTS + "dresidual_1 = [[1, 0], [-1, 2]]\n[attention]\nlayer = 'residual'\n",
    "columns": """
[given]
X = [[1, 1], [0, 2]]
W_Q = [[1, 0], [0, 2]]
W_K = [[1, 1], [0, 1]]
W_V = [[2, 0], [1, 3]]
b_V = [[1], [2]]
dZ = [[1, 0], [-1, 2]]
[attention]
tokens_as = "columns"
""",
    "from scores": """
[given]
scores = [[1, 2], [0, 1]]
V = [[1], [3]]
dZ = [[1], [2]]
[attention]
scale = 2
""",
    "post-norm": LAYER
    + FORWARD
    + "gamma_1 = [2, 1]\nbeta_1 = [0, 1]\ngamma_2 = [1, 3]\nbeta_2 = [1, 0]\n"
    + "dnorm_2 = [[1, 2]]\n[attention]\nlayer = 'post-norm'\nepsilon = 1\n",
    "pre-norm, rms": LAYER
    + FORWARD
    + "gamma_1 = [2, 1]\ndresidual_2 = [[1, 2]]\n"
    + "[attention]\nlayer = 'pre-norm'\nnorm = 'rms'\nepsilon = 1\n",
    "gelu": LAYER
    + FORWARD
    + "dresidual_2 = [[1, 2]]\n[attention]\nlayer = 'pre-norm'\nactivation = 'gelu'\nepsilon = 1\n",
}
UNDECIDED = (
    "base",
    "sink to another base",
    "softcap",
    "sinusoidal",
    "unit rows",
    "rms rows",
    "post-norm",
    "pre-norm, rms",
    "gelu",
)
"""Where the derivative is a number outside the decided field, or takes long."""


@pytest.mark.parametrize("name", but_slow((name for name in CASES if name not in UNDECIDED), "sink"))
def test_every_gradient_is_proved_to_be_the_derivative(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With as much work as it takes: a page stops earlier, and says so."""
    monkeypatch.setattr("symattn.checks.proofs.PROOF", 100_000_000)
    worked = work_text(CASES[name])
    found = gradient_proofs(worked.derivation, most=10_000)
    assert {proof.name for proof in found} == gradients(worked)
    assert [proof.name for proof in found if not (proof.decided and proof.equal)] == []


def gradients(worked: Worked) -> set[str]:
    made = {line.name for line in worked.derivation}
    return {f"d{given}" for given in worked.derivation.given} & made


@pytest.mark.parametrize("name", CASES)
def test_every_gradient_is_near_the_central_difference_of_the_walk_in_floats(name: str) -> None:
    derivation = work_text(CASES[name]).derivation
    start = [line.name for line in derivation if f"d{line.name}" in derivation.given][-1]
    given = {name: matrix_to_floats(matrix) for name, matrix in derivation.given.items()}
    forward = derivation.plan[: [line.name for line in derivation].index(start) + 1]

    def loss(**moved: Any) -> float:
        known = {**given, **moved}
        for line in forward:
            known[line.name] = line.op.floats(*(known[name] for name in line.args))
        return float(np.sum(known[start] * given[f"d{start}"]))

    names = gradients(work_text(CASES[name]))
    assert names
    for slope in names:
        exact, matrix = matrix_to_floats(derivation[slope]), given[slope[1:]]
        for at in np.ndindex(*matrix.shape):
            step = np.zeros_like(matrix)
            step[at] = 1e-5
            rise = (loss(**{slope[1:]: matrix + step}) - loss(**{slope[1:]: matrix - step})) / 2e-5
            assert abs(rise - exact[at]) < 1e-7 * (1 + abs(rise)), (slope, at)


@pytest.mark.parametrize("name", but_slow(CASES, "sink", "sinks of two heads", "multi-query"))
def test_the_backward_pass_is_confirmed_in_floats_and_told_in_both_languages(name: str) -> None:
    worked = work_text(CASES[name])
    assert worked.check.agrees
    pages = {lang: worked.markdown(lang=lang) for lang in ("en", "zh")}
    assert "radient" in pages["en"]
    assert "梯度" in pages["zh"]


def test_a_wrong_gradient_is_refuted_with_a_witness() -> None:
    worked = work_text(CASES["causal"])
    (slip,) = (slip for slip in SoftmaxBackward().slips() if slip.code == "softmax-jacobian-diagonal")
    plan = tuple(
        replace(line, op=slip.instead) if line.name == "dmasked" else line for line in worked.derivation
    )
    proofs = {proof.name: proof for proof in gradient_proofs(derive(plan, worked.derivation.given))}
    assert proofs["dW_V"].equal
    assert proofs["dW_Q"].decided
    assert not proofs["dW_Q"].equal
    assert proofs["dW_Q"].witness is not None


def test_a_gradient_of_a_value_that_the_walk_does_not_have_is_refused() -> None:
    with pytest.raises(UnusableValue, match="doutput"):
        work(parse_case(INPUTS + "doutput = [[1, 0], [-1, 2]]\n"))


def test_contributions_of_shared_heads_are_added_group_by_group() -> None:
    worked = work_text(CASES["grouped-query"])
    lines = {line.name: line.args for line in worked.derivation}
    assert lines["group1.dK"] == ("head1.dK", "head2.dK")
    assert lines["group2.dK"] == ("head3.dK", "head4.dK")
    assert lines["dK"] == ("group1.dK", "group2.dK")
    assert worked["dK"].shape == worked["K"].shape
