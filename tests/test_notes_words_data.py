"""The words of every language: equal keys, each word under one quantity."""

from __future__ import annotations

import tomllib

import pytest

from symattn.notes.names.vocabulary import LANGUAGES, language_file, vocabulary
from symattn.notes.names.words import letters, stem


def keys(language: str) -> dict[str, list[str]]:
    read = tomllib.loads(language_file(language).read_text(encoding="utf-8"))
    return {table: list(entries) for table, entries in read.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_keys_of_english_in_their_order(language: str) -> None:
    assert keys(language) == keys("en")


def test_every_file_of_words_is_listed() -> None:
    folder = language_file("en").parent
    assert sorted(folder.glob("words.*.toml")) == sorted(map(language_file, LANGUAGES))


def test_no_word_names_two_quantities() -> None:
    count = sum(
        len(words)
        for language in LANGUAGES
        for words in tomllib.loads(language_file(language).read_text(encoding="utf-8"))["quantities"].values()
    )
    assert count == len(vocabulary().quantities)


def test_words_of_several_languages_name_the_weights() -> None:
    assert [letters(word) for word in ("weights", "所以注意力权重", "Gewichte", "веса")] == [(("a", ()),)] * 4
    assert stem("权重是") == "权重"
