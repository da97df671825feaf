"""What differs between two evaluations on one baseline: only that is judged again.

A supposition about a printed number reaches the entries that are worked out from it, and of these only as
far as what the evaluations go on with differs; one about how a quantity was rounded, or what it was divided
by, reaches all of it. Everything else stands as it was judged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field

from symattn.auditor.claims import ROOT
from symattn.auditor.judging.baseline import Baseline
from symattn.auditor.judging.evaluations import Evaluations
from symattn.auditor.judging.odd import odd_one
from symattn.auditor.judging.rest import rest_to_one
from symattn.auditor.judging.settled import Evaluated, Settled, Taken
from symattn.auditor.ranges.moving import Cell
from symattn.auditor.report import Judgement


class Kept(Struct, frozen=True):
    """What need not be found out anew about a quantity; of `Settled` the entries that stand as before."""

    firsts: Mapping[Cell, Judgement] = field(default_factory=dict)
    taken: Mapping[Cell, Taken] = field(default_factory=dict)
    verdicts: Mapping[int, Judgement] = field(default_factory=dict)


NOTHING_KEPT = Kept()


class Differences:
    """The entries that differ from an evaluation before, found quantity by quantity, in their order."""

    def __init__(self, before: Evaluations, evaluations: Evaluations) -> None:
        self.before, self.evaluations = before, evaluations
        was, now = before.baseline.cells, evaluations.baseline.cells
        self._reprinted = {name for name in now if now[name] is not was[name]}
        self._accused = evaluations.supposed.wrong ^ before.supposed.wrong
        self._misprinted = _differing(before.supposed.typos, evaluations.supposed.typos)
        supposed = self._accused | self._misprinted
        self._cut = {name for name in evaluations.baseline.exact if _cut_otherwise(name, before, evaluations)}
        behind = {
            line.name
            for line in (*evaluations.baseline.plan, *evaluations.baseline.ways.values())
            if self._cut & {*line.args}
        }
        self._anew = self._cut | behind | _divided_otherwise(before, evaluations)
        self._touched = self._reprinted | self._anew
        self._touched |= {evaluations.baseline.printed[index].name for index in supposed}
        self._reached: dict[str, Collection[Cell]] = {}
        self._changed: dict[str, Collection[Cell]] = {}

    def standing(self, name: str) -> Settled | None:
        """A quantity as it was settled, where nothing about it may differ."""
        was = self.before.settled[name]
        if name in self._touched or any(self._changed[each] for each in self._arguments(name)):
            return None
        if self.evaluations.supposed.odd != self.before.supposed.odd:
            line = self.evaluations.baseline.lines.get(name)
            found = {**was.firsts, **rest_to_one(name, line, was.local, was.firsts)}
            if odd_one(self.evaluations.baseline.exact[name], was.local, found.values()) is not None:
                return None
        self._changed[name] = ()
        return was

    def kept(self, name: str, routes: Sequence[Evaluated]) -> Kept:
        """What stands of a quantity whose `routes` were evaluated again."""
        was = self.before.settled[name]
        reached = self._reached[name] = self._entries_reached(name, routes)
        cells = [cell for cell in was.firsts if cell not in reached]
        prints = self.evaluations.baseline.cells[name] if cells else {}
        meant_so = [cell for cell in cells if was.firsts[cell].printed.index not in self._misprinted]
        return Kept(
            {cell: was.firsts[cell] for cell in cells},
            {cell: was.taken[cell] for cell in meant_so if name not in self._reprinted},
            {number.index: was.verdicts[number.index] for cell in cells for number in prints[cell]},
        )

    def note(self, name: str) -> None:
        """Remember which entries of a quantity stand otherwise, now that it is settled again."""
        was, now = self.before.settled[name].taken, self.evaluations.settled[name].taken
        reached = self._reached[name]
        if name in self._cut:
            self._changed[name] = reached
            return
        self._changed[name] = {
            cell
            for cell in (*reached, *now)
            if was.get(cell) != now.get(cell) or (cell in reached and _is_computed(now.get(cell)))
        }

    def _entries_reached(self, name: str, routes: Sequence[Evaluated]) -> Collection[Cell]:
        """The entries of a quantity that may come out otherwise."""
        baseline, was = self.evaluations.baseline, self.before.settled[name]
        n, m = baseline.exact[name].shape
        cells = {(i, j) for i in range(n) for j in range(m)}
        if name in self._anew:
            return cells
        pairs = zip(was.routes, routes, strict=True)
        if not all(self._entry_by_entry(name, *pair) for pair in pairs):
            return cells
        lines = [line for line in baseline.routes(name) if any(self._changed[each] for each in line.args)]
        operands = any(self._moves_otherwise(each) for each in self._arguments(name))
        was_printed, printed = self.before.baseline.cells.get(name, {}), baseline.cells.get(name, {})
        told = {
            cell
            for cell, numbers in printed.items()
            if numbers is not was_printed[cell]
            or any(n.index in self._accused or (operands and n.work is not None) for n in numbers)
        }
        if name in self._reprinted:  # as many decimals have those that dots leave out
            told |= cells - printed.keys()
        return told | {
            cell
            for cell in cells
            if any(
                (i, j) in self._changed[each] for line in lines for each, i, j in baseline.used(line, *cell)
            )
        }

    def _arguments(self, name: str) -> set[str]:
        return {argument for line in self.evaluations.baseline.routes(name) for argument in line.args}

    def _moves_otherwise(self, name: str) -> bool:
        """Whether an entry moves that stood still, or the reverse: operands are told by their characters."""
        entries = [(name, *cell) for cell in self._changed[name]]
        return any(self.before.stands_still(each) != self.evaluations.stands_still(each) for each in entries)

    def _entry_by_entry(self, name: str, was: Evaluated, now: Evaluated) -> bool:
        """Whether both worked the quantity out, with ranges or without: else no entry is as before."""
        exact = self.evaluations.baseline.exact[name]
        ranges = [(computed.seen_range is None, computed.honest_range is None) for computed in (was, now)]
        return ranges[0] == ranges[1] and all(
            matrix is not exact for computed in (was, now) for matrix in (computed.seen, computed.honest)
        )


def differences(before: Evaluations | None, evaluations: Evaluations) -> Differences | None:
    """What differs in `evaluations` from an evaluation before them; None where all of it may."""
    if before is None or before.supposed.throughout() != evaluations.supposed.throughout():
        return None
    return Differences(before, evaluations) if _comparable(before.baseline, evaluations.baseline) else None


def _cut_otherwise(name: str, before: Evaluations, evaluations: Evaluations) -> bool:
    """Whether the numbers of a quantity are cut off in one evaluation only."""
    return before.supposed.cuts(name) != evaluations.supposed.cuts(name)


def _divided_otherwise(before: Evaluations, evaluations: Evaluations) -> set[str]:
    """The quantities that rest on another divisor: by their step, or by a root in a working beside them."""
    baseline = evaluations.baseline
    if before.supposed.divisor == evaluations.supposed.divisor:
        return set()
    return {
        name
        for name in baseline.exact
        if any(
            each.divided(line) is not line for each in (before, evaluations) for line in baseline.routes(name)
        )
        or any(n.work is not None for numbers in baseline.cells.get(name, {}).values() for n in numbers)
    }


def _comparable(was: Baseline, now: Baseline) -> bool:
    """Whether two grounds differ at most in which prints count, and not in those of the root of d_k."""
    return was.plan is now.plan and was.exact is now.exact and was.cells.get(ROOT) is now.cells.get(ROOT)


def _differing(was: Mapping[int, object], now: Mapping[int, object]) -> frozenset[int]:
    """The keys under which two mappings hold something else, or only one of them holds anything."""
    either = was.keys() & now.keys()
    return frozenset(was.keys() ^ now.keys()) | {key for key in either if was[key] != now[key]}


def _is_computed(taken: Taken | None) -> bool:
    """Whether an evaluation goes on from what the step gives, and not from the print."""
    return taken is None or taken.honest is None
