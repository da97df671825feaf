"""What slips made by hand leave on paper is read for what it is, and what follows from them is carried."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.notes.documents import by_hand
from symattn.auditor.report import Report
from symattn.reading.documents import document_reports

INPUTS = """X = [[1, 0], [0, 1], [1, 1]]

W_Q = [[1, 2], [0, 2]]

W_K = [[2, 0], [1, 1]]

W_V = [[1, 0], [0, 3]]

Q = [[1, 2], [0, 2], [1, 4]]

K = [[2, 0], [1, 1], [3, 1]]

V = [[1, 0], [0, 3], [1, 3]]

"""
SCORES = "Scores Q K^T:\n\nS = [[2, 3, 5], [0, 2, 2], [2, 5, 7]]\n\n"
SCALED = "[[1.414, 2.121, 3.536], [0.000, 1.414, 1.414], [1.414, 3.536, 4.950]]"


def audited(text: str) -> Report:
    report, *_ = document_reports(text, "notes.md", "markdown")  # stray equations come behind it
    return report


def said(text: str, verdict: str) -> list[tuple[str, int, int, str]]:
    """The numbers that have a verdict: of what, where, and as they are printed."""
    printed = [j.printed for j in audited(text).judgements if j.verdict == verdict]
    return [(p.name, p.row, p.col, p.numeral.text) for p in printed]


def test_a_row_that_words_call_divided_is_read_where_it_was_divided_by_d_k() -> None:
    text = (
        INPUTS + "For token 1 the scores are q_1 · k_1 = 2, q_1 · k_2 = 3, q_1 · k_3 = 5.\n\n"
        "Dividing by sqrt(2): 1.000, 1.500 and 2.500.\n\n"
        "Softmax: 0.140, 0.231, 0.629\n"
    )
    assert said(text, "slip") == [("scaled", 0, col, x) for col, x in enumerate(("1.000", "1.500", "2.500"))]
    assert {name for name, *_ in said(text, "carried")} == {"A"}


def test_a_row_of_weights_that_was_copied_from_the_row_above_is_no_copy_of_that_row() -> None:
    text = INPUTS + SCORES + f"Scaled: S / sqrt(2) = {SCALED}\n\n"
    rows = (
        (("1.41", "4.10"), ("2.12", "8.33"), ("3.54", "34.47"), "46.90"),
        (("0.00", "1.00"), ("1.41", "4.10"), ("1.41", "4.10"), "9.20"),
    )
    for i, (*powers, total) in enumerate(rows, 1):
        text += f"**Row {i}**:\n\n"
        text += "".join(f"- $e^{{{x}}} \\approx {power}$\n" for x, power in powers)
        text += f"- sum: ${total}$\n- normalised: $[0.09, 0.18, 0.73]$\n\n"
    assert [(name, row) for name, row, *_ in said(text, "slip")] == [("A", 1)] * 3


def test_scores_told_by_two_tokens_with_a_root_below_them_are_scaled_and_not_the_scores_again() -> None:
    pairs = [(a, b) for a in ("深度", "学习", "有趣") for b in ("深度", "学习", "有趣")]
    scores = ("2", "3", "5", "0", "2", "2", "2", "5", "7")
    text = "以“深度 学习 有趣”为例。\n\n" + INPUTS + "## Score 得分\n\n"
    text += "".join(f"* Score({a}->{b}) = {x}\n" for (a, b), x in zip(pairs, scores, strict=True))
    text += "\n## Scale 缩放\n\n除以 $\\sqrt{d_k}=\\sqrt{2}$：\n\n"
    text += "".join(f"* Score({a}->{b}) / √2 ≈ {x}.00\n" for (a, b), x in zip(pairs, scores, strict=True))
    report = audited(text)
    wrong = {k for remark in report.remarks if remark.code == "SA601" for k in remark.numbers}
    assert {report.judgements[k].printed.name for k in wrong} == {"scaled"}


def test_quotients_of_equal_scores_are_taken_in_their_order() -> None:
    text = (
        INPUTS + SCORES + "Scaled by sqrt(2) = 1.414:\n\n"
        "2 / 1.414 = 1.414  \n3 / 1.414 = 2.122  \n5 / 1.414 = 3.536  \n"
        "0 / 1.414 = 0.000  \n2 / 1.414 = 1.414  \n2 / 1.414 = 2.000  \n"
    )
    assert said(text, "slip") == [("scaled", 1, 2, "2.000")]


def test_the_root_of_a_width_that_was_just_told_is_no_score_divided() -> None:
    text = (
        INPUTS
        + SCORES
        + f"Our d_k is 2, so we divide by √2 ≈ 1.414.\n\n{SCALED}\n".replace(
            "0.000, 1.414, 1.414", "0.000, 1.414, 1.414"
        )
    )
    printed = [j.printed for j in audited(text).judgements if j.printed.numeral.text == "1.414"]
    assert printed[0].name == "sqrt(d_k)"


def test_a_root_with_a_sign_or_in_another_order_is_the_root_and_what_follows_is_carried() -> None:
    minus = "[[-1.414, -2.122, -3.536], [0.000, -1.414, -1.414], [-1.414, -3.536, -4.950]]"
    text = INPUTS + SCORES + f"再除以 √2，即约 -1.414，得到：\n\nS / √2 = {minus}\n"
    assert said(text, "slip") == [("sqrt(d_k)", 0, 0, "-1.414")]
    assert ("sqrt(d_k)", 0, 0, "1.144") in said(f"{INPUTS}{SCORES}除以√2（约等于1.144）。\n", "slip")


def test_a_row_that_keeps_to_the_declared_scale_keeps_the_others_from_being_a_convention() -> None:
    ((_, document),) = islice(by_hand(4, 1901, ("first-row-scaled",)), 3, 4)
    (report,) = document_reports(document.text, document.name, document.kind)
    scaled = [j for j in report.judgements if j.printed.name == "scaled" and j.printed.first is None]
    assert {j.printed.row for j in scaled if j.verdict == "slip"} == {1, 2, 3}


def test_a_root_that_was_rounded_first_excuses_scores_above_a_softmax_over_the_wrong_axis() -> None:
    text = (
        "Q = [[0, 0, 2], [0, 1, 3]]\n\nK = [[1, 1, 0], [2, 1, 1]]\n\nS = Q K^T = [[0, 2], [1, 4]]\n\n"
        "S / sqrt(3) = [[0.0000, 1.1547], [0.5774, 2.3095]]\n\n"
        "A = softmax(S / sqrt(3)) = [[0.3595, 0.2396], [0.6405, 0.7604]]\n"
    )
    assert {name for name, *_ in said(text, "slip")} == {"A"}


def test_scores_below_words_of_a_mask_are_the_scaled_ones_again_but_for_the_hidden() -> None:
    table = "|  | I | love | cats |\n|---|---|---|---|\n"
    scaled = ("0.00 | 0.00 | 0.00", "0.00 | 6.36 | 5.66", "0.00 | 4.00 | 4.00")
    hidden = ("0.00 | -inf | -inf", "0.00 | 6.36 | -inf", "0.00 | 4.00 | 4.00")
    scores = ("0 | 0 | 0", "0 | 9 | 8", "0 | 8 | 8")
    text = "Tokens: I love cats\n\nQ = [[0, 0], [3, 1], [2, 2]]\n\nK = [[0, 0], [2.5, 1.5], [2, 2]]\n\n"
    text += "Scores before the mask\n\n" + table + _rows(scores)
    text += "\n### Scaled by 1/√2\n\n" + table + _rows(scaled)
    text += "\n### After the causal mask\n\n" + table + _rows(hidden)
    report = audited(text)
    assert not [unread.text for unread in report.unread if unread.text in ("6.36", "4.00")]


def _rows(rows: tuple[str, ...]) -> str:
    return "".join(f"| {token} | {row} |\n" for token, row in zip(("I", "love", "cats"), rows, strict=True))


def test_a_matrix_of_which_some_rows_were_not_divided_is_read_below_words_of_scaling() -> None:
    def matrix(title: str, words: str, *rows: str) -> str:
        cells = " \\\\ ".join(row.replace(",", " &") for row in rows)
        return f"### {title}\n\n{words}\n\n$$\n\\begin{{pmatrix}} {cells} \\end{{pmatrix}}\n$$\n\n"

    text = (
        matrix("查询矩阵", "查询矩阵 Q：", "1, 2", "0, 2", "1, 4")
        + matrix("键矩阵", "键矩阵 K：", "2, 0", "1, 1", "3, 1")
        + matrix("相关性矩阵", "查询矩阵与键矩阵的转置相乘：", "2, 3, 5", "0, 2, 2", "2, 5, 7")
        + matrix(
            "缩放",
            "缩放因子为 1.414（即 2 的平方根），每个元素都除以它：",
            "1.41, 2.12, 3.54",
            "0.00, 2.00, 2.00",
            "2.00, 5.00, 7.00",
        )
    )
    assert {(name, row) for name, row, *_ in said(text, "slip")} == {("scaled", 1), ("scaled", 2)}


def test_two_rows_of_equal_scores_are_divided_one_after_the_other() -> None:
    text = (
        "Q = [[2, 1], [2, 1]]\n\nK = [[1, 1], [0, 1]]\n\nV = [[2, 1], [1, 1]]\n\n"
        "$q_1 \\cdot k_1 = 3$, $q_1 \\cdot k_2 = 1$, $q_2 \\cdot k_1 = 3$, $q_2 \\cdot k_2 = 1$\n\n"
        "* **good:** $[3, 1] / 1.414 = [2.1216, 0.7072]$\n* **morning:** $[3, 1] / 1.414 = [1.5, 0.5]$\n"
    )
    assert {(name, row) for name, row, *_ in said(text, "slip")} == {("scaled", 1)}
