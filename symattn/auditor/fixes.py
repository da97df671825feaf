"""What a fix would write, and whether it is safe.

Safe: the corrected result where all operands are right and nothing else builds on what was printed, and
a typo, after which everything goes on from the right value. Unsafe: everything else that is wrong,
which must be recomputed together, as one chain. A fix keeps the number of decimals and the notation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from symattn.auditor.dependencies import Entry, dependencies
from symattn.auditor.report import Judgement, Report
from symattn.exact.matrix import Matrix
from symattn.plan import Line

RIGHT_AS_PRINTED = ("SA203",)


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in the audited file: at line and column (from 1, in characters), `old` by `new`."""

    line: int
    column: int
    old: str
    new: str


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
            if judgement.code in RIGHT_AS_PRINTED:
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


def _used(
    judgements: Sequence[Judgement], lines: Sequence[Line], known: Mapping[str, Matrix]
) -> set[Entry]:
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


def edits(report: Report, *, unsafe: bool = False) -> tuple[Edit, ...]:
    """The replacements that fix a report: the safe ones, or with `unsafe` the whole chains too."""
    found = []
    for judgement in report.judgements:
        place, expected = judgement.printed.place, judgement.expected
        if place is None or expected is None:
            continue
        if judgement.fix == "safe" or (unsafe and judgement.fix == "unsafe"):
            old = judgement.printed.numeral.text
            new = in_notation(expected, old)
            if new != old:
                found.append(Edit(place.line, place.column, old, new))
    return tuple(found)


_WIDE = str.maketrans("0123456789.-+%", "０１２３４５６７８９．－＋％")


def in_notation(expected: str, printed: str) -> str:
    """The right number in the notation of the printed one: its minus, its width, its leading zero."""
    core = printed.strip()
    if any(character in core for character in "０１２３４５６７８９"):
        return expected.translate(_WIDE)
    if core.lstrip("+-−").startswith(".") and expected.lstrip("-").startswith("0."):
        expected = expected.replace("0.", ".", 1)
    if "\\%" in core:
        expected = expected.replace("%", "\\%")
    if "−" in core or (core[:1] not in "-" and "−" in printed):
        expected = expected.replace("-", "−")
    return expected


def applied(text: str, wanted: Sequence[Edit]) -> tuple[str, int]:
    """The text with the edits made, and how many were: an edit whose place holds something else is left out."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    pieces: list[tuple[int, int, str]] = []
    for edit in wanted:
        if not 1 <= edit.line < len(starts) + 1:
            continue
        offset = starts[edit.line - 1] + edit.column - 1
        if text[offset : offset + 1] in ('"', "'") and not text.startswith(edit.old, offset):
            offset += 1
        if text.startswith(edit.old, offset):
            pieces.append((offset, offset + len(edit.old), edit.new))
    done, end, result = 0, 0, []
    for start, stop, new in sorted(set(pieces)):
        if start >= end:
            result += [text[end:start], new]
            end, done = stop, done + 1
    return "".join((*result, text[end:])), done
