"""Text for people in both languages, side by side: a value, never translated from the other one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bilingual:
    """The same text in English and in Chinese.

    Both may hold the same `{marks}` for what is filled in.
    """

    en: str
    zh: str

    def __getitem__(self, lang: str) -> str:
        """The text in `lang`, "en" or "zh"."""
        return self.zh if lang == "zh" else self.en

    @property
    def by_language(self) -> dict[str, str]:
        """The text as data."""
        return {"en": self.en, "zh": self.zh}

    def format(self, **parts: object) -> Bilingual:
        """The text with its marks filled in; a part that is Bilingual is filled in by language."""
        en, zh = (
            {name: part[lang] if isinstance(part, Bilingual) else part for name, part in parts.items()}
            for lang in ("en", "zh")
        )
        return Bilingual(self.en.format(**en), self.zh.format(**zh))


def both(text: str) -> Bilingual:
    """What is the same in both languages."""
    return Bilingual(text, text)


def placed(place: str, text: Bilingual) -> Bilingual:
    """The text behind its place, which is the same in both languages, for programs read it too."""
    return Bilingual(f"{place}: {text.en}", f"{place}: {text.zh}")
