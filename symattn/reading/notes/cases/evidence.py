"""What can tell which conventions an example follows: what its text says, and its printed numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from symattn.case import Case, Given, Settings
from symattn.floats import matrix_to_floats
from symattn.plan import base_name
from symattn.reading.notes.cases.declared import Declared
from symattn.reading.notes.cases.explained import NO_FIT, Fit, explained
from symattn.reading.notes.linking.ledger import Print, value
from symattn.reading.overrides import Overrides

if TYPE_CHECKING:
    from symattn.operation import Floats

LARGEST = 64
"""Sides beyond which no walk is made just to choose a convention."""
PLAIN = 4
"""How many numbers it takes at least to overrule what is declared or usual."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the reading of an example knows beside its numbers.

    `d_k` is the one that the text speaks of, `roots` what stands under the roots that it divides scores by;
    `hidden` are the entries of the scores that it prints as minus infinity; `foreign` are the projections
    that it does not make of X.
    """

    declared: Declared
    given: Overrides
    d_k: int | None = None
    roots: frozenset[int] = frozenset()
    hidden: frozenset[tuple[int, int]] = frozenset()
    foreign: frozenset[str] = frozenset()

    def said(self, key: str) -> str | None:
        """What the text declares of a convention, None where it leaves it open."""
        return self.declared[key].value if key in self.declared else None


@dataclass(frozen=True, slots=True)
class Vote:
    """Settings, how well they explain the printed numbers that tell, and how many these are."""

    settings: Settings
    fit: Fit = NO_FIT
    of: int = 0

    @property
    def explains(self) -> int:
        """How many of them they explain."""
        return self.fit[0]

    def counts(self, told: bool = True) -> tuple[int, int]:
        """What the reading explains and of how much, where that is worth telling."""
        return (self.explains, self.of) if told else (0, 0)

    @property
    def plain(self) -> bool:
        """Whether the numbers speak for it by themselves."""
        return self.of >= PLAIN and 10 * self.explains >= 8 * self.of

    def beats(self, other: Vote) -> bool:
        """Whether the numbers plainly follow this reading and not the other."""
        return self.plain and 2 * other.explains <= other.of


class Numbers:
    """The printed numbers of one example, and which of them a walk under some settings explains."""

    def __init__(self, given: Mapping[str, Given], prints: Sequence[Print]) -> None:
        self.given = given
        self.prints = [made for made in prints if made.key is None]
        self.side = max((max(matrix.shape) for matrix in given.values()), default=0)

    def asked(self, names: Sequence[str]) -> list[Print]:
        return [made for made in self.prints if base_name(made.name) in names]

    def under(self, settings: Settings, names: Sequence[str]) -> Vote:
        """How well a walk explains the printed numbers of these quantities."""
        asked = self.asked(names)
        if self.side > LARGEST or not asked:
            return Vote(settings, of=len(asked))
        scores = [] if "scores" in names else self.asked(["scores"])  # they would explain themselves
        case = Case("", self.given, settings=settings)
        return Vote(settings, explained(case, asked, scores, self.floats), len(asked))

    def behind(self, settings: Settings, printed: Sequence[str], names: Sequence[str]) -> int:
        """How many numbers of some quantities a walk explains that goes on from others as printed."""
        asked, before = self.asked(names), self.asked(printed)
        if self.side > LARGEST or not asked:
            return 0
        return explained(Case("", self.given, settings=settings), asked, before, self.floats)[0]

    def divided_by(self) -> int | None:
        """What stands under the root that most of the printed scaled scores are the given ones divided by."""
        scores = self.floats.get("scores")
        found: Counter[int] = Counter()
        for made in self.asked(["scaled"]) if scores is not None else ():
            scaled = value(made.num)
            if scores is not None and scaled and made.row < len(scores) and made.col < len(scores[0]):
                found[round((scores[made.row, made.col] / float(scaled)) ** 2)] += 1
        best = next(iter(found.most_common(1)), (0, 0))
        return best[0] if best[0] > 0 and 2 * best[1] > found.total() else None

    @property
    def keys(self) -> int:
        """How many keys there are, 0 where nothing given tells."""
        return self._rows("K", "memory", "X")

    @property
    def queries(self) -> int:
        """How many queries there are, 0 where nothing given tells."""
        return self._rows("Q", "X")

    def _rows(self, *names: str) -> int:
        return next((self.given[name].shape[0] for name in names if name in self.given), 0)

    @cached_property
    def floats(self) -> Mapping[str, Floats]:
        """What the example begins with, in floats."""
        return {name: matrix_to_floats(each.values) for name, each in self.given.items()}
