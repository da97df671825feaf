"""The judgements of a report step by step, numbers printed again folded into their first print."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from symattn.auditor.formats.items import Options
from symattn.auditor.messages import TERM
from symattn.auditor.report import EQUATION, Cause, Judgement, Report


class Group(Struct, frozen=True):
    """One number and the places where it is printed with the same verdict, the first one leading."""

    first: Judgement
    copies: tuple[Judgement, ...] = ()

    def lines(self, of_source: bool) -> tuple[int, ...]:
        """The lines on which it stands, of the source or of the audited file, in order."""
        found = []
        for judged in (self.first, *self.copies):
            number = judged.printed
            line = number.source_line if of_source else number.place.line if number.place else None
            if line is not None and line not in found:
                found.append(line)
        return tuple(found)


class Step(Struct, frozen=True):
    """The numbers printed for one quantity, and the causes that were found in it or explain its numbers."""

    name: str
    groups: tuple[Group, ...]
    causes: tuple[Cause, ...]


def steps(report: Report) -> Iterator[Step]:
    """The quantities that were printed, in the order of the evaluation; what it lacks comes last."""
    by_name: dict[str, dict[tuple[object, ...], list[Judgement]]] = {}
    for judged in report.judgements:
        by_name.setdefault(judged.printed.name, {}).setdefault(same(judged), []).append(judged)
    causes = causes_of(report)
    for name in sorted(by_name, key=lambda name: _order(report).get(name, len(report.derivation.plan))):
        groups = tuple(Group(first, tuple(copies)) for first, *copies in by_name[name].values())
        named = [group.first.cause for group in groups]
        yield Step(name, groups, tuple(each for each in causes if each.name == name or each in named))


def same(judged: Judgement) -> tuple[object, ...]:
    """What two prints of one number have in common: its entry, its digits and what was found."""
    number = judged.printed
    work = number.work if number.name == EQUATION else None
    return *number.at, work, number.numeral.text.strip(), judged.verdict, judged.code


def causes_of(report: Report) -> tuple[Cause, ...]:
    """Every cause once: those of the report, and those that only a judgement names."""
    found = list(report.causes)
    for judged in report.judgements:
        if judged.cause is not None and judged.cause not in found:
            found.append(judged.cause)
    return tuple(found)


def _order(report: Report) -> dict[str, int]:
    order = {name: at - len(report.derivation.given) for at, name in enumerate(report.derivation.given)}
    return order | {line.name: at for at, line in enumerate(report.derivation.plan)}


def reported(group: Group, options: Options) -> bool:
    """Whether the number has a finding that `options` selects."""
    return group.first.code is not None and options.chosen(group.first.code)


def has_source_lines(report: Report) -> bool:
    """Whether the numbers say where they stand in another text than the audited file."""
    return any(judged.printed.source_line is not None for judged in report.judgements)


def is_term(name: str) -> bool:
    """Whether the quantity is a summand of a weighted sum."""
    return TERM.fullmatch(name) is not None
