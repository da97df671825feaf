"""Stray equations that follow from the wrong result of another one: they are carried, and no slips.

`exp(1) = 2.78` and `exp(2) = 7.39`, below them `2.78 + 7.39 = 11.17`, and the softmax of 1 and 2: its formula
knows nothing of these prints. Where the printed results stand for their workings in it and it comes to what
is printed, its author went on from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeGuard

from msgspec.structs import replace

from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import Judgement

RIGHT = ("correct", "rounding")
BACK = 64
"""How many equations above one its parts may have been worked out in."""
_CALL = re.compile(r"(?:exp|sqrt)\([-+\d./()*^]+\)")
_SUM = re.compile(r"[\d.]+(?:\+[\d.]+)+")
_NUMBER = re.compile(r"(?:(?<=\()-)?\d+(?:\.\d+)?")
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")


def with_followed(
    judgements: Sequence[Judgement], judged: Callable[[int, str], object]
) -> Sequence[Judgement]:
    """The judgements, with those carried that follow from wrong results above them.

    `judged` gives the verdict on one of them by another working.
    """
    found = list(judgements)
    if not any(one.verdict == "slip" for one in found):
        return found
    works = [(one.printed.work or "").replace(" ", "") for one in found]
    for k, one in enumerate(judgements):
        if one.verdict != "slip" or not ("exp(" in works[k] or "+" in works[k]):
            continue
        work, root = _by_prints(k, works, found)
        again = judged(k, work) if root is not None else None
        if root is not None and is_right(again):
            found[k] = _chained(replace(one, verdict="carried", code=Finding.CARRIED_FORWARD, root=root))
            found[root] = _chained(found[root])
    return found


def with_meant(
    judgements: Sequence[Judgement], computed: Iterable[Judgement], judged: Callable[[int, str], object]
) -> Sequence[Judgement]:
    """The judgements; right is what follows from the right value of a number misprinted on another line.

    `evaluated` are those of the worked examples; `judged` gives the verdict on one by another working.
    """
    wrong = [one for one in (*computed, *judgements) if one.verdict == "slip" and one.expected is not None]
    meant = {one.printed.numeral.text: str(one.expected) for one in reversed(wrong)}
    found = list(judgements)
    for k, one in enumerate(judgements):
        number = one.printed
        here = number.place is not None and {number.place.line}
        if one.verdict != "slip" or number.work is None or {at.line for at in number.work_places} == here:
            continue
        for text in dict.fromkeys(_NUMBER.findall(number.work)):
            if text not in meant:
                continue
            said = re.compile(rf"(?<![\d.]){re.escape(text)}(?![\d.])")
            again = judged(k, said.sub(meant[text], number.work))
            if is_right(again):
                found[k] = replace(again, printed=number)
    return found


def is_right(one: object) -> TypeGuard[Judgement]:
    """Whether a number was judged, and is what it should be or that with other rounding."""
    return isinstance(one, Judgement) and one.verdict in RIGHT


def _chained(one: Judgement) -> Judgement:
    """A number that must be written anew together with others, if at all."""
    return replace(one, fix="unsafe") if one.fix is not None else one


def _by_prints(at: int, works: Sequence[str], found: Sequence[Judgement]) -> tuple[str, int | None]:
    """A working with the printed results of its parts, and the wrong one among these, if any."""
    work, root = works[at], None
    last = {works[k]: k for k in range(max(at - BACK, 0), at)}
    for part, k in sorted(last.items(), key=lambda each: each[1]):
        text = found[k].printed.numeral.text.strip()
        if part not in work or part == work or not _PLAIN.fullmatch(text):
            continue
        if _SUM.fullmatch(part):
            now = work.replace(f"({part})", f"({text})")
        elif _CALL.fullmatch(part):
            now = work.replace(part, f"({text})" if text.startswith("-") else text)
        else:
            continue
        if now != work and found[k].verdict in ("slip", "carried"):
            root = k if found[k].verdict == "slip" else found[k].root
        work = now
    return work, root
