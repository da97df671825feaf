"""What the rows of a quantity should be, from the numbers printed before them; it decides about links only.

A list without a name is tied to a step where most of its numbers are those of the step, so that what is
wrong in it is one number among right ones. A row that only the words around it name is held against the
other rows. Floats decide about the link, never about a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.linking.closeness import (
    Vector,
    alike,
    is_decimal,
    near,
    telling,
    unit,
    within,
)
from symattn.reading.notes.linking.denote import LOGITS, ROOT
from symattn.reading.notes.linking.ledger import Ledger, value

MOST_ROWS = 16
LARGEST = 64
LARGEST_LOGIT = 500.0
SHARE = 0.6
FEWEST = 4
"""How many numbers it takes to say that a matrix is not what it is called."""
STEPS = ("scores", "scaled", "exp", "A", "Z")
TABLES = ("Q", "K", "V", *STEPS)
SOURCES = {"scores": ("Q", "K"), "scaled": ("scores",), "exp": LOGITS, "A": (*LOGITS, "exp"), "Z": ("A", "V")}
PROJECTED = {"Q": "W_Q", "K": "W_K", "V": "W_V", "output": "W_O"}


class Predictor:
    """Rows by the step that makes them, on the numbers that the ledger holds so far.

    `sizes` may know d_k; `bare` says that nothing is scaled, `causal` that a query sees no later key.
    """

    def __init__(self, ledger: Ledger, sizes: Mapping[str, int], bare: bool, causal: bool) -> None:
        self.ledger, self.sizes, self.bare, self.causal = ledger, sizes, bare, causal
        self.made: dict[tuple[str, int], tuple[Vector, ...]] = {}
        self.tables: dict[str, list[Vector]] = {}
        self.known: tuple[object, ...] = ()

    @property
    def d_k(self) -> int:
        """The width of the keys, as far as it is known; 0 where it is not."""
        return self.sizes.get("d_k") or self.ledger.widths.get("K", 0) or self.ledger.shape("W_K")[1]

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

    def fits(self, name: str, row: int, nums: Sequence[Num]) -> bool:
        """Whether most numbers of a list are those of a row, and hardly by chance."""
        if not telling(nums, name):
            return False
        return any(_agrees(nums, vector) for vector in self.ways(name, row) if len(vector) == len(nums))

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
        if said and self._follows(said, rows):
            return said
        nums = [num for row in rows for num in row]
        fresh = [name for name in TABLES if telling(nums, name) and not self.printed(name, 0)]
        if made is not None and len(made) == len(rows[0]):
            fresh = [name for name in fresh if {said, name} == {"scores", "scaled"}]
        followed = max(fresh, key=lambda name: self._explained_of(name, rows), default=None)
        if followed is not None and not self._follows(followed, rows):
            followed = None
        return followed or (said if made is None or len(made) == len(rows[0]) else None)

    def _leaves(self, rows: Sequence[Sequence[Num]]) -> bool:
        """Whether a matrix with hidden entries has scores among the others, as far as these are known."""
        pairs = [
            (num, way[col])
            for row, nums in enumerate(rows[:MOST_ROWS])
            for kind in ("scaled", "scores")
            for way in self.ways(kind, row)
            if len(way) == len(nums)
            for col, num in enumerate(nums)
            if value(num) is not None
        ]
        return not pairs or any(near(num, x) for num, x in pairs)

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
        largest = max((abs(float(value(each.num) or 0)) for each in made), default=0.0)
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
        close = self._explained_of(name, rows)
        return close >= 2 and close >= SHARE * sum(map(len, rows))

    def _explained_of(self, name: str, rows: Sequence[Sequence[Num]]) -> int:
        """How many numbers of a matrix are those of the first rows of a quantity."""
        return sum(self.explained(name, i, row) for i, row in enumerate(rows[:MOST_ROWS]))

    def sum_of(self, num: Num, here: int | None) -> int | None:
        """The row whose printed exponentials add up to a number."""
        rows = sorted({row for row, _ in self.ledger.first.get("exp", {})}, key=lambda row: row != here)
        for row in rows[:MOST_ROWS]:
            vector = self._row("exp", row)
            if vector and abs(sum(vector) - float(value(num) or 0)) <= 1.5 * unit(num):
                return row
        return None

    def row_of(self, name: str, nums: Sequence[Num], here: int, *, sure: bool) -> int | None:
        """The row that a list belongs to which the words around it put into row `here`.

        Words speak for one list of each quantity. A second one with other numbers belongs to the row that
        explains it, and to none where no row does. Words that are not `sure` may be about another row: the
        first that explains the list, none of whose numbers are those of row `here`. A list that was printed
        before is that row again, where it is not this one.
        """
        again = [row for made, row in self.ledger.rows_like(nums) if made == name]
        if not sure and again and here not in again and self._is_not(name, here, nums):
            return again[0]
        printed = self._row(name, here)
        others = (row for row in self._rows(None) if not self.printed(name, row))
        if len(printed) != len(nums) or len(nums) < 2 or alike(printed, nums):
            elsewhere = not sure and name in STEPS and len(nums) > 1 and not self.explained(name, here, nums)
            return next((row for row in others if elsewhere and self.fits(name, row, nums)), here)
        return next((row for row in others if self.fits(name, row, nums)), None)

    def _is_not(self, name: str, row: int, nums: Sequence[Num]) -> bool:
        """Whether a row is known, if only by steps left out, and none of its numbers are those of a list."""
        weights = self._known("A", row) if name == "Z" else ()
        ways = [*self.ways(name, row), *(z for each in weights for z in self._products(each, self._all("V")))]
        return bool(ways) and not any(near(num, x) for way in ways for num, x in zip(nums, way, strict=False))

    def entries_like(self, name: str, num: Num) -> Sequence[tuple[int, int]]:
        """The entries that were printed with this value, or should have it where none was printed."""
        return self.ledger.entries_like(name, num) if self.ledger.first.get(name) else self._due(name, num)

    def misprinted(self, name: str, num: Num) -> Sequence[tuple[int, int]]:
        """The entries that were printed otherwise, while this is what they should be."""
        return [at for at in self._due(name, num) if at in self.ledger.first.get(name, {})]

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

    def is_entry(self, name: str, at: tuple[int, int], num: Num) -> bool:
        """Whether a number is that of an entry, in one of the ways of making it."""
        row, col = at
        return any(col < len(vector) and near(num, vector[col]) for vector in self.ways(name, row))

    def is_root(self, num: Num) -> bool:
        """Whether a number is the root of d_k, or what was printed for it."""
        printed = value(num) == self.ledger.entry(ROOT, 0, 0)
        return printed or (self.d_k > 0 and near(num, math.sqrt(self.d_k)))

    def printed(self, name: str, row: int) -> bool:
        """Whether a row was printed before."""
        return (row, 0) in self.ledger.first.get(name, {})

    def ways(self, name: str, row: int) -> Sequence[Vector]:
        """What a row should be, in each way of making it that the text leaves open.

        It is worked out again only where something else is known than before.
        """
        self._forget()
        if (name, row) not in self.made:
            self.made[name, row] = tuple(self._ways(name, row))
        return self.made[name, row]

    def _forget(self) -> None:
        known = (self.ledger.changes, self.sizes.get("d_k"), self.bare, self.causal)
        if known != self.known:
            self.known = known
            self.made.clear()
            self.tables.clear()

    def _ways(self, name: str, row: int) -> Iterator[Vector]:
        match name:
            case "Q" | "K" | "V":
                yield from self._projected(self._given("X", row), PROJECTED[name])
            case "output":
                for z in self._known("Z", row):
                    yield from self._projected(z, PROJECTED[name])
            case "scores":
                yield from self._scores(row)
            case "scaled" if self.d_k and not self.bare:
                yield from (
                    [x / math.sqrt(self.d_k) for x in scores] for scores in self._known("scores", row)
                )
            case "exp" | "A":
                for logits in self._logits(row):
                    yield from self._softmax(name, logits, row)
            case "Z":
                yield from self._products(self._row("A", row), self._all("V"))

    def _rows(self, here: int | None) -> list[int]:
        return sorted(range(min(self.ledger.shape("Q")[0] or 1, MOST_ROWS)), key=lambda row: row != here)

    def _known(self, name: str, row: int) -> Iterator[Vector]:
        """A row as it was printed, or as it should be."""
        printed = self._row(name, row)
        if printed:
            yield printed
        else:
            yield from self.ways(name, row)

    def _scores(self, row: int) -> Iterator[Vector]:
        keys = self._all("K")
        yield from self._products(self._row("Q", row), [list(column) for column in zip(*keys, strict=True)])

    def _logits(self, row: int) -> Iterator[Vector]:
        tempered = self._row("tempered", row)
        if tempered:
            yield tempered
        if not self.bare:
            yield from self._known("scaled", row)
        yield from self._known("scores", row)

    def _softmax(self, name: str, logits: Vector, row: int) -> Iterator[Vector]:
        if not logits or max(map(abs, logits)) >= LARGEST_LOGIT:
            return
        seen = row + 1 if self.causal and len(self._all("K")) != 1 else len(logits)
        top = 0.0 if name == "exp" else max(logits)
        powers = [math.exp(x - top) if k < seen else 0.0 for k, x in enumerate(logits)]
        whole = 1.0 if name == "exp" else sum(powers)
        if whole:
            yield [x / whole for x in powers]

    def _projected(self, row: Vector, weights: str) -> Iterator[Vector]:
        """x W and x W^T, with the bias where one is given."""
        n, m = self.ledger.shape(weights)
        table = [self._given(weights, i) for i in range(min(n, LARGEST))]
        if not row or any(len(line) != m for line in table):
            return
        bias = self._given(f"b_{weights[2:]}", 0)
        for turned, plain in product((False, True), (True, False) if bias else (True,)):
            ways = table if not turned else [list(column) for column in zip(*table, strict=True)]
            for made in self._products(row, ways):
                if plain or len(bias) == len(made):
                    yield made if plain else [x + b for x, b in zip(made, bias, strict=True)]

    @staticmethod
    def _products(row: Vector, table: Sequence[Vector]) -> Iterator[Vector]:
        """A row times a matrix, where that is defined."""
        if row and len(row) == len(table):
            yield [
                sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*table, strict=True)
            ]

    def _row(self, name: str, row: int) -> Vector:
        """The numbers first printed of a row, up to the first gap."""
        cells = self.ledger.first.get(name, {})
        found = []
        for col in range(len(cells)):
            made = cells.get((row, col))
            if made is None:
                break
            found.append(float(value(made.num) or 0))
        return found or (self._given(name, row) if name in PROJECTED else [])

    def _given(self, name: str, row: int) -> Vector:
        cells = self.ledger.given.get(name, {})
        width = self.ledger.shape(name)[1]
        found = [cells.get((row, col)) for col in range(min(width, LARGEST))]
        return [float(value(num) or 0) for num in found if num is not None]

    def _all(self, name: str) -> list[Vector]:
        if name not in self.tables:
            rows = [self._row(name, row) for row in range(min(self.ledger.shape(name)[0], LARGEST))]
            whole = rows and rows[0] and all(len(row) == len(rows[0]) for row in rows)
            self.tables[name] = rows if whole else []
        return self.tables[name]


def _agrees(nums: Sequence[Num], vector: Vector) -> bool:
    """Whether most numbers of a list are those of a row, and so are most without the zeros of a mask."""
    close = [near(num, x) for num, x in zip(nums, vector, strict=True)]
    telling = [is_near for is_near, num, x in zip(close, nums, vector, strict=True) if x or value(num)]
    return sum(close) >= max(2, SHARE * len(close)) and sum(telling) >= SHARE * len(telling)
