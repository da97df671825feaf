"""Sentences that speak of what would be, of what somebody does wrongly, or of another example."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from symattn.case import Place
from symattn.reading.notes.formulas.stream import Token
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.sentences import sentences

_WOULD = (
    r"\b(?:would|might|could) (?:\w+ )?(?:be|give|get|have|look|become|yield|turn|come|change)\b"
    r"|\bif (?:you|we|one|I|it) (?:forg[eo]t|skip|omit|leave|do not|don['’]t|did(?: not|n['’]t)|had|were)\b"
    r"|会变成|会变为|可能得到|如果不|若不|假如|如果忘|要是|(?<![别要能勿不])忘[记了]了?(?:除|缩放|乘|加|减|掩|做)"
    r"|\b(?:before|after) training\b|\btrained model\b|训练[前后好]"
)
_WRONG = (
    r"\b(?:is|was|are|were|but|this|that|it['’]s) (?:\w+ ){0,2}(?:wrong|incorrect)\b|\bwrong(?:ly)?\W{0,3}:"
    r"|\b(?:common|typical|usual|frequent) (?:mistake|error)s?\b|\bmistake\W{0,3}:"
    r"|\b(?:integer|arithmetic) overflow\b|\b\d+[- ]bit (?:(?:un)?signed )?int|\bwraps? around\b"
    r"|整数溢出|回绕"
    r"|(?:常见|典型|易犯|常犯)的?错误|误区 ?[一二三四五\d]?[*_]*[:：]"
    r"|错误(?:做法|示例|写法|结果|答案|[:：])|写错|误写|是错误?的"
)
_ELSE = (
    r"\bsuppose (?:\w+ )?instead\b|\banother (?:query|example|head|layer|model)\b|\bother weights\b"
    r"|\breminder\b|换一?个|复习"
)
_SIGNS = (
    *("would", "might", "could", "if ", " training", "trained", "wrong", "incorrect", "mistake", " error"),
    *("suppose", "another ", "other weights", "reminder", "overflow", "bit int", "wrap"),
    *("bit unsigned", "bit signed"),
    *(
        "会变",
        "可能",
        "如果",
        "若不",
        "假如",
        "要是",
        "忘",
        "训练",
        "错误",
        "误区",
        "写错",
        "误写",
        "是错",
        "换",
        "复习",
    ),
    *("溢出", "回绕"),
)
"""What every such sentence has one of; most documents have none, and are not searched any further."""
_OTHERWISE = re.compile(f"{_WOULD}|{_WRONG}|{_ELSE}", re.IGNORECASE)
_SURE = re.compile(f"(?P<wrong>{_WRONG})|{_ELSE}", re.IGNORECASE)
"""What leaves no doubt that a sentence is about something else, or about what is wrong."""
_OF_IT = re.compile(r"\s*(?:That|This|It|Which)\b|\s*[这那此]")
"""How a sentence begins that speaks of the one before it."""
_GOES_ON = re.compile(r"\s*(?:Then|Thus|That|This|So|Now the)\b|\s*(?:那么|此时|这时|这样|于是|则|结果)")
_OPEN = re.compile(r"[^.!?。！？\s][*_`]*\s*$")
"""The end of a sentence that has no stop: what it tells of stands below."""
_PROSE = re.compile(r"[A-Za-z]{3,} [A-Za-z]{2,}|[\u3400-\u9fff]{4}")
_STOP = re.compile(r"\n[ \t]*\n")
LONGEST_BLANK = 80
"""Blanks between a paragraph and the one below it."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a text that is about something else, perhaps beyond doubt, or about what is `wrong`."""

    start: int
    end: int
    sure: bool
    wrong: bool


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The stretches of a text that are about something else, in order."""

    stretches: Sequence[Stretch] = ()

    @classmethod
    def of(cls, text: str) -> Otherwise:
        said = text.casefold()
        told = any(sign in said for sign in _SIGNS) and _OTHERWISE.search(text)
        return cls(tuple(_stretches(text))) if told else cls()

    def surely(self, start: int, end: int) -> tuple[int, int] | None:
        """From where to where the stretch goes, beyond doubt, in which something stands."""
        at = bisect_right(self.stretches, start, key=attrgetter("start")) - 1
        found = self.stretches[at] if at >= 0 else None
        return (found.start, found.end) if found and found.sure and end <= found.end else None

    def places(self, stream: Sequence[Token], context: Context) -> tuple[frozenset[Place], frozenset[Place]]:
        """Where the numerals stand in them, and in those of what is wrong."""
        stretches = iter(self.stretches)
        here = next(stretches, None)
        found: tuple[list[Place], list[Place]] = [], []
        for token in stream if here else ():
            while here is not None and here.end <= token.start:
                here = next(stretches, None)
            if here is not None and here.start <= token.start and (token.kind == "num" or token.text in "+-"):
                for places in found[: 1 + here.wrong]:
                    places.append(Place(*context.place(token.start)))
        return frozenset(found[0]), frozenset(found[1])


def _stretches(text: str) -> Iterator[Stretch]:
    end = before = 0
    within = sure = wrong = False
    for begin, said in sentences(text):
        above, before = before, begin
        if _OTHERWISE.search(said):
            told = _SURE.search(said)
            within, sure, wrong = True, told is not None, bool(told and told["wrong"])
            begin = above if _OF_IT.match(said) and above >= end else begin
        elif not (within and begin == end and _GOES_ON.match(said)):
            within = False
            continue
        end = before + len(said)
        yield Stretch(begin, end, sure, wrong)
        if _OPEN.search(said):
            yield Stretch(end, (end := _below(text, end)), sure, wrong)


def _below(text: str, start: int) -> int:
    """Where the paragraph ends that follows, if it is no prose; else where it would begin."""
    blank = text[start : start + LONGEST_BLANK]
    begin = start + len(blank) - len(blank.lstrip())
    stop = _STOP.search(text, begin)
    end = stop.start() if stop else len(text)
    lines = text[begin:end].split("\n")
    return start if any(_PROSE.search(line) and not line.startswith("|") for line in lines) else end
