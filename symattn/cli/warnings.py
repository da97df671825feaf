"""Warnings about a case that can be derived and hardly says what its author meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symattn.cli.output import say

if TYPE_CHECKING:
    from symattn.worked import Worked


def warn(worked: Worked) -> None:
    """Say on standard error what was not computed, with what it needs, and which givens nothing uses."""
    case, leftover = worked.case, worked.leftover
    chinese = case.lang == "zh"
    lines: list[tuple[str | None, str]] = []
    if leftover.result is not None:
        needs = ("、" if chinese else " and ").join(leftover.needs)
        said = "未计算 {}：还需要给出 {}" if chinese else "{} was not computed: that would need {}"
        lines.append((None, said.format(leftover.result, needs)))
    for name in leftover.unused:
        said = "已给出 {}，但未被使用" if chinese else "{} is given, and nothing uses it"
        lines.append((name, said.format(name)))
    for key, words in lines:
        spot = case.places.get(f"given.{key}") if key is not None else None
        place = [case.file or case.title, *([str(spot.line), str(spot.column)] if spot else [])]
        say(f"symattn: {':'.join(place)}: {'警告：' if chinese else 'warning: '}{words}")
