"""Stray equations in which not the result is wrong but an operand: the misprint of a number told elsewhere.

`0.833*2 = 1.066` beside a weight of 0.533: with one digit exchanged the operand is a number that the document
has, and the working gives what is printed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Place
from symattn.auditor.judging.following import is_right
from symattn.auditor.ranges.working import Operand, operands
from symattn.auditor.report import Judgement


class Exchanged(Struct, frozen=True):
    """A working in which another number stands for an operand: which one, from the left, and what."""

    at: int
    text: str
    work: str


def with_misprints(
    judgements: Sequence[Judgement],
    judged: Callable[[int, str], object],
    likely: Callable[[int, Sequence[Exchanged]], Iterable[bool]],
    known: Callable[[], Iterable[str]],
    wrong: Callable[[], AbstractSet[Place | str]],
) -> Sequence[Judgement]:
    """The judgements, with the operand that is to be put right; then no result is a safe fix.

    Nor is it beside an operand that is wrong itself. `judged` gives the verdict on one of them by another
    working, and `likely` says beforehand of many which may be right at all; `known` are the numbers told,
    and `wrong` where wrong ones stand, and what these are.
    """
    asked = [k for k, one in enumerate(judgements) if one.verdict == "slip" and one.fix is not None]
    if not asked:
        return judgements
    found = list(judgements)
    told, lost = _Told([*known(), *_right(judgements)]), wrong()
    for k in asked:
        one = judgements[k]
        shown = operands(one.printed.work or "")
        tried = [
            Exchanged(at, text, _with(one.printed.work or "", operand, text))
            for at, operand in enumerate(shown)
            for text in told.like(operand)
        ]
        ways = [
            (way.at, way.text) for way in compress(tried, likely(k, tried)) if is_right(judged(k, way.work))
        ]
        if len(ways) == 1 and len(shown) == len(one.printed.work_places):
            found[k] = replace(one, fix="unsafe", misprint=ways[0])
        elif ways or not lost.isdisjoint(
            {*one.printed.work_places, *map(_size, (each.text for each in shown))}
        ):
            found[k] = replace(one, fix="unsafe")
    return found


def _right(judgements: Sequence[Judgement]) -> Iterator[str]:
    """The numbers of right equations: results and operands."""
    for one in judgements:
        if is_right(one):
            yield one.printed.numeral.text
            yield from (operand.text for operand in operands(one.printed.work or ""))


def _with(work: str, operand: Operand, text: str) -> str:
    start = operand.column - 1
    sign = operand.text[: len(operand.text) - len(_size(operand.text))]
    return f"{work[:start]}{sign}{text}{work[start + len(operand.text) :]}"


def _size(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().lstrip("+-−")


class _Told:
    """Numbers by what is left of them where one digit may be another."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.by_form: dict[str, dict[str, None]] = {}
        for text in dict.fromkeys(map(_size, texts)):
            for form in _forms(text):
                self.by_form.setdefault(form, {})[text] = None

    def like(self, operand: Operand) -> list[str]:
        """The numbers that differ from an operand by one digit."""
        own = _size(operand.text)
        return [text for form in _forms(own) for text in self.by_form.get(form, ()) if text != own]


def _forms(text: str) -> Iterator[str]:
    for at, character in enumerate(text):
        if character.isdigit():
            yield f"{text[:at]}#{text[at + 1 :]}"
