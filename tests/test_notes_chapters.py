"""Documents whose chapters work an example each: each is read as a document of its own would be."""

from __future__ import annotations

from itertools import pairwise

import pytest

from symattn.auditor.report import Report
from symattn.reading.documents import document_reports
from symattn.reading.kinds import Kind
from symattn.reading.notes import read_notes
from symattn.reading.notes.layout.chapters import MOST_CHAPTERS, chapters

RIVER = """# Attention on two words

The tokens are "river" and "bank".

## Step 1: Inputs

$X = \\begin{pmatrix} 0.5 & 1 \\\\ 1.5 & 0 \\end{pmatrix}$

The weights are stored as rows, so we compute X W^T.

## Step 2: Queries and keys

$W_Q = \\begin{pmatrix} 1 & 0 \\\\ 2 & 1 \\end{pmatrix}$

$W_K = \\begin{pmatrix} 0 & 1 \\\\ 1 & 1 \\end{pmatrix}$

$Q = X W_Q^T = \\begin{pmatrix} 0.5 & 2 \\\\ 1.5 & 3 \\end{pmatrix}$

$K = X W_K^T = \\begin{pmatrix} 1 & 1.5 \\\\ 0 & 1.5 \\end{pmatrix}$

## Step 3: Softmax

$QK^T = \\begin{pmatrix} 3.5 & 3 \\\\ 6 & 4.5 \\end{pmatrix}$

$\\text{softmax}([2.47, 2.12]) = [0.59, 0.41]$
"""
CATS = """# 三个词的注意力

词：我、爱、猫

## 第一步：Q、K、V

**Q**：

| token | 1 | 2 |
|---|---|---|
| 我 | 1 | 0 |
| 爱 | 0 | 2 |
| 猫 | 1 | 1 |

K = [[0, 1], [1, 1], [2, 0]]

V = [[1, 2], [0, 1], [3, 0]]

## 第二步：分数

“我”的分数：0, 1, 2

缩放后（除以 √2）：0, 0.71, 1.41

softmax([0, 0.71, 1.41]) = [0.14, 0.28, 0.58]

z_我 = [1.88, 0.56]
"""


def verdicts(reports: tuple[Report, ...]) -> list[tuple[str, str, str]]:
    return [(j.printed.name, j.printed.numeral.text, j.verdict) for r in reports for j in r.judgements]


def accused(reports: tuple[Report, ...]) -> list[tuple[str, int, int]]:
    return [
        (j.printed.numeral.text, j.printed.place.line, j.printed.place.column)
        for r in reports
        for j in r.judgements
        if j.verdict == "slip" and j.printed.place is not None
    ]


def heads(text: str, kind: Kind = "markdown") -> list[str]:
    return [text[start:end].lstrip("-\n ").split("\n")[0] for start, end in chapters(text, kind)]


@pytest.mark.parametrize("between", ["\n", "\n---\n\n"])
def test_each_chapter_is_read_as_it_is_alone(between: str) -> None:
    alone = [verdicts(document_reports(text, None, "markdown")) for text in (RIVER, CATS, RIVER)]
    other = RIVER.replace("0.5 & 1 ", "0.7 & 1 ")
    reports = document_reports(between.join((RIVER, CATS)), None, "markdown")
    assert verdicts(reports) == alone[0] + alone[1]
    assert [report.case.tokens for report in reports] == [("river", "bank"), ("我", "爱", "猫")]
    assert heads(between.join((RIVER, CATS, other)))[1:] == ["# 三个词的注意力", "# Attention on two words"]


@pytest.mark.parametrize(
    ("kind", "document"),
    [
        ("text", "Example {k}\n=========\n\n１. Setup\n\n  {X} ＝ [{k}.5 1]\n\n2. Softmax\n\n  e = 1\n"),
        ("markdown", "Example {k}\n---\n\nx_{k} = ({k}.5, 1)\n\nThe weights are 1.\n"),
        ("markdown", "Attention {k}.\n\n### Embeddings\n\n| cat | {k}.5 | 1 |\n\nsoftmax\n\n***\n"),
        ("latex", "\\subsection{{Example {k}}}\n$X = ({k}.5, 1)$\n\nsoftmax\n"),
    ],
)
def test_chapters_begin_with_headings_and_rules_of_each_kind(kind: Kind, document: str) -> None:
    text = "\n".join(document.format(k=k, X="Ｘ" if k == 2 else "X") for k in (1, 2, 3))
    spans = chapters(text, kind)
    assert len(spans) == 3
    assert all("weights" in text[start:end] or "softmax" in text[start:end].lower() for start, end in spans)


def test_places_are_those_of_the_document() -> None:
    text = RIVER + "\n" + CATS.replace("0.28", "0.38")
    above, _, before = text[: text.index("0.38")].rpartition("\n")
    place = above.count("\n") + 2, len(before) + 1
    assert accused(document_reports(text, None, "markdown")) == [("0.38", *place)]


def test_commands_of_the_document_are_known_in_each_chapter() -> None:
    commands = "\\newcommand{\\mat}[1]{\\begin{pmatrix}#1\\end{pmatrix}}"
    text = f"{commands}\n\\begin{{document}}\nNothing is scaled.\n"
    for first, weights in (("1", "0.73 & 0.27"), ("2", "0.88 & 0.12")):
        text += f"\\section{{Example}}\n\n\\[ Q = \\mat{{{first} & 0 \\\\ 0 & 1}} \\]\n\n"
        text += "\\[ K = \\mat{1 & 0 \\\\ 0 & 1} \\]\n\n\\[ V = \\mat{1 & 2 \\\\ 3 & 4} \\]\n\n"
        text += f"\\[ S = QK^T = \\mat{{{first} & 0 \\\\ 0 & 1}} \\]\n\n"
        text += f"\\[ A = \\mathrm{{softmax}}(S) = \\mat{{{weights} \\\\ 0.37 & 0.73}} \\]\n\n"
    assert heads(text, "latex") == [commands, "\\section{Example}"]
    reports = document_reports(text, None, "latex")
    assert [report.case.given["Q"].typed[0] for report in reports] == [("1", "0"), ("2", "0")]
    assert [text for text, *_ in accused(reports)] == ["0.37", "0.37"]


@pytest.mark.parametrize(
    "text",
    [
        RIVER,
        CATS,
        # the same input again
        RIVER + "\n# With a mask\n\nX = [[0.5, 1], [1.5, 0]]\n\nsoftmax([2.47]) = [1]\n",
        # heads and layers of one example
        "# Head 1\n\nX = [[1, 2], [3, 4]]\n\nsoftmax\n\n# Head 2\n\nX = [[5, 6], [7, 9]]\n",
        # queries that follow from the input above them
        "# Input\n\nX = [[1, 2], [3, 4]]\n\n# Queries\n\nQ = [[5, 6], [7, 9]]\n",
        # a comment in code is no heading
        "X = [[1, 2], [3, 4]]\n\nsoftmax\n\n```python\n# Example\nX = [[5, 6], [7, 9]]\n```\n",
    ],
)
def test_what_goes_on_is_no_chapter(text: str) -> None:
    assert chapters(text, "markdown") == [(0, len(text))]


def test_a_chapter_that_lacks_weights_is_read_with_the_one_that_has_them() -> None:
    first = "# One\n\nX = [[1, 2]]\n\nW_Q = [[1, 2], [3, 4]]\n\nQ = [[7, 10]]\n\nexp(1) = 2.72\n\n"
    second = "# Two\n\nX = [[2, 1]]\n\nQ = [[5, 8]]\n\nexp(2) = 7.39\n"
    assert len(chapters(first + second, "markdown")) == 2
    reports = document_reports(first + second, None, "markdown")
    assert [sorted(report.case.given) for report in reports if report.case.given] == [["W_Q", "X"]] * 2


def test_queries_with_headings_of_their_own_that_meet_the_same_keys_are_no_documents() -> None:
    text = "# Keys\n\nk_1 = [1, 0], k_2 = [0, 1]\n\nv_1 = [1, 2], v_2 = [3, 0]\n\n"
    for word, query, weights in (("cat", "1.5, 0.5", "0.67, 0.33"), ("sat", "0.2, 1.3", "0.31, 0.69")):
        text += f"# The query of {word}\n\nq = [{query}]\n\nq·K^T = [{query}]\n\nweights = [{weights}]\n\n"
    assert len(chapters(text, "markdown")) > 1
    assert read_notes(text).chapters == ()


def test_what_stands_above_the_first_input_is_a_chapter_where_it_has_numbers_of_its_own() -> None:
    encodings = "# Encodings\n\nPE_1 = [0.84, 0.54]\n\nPE_2 = [0.91, -0.42]\n\n"
    assert len(chapters(f"{encodings}{RIVER}\n{CATS}", "markdown")) == 3
    assert len(chapters(f"# Preface\n\nTwo examples.\n\n{RIVER}\n{CATS}", "markdown")) == 2


def test_no_document_has_too_many_chapters() -> None:
    text = "".join(f"# {k}\n\nX = [[{k}, 2]]\n\nsoftmax\n\n" for k in range(2 * MOST_CHAPTERS))
    spans = chapters(text, "markdown")
    assert len(spans) == MOST_CHAPTERS
    assert spans[-1][1] == len(text)


def test_chapters_leave_nothing_out() -> None:
    text = "\n".join((RIVER, CATS, CATS.replace("| 0 | 2 |", "| 3 | 2 |")))
    spans = chapters(text, "markdown")
    assert len(spans) == 3
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert all(before[1] == after[0] for before, after in pairwise(spans))
