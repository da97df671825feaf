"""Everything that fixing a document writes: numbers, the operands of workings, what follows, false sentences.

The worked examples of a document come before its stray equations, which may go on from their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from symattn.attention.case import Place
from symattn.auditor.findings.codes import Finding
from symattn.auditor.fixing.chains import Chain
from symattn.auditor.fixing.edits import Edit
from symattn.auditor.fixing.followed import equation_edits, places, repeats
from symattn.auditor.judging.printing import FRONT, spelled
from symattn.auditor.ranges.working import evaluated
from symattn.auditor.report import EQUATION, OPERAND, Judgement, Report

Chosen = Callable[[str], bool]
"""Whether findings of this code are to be fixed."""


def edits(
    reports: Sequence[Report], *, unsafe: bool = False, chosen: Chosen = lambda code: True
) -> tuple[Edit, ...]:
    """The replacements that fix the reports of a document: the safe ones, or with `unsafe` whole chains too.

    Of two for one place the first holds. A whole chain takes the operands of the printed workings with it.
    Numbers that follow another convention than the declared one are computed as declared, whole chains that
    they are.
    """
    found: list[Edit] = []
    followed: list[Edit] = []
    told: dict[Place, tuple[str, str]] = {}
    again = repeats(map(_usual, reports)) if unsafe else {}
    for report in map(_usual, reports):
        otherwise = _otherwise(report, chosen) if unsafe else frozenset()
        meant = report.declared if otherwise and report.declared else report
        results = tuple(judged for judged in meant.judgements if judged.note != OPERAND)
        meant = replace(meant, judgements=results)
        changed = partial(_changed, unsafe=unsafe, chosen=chosen, otherwise=otherwise)
        chain = Chain(meant, changed)
        operands = list(chain.edits()) if unsafe else []
        if unsafe:
            followed += equation_edits(meant, changed, told, again)
        alone = [j for j in meant.judgements if not (unsafe and j.printed.name == EQUATION)]
        mine = [j for j in alone if changed(j) or (unsafe and j.printed.index in chain.along)]
        then = {j.printed.index: _then(chain, j, operands) for j in mine}
        found += [*_numbers(alone, then), *operands]
        told |= places(meant, then)
        found += _sentences(meant, chosen) if unsafe else ()
    return (*followed, *found)


def _usual(report: Report) -> Report:
    """The report with numerals in the notation of a case: 1234.5 for 1 234,5."""
    return replace(report, judgements=tuple(map(_in_usual_notation, report.judgements)))


def _in_usual_notation(one: Judgement) -> Judgement:
    numeral = one.printed.numeral
    if not numeral.usual:
        return one
    expected = one.expected.replace(",", ".") if one.expected is not None else None
    printed = replace(one.printed, numeral=replace(numeral, text=numeral.usual, usual=""))
    return replace(one, printed=printed, expected=expected)


def _otherwise(report: Report, chosen: Chosen) -> frozenset[int]:
    """The numbers that follow another convention than the declared one."""
    several = (remark.numbers for remark in report.remarks if remark.fix and chosen(remark.code))
    return frozenset(index for numbers in several for index in numbers)


def _sentences(report: Report, chosen: Chosen) -> Iterator[Edit]:
    """The words of false sentences, by those that would be true."""
    for remark in report.remarks:
        if chosen(remark.code):
            yield from (Edit(place.line, place.column, old, new) for place, old, new in remark.instead)


def _changed(judgement: Judgement, unsafe: bool, chosen: Chosen, otherwise: frozenset[int]) -> bool:
    """Whether a number is to be put right."""
    if not (judgement.fix == "safe" or (unsafe and judgement.fix)):
        return False
    code = judgement.code
    return judgement.printed.index in otherwise or (code is not None and chosen(code))


def _numbers(judgements: Sequence[Judgement], then: Mapping[int, str]) -> Iterator[Edit]:
    """The numbers that change, by what they become."""
    for number in (judgement.printed for judgement in judgements):
        old, place = number.numeral.text, number.place
        new = then.get(number.index, old)
        if place is not None and new != old:
            yield Edit(place.line, place.column, *_shortest(old, new))


def _shortest(old: str, new: str) -> tuple[str, str]:
    """The whole numbers in front where the rest of a closed form stays: it may be `4/√2` in the text."""
    form = FRONT.fullmatch(old)
    if form is None or not new.endswith(form[2]):
        return old, new
    front = new.removesuffix(form[2])
    if form[1].startswith("-") and front.startswith("-"):
        return form[1].removeprefix("-"), front.removeprefix("-")
    return form[1], front


def _then(chain: Chain, judgement: Judgement, operands: Sequence[Edit]) -> str:
    """What should stand there: the right value.

    A number whose working is all that is wrong stays while operands can be mended. Where they are what the
    document prints, the number goes on from them as its author would, from rounded numbers.
    """
    stays = judgement.printed.numeral.text
    if judgement.code != Finding.WRONG_WORKING:
        return judgement.expected or stays
    first = judgement.printed.first
    worked = judgement.printed if first is None else chain.report.judgements[first].printed
    places = {(place.line, place.column) for place in worked.work_places}
    working = evaluated(worked.work) if worked.work is not None else None
    mended = any((edit.line, edit.column) in places for edit in operands)
    if working is None or mended or not chain.shows_prints(worked):
        return stays
    return spelled(working.value, judgement.printed.numeral) or stays
