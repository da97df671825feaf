"""Texts in two languages, and for tokens as rows and as columns."""

from __future__ import annotations

from symattn.text.bilingual import Bilingual, both, oriented


def test_an_oriented_text_has_a_version_for_columns() -> None:
    text = oriented("each [row|column] of {name}", "{name} 的每一[行|列]")
    assert text.en == "each row of {name}"
    assert text.transposed == Bilingual("each column of {name}", "{name} 的每一列")


def test_a_text_without_orientation_is_its_own_transpose() -> None:
    assert both("Q").transposed == both("Q")


def test_what_is_filled_in_keeps_its_orientation() -> None:
    shape = oriented("[3×2|2×3]", "[3×2|2×3]")
    text = Bilingual("X is {shape}", "X 是 {shape}").format(shape=shape)
    assert (text.en, text.transposed.en) == ("X is 3×2", "X is 2×3")
    assert text.transposed.zh == "X 是 2×3"
