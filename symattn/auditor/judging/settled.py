"""A quantity on both evaluations: what its step gave, how they go on from prints, the verdicts."""

from __future__ import annotations

from collections.abc import Mapping

from flint import fmpq
from msgspec import Struct, field

from symattn.auditor.numeral import Numeral
from symattn.auditor.ranges.moving import Cell
from symattn.auditor.report import Judgement
from symattn.exact.matrix import Matrix
from symattn.floats.tables import Table


class Evaluated(Struct, frozen=True):
    """One step on both evaluations: its values and their ranges (None where nothing was printed before)."""

    seen: Matrix
    honest: Matrix
    seen_range: Table | None = None
    honest_range: Table | None = None


class Taken(Struct, frozen=True, gc=False):
    """How the evaluations go on from a printed entry: `seen` is what its reader goes on with.

    `honest` is what goes on except the slips, None where that is what the step gives. `root` is the slip
    behind the entry. It is `still` where it shows all its digits, and else moves through its preimage and
    `spare` beyond. Where it is `undecided` whether it follows from a slip, what its author had is near the
    print all the same.
    """

    seen: Numeral
    honest: Numeral | None
    root: int | None
    still: bool
    spare: fmpq | None = None
    undecided: bool = False


class Settled(Struct, frozen=True):
    """A quantity that was judged: what each route to it gave, and what stands for it from `now` on.

    `taken` are its printed entries, `firsts` the verdicts on their first prints taken by themselves, and
    `verdicts` those on all its prints by index. `fixed` says whether its digits are all there are, and
    `rooted` whether an entry of it may go back to a slip.
    """

    routes: tuple[Evaluated, ...]
    now: Evaluated
    taken: Mapping[Cell, Taken] = field(default_factory=dict)
    firsts: Mapping[Cell, Judgement] = field(default_factory=dict)
    verdicts: Mapping[int, Judgement] = field(default_factory=dict)
    fixed: bool = False
    rooted: bool = False

    @property
    def local(self) -> Evaluated:
        """What the step gave before the printed numbers took its place."""
        return self.routes[0]
