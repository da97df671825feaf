"""Numbers that words join, and several values that a sentence gives to as many names."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from tests.linked import given


@pytest.mark.parametrize(
    ("sentence", "work", "printed"),
    [
        ("0.576 plus 0.284 plus 0.140 equals 1.000.", "0.576 + 0.284 + 0.140", "1.000"),
        ("It is 1 times 3 plus 2 times 1, which is 5.", "1*3 + 2*1", "5"),
        ("2 plus 3, which divided by 4 gives 1.25.", "(2 + 3)/4", "1.25"),
        ("The sum of 2, 3 and 4 is 9.", "2 + 3 + 4", "9"),
        ("Adding 0.3 and 0.4 gives 0.7.", "0.3 + 0.4", "0.7"),
        ("The product of 2 and 3 is 6.", "2*3", "6"),
        ("1 乘以 3 加 2 乘以 1 等于 5。", "1*3 + 2*1", "5"),
        ("将 6 除以 2 得 3。", "6/2", "3"),
    ],
)
def test_numbers_that_words_join_are_one_working(sentence: str, work: str, printed: str) -> None:
    assert [(each.work, each.printed) for each in read_notes(sentence).equations] == [(work, printed)]


@pytest.mark.parametrize(
    "sentence", ["The score of token 2 plus 3 is 6.", "Adding the bias 2 to head 3 is 6 steps."]
)
def test_the_number_of_a_thing_is_no_operand(sentence: str) -> None:
    assert read_notes(sentence).equations == ()


@pytest.mark.parametrize(
    "told",
    [
        "The vectors $q_1$, $q_2$ are $[1, 0]$, $[0, 2]$; k1 and k2 are [3, 1] and [1, 1], respectively.",
        "查询向量 q1、q2 分别为 [1, 0]、[0, 2]，键向量 k1 和 k2 分别是 [3, 1] 和 [1, 1]。",
        "The queries of x1 and x2 are (1, 0) and (0, 2). The keys for x1 and x2 are (3, 1) and (1, 1).",
    ],
)
def test_each_name_has_its_value_in_turn(told: str) -> None:
    text = told + "\n\nS = Q K^T = [[3, 1], [2, 2]]\n"
    assert given(text, "Q") == (("1", "0"), ("0", "2"))
    assert given(text, "K") == (("3", "1"), ("1", "1"))


def test_numbers_of_keys_are_not_the_keys() -> None:
    told = "q1 = [1, 0], k1 = [3, 1], k2 = [1, 1].\n\nThe scores of q1 with k1 and k2 are 3.0 and 1.0.\n"
    (case,) = read_notes(told).cases
    assert [(claim.name, claim.values) for claim in case.stated] == [
        ("scores", (("3.0", "1.0"),)),
    ]


def test_products_have_their_values_in_turn() -> None:
    told = "q1 = [1, 0], k1 = [3, 1], k2 = [1, 1], k3 = [2, 2].\n\n"
    (case,) = read_notes(told + "q1·k1, q1·k2 and q1·k3 are 3, 1 and 5, respectively.\n").cases
    assert [(claim.name, claim.col, claim.values) for claim in case.stated] == [
        ("scores", 0, (("3",),)),
        ("scores", 1, (("1",),)),
        ("scores", 2, (("5",),)),
    ]


def test_an_exponential_is_not_of_a_score_that_is_told_below_it() -> None:
    text = (
        "| token | q | k |\n|---|---|---|\n| the | [2, 0] | [0, 2] |\n| cat | [0, 4] | [4, 0] |\n"
        "| sat | [2, 2] | [2, 2] |\n\n- sat·the = 4\n- sat·cat = 8\n- sat·sat = 8\n\n"
        "Divide by √2 ≈ 1.414: 2.83, 5.66, 5.66.\n\n"
        "Exponentials: e^2.83 = 16.95, e^5.66 = 287.15, e^5.66 = 287.15; they sum to 591.25.\n\n"
        "For **the**: the·the = 0, the·cat = 8, the·sat = 4, scaled 0, 5.66, 2.83.\n"
    )
    judged = [each for report in document_reports(text, "a.md", "markdown") for each in report.judgements]
    sums = [(each.printed.row, each.verdict) for each in judged if each.printed.name == "sum"]
    assert sums == [(2, "rounding")]


@pytest.mark.parametrize(
    ("told", "verdicts"),
    [
        ("After dividing by 1.414:", {"1.414": "correct"}),
        ("We take the square root of 2 (about 1.41).", {"1.41": "correct"}),
        ("Training took 1.41 hours.", {}),
        ("Then we divide by 1.9 as others do:", {}),
    ],
)
def test_a_number_that_scores_are_divided_by_is_the_root(told: str, verdicts: dict[str, str]) -> None:
    text = f"Q = [[1, 0], [0, 2]], K = [[1, 1], [2, 0]]\n\nQ K^T = [[1, 2], [2, 0]]\n\n{told}\n\n"
    text += "A = softmax(Q K^T / √2) = [[0.33, 0.67], [0.80, 0.20]]\n"
    judged = [each for report in document_reports(text, "a.md", "markdown") for each in report.judgements]
    assert {
        each.printed.numeral.text: each.verdict for each in judged if each.printed.name == "sqrt(d_k)"
    } == verdicts
