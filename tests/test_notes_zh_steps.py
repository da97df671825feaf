"""How Chinese notes word the steps of an example: statistics, sums, divisions and lists token by token."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from tests.linked import accused, links

GIVEN = "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 1]]\n\nV = [[1, 2], [3, 4]]\n\n"
SCORES = ("scores", 0, 0, (("1", "0"), ("2", "2")))
SCALED = ("scaled", 0, 0, (("0.707", "0.000"), ("1.414", "1.414")))


def wrong(text: str) -> list[str]:
    """The characters of the numbers that are called slips."""
    return [
        number.printed.numeral.text
        for report in document_reports(text, "notes.md", "markdown")
        for number in report.judgements
        if number.verdict == "slip"
    ]


RESIDUALS = "R = [[1.2, 2.6, 2.4], [0.7, 1.7, 3.3]]\n\n"
FIRST, SECOND = "均值 2.067，标准差 0.618，结果 [-1.403, 0.862, 0.539]", "均值 1.900，标准差 1.071，结果 "


@pytest.mark.parametrize(("last", "found"), [("1.307", []), ("1.703", ["1.703"])])
def test_statistics_without_a_verb_are_of_the_row_that_the_line_names(last: str, found: list[str]) -> None:
    rows = f"- 第一行：{FIRST}\n- 第二行：{SECOND}[-1.120, -0.187, {last}]\n"
    assert wrong(RESIDUALS + rows) == found


def test_the_mean_of_another_row_is_not_that_of_the_list_on_the_line_above() -> None:
    assert wrong(f"- 第一行：{FIRST}\n- 第二行：{SECOND}[-1.120, -0.187, 1.307]\n") == []


@pytest.mark.parametrize(("total", "found"), [("18.497", []), ("18.947", ["18.947"])])
def test_a_sum_stands_behind_its_list_without_a_verb(total: str, found: list[str]) -> None:
    assert wrong(f"指数：$[0.561, 17.936]$，和 ${total}$\n") == found


def test_a_clause_behind_an_equation_says_what_stands_below_without_brackets() -> None:
    text = "缩放因子为 √d_k = √2，缩放后得到\n0.707 0.000\n1.414 1.414\n"
    assert links(GIVEN + text)[-1] == SCALED


def test_a_root_behind_the_sign_of_a_division_divides_the_scores_above() -> None:
    text = "QK^T = [[1, 0], [2, 2]]\n\n缩放：÷√2 = [[0.707, 0.000], [1.414, 1.414]]\n"
    assert links(GIVEN + text)[1:] == [SCALED]


def test_the_terms_of_a_sum_over_the_keys_are_exponentials() -> None:
    text = "QK^T = [[1, 0], [2, 2]]\n\n缩放：÷√2 = [[0.707, 0.000], [1.414, 1.414]]\n\n"
    assert accused(GIVEN + text + r"$$\sum_j e^{s_{1j}}=2.082+1.000=3.028$$" + "\n") == [
        "exp 2.082",
        "sum 3.028",
    ]


def test_scores_are_told_key_by_key_with_a_word_for_with() -> None:
    tokens = "x1（“我”）= [1, 0]，x2（“猫”）= [0, 1]\n\n词1：我\n词2：猫\n\n"
    text = "## 计算「猫」的输出\n\n注意力得分：与「我」：2，与「猫」：2\n"
    assert (("2", "2"),) in [values for *_, values in links(tokens + GIVEN + text)]


def test_lists_with_a_name_each_are_drawn_on_no_page() -> None:
    text = "• 我 → q=[1 0]，k=[1 1]，v=[1 2]\n• 猫 → q=[0 2]，k=[0 1]，v=[3 4]\n\n"
    text += "得分：\n[[1, 0],\n [2, 2]]\n"
    assert links(text) == [SCORES]


def test_inputs_stand_on_one_line_token_by_token() -> None:
    text = "• 输入：我=[1 0]  猫=[0 1]\n• WQ = [1 0; 0 2]\n\nQ = [[1, 0], [0, 2]]\n"
    assert links(text) == [("Q", 0, 0, (("1", "0"), ("0", "2")))]


def test_a_word_leads_from_a_score_to_what_it_becomes() -> None:
    text = "$q_1 k_1 = 1$，缩放得 $0.707$\n\n$q_2 k_1 = 2$，缩放后为 $1.144$\n"
    assert accused(GIVEN + text) == ["scaled 1.144"]
