"""The parts of a narrated page in the plain spelling of formulas, for tests to look at."""

from __future__ import annotations

import re
from typing import Any

from symattn.casefile.case_file import parse_case
from symattn.result import work
from symattn.text.document import Display, Document, Heading, Maths, Paragraph, Prose, Remark
from symattn.typeset.plain import plain_formula

TWO = """
title = "two"
tokens = ["a", "b"]
[given]
Q = [[1, 1], [2, 1]]
K = [[1, 1], [1, 2]]
V = [[1, 1, 2], [2, 1, 1]]
"""


def page(text: str, **options: Any) -> Document:
    """The page of a case with its first entries worked out, unless options say otherwise."""
    return work(parse_case(text)).document(**{"detail": "some", **options})


def words(prose: Prose) -> str:
    return "".join(
        part if isinstance(part, str) else plain_formula(part.formula)
        for part in prose
        if isinstance(part, str | Maths)
    )


def lines(document: Document, start: str = "") -> list[str]:
    """Every displayed formula that begins with `start`, on one line."""
    shown = [plain_formula(f) for block in document.blocks if isinstance(block, Display) for f in block.lines]
    return [re.sub(r" +", " ", line) for line in shown if line.startswith(start)]


def headings(document: Document) -> list[str]:
    return [words(block.words) for block in document.blocks if isinstance(block, Heading)]


def remarks(document: Document) -> list[str]:
    return [f"{b.label}: {words(b.words)}" for b in document.blocks if isinstance(b, Remark)]


def paragraphs(document: Document) -> str:
    return " ".join(words(block.words) for block in document.blocks if isinstance(block, Paragraph))
