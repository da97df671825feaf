"""Warnings about a case that can be derived and hardly says what its author meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symattn.cli.language import language
from symattn.cli.output import say
from symattn.text.bilingual import Bilingual

if TYPE_CHECKING:
    from symattn.result import Worked


def warn(worked: Worked) -> None:
    """Say on standard error what was not computed, which givens nothing uses, and how keys are read."""
    case, leftover = worked.case, worked.leftover
    lang = language(case.lang)
    lines: list[tuple[str | None, str, Bilingual]] = []
    if leftover.result is not None:
        needs = leftover.needs
        said = Bilingual(
            f"{leftover.result} was not computed: that would need {' and '.join(needs)}",
            f"未计算 {leftover.result}：还需要给出 {'、'.join(needs)}",
        )
        lines.append((None, "warning", said))
    for name in leftover.unused:
        said = Bilingual(f"{name} is given, and nothing uses it", f"已给出 {name}，但未被使用")
        lines.append((f"given.{name}", "warning", said))
    lines += [(caution.key, caution.kind, caution.words) for caution in worked.cautions]
    for key, kind, words in lines:
        spot = case.places.get(key) if key is not None else None
        place = [case.file or case.title, *([str(spot.line), str(spot.column)] if spot else [])]
        say(f"symattn: {':'.join(place)}: {_LABELS[kind][lang]}{words[lang]}")


_LABELS = {"warning": Bilingual("warning: ", "警告："), "note": Bilingual("note: ", "注：")}
