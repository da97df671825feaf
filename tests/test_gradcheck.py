"""Every gradient is checked by a derivative of the forward computation, and a wrong one is seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command import symattn
from msgspec.structs import replace

from symattn.attention.recipes.attention import attention, values
from symattn.attention.registry import OPERATIONS
from symattn.attention.runnable import runnable
from symattn.casefile.case_file import parse_case
from symattn.checks.crosscheck import crosscheck
from symattn.checks.doubt import GIVEN_WEIGHTS, KINK, LOSS_FOLLOWS, LOST, TOO_SMALL, Doubt
from symattn.checks.gradcheck import STEP
from symattn.exact.matrix import Matrix
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.derive import Derivation, derive
from symattn.plans.gradient import Differentiable, gradient_of
from symattn.plans.operation import Operation
from symattn.plans.ops.add import Add, PassOn
from symattn.plans.ops.softmax_backward import SoftmaxBackward
from symattn.plans.plan import Line, Plan
from symattn.result import work

VARIANTS = Path(__file__).parent.parent / "cases" / "variants"

SHARED_MEMORY = """
[given]
X = [[1]]
memory = [[1], [2]]
W_Q = [[1]]
W_K = [[1]]
W_V = [[1]]
[attention]
layers = 2
loss = "sum"
"""
"""Both layers see the memory, each through its keys and through its values."""


def planted(text: str, name: str, line: Line) -> Derivation:
    """The derivation of a case with one line exchanged."""
    case = parse_case(text)
    plan = tuple(line if each.name == name else each for each in attention(case))
    return derive(plan, values(case))


def test_a_memory_of_two_layers_has_a_gradient_through_the_keys_and_values_of_both() -> None:
    """As automatic differentiation in PyTorch has it."""
    worked = work(parse_case(SHARED_MEMORY))
    assert matrix_to_floats(worked["dmemory"]).round(4).tolist() == [[-0.0616], [1.1894]]
    assert worked.check.agrees
    assert "dmemory" in [gradient.name for gradient in worked.check.gradients]


def test_one_share_added_twice_in_place_of_another_is_no_derivative() -> None:
    """The share through K once had the name of the share through V, and was lost to it."""
    wrong = Line("layer1.dmemory", Add(), ("layer1.dX_V", "layer1.dX_V"))
    check = crosscheck(planted(SHARED_MEMORY, "layer1.dmemory", wrong))
    assert not check.agrees
    assert set(check.wrong) == {"dmemory"}


def test_a_plan_with_two_lines_of_one_name_is_refused() -> None:
    one = Line("Z", PassOn(), ("V",))
    twice: Plan = (one, replace(one, args=("K",)))
    given = {"V": Matrix.rational([[1]]), "K": Matrix.rational([[2]])}
    with pytest.raises(ValueError, match="two lines of a plan are named Z"):
        runnable(twice, given)
    with pytest.raises(ValueError, match="two lines of a plan are named Z"):
        derive(twice, given)


def test_a_rule_with_the_wrong_sign_is_seen_in_everything_behind_it() -> None:
    text = "[given]\nQ = [[1, 0]]\nK = [[1, 1], [0, 2]]\nV = [[1], [3]]\ndZ = [[1]]\n"
    sums = SoftmaxBackward().slips()[0].instead
    check = crosscheck(planted(text, "dscaled", Line("dscaled", sums, ("A", "dA"))))
    assert set(check.wrong) == {"dscaled", "dscores", "dQ", "dK"}


def test_a_gradient_too_small_for_a_complex_step_is_not_compared() -> None:
    text = """
[given]
Q = [[1]]
K = [[0], [-700]]
V = [[1], [3]]
dZ = [[1]]

[attention]
scale = "1"
"""
    check = work(parse_case(text)).check
    assert check.agrees
    assert "dscaled" in {gradient.name for gradient in check.gradients if gradient.error is None}


@pytest.mark.parametrize(
    "kind", [op for op in OPERATIONS if issubclass(op, Differentiable)], ids=lambda kind: kind.__name__
)
def test_what_is_differentiated_takes_complex_numbers_and_their_imaginary_parts_are_slopes(
    kind: type[Operation],
) -> None:
    op, matrices = kind.example()
    arguments = [matrix_to_floats(matrix) + 0.125 for matrix in matrices]
    moved = [argument + 1j * STEP * np.cos(argument) for argument in arguments]
    up, down = ([x + step * np.cos(x) for x in arguments] for step in (2.0**-20, -(2.0**-20)))
    with np.errstate(invalid="ignore"):  # of minus infinity there is no slope
        expected = (op.floats(*up) - op.floats(*down)) / 2.0**-19
    made = op.floats(*(np.asarray(x) for x in moved))
    assert np.allclose(
        np.where(np.isfinite(expected), made.imag / STEP, 0), np.nan_to_num(expected), 1e-6, 1e-6
    )


@pytest.mark.parametrize("path", sorted(VARIANTS.glob("*backward*.toml")), ids=lambda path: path.stem)
def test_gradients_of_the_shipped_cases_agree_to_many_digits(path: Path) -> None:
    worked = work(path)
    errors = [gradient.error for gradient in worked.check.gradients]
    assert worked.check.agrees
    assert errors
    assert all(error is not None and error < 1e-10 for error in errors)
    assert {gradient_of(name) for name in worked.case.given if gradient_of(name) in worked.derivation} <= {
        gradient.name for gradient in worked.check.gradients
    }


def test_where_a_relu_stands_at_its_kink_the_derivative_is_0_as_in_the_backward_pass() -> None:
    text = "[given]\nQ = [[1, 0]]\nK = [[1, 0], [2, 1]]\nV = [[1], [3]]\ndZ = [[1]]\n"
    worked = work(parse_case(text + '[attention]\nkernel = "relu"\n'))
    assert {gradient.name: gradient.agrees for gradient in worked.check.gradients}["dQ"]
    assert all(gradient.error is not None for gradient in worked.check.gradients)


@pytest.mark.parametrize("evaluation", ["direct", "online", "cached"])
def test_a_hidden_score_over_a_temperature_has_no_derivative(evaluation: str) -> None:
    text = "[given]\nX = [[1], [2]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n[attention]\n"
    text += 'mask = "causal"\ntemperature = "2"\nloss = "sum"\n'
    text += "block = 2\n" if evaluation == "online" else ""
    check = work(parse_case(f'{text}evaluation = "{evaluation}"\n')).check
    assert check.agrees
    assert all(gradient.error is not None for gradient in check.gradients)


def test_with_free_symbols_gradients_are_checked_at_a_point() -> None:
    text = 'symbols = ["a"]\n[given]\nQ = [["a"]]\nK = [[1], [2]]\nV = [["a"], [3]]\ndZ = [[1]]\n'
    check = work(parse_case(text)).check
    assert check.symbols
    assert [gradient.name for gradient in check.gradients] == ["dV", "dA", "dscaled", "dscores", "dQ", "dK"]


@pytest.mark.parametrize(
    "given", ["A = [[2, 3]]", "exp = [[1, 2]]", "sum = [[5]]\nexp = [[1, 2]]", "sum = [[5]]"]
)
def test_behind_weights_that_are_given_nothing_is_compared(given: str) -> None:
    """The backward pass takes them for the softmax of the scores; numbers of an exercise need not be that."""
    text = SHARED_MEMORY.partition("[attention]")[0] + f"{given}\ndZ = [[1]]\n"
    worked = work(parse_case(text))
    errors = {gradient.name: gradient.error for gradient in worked.check.gradients}
    assert worked.check.agrees
    assert errors["dV"] is not None
    assert [name for name, error in errors.items() if error is None] != list(errors)
    assert all(proof.equal for proof in worked.proofs)


def test_what_float64_cannot_hold_is_not_compared() -> None:
    text = '[given]\nQ = [[1000]]\nK = [[1], [2]]\nV = [[1], [3]]\ndZ = [[1]]\n[attention]\nscale = "1"\n'
    found = {gradient.name: gradient for gradient in work(parse_case(text)).check.gradients}
    assert found["dQ"].agrees
    assert found["dQ"].error is None


def test_the_page_names_the_parts_of_a_gradient_between_layers() -> None:
    text = SHARED_MEMORY.replace("memory = [[1], [2]]\n", "")
    assert "Part of the gradient of the output of the head" in work(parse_case(text)).markdown()


def test_json_page_and_check_report_the_gradients() -> None:
    worked = work(parse_case(SHARED_MEMORY))
    gradients = worked.data()["crosscheck"]["gradients"]
    assert ("dW_Q", True) in [(gradient["name"], gradient["agrees"]) for gradient in gradients]
    assert "agree with numerical derivatives (complex steps)" in worked.markdown()
    assert "复步法" in worked.markdown(lang="zh")


@pytest.mark.parametrize("normaliser", ["relu", "sparsemax"])
def test_behind_given_weights_of_another_normaliser_nothing_is_compared(normaliser: str) -> None:
    """The numbers of an exercise need not be what the normaliser makes of the scores."""
    given = "Q = [[1, 0]]\nK = [[1, 1], [0, 2]]\nV = [[1], [3]]\nA = [['1/2', '1/2']]\ndZ = [[1]]"
    worked = work(parse_case(f"[given]\n{given}\n[attention]\nnormaliser = '{normaliser}'\n"))
    assert [gradient.name for gradient in worked.check.gradients if gradient.error is not None] == [
        "dV",
        "dA",
    ]
    assert [(proof.name, proof.equal) for proof in worked.proofs] == [("dV", True), ("dA", True)]


def reasons(text: str) -> dict[str, Doubt | None]:
    return {gradient.name: gradient.doubt for gradient in work(parse_case(text)).check.gradients}


def test_a_gradient_that_is_not_compared_has_its_own_reason() -> None:
    plain = "[given]\nQ = [[{}]]\nK = [[1], [{}]]\nV = [[1], [3]]\ndZ = [[1]]\n{}[attention]\nscale = '1'\n"
    assert reasons(plain.format(1000, 2, ""))["dQ"] == Doubt(LOSS_FOLLOWS, "exp")
    assert reasons(plain.format(1, 2, "A = [[1, 2]]\n"))["dQ"] is GIVEN_WEIGHTS
    assert reasons(plain.format(1, -700, ""))["dscaled"] is TOO_SMALL


@pytest.mark.parametrize(
    ("given", "settings", "lost"),
    [
        ("Q = [[1]]\nK = [[1], [2]]", "mask = [[-10000, -10000]]", "A"),  # e^-10000 is 0 in float64
        ("Q = [['5e-61']]\nK = [[1], [2]]", "kernel = 'relu'", "A"),  # over a sum smaller than the step
    ],
)
def test_where_a_complex_step_changes_the_values_a_right_gradient_is_not_called_wrong(
    given: str, settings: str, lost: str
) -> None:
    case = parse_case(f"[given]\n{given}\nV = [[1], [3]]\ndZ = [[1]]\n[attention]\n{settings}\n")
    check = work(case).check
    assert check.agrees
    assert {gradient.doubt for gradient in check.gradients} == {None, Doubt(LOST, lost)}


def test_rounding_that_leaves_a_side_of_a_kink_open_is_a_reason() -> None:
    near = "[given]\nQ = [['0.1', '0.2', '-0.3']]\nK = [[1, 1, 1], [3, 0, 0]]\nV = [[1], [2]]\ndZ = [[1]]\n"
    assert reasons(near + "[attention]\nscale = '1'\nnormaliser = 'relu'\n")["dQ"] == Doubt(KINK, "scaled")


def test_page_check_and_json_say_why_something_was_not_compared(tmp_path: Path) -> None:
    text = "[given]\nQ = [[1]]\nK = [[1], [3]]\nV = [[1], [3]]\nA = [[1, 2]]\ndZ = [[1]]\n"
    worked = work(parse_case(text))
    assert "not compared with a derivative" in worked.markdown()
    assert "after given weights" in worked.markdown()
    assert "在给定的权重之后" in worked.markdown(lang="zh")
    found = {each["name"]: each for each in worked.data()["crosscheck"]["gradients"]}
    assert found["dQ"]["reason"]["en"].startswith("after given weights")
    assert "reason" not in found["dV"]
    case = tmp_path / "case.toml"
    case.write_text(text, encoding="utf-8")
    (line,) = (
        line for line in symattn("check", case).stdout.splitlines() if "dQ " in line and "ulp" not in line
    )
    assert line.split("  ")[-1] == "after given weights, which need not follow from the scores"
