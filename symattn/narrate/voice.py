"""The voice of a page: its sentences in one language, with formulas and words put in, and lists joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from symattn.narrate.words import SENTENCES
from symattn.text.bilingual import MARK, Bilingual, Count
from symattn.text.document import Inline, Prose

_JOINTS = {"en": (", ", " and ", "; "), "zh": ("、", "和", "；")}
_PLAIN = {"en": ", ", "zh": "，"}


class Voice(Struct, frozen=True):
    """The language of a page, `en` or `zh`; with `columns` what is said of rows is said of columns."""

    lang: str = "en"
    columns: bool = False

    def say(self, sentence: str | Bilingual, **parts: Inline | Prose | int) -> Prose:
        """The sentence, or the one of that name, with its parts put in."""
        both = SENTENCES[sentence] if isinstance(sentence, str) else sentence
        template = (both.transposed if self.columns else both)[self.lang]
        said: list[Inline] = []
        end = 0
        for mark in MARK.finditer(template):
            said += [template[end : mark.start()]]
            end = mark.end()
            name, noun = mark.groups("")
            part = parts[name]
            if isinstance(part, int):
                part = f"{Count(part):{noun}}"
            said += part if isinstance(part, tuple) else (part,)
        said += [template[end:]]
        return tuple(piece for piece in said if piece != "")

    def listed(self, parts: Sequence[Inline | Prose], *, clauses: bool = False) -> Prose:
        """`a, b and c`; clauses are joined by semicolons."""
        comma, last, semicolon = _JOINTS[self.lang]
        if self.lang == "zh" and all(isinstance(part, str) and part.isdigit() for part in parts):
            last = comma
        return tuple(self._joined(parts, semicolon if clauses else comma, semicolon if clauses else last))

    def beside(self, parts: Sequence[Inline | Prose]) -> Prose:
        """`a, b, c`, for formulas and for lists that go on."""
        return tuple(self._joined(parts, _PLAIN[self.lang], _PLAIN[self.lang]))

    def _joined(self, parts: Sequence[Inline | Prose], between: str, last: str) -> Iterator[Inline]:
        for k, part in enumerate(parts):
            if k:
                yield last if k == len(parts) - 1 else between
            yield from part if isinstance(part, tuple) else (part,)

    def sentence(self, *parts: Prose) -> Prose:
        """Pieces as one sentence, which ends with a full stop."""
        stop = "。" if self.lang == "zh" else "."
        return (*(inline for part in parts for inline in part), stop)

    @property
    def colon(self) -> str:
        return "：" if self.lang == "zh" else ":"
