"""A scalar loss of the output, its gradient by hand, and the backward pass that starts from it."""

from __future__ import annotations

import pytest
from once import FOLDER, page

from symattn.casefile.case_file import parse_case
from symattn.checks.proofs import gradient_proofs
from symattn.exact.decision import equal
from symattn.exact.literal import read
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.transposed import transposed
from symattn.result import Worked, work
from symattn.text.errors import MissingGiven, UnknownKey, UnusableValue
from symattn.text.notation import Symbol
from symattn.typeset.markdown import markdown
from symattn.typeset.plain import plain_formula

HALVES = "[given]\nQ = [[0]]\nK = [[1], [2]]\nV = [[0], [1]]\n"
"""Weights 1/2 and 1/2, so Z = 1/2."""
STACKED = "[given]\nX = [[1]]\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n"
SETTINGS = '[attention]\nscale = "1"\nloss = "{}"\n'


def lossy(loss: str, more: str = "") -> Worked:
    return work(parse_case(HALVES + more + SETTINGS.format(loss)))


def holds(worked: Worked, name: str, expected: str) -> bool:
    return worked[name].shape == (1, 1) and equal(worked[name][0, 0], read(expected, {})) is True


def test_the_gradient_of_a_sum_is_one_everywhere() -> None:
    worked = lossy("sum")
    assert holds(worked, "loss", "1/2")
    assert holds(worked, "dZ", "1")
    assert holds(worked, "dQ", "1/4")


def test_half_the_squared_error_has_the_error_as_its_gradient() -> None:
    """(1/2 - 3)^2 / 2 = 25/8."""
    worked = lossy("squared", "target = [[3]]\n")
    assert holds(worked, "loss", "25/8")
    assert holds(worked, "dZ", "-5/2")
    assert holds(worked, "dQ", "-5/8")


def test_the_gradient_of_a_cross_entropy_is_probabilities_less_target() -> None:
    """Z = (1/2) (ln 9, 0), so the probabilities are 3/4 and 1/4, and the loss of the second is ln 4."""
    text = HALVES.replace("V = [[0], [1]]", 'V = [["ln(9)", 0], [0, 0]]') + "target = [[0, 1]]\n"
    worked = work(parse_case(text + SETTINGS.format("cross-entropy")))
    assert [str(x.rational) for x in next(worked["prediction"].rows())] == ["3/4", "1/4"]
    assert holds(worked, "loss", "ln(4)")
    assert [str(x.rational) for x in next(worked["dZ"].rows())] == ["3/4", "-3/4"]


@pytest.mark.parametrize(("loss", "more"), [("sum", ""), ("squared", "target = [[3]]\n")])
def test_gradients_are_proved_to_be_the_derivatives_of_the_loss(loss: str, more: str) -> None:
    proofs = gradient_proofs(lossy(loss, more).derivation)
    assert [(proof.name, proof.decided and proof.equal) for proof in proofs] == [
        ("dQ", True),
        ("dK", True),
        ("dV", True),
    ]


def test_a_target_that_is_no_distribution_is_refused() -> None:
    with pytest.raises(UnusableValue, match="sum to 1"):
        lossy("cross-entropy", "target = [[3]]\n")


@pytest.mark.parametrize(
    ("given", "settings", "named"),
    [
        ("dZ = [[1]]", 'loss = "sum"', 'loss = "sum" and dZ:'),
        ("W_O = [[1]]\ndZ = [[1]]\ndoutput = [[1]]", "", "dZ and doutput:"),
        ("W_O = [[1]]\ndZ = [[1]]", 'loss = "sum"', 'loss = "sum" and dZ:'),
        (
            "W_O = [[1]]\nlayer2.dZ = [[1]]\nlayer2.doutput = [[1]]",
            "layers = 2",
            "layer2.dZ and layer2.doutput:",
        ),
        ("dconcat = [[1]]\nW_O = [[1]]\ndoutput = [[1]]", "", "dconcat and doutput:"),
    ],
)
def test_a_backward_pass_starts_from_one_gradient_or_loss(given: str, settings: str, named: str) -> None:
    with pytest.raises(UnusableValue, match=named) as refused:
        work(parse_case(f"{HALVES}{given}\n[attention]\n{settings}\n"))
    assert "keep one of them" in refused.value.remedy


@pytest.mark.parametrize("loss", ["squared", "cross-entropy"])
def test_a_loss_that_compares_needs_a_target(loss: str) -> None:
    with pytest.raises(MissingGiven, match=f'loss = "{loss}" compares Z with a target'):
        lossy(loss)


def test_the_target_is_that_of_the_last_layer_and_of_no_single_one() -> None:
    with pytest.raises(UnknownKey, match=r"layer2\.target"):
        parse_case(f"{STACKED}layer2.target = [[1]]\n[attention]\nlayers = 2\n")


def test_with_several_layers_the_gradient_of_the_output_of_one_of_them_is_given() -> None:
    with pytest.raises(UnusableValue, match="dZ is given, and the computation has no Z") as refused:
        work(parse_case(f"{STACKED}dZ = [[1]]\n[attention]\nlayers = 2\n"))
    assert refused.value.remedy == "give layer2.dZ"
    worked = work(parse_case(f"{STACKED}layer2.dZ = [[1]]\n[attention]\nlayers = 2\n"))
    assert worked.check.agrees
    assert holds(worked, "dX", "1")


@pytest.mark.parametrize(
    ("loss", "target", "value"), [("squared", [1, 2, 3], "12.9297"), ("cross-entropy", [0, 1, 0], "2.7009")]
)
def test_a_loss_over_many_exponentials_is_that_of_named_entries(
    loss: str, target: list[int], value: str
) -> None:
    """Three heads and two tokens: a common denominator of all entries would have thousands of terms."""
    text = f"""
    [given]
    X = [[1, 0.5, 2], [0.25, 1, -1]]
    W_Q = [[1, 0.5, 0.25], [0.75, 1, 0], [0.5, 0.25, 1]]
    W_K = [[0.5, 0.5, 0.25], [0.75, 1, 0.125], [0.5, 0.25, 1]]
    W_V = [[1, 0.5, 0.25], [0.75, 1, 0], [0.5, 0.25, 1]]
    W_O = [[1, 0.5, 0.25], [0.75, 1, 0], [0.5, 0.25, 1]]
    target = {[target, target]}
    [attention]
    heads = 3
    loss = "{loss}"
    """
    worked = work(parse_case(text))
    assert worked.check.agrees
    assert worked.data(only=["loss"])["steps"][0]["decimal"] == [[value]]


def test_a_page_names_the_loss_in_both_languages() -> None:
    path = FOLDER / "variants" / "backward_loss.toml"
    english, chinese = (markdown(page(path, lang)) for lang in ("en", "zh"))
    assert "half the squared distance" in english
    assert "平方和的一半" in chinese
    assert "are the derivatives" in english or "derivatives of the loss" in english


def test_a_stated_gradient_with_the_wrong_sign_is_a_slip_of_the_error() -> None:
    op = next(line.op for line in lossy("squared", "target = [[3]]\n").derivation if line.name == "error")
    (slip,) = op.slips()
    assert slip.code == "error-reversed"


@pytest.mark.parametrize(
    ("axis", "rows", "columns"),
    [
        (1, "sum_j R", "sum_i R"),
        (0, "sum_i R", "sum_j R"),
        (None, "sum_(i j) R", "sum_(i j) R"),
    ],
)
def test_a_sum_names_the_indices_it_runs_over(axis: int | None, rows: str, columns: str) -> None:
    """A row is summed over j, a bias gradient over the tokens i, a loss over both; in columns i is j."""
    formula = RowSums(axis=axis).formula(Symbol("R"))
    assert [plain_formula(formula), plain_formula(transposed(formula))] == [rows, columns]


def test_the_logarithm_of_a_probability_that_is_almost_1_is_not_taken_for_algebraic() -> None:
    """SymPy takes it for log 1, and searching for its minimal polynomial ended in a traceback."""
    text = """
    [given]
    A = [[2, 0, "sqrt(2)"], ["-0.7", 0, 2]]
    V = [["1/2", 0], [1000, "-0.7"], [0, "1/2"]]
    W_O = [["sqrt(2)", 3], [0, "0.3"]]
    b_O = [1000, 0]
    target = [[1, 0], [1, 0]]
    [attention]
    loss = "cross-entropy"
    """
    assert "Loss" in work(parse_case(text)).text()
