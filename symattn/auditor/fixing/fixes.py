"""What a fix would write, and whether it is safe.

Safe: the corrected result where all operands are right and nothing else builds on what was printed, and
a typo, after which everything goes on from the right value. Unsafe: everything else that is wrong,
which must be recomputed together, as one chain. A fix keeps the number of decimals and the notation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from symattn.auditor.dependencies import Entry, dependencies
from symattn.auditor.fixing.chains import operand_edits
from symattn.auditor.fixing.edits import Edit
from symattn.auditor.fixing.followed import equation_edits
from symattn.auditor.judging.printing import spelled
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.working import read_working
from symattn.auditor.report import EQUATION, Judgement, Report
from symattn.exact.matrix import Matrix
from symattn.plan import Line

WORKING_WRONG = "SA203"
"""The number is right, and its working is not."""


def with_fixes(
    judgements: Sequence[Judgement], lines: Sequence[Line], known: Mapping[str, Matrix]
) -> tuple[Judgement, ...]:
    """The judgements with `fix` set to safe or unsafe where there is something to write.

    `lines` are those of the plan with its second ways; `known` holds the exact value of every name.
    """
    used = _used(judgements, lines, known)
    fixed: dict[int, Judgement] = {}
    for judgement in judgements:
        first = judgement.printed.first
        fix = judgement.fix
        if judgement.verdict in ("slip", "carried") and judgement.expected is not None:
            if not _printable(judgement):
                fix = None
            elif judgement.code == WORKING_WRONG:
                fix = "unsafe"
            elif first is not None and judgement.note == "copy" and judgement.code != "SA206":
                fix = fixed[first].fix
            elif judgement.code == "SA204" or judgement.code == "SA206":
                fix = "safe"
            else:
                alone = judgement.root is None and judgement.printed.at[:3] not in used
                alone = alone and _worked_rightly(judgement)
                fix = "safe" if judgement.verdict == "slip" and alone else "unsafe"
        fixed[judgement.printed.index] = replace(judgement, fix=fix)
    return tuple(fixed[judgement.printed.index] for judgement in judgements)


def _worked_rightly(judgement: Judgement) -> bool:
    """Whether the working beside the number, if any, gives the right one: all its operands are right."""
    work, expected = judgement.printed.work, judgement.expected
    working = read_working(work, lambda _: False) if work is not None else None
    if working is None or expected is None:
        return True
    return contains(*read_numeral(expected).nearest(), working.value)


def _printable(judgement: Judgement) -> bool:
    """Whether the right value can be printed as this one is: not 1/3 for the root of 2."""
    numeral = judgement.printed.numeral
    if numeral.places < 0:
        return False
    return not numeral.exact or (judgement.exact is not None and judgement.exact.rational is not None)


def _used(judgements: Sequence[Judgement], lines: Sequence[Line], known: Mapping[str, Matrix]) -> set[Entry]:
    """The printed entries that some other printed number builds on, directly or through unprinted ones."""
    printed = {judgement.printed.at[:3] for judgement in judgements}
    by_name: dict[str, list[Line]] = {}
    for line in lines:
        by_name.setdefault(line.name, []).append(line)
    used: set[Entry] = set()
    visited: set[Entry] = set()

    def visit(entry: Entry) -> None:
        for line in by_name.get(entry[0], ()):
            shapes = tuple(known[name].shape for name in line.args)
            for before in dependencies(line, entry[1], entry[2], shapes):
                if before in printed:
                    used.add(before)
                elif before not in visited:
                    visited.add(before)
                    visit(before)

    for entry in printed:
        visit(entry)
    return used


def edits(
    report: Report, *, unsafe: bool = False, chosen: Callable[[str], bool] = lambda code: True
) -> tuple[Edit, ...]:
    """The replacements that fix a report: the safe ones, or with `unsafe` the whole chains too.

    `chosen` says of a finding's code whether it is to be fixed. A whole chain takes the operands of the
    printed workings with it.
    """

    def changed(judgement: Judgement) -> bool:
        fix = judgement.fix == "safe" or (unsafe and judgement.fix == "unsafe")
        return fix and judgement.code is not None and chosen(judgement.code)

    operands = tuple(operand_edits(report, changed)) if unsafe else ()
    found = list(equation_edits(report, changed)) if unsafe else []
    for judgement in report.judgements:
        if unsafe and judgement.printed.name == EQUATION:
            continue
        place, old = judgement.printed.place, judgement.printed.numeral.text
        new = _new(report, judgement, operands)
        if place is not None and new is not None and changed(judgement):
            found.append(Edit(place.line, place.column, old, new))
    return (*found, *operands)


def _new(report: Report, judgement: Judgement, operands: Sequence[Edit]) -> str | None:
    """What should stand there: the right value.

    A number whose working is all that is wrong stays while operands can be mended. Where they are what the
    document prints, the number goes on from them as its author would, from rounded numbers.
    """
    if judgement.code != WORKING_WRONG:
        return judgement.expected
    first = judgement.printed.first
    worked = judgement.printed if first is None else report.judgements[first].printed
    places = {(place.line, place.column) for place in worked.work_places}
    if any((edit.line, edit.column) in places for edit in operands):
        return None
    working = read_working(worked.work, lambda _: False) if worked.work is not None else None
    return spelled(working.value, judgement.printed.numeral) if working is not None else None
