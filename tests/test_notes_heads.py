"""Several heads in notes: which head a formula belongs to, and one walk made of all of them."""

from __future__ import annotations

import pytest

from symattn.case import Case
from symattn.reading.documents import document_reports
from symattn.reading.notes.reader import read_notes
from tests.linked import accused

WEIGHTS = """
X = [[1, 2], [3, 4]]
W_Q^1 = [[1, 0], [0, 1]]
W_K^1 = [[1, 1], [0, 1]]
W_V^1 = [[2, 0], [0, 2]]
W_Q^2 = [[0, 1], [1, 0]]
W_K^2 = [[1, 0], [1, 1]]
W_V^2 = [[3, 0], [0, 3]]
"""


def only(text: str) -> Case:
    (case,) = read_notes(text).cases
    return case


def names(case: Case) -> list[str]:
    return [claim.name for claim in case.stated]


def test_weights_of_the_heads_stand_side_by_side_in_one_walk_with_several_heads() -> None:
    case = only(WEIGHTS + "Q_1 = X W_Q^1 = [[1, 2], [3, 4]]\nQ_2 = X W_Q^2 = [[2, 1], [4, 3]]\n")
    assert case.settings.heads == 2
    assert case.given["W_Q"].typed == (("1", "0", "0", "1"), ("0", "1", "1", "0"))
    assert names(case) == ["head1.Q", "head2.Q"]


def test_weights_that_multiply_as_x_times_w_transposed_stand_below_one_another() -> None:
    weights = "".join(f"W_{name}^{head} = [[1, 2, 3], [0, 1, 0]]\n" for head in (1, 2) for name in "QKV")
    case = only(f"X = [[1, 2, 3], [4, 5, 6]]\n{weights}Q_1 = [[14, 2], [32, 5]]\nQ_2 = [[14, 2], [32, 5]]\n")
    assert case.settings.weights == "transposed"
    assert case.given["W_Q"].shape == (4, 3)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Q_1", "Q_2"),
        ("Q^1", "Q^2"),
        ("$Q^{(1)}$", "$Q^{(2)}$"),
        ("Q1", "Q2"),
    ],
)
def test_a_matrix_with_a_head_in_its_name_is_that_of_the_head(first: str, second: str) -> None:
    text = f"Two heads.\n{WEIGHTS}\n{first} = [[1, 2], [3, 4]]\n\n{second} = [[2, 1], [4, 3]]\n"
    assert names(only(text)) == ["head1.Q", "head2.Q"]


@pytest.mark.parametrize("weights", ["W^Q_{}", "W_{}^Q", "W_Q^{{({})}}", "W_Q^{}", "W_Q{}", "W_{{Q,{}}}"])
def test_weights_say_their_head_in_many_ways(weights: str) -> None:
    given = ""
    for head in (1, 2):
        for name in "QKV":
            said = weights.format(head).replace("Q", name)
            given += f"${said} = \\begin{{pmatrix}} 1 & {head} \\end{{pmatrix}}^T$\n\n"
            given += f"${name}_{head} = X {said} = [[{1 + 2 * head}], [{3 + 4 * head}]]$\n\n"
    case = only("$X = [[1, 2], [3, 4]]$\n\n" + given)
    assert case.given["W_K"].typed == (("1", "1"), ("1", "2"))
    assert names(case) == [f"head{head}.{name}" for head in (1, 2) for name in "QKV"]


def test_plain_names_below_a_heading_belong_to_its_head() -> None:
    text = (
        WEIGHTS
        + "\n## Head 1\n\nQ = [[1, 2], [3, 4]]\n\n### Scores\n\nq_1 · k_1 = 1*1 + 2*3 = 7\n"
        + "\n## Head 2\n\nQ = [[2, 1], [4, 3]]\n\n## Concatenation\n\nConcat = [[1, 2, 3, 4], [5, 6, 7, 8]]\n"
    )
    assert names(only(text)) == ["head1.Q", "head1.scores", "head2.Q", "concat"]


def test_a_chinese_heading_says_the_head_too() -> None:
    text = WEIGHTS + "\n### 第一个头\n\nQ = [[1, 2], [3, 4]]\n\n### 头 2\n\nQ = [[2, 1], [4, 3]]\n"
    assert names(only(text)) == ["head1.Q", "head2.Q"]


def test_columns_split_from_a_whole_are_claims_of_the_heads() -> None:
    text = (
        "We split into 2 heads.\nX = [[1, 0], [0, 1]]\nW_Q = [[1, 2], [3, 4]]\nQ = [[1, 2], [3, 4]]\n"
        "Q_1 = [[1], [3]]\nQ_2 = [[2], [4]]\n"
    )
    assert names(only(text)) == ["Q", "head1.Q", "head2.Q"]


def test_heads_that_begin_at_q_k_and_v_give_them_side_by_side() -> None:
    given = "".join(f"{name}_{head} = [[{head}, 0], [0, 1]]\n" for head in (1, 2) for name in "QKV")
    case = only(f"Two heads.\n{given}S_1 = [[1, 0], [0, 1]]\nS_2 = [[4, 0], [0, 1]]\n")
    assert case.given["Q"].typed == (("1", "0", "2", "0"), ("0", "1", "0", "1"))
    assert names(case) == ["head1.scores", "head2.scores"]


def test_vectors_with_an_index_stay_rows_where_there_is_one_head() -> None:
    case = only("X = [[1, 0], [0, 1]]\nW_Q = [[1, 2], [3, 4]]\nQ_1 = [1, 2]\nQ_2 = [3, 4]\n")
    assert case.settings.heads == 1
    assert [(claim.name, claim.row) for claim in case.stated] == [("Q", 0), ("Q", 1)]


def test_concatenated_heads_are_projected_to_the_output() -> None:
    text = (
        WEIGHTS
        + "Q_1 = [[1, 2], [3, 4]]\nQ_2 = [[2, 1], [4, 3]]\nW_O = [[1, 0], [0, 1], [1, 0], [0, 1]]\n\n"
        + "$\\text{output} = \\text{Concat} W_O = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}$\n"
    )
    assert names(only(text)) == ["head1.Q", "head2.Q", "output"]


def test_heads_side_by_side_that_w_o_multiplies_are_no_single_head() -> None:
    text = (
        WEIGHTS
        + "Q_1 = [[1, 2], [3, 4]]\nQ_2 = [[2, 1], [4, 3]]\nW_O = [[1, 0], [0, 1], [1, 0], [0, 1]]\n\n"
        + "Concat = [[1, 2, 3, 4], [5, 6, 7, 8]]\n\noutput = Concat W_O = [[4, 6], [12, 14]]\n"
    )
    assert names(only(text)) == ["head1.Q", "head2.Q", "concat", "output"]


def test_a_row_taken_of_a_numbered_name_is_one_of_that_head() -> None:
    rows = "".join(f"Q_{head}[{i}] = [{i}, {head}]\n" for head in (1, 2) for i in (0, 1))
    case = only(f"{WEIGHTS}\nThere are 2 heads.\n\n{rows}")
    found = [(claim.name, claim.row, claim.values) for claim in case.stated]
    assert found == [
        ("head1.Q", 0, (("0", "1"),)),
        ("head1.Q", 1, (("1", "1"),)),
        ("head2.Q", 0, (("0", "2"),)),
        ("head2.Q", 1, (("1", "2"),)),
    ]


def test_what_stands_before_w_o_is_what_the_heads_are_side_by_side() -> None:
    """Below `o_1 = [...] W_O` the list is no row of Z, which every head has for itself."""
    case = only(
        f"{WEIGHTS}W_O = [[1, 0], [0, 1], [1, 0], [0, 1]]\nQ_1 = [[1, 2], [3, 4]]\nQ_2 = [[2, 1], [4, 3]]\n"
        "\n## Output projection\n\no_1 = [1, 2, 3, 4] W_O = [4, 6]\n"
    )
    assert names(case)[2:] == ["concat", "output"]


def test_the_commas_between_names_do_not_keep_a_drawing_from_being_one() -> None:
    case = only(
        f"{WEIGHTS}Q_1 = [[1, 2], [3, 4]]\nQ_2 = [[2, 1], [4, 3]]\n\nConcatenation\n\n"
        "                           [2.5  4.5  6.5  8.5]\n"
        "  Concat(head_1, head_2) = [1.5  3.5  5.5  7.5]\n"
    )
    (joined,) = (claim for claim in case.stated if claim.name == "concat")
    assert (joined.row, joined.values) == (0, (("2.5", "4.5", "6.5", "8.5"), ("1.5", "3.5", "5.5", "7.5")))


def test_one_head_out_of_many_is_attention_without_heads() -> None:
    text = "X = [[1, 0], [0, 1]]\n\n$W_Q^{(1)} = [[1, 2], [3, 4]]$\n\n$Q^{(1)} = [[1, 2], [3, 4]]$\n"
    (case,) = read_notes(text).cases
    assert [(claim.name, claim.values) for claim in case.stated] == [("Q", (("1", "2"), ("3", "4")))]


SHARED = """\
K = [[0, 1], [2, 0]]

V = [[1, 1], [0, 2]]

## Query head 1

$$Q^{(1)} = \\begin{bmatrix} 1 & 1 \\\\ 0 & 1 \\end{bmatrix}$$

$$Q^{(1)} {K}^T = \\begin{bmatrix} 1 & 2 \\\\ 1 & 0 \\end{bmatrix}$$

## Query head 2

$$Q^{(2)} = \\begin{bmatrix} 2 & 0 \\\\ 1 & 0 \\end{bmatrix}$$

$$Q^{(2)} {K}^T = \\begin{bmatrix} 0 & 4 \\\\ 0 & 3 \\end{bmatrix}$$
"""


def test_several_heads_of_queries_share_the_keys_that_stand_before_them() -> None:
    reports = document_reports(SHARED, "notes.md", "markdown")
    (case,) = {report.case.settings.kv_heads: report.case for report in reports if report.judgements}.values()
    assert (case.settings.heads, case.settings.kv_heads) == (2, 1)
    wrong = [
        number.printed.numeral.text
        for report in reports
        for number in report.judgements
        if number.verdict == "slip"
    ]
    assert wrong == ["3"]


def test_a_layer_of_several_heads_may_be_written_as_a_function_of_its_input() -> None:
    text = "A = [[0.5, 0.5]]\n\nV = [[2, 2], [0, 2]]\n\nZ = [[1, 2]]\n\n"
    text += "W_O = [[1, 0], [1, 1]]\n\nMultiHead(X) = [[3, 2]]\n"
    assert [claim.name for case in read_notes(text).cases for claim in case.stated] == ["Z", "output"]


def test_what_the_heads_are_given_as_q_k_and_v_is_joined_as_well() -> None:
    text = (
        "$$X = \\begin{bmatrix} 1 & 0 & 2 & 0 \\\\ 0 & 1 & 0 & 1 \\end{bmatrix}$$\n\n"
        "## Head 1\n\n$Q_1 = K_1 = V_1 = \\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}$\n\n"
        "$$Q_1K_1^T = \\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}$$\n\n"
        "## Head 2\n\n$Q_2 = K_2 = V_2 = \\begin{bmatrix} 2 & 0 \\\\ 0 & 1 \\end{bmatrix}$\n\n"
        "$$Q_2K_2^T = \\begin{bmatrix} 4 & 0 \\\\ 0 & 2 \\end{bmatrix}$$\n"
    )
    reports = document_reports(text, "notes.md", "markdown")
    told = [
        (number.printed.numeral.text, number.verdict)
        for report in reports
        for number in report.judgements
        if report.case.settings.heads == 2
    ]
    assert [text for text, verdict in told if verdict == "slip"] == ["2"]
    assert len(told) >= 8


def test_x_goes_into_each_of_the_heads_by_another_name_where_these_project_it() -> None:
    column = "\\begin{bmatrix} %s \\\\ %s \\end{bmatrix}"
    first, second = (
        f"$$W_{i}^Q = {column % q}, \\quad W_{i}^K = {column % q}, \\quad W_{i}^V = {column % v}$$\n\n"
        for i, q, v in ((1, (1, 0), (0, 3)), (2, (0, 1), (5, 0)))
    )
    text = (
        "$$X = \\begin{bmatrix} 1 & 2 \\\\ 0 & 1 \\end{bmatrix}$$\n\nLet $Q = K = V = X$.\n\n"
        f"### Head 1\n\n{first}$$V_1 = X W_1^V = {column % (6, 3)}$$\n\n"
        f"### Head 2\n\n{second}$$V_2 = X W_2^V = {column % (5, 1)}$$\n"
    )
    reports = document_reports(text, "notes.md", "markdown")
    told = [(n.printed.numeral.text, n.verdict) for report in reports for n in report.judgements]
    assert told == [("6", "correct"), ("3", "correct"), ("5", "correct"), ("1", "slip")]


def test_square_weights_of_heads_with_biases_multiply_as_their_products_or_the_text_say() -> None:
    head = "## Head {}\n\nW_Q = [[1, 2], [0, 1]]\nb_Q = [{}, 1]\nW_K = [[1, 0], [0, 1]]\nQ = {}\n"
    head += "K = [[1, 0], [1, 1]]\n\n"
    made = "[[2, 1], [4, 2]]"  # X W^T + b
    text = "X = [[1, 0], [1, 1]]\n\n" + head.format(1, 1, made) + head.format(2, 1, made)
    assert read_notes(text).cases[0].settings.weights == "transposed"
    left = text.replace(f"Q = {made}\n", "")
    assert read_notes(left).cases[0].settings.weights == "right"
    assert read_notes(f"We compute $X W_Q^T$.\n\n{left}").cases[0].settings.weights == "transposed"


def test_shares_that_differ_from_the_weights_of_a_head_are_what_these_make_of_its_values() -> None:
    text = (
        "Two heads.\n\nQ = [[1, 2, 0, 1], [0, 1, 1, 0]]\nK = [[1, 0, 1, 1], [1, 1, 0, 2]]\n"
        "V = [[2, 1, 0, 1], [1, 3, 1, 0]]\n\n"
        "## Head 1\n\nA = [[0.196, 0.804], [0.330, 0.670]]\n\nhead_1 = [[1.196, 2.608], [1.330, 2.340]]\n\n"
        "## Head 2\n\nA = [[0.330, 0.670], [0.670, 0.330]]\n\nhead_2 = [[0.670, 0.330], [0.330, 0.670]]\n"
    )
    assert names(only(text)) == ["head1.A", "head1.Z", "head2.A", "head2.Z"]


SINGLE = """\
X = [[1, 0, 2], [0, 1, 1]], d_k = 2

W_Q = [[1, 0], [0, 1], [0, 0]]

W_K = [[0, 1], [1, 0], [0, 0]]

W_V = [[1, 0], [0, 1], [0, 0]]

sqrt(d_k) = sqrt(2) ≈ 1.414

Q K^T / sqrt(d_k) = [[0, 0.707], [0.707, 0]]

A = [[0.330, 0.670], [0.670, 0.330]]

Z = [[0.330, 0.670], [0.670, 0.330]]

## Multi-head

W_Q^1 = W_Q, W_K^1 = W_K, W_V^1 = W_V

head_1 = [[0.330, 0.670], [0.670, 0.330]]

W_Q^2 = [[0, 1], [1, 0], [0, 0]]

W_K^2 = [[1, 0], [0, 1], [0, 0]]

W_V^2 = [[0, 1], [1, 0], [0, 0]]

Q^2 = [[0, 1], [1, 0]]

A^2 = [[0.330, 0.670], [0.670, 0.330]]

head_2 = [[0.670, 0.330], [0.330, 0.670]]
"""


def test_a_head_without_weights_of_its_own_has_those_of_the_single_head_before() -> None:
    assert accused(SINGLE) == []
    assert accused(SINGLE.replace("head_2 = [[0.670", "head_2 = [[0.760")) == ["head2.Z 0.760"]


HALVES = """\
X = [[1, 0, 2, 1], [0, 1, 1, 1]], two heads, d_k = 2.

## Head 1

$Q_1 = K_1 = V_1 = \\begin{bmatrix}1 & 0 \\\\ 0 & 1\\end{bmatrix}$

$A^{(1)} = \\begin{bmatrix}0.67 & 0.33 \\\\ 0.33 & 0.67\\end{bmatrix}$

$\\text{head}_1 = A^{(1)} V_1 = \\begin{bmatrix}0.67 & 0.33 \\\\ 0.33 & 0.67\\end{bmatrix}$

## Head 2

$Q_2 = K_2 = V_2 = \\begin{bmatrix}2 & 1 \\\\ 1 & 1\\end{bmatrix}$

$A^{(2)} = \\begin{bmatrix}0.80 & 0.20 \\\\ 0.67 & 0.33\\end{bmatrix}$

$\\text{head}_2 = A^{(2)} V_2 = \\begin{bmatrix}1.80 & 1.00 \\\\ 1.67 & 1.00\\end{bmatrix}$

## HEADING

$\\begin{bmatrix}0.67 & 0.33 & 1.80 & 1.00 \\\\ 0.33 & 0.67 & 1.67 & 1.00\\end{bmatrix}$
"""


@pytest.mark.parametrize(
    "heading", ["Output", "Concatenated output", "Multi-head output", "最终输出", "Concatenate"]
)
def test_an_output_as_wide_as_those_of_all_heads_is_these_together(heading: str) -> None:
    reading = read_notes(HALVES.replace("HEADING", heading))
    assert reading.cases[-1].stated[-1].name == "concat"
    assert not reading.unread
    assert not accused(HALVES.replace("HEADING", heading))


def test_scores_of_a_head_by_its_number_may_be_divided_already() -> None:
    scores = (
        "scores = Q{0} @ K{0}ᵀ / √2\n\n          cat     dog\ncat    [ 0.71,  0.00]\ndog    [ 0.00,  2.83]"
    )
    ones = "[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]\n"
    text = "X = [[1, 0, 1, 0], [0, 2, 0, 2]]\n" + "".join(f"W_{name} = {ones}" for name in "QKV")
    text += "".join(f"\n## Head {k}\n\n```\n{scores.format('₀₁'[k])}\n```\n" for k in (0, 1))
    assert {claim.name for case in read_notes(text).cases for claim in case.stated} == {
        "head1.scaled",
        "head2.scaled",
    }
