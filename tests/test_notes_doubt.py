"""A link that is doubtful gives no verdict: numbers near a name are not always the numbers of that name."""

from __future__ import annotations

import json

import pytest

from symattn.case import Case
from symattn.reading.documents import document_reports
from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.names import Bases
from symattn.reading.notes.formulas.tokens import tokens
from symattn.reading.notes.formulas.words import alias
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.linking.bounds import can_be
from symattn.reading.notes.reader import read_notes
from tests.linked import accused

ATTENDED = "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[1, 2], [3, 4]]\n"


def claims(text: str) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Every claim of the walks: the quantity and the numbers."""
    return [(claim.name, claim.values) for case in read_notes(text).cases for claim in case.stated]


def notebook(code: str, output: str) -> str:
    """A notebook of one cell and what it printed."""
    cell = {"cell_type": "code", "source": code, "outputs": [{"output_type": "stream", "text": output}]}
    return json.dumps({"cells": [cell], "nbformat": 4, "metadata": {}})


@pytest.mark.parametrize(
    ("word", "name"), [("attn_scores_softmax", "A"), ("scaled_softmax", "A"), ("my_softmax", None)]
)
def test_what_a_softmax_makes_of_a_known_quantity_is_the_weights(word: str, name: str | None) -> None:
    assert alias(word) == name


def test_a_printed_variable_that_means_nothing_keeps_its_place() -> None:
    code = f"{ATTENDED}scores = Q @ K.T\nprint(seen)\nprint(scores)"
    text = notebook(code, "[[9. 9.]\n [9. 8.]]\n[[1. 0.]\n [0. 2.]]\n")
    (case,) = read_notes(text, kind="notebook").cases
    assert [(claim.name, claim.values) for claim in case.stated] == [("scores", (("1.", "0."), ("0.", "2.")))]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("The future is set to `-inf` before softmax:", None),
        ("The input to the softmax:", None),
        ("After the softmax:", "A"),
        ("**Similarity(cat, sat):**", None),
        ("**Similarity (cosine):**", "scores"),
    ],
)
def test_words_name_neither_what_comes_later_nor_more_than_their_two_tokens(
    said: str, name: str | None
) -> None:
    assert named(said, Bases()) == name


def test_vectors_with_names_of_their_own_are_not_what_the_sentence_above_speaks_of() -> None:
    text = f"{ATTENDED}A blend of vectors, weighted by the scores:\n\nV_cat = [1, 2]\nV_sat = [3, 4]\n"
    assert claims(text) == [("V", (("1", "2"),)), ("V", (("3", "4"),))]


@pytest.mark.parametrize(
    ("written", "possible"),
    [
        ("[-2, 8, 8]", False),
        ("[0.5, 1.5]", True),
        ("[0.3, 0.3, 0.3]", True),
        ("[[0.5, 0.5], [0.7, 0.9]]", True),
        ("[[0.2, 0.9], [0.8, 0.1]]", True),
        ("[[0.36, 0.82], [0.83, 0.52]]", False),
        ("[50%, 50%]", True),
    ],
)
def test_weights_are_shares_of_one_whole(written: str, possible: bool) -> None:
    """Half of a list is enough, or half of the rows or columns: slips in the rest are for the audit."""
    (item,) = items(tokens(written, "markdown"))
    assert can_be("A", item.node) == possible
    assert can_be("scores", item.node)


def test_what_an_arrow_leads_from_is_not_what_it_leads_to() -> None:
    assert claims(f"{ATTENDED}scores = [[1, 0], [0, 2]]\n\n[-2, 8] → softmax → [0.1, 0.9]\n") == [
        ("scores", (("1", "0"), ("0", "2"))),
        ("A", (("0.1", "0.9"),)),
    ]


def test_a_name_that_is_written_before_its_numbers_says_what_they_are() -> None:
    assert ("A", (("-2", "8"), ("8", "1"))) in claims(f"{ATTENDED}A = [[-2, 8], [8, 1]]\n")


def test_a_size_in_brackets_is_no_row() -> None:
    text = "Q_11 = 0.04\nQ_12 = 0.12\n\n- **Dimensions of Q:** `(3, 4)`\n\nK = [[1, 0]]\nscores = [[0.04]]\n"
    assert claims(text) == [("scores", (("0.04",),))]


GIVEN = "X = [[1, 0, 2], [0, 1, 3]]\nW_Q = [[1, 0], [0, 1], [0, 0]]\nQ = [[1, 0], [0, 1]]\n"


def walks(text: str) -> tuple[Case, ...]:
    return read_notes(text).cases


def test_three_other_numbers_make_another_example() -> None:
    again = "X = [[4, 0, 2], [0, 5, 6]]\nQ = [[4, 0], [0, 5]]\n"
    assert [case.given["X"].typed[0][0] for case in walks(f"{GIVEN}\n{again}")] == ["1", "4"]


def test_rounded_inputs_are_the_same_inputs() -> None:
    fine = "X = [[0.123, 0.456, 0.789]]\nW_Q = [[1], [0], [0]]\nQ = [[0.123]]\n"
    again = "X = [[0.12, 0.46, 0.79]]\nQ = [[0.12]]\n"
    assert len(walks(f"{fine}\n{again}")) == 1


def test_weights_made_anew_are_not_those_of_the_first_example() -> None:
    again = "X = [[4, 0, 2], [0, 5, 6]]\nW_Q = np.eye(3)\nQ = [[4, 0, 2], [0, 5, 6]]\n"
    assert len(walks(f"{GIVEN}\n{again}")) == 1


SCORED = f"{ATTENDED}scores = Q @ K.T / sqrt(d_k)\n"


def test_printed_scores_with_infinities_are_those_that_the_mask_left() -> None:
    """Below `Attention scores:` stand the scaled ones, printed before, once more."""
    code = f"{SCORED}print('Scaled scores:', a)\nprint('Attention scores:')\nprint(b)"
    output = "Scaled scores: tensor([[0.707, 0.],\n [0., 1.414]])\nAttention scores:\n"
    text = notebook(code, output + "tensor([[0.707, -inf],\n [0., 1.414]])\n")
    (case,) = read_notes(text, kind="notebook").cases
    assert {claim.name for claim in case.stated} == {"scaled"}


@pytest.mark.parametrize(
    ("weights", "mask"), [("[[1, 0], [0.20, 0.80]]", "causal"), ("[[0.67, 0.33], [0.20, 0.80]]", "none")]
)
def test_infinities_above_the_diagonal_are_a_causal_mask_unless_weights_stand_there(
    weights: str, mask: str
) -> None:
    (case,) = walks(f"{SCORED}masked = [[0.707, -inf], [0, 1.414]]\nA = {weights}\n")
    assert case.settings.mask == mask


def test_printed_numbers_may_be_finer_than_those_that_they_follow_from() -> None:
    """Q and K are rounded to two decimals, the scores of the program to three."""
    given = "Q = [[1.33, 2.07], [1.11, 1.61]]\nK = [[1.08, 2.07], [1.54, 2.51]]\nscores = Q @ K.T\n"
    printed = "tensor([[5.731, 7.251],\n [4.542, 5.747]])\n"
    (case,) = read_notes(notebook(f"{given}print(scores)", printed), kind="notebook").cases
    assert [claim.name for claim in case.stated] == ["scores"]


def test_of_two_matrices_the_one_that_agrees_is_the_quantity() -> None:
    """Numbers made up for a start are no slips."""
    assert claims(f"{ATTENDED}scores = [[9, 8], [7, 6]]\n\nscores = Q K^T = [[1, 0], [0, 2]]\n") == [
        ("scores", (("1", "0"), ("0", "2")))
    ]


def test_a_rounded_copy_printed_with_more_digits_is_no_copy_of_the_first() -> None:
    """The first row of A is 0.67 and 0.33: 0.7 rounds it, 0.7000 is another number."""
    first = "A = [[0.67, 0.33], [0.196, 0.804]]\nA = [[0.7, 0.3], [0.2, 0.8]]\n"
    again = "Seen:\n\n[[0.7000, 0.3000], [0.2000, 0.8000]]\n"
    assert claims(f"{ATTENDED}{first}\n{again}") == claims(f"{ATTENDED}{first}")


def test_weights_that_nothing_explains_are_wrong_whatever_else_was_not_read() -> None:
    """The scores that they are made of stand right above them; keys may follow from what was not read."""
    unread = "Something [0.3, 0.9, 0.4, 0.7] of another kind.\n\n"
    text = (
        unread + "Q = [[1, 0], [0, 2]]\n\nK = [[1, 0], [0, 1]]\n\nscaled = [[0.71, 0.00], [0.00, 1.41]]\n\n"
    )
    reports = document_reports(text + "A = [[0.08, 0.92], [0.63, 0.37]]\n", "a.md", "markdown")
    wrong = [j.printed.numeral.text for report in reports for j in report.judgements if j.verdict == "slip"]
    assert wrong == ["0.08", "0.92", "0.63", "0.37"]


SMALL = "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[10, 20], [30, 10]]\nWe do not scale.\n\n"


@pytest.mark.parametrize(("first", "found"), [("15.40", []), ("15.60", ["Z 15.60"])])
def test_weights_that_nobody_could_read_were_rounded_as_the_other_numbers(
    first: str, found: list[str]
) -> None:
    """0.27 * 30 and 0.73 * 10 make 15.40; the weights with all their digits make 15.38."""
    text = SMALL + f"scores = [[1, 0], [0, 2]]\n\nZ = [[{first}, 17.31], [27.60, 11.19]]\n"
    assert accused(text) == found


def test_a_row_of_weights_that_nobody_could_read_was_rounded_as_the_other_row() -> None:
    text = SMALL + "A_2 = [0.12, 0.88]\n\nZ = [[15.40, 17.30], [27.60, 11.20]]\n\nBy 0.0001.\n"
    assert accused(text) == []


@pytest.mark.parametrize(("between", "found"), [("", ["exp 5.64"]), ("Blend: 1.73 ~ 0.82.\n\n", [])])
def test_what_seems_not_to_be_printed_may_be_one_of_the_numbers_that_nobody_could_read(
    between: str, found: list[str]
) -> None:
    """The root of 3 is 1.732, and e to that 5.652."""
    text = "q_1 = [1, 1, 1]\n\nk_1 = [1, 1, 1]\n\nScores are divided by the root of 3.\n\n"
    assert accused(text + between + "exp_1 = [5.64]\n") == found


@pytest.mark.parametrize(
    ("weights", "found"), [("", []), ("A = [[0.50, 0.50], [0.12, 0.88]]\n\n", ["Z 10.00", "Z 20.00"])]
)
def test_behind_a_mask_that_nothing_shows_no_output_is_wrong(weights: str, found: list[str]) -> None:
    """The first token sees itself alone, unless the weights say that it sees both."""
    text = SMALL.replace("[1, 0]", "[1, 1]", 1) + "scores = [[1, 1], [0, 2]]\n\nSome pairs are masked.\n\n"
    assert accused(text + weights + "Z = [[10.00, 20.00], [27.62, 11.19]]\n") == found


SCALED = (
    "Scores are divided by sqrt(d_k).\n\nQ = [[2, 1], [0, 3]]\n\nK = [[1, 0], [0, 1]]\n\n"
    "V = [[1, 2], [3, 4]]\n\nscores = [[2, 1], [0, 3]]\n\nscaled_1 = [1.41, 0.71]\n\n"
)
STEPS = SCALED + "scaled_2 = [0.00, 2.12]\n\nA = [[0.67, 0.33], [0.11, 0.89]]\n\n"


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        # what follows the list goes on from the right numbers, or from the list
        (SCALED + "scaled_2 = [1.00, 1.50]\n\nA_2 = [0.11, 0.89]\n", []),
        (
            SCALED + "scaled_2 = [1.00, 1.50]\n\nA_2 = [0.38, 0.62]\n",
            ["scaled 1.00", "scaled 1.50", "A 0.38", "A 0.62"],
        ),
        # a given row with other numbers, and with one that is misprinted
        (STEPS + "v_1 = [7, 9]\n", []),
        (STEPS + "v_1 = [1, 9]\n", ["V 9"]),
        # computed from what stands there: all of it wrong without a cause, and some of it
        (STEPS + "Z_1 = [1.66, 2.66]\n\nZ_2 = [5.50, 6.50]\n", []),
        (STEPS + "Z_1 = [1.66, 2.66]\n\nZ_2 = [2.78, 6.50]\n", ["Z 6.50"]),
        # weights are also put down without being computed
        (SCALED + "scaled_2 = [0.00, 2.12]\n\nA_2 = [0.30, 0.70]\n", ["A 0.30", "A 0.70"]),
    ],
)
def test_a_list_that_is_wrong_throughout_is_accused_only_where_nothing_speaks_for_another_one(
    text: str, slips: list[str]
) -> None:
    assert accused(text) == slips


def test_a_list_with_more_decimals_than_what_was_printed_before_is_no_copy() -> None:
    text = "* **eats** → `[0.0, 1.0]`\n* **fish** → `[2.0, 1.0]`\n\n| word | query | key | value |\n"
    text += "|---|---|---|---|\n| eats | 1, 1 | 4, 2 | 1, -3 |\n| fish | 0, 1 | 4, 4 | 4, -2 |\n\n"
    text += (
        "Dot products of the query of *eats* with the keys: eats 6, fish 8.\n\nThe pooled value is [{}].\n"
    )
    assert accused(text.format("1, -2")) == ["V -2"]
    assert accused(text.format("3.51, -3.00")) == []


POWERS = """\
Scores are not scaled.

Q = [[1.2, 0.3], [0.4, 1.1], [2.1, 2.7]]

K = [[1.5, 0.2], [0.6, 1.4], [0.9, 0.8]]

Row 1:

- exp: [1.86, 1.14, 1.32]
- softmax: [0.43, 0.26, 0.31]

Row 2:

- exp: [0.82, 1.78, 1.24]
- softmax: [0.21, 0.46, 0.32]

Row 3:

- exp: [-7.77, 5.04, 4.05]
- softmax: [0.29, 0.39, 0.32]
"""


def test_a_list_that_is_wrong_throughout_is_a_slip_beside_others() -> None:
    """No exponential was taken in any row, and in the last one a number was misprinted."""
    assert {f"exp {number}" for number in ("1.14", "1.78", "-7.77", "5.04", "4.05")} <= set(accused(POWERS))


def test_a_projection_by_other_weights_is_a_slip_where_all_rows_of_the_input_are_the_same() -> None:
    """All rows are off by the same then, as by a bias."""
    text = (
        "X = [[2, 2], [2, 2]]\n\nW_Q = [[1, 0], [0, 1]]\n\nW_K = [[-2, 1], [1, 2]]\n\n"
        "W_V = [[1, 1], [1, 3]]\n\nQ = [[2, 2], [2, 2]]\n\nK = [[4, 8], [4, 8]]\n\n"
        "V = [[4, 8], [4, 8]]\n\nscores = [[24, 24], [24, 24]]\n"
    )
    assert accused(text)[:4] == ["K 4", "K 8", "K 4", "K 8"]


RESULTS = r"""
$Q = \begin{bmatrix} 2 & 0 \\ 0 & 1 \end{bmatrix}$

$K = \begin{bmatrix} 1 & 1 \\ 0 & 1 \end{bmatrix}$

$V = \begin{bmatrix} 2 & 6 \\ 1 & 4 \end{bmatrix}$

Divide by $\sqrt{2}$: $\begin{bmatrix} 1.4142 & 0.0000 \\ 0.7071 & 0.7071 \end{bmatrix}$

Softmax M4 A1:

- Row 1: denominator 5.1133; result 0.8404, 0.1596 M1 A1
- Row 2: denominator 4.0563; result 0.5000, 0.5000 M1 A1

$Z = AV = \begin{bmatrix} 1.8404 & 5.6808 \\ 1.5000 & 5.0000 \end{bmatrix}$
"""


def test_a_row_that_follows_from_unread_numbers_above_it_is_no_slip() -> None:
    """What slipped may be the weights, of which no word says what they are."""
    assert accused(RESULTS) == []
    assert accused(RESULTS.replace("5.6808", "5.9212")) != []
    assert accused(RESULTS.replace("0.8404, 0.1596", "0.9404, 0.0596")) != []


FOLLOWED = r"""- Row 1: numerators 9.0000, 1.0000 M1 A1

$A = \begin{bmatrix} 0.9000 & 0.1000 \\ 0.5000 & 0.5000 \end{bmatrix}$

$Z = AV = \begin{bmatrix} 1.9000 & 5.8000 \\ 1.5000 & 5.0000 \end{bmatrix}$
"""


def test_what_follows_from_such_a_row_is_no_slip_either() -> None:
    text = RESULTS[: RESULTS.index("- Row 1")] + FOLLOWED
    assert accused(text) == []
    assert accused(text.replace("9.0000", "8.0000")) != []
