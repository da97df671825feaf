"""Warnings about a case that can be derived and hardly says what its author meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symattn.cli.language import language
from symattn.cli.output import say
from symattn.text.bilingual import Bilingual
from symattn.text.suggest import listed

if TYPE_CHECKING:
    from symattn.attention.case import Case
    from symattn.result import Worked


def warnings(worked: Worked) -> list[Bilingual]:
    """What was not computed, which givens nothing uses, and how keys are read."""
    case, leftover = worked.case, worked.leftover
    lines: list[tuple[str | None, str, Bilingual]] = []
    if leftover.result is not None:
        said = Bilingual(
            "{result} was not computed: that would need {needs}", "未计算 {result}：还需要给出 {needs}"
        ).format(result=leftover.result, needs=listed(leftover.needs))
        lines.append((None, "warning", said))
    for name in leftover.unused:
        said = Bilingual(f"{name} is given but not used", f"已给出 {name}，但未被使用")
        lines.append((f"given.{name}", "warning", said))
    lines += [(caution.key, caution.kind, caution.words) for caution in worked.cautions]
    return [_placed(case, *line) for line in lines]


def warn(worked: Worked) -> None:
    """Say the warnings on standard error."""
    for words in warnings(worked):
        say(f"symattn: {words[language(worked.case.lang)]}")


def _placed(case: Case, key: str | None, kind: str, words: Bilingual) -> Bilingual:
    spot = case.places.get(key) if key is not None else None
    place = ":".join([case.file or case.title, *([str(spot.line), str(spot.column)] if spot else [])])
    label = _LABELS[kind]
    return Bilingual(f"{place}: {label.en}{words.en}", f"{place}: {label.zh}{words.zh}")


_LABELS = {"warning": Bilingual("warning: ", "警告："), "note": Bilingual("note: ", "注：")}
