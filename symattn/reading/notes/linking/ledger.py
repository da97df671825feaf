"""The account of a document while it is linked: what was printed where, and which inputs there are."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby

from symattn.auditor.numeral import read_numeral
from symattn.errors import SymattnError
from symattn.exact.numeral import numeral_or_none
from symattn.reading.notes.formulas.formula import Node, Num
from symattn.reading.notes.layout.rows import hides

LARGEST = 4096


@dataclass(slots=True)
class Print:
    """A numeral that is a claim about an entry of a quantity."""

    name: str
    row: int
    col: int
    num: Num
    group: int
    key: int | None = None
    work: Node | None = None
    example: bool = False
    loose: bool = False
    """Whether nothing but what stands above it told which row it is."""


def value(num: Num) -> Fraction | None:
    """The number that the characters say, of a closed form to 30 digits; None for infinities."""
    return _value(num.text)


def size(num: Num) -> float | None:
    """About how much the characters say; None for infinities."""
    return _size(num.text)


@lru_cache(maxsize=1 << 14)
def _value(text: str) -> Fraction | None:
    try:
        plain = numeral_or_none(text)
        if plain is not None or not ("/" in text or "sqrt" in text):
            return plain
        q = read_numeral(text).value
        return Fraction(int(q.p), int(q.q))
    except SymattnError:
        return None


@lru_cache(maxsize=1 << 14)
def _size(text: str) -> float | None:
    q = _value(text)
    return None if q is None else float(q)


Values = tuple[Fraction | None, ...]


def values(nums: Iterable[Num]) -> Values:
    """The numbers of several numerals."""
    return tuple(value(num) for num in nums)


class Ledger:
    """Prints and inputs of one example, and the roles of numerals. Indices count from 0.

    `changes` counts whenever something is known that was not known before: what was worked out from the
    ledger holds as long as it stays.
    """

    def __init__(self) -> None:
        self.prints: list[Print] = []
        self.first: dict[str, dict[tuple[int, int], Print]] = {}
        self.given: dict[str, dict[tuple[int, int], Num]] = {}
        self.copied: dict[str, str] = {}
        """The quantities that are said to be another one, by whose numbers they have."""
        self.whole: set[str] = set()
        self.hidden: set[tuple[int, int]] = set()
        self.widths: dict[str, int] = {}
        self.rows_by_value: dict[Values, list[tuple[str, int]]] = {}
        self.offsets: dict[str, list[tuple[int, int]]] = {}
        self.entries_by_value: dict[tuple[str, Fraction | None], list[tuple[int, int]]] = {}
        self.shapes: dict[str, tuple[int, int]] = {}
        self.beside: dict[str, dict[tuple[int, int], Num]] | None = None
        """The weights of the heads of which only some have their own, if they are known; None elsewhere."""
        self.changes = 0
        self.group = 0
        self.ends: dict[int, Print] = {}

    def next_group(self) -> None:
        self.group += 1

    def claim(
        self,
        name: str,
        row: int,
        col: int,
        num: Num,
        *,
        key: int | None = None,
        work: Node | None = None,
        example: bool = False,
        loose: bool = False,
    ) -> None:
        """Enter a printed number; minus infinity among the scores hides a key and claims nothing."""
        if (name in ("scores", "scaled", "masked") and hides(num)) or (name == "A" and num.text == "inf"):
            self.hidden.add((row, col))
            return
        if max(row, col, key or 0) >= LARGEST or value(num) is None:
            return
        first = self.first.get(name, {}).get((row, col)) if key is None else None
        if first is not None and first.num.start == num.start:
            return  # the very same number, in a formula that was made of it
        made = Print(name, row, col, num, self.group, key, work, example, loose)
        self.prints.append(made)
        self.ends[num.end] = made
        if key is None and (row, col) not in self.first.setdefault(name, {}):
            self.first[name][row, col] = made
            self.entries_by_value.setdefault((name, value(num)), []).append((row, col))
            insort(self.offsets.setdefault(name, []), (num.start, row))
            self.changes += 1
            if not self.given.get(name):
                self._reaches(name, row, col)

    def hide(self, rows: Sequence[Sequence[Num]]) -> None:
        """Take which keys a matrix hides, whatever its numbers are."""
        self.hidden |= {(i, j) for i, row in enumerate(rows) for j, num in enumerate(row) if hides(num)}

    def _reaches(self, name: str, row: int, col: int) -> None:
        rows, columns = self.shapes.get(name, (0, 0))
        self.shapes[name] = max(rows, row + 1), max(columns, col + 1)

    def withdraw(self, name: str) -> None:
        """Forget what was printed of a quantity, and which rows and entries it has: it is something else."""
        self.prints[:] = [made for made in self.prints if made.name != name]
        self.first.pop(name, None)
        self.offsets.pop(name, None)
        self.widths.pop(name, None)
        if not self.given.get(name):
            self.shapes.pop(name, None)
        for rows in self.rows_by_value.values():
            rows[:] = [at for at in rows if at[0] != name]
        for key in [key for key in self.entries_by_value if key[0] == name]:
            del self.entries_by_value[key]
        self.changes += 1

    def rows_between(self, name: str, start: int, end: int) -> set[int]:
        """The rows of a quantity of which entries were first printed between two offsets of the text."""
        found = self.offsets.get(name, [])
        return {row for _, row in found[bisect_left(found, (start, 0)) : bisect_left(found, (end, 0))]}

    def last_before(self, name: str, offset: int) -> tuple[int, int] | None:
        """Where the last entry of a quantity before an offset of the text was first printed, and its row."""
        found = self.offsets.get(name, [])
        at = bisect_left(found, (offset, 0))
        return found[at - 1] if at else None

    def rows_of(self, name: str) -> list[list[Num]]:
        """The numbers first printed of a quantity, row by row, as far as they are known."""
        cells = sorted(self.first.get(name, {}).items())
        return [[made.num for _, made in row] for _, row in groupby(cells, key=lambda cell: cell[0][0])]

    def index_row(self, name: str, row: int, nums: Sequence[Num]) -> None:
        """Remember a whole row, so that it is found again by its values."""
        if name == "Z.term":
            return
        self.widths[name] = max(self.widths.get(name, 0), len(nums))
        self.changes += 1
        known = self.rows_by_value.setdefault(values(nums), [])
        if (name, row) not in known:
            known.append((name, row))

    def give(self, name: str, row: int, nums: Sequence[Num]) -> None:
        """Enter a row of an input, unless it is there already; infinities stand in masks alone."""
        cells = self.given.setdefault(name, {})
        if (row, 0) in cells or row >= LARGEST or (None in values(nums) and name != "mask"):
            return
        self.changes += 1
        if not cells:
            self.shapes.pop(name, None)  # of what was given the shape is that of its rows alone
        for col, num in enumerate(nums):
            cells[row, col] = num
            self._reaches(name, row, col)
        known = self.rows_by_value.setdefault(values(nums), [])
        if name == "X" and (name, row) not in known:
            known.append((name, row))

    def same(self, name: str, source: str) -> None:
        """Take a quantity for another that the text says it is, unless it has numbers of its own.

        A row of that other one that is told later is a row of both.
        """
        cells = self.given.get(source) or {at: made.num for at, made in self.first.get(source, {}).items()}
        known = self.given.get(name, {}) if self.copied.get(name) == source else {}
        if len(cells) == len(known) or name in self.first or (name in self.given and not known):
            return
        self.given[name] = dict(cells)
        self.copied[name] = source
        for at in cells:
            self._reaches(name, *at)
        for row in sorted({row for row, _ in cells}):
            self.index_row(name, row, [cells[at] for at in sorted(cells) if at[0] == row])

    def shape(self, name: str) -> tuple[int, int]:
        """The rows and columns seen of a quantity so far."""
        return self.shapes.get(name, (0, 0))

    def only_row(self, name: str) -> int | None:
        """The one row of a quantity that was printed, None where there are none or several."""
        rows = {row for row, _ in self.first.get(name, {})}
        return rows.pop() if len(rows) == 1 else None

    def entry(self, name: str, row: int, col: int) -> Fraction | None:
        """The value first printed for an entry, if any."""
        found = self.first.get(name, {}).get((row, col))
        return value(found.num) if found is not None else None

    def entries_like(self, name: str, num: Num) -> Sequence[tuple[int, int]]:
        """The entries of a quantity that were first printed with this value."""
        return self.entries_by_value.get((name, value(num)), [])

    def is_below(self, name: str, at: tuple[int, int], offset: int) -> bool:
        """Whether an entry is printed, and not before an offset."""
        made = self.first.get(name, {}).get(at)
        return made is not None and made.num.start > offset

    def rows_like(self, nums: Sequence[Num]) -> list[tuple[str, int]]:
        """The rows, of whatever quantity, that were printed with these values."""
        return self.rows_by_value.get(values(nums), [])
