"""The ASCII form of what a terminal cannot show."""

from __future__ import annotations

from pathlib import Path

import pytest

from symattn import work
from symattn.text.file_names import shown
from symattn.typeset.ascii import in_encoding
from symattn.typeset.cjk import display_width, laid_out_for

CASE = Path(__file__).parent.parent / "cases" / "thinking_machines.toml"


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("S₁₁ ≈ √2·x₁", "S_11 ~ sqrt(2)*x_1"),
        ("e^(√(d_k)/2) ⁵√7 ∛x₁", "e^(sqrt(d_k)/2) root_5(7) cbrt(x_1)"),
        ("S' = S/√d_k", "S' = S/sqrt(d_k)"),
        ("K⁻¹ Kᵀ x² 2⁻¹⁰", "K^-1 K^T x^2 2^-10"),
        ("(-∞) ≤ ½ → α", "(-inf) <= 1/2 -> alpha"),
        ("⎡1⎤ │ ──", "[1] | --"),
        ("“é” ５ －１，", '"e" 5 -1,'),
        ("猫 \u202e", "\\u{732b} \\u{202e}"),
    ],
)
def test_signs_are_written_as_mathematicians_type_them(said: str, form: str) -> None:
    assert in_encoding(said, "ascii") == form


def test_what_the_encoding_has_stays_and_scripts_are_not_mixed() -> None:
    assert in_encoding("2·x² A⁻¹ 猫", "latin-1") == "2·x² A^-1 \\u{732b}"
    assert in_encoding("√2·猫 S₁", "gbk") == "√2·猫 S_1"
    assert in_encoding("√2·猫 S₁", "utf-8") == "√2·猫 S₁"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "gbk"])
def test_brackets_stay_below_one_another(encoding: str) -> None:
    with laid_out_for(encoding):
        page = in_encoding(work(CASE).text(detail="some"), encoding)
    assert page.encode(encoding).decode(encoding) == page
    lines = page.split("\n")
    top = next(k for k, line in enumerate(lines) if "Thinking [" in line)
    for above, below in zip(lines[top], lines[top + 1], strict=True):
        assert (above in "[]") == (below in "[]")


def test_text_is_measured_as_it_will_be_shown() -> None:
    assert display_width("√2 猫") == 5
    with laid_out_for("ascii"):
        assert display_width("√2 猫") == len("sqrt(2) \\u{732b}")
    assert display_width("√2 猫") == 5


def test_a_file_name_is_utf_8_whatever_the_locale_says() -> None:
    held = "讲义".encode() + b"\xff.md"
    assert shown(held.decode("ascii", "surrogateescape")) == "讲义\\xff.md"
    assert shown("讲义.md") == "讲义.md"
    assert shown("\ud800.md") == "\\xed\\xa0\\x80.md"
