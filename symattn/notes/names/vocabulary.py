"""The words of all languages, from one file a language, `words.en.toml` and so on, with equal keys."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

LANGUAGES: Final = ("en", "zh", "ja", "ko", "de", "fr", "es", "pt", "ru", "vi")


class Vocabulary(Struct, frozen=True):
    """How quantities are called ({word: symbol}), and the words around numbers.

    `copulas` mean `is`, `sizes` announce a shape, a word with one of `speak_of_scores` in it is about scores,
    `steps` come before the number of a step in a heading, and `heads` before that of a head. `sentences` are
    forms of what can be decided, with `{name}`, `{shape}`, `{row}` and `{key}` for what differs.
    """

    quantities: Mapping[str, str]
    copulas: frozenset[str]
    sizes: frozenset[str]
    speak_of_scores: tuple[str, ...]
    steps: tuple[str, ...]
    heads: frozenset[str]
    sentences: Mapping[str, tuple[str, ...]]


def language_file(language: str) -> Path:
    """Where the words of a language are."""
    return Path(__file__).parent / f"words.{language}.toml"


@cache
def vocabulary() -> Vocabulary:
    """The words of all languages together."""
    quantities: dict[str, str] = {}
    words: defaultdict[str, list[str]] = defaultdict(list)
    sentences: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        read = tomllib.loads(language_file(language).read_text(encoding="utf-8"))
        for symbol, names in read["quantities"].items():
            quantities |= dict.fromkeys(names, symbol)
        for key, found in read["words"].items():
            words[key] += found
        for kind, forms in read["sentences"].items():
            sentences[kind] = (*sentences.get(kind, ()), *forms)
    return Vocabulary(
        quantities,
        frozenset(words["copulas"]),
        frozenset(words["sizes"]),
        tuple(words["speak_of_scores"]),
        tuple(words["steps"]),
        frozenset(words["heads"]),
        sentences,
    )
