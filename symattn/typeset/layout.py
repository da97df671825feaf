"""Displayed formulas as aligned rows that fit the page, in any language of formulas.

A chain breaks before its relation signs first; a side that is still too wide breaks between its terms
or factors, a wide matrix into blocks of columns, a long cell into a stack. Everything is decided on the
estimates of :mod:`symattn.typeset.latex_width`, which hold for typst too, for both pages are set in Computer
Modern; an engine is never asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from symattn.text.notation import (
    Absolute,
    Call,
    Chain,
    Entry,
    Formula,
    Grid,
    Inverse,
    Marked,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Relation,
    Role,
    Root,
    Series,
    Sum,
    Symbol,
    Transpose,
)
from symattn.typeset.blocks import blocks, holds_grid, part_of, range_words
from symattn.typeset.latex_parts import join
from symattn.typeset.latex_width import (
    COLUMN_GAP,
    OPERATOR,
    RELATION,
    SIGNS,
    column_widths,
    frame_width,
    width,
)
from symattn.typeset.precedence import leads, needs_parentheses

_LEFT_SHARE = 0.3  # of the room, for what stands left of the aligned relation signs
_HANG = 1.0  # the \quad of a continued line
_LONG_CELL = 13.0
_MOST_ROWS = 36
_LEAST = 4.0  # em; what fits in them is not broken, in however little room
_NOTHING = Symbol("")


class Stacks(Protocol):
    """How a language sets a cell, or a part of a fraction, in several lines."""

    def stack(self, lines: Sequence[str]) -> str: ...
    def fraction(self, over: str, under: str) -> str: ...
    def grid(self, formula: Grid, cells: tuple[tuple[str, ...], ...]) -> str: ...


class Dialect(Protocol):
    """A language of formulas, as far as they are broken into lines.

    `parentheses` and `bars` stand around what goes over several lines. Without `stacks`, a wide cell or
    fraction is made smaller.
    """

    @property
    def quad(self) -> str: ...
    @property
    def parentheses(self) -> tuple[str, str]: ...
    @property
    def bars(self) -> tuple[str, str]: ...
    @property
    def stacks(self) -> Stacks | None: ...

    def maths(self, formula: Formula) -> str: ...
    def relation(self, sign: Relation) -> str: ...
    def times(self, sign: str) -> str: ...
    def function(self, name: str) -> str: ...
    def enclosed(self, text: str) -> str: ...
    def mark(self, text: str, role: Role) -> str: ...
    def shrink(self, text: str, room: float) -> str: ...
    def captioned(self, grid: str, words: str) -> str: ...


class Row(Struct, frozen=True):
    """One line of a display: what stands left and right of the alignment."""

    left: str
    right: str

    @property
    def whole(self) -> str:
        return f"{self.left} {self.right}".strip()


class Piece(Struct, frozen=True):
    """A part of a formula that stays on one line, and its estimated width."""

    text: str
    width: float


def rows(formulas: Sequence[Formula], room: float, dialect: Dialect, lang: str) -> list[Row]:
    """The display's lines, broken to fit `room` em and aligned at their first relation sign."""
    return [row for group in rows_of_each(formulas, room, dialect, lang) for row in group]


def rows_of_each(formulas: Sequence[Formula], room: float, dialect: Dialect, lang: str) -> list[list[Row]]:
    """The lines of each formula of a display."""
    lefts = [width(formula.first) for formula in formulas if isinstance(formula, Chain)]
    left_room = max((left for left in lefts if left <= _LEFT_SHARE * room), default=0.0)
    breaker = Breaker(dialect, lang)
    return [breaker.rows(formula, left_room, room) for formula in formulas]


Sizes = Sequence[tuple[str, float]]
"""Sizes of type in the words of a format, each with its share of the usual one; the usual one comes first."""


SIZES: Sizes = (("", 1.0), (r"\small", 10 / 10.95), (r"\footnotesize", 9 / 10.95))
"""Those of LaTeX at 11 pt."""


def size_for(formulas: Sequence[Formula], room: float, sizes: Sizes) -> tuple[str, float]:
    """The first size at which no matrix need be split, else the usual one, and the room in its em."""
    fitting = ((size, room / scale) for size, scale in sizes if not splits_a_grid(formulas, room / scale))
    return next(fitting, (sizes[0][0], room))


def splits_a_grid(formulas: Sequence[Formula], room: float) -> bool:
    """Whether a matrix, or a product of matrices, is wider than the line that it would stand on."""
    for formula in formulas:
        first, values = (
            (formula.first, [value for _, value in formula.links])
            if isinstance(formula, Chain)
            else (None, [formula])
        )
        left = width(first) if first is not None else 0.0
        taken = RELATION + (left if left <= _LEFT_SHARE * room else 0.0)
        if any(holds_grid(value) and width(value) > room - taken for value in values):
            return True
    return False


class Breaker(Struct, frozen=True):
    """Breaks formulas into pieces that fit; `display` is off inside fractions."""

    dialect: Dialect
    lang: str
    display: bool = True

    def rows(self, formula: Formula, left_room: float, room: float) -> list[Row]:
        if not isinstance(formula, Chain):
            return self._hung("", "", self.pieces(formula, room - left_room - _HANG))
        right_room = room - left_room
        out: list[Row] = []
        left, taken = self.dialect.maths(formula.first), 0.0
        if width(formula.first) > left_room:
            out = self._hung("", "", self.pieces(formula.first, right_room - _HANG))
            left, taken = "", right_room
            if len(out) == 1:
                taken = width(formula.first)
        for sign, value in formula.links:
            relation = self.dialect.relation(sign)
            pieces = self.pieces(value, right_room - RELATION)
            if len(pieces) > 1:  # what goes on is hung in
                pieces = self.pieces(value, right_room - RELATION - _HANG)
            wanted = RELATION + pieces[0].width
            if out and len(pieces) == 1 and taken + wanted <= right_room:
                out[-1] = Row(out[-1].left, join((out[-1].right, relation, pieces[0].text)))
                taken += wanted
                continue
            out += self._hung(left if not out else "", relation, pieces)
            left, taken = "", wanted if len(pieces) == 1 else right_room
        return out or [Row(left, "")]

    def pieces(self, formula: Formula, room: float) -> list[Piece]:
        """The formula in pieces of at most `room` em, each to stand on a line of its own."""
        natural = width(formula, self.display)
        room = max(room, _LEAST)
        if natural <= room and not (isinstance(formula, Grid) and len(formula.rows) > _MOST_ROWS):
            return [Piece(self.dialect.maths(formula), natural)]
        match formula:
            case Sum(terms=terms) if terms:
                parts = [(lead, OPERATOR if lead else 0.0, term) for lead, term in leads(formula)]
                return self._packed(formula, parts, room)
            case Product(factors=factors, sign=sign) if factors:
                written, gap = self.dialect.times(sign), SIGNS[sign] or 0.17
                parts = [(written if i else "", gap if i else 0.0, f) for i, f in enumerate(factors)]
                return self._packed(formula, parts, room)
            case Grid():
                return self._grid_pieces(formula, room)
            case Quotient(flat=False) if stacks := self.dialect.stacks:
                return [self._stacked_fraction(formula, room, stacks)]
            case Power(base=Symbol(name="e", sub=None, sup=None), exponent=exponent):
                return self.pieces(Call("exp", (exponent,)), room)
            case Marked(body=body, role=role, instead=instead):
                return self._marked_pieces(body, role, instead, room)
        if inside := self._inside(formula):
            taken = natural - width(inside[0], self.display)
            if taken < room / 2:
                return self._within(*inside, room, taken)
        return [Piece(self.dialect.shrink(self.dialect.maths(formula), room), room)]

    def _stacked(self, formula: Formula, room: float, stacks: Stacks, display: bool = False) -> str:
        """The formula inside a cell or a fraction: a stack of lines where one would be too wide."""
        inside = replace(self, display=display)
        return stacks.stack([" ".join(piece.text.split()) for piece in inside.pieces(formula, room)])

    def _inside(self, formula: Formula) -> tuple[Formula, str, str] | None:
        """What can be broken in a formula, with what stands before and after it."""
        opened, closed = self.dialect.parentheses
        match formula:
            case Negative(term=body):
                ends = (opened, closed) if needs_parentheses(body, formula, 0) else ("", "")
                return body, "-" + ends[0], ends[1]
            case Series(body=body):
                ends = (opened, closed) if needs_parentheses(body, formula, 0) else ("", "")
                return body, f"{self._without_body(replace(formula, body=_NOTHING))} {ends[0]}", ends[1]
            case Call(function=function, arguments=(body,)):
                return body, self.dialect.function(function) + opened, closed
            case Absolute(body=body):
                return body, *self.dialect.bars
            case Root(radicand=body, index=index):
                power = Power(_NOTHING, Quotient(Number("1"), Number(f"{index}"), flat=True))
                return body, opened, closed + self._without_body(power)
            case Power(base=body):
                return body, opened, closed + self._without_body(replace(formula, base=_NOTHING))
            case Transpose(matrix=body) | Inverse(matrix=body) | Entry(matrix=body):
                return body, opened, closed + self._without_body(replace(formula, matrix=_NOTHING))
        return None

    def _without_body(self, hollow: Formula) -> str:
        return self.dialect.maths(hollow).removeprefix('""').rstrip()

    def _hung(self, left: str, lead: str, pieces: list[Piece]) -> list[Row]:
        first, *others = pieces
        return [
            Row(left, join((lead, first.text))),
            *(Row("", join((self.dialect.quad, piece.text))) for piece in others),
        ]

    def _packed(
        self, parent: Formula, parts: Sequence[tuple[str, float, Formula]], room: float
    ) -> list[Piece]:
        """Terms or factors packed onto lines; a new line starts with the sign."""
        done: list[Piece] = []
        current = Piece("", 0.0)
        for position, (lead, gap, part) in enumerate(parts):
            parens = len(parts) > 1 and needs_parentheses(part, parent, position)
            natural = gap + width(part, self.display) + (1.5 if parens else 0.0)
            if natural > room:
                broken = self._within(part, *(self.dialect.parentheses if parens else ("", "")), room - gap)
            else:
                whole = self.dialect.maths(part)
                broken = [Piece(self.dialect.enclosed(whole) if parens else whole, natural - gap)]
            if len(broken) == 1 and current.width + gap + broken[0].width <= room:
                current = Piece(
                    join((current.text, lead, broken[0].text)), current.width + gap + broken[0].width
                )
                continue
            if current.text:
                done.append(current)
            broken[0] = Piece(join((lead, broken[0].text)), gap + broken[0].width)
            done += broken[:-1]
            current = broken[-1]
        return [*done, current]

    def _within(
        self, body: Formula, opened: str, closed: str, room: float, taken: float = 0.0
    ) -> list[Piece]:
        """The body's pieces between delimiters that stand on its first and its last line."""
        pieces = self.pieces(body, room - 1.6 - taken)
        pieces[0] = Piece(opened + pieces[0].text, pieces[0].width + 0.8 + taken)
        pieces[-1] = Piece(pieces[-1].text + closed, pieces[-1].width + 0.8)
        return pieces

    def _marked_pieces(self, body: Formula, role: Role, instead: Formula | None, room: float) -> list[Piece]:
        """Each piece of the body marked by itself, then the right value from a line of its own on."""
        pieces = [
            Piece(self.dialect.mark(piece.text, role), piece.width + 0.75)
            for piece in self.pieces(body, room - 0.75)
        ]
        return pieces if instead is None else [*pieces, *self.pieces(instead, room)]

    def _stacked_fraction(self, formula: Quotient, room: float, stacks: Stacks) -> Piece:
        size = 1.0 if self.display else 0.74
        over, under = (
            self.dialect.maths(part)
            if size * width(part, display=False) <= room - 0.3
            else self._stacked(part, room - 0.3, stacks)  # an array inside a fraction is not set smaller
            for part in (formula.over, formula.under)
        )
        return Piece(stacks.fraction(over, under), room)

    def _grid_pieces(self, formula: Grid, room: float) -> list[Piece]:
        """Blocks of columns (and, for very many rows, of rows), each with its numbers under it."""
        n_rows, n_columns = formula.shape
        stacks = self.dialect.stacks
        longest = _LONG_CELL if stacks else inf
        frame = frame_width(formula)
        columns = blocks([min(natural, longest) for natural in column_widths(formula)], room - frame)
        pieces = []
        for top in range(0, n_rows, _MOST_ROWS):
            bottom = min(top + _MOST_ROWS, n_rows)
            for start, stop in columns:
                part = part_of(formula, (top, bottom), (start, stop))
                if stacks:
                    text = self._cells_stacked(part, room - frame, stacks)
                else:
                    whole = self.dialect.maths(part)
                    text = self.dialect.shrink(whole, room) if width(part) > room else whole
                said = [
                    range_words(first, last, of, self.lang)
                    for first, last, whole, of in ((top, bottom, n_rows, 0), (start, stop, n_columns, 1))
                    if (first, last) != (0, whole)
                ]
                pieces.append(Piece(self.dialect.captioned(text, ", ".join(said)) if said else text, room))
        return pieces

    def _cells_stacked(self, part: Grid, room: float, stacks: Stacks) -> str:
        natural = column_widths(part)
        spare = room - COLUMN_GAP * (len(natural) - 1) - sum(min(wide, _LONG_CELL) for wide in natural)
        long = sum(wide > _LONG_CELL for wide in natural)
        budget = [wide if wide <= _LONG_CELL else max(4.0, _LONG_CELL + spare / long) for wide in natural]
        cells = tuple(
            tuple(self._stacked(cell, limit, stacks, True) for cell, limit in zip(row, budget, strict=True))
            for row in part.rows
        )
        return stacks.grid(part, cells)
