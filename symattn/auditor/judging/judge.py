"""Judging: every printed number of a case, quantity by quantity in the order of the evaluation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from flint import fmpq
from msgspec import Struct
from msgspec.structs import replace

from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.baseline import Baseline
from symattn.auditor.judging.copies import either, judge_copy
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.incremental import NOTHING_KEPT, Differences, differences
from symattn.auditor.judging.odd import odd_one, one_convention
from symattn.auditor.judging.operands import spells_out, working_of
from symattn.auditor.judging.printing import completed
from symattn.auditor.judging.rest import rest_to_one
from symattn.auditor.judging.rules import Reference, Ruling, plainly_right, rule
from symattn.auditor.judging.settled import Evaluated, Settled
from symattn.auditor.judging.supposed import NOTHING, Supposed
from symattn.auditor.ranges.roots import begun
from symattn.auditor.report import Judgement, Printed
from symattn.exact.decimal import Undecided
from symattn.exact.enclosure import HasSymbols
from symattn.exact.number import Exact
from symattn.plans.plan import Line

Hopeless = Callable[[str, Collection[Judgement], Evaluations], bool]
"""Whether a supposition is not worth trying further, by the judgements on one quantity after another."""


class GivenUp(Exception):
    """The supposition under which an evaluation was judged turned out to be hopeless on the way."""


class Judged(Struct, frozen=True):
    """The judgements in the order of the printed numbers, and the evaluations that they rest on.

    `again` are the evaluations on what was printed again with other digits, where there is such.
    """

    judgements: tuple[Judgement, ...]
    evaluations: Evaluations
    again: Evaluations | None = None

    @property
    def slips(self) -> int:
        """How many numbers are slips."""
        return sum(judged.verdict == "slip" for judged in self.judgements)

    def completed(self) -> Judged:
        """The same with the right prints put in, which takes longer than judging."""
        return replace(self, judgements=tuple(self._completed(judged) for judged in self.judgements))

    def _completed(self, judged: Judgement) -> Judgement:
        name, i, j, _ = judged.printed.at
        told = judged.verdict != "correct" and name in self.evaluations.baseline.lines
        return completed(judged, self.evaluations.settled[name].local.seen[i, j] if told else None)


def judge(
    baseline: Baseline,
    supposed: Supposed = NOTHING,
    hopeless: Hopeless | None = None,
    before: Judged | None = None,
) -> Judged:
    """Judge the printed numbers of a source; what stands as it was judged `before` is not judged anew.

    What is wrong after the first prints may follow from what was printed again with other digits. Raises
    GivenUp where what is `supposed` of the source becomes `hopeless`.
    """
    evaluations, again = (before.evaluations, before.again) if before is not None else (None, None)
    following = None
    if baseline.again is not None:
        following = _Evaluating(Evaluations(baseline.again, supposed), again) if again is not None else None
        slips = isinstance(hopeless, MoreSlips)
        hopeless = _beside(following, hopeless) if following and hopeless and slips else None
    judged = _computed_through(_Evaluating(Evaluations(baseline, supposed), evaluations), hopeless)
    found_odd = any(each.code == Finding.ODD_ONE_OUT for each in judged.judgements)
    if found_odd and not one_convention(judged.judgements, judged.evaluations):
        supposed = replace(supposed, odd=False)
        judged = _computed_through(_Evaluating(Evaluations(baseline, supposed), judged.evaluations))
        following = None
    if baseline.again is None or not judged.slips:
        return judged
    if following is None:
        following = _Evaluating(Evaluations(baseline.again, supposed), again or judged.evaluations)
    other = _computed_through(following)
    return Judged(either(judged.judgements, other.judgements), judged.evaluations, other.evaluations)


class _Evaluating:
    """An evaluation on its way: each quantity is judged from the printed numbers before it."""

    def __init__(self, evaluations: Evaluations, before: Evaluations | None) -> None:
        self.evaluations = evaluations
        self.differing = differences(before, evaluations)

    def settle(self, name: str) -> Settled:
        """The next quantity as it is judged, where it was not already."""
        evaluations, differing = self.evaluations, self.differing
        if name in evaluations.settled:
            return evaluations.settled[name]
        settled = differing.standing(name) if differing is not None else None
        if settled is None:
            settled = evaluations.settled[name] = _settled(name, evaluations, differing)
            if differing is not None:
                differing.note(name)
        evaluations.settled[name] = settled
        return settled


def _computed_through(walking: _Evaluating, hopeless: Hopeless | None = None) -> Judged:
    """Judge quantity after quantity."""
    evaluations, baseline, verdicts = (
        walking.evaluations,
        walking.evaluations.baseline,
        dict[int, Judgement](),
    )
    for name in (*baseline.given, *baseline.lines):
        settled = walking.settle(name)
        verdicts.update(settled.verdicts)
        if hopeless is not None and hopeless(name, settled.verdicts.values(), evaluations):
            raise GivenUp
    known = [index for index, meant in evaluations.supposed.typos.items() if meant is None]
    verdicts |= _typos(verdicts, known)
    return Judged(tuple(verdicts[number.index] for number in baseline.printed), evaluations)


class MoreSlips:
    """Hopeless is what leaves more than `most` slips; what follows an odd number may yet be taken back."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.slips = 0
        self.odd = False

    def __call__(self, name: str, found: Collection[Judgement], evaluations: Evaluations) -> bool:
        self.slips += sum(judged.verdict == "slip" for judged in found)
        self.odd = self.odd or any(judged.code == Finding.ODD_ONE_OUT for judged in found)
        return self.slips > self.most and not self.odd


def _beside(following: _Evaluating, hopeless: Hopeless) -> Hopeless:
    """The same by the better of each judgement and that on other prints, quantity by quantity."""
    odd = False

    def beside(name: str, found: Collection[Judgement], evaluations: Evaluations) -> bool:
        nonlocal odd
        odd = odd or any(judged.code == Finding.ODD_ONE_OUT for judged in found)
        if odd:
            return False
        others = following.settle(name).verdicts
        return hopeless(name, either([*found], [others[each.printed.index] for each in found]), evaluations)

    return beside


def _settled(name: str, evaluations: Evaluations, differing: Differences | None) -> Settled:
    """Judge the printed entries of one quantity, then go on from them."""
    baseline, lines = evaluations.baseline, evaluations.baseline.routes(name)
    routes = tuple(evaluations.step(line) for line in lines) or (_given(name, baseline),)
    kept = differing.kept(name, routes) if differing is not None else NOTHING_KEPT
    cells = baseline.cells.get(name)
    if not cells:
        return evaluations.hold(name, routes)

    def alone(number: Printed) -> Judgement:
        return _first(number, lines, routes, evaluations)

    firsts = {cell: kept.firsts.get(cell) or alone(numbers[0]) for cell, numbers in cells.items()}
    found = {**firsts, **rest_to_one(name, baseline.lines.get(name), routes[0], firsts)}
    odd = odd_one(baseline.exact[name], routes[0], found.values()) if evaluations.supposed.odd else None
    if odd is not None:
        found[odd.printed.row, odd.printed.col] = odd
    stands = {cell for cell, judged in found.items() if judged == kept.verdicts.get(judged.printed.index)}
    standing = {cell: taken for cell, taken in kept.taken.items() if cell in stands}
    settled = evaluations.go_on(name, routes, found, standing)
    verdicts = {judged.printed.index: judged for judged in found.values()}
    for cell, numbers in cells.items():
        for copy in numbers[1:]:
            verdicts[copy.index] = (kept.verdicts.get(copy.index) if cell in stands else None) or judge_copy(
                copy,
                found[cell],
                routes[0].seen[cell],
                evaluations.supposed.cuts_off(name, copy.numeral),
                alone,
            )
    return replace(settled, firsts=firsts, verdicts=verdicts)


def _given(name: str, baseline: Baseline) -> Evaluated:
    """Where the evaluations begin with a quantity that the source gives."""
    matrix = baseline.given[name]
    moving = begun(name, matrix, baseline.given.keys())
    return Evaluated(matrix, matrix, moving, moving)


def _first(
    number: Printed, lines: Sequence[Line], routes: Sequence[Evaluated], evaluations: Evaluations
) -> Judgement:
    """The verdict on a first print.

    What is right, as most numbers are, is told so before the ways to it are looked up.
    """
    i, j = number.row, number.col
    exact = evaluations.baseline.exact[number.name][i, j]
    cut = evaluations.supposed.cuts_off(number.name, number.numeral)
    if (
        number.work is None
        and number.index not in evaluations.supposed.wrong
        and not evaluations.may_be_rooted(lines)
    ):
        ruling = plainly_right(number.numeral, exact, truncates=cut)
        if ruling is not None:
            return Judgement(number, ruling.verdict, ruling.code, exact, note=ruling.note)
    references = [
        Reference(
            computed.seen[i, j],
            computed.seen_range[i][j] if computed.seen_range else None,
            computed.honest[i, j],
            computed.honest_range[i][j] if computed.honest_range else None,
            evaluations.root(line, i, j) if line is not None else None,
        )
        for line, computed in zip(lines or (None,), routes, strict=True)  # a given has no line
    ]
    operands_cut = any(evaluations.supposed.cuts(name) for line in lines for name in line.args)

    def ruled(truncates: bool, divisor: fmpq | None = None) -> Ruling:
        working = working_of(number, evaluations, truncates=truncates, divisor=divisor)
        return rule(number.numeral, exact, references, working, truncates=cut)

    try:
        ruling = ruled(operands_cut)
        if ruling.code == Finding.WRONG_WORKING:
            ruling = ruled(truncates=True)  # who cut one operand off kept its digits for the right result
        if (
            ruling.code in (Finding.WRONG_WORKING, Finding.NOT_ITS_WORKING)
            and evaluations.supposed.divisor is not None
        ):
            ruling = ruled(operands_cut, evaluations.supposed.divisor)
    except (HasSymbols, Undecided):
        roots = [reference.root for reference in references]
        ruling = Ruling("undecided", Finding.SYMBOLIC_VALUE, root=None if None in roots else roots[0])
    if ruling.note == "second" and spells_out(number, evaluations.baseline):
        ruling = Ruling("carried", Finding.CARRIED_FORWARD, root=ruling.root)
    if number.index in evaluations.supposed.wrong:
        ruling = Ruling("slip", Finding.SLIP, ruling.note, ruling.root)
    if ruling.verdict == "slip" and _symbolic(exact):
        ruling = Ruling("undecided", Finding.SYMBOLIC_VALUE, root=ruling.root)
    return Judgement(number, ruling.verdict, ruling.code, exact, root=ruling.root, note=ruling.note)


def _typos(verdicts: Mapping[int, Judgement], known: Collection[int]) -> Mapping[int, Judgement]:
    """The slips after which every consumer goes on from the right value, relabelled as typos."""
    resumed: dict[int, list[bool]] = defaultdict(list, {index: [] for index in known})
    for judged in verdicts.values():
        if judged.root is not None and judged.note != "copy":
            resumed[judged.root].append(judged.note == "resumed")
    return {
        index: replace(verdicts[index], code=Finding.TYPO, note="typo")
        for index, consumers in resumed.items()
        if verdicts[index].verdict == "slip" and all(consumers)
    }


def _symbolic(x: Exact) -> bool:
    from symattn.exact.substitution import free_symbols

    return bool(x.symbolic and free_symbols(x))
