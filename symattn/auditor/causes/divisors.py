"""Roots of d_k that were rounded first: who divides by 1.41 goes on honestly from what that gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from flint import fmpq
from msgspec.structs import replace

from symattn.auditor.causes.evidence import accepts, evidence_of
from symattn.auditor.causes.truncation import with_truncation
from symattn.auditor.causes.votes import votes
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.judge import Judged, judge
from symattn.auditor.judging.rules import holds_truncated
from symattn.auditor.judging.supposed import Supposed
from symattn.auditor.ranges.roots import places_of, rounded_roots
from symattn.auditor.report import WRONG, Judgement, Printed, Remark
from symattn.exact.decimal import spell_rational
from symattn.exact.matrix import Matrix
from symattn.exact.plain import plain
from symattn.plans.derive import computed
from symattn.plans.kinds import Scaling
from symattn.plans.plan import downstream, head_of
from symattn.plans.transposed import on_rows
from symattn.text.errors import SymattnError

LEFT = 3
"""One slip in so many may be one all the same, among those that a rounded root is to explain."""
FEWEST = 3
"""How many quotients have to tell what they were divided by."""
MOST_PLACES = 4
"""A divisor has fewer decimals."""


def with_rounded_root(judged: Judged) -> tuple[Judged, tuple[Remark, ...]]:
    """The judgements by a root that was rounded first, where that leaves nearly nothing wrong behind it.

    It has to explain most of the slips in the first quantity of a head that has some, and to bring no other
    ones; where all that was divided is right then, or clearly more numbers follow from it than from the root,
    what is left slips behind it. The numbers may have been cut off besides, see `with_truncation`.
    """
    plainly, best = judged, with_truncation(judged)
    judged, _ = best
    baseline = judged.evaluations.baseline
    scales = {line.name: op for line in baseline.plan if isinstance(op := on_rows(line.op), Scaling)}
    behind = downstream(baseline.plan, scales) | scales.keys()
    slips = [each for each in judged.judgements if each.verdict == "slip" and each.printed.name in behind]
    if not slips:
        return best
    others = judged.slips - len(slips)
    for divisor in dict.fromkeys(each for op in scales.values() for each in _candidates(op)):
        if not _promises(divisor, slips, judged, behind):
            continue
        supposed = replace(plainly.evaluations.supposed, divisor=divisor)
        again = with_truncation(judge(baseline, supposed, before=plainly))
        if again[0].slips >= best[0].slips:
            continue
        few = again[0].slips <= others + len(slips) // LEFT or _clears(again[0], judged, scales)
        if few or votes(judged, again[0]) >= FEWEST:
            best = again
            if best[0].slips <= others:
                break
    used = best[0].evaluations.supposed.divisor
    return best if used is None else (best[0], (*best[1], *_remark(used, judged, best[0])))


def _remark(divisor: fmpq, before: Judged, after: Judged) -> Iterator[Remark]:
    """What to say once of the divisor that was used: which numbers it explains."""
    pairs = zip(before.judgements, after.judgements, strict=True)
    told = [was.printed for was, now in pairs if was.verdict in WRONG and now.verdict not in WRONG]
    line = next(
        line for line in after.evaluations.baseline.plan if after.evaluations.divided(line) is not line
    )
    declared = on_rows(line.op)
    assert isinstance(declared, Scaling)
    way, way_zh, used = ("divided by", "除以", divisor)
    if places_of(divisor) is None:
        way, way_zh, used = ("multiplied by", "乘以", 1 / divisor)
    places = places_of(used)
    assert places is not None
    said = {
        "way": way,
        "way_zh": way_zh,
        "used": spell_rational(used, places),
        "root": plain(declared.divisor),
        "count": str(len(told)),
    }
    if told:
        first, numbers = told[0], tuple(number.index for number in told)
        yield Remark(
            Finding.ROOT_ROUNDED_FIRST,
            "rounding",
            said,
            line.name,
            None,
            numbers,
            first.source_line,
            first.place,
        )


def common_divisor(number: Printed, judged: Judged) -> Iterator[fmpq]:
    """What scores were divided by that a printed root divides: the shortest number which fits nearly all.

    It is none where fewer than `FEWEST` of them tell, or where one in `LEFT` was divided by something else.
    """
    evaluations = judged.evaluations
    behind = {
        line.name: line.args[0]
        for line in evaluations.baseline.plan
        if isinstance(on_rows(line.op), Scaling) and line.args[1:] == (number.name,)
    }
    ranges: list[tuple[fmpq, fmpq]] = []
    for each in judged.judgements:
        name, i, j, _ = each.printed.at
        if name not in behind or each.printed.first is not None:
            continue
        score, value = evaluations.seen[behind[name]].rational_at(i, j), each.printed.numeral.value
        if score and score * value > 0:
            ends = each.printed.numeral.preimage(evaluations.supposed.cuts(name))
            low, high = sorted(score / end for end in ends if end)
            ranges.append((low, high))
    told = Counter(divisor for low, high in ranges if (divisor := _shortest(low, high)) is not None)
    for divisor, _ in told.most_common(1):
        fits = sum(low <= divisor <= high for low, high in ranges)
        if fits >= FEWEST and LEFT * (len(ranges) - fits) <= fits:
            yield divisor


def _shortest(low: fmpq, high: fmpq) -> fmpq | None:
    """The number with the fewest decimals in a range."""
    units = (fmpq(1, 10**places) for places in range(MOST_PLACES))
    return next((at for unit in units if (at := (low / unit).ceil() * unit) <= high), None)


def _clears(again: Judged, judged: Judged, scales: Collection[str]) -> bool:
    """Whether nothing that was divided is wrong any more, and nothing that was right is."""
    before, now = (
        {each.printed.index: each.printed.name for each in one.judgements if each.verdict == "slip"}
        for one in (judged, again)
    )
    cleared = any(name in scales for name in before.values())
    return cleared and now.keys() <= before.keys() and not any(name in scales for name in now.values())


def _candidates(op: Scaling) -> Iterator[fmpq]:
    """What may have been taken for the divisor of a scaling."""
    square = (op.divisor * op.divisor).rational
    if op.divisor.rational is None and square is not None and square.q == 1:
        yield from rounded_roots(int(square.p), coarse=True)


def _promises(divisor: fmpq, slips: Collection[Judgement], judged: Judged, behind: Collection[str]) -> bool:
    """Whether the first quantity of a head with slips comes out as printed: most, and hardly fewer others.

    A whole evaluation takes far longer.
    """
    names = {judgement.printed.name for judgement in slips}
    heads: set[str] = set()
    evaluations = judged.evaluations
    supposed = Evaluations(evaluations.baseline, Supposed(divisor=divisor))
    values = dict(evaluations.seen)
    for line in evaluations.baseline.plan:
        if line.name in behind:
            told = supposed.divided(line)
            try:
                values[line.name] = computed(told, values, evaluations.names)[1]
            except (SymattnError, ArithmeticError):
                return False
        if line.name in names and head_of(line.name) not in heads:
            heads.add(head_of(line.name))
            numbers = [
                j for j in judged.judgements if j.printed.name == line.name and j.printed.first is None
            ]
            cut = sum(each.verdict == "slip" for each in numbers) > 1 or _cuts(judged)
            result, wrong = values[line.name], [each for each in numbers if each.verdict == "slip"]
            hits = sum(_is(each, result, evaluations, cut=cut) for each in wrong)
            rest = (each for each in numbers if each.verdict != "slip")
            missed = sum(not _is(each, result, evaluations, cut=cut) for each in rest)
            if 2 * hits >= len(wrong) and LEFT * missed <= hits:
                return True
    return False


def _cuts(judged: Judged) -> bool:
    """Whether another number is known to be cut off."""
    return judged.evaluations.supposed.truncates or any(
        each.code == Finding.TRUNCATED for each in judged.judgements
    )


def _is(judgement: Judgement, result: Matrix, evaluations: Evaluations, *, cut: bool) -> bool:
    """Whether a number is what a step gives, rounded or `cut` off."""
    number = judgement.printed
    value, item = result[number.row, number.col], evidence_of(judgement, evaluations, number.name)
    return (cut and holds_truncated(number.numeral, value)) or (item is not None and accepts(item, value))
