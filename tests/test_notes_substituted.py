"""What no walk computes: formulas of names are worked out with the numbers printed for them."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports


def verdicts(text: str) -> list[tuple[str, str, str]]:
    """Every judged number that is not right: its quantity, its characters and the verdict."""
    return [
        (number.printed.name, number.printed.numeral.text, number.verdict)
        for report in document_reports(text, "notes.md", "markdown")
        for number in report.judgements
        if number.verdict != "correct"
    ]


def unread(text: str) -> list[str]:
    """The characters of the numbers without a verdict."""
    reports = document_reports(text, "notes.md", "markdown")
    return [number.text for report in reports for number in report.unread]


@pytest.mark.parametrize(
    "text",
    [
        "B = [[1, 2], [0, 1]]\nC = [[3, 1], [1, 0]]\nB C^T = [[5, 1], [1, 7], [1, 2]]\n",
        "s = [1, 2]\nh_1 = [0, 1]\n\ns + h_1 = [1, 3, 4]\n",
        "Y = [[1, 2], [3, 4]]\n\nc = [1, -1]\n\nM = [[1, 0], [1, 1]]\n\nY M + c = [[4, 1], [8, 3]]\n",
    ],
)
def test_a_formula_whose_value_has_another_shape_says_nothing(text: str) -> None:
    assert verdicts(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("s = [1, 2]\nh_1 = [0, 1]\n\ns + h_1 = [1, 3]\n", []),
        ("Let z = (2, 1). Then exp(z) = (7.389, 2.718) and softmax(z) = (0.731, 0.269).\n", []),
        ("Let z = (2, 1). Then softmax(z) = (0.731, 0.369).\n", [("=", "0.369", "slip")]),
        ("q_i = [1, 2]\nk_1 = [1, 2]\n\nq_i·k_1 / √2 = 4 / √2\n", [("=", "4", "slip")]),
        ("s = [1, 2, 4]\nh_1 = [0, 1, 1]\n\ns + h_1 = [1, 4, 5]\n", [("=", "4", "slip")]),
        (
            "Y = [[1, 2], [3, 4]]\n\nc = [1, -1]\n\nM = [[1, 0], [1, 1]]\n\nH = Y·M + c = [[4, 1], [8, 4]]\n",
            [("=", "4", "slip")],
        ),
        ("H = [[1, 2, 0], [0, 1, 1]]\n\nu = [1, 1, 1]\n\nh_2 + u = [1, 2, 3]\n", [("=", "3", "slip")]),
        (
            "φ(K) = [[1, 2], [3, 4]]\nV = [[1, 0], [0, 1]]\nφ(K)^T V = [[1, 3], [2, 5]]\n",
            [("=", "5", "slip")],
        ),
    ],
)
def test_a_formula_of_names_is_worked_out_with_the_numbers_printed_for_them(
    text: str, found: list[tuple[str, str, str]]
) -> None:
    assert verdicts(text) == found


def test_a_formula_that_most_numbers_beside_it_disagree_with_means_something_else() -> None:
    text = "B = [[1, 2], [0, 1]]\nC = [[3, 1], [1, 0]]\nB C^T = [[7, 8], [9, 6]]\n"
    assert verdicts(text) == []
    assert {"7", "8", "9", "6"} <= set(unread(text))


TWICE = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]
V = [[1, 2], [3, 4]]
S = [[1, 0], [0, 2]]

Without scaling:

softmax(S) = [[0.731, 0.269], [0.119, 0.881]]

Scaled by √d_k = √2:

S / √2 = [[0.707, 0.000], [0.000, 1.414]]
"""


def test_numbers_that_agree_with_their_own_formula_are_no_slips_of_the_walk() -> None:
    assert verdicts(TWICE) == []
    assert unread(TWICE) == []


BELOW = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]
V = [[1, 2], [3, 4]]
{between}
A = [[0.3, 0.7], [0.4, 0.6]]
"""


def test_most_of_a_quantity_is_wrong_for_no_cause_only_where_everything_above_it_was_read() -> None:
    assert [text for _, text, _ in verdicts(BELOW.format(between=""))] == ["0.3", "0.7", "0.4", "0.6"]
    assert verdicts(BELOW.format(between="D = [[5, 3], [2, 9]]")) == []


NORMED = """\
x = [1, 2, 6]

mean = {mean}

σ² = 4.667

σ = 2.160

x̂ = [-0.926, -0.463, {last}]
"""


@pytest.mark.parametrize(
    ("mean", "last", "found"),
    [("3", "1.389", []), ("3", "1.489", [("=", "1.489", "slip")])],
)
def test_a_norm_that_stands_alone_is_that_of_the_list_above_it(
    mean: str, last: str, found: list[tuple[str, str, str]]
) -> None:
    text = NORMED.format(mean=mean, last=last)
    assert [each for each in verdicts(text) if each[2] == "slip"] == found
    assert unread(text) == []


def test_a_function_binds_its_argument_before_anything_is_divided() -> None:
    text = "x = [3, 4, 0]\n\nRMS(x) = sqrt(25/3) = 2.887\n\nx / RMS(x) = [1.039, 1.486, 0.000]\n"
    assert verdicts(text) == [("=", "1.486", "slip")]


def test_a_number_in_doubt_is_still_held_against_the_working_on_its_line() -> None:
    text = (
        "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[1, 2], [3, 4]]\nD = [[5, 3], [2, 9]]\n\n"
        "z_1 = [5, 7]/2 = [2.5, 3.5]\n\nz_2 = [9, 8]/4 = [2.25, 2]\n"
    )
    assert verdicts(text) == []
    assert unread(text)[-2:] != ["2.25", "2"]


def test_projections_of_other_decimals_than_x_are_where_the_walk_begins() -> None:
    text = (
        "X = [[0, 1], [3, 1]]\n\nX_norm = LayerNorm(X) = [[-1.0, 1.0], [1.0, -1.0]]\n\n"
        "W_Q = [[1, 2], [0, 1]]\n\nW_K = [[1, 0], [2, 1]]\n\nW_V = [[1, 1], [0, 1]]\n\n"
        "Q = [[-1.0, -1.0], [1.0, 1.0]]\n\nK = [[1.0, 1.0], [-1.0, -1.0]]\n\n"
        "V = [[-1.0, 0.0], [1.0, 0.0]]\n\n"
        "scores = [[-2.0, 2.0], [2.0, -3.0]]\n"
    )
    assert [each for each in verdicts(text) if each[2] == "slip"] == [("scores", "-3.0", "slip")]


def test_a_raised_letter_of_weights_is_no_query_and_a_score_with_a_prime_is_scaled() -> None:
    text = "X = [[0, 1], [1, 2]]\n\nW^Q =\n[ 0  3 ]\n[ 1  1 ]\n\nQ =\n[ 1  1 ]\n[ 2  6 ]\n"
    assert verdicts(text) == [("Q", "6", "slip")]
    scored = "Q = [[2, 0, 0, 2]]\nK = [[1, 0, 0, 0]]\nV = [[1, 1]]\nS = [[2]]\n\n$\\tilde{S} = [[1]]$\n"
    assert verdicts(scored) == []


def test_projections_without_an_x_are_where_the_walk_begins() -> None:
    text = (
        "W_Q = [[1, 0], [0, 1]]\n\nQ = [[1, 2], [3, 4]]\nK = [[1, 0], [0, 1]]\n\nscores = [[1, 2], [3, 5]]\n"
    )
    assert verdicts(text) == [("scores", "5", "slip")]


def test_the_bias_of_a_layer_is_added_to_every_row() -> None:
    text = "H = [[1, 2], [0, 1]]\n\nM = [[1, 0], [1, 1]]\n\nb = [[1, -1]]\n\nG = H M + b = [[4, 1], [2, 1]]\n"
    assert [(number, verdict) for _, number, verdict in verdicts(text)] == [("1", "slip")]


@pytest.mark.parametrize(("second", "wrong"), [("0.17", []), ("0.71", ["0.71"])])
def test_the_index_of_a_mean_says_its_row(second: str, wrong: list[str]) -> None:
    text = (
        "X + Attn(X) = [[1, 3, 2], [0, 1, 0.5]]\n\n$\\mu_1 = 2.0$ and $\\sigma_1^2 = 0.67$\n\n"
        f"y_1 = [-1.2, 1.2, 0.1]\n\n$\\mu_2 = 0.5$ and $\\sigma_2^2 = {second}$\n"
    )
    assert [number for _, number, verdict in verdicts(text) if verdict == "slip"] == wrong


LAYER = """H = [[1, 2, 1]]

W_2 = [[0, 0], [1, 1], [1, 2]]

R = ReLU(H) = [{}, 2, 1]

Y = R W_2 = {}
"""


@pytest.mark.parametrize(
    ("first", "last", "slips"),
    [("1", "[3, 4]", []), ("1", "[-3, 4]", ["-3"]), ("1", "[-3, 5]", []), ("4", "[3, 4]", ["4"])],
)
def test_names_that_were_given_to_matrices_mean_them_where_half_of_the_numbers_agree(
    first: str, last: str, slips: list[str]
) -> None:
    found = verdicts(LAYER.format(first, last))
    assert [text for _, text, verdict in found if verdict == "slip"] == slips
