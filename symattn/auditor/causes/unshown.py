"""Steps that are not shown: who rounds every step to two decimals rounded these as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from symattn.auditor.causes.truncation import with_truncation
from symattn.auditor.causes.votes import tell, votes, worked
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.baseline import Baseline
from symattn.auditor.judging.judge import GivenUp, Judged, MoreSlips, judge
from symattn.auditor.judging.supposed import Supposed
from symattn.auditor.report import Judgement, Remark
from symattn.plans.kinds import Denominators
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows

TELLING = frozenset({Finding.SLIP, Finding.SLIP_WITH_CAUSE})
"""The findings on numbers that nothing but the evaluation speaks against."""


def with_rounded_steps(judged: Judged) -> tuple[Judged, tuple[Remark, ...]]:
    """The judgements by steps that were rounded and not shown, where that explains most slips behind them.

    Sums may have been rounded alone. Else everything was, to as many decimals as the quantity that is printed
    with most of them or with fewest. What is printed may be cut off besides, see `with_truncation`. A single
    number among few tells nothing of its author; no more numbers may speak against it than for it, and where
    other slips are left, more must speak for it.
    """
    doubtful = _doubtful(judged)
    best: tuple[Judged, tuple[Remark, ...]] = judged, ()
    for supposed in _ways(judged) if tell(doubtful, judged) and _may_be(judged, doubtful) else ():
        try:
            again = judge(judged.evaluations.baseline, supposed, MoreSlips(judged.slips - 1))
        except GivenUp:
            continue
        found = with_truncation(again) if again.slips else (again, ())
        best = found if found[0].slips < best[0].slips else best
        if not best[0].slips:
            break
    explained = len(doubtful) - len(_doubtful(best[0]))
    enough = 0 < 2 * explained >= len(doubtful)
    holds = enough and votes(judged, best[0]) >= (1 if best[0].slips else 0)
    return best if holds else (judged, ())


def _may_be(judged: Judged, doubtful: Sequence[Judgement]) -> bool:
    """Whether any rounding explains enough: most slips are further off, which one evaluation shows."""
    widest = replace(judged.evaluations.supposed, held=1, held_cut=True)
    try:
        again = judge(judged.evaluations.baseline, widest, MoreSlips(judged.slips - (len(doubtful) + 1) // 2))
    except GivenUp:
        return False
    return 2 * len(_doubtful(again)) <= len(doubtful)


def _ways(judged: Judged) -> Iterator[Supposed]:
    """What may have been rounded, from what leaves least open on."""
    baseline, supposed = judged.evaluations.baseline, judged.evaluations.supposed
    places = _places(baseline)
    if not places:
        return
    if any(_is_hidden_sum(line, baseline) for line in baseline.plan):
        for d in range(max(places), 0, -1):
            yield from (replace(supposed, sums=d, held_cut=cut) for cut in (False, True))
    for d in dict.fromkeys((max(places), min(places))):
        yield from (replace(supposed, held=d, held_cut=cut) for cut in (False, True))


def _is_hidden_sum(line: Line, baseline: Baseline) -> bool:
    return isinstance(on_rows(line.op), Denominators) and line.name not in baseline.cells


def _places(baseline: Baseline) -> Sequence[int]:
    """The most decimals of each quantity that was worked out, where it has any."""
    places: dict[str, int] = {}
    for number in baseline.printed:
        if number.name in baseline.lines and not number.numeral.closed:
            places[number.name] = max(places.get(number.name, 0), number.numeral.places)
    return [d for d in places.values() if d > 0]


def _doubtful(judged: Judged) -> Sequence[Judgement]:
    """The slips that are a step from something which is not shown."""
    baseline = judged.evaluations.baseline
    slips = (each for each in worked(judged) if each.verdict == "slip")
    return [each for each in slips if each.code in TELLING and _follows(each, baseline)]


def _follows(slip: Judgement, baseline: Baseline) -> bool:
    """Whether a number is a step from something that is not shown."""
    _, row, col, _ = slip.printed.at
    used = (each for line in baseline.routes(slip.printed.name) for each in baseline.used(line, row, col))
    return any(name in baseline.lines and (i, j) not in baseline.cells.get(name, {}) for name, i, j in used)
