"""Lists under a line of words that arrows join, vectors behind their letter, and verbs that come last."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from tests.linked import links

GIVEN = "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 1]]\n\nV = [[1, 2], [3, 4]]\n\n"
LETTERS = "d_k = 2\n\n  猫  Q(1,0)  K(1,1)  V(1,2)\n  狗  Q(0,2)  K(0,1)  V(3,4)\n\n"


def wrong(text: str) -> list[str]:
    """The characters of the numbers that are called slips."""
    reports = document_reports(text, "notes.md", "markdown")
    return [one.printed.numeral.text for each in reports for one in each.judgements if one.verdict == "slip"]


@pytest.mark.parametrize("legend", ["得分 → 缩放 → 权重", "scores -> scaled -> weights"])
@pytest.mark.parametrize(("last", "found"), [("0.50", []), ("0.05", ["0.05"])])
def test_a_line_of_words_says_what_the_lists_between_arrows_are(
    legend: str, last: str, found: list[str]
) -> None:
    arrow = "->" if "->" in legend else "→"
    rows = (
        f"  猫：(1, 0) {arrow} (0.71, 0.00) {arrow} (0.67, 0.33)\n"
        f"  狗：(2, 2) {arrow} (1.41, 1.41) {arrow} ({last}, 0.50)\n"
    )
    assert wrong(f"{LETTERS}{legend}\n{rows}") == found


def test_lists_below_a_legend_of_another_length_stay_what_they_are() -> None:
    assert links(f"{GIVEN}得分 → 权重\n\n第一行：[1, 0] → [0.71, 0.00] → [0.67, 0.33]\n")[0][0] == "scores"


@pytest.mark.parametrize(("last", "found"), [("1.41", []), ("4.11", ["4.11"])])
def test_a_root_stands_before_a_verb_that_comes_last(last: str, found: list[str]) -> None:
    told = (
        "- 「猫」：クエリ [1, 0]、キー [1, 1]、バリュー [1, 2]\n"
        "- 「犬」：クエリ [0, 2]、キー [0, 1]、バリュー [3, 4]\n\n"
        "- 「犬」と「猫」の内積：0×1 + 2×1 = 2、√2で割ると 1.41\n"
        f"- 「犬」と「犬」の内積：0×0 + 2×1 = 2、√2で割ると {last}\n"
    )
    assert wrong(told) == found


def test_a_total_of_one_is_no_score() -> None:
    text = f"{GIVEN}QK^T = [[1, 0], [2, 2]]\n\n第1行の注意の重み：[0.67, 0.33]（合計は1）\n"
    assert [name for name, *_ in links(text)] == ["scores", "A"]


@pytest.mark.parametrize("words", ["头 1 的输出：", "第 1 个头的输出：", "Head 1 output: "])
def test_a_number_that_says_which_one_does_not_cut_what_follows(words: str) -> None:
    assert links(f"{GIVEN}{words}[[1.66, 2.66], [2.00, 3.00]]\n")[-1][:3] == ("Z", 0, 0)


def test_what_two_divided_by_its_root_comes_to_is_not_only_the_root() -> None:
    text = f"{GIVEN}“a”对“b”：\n\nq_2 · k_1 = 0×1＋2×1＝2，÷√2≈1.414\n"
    assert links(text)[-1] == ("scaled", 1, 0, (("1.414",),))


def test_totals_of_rows_are_the_sums_of_their_exponentials() -> None:
    exps = "S = QK^T/√2 = [[0.71, 0.00], [1.41, 1.41]]\n\nexp(S) = [[2.03, 1.00], [4.11, 4.11]]\n\n"
    assert wrong(f"{GIVEN}{exps}行和：3.03，8.22\n") == []
    assert wrong(f"{GIVEN}{exps}行和：3.03，8.52\n") == ["8.52"]


@pytest.mark.parametrize(("deviation", "found"), [("0.816", []), ("0.186", ["0.186"])])
def test_a_mean_is_of_the_one_list_above_that_has_it(deviation: str, found: list[str]) -> None:
    sums = "猫：x + z = [1, 2, 3]\n\n狗：x + z = [0, 6, 3]\n\n"
    told = f"猫：均值 2.000，方差 0.667，标准差 {deviation}\n\n狗：均值 3.000，方差 6.000，标准差 2.449\n"
    assert wrong(sums + told) == found


@pytest.mark.parametrize(("last", "found"), [("5", []), ("6", ["6"])])
def test_two_letters_with_values_are_their_product(last: str, found: list[str]) -> None:
    text = f"隐藏状态 h = [1, 2]\n\n输出矩阵 W = [[1, 0, 1], [2, 1, 2]]\n\nlogits = hW = [5, 2, {last}]\n"
    assert wrong(text) == found
