"""What lists and matrices are, by what the rows of each quantity should be; it decides about links only.

A list without a name is tied to a step where most of its numbers are those of the step, so that what is
wrong in it is one number among right ones. A row that only the words around it name is held against the
other rows. Floats decide about the link, never about a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.layout.rows import hides
from symattn.reading.notes.linking.closeness import (
    agree,
    alike,
    is_decimal,
    near,
    telling,
    unit,
    within,
)
from symattn.reading.notes.linking.denote import LOGITS, ROOT
from symattn.reading.notes.linking.ledger import size, value
from symattn.reading.notes.linking.slipped import Slipping

MOST_ROWS = 16
SHARE = 0.6
HALF = 0.51
"""How many units of its last place a number is off that was rounded."""
FEWEST = 4
"""How many numbers it takes to say that a matrix is not what it is called."""
STEPS = ("scores", "scaled", "exp", "A", "Z")
TABLES = ("Q", "K", "V", *STEPS)
SOURCES = {"scores": ("Q", "K"), "scaled": ("scores",), "exp": LOGITS, "A": (*LOGITS, "exp"), "Z": ("A", "V")}


class Predictor(Slipping):
    """Holds printed numbers against the rows that they may be."""

    def explained(self, name: str, row: int, nums: Sequence[Num]) -> int:
        """How many numbers of a list are those of a row, by the way of making it that explains most."""
        return max(
            (
                sum(near(num, x) for num, x in zip(nums, vector, strict=True))
                for vector in self.ways(name, row)
                if len(vector) == len(nums)
            ),
            default=0,
        )

    def foreseen(self, name: str, row: int, nums: Sequence[Num]) -> int:
        """How many numbers of a list are those of a row, be it by weights that nobody printed yet."""
        weights = self._known("A", row) if name == "Z" else ()
        ways = [*self.ways(name, row), *(z for each in weights for z in self._products(each, self._all("V")))]
        return max(
            (
                sum(near(num, x) for num, x in zip(nums, way, strict=True))
                for way in ways
                if len(way) == len(nums)
            ),
            default=0,
        )

    def distance(self, name: str, row: int, nums: Sequence[Num]) -> float:
        """How far a list is from a row, by the way of making it that comes nearest."""
        return min(
            (
                sum(abs((size(num) or 0.0) - x) for num, x in zip(nums, vector, strict=True))
                for vector in self.ways(name, row)
                if len(vector) == len(nums)
            ),
            default=math.inf,
        )

    def fits(self, name: str, row: int, nums: Sequence[Num]) -> bool:
        """Whether most numbers of a list are those of a row, and hardly by chance."""
        if not telling(nums, name):
            return False
        ways = (list(zip(nums, way, strict=True)) for way in self.ways(name, row) if len(way) == len(nums))
        return any(_agree(pairs, len(nums)) for pairs in ways)

    def follow(self, name: str, first: int, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether most numbers of the rows from `first` on are those of a quantity, hardly by chance."""
        found = [(self.explained(name, row, nums), nums) for row, nums in enumerate(rows, first)]
        count = sum(len(nums) for _, nums in found)
        return sum(close for close, _ in found) >= SHARE * count and any(
            close == len(nums) and telling(nums, name) for close, nums in found
        )

    def step_of(
        self, nums: Sequence[Num], here: int | None, names: Sequence[str] = STEPS
    ) -> tuple[str, int] | None:
        """The quantity and the row that a list of numbers follows, the row of the context first.

        Of the quantities of a row it is the one that explains most of them: zeros are those of several.
        """
        for row in self._rows(here):
            known = [name for name in names if not self.printed(name, row) and self.fits(name, row, nums)]
            if known:
                return max(known, key=lambda name: self.explained(name, row, nums)), row
        return None

    def matrix_of(self, rows: Sequence[Sequence[Num]], said: str | None) -> str | None:
        """The quantity whose rows a matrix follows; `said` is what the words call it.

        It is what is said, unless that is known to have another shape, or cannot be told from what was
        printed before while the numbers follow something else. Scores are called scaled and scaled scores
        scores, as long as only one of them is printed.
        """
        made = next(iter(self.ways(said, 0)), None) if said else None
        if said == "masked" and not self._leaves(rows):
            return None
        if said is None and self._is_masked(rows):
            return "masked"
        if said and self._follows(said, rows):
            return said
        nums = [num for row in rows for num in row]
        fresh = [name for name in TABLES if telling(nums, name) and not self.printed(name, 0)]
        if made is not None and len(made) == len(rows[0]):
            fresh = [name for name in fresh if {said, name} == {"scores", "scaled"}]
        followed = max(fresh, key=lambda name: self._explained_of(name, rows), default=None)
        if followed is not None and not self._follows(followed, rows):
            followed = next((name for name in fresh if self._mixes(name, rows)), None)
        return followed or (said if made is None or len(made) == len(rows[0]) else None)

    def _mixes(self, name: str, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether some rows of a matrix are those of a quantity, and all others are with a usual slip."""
        if len(rows) > MOST_ROWS:
            return False
        right = [self.fits(name, i, row) and self._rounds_to(name, i, row) for i, row in enumerate(rows)]
        return any(right) and all(
            is_right or self.slipped(name, i, row)
            for i, (is_right, row) in enumerate(zip(right, rows, strict=True))
        )

    def _is_masked(self, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether a matrix is the scores that were printed, but for those that a mask hides."""
        left = [(i, j, num) for i, row in enumerate(rows) for j, num in enumerate(row) if not hides(num)]
        if len(left) == sum(map(len, rows)) or len(left) < 2:
            return False
        steps = (self.ledger.first.get(name, {}) for name in ("scaled", "scores"))
        return any(
            2 * sum((i, j) in first and agree(first[i, j].num, num) for i, j, num in left) > len(left)
            for first in steps
        )

    def _leaves(self, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether a matrix with hidden entries has scores among the others, as far as these are known."""
        pairs = [
            (num, way[col])
            for row, nums in enumerate(rows[:MOST_ROWS])
            for kind in ("scaled", "scores")
            for way in (self._row(kind, row), *self.ways(kind, row))
            if len(way) == len(nums)
            for col, num in enumerate(nums)
            if value(num) is not None
        ]
        return not pairs or any(near(num, x) for num, x in pairs)

    def first_of(self, name: str, rows: Sequence[Sequence[Num]], height: int) -> int | None:
        """The row that a part of a matrix begins with, None where its numbers are of no rows of it.

        Zeros among weights may be of a mask that nobody has told yet.
        """
        if name in ("exp", "A") and any(not value(num) for row in rows for num in row):
            return 0
        firsts = range(min(height, MOST_ROWS) - len(rows) + 1)
        known = [first for first in firsts if all(self.ways(name, first + i) for i in range(len(rows)))]
        return next((first for first in known if self.follow(name, first, rows)), None if 0 in known else 0)

    def contradicts(self, name: str, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether three quarters of a matrix, of four numbers or more, are far from those of a quantity.

        Far is further than what rounded numbers before it can do.
        """
        count = sum(map(len, rows))
        ways = [self.ways(name, i) for i in range(min(len(rows), MOST_ROWS))]
        if count < FEWEST or not all(ways):
            return False
        room = self._room(name)
        close = sum(
            max((within(row, way, room) for way in found if len(way) == len(row)), default=0)
            for row, found in zip(rows, ways, strict=False)
        )
        return 4 * close <= count

    def _room(self, name: str) -> float:
        """How far the rounding of the numbers that a quantity is made of may move its own."""
        made = [
            each for source in SOURCES.get(name, ()) for each in self.ledger.first.get(source, {}).values()
        ]
        units = [unit(each.num) for each in made if is_decimal(each.num)]
        largest = max((abs(size(each.num) or 0.0) for each in made), default=0.0)
        width = max((each.col + 1 for each in made), default=0)
        return width * max(units, default=0.0) * max(largest, 1.0)

    def supplants(self, name: str, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether a matrix is a quantity, and the one that was printed under its name before is not.

        It is not where it disagrees throughout, turned as well, and is no other step of the scores either.
        """
        before = self.ledger.rows_of(name)
        if not before or any(len(row) != len(before[0]) for row in before) or not self._follows(name, rows):
            return False
        ways = (before, list(zip(*before, strict=True)))
        kinds = ("scores", "scaled") if name in ("scores", "scaled") else (name,)
        return all(self.contradicts(kind, way) for kind in kinds for way in ways if self.ways(kind, 0))

    def _follows(self, name: str, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether most numbers of a matrix are those of the first rows of a quantity."""
        pairs = [pair for i, row in enumerate(rows[:MOST_ROWS]) for pair in self._nearest(name, i, row)]
        return _agree(pairs, sum(map(len, rows)))

    def _nearest(self, name: str, row: int, nums: Sequence[Num]) -> list[tuple[Num, float]]:
        """A list beside the row that it may be, in the way of making it that explains most."""
        ways = (list(zip(nums, way, strict=True)) for way in self.ways(name, row) if len(way) == len(nums))
        return max(ways, key=lambda pairs: sum(near(*pair) for pair in pairs), default=[])

    def _explained_of(self, name: str, rows: Sequence[Sequence[Num]]) -> int:
        """How many numbers of a matrix are those of the first rows of a quantity."""
        return sum(self.explained(name, i, row) for i, row in enumerate(rows[:MOST_ROWS]))

    def sum_of(self, num: Num, here: int | None) -> int | None:
        """The row whose printed exponentials add up to a number."""
        rows = sorted({row for row, _ in self.ledger.first.get("exp", {})}, key=lambda row: row != here)
        for row in rows[:MOST_ROWS]:
            vector = self._row("exp", row)
            if vector and abs(sum(vector) - (size(num) or 0.0)) <= 1.5 * unit(num):
                return row
        return None

    def row_of(self, name: str, nums: Sequence[Num], here: int, *, sure: bool) -> int | None:
        """The row that a list belongs to which the words around it put into row `here`.

        Words speak for one list of each quantity. A second one with other numbers belongs to the row that
        explains it, and to none where no row does. So does a list none of whose numbers are those of row
        `here`, where the words are not `sure` and may be about another row; unless it is that row with a
        usual slip in it. A list that was printed before is that row again, where it is not this one.
        """
        again = [row for made, row in self.ledger.rows_like(nums) if made == name]
        other = not sure and len(nums) > 1 and self.is_not(name, here, nums)
        if other and again and here not in again:
            return again[0]
        printed = self._row(name, here)
        others = [row for row in self._rows(None) if not self.printed(name, row)]
        if len(printed) == len(nums) > 1 and not self._rounds_to(name, here, nums):
            whole = (row for row in others if self._rounds_to(name, row, nums))
            if (row := next(whole, None)) is not None:
                return row
        if not other and (len(printed) != len(nums) or len(nums) < 2 or alike(printed, nums)):
            return here
        fitting = next((row for row in others if self.fits(name, row, nums)), None)
        return here if fitting is None and self.slipped(name, here, nums) else fitting

    def _rounds_to(self, name: str, row: int, nums: Sequence[Num]) -> bool:
        """Whether all numbers of a list are those of a row, rounded."""
        ways = (zip(nums, way, strict=True) for way in self.ways(name, row) if len(way) == len(nums))
        return any(all(abs((size(num) or 0.0) - x) <= HALF * unit(num) for num, x in way) for way in ways)

    def is_not(self, name: str, row: int, nums: Sequence[Num]) -> bool:
        """Whether a row is known, if only by steps left out, and none of its numbers are those of a list."""
        weights = self._known("A", row) if name == "Z" else ()
        ways = [*self.ways(name, row), *(z for each in weights for z in self._products(each, self._all("V")))]
        pairs = [(num, x) for way in ways for num, x in zip(nums, way, strict=False) if x or value(num)]
        return bool(pairs) and not any(near(num, x) for num, x in pairs)

    def entries_like(self, name: str, num: Num) -> Sequence[tuple[int, int]]:
        """The entries that were printed with this value, or should have it where none was printed."""
        return self.ledger.entries_like(name, num) if self.ledger.first.get(name) else self._due(name, num)

    def misprinted(self, name: str, num: Num) -> Sequence[tuple[int, int]]:
        """The entries that were printed otherwise, while this is what they should be, and no other one."""
        due, printed = self._due(name, num), self.ledger.first.get(name, {})
        return due if all(at in printed for at in due) else []

    def _due(self, name: str, num: Num) -> list[tuple[int, int]]:
        """The entries that should have this value."""
        return [
            (row, col)
            for row in self._rows(None)
            for vector in self.ways(name, row)
            for col, x in enumerate(vector)
            if near(num, x)
        ]

    def is_made_before(self, name: str, offset: int) -> bool:
        """Whether something that a quantity is made of stands before an offset, as far as it is printed."""
        made = [
            each.num.start for of in SOURCES.get(name, ()) for each in self.ledger.first.get(of, {}).values()
        ]
        return not made or min(made) < offset

    def worked_on(self, name: str, offset: int) -> tuple[int, int] | None:
        """Where the last number before an offset stands that a row of weights is made of, and its row."""
        sources = SOURCES[name] if name in ("scaled", "exp", "A") else ()
        return max((at for of in sources if (at := self.ledger.last_before(of, offset))), default=None)

    def is_entry(self, name: str, at: tuple[int, int], num: Num) -> bool:
        """Whether a number is that of an entry, in one of the ways of making it."""
        row, col = at
        return any(col < len(vector) and near(num, vector[col]) for vector in self.ways(name, row))

    def is_divided(self, at: tuple[int, int], num: Num) -> bool:
        """Whether a number is a score over the root of d_k, though others of its row be printed undivided."""
        row, col = at
        root = math.sqrt(self.d_k) if not self.bare else 0.0
        scores = self.ways("scores", row) if root else ()
        return self.is_entry("scaled", at, num) or any(
            col < len(vector) and near(num, vector[col] / root) for vector in scores
        )

    def is_root(self, num: Num) -> bool:
        """Whether a number is the root of d_k, or what was printed for it."""
        printed = value(num) == self.ledger.entry(ROOT, 0, 0)
        return printed or (self.d_k > 0 and near(num, math.sqrt(self.d_k)))

    def printed(self, name: str, row: int) -> bool:
        """Whether a row was printed before."""
        return (row, 0) in self.ledger.first.get(name, {})

    def _rows(self, here: int | None) -> list[int]:
        count = max(self.ledger.shape(name)[0] for name in ("Q", *LOGITS)) or self.ledger.shape("X")[0]
        return sorted(range(min(count or 1, MOST_ROWS)), key=lambda row: row != here)


def _agree(pairs: Sequence[tuple[Num, float]], count: int) -> bool:
    """Whether most of so many numbers are as they should be, and most of those that are not 0."""
    close = [near(num, x) for num, x in pairs]
    telling = [is_near for is_near, (num, x) in zip(close, pairs, strict=True) if x or value(num)]
    return sum(close) >= max(2, SHARE * count) and sum(telling) >= SHARE * len(telling)
