"""Every shipped case compiles, in both languages: no missing character, nothing off the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import symattn

CASES = sorted((Path(__file__).parent.parent / "cases").rglob("*.toml"))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_compiles(path: Path, lang: str, xelatex: Callable[[str], str]) -> None:
    xelatex(symattn.work(path).latex(standalone=True, lang=lang))
