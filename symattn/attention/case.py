"""A case: what a source gives, the conventions in force, and what it printed. Plain immutable values.

A case knows nothing of TOML or of notes; `symattn.casefile` makes cases from files,
`symattn.attention.recipes` makes plans from cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypedDict

from msgspec import Struct, field

from symattn.attention.given import Given as Given
from symattn.attention.settings import UNDECLARED as UNDECLARED
from symattn.attention.settings import Settings as Settings
from symattn.plans.plan import Plan


class Place(Struct, frozen=True, order=True):
    """Where something stands in the file that was read; line and column count from 1, in characters.

    Of two places the one above is the smaller one.
    """

    line: int
    column: int


class Spot(TypedDict):
    """A key and where it stands, as `SymattnError.at` takes them."""

    file: str | None
    key: str | None
    line: int | None
    column: int | None


class Claim(Struct, frozen=True):
    """One `[[stated]]` table: numbers that the source printed for the quantity `name`, verbatim.

    `values` are the typed characters, always two-dimensional; `row`/`col` (from 0) say where their
    upper left entry belongs in the quantity. `work` is the working printed with a single value,
    `line` the line of the source, `place` where the table's values begin in the audited file and
    `places` where each numeral stands. `work_places` says where the operands of the working stand, in
    their order (`symattn.auditor.working.operands`), or is empty where that is not known.
    """

    name: str
    values: tuple[tuple[str, ...], ...]
    row: int = 0
    col: int = 0
    work: str | None = None
    line: int | None = None
    key: int | None = None  # of a `Z.term`: the key j whose weighted value vector A[row][j] V[j] it is
    example: bool = False  # the source calls the numbers an example without working them out
    place: Place | None = None
    places: tuple[tuple[Place | None, ...], ...] = ()
    work_places: tuple[Place, ...] = ()
    points: int | None = None  # what right numbers are worth where answers are marked


class Word(Struct, frozen=True):
    """One part of the value of a statement as its source says it: where, in which characters."""

    place: Place
    said: str


class Statement(Struct, frozen=True):
    """One `[[statement]]` table: what the source says in words, where it can be decided.

    kind is order, argmax, equal-rows, equal-columns, sums-to-one, shape or equal; the meaning of `value`
    depends on it: order: token labels (or numbers from 0), largest first, along a row or down a col; argmax:
    one of them; equal-rows and equal-columns: their numbers; sums-to-one: nothing (of a row, a col, or the
    tokens); shape: [rows, columns]; equal: an exact expression (with row and col). `words` are the parts of
    the value where they stand, as many as there are or none.
    """

    kind: str
    name: str
    value: tuple[str, ...] = ()
    row: int | None = None
    col: int | None = None
    line: int | None = None
    place: Place | None = None
    words: tuple[Word, ...] = ()


def _none() -> Mapping[str, Any]:
    return MappingProxyType({})


class Case(Struct, frozen=True):
    """Everything that one TOML case says."""

    title: str
    given: Mapping[str, Given]
    lang: str = "en"
    source: str | None = None
    tokens: tuple[str, ...] = ()
    memory_tokens: tuple[str, ...] = ()  # labels of the keys, where they are not those of the queries
    symbols: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    stated: tuple[Claim, ...] = ()
    statements: tuple[Statement, ...] = ()
    file: str | None = None
    places: Mapping[str, Place] = field(default_factory=_none)
    """Where each key stands: `given.X`, `given.X[0][1]`, `attention.scale`, ..."""
    program: Plan | None = None
    """The lines of the computation, where the case says them itself and no setting makes them."""
    author: str | None = None
    date: str | None = None
    note: str | None = None
    files: Mapping[str, str] = field(default_factory=_none)
    """The givens that were read from files, each with what the case says: `x.npz:X`."""

    def at(self, key: str | None) -> Spot:
        """Where a key of the case stands, for a message."""
        place = self.places.get(key or "")
        line, column = (place.line, place.column) if place else (None, None)
        return Spot(file=self.file, key=key, line=line, column=column)
