"""Every shipped case compiles, in both languages: no missing character, nothing off the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from once import CASES, but_slow, page

from symattn.typeset.latex import latex


def source(path: Path, lang: str) -> str:
    return latex(page(path, lang, "steps"), standalone=True)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", but_slow(CASES))
def test_a_case_compiles(path: Path, lang: str, xelatex: Callable[[str], str]) -> None:
    xelatex(source(path, lang))


SHORT = [path for path in CASES if not path.stem.startswith("stacked")]


@pytest.mark.parametrize(("lang", "first"), [("en", 0), ("zh", 1)])
def test_every_second_case_compiles_in_one_document(
    lang: str, first: int, xelatex: Callable[[str], str]
) -> None:
    """Each short case in one language, under what any of their preambles has."""
    documents = [source(path, lang).partition(r"\begin{document}") for path in SHORT[first::2]]
    longest = max((before for before, _, _ in documents), key=len)
    others = {
        line: None for before, _, _ in documents for line in before.splitlines() if line.startswith("\\")
    }
    preamble = "\n".join(
        [longest, *(line for line in others if line not in longest and "class" not in line), ""]
    )
    bodies = [after.partition(r"\end{document}")[0] for _, _, after in documents]
    xelatex(preamble + r"\begin{document}" + r"\clearpage ".join(bodies) + r"\end{document}")
