"""Vectors as columns in notes: a column for each token, or W x vector by vector."""

from __future__ import annotations

import pytest

from symattn.auditor.audit import audit
from symattn.case import Case
from symattn.reading.notes.reader import read_notes

X = "X = [[1, 3, 5], [2, 4, 6]]\n\n"
W = "W_Q = [[1, 1], [0, 1]]\n\nW_K = [[1, 0], [0, 1]]\n\nW_V = [[2, 0], [0, 1]]\n\n"
Q = "Q = W_Q X = [[3, 7, 11], [2, 4, 6]]\n\n"


def only(text: str) -> Case:
    (case,) = read_notes(text).cases
    return case


def verdicts(text: str) -> set[str]:
    return {number.verdict for number in audit(only(text)).judgements}


def test_w_times_x_of_matrices_makes_every_token_a_column() -> None:
    case = only(X + W + Q)
    assert (case.settings.tokens_as, case.settings.weights) == ("columns", "left")
    assert case.given["X"].typed == (("1", "3", "5"), ("2", "4", "6"))
    assert [claim.values for claim in case.stated] == [(("3", "7", "11"), ("2", "4", "6"))]
    assert verdicts(X + W + Q) == {"correct"}


def test_scores_k_transposed_times_q_have_a_column_for_each_query() -> None:
    text = (
        X
        + W
        + Q
        + "K = W_K X = [[1, 3, 5], [2, 4, 6]]\n\nS = K^T Q = [[7, 15, 23], [17, 37, 57], [27, 59, 91]]\n"
    )
    assert [claim.name for claim in only(text).stated] == ["Q", "K", "scores"]
    assert verdicts(text) == {"correct"}


def test_a_vector_of_one_token_is_a_column_of_its_matrix() -> None:
    case = only(X + W + Q + "q_2 = [7, 4]\n")
    last = case.stated[-1]
    assert (last.row, last.col, last.values) == (0, 1, (("7",), ("4",)))


def test_words_say_columns_where_no_formula_does() -> None:
    assert (
        only(
            "Each token is a column, column vectors.\n\n" + X + W + "Q = [[3, 7, 11], [2, 4, 6]]\n"
        ).settings.tokens_as
        == "columns"
    )


@pytest.mark.parametrize(
    ("printed", "tokens_as"), [("[[3, 7], [2, 4]]", "columns"), ("[[4, 2], [6, 4]]", "rows")]
)
def test_for_a_square_x_the_printed_product_decides(printed: str, tokens_as: str) -> None:
    case = only(f"X = [[1, 3], [2, 4]]\n\n{W}Q = W_Q X = {printed}\n")
    assert case.settings.tokens_as == tokens_as


def test_a_product_that_is_wrong_either_way_leaves_it_to_the_words() -> None:
    said = "Every token is a column.\n\n"  # of the product only the 4 is that of rows
    case = only(f"{said}X = [[1, 3], [2, 4]]\n\n{W}Q = W_Q X = [[4, 9], [9, 9]]\n")
    assert case.settings.tokens_as == "columns"


def test_rows_with_the_weights_written_first_stay_rows() -> None:
    case = only("X = [[1, 2], [3, 4], [5, 6]]\n\n" + W + "Q = W_Q X = [[3, 2], [7, 4], [11, 6]]\n")
    assert case.settings.tokens_as == "rows"


def test_w_times_x_vector_by_vector_is_the_product_with_the_transpose() -> None:
    def column(a: int, b: int) -> str:
        return rf"\begin{{pmatrix}} {a} \\ {b} \end{{pmatrix}}"

    weights = r"\begin{pmatrix} 1 & 1 \\ 0 & 1 \end{pmatrix}"
    given = f"$x_1 = {column(1, 2)}$\n\n$x_2 = {column(3, 4)}$\n\n{W}"
    text = f"{given}$q_1 = W_Q x_1 = {weights}{column(1, 2)} = {column(3, 2)}$"
    case = only(text)
    assert case.given["X"].typed == (("1", "2"), ("3", "4"))
    assert [(claim.name, claim.row, claim.values) for claim in case.stated] == [("Q", 0, (("3", "2"),))]
    assert verdicts(text) == {"correct"}


def test_words_label_the_tokens_whose_vectors_are_printed_one_by_one_as_columns() -> None:
    """The second list of exponentials belongs to the token that is named above it."""
    text = (
        'The tokens are "cat", "sat".\n\n'
        "$x_1 = \\begin{bmatrix} 1 \\\\ 0 \\end{bmatrix}$\n\n"
        "$x_2 = \\begin{bmatrix} 0 \\\\ 1 \\end{bmatrix}$\n\n"
    )
    assert only(text + W + 'For "sat":\n\nA = [0.3, 0.7]\n').stated[-1].row == 1


LETTERED = (
    "$$I=[a^1\\ a^2]={x}$$\n\n$$W^q={w},\\quad W^k={w},\\quad W^v={w}$$\n\n"
    "$$Q=W^qI={q},\\quad K=W^kI={q},\\quad V=W^vI={q}$$\n\n$$A=K^TQ={s}$$\n\n"
    "$$A'=\\text{{softmax}}(A)={a}$$\n\n$$O=VA'={o}$$\n"
)


def matrix(*rows: str) -> str:
    return "\\begin{bmatrix}" + r" \\ ".join(rows) + "\\end{bmatrix}"


def test_an_input_of_another_letter_is_in_columns_and_letters_that_are_not_braced_stand_alone() -> None:
    text = LETTERED.format(
        x=matrix("1 & 0", "1 & 1"),
        w=matrix("1 & 0", "-1 & 1"),
        q=matrix("1 & 0", "0 & 1"),
        s=matrix("1 & 0", "0 & 1"),
        a=matrix("0.731 & 0.269", "0.269 & 0.731"),
        o=matrix("0.731 & 0.269", "0.269 & 0.731"),
    )
    case = only(text)
    assert [claim.name for claim in case.stated] == ["Q", "K", "V", "scores", "A", "Z"]
    assert (case.settings.tokens_as, case.given["X"].typed) == ("columns", (("1", "0"), ("1", "1")))
    assert verdicts(text) == {"correct"}
