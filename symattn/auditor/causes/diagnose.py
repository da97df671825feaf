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
from math import prod
from typing import Literal

from msgspec.structs import replace

from symattn.auditor.causes.distortions import Distortion, carries, distortions, misprints, neighbours
from symattn.auditor.causes.evidence import Evidence, accepts, cut_off, evidence_of, prints_alike, result_of
from symattn.auditor.causes.hypotheses import Hypothesis, hypotheses
from symattn.auditor.causes.mixed_up import Way, copied, rearranged
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.judge import Judged
from symattn.auditor.judging.rules import contains
from symattn.auditor.report import Cause, Judgement
from symattn.exact.matrix import Matrix
from symattn.plans.plan import Plan
from symattn.plans.transposed import on_columns
from symattn.text.bilingual import Bilingual

RARER = frozenset({"carry-lost", "product-point"})
"""What may have gone wrong in a number where nothing else explains it."""
CHANCE = 0.01
BEYOND_CHANCE = CHANCE / 100
LARGE = 10
FEW = 2
HIDDEN = frozenset(
    {Finding.INTERMEDIATE_ROUNDING, Finding.HIDDEN_DIGITS, Finding.TRUNCATED, Finding.CARRIED_FORWARD}
)
"""The codes of numbers that are right or carried by what their digits may hide."""
FEWEST = 2  # a matrix or a row with a single wrong number is no more than a cell


def unexcused(judged: Judged, causes: Sequence[Cause]) -> frozenset[int]:
    """The numbers that a cause of others explains as well, and that were no slips by themselves."""
    numbers = (index for cause in causes for index in cause.numbers)
    return frozenset(index for index in numbers if judged.judgements[index].verdict != "slip")


def diagnose(
    plan: Plan, judged: Judged, given: Mapping[str, Matrix]
) -> tuple[tuple[Judgement, ...], tuple[Cause, ...]]:
    """The judgements with causes put in, and the causes in the order of the evaluation."""
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
        evidence = [item for item in (evidence_of(j, judged.evaluations, line.name) for j in firsts) if item]
        for cause in _causes(line.name, plan, judged.evaluations, printed, given, evidence):
            causes.append(cause)
            for index in cause.numbers:
                known = by_index[index]
                code = Finding.SLIP_WITH_CAUSE if known.code == Finding.SLIP else known.code
                by_index[index] = replace(known, cause=cause, code=code)
    return tuple(_copied(by_index, judgement) for judgement in judged.judgements), tuple(causes)


def _copied(by_index: Mapping[int, Judgement], judgement: Judgement) -> Judgement:
    first = judgement.printed.first
    if (
        first is not None
        and judgement.note == "copy"
        and judgement.code in (Finding.SLIP, Finding.SLIP_WITH_CAUSE)
    ):
        original = by_index[first]
        return replace(judgement, cause=original.cause, code=original.code)
    return by_index[judgement.printed.index]


def _open(judgement: Judgement) -> bool:
    return judgement.verdict == "slip" and judgement.code in (
        Finding.SLIP,
        Finding.WRONG_WORKING,
        Finding.NOT_ITS_WORKING,
    )


def _causes(
    name: str,
    plan: Plan,
    evaluations: Evaluations,
    printed: Iterable[str],
    given: Mapping[str, Matrix],
    evidence: Sequence[Evidence],
) -> list[Cause]:
    tried = list(hypotheses(name, plan, evaluations.seen, set(printed), given))
    local = evaluations.settled[name].local.seen
    ways: tuple[Way, Way] = ("column", "row") if on_columns(plan) else ("row", "column")
    mixed = (h for way in ways for h in rearranged(name, local, _wrong(evidence, way), way))
    whole = _whole(name, "matrix", evidence, tried) or _whole(name, "matrix", evidence, [*tried, *mixed])
    whole = whole or _whole(name, "matrix", list(map(cut_off, evidence)), tried)
    if whole is not None:
        return [whole]
    found: list[Cause] = []
    explained: set[int] = set()
    for way in ways:
        of_steps = tried if way == ways[0] else ()  # a step goes wrong for a token
        for at in sorted(_wrong(evidence, way)):
            part = [item for item in evidence if _along(item, way) == at]
            part = [item for item in part if item.judgement.printed.index not in explained]
            options = [*of_steps, *copied(name, local, at, way)]
            cause = _whole(name, way, part, options) or _whole(name, way, list(map(cut_off, part)), options)
            if cause is not None:
                found.append(cause)
                explained.update(cause.numbers)
    line = next(line for line in plan if line.name == name)
    left = [
        item for item in evidence if _open(item.judgement) and item.judgement.printed.index not in explained
    ]
    # where much is wrong, some number is hit by chance: "possibly" is for the odd one
    alone = sum(_open(item.judgement) for item in evidence) <= FEW
    seen = evaluations.seen
    always = len(tried) + sum(local.shape) - 2  # the hypotheses and the entries around it, for every number
    for item in left:
        if alone or _may_be_certain(item, always):
            item = result_of(item, evaluations)
            row, col = item.judgement.printed.row, item.judgement.printed.col
            options = list(distortions(line, row, col, seen))
            if any(option.slip == "term-dropped" for option in options):
                options += carries(item.judgement.local)
            options += [*neighbours(local, row, col), *misprints(item.judgement.local)]
            cause = _single(name, item, options, tried)
            if cause is not None and (cause.certain or alone):
                found.append(cause)
    return found or _of_most(name, evidence, tried)


def _along(item: Evidence, way: Way) -> int:
    """The row or the column that a number stands in."""
    number = item.judgement.printed
    return number.row if way == "row" else number.col


def _wrong(evidence: Sequence[Evidence], way: Way) -> set[int]:
    """The rows or columns with a slip, where there is more than one of them."""
    lines = {_along(item, way) for item in evidence}
    return {_along(item, way) for item in evidence if _open(item.judgement)} if len(lines) > 1 else set()


def _of_most(name: str, evidence: Sequence[Evidence], tried: Sequence[Hypothesis]) -> list[Cause]:
    """What possibly went wrong in all of a matrix, where a number or two of it are slips of their own.

    It explains three in four of the slips, and of the numbers that it would change, far beyond chance.
    """
    slips = [item for item in evidence if _open(item.judgement)]
    found = []
    for h in tried if len(slips) > FEW else ():
        hits = sum(accepts(item, h.value(*_cell(item))) for item in slips)
        if hits <= FEW or 4 * hits < 3 * len(slips):
            continue
        told = [item for item in evidence if _differs(h, item)]
        explained = [item for item in told if accepts(item, h.value(*_cell(item)))]
        mine = [item for item in explained if _open(item.judgement)]
        chance = len(tried) * prod(item.acceptance for item in explained)
        enough = 4 * len(explained) >= 3 * len(told) and 4 * len(mine) >= 3 * len(slips)
        if len(mine) > FEW and enough and chance < BEYOND_CHANCE:
            numbers = tuple(item.judgement.printed.index for item in mine)
            found.append(Cause(h.slip, h.because, h.name, "matrix", numbers, False, ()))
    return found if len(found) == 1 else []


def _differs(hypothesis: Hypothesis, item: Evidence) -> bool:
    """Whether a number tells a slip from the right operation."""
    return not prints_alike(hypothesis.value(*_cell(item)), item.local, item.judgement.printed)


def _cell(item: Evidence) -> tuple[int, int]:
    return item.judgement.printed.row, item.judgement.printed.col


def _whole(
    name: str,
    scope: Literal["matrix", "row", "column"],
    evidence: Sequence[Evidence],
    tried: Sequence[Hypothesis],
) -> Cause | None:
    """The hypothesis that explains a whole scope, with its rivals, or None."""
    numbers = tuple(item.judgement.printed.index for item in evidence if _open(item.judgement))
    if len(numbers) < FEWEST:
        return None
    survivors = [h for h in tried if explains(h, evidence, len(tried))]
    if not survivors:
        return None
    best, *rivals = survivors
    distinct = [rival for rival in rivals if rival.slip != best.slip]
    numbers += tuple(
        item.judgement.printed.index
        for item in evidence
        if all(_excused(item, survivor) for survivor in survivors)
    )
    return Cause(
        best.slip,
        best.because,
        best.name,
        scope,
        numbers,
        True,
        tuple((rival.slip, rival.because) for rival in distinct[:2]),
    )


def _excused(item: Evidence, hypothesis: Hypothesis) -> bool:
    """Whether a number prints what the slip leads to, and only what its digits may hide excuses it."""
    number = item.judgement.printed
    value = hypothesis.value(number.row, number.col)
    return (
        item.judgement.code in HIDDEN
        and contains(*number.numeral.nearest(), value)
        and not contains(*number.numeral.nearest(), item.local)
        and not prints_alike(value, item.local, number)
    )


def explains(hypothesis: Hypothesis, evidence: Sequence[Evidence], tried: int) -> bool:
    """Conditions 1 to 3 for what a slip leads to, one of so many that were `tried`."""
    if not all(accepts(i, hypothesis.value(*_cell(i))) for i in evidence if _open(i.judgement)):
        return False
    missed, explained, chance = 0, 0, float(tried)
    informative = 0
    for item in evidence:
        number = item.judgement.printed
        value = hypothesis.value(number.row, number.col)
        matches = accepts(item, value)
        differs = not prints_alike(value, item.local, number)
        if _open(item.judgement) and not differs:
            return False
        if differs:
            informative += 1
            if matches:
                explained += 1
                chance *= item.acceptance
            else:
                missed += 1
    allowed = informative // LARGE if informative >= LARGE else 0
    return explained >= FEWEST and missed <= allowed and chance < CHANCE


def _single(
    name: str, item: Evidence, options: Sequence[Distortion], tried: Sequence[Hypothesis]
) -> Cause | None:
    """A cause for one number: "possibly" unless a single explanation is left that chance cannot be."""
    number = item.judgement.printed
    found: dict[str, tuple[str, Bilingual]] = {}
    made = {h.slip: h.name for h in tried}
    for option in options:
        if accepts(item, option.leads_to) and not prints_alike(option.leads_to, item.local, number):
            found.setdefault(option.slip, (option.slip, option.because))
    for h in tried:
        value = h.value(number.row, number.col)
        if accepts(item, value) and not prints_alike(value, item.local, number):
            found.setdefault(h.slip, (h.slip, h.because))
    found = {slip: told for slip, told in found.items() if slip not in RARER} or found
    if not found or len(found) > 2:
        return None
    best, *rivals = found.values()
    certain = not rivals and _may_be_certain(item, len(options) + len(tried))
    return Cause(*best, made.get(best[0], name), "cell", (number.index,), certain, tuple(rivals))


def _may_be_certain(item: Evidence, tried: int) -> bool:
    """Whether chance is ruled out for one number explained, of so many hypotheses tried.

    Behind another slip there is more than one way to be wrong.
    """
    return item.judgement.note != "second" and tried * item.acceptance < CHANCE
