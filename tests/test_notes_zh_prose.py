"""Worked examples in Chinese prose: who asks whom, what is not divided yet, numbers in other dress."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from tests.linked import accused, links

GIVEN = "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 1]]\n\nV = [[1, 2], [3, 4]]\n\n"
WORDS = (
    "“猫”的查询向量是 [1, 0]，键向量是 [1, 1]，值向量是 [1, 2]；"
    "“狗”的查询向量是 [0, 2]，键向量是 [0, 1]，值向量是 [3, 4]。\n\n"
)


def wrong(text: str) -> list[str]:
    """The characters of the numbers that are called slips."""
    reports = document_reports(text, "notes.md", "markdown")
    return [one.printed.numeral.text for each in reports for one in each.judgements if one.verdict == "slip"]


def test_a_semicolon_and_a_token_in_quotes_begin_what_is_told_of_another() -> None:
    (report,) = document_reports(WORDS + "z_1 = [1.660, 2.660]\n", "notes.md", "markdown")
    assert [report.derivation.given[name].shape for name in ("Q", "K", "V")] == [(2, 2), (2, 2), (2, 2)]


@pytest.mark.parametrize(("last", "found"), [("2", []), ("7", ["7"])])
def test_the_pronoun_asks_and_the_token_beside_it_is_the_key(last: str, found: list[str]) -> None:
    told = (
        "轮到“猫”发问。它与“猫”的点积为 1，与“狗”的点积为 0；维度是 2，分别得到 0.71 和 0.00。\n\n"
        f"轮到“狗”发问。它与“猫”的点积为 2，与“狗”的点积为 {last}；维度是 2，分别得到 1.41 和 1.41。\n"
    )
    assert wrong(WORDS + told) == found


def test_keys_behind_another_query_say_no_row() -> None:
    tokens = "k_猫 = [1, 1]，k_狗 = [0, 1]，v_猫 = [1, 2]，v_狗 = [3, 4]\n\nq = [0, 2]\n\n"
    assert accused(f"{tokens}Good 对 猫、狗 的分数：[2, 2]，缩放后 [1.41, 1.41]\n") == []


@pytest.mark.parametrize("words", ["还没有除以 √2", "尚未除以 √2", "除以 √2 之前"])
def test_what_is_not_divided_yet_is_not_scaled(words: str) -> None:
    text = f"{GIVEN}原始得分（{words}）：\n\n1 0\n2 2\n\nA = [[0.67, 0.33], [0.50, 0.50]]\n"
    (report,) = document_reports(text, "notes.md", "markdown")
    assert {judged.printed.name for judged in report.judgements} == {"scores", "A"}
    assert report.remarks == ()


def test_keys_of_json_are_names() -> None:
    told = '"Q": [[1, 0], [0, 2]],\n  "K": [[1, 1], [0, 1]],\n  "scores": [[1, 0], [2, 2]]'
    text = f"```json\n{{\n  {told}\n}}\n```\n"
    assert links(text) == [("scores", 0, 0, (("1", "0"), ("2", "2")))]


def test_the_anchor_of_a_block_is_no_power() -> None:
    assert links(GIVEN + "- $o_1 = [1.661, 2.661]$ ^out1\n") == [("Z", 0, 0, (("1.661", "2.661"),))]


def test_a_score_by_its_query_and_all_keys_says_the_row_of_what_follows() -> None:
    told = "> $q_1K^T = [1, 0]$，缩放后 $= [0.71, 0.00]$\n> $q_2K^T = [2, 2]$，缩放后 $= [1.41, 1.41]$\n"
    assert [at[:2] for at in links(GIVEN + told)] == [
        ("scores", 0),
        ("scaled", 0),
        ("scores", 1),
        ("scaled", 1),
    ]


def test_weights_follow_the_exponentials_that_a_sum_of_powers_comes_to() -> None:
    scaled = "S = QK^T/√2 = [[0.71, 0.00], [1.41, 1.41]]\n\n"
    told = "分母为 $e^{0.71}+e^{0.00} ≈ 2.30+1.00=3.30$，故 $α_1 ≈ (0.70, 0.30)$。\n"
    assert wrong(GIVEN + scaled + told) == ["2.30"]


@pytest.mark.parametrize(("weight", "found"), [("0.33", []), ("0.23", ["0.23"])])
def test_what_is_normalised_beside_exponentials_are_weights(weight: str, found: list[str]) -> None:
    table = (
        "q = [1, 0]，d_k = 2\n\n| 词 | k | q·k | q·k/√2 | exp | 归一化 |\n|---|---|---|---|---|---|\n"
        f"| 猫 | [1, 1] | 1 | 0.71 | 2.03 | 0.67 |\n| 狗 | [0, 1] | 0 | 0.00 | 1.00 | {weight} |\n"
    )
    assert wrong(table) == found


@pytest.mark.parametrize(("right", "wrong"), [("3.62", "3.26"), ("2.83$ 和 $1.41", "2.83$ 和 $1.14")])
def test_words_in_brackets_behind_the_inputs_say_whose_the_sentences_are(right: str, wrong: str) -> None:
    text = (
        "已知 $x_1=(2,0)$（早），$x_2=(1,0)$（安），\n\n"
        "Q = [[0, 2], [0, 1]]，K = [[2, 4], [1, 2]]，V = [[0, 4], [0, 2]]\n\n"
        "早对早的得分为 $8$，对安的得分为 $4$。除以 $\\sqrt2$ 后分别为 $5.66$ 和 $2.83$，"
        "经 softmax 得 $0.94$ 和 $0.06$。\n\n"
        "安对早的得分为 $4$，对安的得分为 $2$。除以 $\\sqrt2$ 后分别为 $2.83$ 和 $1.41$，"
        "经 softmax 得 $0.81$ 和 $0.19$。\n\n故早的输出为 $(0.00,3.88)$，安的输出为 $(0.00,3.62)$。\n"
    )
    assert accused(text) == []
    assert [each.split()[-1] for each in accused(text.replace(right, wrong))] == [wrong[-4:]]


ONE_QUERY = (
    "q = (2, 1)，k_1 = (2, 2)，k_2 = (0, 1)，k_3 = (2, 2)，v_1 = (1, 0)，v_2 = (0, 1)，v_3 = (2, 2)\n\n"
)


def test_a_sum_that_the_weights_divide_by_is_right_where_an_exponential_was_misprinted() -> None:
    text = ONE_QUERY + (
        "除以 √2：s_1 = 4.243，s_2 = 0.707，s_3 = 4.243\n\n"
        "$e^{s_1}\\approx69.616$，$e^{s_2}\\approx2.028$，$e^{s_3}\\approx69.616$，三者之和为 $141.260$。\n\n"
        "$\\alpha_1=\\frac{69.616}{141.260}\\approx0.493$\n"
    )
    assert accused(text) == []
    assert accused(text.replace("2.028", "2.208")) == ["exp 2.208"]


def test_a_key_whose_exponential_is_printed_is_hidden_by_no_mask() -> None:
    text = ONE_QUERY.replace("(2, 2)，k_2", "(3, 3)，k_2").replace("k_3 = (2, 2)", "k_3 = (0, 1)") + (
        "- q·k_1 = 9\n- q·k_2 = 1\n- q·k_3 = 1\n\n除以 √2：\n\n"
        "- 9 / √2 ≈ 6.36\n- 1 / √2 ≈ 0.71\n- 1 / √2 ≈ 0.71\n\n"
        "- e^6.36 ≈ 578.25\n- e^0.71 ≈ 2.03\n- e^0.71 ≈ {}\n- 总和 ≈ 582.31\n\n"
        "- 我：578.25 / 582.31 ≈ **0.99**\n- 猫：2.03 / 582.31 ≈ **0.00**\n- 狗：2.03 / 582.31 ≈ **0.00**\n"
    )
    assert accused(text.format("2.03")) == []
    assert accused(text.format("7.03")) == ["exp 7.03"]
