"""Text for people in both languages, side by side: a value, never translated from the other one."""

from __future__ import annotations

import re
from collections.abc import Mapping


class Count(int):
    """How many there are, which is written with its noun: 1 entry, 2 entries, 3 columns.

    >>> f"{Count(1):column}, {Count(2):column} and {Count(2):entry/entries}"
    '1 column, 2 columns and 2 entries'
    """

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        if not noun:
            return str(int(self))
        one, _, several = noun.partition("/")
        return f"{int(self)} {one if self == 1 else several or one + 's'}"


MARK = re.compile(r"\{(\w+)(?::([^{}]+))?\}")
"""What is filled into a text: `{name}`, or `{name:noun}` for a `Count`."""

_EITHER = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


class Bilingual:
    """The same text in English and in Chinese.

    Both may hold the same `{marks}` for what is filled in; the English one of a number may hold its noun,
    `{count:entry/entries}` (`Count`). What reads differently where tokens are columns
    is written with `oriented`, which keeps that version as `on_columns`.
    """

    __slots__ = ("en", "on_columns", "zh")  # no struct: `symattn --help` does without msgspec

    def __init__(self, en: str, zh: str, on_columns: Bilingual | None = None) -> None:
        self.en, self.zh, self.on_columns = en, zh, on_columns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bilingual) and self._texts == other._texts

    def __hash__(self) -> int:
        return hash(self._texts)

    def __repr__(self) -> str:
        return f"Bilingual{self._texts}"

    @property
    def _texts(self) -> tuple[str, str, Bilingual | None]:
        return (self.en, self.zh, self.on_columns)

    def __getitem__(self, lang: str) -> str:
        """The text in `lang`, "en" or "zh"."""
        return self.zh if lang == "zh" else self.en

    @property
    def by_language(self) -> dict[str, str]:
        """The text as data."""
        return {"en": self.en, "zh": self.zh}

    def format(self, **parts: object) -> Bilingual:
        """The text with its marks filled in; a part that is Bilingual is filled in by language."""
        rows, columns = self._filled(parts), None
        if any(part.on_columns for part in (self, *parts.values()) if isinstance(part, Bilingual)):
            turned = {
                k: part.transposed if isinstance(part, Bilingual) else part for k, part in parts.items()
            }
            columns = self.transposed._filled(turned)
        return Bilingual(rows.en, rows.zh, columns)

    def _filled(self, parts: Mapping[str, object]) -> Bilingual:
        en, zh = ({name: _in_language(part, lang) for name, part in parts.items()} for lang in ("en", "zh"))
        return Bilingual(self.en.format(**en), self.zh.format(**zh))

    @property
    def after_article(self) -> Bilingual:
        """A heading as it goes on after "the": without its own article, its first letter in lower case."""
        noun = self.en.removeprefix("The ")
        columns = self.on_columns and self.on_columns.after_article
        return Bilingual(noun[:1].lower() + noun[1:], self.zh, columns)

    @property
    def transposed(self) -> Bilingual:
        """The text for tokens as columns; the text itself where it reads the same."""
        return self.on_columns or self


def _in_language(part: object, lang: str) -> object:
    if isinstance(part, Bilingual):
        return part[lang]
    return Count(part) if isinstance(part, int) else part


def oriented(en: str, zh: str) -> Bilingual:
    """A text about tokens as rows that reads differently for columns: `[row|column]` marks both words."""
    rows, columns = (Bilingual(_EITHER.sub(which, en), _EITHER.sub(which, zh)) for which in (r"\1", r"\2"))
    return Bilingual(rows.en, rows.zh, columns if columns != rows else None)


def both(text: str) -> Bilingual:
    """What is the same in both languages."""
    return Bilingual(text, text)


def placed(place: str, text: Bilingual) -> Bilingual:
    """The text behind its place, which is the same in both languages, for programs read it too."""
    return Bilingual(f"{place}: {text.en}", f"{place}: {text.zh}")
