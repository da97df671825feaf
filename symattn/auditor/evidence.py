"""What a printed number says about a suspected cause: what stands there, what is right, what is plausible."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flint import arb, ctx, fmpq

from symattn.auditor.ranges import BITS, Interval
from symattn.auditor.report import Judgement, Printed
from symattn.auditor.rules import contains
from symattn.auditor.walks import Walks
from symattn.auditor.working import read_working
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.number import Exact, Infinite


@dataclass(frozen=True, slots=True)
class Evidence:
    """One printed number of the scope: what it says, what is right, what is plausible."""

    judgement: Judgement
    local: Exact
    low: fmpq
    high: fmpq
    slack: fmpq
    acceptance: float


def evidence_of(judgement: Judgement, walks: Walks, name: str) -> Evidence | None:
    """The printed number, or its working where that is printed: the working shows what was done."""
    number = judgement.printed
    local = walks.local[name].seen[number.row, number.col]
    low, high = number.numeral.nearest()
    if number.work is not None:
        working = read_working(number.work, lambda text: False)
        value = working.value.rational if working is not None else None
        if value is not None:
            low = high = value
    slack = _slack(walks, name, number)
    with ctx.workprec(BITS):
        try:
            span = max(
                abs(float(enclose(local, 64).mid())),
                abs(int(number.numeral.value.p) / int(number.numeral.value.q)),
            )
        except (HasSymbols, ValueError, OverflowError):
            return None
    unit = number.numeral.unit
    plausible = max(2 * span / (int(unit.p) / int(unit.q)), 8.0)
    accepted = 1 + 2 * float(int(slack.p) / int(slack.q)) / (int(unit.p) / int(unit.q))
    return Evidence(judgement, local, low, high, slack, min(1.0, accepted / plausible))


def result_of(item: Evidence) -> Evidence:
    """The evidence of the printed result itself, where its working has nothing to explain."""
    low, high = item.judgement.printed.numeral.nearest()
    return replace(item, low=low, high=high)


def _slack(walks: Walks, name: str, number: Printed) -> fmpq:
    """How far the result may be off because the printed numbers before it are rounded: half of I."""
    table = walks.local[name].seen_range
    if not table:
        return fmpq(0)
    bounds: Interval = table[number.row][number.col]
    if not bounds.low.is_finite() or not bounds.high.is_finite():
        return fmpq(0)
    ceiling = (bounds.width() * 2**40).upper().ceil().unique_fmpz()
    return fmpq(int(ceiling or 0), 2**41)


def accepts(item: Evidence, value: Exact) -> bool:
    if isinstance(value, Infinite):
        return False
    return contains(item.low - item.slack, item.high + item.slack, value)


def prints_alike(value: Exact, local: Exact, number: Printed) -> bool:
    if value == local:
        return True
    half = number.numeral.unit / 2
    if isinstance(value, Infinite) or isinstance(local, Infinite):
        return False
    try:
        with ctx.workprec(BITS):
            return bool(abs(enclose(value, BITS) - enclose(local, BITS)) < arb(half))
    except (HasSymbols, ValueError):
        return False
