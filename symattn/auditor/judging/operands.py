"""Whether a numeral in a printed working stands for more digits than it shows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from flint import fmpq

from symattn.attention.quantities import QUANTITIES
from symattn.auditor.claims import ROOT
from symattn.auditor.dependencies import Entry
from symattn.auditor.judging.baseline import Baseline
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.roots import may_hide_digits
from symattn.auditor.ranges.single import worked_in_single_precision
from symattn.auditor.ranges.working import Working, evaluated, read_working
from symattn.auditor.report import Printed
from symattn.plans.plan import Line


def working_of(
    number: Printed, evaluations: Evaluations, *, truncates: bool, divisor: fmpq | None = None
) -> Working | None:
    """The working printed beside a number, its operands looked up among what the step uses.

    With `truncates` they may have been cut off; `divisor` stands for the roots in it.
    """
    if number.work is None:
        return None
    baseline = evaluations.baseline
    lines = baseline.routes(number.name)
    names = [name for line in lines for name in line.args]
    # where a source may begin, before a step that is not shown
    names += [
        q.name
        for q in QUANTITIES.values()
        if q.logit and q.name in baseline.given and q.name in evaluations.settled
    ]
    used = frozenset(entry for line in lines for entry in baseline.used(line, number.row, number.col))
    working = read_working(
        number.work,
        lambda text: _moves(text, names, used, evaluations),
        truncates=truncates,
        roots=[root.numeral for roots in baseline.cells.get(ROOT, {}).values() for root in roots],
        divisor=divisor,
        unit=number.numeral.unit if number.numeral.places > 0 else None,
    )
    if working is None or not evaluations.supposed.single:
        return working
    return worked_in_single_precision(number.work, working)


def spells_out(number: Printed, baseline: Baseline) -> bool:
    """Whether a number follows a working all of whose operands are entries that its step uses.

    Each is one that was printed so, or that should be, or may be one that was not printed.
    """
    working = evaluated(number.work) if number.work is not None else None
    if working is None or not contains(*number.numeral.nearest(), working.value):
        return False
    return any(_all_used(working.numerals, line, number, baseline) for line in baseline.routes(number.name))


def _all_used(numerals: Sequence[str], line: Line, number: Printed, baseline: Baseline) -> bool:
    used = baseline.used(line, number.row, number.col)
    hidden = sum((i, j) not in baseline.cells.get(name, {}) for name, i, j in used if name in baseline.lines)
    return sum(not _is_one_of(text, used, baseline) for text in numerals) <= hidden


def _is_one_of(text: str, entries: Collection[Entry], baseline: Baseline) -> bool:
    """Whether a numeral was printed for one of the entries, or is what one of them should be."""
    if any((i, j) in baseline.printed_as(name, text) for name, i, j in entries):
        return True
    low, high = read_numeral(text).nearest()
    values = [baseline.exact[name][i, j] for name, i, j in entries]
    return any(contains(low, high, x) or contains(-high, -low, x) for x in values)


def _moves(text: str, names: Sequence[str], used: Collection[Entry], evaluations: Evaluations) -> bool:
    """An operand that was printed for one of these quantities moves as the quantity does; a given one stays.

    It is one of the entries that are used for the number where one of these was printed so. One that hides
    digits moves even where the source begins with it. A decimal found nowhere may stand for anything
    that rounds to it.
    """
    baseline = evaluations.baseline
    if any(_hides_digits(text, name) for name in names if name in baseline.given):
        return True
    if any(baseline.is_result(name) and _is_given(text, name, baseline) for name in names):
        return not read_numeral(text).exact
    shown = [(name, *cell) for name in names for cell in baseline.printed_as(name, text)]
    meant = [entry for entry in shown if entry in used] or shown
    if meant:
        return not all(map(evaluations.stands_still, meant))
    return "." in text and not any(_is_given(text, name, baseline) for name in names)


@lru_cache(maxsize=1 << 12)
def _hides_digits(text: str, name: str) -> bool:
    numeral = read_numeral(text)
    return not numeral.exact and may_hide_digits(name, numeral.value, numeral.places)


def _is_given(text: str, name: str, baseline: Baseline) -> bool:
    return name in baseline.given and read_numeral(text).value in baseline.given_rationals(name)
