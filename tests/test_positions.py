"""Sinusoidal positions as others arrange them: all sines first, and other exponents."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.floats.from_exact import matrix_to_floats
from symattn.narrate.export import conventions
from symattn.result import work
from symattn.text.errors import ShapeMismatch
from tests.audit_cases import case, stated

TOKENS = ("a", "b", "c")
EXPONENTS = {
    "pair": lambda pair, column, d: 2 * pair / d,
    "column": lambda pair, column, d: column / d,
    "twice-column": lambda pair, column, d: 2 * column / d,
    "full-range": lambda pair, column, d: pair / (d / 2 - 1),
}
CODES = {
    "pair": "exponent-by-pair",
    "column": "exponent-doubled",
    "twice-column": "exponent-twice-column",
    "full-range": "exponent-full-range",
}
WAYS = [(pairs, exponents) for pairs in ("interleaved", "half") for exponents in EXPONENTS]


def encoding(pairs: str, exponents: str, d: int = 6) -> NDArray[np.float64]:
    """In plain NumPy, column by column."""
    made = np.empty((3, d))
    for column in range(d):
        half = pairs == "half"
        pair, cosine = (column % (d // 2), column >= d // 2) if half else (column // 2, column % 2 == 1)
        angles = np.arange(3) / 10000 ** EXPONENTS[exponents](pair, column, d)
        made[:, column] = np.cos(angles) if cosine else np.sin(angles)
    return made


def text(*lines: str) -> str:
    return "\n".join(('tokens = ["a", "b", "c"]', "[attention]", 'positions = "sinusoidal"', *lines))


@pytest.mark.parametrize(("pairs", "exponents"), WAYS)
def test_the_encoding_is_the_one_of_plain_numpy(pairs: str, exponents: str) -> None:
    lines = (f'pairs = "{pairs}"', f'exponents = "{exponents}"', "d_model = 6")
    worked = work(parse_case(text(*lines)))
    np.testing.assert_allclose(matrix_to_floats(worked["PE"]), encoding(pairs, exponents), atol=1e-15)
    turned = work(parse_case(text(*lines, 'tokens_as = "columns"')))
    np.testing.assert_allclose(matrix_to_floats(turned["PE"]), encoding(pairs, exponents).T, atol=1e-15)
    assert worked.check.agrees
    assert worked.check.textbook is not None
    assert worked.check.textbook.covers == ("PE",)


@pytest.mark.parametrize(("pairs", "exponents"), WAYS[1:])
@pytest.mark.parametrize("declared", [WAYS[0], WAYS[-1]])
def test_who_mixed_them_up_is_told_so(declared: tuple[str, str], pairs: str, exponents: str) -> None:
    printed = stated("PE", [[f"{x:.5f}" for x in row] for row in encoding(pairs, exponents)])
    ways = dict(zip(("pairs", "exponents"), declared, strict=True))
    report = audit(case({}, printed, tokens=TOKENS, positions="sinusoidal", d_model=6, **ways))
    expected = []
    if pairs != declared[0]:
        expected.append("sines-in-halves" if pairs == "half" else "sines-in-turn")
    if exponents != declared[1]:
        expected.append(CODES[exponents])
    assert [cause.slip for cause in report.causes] == (["-".join(expected)] if expected else [])


def test_the_page_and_the_data_name_what_is_not_usual() -> None:
    said = parse_case(text('pairs = "half"', 'exponents = "full-range"', "d_model = 6"))
    worked = work(said)
    assert "all sines before all cosines" in " ".join(worked.text().split())
    assert "PE(p, d_model/2 + i + 1) = cos(p/10000^(2i/(d_model - 2)))" in worked.text()
    assert "先排全部正弦，再排全部余弦" in worked.text(lang="zh").replace("\n", "")
    data = conventions(said)
    assert (data["pairs"], data["exponents"]) == ("half", "full-range")
    page = work(parse_case(text('exponents = "column"', "d_model = 4"))).text()
    assert "PE(p, 2i + 2) = cos(p/10000^((2i + 1)/d_model))" in page
    assert "column j of the encoding, counted from 0, has the exponent j/d_model" in " ".join(page.split())


def test_halves_need_an_even_width() -> None:
    with pytest.raises(ShapeMismatch, match="in pairs, in 5 columns") as refused:
        work(parse_case(text('pairs = "half"', "d_model = 5")))
    assert refused.value.key == "attention.pairs"
