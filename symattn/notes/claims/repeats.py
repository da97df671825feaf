"""Numbers that are printed again: they have the verdict of the first print, and are not wrong twice."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from msgspec.structs import replace

from symattn.attention.case import Place
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.printing import spelled
from symattn.auditor.numeral import read_numeral
from symattn.auditor.report import OPERAND, WRONG, Judgement, Report
from symattn.exact.number import Exact
from symattn.notes.claims.numerals import characters, place
from symattn.notes.interpreter.interpreter import INPUTS
from symattn.notes.interpreter.reading import Rank
from symattn.notes.reader import Understood

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token

COARSEST: Final = 0.05
"""A decimal that is mentioned again is known by two places or more."""


def with_repeats(reports: Sequence[Report], understood: Understood) -> list[Report]:
    """The reports with the verdicts of what repeats their numbers."""
    judged = {one.printed.place: (k, one) for k, report in enumerate(reports) for one in report.judgements}
    operands = {at for _, one in judged.values() for at in one.printed.work_places}
    added: dict[int, list[Judgement]] = {}
    for token, original in _repeats(understood, judged):
        k, one = judged[place(original)]
        index = len(reports[k].judgements) + len(added.setdefault(k, []))
        note = OPERAND if place(token) in operands else "copy"
        added[k].append(_copy(one, token, index, note))
    again = {k: {one.printed.first for one in several} for k, several in added.items()}
    taken = {one.printed.place for several in added.values() for one in several}
    return [
        replace(
            report,
            judgements=(
                *(_not_alone(one, again.get(k, ())) for one in report.judgements),
                *added.get(k, ()),
            ),
            unread=tuple(each for each in report.unread if each.place not in taken),
            withheld=tuple(each for each in report.withheld if each.printed.place not in taken),
        )
        for k, report in enumerate(reports)
    ]


def _copy(one: Judgement, token: Token, index: int, note: str) -> Judgement:
    """The judgement on a numeral that repeats another one, whose sign it has."""
    first = one.printed
    numeral = read_numeral(characters(token, -1.0 if first.numeral.value < 0 else 1.0))
    printed = replace(
        first, index=index, numeral=numeral, place=place(token), first=first.index, work=None, work_places=()
    )
    if one.verdict not in WRONG:
        return Judgement(printed, one.verdict, None, one.exact, note=note, strength=one.strength)
    root = first.index if one.verdict == "slip" else one.root
    right = one.expected and spelled(Exact.of(read_numeral(one.expected).value), numeral)
    fix: Literal["unsafe"] | None = "unsafe" if one.fix and right else None
    code = Finding.CARRIED_FORWARD
    return replace(
        Judgement(printed, "carried", code, one.exact, right, root=root, note=note, fix=fix),
        strength=one.strength,
    )


def _not_alone(one: Judgement, again: Container[int | None]) -> Judgement:
    """A judgement; a number that is repeated is not put right alone."""
    return replace(one, fix="unsafe") if one.fix is not None and one.printed.index in again else one


def _repeats(
    understood: Understood, judged: Mapping[Place | None, tuple[int, Judgement]]
) -> Iterator[tuple[Token, Token]]:
    """(numeral without a verdict, the judged one that it repeats); an input repeats nothing."""
    prints = understood.interpreter.prints
    inputs = {token for each in prints.order if each.base in INPUTS for token in each.node.tokens}
    known = {t: t for t in understood.program.numerals if place(t) in judged}
    found: dict[Token, Token] = {}
    last: dict[tuple[float, float], Token] = {}
    for token in understood.program.numerals:
        digits = token.value, token.unit
        if token in known:
            last[digits] = token
        elif digits in last and 0 < token.unit < COARSEST and token.value != round(token.value):
            found[token] = last[digits]
    for token, original in prints.copies.items():
        if token not in known:
            same = next((t for t in (original, *prints.repeats.get(original, ())) if t in known), None)
            if same is not None:
                found[token] = same
    for original, repeats in prints.repeats.items():
        if original not in known:
            same = next((t for t in repeats if t in known and not _copied(understood, t)), None)
            if same is not None and original not in inputs:
                found[original] = same
    yield from found.items()


def _copied(understood: Understood, token: Token) -> bool:
    verdict = understood.verdicts.get(token)
    return verdict is None or verdict[1].reading.rank <= Rank.COPIED
