"""What a printed number says about a suspected cause: what stands there, what is right, what is plausible."""

from __future__ import annotations

from flint import arb, ctx, fmpq
from msgspec import Struct
from msgspec.structs import replace

from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.rules import contains
from symattn.auditor.ranges.working import evaluated
from symattn.auditor.report import Judgement, Printed
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.number import Exact, Infinite
from symattn.floats.interval import BITS, Interval


class Evidence(Struct, frozen=True):
    """One printed number of the scope: what it says, what is right, what is plausible."""

    judgement: Judgement
    local: Exact
    low: fmpq
    high: fmpq
    slack: fmpq
    acceptance: float


def evidence_of(judgement: Judgement, evaluations: Evaluations, name: str) -> Evidence | None:
    """The printed number, or its working where that is printed: the working shows what was done."""
    number = judgement.printed
    local = evaluations.settled[name].local.seen[number.row, number.col]
    low, high = _preimage(number, evaluations)
    if number.work is not None:
        working = evaluated(number.work)
        value = working.value.rational if working is not None else None
        if value is not None:
            low = high = value
    slack = _slack(evaluations, name, number)
    acceptance = _acceptance(number, local, slack, _unit(number, evaluations, name))
    return None if acceptance is None else Evidence(judgement, local, low, high, slack, acceptance)


def cut_off(item: Evidence) -> Evidence:
    """The evidence of a print whose digits may have been cut off as well: it accepts twice as much."""
    number = item.judgement.printed
    if number.work is not None or number.numeral.exact:
        return item
    low, high = number.numeral.truncated()
    acceptance = min(1.0, 2 * item.acceptance)
    return replace(item, low=min(low, item.low), high=max(high, item.high), acceptance=acceptance)


def result_of(item: Evidence, evaluations: Evaluations) -> Evidence:
    """The evidence of the printed result itself, where its working has nothing to explain."""
    low, high = _preimage(item.judgement.printed, evaluations)
    return replace(item, low=low, high=high)


def _preimage(number: Printed, evaluations: Evaluations) -> tuple[fmpq, fmpq]:
    """What the print may stand for, rounded or (in a document that truncates) cut off."""
    low, high = number.numeral.nearest()
    if evaluations.supposed.cuts_off(number.name, number.numeral):
        cut = number.numeral.truncated()
        return min(low, cut[0]), max(high, cut[1])
    return low, high


def _acceptance(number: Printed, local: Exact, slack: fmpq, unit: fmpq) -> float | None:
    """The share of plausible prints that a suspected value would accept.

    Plausible is what lies no further from the right value than the print does, and not beyond its mirror
    image: a cause for a small error has less to show for itself.
    """
    value = number.numeral.value
    try:
        step, printed, room = (int(q.p) / int(q.q) for q in (unit, value, slack))
        right = float(enclose(local, BITS).mid())
    except (HasSymbols, ValueError, OverflowError):
        return None
    span = min(max(abs(right), abs(printed)), abs(printed - right))
    accepted = 1 + 2 * room / step
    return min(1.0, accepted / max(2 * span / step, 8.0))


def _unit(number: Printed, evaluations: Evaluations, name: str) -> fmpq:
    """The step between plausible prints: of numbers that all end after two decimals, 0.01 however printed."""
    unit = number.numeral.unit
    if not evaluations.settled[name].fixed:
        return unit
    measure = evaluations.baseline.common_measure(name)
    while measure is not None and (measure / (unit * 10)).q == 1:
        unit = unit * 10
        if unit > 1:
            break
    return unit


def _slack(evaluations: Evaluations, name: str, number: Printed) -> fmpq:
    """How far the result may be off because the printed numbers before it are rounded: half of I."""
    table = evaluations.settled[name].local.seen_range
    if not table:
        return fmpq(0)
    bounds: Interval = table[number.row][number.col]
    if not bounds.low.is_finite() or not bounds.high.is_finite():
        return fmpq(0)
    ceiling = (bounds.width() * 2**40).upper().ceil().unique_fmpz()
    return fmpq(int(ceiling or 0), 2**41)


MOST_GROWN = 4
"""By how much the room of a number may grow with it."""


def accepts(item: Evidence, value: Exact) -> bool:
    """Whether a value may have been printed so, as far as the numbers before it are rounded.

    What they leave open grows with the number: unscaled scores have more room than scaled ones.
    """
    if isinstance(value, Infinite):
        return False
    if contains(item.low - item.slack, item.high + item.slack, value):
        return True
    most = item.slack * MOST_GROWN
    if not item.slack or not contains(item.low - most, item.high + most, value):
        return False
    room = item.slack * _growth(item.local, value)
    return contains(item.low - room, item.high + room, value)


def _growth(local: Exact, value: Exact) -> fmpq:
    """How many times as large as the right value another one is, at least once and not too often."""
    if isinstance(local, Infinite):
        return fmpq(1)
    try:
        right, other = (abs(float(enclose(x, BITS).mid())) for x in (local, value))
    except (HasSymbols, ValueError, OverflowError):
        return fmpq(1)
    times = min(other / right, MOST_GROWN) if right else 1.0
    return fmpq(max(int(times * 1024), 1024), 1024)


def prints_alike(value: Exact, local: Exact, number: Printed) -> bool:
    if value == local:
        return True
    half = number.numeral.unit / 2
    if isinstance(value, Infinite) or isinstance(local, Infinite):
        return False
    try:
        one, other = enclose(value, BITS), enclose(local, BITS)
    except (HasSymbols, ValueError):
        return False
    apart, room = abs(one - other), arb(half)
    if apart < room or apart > room:  # as the usual precision tells nearly always
        return bool(apart < room)
    with ctx.workprec(BITS):
        return bool(abs(one - other) < arb(half))
