"""Displayed formulas as aligned rows that fit the page, for paper and for the browser.

A chain breaks before its relation signs first; a side that is still too wide breaks between its terms
or factors, a wide matrix into blocks of columns, a long cell into a stack. Everything is decided on the
estimates of :mod:`symattn.typeset.latex_width`, never on TeX's answer.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    Power,
    Product,
    Quotient,
    Role,
    Root,
    Series,
    Sum,
    Symbol,
    Transpose,
)
from symattn.typeset.latex_grid import stacked_lines
from symattn.typeset.latex_maths import (
    RELATIONS,
    SIGNS,
    Dialect,
    enclosed,
    function_name,
    indented,
    join,
    leads,
    mark,
    maths,
    script,
    set_grid,
)
from symattn.typeset.latex_width import COLUMN_GAP, OPERATOR, RELATION, column_widths, frame_width, width
from symattn.typeset.precedence import needs_parentheses

_LEFT_SHARE = 0.3  # of the room, for what stands left of the aligned relation signs
_HANG = 1.0  # the \quad of a continued line
_LONG_CELL = 13.0
_MOST_ROWS = 36


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
        if any(_holds_grid(value) and width(value) > room - taken for value in values):
            return True
    return False


class Breaker(Struct, frozen=True):
    """Breaks formulas into pieces that fit; `display` is off inside cells and fractions."""

    dialect: Dialect
    lang: str
    display: bool = True

    def rows(self, formula: Formula, left_room: float, room: float) -> list[Row]:
        if not isinstance(formula, Chain):
            return self._hung("", "", self.pieces(formula, room - left_room - _HANG))
        right_room = room - left_room
        out: list[Row] = []
        left, taken = maths(formula.first, self.dialect), 0.0
        if width(formula.first) > left_room:
            out = self._hung("", "", self.pieces(formula.first, right_room - _HANG))
            left, taken = "", right_room
            if len(out) == 1:
                taken = width(formula.first)
        for sign, value in formula.links:
            pieces = self.pieces(value, right_room - RELATION)
            if len(pieces) > 1:  # what goes on is hung in
                pieces = self.pieces(value, right_room - RELATION - _HANG)
            wanted = RELATION + pieces[0].width
            if out and len(pieces) == 1 and taken + wanted <= right_room:
                out[-1] = Row(out[-1].left, join((out[-1].right, RELATIONS[sign], pieces[0].text)))
                taken += wanted
                continue
            out += self._hung(left if not out else "", RELATIONS[sign], pieces)
            left, taken = "", wanted if len(pieces) == 1 else right_room
        return out or [Row(left, "")]

    def pieces(self, formula: Formula, room: float) -> list[Piece]:
        """The formula in pieces of at most `room` em, each to stand on a line of its own."""
        natural = width(formula, self.display)
        if natural <= room and not (isinstance(formula, Grid) and len(formula.rows) > _MOST_ROWS):
            return [Piece(maths(formula, self.dialect), natural)]
        match formula:
            case Sum(terms=terms) if terms:
                parts = [(lead, OPERATOR if lead else 0.0, term) for lead, term in leads(formula)]
                return self._packed(formula, parts, room)
            case Product(factors=factors, sign=sign) if factors:
                gap = {"": 0.17, "dot": 0.73}.get(sign, OPERATOR)
                parts = [(SIGNS[sign] if i else "", gap if i else 0.0, f) for i, f in enumerate(factors)]
                return self._packed(formula, parts, room)
            case Grid():
                return self._grid_pieces(formula, room)
            case Quotient(flat=False):
                return [self._stacked_fraction(formula, room)]
            case Negative(term=term):
                opened = "-" + (r"\bigl(" if needs_parentheses(term, formula, 0) else "")
                return self._within(term, opened, r"\bigr)" if opened != "-" else "", room)
            case Call(function=function, arguments=(argument,)):
                return self._within(
                    argument,
                    function_name(function, self.dialect) + r"\bigl(",
                    r"\bigr)",
                    room,
                    0.6 * len(function),
                )
            case Power(base=Symbol(name="e", sub=None, sup=None), exponent=exponent):
                return self._within(exponent, r"\exp\bigl(", r"\bigr)", room, 2.0)
            case Power(base=base, exponent=exponent) if width(exponent) < room / 3:
                return self._within(
                    base, r"\bigl(", rf"\bigr)^{script(maths(exponent, self.dialect))}", room, 2.0
                )
            case Root(radicand=radicand, index=index):
                return self._within(radicand, r"\bigl(", rf"\bigr)^{{1/{index}}}", room, 1.5)
            case Absolute(body=body):
                return self._within(body, r"\bigl\lvert ", r"\bigr\rvert", room)
            case Transpose(matrix=matrix):
                return self._within(matrix, r"\bigl(", r"\bigr)^\top", room)
            case Inverse(matrix=matrix):
                return self._within(matrix, r"\bigl(", r"\bigr)^{-1}", room)
            case Entry(matrix=matrix, row=row, col=col):
                subscript = f"{row}{'' if col is None else f',{col}'}"
                return self._within(matrix, r"\bigl(", rf"\bigr)_{script(subscript)}", room, 1.5)
            case Series(body=body):
                head = maths(replace(formula, body=Symbol("")), self.dialect).rstrip()
                parens = needs_parentheses(body, formula, 0)
                ends = (r" \bigl(", r"\bigr)") if parens else (" ", "")
                return self._within(body, head + ends[0], ends[1], room, 3.0)
            case Marked(body=body, role=role, instead=instead):
                return self._marked_pieces(body, role, instead, room)
            case _:
                return [Piece(self.dialect.shrink(maths(formula, self.dialect), room), room)]

    def stacked(self, formula: Formula, room: float) -> str:
        """The formula inside a cell or a fraction: a stack of lines where one would be too wide."""
        inside = replace(self, display=False)
        texts = [" ".join(piece.text.split()) for piece in inside.pieces(formula, room)]
        return stacked_lines([texts[0], *(rf"\quad {{}} {text}" for text in texts[1:])])

    def _hung(self, left: str, lead: str, pieces: list[Piece]) -> list[Row]:
        first, *others = pieces
        return [
            Row(left, join((lead, first.text))),
            *(Row("", join((r"\quad", piece.text))) for piece in others),
        ]

    def _packed(
        self, parent: Formula, parts: Sequence[tuple[str, float, Formula]], room: float
    ) -> list[Piece]:
        """Terms or factors packed onto lines; a new line starts with the sign."""
        done: list[Piece] = []
        current = Piece("", 0.0)
        for position, (lead, gap, part) in enumerate(parts):
            parens = len(parts) > 1 and needs_parentheses(part, parent, position)
            ends = (r"\bigl(", r"\bigr)") if parens else ("", "")
            natural = gap + width(part, self.display) + (1.5 if parens else 0.0)
            if natural > room:
                broken = self._within(part, ends[0], ends[1], room - gap)
            else:
                whole = maths(part, self.dialect)
                broken = [Piece(enclosed(whole) if parens else whole, natural - gap)]
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
            Piece(mark(piece.text, role, self.dialect), piece.width + 0.75)
            for piece in self.pieces(body, room - 0.75)
        ]
        return pieces if instead is None else [*pieces, *self.pieces(instead, room)]

    def _stacked_fraction(self, formula: Quotient, room: float) -> Piece:
        size = 1.0 if self.display else 0.74
        parts = (
            maths(part, self.dialect)
            if size * width(part, display=False) <= room - 0.3
            else self.stacked(part, room - 0.3)  # an array inside a fraction is not set smaller
            for part in (formula.over, formula.under)
        )
        return Piece(r"\frac{{{}}}{{{}}}".format(*parts), room)

    def _grid_pieces(self, formula: Grid, room: float) -> list[Piece]:
        """Blocks of columns (and, for very many rows, of rows), each with its numbers under it."""
        n_rows, n_columns = formula.shape
        capped = [min(natural, _LONG_CELL) for natural in column_widths(formula)]
        frame = frame_width(formula)
        blocks = _blocks(capped, room - frame)
        pieces = []
        for top in range(0, n_rows, _MOST_ROWS):
            bottom = min(top + _MOST_ROWS, n_rows)
            for start, stop in blocks:
                part = _part(formula, (top, bottom), (start, stop))
                text = self._cells_stacked(part, room - frame)
                said = [
                    _range_words(first, last, of, self.lang)
                    for first, last, whole, of in ((top, bottom, n_rows, 0), (start, stop, n_columns, 1))
                    if (first, last) != (0, whole)
                ]
                if said:
                    caption = self.dialect.label(", ".join(said))
                    text = f"\\underset{{{caption}}}{{\n{indented(text)}\n}}"
                pieces.append(Piece(text, room))
        return pieces

    def _cells_stacked(self, part: Grid, room: float) -> str:
        natural = column_widths(part)
        spare = room - COLUMN_GAP * (len(natural) - 1) - sum(min(wide, _LONG_CELL) for wide in natural)
        long = sum(wide > _LONG_CELL for wide in natural)
        budget = [wide if wide <= _LONG_CELL else max(4.0, _LONG_CELL + spare / long) for wide in natural]
        cells = tuple(
            tuple(self.stacked(cell, limit) for cell, limit in zip(row, budget, strict=True))
            for row in part.rows
        )
        return set_grid(part, cells, self.dialect)


def _blocks(columns: Sequence[float], room: float) -> list[tuple[int, int]]:
    """Runs of columns that fit the room, at least one column each, of nearly equal length."""
    runs = _greedy(columns, room)
    if len(runs) < 2:
        return runs
    even = -(-len(columns) // len(runs))
    balanced = [(start, min(start + even, len(columns))) for start in range(0, len(columns), even)]
    fits = all(sum(columns[a:b]) + COLUMN_GAP * (b - a - 1) <= room for a, b in balanced)
    return balanced if fits else runs


def _greedy(columns: Sequence[float], room: float) -> list[tuple[int, int]]:
    runs, start, taken = [], 0, 0.0
    for j, wide in enumerate(columns):
        if j > start and taken + COLUMN_GAP + wide > room:
            runs.append((start, j))
            start, taken = j, 0.0
        taken += wide + (COLUMN_GAP if j > start else 0.0)
    return [*runs, (start, len(columns))]


def _part(formula: Grid, rows_of: tuple[int, int], columns_of: tuple[int, int]) -> Grid:
    in_rows, in_columns = slice(*rows_of), slice(*columns_of)
    return Grid(
        tuple(row[in_columns] for row in formula.rows[in_rows]),
        formula.row_labels[in_rows],
        formula.col_labels[in_columns],
    )


def _range_words(start: int, stop: int, axis: int, lang: str) -> str:
    numbers = f"{start + 1}–{stop}" if stop > start + 1 else f"{stop}"
    if lang == "zh":
        return f"第 {numbers} {'行列'[axis]}"
    noun = ("row", "column")[axis]
    return f"{noun if stop == start + 1 else noun + 's'} {numbers}"


def _holds_grid(formula: Formula) -> bool:
    match formula:
        case Grid():
            return True
        case Product(factors=parts) | Sum(terms=parts) | Call(arguments=parts):
            return any(map(_holds_grid, parts))
        case Quotient(over=part) | Transpose(matrix=part) | Negative(term=part):
            return _holds_grid(part)
        case _:
            return False
