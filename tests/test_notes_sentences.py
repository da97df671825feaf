"""Where sentences end: in English and Chinese, and not at decimals or abbreviations."""

from __future__ import annotations

import pytest

from symattn.reading.notes.layout.sentences import last_clause, sentences


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is 0.5. Then 1.5!", ["It is 0.5.", " Then 1.5!", ""]),
        ("A small one, e.g. the cat. 所以", ["A small one, e.g. the cat.", " 所以"]),
        ("猫关注爱。然后?是", ["猫关注爱。", "然后?", "是"]),
        ("one line\nand the next", ["one line\nand the next"]),
        ("a paragraph\n\nanother\n- a bullet", ["a paragraph\n", "\nanother\n", "- a bullet"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, said: list[str]) -> None:
    """The parts make the whole, each with where it begins."""
    found = list(sentences(text))
    assert [part for _, part in found] == said
    assert all(text.startswith(part, begin) for begin, part in found)


def test_a_clause_ends_at_a_semicolon_too() -> None:
    """But no clause ends within a number."""
    assert last_clause("without scaling, 2.5; with it 1.77") == " with it 1.77"
