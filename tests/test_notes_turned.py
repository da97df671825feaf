"""A document turned into another form, in which every number is as true as before, is judged as before.

Each turning is something that real authors do: another name, another sign, wrapped lines, a sentence or an
exercise with numbers of its own. It makes no new accusation, loses no finding, and hides few numbers.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from symattn.auditor.report import WRONG
from symattn.reading.documents import document_reports
from symattn.reading.kinds import kind_of

FOLDER = Path(__file__).parent / "documents"
KEPT = 0.95
"""How much of what was judged is judged still."""

Turn = Callable[[str], str]


def second(words: str) -> Turn:
    """The words as the second paragraph of the document."""
    return lambda text: re.sub(
        r"\n\n|\\begin\{document\}\n", lambda end: f"{end[0]}{words}\n\n", text, count=1
    )


def last(words: str) -> Turn:
    """The words as the last paragraph of the document."""
    return lambda text: text.rstrip("\n") + f"\n\n{words}\n"


def exchanged(pattern: str, by: str) -> Turn:
    return lambda text: re.sub(pattern, by, text)


def wrapped(text: str) -> str:
    """The lines of prose wrapped at fifty characters."""
    lines = (line if "$$" in line or len(line) < 50 else textwrap.fill(line, 50) for line in text.split("\n"))
    return "\n".join(lines)


def numbered(text: str) -> str:
    """The headings with the numbers of parts."""
    return re.sub(r"(?m)^#+ (?!\d)", "## 3.1 ", text)


ANOTHER_MODEL = second(r"With $d_k = 64$ we would divide by $\sqrt{64} = 8$; here the vectors are small.")
EXERCISE = last(
    "**Exercise.** With q = (1, 1), k_1 = (1, 0), k_2 = (0, 2) and no scaling the scores are 1 and 2; "
    "the weights are 0.269 and 0.731."
)
OTHER_WEIGHTS = last(
    "In BERT:\n\n| token | weight |\n|---|---|\n| the | 0.05 |\n| cat | 0.85 |\n| sat | 0.10 |"
)
OTHER_MATRICES = second("If A = [[1, 2], [3, 4]] and B = [[5, 6], [7, 8]], then AB = [[19, 22], [43, 50]].")
OTHER_SCORES = last("(Remember: softmax([2.0, 1.0, 0.1]) = [0.659, 0.242, 0.099].)")
WINDOWS = exchanged("\n", "\r\n")
LETTER_X = exchanged(r"(?<=[\d)]) ?[×·*] ?(?=[-(\d])", " x ")
WEIGHTS_BY_NAME = exchanged(r"(?<![\w^])A(?= V\b| ?=)", "attention_weights")
BOXED = exchanged(r"\\text\{", r"\\mbox{")


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        pytest.param("en_hw_latex.tex", ANOTHER_MODEL, id="the width of another model, LaTeX"),
        pytest.param("zh_fullwidth.md", ANOTHER_MODEL, id="the width of another model, Chinese"),
        pytest.param("zh_heads.md", EXERCISE, id="an exercise"),
        pytest.param("en_quiz.md", OTHER_WEIGHTS, id="weights of another model"),
        pytest.param("en_email.txt", OTHER_MATRICES, id="matrices to explain the product"),
        pytest.param("en_alignment.md", wrapped, id="wrapped lines"),
        pytest.param("en_asciidoc.md", WEIGHTS_BY_NAME, id="a name for the weights"),
        pytest.param("vi.md", numbered, id="numbered headings beside decimal commas"),
        pytest.param("en_causal_cells.tex", BOXED, id="words in boxes"),
        pytest.param("en_tables_percent.md", WINDOWS, id="line ends of Windows, tables"),
        pytest.param("en_chat_llm.md", WINDOWS, id="line ends of Windows, fences"),
        pytest.param("en_latex_exam.tex", OTHER_SCORES, id="another softmax"),
        pytest.param("vi.md", OTHER_SCORES, id="a sentence with points beside decimal commas"),
        pytest.param("zh_traditional.md", LETTER_X, id="the letter x for the sign, Chinese"),
        pytest.param("en_decimal_prose.md", LETTER_X, id="the letter x for the sign"),
    ],
)
def test_a_turned_document_is_judged_as_before(name: str, turn: Turn) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    turned = turn(text)
    assert turned != text
    (wrong, judged), (now_wrong, now_judged) = found(text, name), found(turned, name)
    assert now_wrong == wrong
    assert now_judged >= KEPT * judged


@cache
def found(text: str, name: str) -> tuple[Counter[str], int]:
    """What is accused, by the digits that stand there, and how many numbers are judged."""
    reports = document_reports(text, name, kind_of(name))
    said = [judged for report in reports for judged in report.judgements if judged.verdict != "undecided"]
    return Counter(judged.printed.numeral.text for judged in said if judged.verdict in WRONG), len(said)
