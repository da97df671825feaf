"""What a fix would write, and whether it is safe.

Safe: the corrected result where all operands are right and nothing else builds on what was printed, and
a typo, after which everything goes on from the right value. Unsafe: everything else that is wrong,
which must be recomputed together, as one chain. A fix keeps the number of decimals and the notation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from symattn.auditor.chains import operand_edits
from symattn.auditor.dependencies import Entry, dependencies
from symattn.auditor.edits import Edit
from symattn.auditor.report import Judgement, Report
from symattn.exact.matrix import Matrix
from symattn.plan import Line

RIGHT_AS_PRINTED = ("SA203",)


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
            if judgement.code in RIGHT_AS_PRINTED or not _printable(judgement):
                fix = None
            elif first is not None and judgement.note == "copy" and judgement.code != "SA206":
                fix = fixed[first].fix
            elif judgement.code == "SA204" or judgement.code == "SA206":
                fix = "safe"
            else:
                alone = judgement.root is None and judgement.printed.at[:3] not in used
                fix = "safe" if judgement.verdict == "slip" and alone else "unsafe"
        fixed[judgement.printed.index] = replace(judgement, fix=fix)
    return tuple(fixed[judgement.printed.index] for judgement in judgements)


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
            shapes = [known[name].shape for name in line.args]
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

    found = []
    for judgement in report.judgements:
        place, old = judgement.printed.place, judgement.printed.numeral.text
        if place is not None and judgement.expected is not None and changed(judgement):
            found.append(Edit(place.line, place.column, old, judgement.expected))
    return (*found, *operand_edits(report, changed)) if unsafe else tuple(found)
