"""Exponentials of the scores less the largest of their row: a convention like e^s, read off the numbers.

Implementations and many notes print them, most without a word. The weights are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.recipes.logits import below_maximum
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.judge import Judged
from symattn.auditor.report import Judgement, Remark
from symattn.plans.kinds import Denominators, Powers, Shifting
from symattn.plans.plan import Line, Plan
from symattn.plans.transposed import TransposedOperation, on_rows, transposed_operation

Judging = Callable[[Plan], Judged]
Row = tuple[str, int]
"""The name of exponentials and one of their rows, from 0."""

FEWEST = 2
"""How many numbers of a row have to be right so where one is not."""
DIGITS = 2
"""How many digits all numbers that are explained have at least: with fewer, chance may do it."""
MORE_DIGITS = 4
"""The same where every row has other numbers that are wrong either way."""
RIGHT = ("correct", "rounding")


class Shifted(Struct, frozen=True):
    """The plan with the maxima subtracted where the numbers follow that, the judgements, what to say."""

    plan: Plan
    judged: Judged
    remarks: tuple[Remark, ...] = ()


def with_maximum(plan: Plan, judged: Judged, judging: Judging) -> Shifted:
    """The plan and the judgements with the maximum subtracted in the rows whose exponentials follow that.

    A row speaks for it where exponentials or sums are wrong that are right so, all of them or all but one of
    several; where no row does, it takes more digits. It is then done in all rows in which no more numbers are
    wrong so, and none that was right.
    """
    unshifted = Shifted(plan, judged)
    if not any(each.verdict == "slip" for _, each in _rows(plan, judged)):
        return unshifted
    again = judging(_shifting(plan, None))
    before, after = _by_row(plan, judged), _by_row(plan, again)
    rows = {row for row, were in before.items() if _agrees(were, after[row])}
    telling = {row: _telling(before[row], after[row]) for row in rows}
    sure = any(_speaks(telling[row], after[row]) for row in rows)
    digits = sum(_digits(each) for numbers in telling.values() for each in numbers)
    if digits < (DIGITS if sure else MORE_DIGITS):
        return unshifted
    if rows != before.keys():
        again = judging(_shifting(plan, rows))
    if again.slips >= judged.slips:
        return unshifted
    return Shifted(_shifting(plan, rows), again, (_remark(plan, again, rows),))


def _powers(plan: Plan) -> dict[str, Line]:
    """The exponentials of each softmax by the name of what their sums are called, where these are plain."""
    lines = {line.name: line for line in plan}
    found = {}
    for line in plan:
        sums = on_rows(line.op)
        powers = lines.get(line.args[0]) if isinstance(sums, Denominators) and sums.plain else None
        if powers is None or not isinstance(on_rows(powers.op), Powers):
            continue
        scores = lines.get(powers.args[0])
        if scores is None or not isinstance(on_rows(scores.op), Shifting):
            found[line.name] = powers
    return found


def _shifting(plan: Plan, rows: set[Row] | None) -> Plan:
    """The plan with the maximum subtracted before the exponentials of these rows, or of all."""
    powers = {line.name for line in _powers(plan).values()}
    lines: list[Line] = []
    for line in plan:
        own = None if rows is None else frozenset(i for name, i in rows if name == line.name)
        if line.name in powers and own != frozenset():
            op = below_maximum(own)
            name = f"{line.name.removesuffix('exp')}shifted"
            lines.append(
                replace(
                    line,
                    name=name,
                    op=transposed_operation(op) if isinstance(line.op, TransposedOperation) else op,
                )
            )
            line = replace(line, args=(name,))
        lines.append(line)
    return tuple(lines)


def _rows(plan: Plan, judged: Judged) -> Iterator[tuple[Row, Judgement]]:
    """The printed exponentials and sums, each with its row; what is printed again counts once."""
    powers = _powers(plan)
    names = {name: line for sums, line in powers.items() for name in (sums, line.name)}
    for each in judged.judgements:
        line = names.get(each.printed.name)
        if line is not None and each.printed.first is None:
            across = isinstance(line.op, TransposedOperation)
            yield (line.name, each.printed.col if across else each.printed.row), each


def _by_row(plan: Plan, judged: Judged) -> Mapping[Row, Sequence[Judgement]]:
    found: dict[Row, list[Judgement]] = {}
    for row, each in _rows(plan, judged):
        found.setdefault(row, []).append(each)
    return found


def _slips(numbers: Sequence[Judgement]) -> int:
    return sum(each.verdict == "slip" for each in numbers)


def _agrees(before: Sequence[Judgement], after: Sequence[Judgement]) -> bool:
    """Whether no more numbers of a row are wrong, and none that was right."""
    spoilt = any(
        was.verdict in RIGHT and now.verdict == "slip" for was, now in zip(before, after, strict=True)
    )
    return not spoilt and _slips(after) <= _slips(before)


def _telling(before: Sequence[Judgement], after: Sequence[Judgement]) -> Sequence[Judgement]:
    """The numbers of a row with a slip that are explained, and better than before."""
    pairs = zip(before, after, strict=True) if _slips(before) else ()
    return [now for was, now in pairs if was.verdict != "correct" and now.verdict in (*RIGHT, "carried")]


def _speaks(telling: Sequence[Judgement], after: Sequence[Judgement]) -> bool:
    """Whether all numbers of a row that tell are explained, or several of them but for one."""
    left = _slips(after)
    return bool(telling) and (not left or (left == 1 and len(telling) >= FEWEST))


def _digits(judgement: Judgement) -> int:
    """How many digits a number has, without zeros in front; 0 itself has one."""
    text = judgement.printed.numeral.text
    return max(len("".join(filter(str.isdecimal, text)).lstrip("0")), 1)


def _remark(plan: Plan, again: Judged, rows: set[Row]) -> Remark:
    """Which convention was read off the numbers, and how many of those that tell it follow."""
    told = [each for row, each in _rows(plan, again) if row in rows]
    right = tuple(each.printed.index for each in told if each.verdict != "slip")
    said = {"conventions": f"shift = max ({len(right)}/{len(told)})"}
    first = told[0].printed
    return Remark(
        Finding.CONVENTION_INFERRED, "correct", said, first.name, None, right, first.source_line, first.place
    )
