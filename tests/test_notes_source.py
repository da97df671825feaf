"""Documents of every kind as one text, in which every character knows its place."""

from __future__ import annotations

import pytest

from symattn.casefile.file_kinds import Kind
from symattn.notes.source.text import read_source


def lines(text: str, kind: Kind) -> list[str]:
    """The lines of a source that say something, without blanks at their ends."""
    return [line.strip() for line in read_source(text, kind).text.split("\n") if line.strip()]


KINDS: dict[str, tuple[Kind, str, list[str]]] = {
    "latex": ("latex", "a = 1 % b = 2\n50\\% \\\\ % c\n", ["a = 1", "50\\% \\\\"]),
    "markdown": (
        "markdown",
        "a <!-- b\n= 2 --> c\n1 & 2 \\\\ % row 1\n50% of\n",
        ["a", "c", "1 & 2 \\\\", "50% of"],
    ),
    "rst": ("rst", ".. b = 2\n   c = 3\n\n.. math::\n\n   a = 1\n\n:math:`d`\n", ["a = 1", "`d`"]),
    "org": (
        "org",
        "** Scores\n# b = 2\n#+BEGIN_SRC python\na = 1  # c\n#+END_SRC\n",
        ["## Scores", "```", "a = 1  # c", "```"],
    ),
    "asciidoc": (
        "asciidoc",
        "== Scores\n// b = 2\n////\nc = 3\n////\nstem:[a = 1] is\n|===\n|1 |2\n|===\n",
        ["## Scores", "a = 1  is", "|1 |2"],
    ),
    "typst": (
        "typst",
        '= Scores\n// b = 2\n$ A = mat(delim: "[", 1, 2; 3, 4) dot vec(5, 6) $\n$ x = frac(1, 2) $ mat(1)\n',
        ["# Scores", "$ A = [ 1, 2; 3, 4] · [5, 6] $", "$ x = \\frac{1}{ 2} $ mat(1)"],
    ),
    "html": (
        "html",
        "<h2>Scores</h2><!-- b = 2 --><p>q<sub>1</sub>&middot;<b>k</b> = 6</p><script>c = 3</script>",
        ["## Scores", "q_{1}·k = 6"],
    ),
    "mathml": (
        "html",
        "<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd><mtd>4</mtd></mtr></mtable>",
        ["\\begin{matrix}1&2\\\\3&4\\\\\\end{matrix}"],
    ),
    "macros": ("latex", "\\newcommand{\\m}[1]{[#1]}\n\\m{1, 2} = \\m 3", ["[1, 2] = [3"]),
    "notebook": (
        "notebook",
        '{"cells": [{\n "cell_type": "code",\n "outputs": [{\n   "text": [\n'
        '    "a = \\u0031\\n"\n   ]\n }],\n'
        ' "source": [\n  "b = 2\\n"\n ]\n}]}',
        ["```", "b = 2", "```", "```", "a = 1", "```"],
    ),
    "digits": ("text", "０．５＋٠٫٥＝१.०；𝐐𝟏", ["0.5+0.5=1.0;Q1"]),
}


@pytest.mark.parametrize(("kind", "text", "expected"), KINDS.values(), ids=KINDS)
def test_a_document_is_read_without_its_comments_and_with_marks_of_one_kind(
    kind: Kind, text: str, expected: list[str]
) -> None:
    assert lines(text, kind) == expected


def test_every_character_knows_where_it_is_printed() -> None:
    for kind, text, _ in KINDS.values():
        source, printed = read_source(text, kind), text.split("\n")
        for char, line, column in zip(source.text, source.lines, source.columns, strict=True):
            if char in "Aqk12345" and text.isascii():
                assert printed[line - 1][column - 1] in (char, "\\")
