"""Only what every good reading accuses is accused: what else the audit calls wrong is in doubt."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from symattn.attention.case import Place
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import WRONG, Judgement, Report, Unread
from symattn.notes.hypotheses.gate import Verdict
from symattn.notes.interpreter.reading import Claim, Rank
from symattn.text.bilingual import Bilingual

NOT_SURE = Bilingual("what it follows from is not sure", "不能确定它由什么得出")
BESIDE: Final = 20.0
"""The bits of a formula that stands on the page and leaves no choice."""


class Said(NamedTuple):
    """What the gate says of a numeral, and the bits that speak for the reading that it rests on."""

    verdict: Verdict
    strength: float

    @classmethod
    def of(cls, verdict: Verdict, claim: Claim) -> Said:
        """The bits of the numbers that a reading makes right, and those of a formula that stands there."""
        reading = claim.reading
        written = reading.rank >= Rank.WRITTEN and reading.clear
        return cls(verdict, round(reading.found.gained + written * BESIDE, 1))


NOTHING_SAID: Final = Said("undecided", 0.0)


def gated(report: Report, said: Mapping[Place, Said]) -> Report:
    """The report without the accusations that not every good reading makes; these numbers are unread."""
    withheld: list[Judgement] = []
    kept: list[Judgement] = []
    renamed: dict[int, int] = {}
    cleared: set[int] = set()
    for one in report.judgements:
        at = one.printed.place
        verdict, strength = said.get(at, NOTHING_SAID) if at is not None else ("slip", None)
        one = replace(one, strength=strength)
        if one.verdict == "slip" and verdict == "right":
            one = _right(one)
            cleared.add(one.printed.index)
        elif verdict != "slip" and one.verdict in (
            ("slip",) if verdict == "right" else ("slip", "carried", "undecided")
        ):
            withheld.append(replace(one, root=None, cause=None, fix=None))
            continue
        renamed[one.printed.index] = len(kept)
        kept.append(one)
    remarks = [(each, replace(each, numbers=_known(each.numbers, renamed))) for each in report.remarks]
    causes = (replace(cause, numbers=_known(cause.numbers, renamed)) for cause in report.causes)
    return replace(
        report,
        judgements=tuple(_renumbered(one, renamed, cleared) for one in kept),
        causes=tuple(cause for cause in causes if cause.numbers),
        remarks=tuple(remark for each, remark in remarks if remark.numbers or not each.numbers),
        unread=(*report.unread, *map(_unread, withheld)),
        withheld=tuple(withheld),
    )


def _unread(one: Judgement) -> Unread:
    text, place, right = one.printed.numeral.text, one.printed.place, one.expected
    if one.verdict not in WRONG:
        return Unread(text, Finding.CANNOT_BE_RECOMPUTED, NOT_SURE, place=place)
    why = Bilingual(f"only some readings expect {right}", f"只有部分读法认为应为 {right}")
    return Unread(text, Finding.DOUBT, why if right else NOT_SURE, place=place)


def _known(numbers: tuple[int, ...], renamed: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(renamed[n] for n in numbers if n in renamed)


def _right(one: Judgement) -> Judgement:
    """A number that another good reading makes right."""
    return replace(one, verdict="correct", code=None, cause=None, fix=None, root=None, note="")


def _renumbered(one: Judgement, renamed: Mapping[int, int], cleared: Container[int]) -> Judgement:
    """A judgement by the indices of what is kept; what follows from a mere doubt is right as it follows."""
    first = one.printed.first
    printed = replace(
        one.printed, index=renamed[one.printed.index], first=renamed.get(first) if first is not None else None
    )
    accused = one.root in renamed and one.root not in cleared if one.root is not None else True
    if one.verdict == "carried" and not accused:
        return replace(_right(one), printed=printed)
    root = renamed.get(one.root) if one.root is not None and accused else None
    cause = one.cause
    if cause is not None:
        cause = replace(cause, numbers=_known(cause.numbers, renamed))
    return replace(one, printed=printed, root=root, cause=cause)


def as_printed(report: Report, raw: Mapping[Place, str]) -> Report:
    """The report with numerals as the document writes them: 1 234,5 for 1234.5."""
    if not raw:
        return report
    judgements = tuple(
        _written(one, raw[at]) if (at := one.printed.place) is not None and at in raw else one
        for one in report.judgements
    )
    return replace(report, judgements=judgements)


def _written(one: Judgement, raw: str) -> Judgement:
    """A judgement on what is printed as `raw`, with the right value in the same notation."""
    usual = one.printed.numeral.text
    sign = "-" if usual.startswith("-") and raw[:1] not in "-−" else ""
    percent = "%" if usual.endswith("%") and not raw.endswith("%") else ""
    numeral = replace(one.printed.numeral, text=f"{sign}{raw}{percent}", usual=usual)
    decimals = raw.rpartition(",")[2].removeprefix("}")
    comma = decimals.isdigit() and "." in usual

    def spelled(text: str | None) -> str | None:
        return text.replace(".", ",") if text is not None and comma else text

    return replace(
        one,
        printed=replace(one.printed, numeral=numeral),
        expected=spelled(one.expected),
        local=spelled(one.local),
    )
