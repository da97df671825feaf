"""Why it went wrong: a cause is named only where it explains, and where chance and rivals are ruled out.

Conditions, for a scope (a matrix, then a row, then a cell) with slips in it:
1. the slip reproduces every informative number (those where it and the right operation print
   differently), at most one in ten excepted in a large matrix;
2. it leaves no slip of the scope unexplained;
3. M q^k < 0.01, for M hypotheses tried, k numbers explained and q the share of plausible prints that it
   accepts;
4. a rival that survives too is named beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from flint import arb, ctx, fmpq

from symattn.auditor.hypotheses import Distortion, Hypothesis, distortions, hypotheses, neighbours
from symattn.auditor.judge import Judged
from symattn.auditor.ranges import BITS, Interval
from symattn.auditor.report import Cause, Judgement, Printed
from symattn.auditor.rules import contains
from symattn.auditor.walks import Walks
from symattn.auditor.working import read_working
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.plan import Plan

CHANCE = 0.01
LARGE = 10
FEW = 2


@dataclass(frozen=True, slots=True)
class _Evidence:
    """One printed number of the scope: what it says, what is right, what is plausible."""

    judgement: Judgement
    local: Exact
    low: fmpq
    high: fmpq
    slack: fmpq
    acceptance: float


def diagnose(
    plan: Plan, judged: Judged, given: Mapping[str, Matrix]
) -> tuple[tuple[Judgement, ...], tuple[Cause, ...]]:
    """The judgements with causes put in, and the causes in the order of the walk."""
    causes: list[Cause] = []
    by_index = {judgement.printed.index: judgement for judgement in judged.judgements}
    printed = {judgement.printed.name for judgement in judged.judgements}
    for line in plan:
        firsts = [
            judgement
            for judgement in judged.judgements
            if judgement.printed.name == line.name and judgement.printed.first is None
        ]
        if not any(_open(judgement) for judgement in firsts):
            continue
        evidence = [item for item in (_evidence(j, judged.walks, line.name) for j in firsts) if item]
        for cause in _causes(line.name, plan, judged.walks, printed, given, evidence):
            causes.append(cause)
            for index in cause.numbers:
                known = by_index[index]
                code = "SA202" if known.code == "SA201" else known.code
                by_index[index] = replace(known, cause=cause, code=code)
    return tuple(_copied(by_index, judgement) for judgement in judged.judgements), tuple(causes)


def _copied(by_index: Mapping[int, Judgement], judgement: Judgement) -> Judgement:
    first = judgement.printed.first
    if first is not None and judgement.note == "copy" and judgement.code in ("SA201", "SA202"):
        original = by_index[first]
        return replace(judgement, cause=original.cause, code=original.code)
    return by_index[judgement.printed.index]


def _open(judgement: Judgement) -> bool:
    return judgement.verdict == "slip" and judgement.code in ("SA201", "SA203", "SA205")


def _evidence(judgement: Judgement, walks: Walks, name: str) -> _Evidence | None:
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
    return _Evidence(judgement, local, low, high, slack, min(1.0, accepted / plausible))


def _result_of(item: _Evidence) -> _Evidence:
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


def _causes(
    name: str,
    plan: Plan,
    walks: Walks,
    printed: Iterable[str],
    given: Mapping[str, Matrix],
    evidence: Sequence[_Evidence],
) -> list[Cause]:
    tried = list(hypotheses(name, plan, walks.seen, set(printed), given))
    whole = _whole(name, "matrix", evidence, tried)
    if whole is not None:
        return [whole]
    found: list[Cause] = []
    explained: set[int] = set()
    rows = sorted({item.judgement.printed.row for item in evidence})
    if len(rows) > 1:
        for row in rows:
            part = [item for item in evidence if item.judgement.printed.row == row]
            cause = _whole(name, "row", part, tried) if any(_open(i.judgement) for i in part) else None
            if cause is not None:
                found.append(cause)
                explained.update(cause.numbers)
    line = next(line for line in plan if line.name == name)
    alone = sum(_open(item.judgement) for item in evidence) <= FEW
    for item in evidence:
        number = item.judgement.printed
        if _open(item.judgement) and number.index not in explained:
            item = _result_of(item)
            options = [
                *distortions(line, number.row, number.col, walks.seen),
                *neighbours(walks.local[name].seen, number.row, number.col),
                *_misprints(item),
            ]
            cause = _single(name, item, options, tried)
            # where much is wrong, some number is hit by chance: "possibly" is for the odd one
            if cause is not None and (cause.certain or alone):
                found.append(cause)
    return found


def _whole(
    name: str,
    scope: Literal["matrix", "row"],
    evidence: Sequence[_Evidence],
    tried: Sequence[Hypothesis],
) -> Cause | None:
    """The hypothesis that explains a whole scope, with its rivals, or None."""
    survivors = [h for h in tried if _explains(h.leads_to, evidence, len(tried))]
    if not survivors:
        return None
    best, *rivals = survivors
    numbers = tuple(item.judgement.printed.index for item in evidence if _open(item.judgement))
    distinct = [rival for rival in rivals if rival.slip != best.slip]
    return Cause(
        best.slip,
        best.because,
        best.zh,
        best.name,
        scope,
        numbers,
        True,
        tuple((rival.slip, rival.because, rival.zh) for rival in distinct[:2]),
    )


def _explains(result: Matrix, evidence: Sequence[_Evidence], tried: int) -> bool:
    missed, explained, chance = 0, 0, float(tried)
    informative = 0
    for item in evidence:
        number = item.judgement.printed
        value = result[number.row, number.col]
        matches = _accepts(item, value)
        differs = not _prints_alike(value, item.local, number)
        if _open(item.judgement) and not (matches and differs):
            return False
        if differs:
            informative += 1
            if matches:
                explained += 1
                chance *= item.acceptance
            else:
                missed += 1
    allowed = informative // LARGE if informative >= LARGE else 0
    return explained > 0 and missed <= allowed and chance < CHANCE


def _accepts(item: _Evidence, value: Exact) -> bool:
    if isinstance(value, Infinite):
        return False
    return contains(item.low - item.slack, item.high + item.slack, value)


def _prints_alike(value: Exact, local: Exact, number: Printed) -> bool:
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


def _single(
    name: str, item: _Evidence, options: Sequence[Distortion], tried: Sequence[Hypothesis]
) -> Cause | None:
    """A cause for one number: "possibly" unless a single explanation is left that chance cannot be."""
    number = item.judgement.printed
    found: dict[str, tuple[str, str, str]] = {}
    for option in options:
        if _accepts(item, option.leads_to) and not _prints_alike(option.leads_to, item.local, number):
            found.setdefault(option.slip, (option.slip, option.because, option.zh))
    for h in tried:
        value = h.leads_to[number.row, number.col]
        if _accepts(item, value) and not _prints_alike(value, item.local, number):
            found.setdefault(h.slip, (h.slip, h.because, h.zh))
    if not found or len(found) > 2:
        return None
    best, *rivals = found.values()
    chance = (len(options) + len(tried)) * item.acceptance
    certain = chance < CHANCE and not rivals
    return Cause(*best, name, "cell", (number.index,), certain, tuple(rivals))


def _misprints(item: _Evidence) -> Iterable[Distortion]:
    """The right print with two neighbouring digits exchanged, its decimal point moved, its sign lost."""
    right = item.judgement.local
    if right is None or right.endswith(("%", "％")):
        return
    from symattn.auditor.numeral import read_numeral

    value = read_numeral(right).value
    if value:
        yield Distortion("decimal-shifted", "moved the decimal point", "小数点移位了", Exact.of(value * 10))
        yield Distortion("decimal-shifted", "moved the decimal point", "小数点移位了", Exact.of(value / 10))
        yield Distortion("sign-lost", "written the wrong sign", "符号写错了", Exact.of(-value))
    for at in range(len(right) - 1):
        a, b = right[at], right[at + 1]
        if a.isdigit() and b.isdigit() and a != b:
            moved = right[:at] + b + a + right[at + 2 :]
            yield Distortion(
                "digits-exchanged",
                "exchanged two digits",
                "两个数字写颠倒了",
                Exact.of(read_numeral(moved).value),
            )
