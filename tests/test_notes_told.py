"""Lists in a sentence are what the sentence says that they are."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import ATTENDED, given
from tests.linked import linked as linked_rows

GIVEN = "$q_1 = (1, 2)$\n\n$k_1 = (2, 0)$, $k_2 = (0, 2)$\n\n$v_1 = (1, 0)$, $v_2 = (0, 1)$\n\n"
SCORES = "For token 1 we have $q_1 \\cdot k_1 = 2$ and $q_1 \\cdot k_2 = 4$.\n\n"


def linked(text: str) -> list[tuple[str, int, int, tuple[tuple[str, ...], ...]]]:
    (case,) = read_notes(text).cases
    return [(claim.name, claim.row, claim.col, tuple(claim.values)) for claim in case.stated]


@pytest.mark.parametrize(
    ("sentence", "name", "numbers"),
    [
        ("After dividing by $\\sqrt 2$ they become $1.41$ and $2.83$.", "scaled", ("1.41", "2.83")),
        ("Exponentiating gives $4.11$, $16.92$, and so on.", "exp", None),
        ("Exponentiating gives $4.11$ and $16.92$.", "exp", ("4.11", "16.92")),
        ("The softmax is therefore $(0.20, 0.80)$.", "A", ("0.20", "0.80")),
    ],
)
def test_a_list_behind_a_verb_is_what_the_sentence_names(
    sentence: str, name: str, numbers: tuple[str, ...] | None
) -> None:
    found = [values for said, row, _, values in linked(GIVEN + SCORES + sentence + "\n") if said == name]
    assert found == ([] if numbers is None else [(numbers,)])


def test_the_number_of_a_token_is_no_score() -> None:
    text = GIVEN + SCORES.replace("= 2", "= 1") + "Now the scores of token 1 are divided.\n"
    assert [values for name, _, _, values in linked(text) if name == "scores"] == [(("1",),), (("4",),)]


def test_a_vector_with_a_bar_or_an_arrow_is_the_vector() -> None:
    text = r"$\vec{q}_1 = (1, 2)$, $\vec{k}_1 = (2, 0)$, $\bar{v}_1 = (3, 4)$" + "\n\n"
    text += r"$\vec{z}_1 = 1.0\,\vec{v}_1 = (3, 4)$" + "\n"
    assert linked(text)[-1] == ("Z", 0, 0, (("3", "4"),))


def test_a_list_is_what_the_word_before_it_says_and_arrows_lead_to_the_next() -> None:
    text = "X = [[1, 0], [0, 1]]   (cat, sat)\n\nW_Q = W_K = W_V = [[1, 0], [0, 2]]\n\nWe do not scale.\n\n"
    text += "cat: scores [1, 0] → softmax [0.73, 0.27]\n\nsat: scores [0, 4] → softmax [0.02, 0.98]\n"
    assert [each for each in linked(text) if each[0] in ("scores", "A")] == [
        ("scores", 0, 0, (("1", "0"),)),
        ("A", 0, 0, (("0.73", "0.27"),)),
        ("scores", 1, 0, (("0", "4"),)),
        ("A", 1, 0, (("0.02", "0.98"),)),
    ]


def test_a_letter_in_bold_stands_beside_its_weight_however_long_the_command() -> None:
    text = GIVEN + SCORES + "$\\mathbf z_1 = 0.2\\,\\mathbf v_1 + 0.8\\,\\mathbf v_2 = (0.2, 0.8)$\n"
    assert [values for name, _, _, values in linked(text) if name == "Z"] == [(("0.2", "0.8"),)]


def test_a_full_stop_between_two_indexed_vectors_is_a_product() -> None:
    text = "Q1 = (1, 2), Q2 = (0, 1)\n\nK1 = (2, 0), K2 = (1, 1)\n\nQ1.K1 = 2\n\nQ2.K2 = 1\n"
    assert linked(text) == [("scores", 0, 0, (("2",),)), ("scores", 1, 1, (("1",),))]


def test_lists_behind_a_plural_are_rows_one_after_the_other() -> None:
    text = "Two words with embeddings [1, 0] and [0, 1].\n\nW_Q = [[1, 2], [3, 4]]\n\nQ = [[1, 2], [3, 4]]\n"
    (case,) = read_notes(text).cases
    assert case.given["X"].typed == (("1", "0"), ("0", "1"))


@pytest.mark.parametrize(
    "said",
    [
        "Queries: [1, 0], [1, 2]\nKeys: [1, 1], [0, 2]\nValues: [0, 1], [2, 1]\n",
        "查询：[1, 0]、[1, 2]\n键：[1, 1]、[0, 2]\n值向量：[0, 1]、[2, 1]\n",
        "Take queries [[1, 0], [1, 2]], keys [[1, 1], [0, 2]] and values [[0, 1], [2, 1]].\n",
    ],
)
def test_lists_or_a_matrix_behind_a_plural_are_the_vectors_that_it_names(said: str) -> None:
    assert given(said + "\nscores = [[1, 0], [3, 4]]\n", "K") == (("1", "1"), ("0", "2"))
    assert given(said + "\nscores = [[1, 0], [3, 4]]\n", "V") == (("0", "1"), ("2", "1"))


def test_a_plural_before_a_single_list_names_no_row() -> None:
    told = "The large values (7.8, 6.5) saturate it.\n\n"
    (case,) = read_notes(f"scores = [[2, 0], [1, 3]]\n\n{told}A = [[0.88, 0.12], [0.12, 0.88]]\n").cases
    assert list(case.given) == ["scores"]


def test_what_the_weights_were_called_does_not_call_the_output_behind_them() -> None:
    sentence = "The softmax gives $(0.20, 0.80)$, so that the output for token 1 is $(0.20, 0.80)$.\n"
    found = linked(
        GIVEN + SCORES + "After dividing by $\\sqrt 2$ they become $1.41$ and $2.83$.\n\n" + sentence
    )
    assert [name for name, *_ in found][-2:] == ["A", "Z"]


@pytest.mark.parametrize(
    "said",
    [
        "0.20 times [1, 0] plus 0.80 times [0, 1], which is [0.20, 0.80]",
        "$0.20 (1, 0) + 0.80 (0, 1)$, giving $(0.20, 0.80)$",
    ],
)
def test_a_sum_told_in_words_is_what_comes_out_of_it(said: str) -> None:
    text = GIVEN + SCORES + "The softmax is (0.20, 0.80).\n\nSo we have " + said + ".\n"
    assert [(row, col, values) for name, row, col, values in linked(text) if name == "Z"] == [
        (0, 0, (("0.20",),)),
        (0, 1, (("0.80",),)),
    ]


def test_whose_a_vector_is_may_be_told_before_it() -> None:
    """In the words of a sentence, at the beginning of its line, or by the line above it."""
    text = (
        "The embedding for cat is [1, 0], and for sat it's [0, 1].\n\n"
        "The query matrix, W_Q, on the board, is [[1, 2], [3, 4]].\n\n"
        "- Query for cat: [1, 2]\n- Query for sat: [3, 4]\n"
    )
    (case,) = read_notes(text).cases
    assert case.given["X"].typed == (("1", "0"), ("0", "1"))
    assert linked(text) == [("Q", 0, 0, (("1", "2"),)), ("Q", 1, 0, (("3", "4"),))]


def test_lists_behind_words_for_their_quantities_need_no_brackets() -> None:
    text = GIVEN + SCORES + "- scaled 1.41, 2.83\n- exponentials 4.11, 16.92; sum 21.03\n"
    assert [(name, values) for name, _, _, values in linked(text) if name in ("scaled", "exp")] == [
        ("scaled", (("1.41", "2.83"),)),
        ("exp", (("4.11", "16.92"),)),
    ]


def test_what_would_come_out_otherwise_is_no_claim() -> None:
    text = (
        "Q = [[1, 0], [0, 1]]\n\nK = [[2, 0], [0, 2]]\n\n"
        "Without scaling, softmax(QK^T) would be\n\n```\n[0.88 0.12]\n[0.12 0.88]\n```\n\n"
        "Scaled by √2 it is A =\n\n```\n[0.80 0.20]\n[0.20 0.80]\n```\n"
    )
    claims = [(name, values[0][0]) for name, _, _, values in linked(text)]
    assert ("A", "0.88") not in claims
    assert ("A", "0.80") in claims


def test_percentages_of_one_sentence_that_make_a_hundred_are_a_row_of_weights() -> None:
    text = "q = [1, 2], k₁ = [0, 2] and k₂ = [1, 2], v₁ = [2, 4], v₂ = [3, 0], divide by √2.\n\n"
    paid = "It pays 33.0% of its attention to the first key and 67.0% to the second.\n"
    assert [values for name, _, _, values in linked(text + paid) if name == "A"] == [(("33.0%", "67.0%"),)]
    assert [each for each in linked(text + paid.replace("67.0", "77.0")) if each[0] == "A"] == []
    supposed = "Without the division the weights would be 26.9% and 73.1%.\n"
    assert [each for each in linked(text + supposed) if each[0] == "A"] == []


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("We obtain the scaled scores (1.51, 0.10) and (2.12, 0.71), respectively.", "scaled"),
        ("Dividing by √2 we get the scores (1.41, 0.00) and (2.12, 0.71).", "scaled"),
    ],
)
def test_what_one_obtains_is_named_before_its_lists(sentence: str, name: str) -> None:
    given = "q_1 = (0, 2), q_2 = (1, 1), k_1 = (2, 1), k_2 = (1, 0)\n\n"
    found = [(said, row) for said, row, _, _ in linked(given + sentence + "\n")]
    assert found == [(name, 0), (name, 1)]


def test_the_rows_of_a_matrix_are_told_one_after_the_other() -> None:
    text = "X 的各行为 (1, 0)、(1, 1)。\n\n"
    text += "查询权重 W_Q 的各行为 (1, 2)、(0, 1)，键权重 W_K 的各行依次为 (1, 0)、(2, 1)。\n\n"
    text += "The rows of Q are (1, 2) and (1, 3); K 的各行依次为 (1, 0)、(3, 1)。\n"
    assert given(text, "W_K") == (("1", "0"), ("2", "1"))
    assert [(name, len(rows)) for name, _, rows in linked_rows(text)] == [("Q", 2), ("K", 2)]


def test_an_answer_is_what_the_question_above_it_asks_for() -> None:
    text = (
        "q = (1, 0), k_1 = (1, 0), k_2 = (0, 1), v_1 = (1, 2), v_2 = (3, 4)\n\n"
        "**Question 4.** With both values, what is the output?\n\n> **Answer:** $(1.66, 2.66)$.\n"
    )
    assert ("Z", 0, (("1.66", "2.66"),)) in linked_rows(text)


def test_what_is_multiplied_with_the_values_is_the_output() -> None:
    text = f"{ATTENDED}\nStep 3, softmax: [0.67 0.33; 0.2 0.8]\nStep 4, times V: [1.66 2.66; 2.6 3.6]\n"
    assert ("Z", 0, (("1.66", "2.66"), ("2.6", "3.6"))) in linked_rows(text)


def test_a_matrix_behind_multiply_by_v_is_the_output_and_not_v_again() -> None:
    text = "$V = [[1, 2], [2, 2]]$\n\n1. Softmax: $[[0.67, 0.33], [0.80, 0.20]]$\n"
    text += "2. Multiply by $V$: $[[1.33, 2.00], [1.20, 2.00]]$\n"
    assert ("Z", 0, (("1.33", "2.00"), ("1.20", "2.00"))) in linked_rows(text)


def test_a_walk_in_plain_sentences_is_read() -> None:
    text = (
        "Our query is (1, 0). There are two keys, (1, 0) and (0, 1), and they carry the values "
        "(1, 2) and (3, 4).\n\nWe divide both scores by the square root of 2, which leaves 0.71 and 0.00. "
        "Exponentiating gives 2.03 and 1.00; together that is 3.03. Dividing, the attention weights are "
        "0.67 and 0.33. The output is therefore 0.67 times the first value plus 0.33 times the second, "
        "that is (1.66, 2.66).\n"
    )
    read = {name: rows for name, _, rows in linked_rows(text)}
    assert read["scaled"] == (("0.71", "0.00"),)
    assert read["sum"] == (("3.03",),)
    assert read["Z"] == (("1.66", "2.66"),)
