"""What a heading, a caption or a line of words calls the print under it."""

from __future__ import annotations

from symattn.notes.documents import document_reports

Q_AND_K = """
Q = [[1.5, 0.2], [0.3, 1.1]]

K = [[1.2, 0.7], [0.4, 1.9]]

Q K^T = [[1.94, 0.98], [1.13, 2.21]]

"""


def accused(text: str) -> list[str]:
    """The numerals of a text that are called slips."""
    judged = (each for report in document_reports(text, "note.md", "markdown") for each in report.judgements)
    return [each.printed.numeral.text for each in judged if each.verdict == "slip"]


def test_a_line_that_says_a_division_is_the_formula_of_the_table_under_it() -> None:
    table = "| scaled | a | b |\n|---|---|---|\n| a | 1.372 | 0.693 |\n| b | {} | 1.563 |\n"
    text = Q_AND_K + "Divide by √2:\n\n" + table
    assert accused(text.format("0.799")) == []
    assert accused(text.format("0.979")) == ["0.979"]


def test_a_heading_that_says_softmax_is_the_formula_of_the_weights_under_it() -> None:
    scaled = "## Scaled scores\n\n```\n[1.372  0.693]\n[0.799  1.563]\n```\n\n"
    text = Q_AND_K + scaled + "## Softmax\n\n```\n[0.664  0.336]\n[{}  0.682]\n```\n"
    assert accused(text.format("0.318")) == []
    assert accused(text.format("0.381")) == ["0.381"]


def test_a_title_that_the_numbers_do_not_bear_out_names_nothing() -> None:
    mask = "## Scores that are hidden\n\n```\n[1.0  0.0]\n[0.5  1.0]\n```\n"
    assert accused(Q_AND_K + mask) == []


def test_rows_with_labels_under_a_title_are_the_matrix_that_it_names() -> None:
    scaled = "Divide by √2:\n\n- cat: [1.372, 0.693]\n- dog: [{}, 1.563]\n"
    text = Q_AND_K + scaled
    assert accused(text.format("0.799")) == []
    assert accused(text.format("0.979")) == ["0.979"]
