"""Conventions that a source declares one way and whose numbers follow another: one finding, not many."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from symattn.auditor.causes.evidence import accepts, evidence_of
from symattn.auditor.causes.rows import scale_bounds
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.judge import Judged
from symattn.auditor.report import WRONG, Judgement, Remark
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.plain import plain
from symattn.plans.derive import computed
from symattn.plans.kinds import Powers, Scaling, Shifting
from symattn.plans.operation import Slip
from symattn.plans.plan import Line, Plan, downstream
from symattn.plans.transposed import TransposedOperation, on_rows
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.errors import SymattnError

Judging = Callable[[Plan], Judged]
Key = Literal["scale", "base", "shift"]

FEWEST_BESIDE_OMITTED = 2
FEWEST = 4
"""How many numbers it takes to overrule what is declared, and a scaling that is declared omitted."""
MEANT = frozenset({"scale-omitted", "base-e", "base-two", "base-ten", "maximum-kept", "maximum-of-all"})
"""What else may be done throughout by an author who knows what he does."""
SPOILT = 2
"""So many numbers that are right as declared, and wrong otherwise, keep to what is declared."""
EXCEPTED = 10
"""One number in so many may be wrong all the same."""


class Reading(Struct, frozen=True):
    """The plan that the numbers follow, the judgements under it, and what to say about it."""

    plan: Plan
    judged: Judged
    remarks: tuple[Remark, ...] = ()


class _Option(Struct, frozen=True):
    """Another way to do one step wherever the plan has it; `numbers` are those that it explains."""

    key: Key
    declared: Line
    slip: Slip
    plan: Plan
    numbers: tuple[Judgement, ...] = ()


def settle(plan: Plan, judged: Judged, judging: Judging, kept: Collection[str] = ()) -> Reading:
    """The declared plan, or one with another scale, base or maximum that the numbers follow from there on.

    It takes four numbers that the declared plan leaves wrong and the other explains, with at most one in ten
    of them wrong in the other; two where scaling was declared omitted, for who speaks of it may well have
    done it. A source that scales is taken to have left it out or not; how else it went wrong is a slip.
    `kept` are the conventions ("scale", "base") that no number overrules; they are named as rivals at most.
    """
    if not any(judgement.verdict in WRONG for judgement in judged.judgements):
        return Reading(plan, judged)
    options = [option for step in _steps(plan).items() for option in _options(*step, plan)]
    usual = [option for option in options if option.key not in kept and _may_be_meant(option)]
    survivors = [found for option in usual if (found := _explaining(option, plan, judged, judging))]
    if not survivors:
        return Reading(plan, judged)
    others = [option for option in options if option not in usual]
    survivors += [found for option in others if (found := _explaining(option, plan, judged, judging))]
    best = survivors[0]
    bounds = None if best.key == "shift" else scale_bounds(judged, plan)
    return Reading(best.plan, judging(best.plan), (_remark(survivors, bounds),))


def _steps(plan: Plan) -> dict[Key, Line]:
    """The first line of each step that a source may do otherwise than it declares."""
    kinds: tuple[tuple[Key, type], ...] = (("scale", Scaling), ("base", Powers), ("shift", Shifting))
    lines = {key: [line for line in plan if isinstance(on_rows(line.op), kind)] for key, kind in kinds}
    return {key: found[0] for key, found in lines.items() if found}


def _options(key: Key, line: Line, plan: Plan) -> list[_Option]:
    """The other ways to do the step of a line, in the order in which they are likely.

    A source that prints the root which it divides by means to divide by it.
    """
    kind = type(on_rows(line.op))
    scales = issubclass(kind, Scaling) and len(line.args) == 1
    slips = [slip for slip in line.op.slips() if scales or slip.code.startswith(("base", "maximum"))]
    return [
        _Option(
            key,
            line,
            slip,
            tuple(
                replace(each, op=slip.instead) if isinstance(on_rows(each.op), kind) else each
                for each in plan
            ),
        )
        for slip in slips
    ]


def _explaining(option: _Option, plan: Plan, judged: Judged, judging: Judging) -> _Option | None:
    """The option with the numbers that it explains, None where they are too few, or too many are left."""
    kind = type(on_rows(option.declared.op))
    behind = downstream(plan, {line.name for line in plan if isinstance(on_rows(line.op), kind)})
    before = _wrong(judged, behind)
    if len(before) < _fewest(option) or not _promises(option, before, judged.evaluations, behind):
        return None
    again = judging(tuple(line.for_comparing() for line in option.plan))
    left = _wrong(again, behind)
    numbers = tuple(
        was
        for was, now in zip(judged.judgements, again.judgements, strict=True)
        if was in before and now not in left and now.verdict != "undecided"
    )
    few = sum(judgement.printed.first is None for judgement in numbers) < _fewest(option)
    spoilt = sum(
        now.verdict == "slip" and was.verdict == "correct" and was.printed.first is None
        for was, now in zip(judged.judgements, again.judgements, strict=True)
    )
    few = few or spoilt >= SPOILT
    return None if few or EXCEPTED * len(left) > len(numbers) else replace(option, numbers=numbers)


def _promises(
    option: _Option, wrong: Sequence[Judgement], evaluations: Evaluations, behind: Collection[str]
) -> bool:
    """Whether the first quantity with slips comes out mostly as printed: evaluating all takes far longer."""
    slips = [judgement for judgement in wrong if judgement.verdict == "slip"]
    names = {judgement.printed.name for judgement in slips}
    first = next((line.name for line in option.plan if line.name in names), None)
    if first is None:
        return False
    values = dict(evaluations.seen)
    try:
        for line in option.plan:
            if line.name in behind:
                values[line.name] = computed(line.for_comparing(), values, evaluations.names)[1]
            if line.name == first:
                break
    except (SymattnError, ArithmeticError):
        return False
    hits = [_hit(slip, evaluations, values[first]) for slip in slips if slip.printed.name == first]
    return 2 * sum(hits) >= len(hits)


def _hit(judgement: Judgement, evaluations: Evaluations, result: Matrix) -> bool:
    number = judgement.printed
    item = evidence_of(judgement, evaluations, number.name)
    return item is not None and accepts(item, result[number.row, number.col])


def _wrong(judged: Judged, behind: Collection[str]) -> list[Judgement]:
    """The slips behind a step, and what they carry."""

    def root(judgement: Judgement) -> Judgement:
        return judgement if judgement.root is None else judged.judgements[judgement.root]

    return [
        judgement
        for judgement in judged.judgements
        if judgement.verdict in WRONG
        and judgement.printed.name in behind
        and (judgement.verdict == "slip" or root(judgement).printed.name in behind)
    ]


def _fewest(option: _Option) -> int:
    return FEWEST_BESIDE_OMITTED if _omitted(option.declared) else FEWEST


def _omitted(line: Line) -> bool:
    """Whether the line declares that nothing is scaled; a root of d_k that happens to be 1 is a scaling."""
    scale = line.op
    return isinstance(scale, Scaling) and scale.divisor == Exact.of(1) and not scale.rooted


def _may_be_meant(option: _Option) -> bool:
    """Whether an author may have kept the option throughout without a mistake."""
    return _omitted(option.declared) or option.slip.code in MEANT


def _remark(survivors: Sequence[_Option], bounds: tuple[str, str] | None) -> Remark:
    """The finding on the first option, which names the others beside it."""
    best, *rivals = survivors
    declared = _said(best.declared)
    first = best.numbers[0].printed
    values = {
        "declared": declared.en,
        "declared_zh": declared.zh,
        "followed": best.slip.because.en,
        "followed_zh": best.slip.because.zh,
        "rivals": "; ".join(option.slip.because.en for option in rivals),
        "rivals_zh": "；".join(option.slip.because.zh for option in rivals),
        "slips": "; ".join(option.slip.code for option in survivors),
        "count": str(len(best.numbers)),
        "low": bounds[0] if bounds else "",
        "high": bounds[1] if bounds else "",
    }
    return Remark(
        Finding.STEP_NOT_AS_DECLARED,
        "claim",
        values,
        best.declared.name,
        None,
        tuple(judgement.printed.index for judgement in best.numbers),
        first.source_line,
        first.place,
        fix="unsafe",
    )


def _said(line: Line) -> Bilingual:
    """What a line declares."""
    op = on_rows(line.op)
    if isinstance(op, Powers):
        return Bilingual(f"the base {op.base}", f"底数 {op.base}")
    if isinstance(op, Shifting):
        rows = oriented("the maximum of each [row|column] subtracted", "减去每[行|列]的最大值")
        return rows.transposed if isinstance(line.op, TransposedOperation) else rows
    if _omitted(line) or not isinstance(op, Scaling):
        return Bilingual("the scale 1", "缩放因子 1")
    divisor = "√d_k" if op.rooted else plain(op.divisor)
    return Bilingual(f"scores divided by {divisor}", f"得分除以 {divisor}")
