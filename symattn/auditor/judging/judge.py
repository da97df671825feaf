"""Judging: every printed number of a case, quantity by quantity in the order of the walk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from symattn.auditor.claims import Ways
from symattn.auditor.judging.copies import either, judge_copy, printed_again
from symattn.auditor.judging.odd import odd_one, one_convention
from symattn.auditor.judging.operands import spells_out, working_of
from symattn.auditor.judging.printing import completed
from symattn.auditor.judging.rest import rest_to_one
from symattn.auditor.judging.rules import Reference, Ruling, rule
from symattn.auditor.judging.supposed import NOTHING, Supposed
from symattn.auditor.judging.walks import Cells, Walked, Walks
from symattn.auditor.ranges.moving import Cell
from symattn.auditor.ranges.roots import begun
from symattn.auditor.report import Judgement, Printed
from symattn.derive import Values
from symattn.exact.decimal import Undecided
from symattn.exact.enclosure import HasSymbols
from symattn.exact.number import Exact
from symattn.plan import Line, Plan

Hopeless = Callable[[str, Collection[Judgement], Walks], bool]
"""Whether a supposition is not worth walking on with, by the judgements on one quantity after another."""


class GivenUp(Exception):
    """The supposition under which a walk was judged turned out to be hopeless on the way."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgements in the order of the printed numbers, and the walks that they rest on."""

    judgements: tuple[Judgement, ...]
    walks: Walks

    @property
    def slips(self) -> int:
        """How many numbers are slips."""
        return sum(judged.verdict == "slip" for judged in self.judgements)

    def completed(self) -> Judged:
        """The same with the right prints put in, which takes longer than judging."""
        return replace(self, judgements=tuple(self._completed(judged) for judged in self.judgements))

    def _completed(self, judged: Judgement) -> Judgement:
        name, i, j, _ = judged.printed.at
        return completed(judged, self.walks.local[name].seen[i, j] if name in self.walks.lines else None)


def judge(
    plan: Plan,
    ways: Ways,
    given: Values,
    exact: Values,
    printed: Sequence[Printed],
    supposed: Supposed = NOTHING,
    hopeless: Hopeless | None = None,
    held: int | None = None,
) -> Judged:
    """Judge `printed` against the extended plan; `exact` holds g for every name, given or computed.

    What is wrong after the first prints may follow from what was printed again with other digits. `held` are
    the decimals that the source keeps of what is not printed, as far as that is known. Raises GivenUp where
    what is `supposed` of the source becomes `hopeless`.
    """
    cells = _by_entry(printed)
    again = printed_again(cells)

    def judging(cells: Cells, hopeless: Hopeless | None = None) -> Judged:
        return _walked_through(Walks(plan, exact, cells, supposed, held), ways, given, printed, hopeless)

    judged = judging(cells, None if again else hopeless)
    found_odd = any(each.code == "SA207" for each in judged.judgements)
    if found_odd and not one_convention(judged.judgements, judged.walks):
        supposed = replace(supposed, odd=False)
        judged = judging(cells)
    if not again or not judged.slips:
        return judged
    following = judging({**cells, **again})
    return replace(judged, judgements=either(judged.judgements, following.judgements))


def _by_entry(printed: Sequence[Printed]) -> Cells:
    cells: dict[str, dict[Cell, list[Printed]]] = defaultdict(lambda: defaultdict(list))
    for number in printed:
        cells[number.name][number.row, number.col].append(number)
    return {name: dict(entries) for name, entries in cells.items()}


def _walked_through(
    walks: Walks, ways: Ways, given: Values, printed: Sequence[Printed], hopeless: Hopeless | None
) -> Judged:
    """Judge quantity after quantity, each from the printed numbers before it."""
    verdicts: dict[int, Judgement] = {}

    def go_through(name: str, routes: Sequence[tuple[Line | None, Walked]]) -> None:
        found = _settled(name, routes, walks, ways, given)
        verdicts.update(found)
        if hopeless is not None and hopeless(name, found.values(), walks):
            raise GivenUp

    for name, matrix in given.items():
        moving = begun(name, matrix, given.keys())
        go_through(name, [(None, Walked(matrix, matrix, moving, moving))])
    for line in walks.plan:
        routes = [line, *([ways[line.name]] if line.name in ways else [])]
        go_through(line.name, [(route, walks.step(route)) for route in routes])
    known = [index for index, meant in walks.supposed.typos.items() if meant is None]
    verdicts |= _typos(verdicts, known)
    return Judged(tuple(verdicts[number.index] for number in printed), walks)


def more_slips_than(most: int) -> Hopeless:
    """Hopeless is what leaves more than `most` slips; what follows an odd number may yet be taken back."""
    slips = 0
    odd = False

    def hopeless(name: str, found: Collection[Judgement], walks: Walks) -> bool:
        nonlocal slips, odd
        slips += sum(judged.verdict == "slip" for judged in found)
        odd = odd or any(judged.code == "SA207" for judged in found)
        return slips > most and not odd

    return hopeless


def _settled(
    name: str, routes: Sequence[tuple[Line | None, Walked]], walks: Walks, ways: Ways, given: Values
) -> Mapping[int, Judgement]:
    """Judge the printed entries of one quantity, then go on from them."""
    walked = walks.local[name] = walks.now[name] = routes[0][1]
    cells = walks.cells.get(name)
    if not cells:
        if name in walks.lines:
            walks.hold(name, walked)
        return {}
    firsts = {cell: _first(numbers[0], routes, walks, ways, given) for cell, numbers in cells.items()}
    firsts |= rest_to_one(name, walked, firsts)
    odd = odd_one(name, walks, list(firsts.values())) if walks.supposed.odd else None
    if odd is not None:
        firsts[odd.printed.row, odd.printed.col] = odd

    def alone(number: Printed) -> Judgement:
        return _first(number, routes, walks, ways, given)

    walks.go_on(name, walked, firsts)
    verdicts = {judged.printed.index: judged for judged in firsts.values()}
    for cell, numbers in cells.items():
        for copy in numbers[1:]:
            verdicts[copy.index] = judge_copy(
                copy, firsts[cell], walked.seen[cell], walks.supposed.truncates, alone
            )
    return verdicts


def _first(
    number: Printed, routes: Sequence[tuple[Line | None, Walked]], walks: Walks, ways: Ways, given: Values
) -> Judgement:
    """The verdict on a first print."""
    i, j = number.row, number.col
    references = [
        Reference(
            walked.seen[i, j],
            walked.seen_range[i][j] if walked.seen_range else None,
            walked.honest[i, j],
            walked.honest_range[i][j] if walked.honest_range else None,
            walks.root(line, i, j),
        )
        for line, walked in routes
        if line is not None
    ]
    exact = walks.exact[number.name][i, j]

    def ruled(truncates: bool) -> Ruling:
        working = working_of(number, walks, ways, given, truncates=truncates)
        return rule(number.numeral, exact, references, working, truncates=walks.supposed.truncates)

    try:
        ruling = ruled(walks.supposed.truncates)
        if ruling.code == "SA203":
            ruling = ruled(truncates=True)  # who cut one operand off kept its digits for the right result
    except (HasSymbols, Undecided):
        ruling = Ruling("undecided", "SA904")
    if ruling.note == "second" and spells_out(number, walks, ways, given):
        ruling = Ruling("carried", "SA301", root=ruling.root)
    if number.index in walks.supposed.wrong:
        ruling = Ruling("slip", "SA201", ruling.note, ruling.root)
    if ruling.verdict == "slip" and _symbolic(exact):
        ruling = Ruling("undecided", "SA904")
    return Judgement(number, ruling.verdict, ruling.code, exact, root=ruling.root, note=ruling.note)


def _typos(verdicts: Mapping[int, Judgement], known: Collection[int]) -> Mapping[int, Judgement]:
    """The slips after which every consumer goes on from the right value, relabelled as typos."""
    resumed: dict[int, list[bool]] = defaultdict(list, {index: [] for index in known})
    for judged in verdicts.values():
        if judged.root is not None and judged.note != "copy":
            resumed[judged.root].append(judged.note == "resumed")
    return {
        index: replace(verdicts[index], code="SA204", note="typo")
        for index, consumers in resumed.items()
        if verdicts[index].verdict == "slip" and all(consumers)
    }


def _symbolic(x: Exact) -> bool:
    from symattn.exact.substitution import free_symbols

    return bool(x.symbolic and free_symbols(x))
