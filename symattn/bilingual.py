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

    def format(self, **parts: object) -> Bilingual:
        """The text with its marks filled in; a part that is Bilingual is filled in by language."""
        en, zh = (
            {name: part[lang] if isinstance(part, Bilingual) else part for name, part in parts.items()}
            for lang in ("en", "zh")
        )
        return Bilingual(self.en.format(**en), self.zh.format(**zh))
