"""Which numbers a fix would write anew, and whether it is safe.

Safe: the corrected result where all operands are right and nothing else builds on what was printed, and
a typo, after which everything goes on from the right value. Unsafe: everything else that is wrong,
which must be recomputed together, as one chain. A fix keeps the number of decimals and the notation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from symattn.auditor.dependencies import Entry, dependencies
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.working import evaluated
from symattn.auditor.report import Judgement
from symattn.exact.matrix import Matrix
from symattn.plans.plan import Line, downstream


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
            elif judgement.code == Finding.WRONG_WORKING:
                fix = "unsafe"
            elif first is not None and judgement.note == "copy" and judgement.code != Finding.DIFFERING_COPY:
                fix = fixed[first].fix
            elif judgement.code == Finding.TYPO or judgement.code == Finding.DIFFERING_COPY:
                fix = "safe"
            else:
                alone = judgement.root is None and judgement.printed.at[:3] not in used
                alone = alone and _worked_rightly(judgement)
                fix = "safe" if judgement.verdict == "slip" and alone else "unsafe"
        changed = judgement if fix == judgement.fix else replace(judgement, fix=fix)
        fixed[judgement.printed.index] = changed
    return tuple(fixed[judgement.printed.index] for judgement in judgements)


def _worked_rightly(judgement: Judgement) -> bool:
    """Whether the working beside the number, if any, gives the right one: all its operands are right."""
    work, expected = judgement.printed.work, judgement.expected
    working = evaluated(work) if work is not None else None
    if working is None or expected is None:
        return True
    return contains(*read_numeral(expected).nearest(), working.value)


def _printable(judgement: Judgement) -> bool:
    """Whether the right value can be printed as this one is: not 1/3 for the root of 2."""
    numeral = judgement.printed.numeral
    return not numeral.exact or (judgement.exact is not None and judgement.exact.rational is not None)


def _used(judgements: Sequence[Judgement], lines: Sequence[Line], known: Mapping[str, Matrix]) -> set[Entry]:
    """The slips of their own that some other printed number builds on, directly or through unprinted ones."""
    printed = {judgement.printed.at[:3] for judgement in judgements}
    asked = {each.printed.at[:3] for each in judgements if each.verdict == "slip" and each.root is None}
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
                    used.update(asked & {before})
                elif before not in visited:
                    visited.add(before)
                    visit(before)

    ordered = tuple(line for same in by_name.values() for line in same)
    behind = downstream(ordered, {name for name, _, _ in asked})
    for entry in printed:
        if len(used) == len(asked):
            break
        if entry[0] in behind:
            visit(entry)
    return used
