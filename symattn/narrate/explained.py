"""A derivation on which every entry answers what it was made of, and how.

An operation applied to grids of placeholders (`symattn.narrate.example`) says it of every entry: its formula,
and which entries of the arguments stand in it. No step has code for itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.json import encode
from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.narrate.close_up import close_up, reason
from symattn.narrate.cut_off import cut_off, cut_off_matrix
from symattn.narrate.entries import part_values, parts_of
from symattn.narrate.example import example, placeholders
from symattn.narrate.names import symbol
from symattn.narrate.numbers import ENDLESS, length, padded
from symattn.narrate.page import LARGEST, Page
from symattn.narrate.page import Cell as CellOf
from symattn.narrate.sections import Section, chapter_title, kind_of, title_of
from symattn.plans.kinds import Masking
from symattn.plans.plan import Line, base_name, head_of
from symattn.text.document import Document
from symattn.text.notation import (
    Entry,
    Formula,
    Grid,
    Number,
    Product,
    Sum,
    Symbol,
    Transpose,
    rewritten,
)
from symattn.text.steps import Cell, Explained, Factor, Place, Step, Table, Working, slot

SHORT, LONG = 12, 90
"""How long a closed form may be in a working, and by itself."""
PLACES = 12
"""The places up to which the digits on a page are right, and more where more are asked for."""
_PLACE = re.compile(rb':(\d+:\d+)"')
"""The row and the column of a placeholder, in a formula as JSON."""
MOST_WORKED = 2500
"""The operands in all workings up to which they stand on a page for those who have no script."""


def explained(
    pages: tuple[Page, Page],
    first: tuple[Document, Document],
    lang: str,
    misprints: Mapping[tuple[str, int, int], str],
) -> Explained:
    """The page of a derivation, from what its parts look at in English and in Chinese, and the first page.

    `misprints` is what the source of the case printed wrongly, by name, row and column.
    """
    numbers = pages[0].numbers
    digits = numbers.significant or numbers.digits
    maker = _Maker(pages, max(PLACES, digits))
    steps = tuple(maker.steps())
    page = pages[0]
    givens = tuple(name for name in page.derivation.given if page.case.given and not page.only)
    for name in givens:
        maker.table(name)
    significant = numbers.significant is not None
    return Explained(first, lang, digits, significant, maker.most, maker.tables, givens, steps, misprints)


class _Maker(Struct, frozen=True, eq=False):
    """A page being made; `tables` has the matrices that were met."""

    pages: tuple[Page, Page]
    most: int
    tables: dict[str, Table] = field(default_factory=dict)

    @property
    def page(self) -> Page:
        return self.pages[0]

    def steps(self) -> Iterator[Step]:
        """A step for each line that the page shows."""
        lines = [line for line in self.page.derivation if self.page.shows(line.name)]
        made = [(line, self.table(line.name)) for line in lines]
        terms = sum(
            sum(map(len, working.operands))
            for _, table in made
            for row in table.workings or ()
            for working in row
        )
        for number, (line, table) in enumerate(made, start=1):
            kind = kind_of(line)
            section = Section(
                base_name(line.name) if kind == "softmax" else kind, head_of(line.name), (line,)
            )
            titles = tuple(title_of(page, section) for page in self.pages)
            chapters = tuple(chapter_title(page, section.head) if section.head else () for page in self.pages)
            whole = terms <= MOST_WORKED
            places = (
                product(*map(range, table.shape)) if whole else (example(self.page.derivation, line.name),)
            )
            chains = (chain for i, j in places for chain in reason(self.page, line, i, j).chains)
            yield Step(
                str(number),
                (titles[0].words, titles[1].words),
                titles[0].formula,
                tuple(self._factors(line)),
                line.name,
                tuple(dict.fromkeys(chains)),
                whole,
                (chapters[0], chapters[1]),
            )

    def _factors(self, line: Line) -> Iterator[Factor]:
        """The arguments of a line: those of a product as its formula has them, turned where it says so."""
        formula = line.op.formula(*map(symbol, line.args))
        if isinstance(formula, Product) and line.op.is_product:
            known: dict[Formula, str] = {symbol(name): name for name in line.args}
            turned = [
                (part.matrix, True) if isinstance(part, Transpose) else (part, False)
                for part in formula.factors
            ]
            if all(part in known for part, _ in turned):
                yield from (Factor(known[part], turned=turn) for part, turn in turned)
                return
        for at, key in enumerate(self.tables[line.name].arguments):
            if key in self.page.derivation:
                self.table(key)
            if self.tables[key].names == () and key not in self.tables[line.name].arguments[:at]:
                yield Factor(key, ("+" if isinstance(formula, Sum) else ",") if at else "")

    def table(self, name: str) -> Table:
        """The table of a matrix of the derivation, made when it is first asked for."""
        if name not in self.tables:
            line = self.page.derivation.line(name)
            made = self._table(name, symbol(name), self.page.derivation[name], self._closed(name))
            beside, above = self.page.labels(name)
            self.tables[name] = replace(made, row_labels=beside, col_labels=above)
            if line is not None:
                for argument in line.args:
                    self.table(argument)
                workings, arguments = self._workings(line)
                self.tables[name] = replace(self.tables[name], workings=workings, arguments=arguments)
        return self.tables[name]

    def _closed(self, name: str) -> CellOf:
        """Entries as typed, or in closed form with equal places where all are decimals that end."""
        literal, even = self.page.literal(name), self.page.even(name)
        return literal if name in self.page.derivation.given else lambda i, j: padded(literal(i, j), even)

    def _table(self, key: str, own: Formula, matrix: Matrix, cell: CellOf) -> Table:
        large = max(matrix.shape) > LARGEST
        cells = tuple(
            tuple(
                self._cell(ENDLESS if large and "…" in digits else cell(i, j), digits, large)
                for j, digits in enumerate(row)
            )
            for i, row in enumerate(cut_off_matrix(matrix, self.most + 1))
        )
        named = close_up(self.page).named(key, 0, 0) if key in self.page.derivation else Entry(own, 1, 1)
        indices: Literal["ij", "i", "j", ""] = "ij"
        if not isinstance(named, Entry):
            indices = ""
        elif named.col is None:
            indices = "j" if self.page.columns else "i"
        return Table(key, own, named, indices, cells)

    def _cell(self, form: Formula, digits: str, large: bool) -> Cell:
        """An entry; a long closed form gives way to its decimal, in a large matrix each but a numeral."""
        long = length(form) > LONG
        if form == ENDLESS or (not isinstance(form, Number) and [long, large, digits != ""].count(True) > 1):
            return Cell(None, digits, short=False)
        return Cell(form, digits, length(form) <= SHORT)

    def _workings(self, line: Line) -> tuple[tuple[tuple[Working, ...], ...], tuple[str, ...]]:
        """How every entry of a line is made, and the tables that its operands are in.

        What the operation defines once and names (`parts`: means, angles) are entries of one more table, and
        so is the mask that is added to scores.
        """
        arguments = list(line.args)
        shape = self.page.derivation[line.name].shape
        if isinstance(line.op, Masking):
            key = f"{line.name}:M"
            own = Symbol("M", sup=symbol(line.name).sup)
            mask = line.op.additive
            exact = self.page.numbers.exact
            self.tables[key] = self._table(key, own, mask, lambda i, j: exact(mask[i, j]))
            both = Sum((slot(0), slot(1)), spelled=True)
            rows = tuple(
                tuple(Working(both, (((i, j),), ((i, j),))) for j in range(shape[1])) for i in range(shape[0])
            )
            return rows, (*arguments, key)
        grids = placeholders(self.page.derivation, line)
        parts = _Parts(self.page, line, grids, self.most + 1)
        rows = tuple(tuple(parts.working(i, j) for j in range(shape[1])) for i in range(shape[0]))
        if parts.workings:
            key = f"{line.name}:parts"
            arguments.append(key)
            self.tables[key] = Table(
                key,
                symbol(line.name),
                parts.names[0],
                "",
                (tuple(self._cell(self.page.numbers.exact(x), digits, False) for x, digits in parts.values),),
                workings=(tuple(parts.workings),),
                arguments=tuple(arguments),
                names=tuple(parts.names),
            )
        return rows, tuple(arguments)


class _Parts(Struct, frozen=True, eq=False):
    """What the workings of a line have symbols for, each once, as entries of a table with one row."""

    page: Page
    line: Line
    grids: Sequence[Grid]
    places: int
    names: list[Formula] = field(default_factory=list)
    values: list[tuple[Exact, str]] = field(default_factory=list)
    workings: list[Working] = field(default_factory=list)
    _known: dict[tuple[Formula, Formula], int] = field(default_factory=dict)

    def working(self, i: int, j: int) -> Working:
        """The working of entry (i, j)."""
        symbols = self._symbols(i, j)
        entry = self.line.op.entry(i, j, *self.grids)
        return slotted(rewritten(entry, symbols.get) if symbols else entry, len(self.line.args))

    def _symbols(self, i: int, j: int) -> Mapping[Formula, Formula]:
        """The parts in the working of entry (i, j), each with the placeholder that stands for it."""
        found: dict[Formula, Formula] = {}
        parts = parts_of(self.line, i, j, self.grids)
        if not parts:
            return found
        values = part_values(self.page, self.line, i, j)
        for (named, formula), x in zip(parts, values, strict=True):
            at = self._known.get((named, formula))
            if at is None:
                at = self._known[named, formula] = len(self.names)
                self.names.append(named)
                self.values.append((x, cut_off(x, self.places)))
                self.workings.append(slotted(rewritten(formula, found.get), len(self.line.args)))
            found[formula] = Symbol(f"@{len(self.line.args)}:0:{at}")
        return found


def slotted(formula: Formula, parts: int) -> Working:
    """A formula with placeholders as a working: slots in their stead, and the places of each argument.

    `parts` is how many arguments there are; definitions are one more. Most entries of a step differ
    in their placeholders alone, so that their formula with slots is made once.
    """
    pieces = _PLACE.split(encode(formula))
    made, chosen = _with_slots(_Shape(tuple(pieces[::2]), formula), parts)
    places = pieces[1::2]
    return Working(made, tuple(_places(each(places)) for each in chosen))


class _Shape(Struct, frozen=True, eq=False):
    """A formula that equals others which differ in the places of their placeholders alone."""

    key: tuple[bytes, ...]
    formula: Formula

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shape) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=1 << 10)
def _with_slots(shape: _Shape, parts: int) -> tuple[Formula, tuple[Callable[[Sequence[bytes]], Any], ...]]:
    """The formula with slots, and what chooses the places of each argument among those of all."""
    found: list[list[int]] = [[] for _ in range(parts + 1)]
    slots = 0

    def put(part: object) -> Formula | None:
        nonlocal slots
        if not isinstance(part, Symbol) or not part.name.startswith("@"):
            return None
        argument = int(part.name[1:].partition(":")[0])
        found[argument].append(slots)
        slots += 1
        return slot(argument)

    made = rewritten(shape.formula, put)
    while found and not found[-1]:
        found.pop()
    return made, tuple(_chooser(each) for each in found)


def _chooser(at: Sequence[int]) -> Callable[[Sequence[bytes]], Any]:
    return itemgetter(*at) if len(at) > 1 else lambda places: tuple(places[k] for k in at)


@lru_cache(maxsize=1 << 14)
def _places(spelled: tuple[bytes, ...]) -> tuple[Place, ...]:
    """Places as placeholders spell them; those of a row or a column are kept once."""
    return tuple((int(row), int(col)) for row, _, col in (each.partition(b":") for each in spelled))
