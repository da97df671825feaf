"""Sentences in both languages, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symattn.text.bilingual import Bilingual, oriented

Sentences = Mapping[str, Bilingual]


def table(texts: Mapping[str, tuple[str, str]]) -> Sentences:
    """English and Chinese by name; `[row|column]` marks what reads differently where tokens are columns."""
    return MappingProxyType({key: oriented(*text) for key, text in texts.items()})
