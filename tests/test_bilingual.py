"""Texts in two languages, and for tokens as rows and as columns."""

from __future__ import annotations

from symattn.narrate.voice import Voice
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


def test_a_count_agrees_with_its_noun_in_messages_and_on_pages() -> None:
    text = Bilingual("{n:entry is/entries are} wrong in {m:row}", "{m} 行中有 {n} 个错误")
    assert text.format(n=1, m=1).en == "1 entry is wrong in 1 row"
    assert text.format(n=2, m=3).by_language == {
        "en": "2 entries are wrong in 3 rows",
        "zh": "3 行中有 2 个错误",
    }
    assert Voice().say(text, n=1, m=2) == ("1 entry is", " wrong in ", "2 rows")
