"""What many tests look at, worked out once in each process: the shipped cases and their pages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symattn import result
from symattn.attention.case import Case
from symattn.casefile.case_file import parse_case
from symattn.narrate.page import Detail
from symattn.result import Worked
from symattn.text.document import Document

FOLDER = Path(__file__).parent.parent / "cases"
CASES = sorted(FOLDER.rglob("*.toml"))
"""Every shipped case."""


@cache
def _shipped(path: Path) -> Worked:
    return result.work(path)


def work(case: Case | Path) -> Worked:
    """`symattn.work`; what a path leads to is kept, with its facts, its cross-check and its proofs."""
    return result.work(case) if isinstance(case, Case) else _shipped(case)


@cache
def work_text(text: str) -> Worked:
    """The case that a text describes, worked out."""
    return result.work(parse_case(text))


@cache
def _page(path: Path, lang: str, detail: Detail) -> Document:
    return work(path).document(lang=lang, detail=detail)


def page(path: Path, lang: str | None = None, detail: Detail = "some") -> Document:
    """The page of a shipped case before it is typeset, in the language of the case unless another is asked
    for, with the first entries of each step worked out.
    """
    return _page(path, lang or work(path).case.lang, detail)


def but_slow(values: Iterable[str | Path], *slow: str) -> list[Any]:
    """Parameters of a test, those of which are marked that are slow; a path goes by the stem of its name."""
    named = [(value.stem if isinstance(value, Path) else value, value) for value in values]
    return [pytest.param(value, id=name, marks=[pytest.mark.slow] * (name in slow)) for name, value in named]
