"""Sentences of notes that can be decided, and the tokens that rows are called by."""

from __future__ import annotations

import pytest

from symattn.notes.documents import document_reports, read_notes

EXAMPLE = """\
S:

| token | cat | mat |
|---|---|---|
| cat | 2.5 | 1.0 |
| mat | 0.5 | 3.0 |

A = softmax(S):

| token | cat | mat |
|---|---|---|
| cat | 0.82 | 0.18 |
| mat | 0.08 | 0.92 |

"""
CHINESE = EXAMPLE.replace("cat", "我").replace("mat", "猫")


def false(text: str) -> list[tuple[str, int, int]]:
    """The code of each false statement of a note, its line behind the example, and its column."""
    first = EXAMPLE.count("\n")
    return [
        (remark.code, remark.place.line - first, remark.place.column)
        for report in document_reports(text, "a.md", "markdown")
        for remark in report.remarks
        if remark.verdict == "claim" and remark.place is not None
    ]


def test_labels_of_rows_are_the_tokens_of_an_example() -> None:
    (case,) = read_notes(CHINESE, "a.md", "markdown").cases
    assert case.tokens == ("我", "猫")


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Here the mat attends most to the cat.", [("SA502", 1, 6 + 3)]),
        ("A is 2×3, and $A$ has shape $2 \\times 2$.", [("SA505", 1, 1)]),
        ("Each row sums to 1; each row of S sums to 1. Cat attends most to `cat`.", []),
        ("Does mat attend most to cat? mat attends most to cat or mat, or does it?", []),
        ("It is not so that mat attends most to cat.", []),
        ("X A is 2×3, A is 64×512 in the paper, and dog attends most to cat.", []),
        ("mat attends most to cat and to mat.", []),
    ],
)
def test_a_false_sentence_is_found_and_what_is_true_or_unclear_is_not(
    sentence: str, found: list[tuple[str, int, int]]
) -> None:
    assert false(EXAMPLE + sentence) == found


def test_sentences_are_read_in_chinese() -> None:
    assert false(f"{CHINESE}所以“我”最关注“猫”，“猫”最关注“猫”。A 的形状是 2×2，每行之和为 1。") == [
        ("SA502", 1, 3)
    ]


def test_a_shape_is_not_judged_where_the_quantity_is_printed_in_several() -> None:
    assert false(f"{EXAMPLE}A is 2×3.\n\n## Another\n\nA = [[0.2, 0.3, 0.5], [0.1, 0.2, 0.7]]\n") == []
