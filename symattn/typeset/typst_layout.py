"""Displayed formulas as aligned rows that fit the page, broken where the LaTeX page breaks them.

The widths are those of :mod:`symattn.typeset.latex_width`, for both pages are set in Computer Modern. What
cannot be broken is made smaller by the page's function `fit`, which measures.
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
    Root,
    Series,
    Sum,
    Symbol,
    Transpose,
)
from symattn.typeset.latex_maths import leads
from symattn.typeset.latex_width import (
    COLUMN_GAP,
    OPERATOR,
    RELATION,
    SIGNS,
    column_widths,
    frame_width,
    width,
)
from symattn.typeset.precedence import needs_parentheses
from symattn.typeset.typst_maths import (
    RELATIONS,
    function_name,
    join,
    mark,
    script,
    series_sign,
    typst_formula,
)
from symattn.typeset.typst_maths import SIGNS as WRITTEN
from symattn.typeset.typst_text import label

_LEFT_SHARE = 0.3  # of the room, for what stands left of the aligned relation signs
_HANG = 1.0  # the quad of a continued line
_MOST_ROWS = 36


class Piece(Struct, frozen=True):
    """A part of a formula that stays on one line, and its estimated width."""

    text: str
    width: float


def lines(formulas: Sequence[Formula], room: float, lang: str) -> list[tuple[str, str]]:
    """The display's lines, each in two parts, left and right of the alignment, to fit `room` em."""
    lefts = [width(formula.first) for formula in formulas if isinstance(formula, Chain)]
    left_room = max((left for left in lefts if left <= _LEFT_SHARE * room), default=0.0)
    return [line for formula in formulas for line in _lines(formula, left_room, room, lang)]


def _lines(formula: Formula, left_room: float, room: float, lang: str) -> list[tuple[str, str]]:
    if not isinstance(formula, Chain):
        return _hung("", "", pieces(formula, room - left_room - _HANG, lang))
    right_room = room - left_room
    out: list[tuple[str, str]] = []
    left, taken = typst_formula(formula.first), 0.0
    if width(formula.first) > left_room:
        out = _hung("", "", pieces(formula.first, right_room - _HANG, lang))
        left, taken = "", width(formula.first) if len(out) == 1 else right_room
    for sign, value in formula.links:
        broken = pieces(value, right_room - RELATION, lang)
        if len(broken) > 1:  # what goes on is hung in
            broken = pieces(value, right_room - RELATION - _HANG, lang)
        wanted = RELATION + broken[0].width
        if out and len(broken) == 1 and taken + wanted <= right_room:
            out[-1] = (out[-1][0], join((out[-1][1], RELATIONS[sign], broken[0].text)))
            taken += wanted
            continue
        out += _hung(left if not out else "", RELATIONS[sign], broken)
        left, taken = "", wanted if len(broken) == 1 else right_room
    return out or [(left, "")]


def _hung(left: str, lead: str, broken: list[Piece]) -> list[tuple[str, str]]:
    first, *others = broken
    return [(left, join((lead, first.text))), *(("", join(("quad", piece.text))) for piece in others)]


def pieces(formula: Formula, room: float, lang: str) -> list[Piece]:
    """The formula in pieces of at most `room` em, each to stand on a line of its own."""
    natural = width(formula)
    if natural <= room and not (isinstance(formula, Grid) and len(formula.rows) > _MOST_ROWS):
        return [Piece(typst_formula(formula), natural)]
    match formula:
        case Sum(terms=terms) if terms:
            return _packed(
                formula,
                [(lead, OPERATOR if lead else 0.0, term) for lead, term in leads(formula)],
                room,
                lang,
            )
        case Product(factors=factors, sign=sign) if factors:
            written, gap = WRITTEN[sign], SIGNS[sign] or 0.17
            parts = [(written if at else "", gap if at else 0.0, f) for at, f in enumerate(factors)]
            return _packed(formula, parts, room, lang)
        case Grid():
            return _blocks_of(formula, room, lang)
        case Marked(body=body, role=role, instead=instead):
            marked = [Piece(mark(p.text, role), p.width + 0.75) for p in pieces(body, room - 0.75, lang)]
            return marked if instead is None else [*marked, *pieces(instead, room, lang)]
        case _:
            inside = _inside(formula)
            if inside is None or width(inside[0]) <= room / 2:
                return [Piece(f"fit(#{room:.1f}em, {typst_formula(formula)})", room)]
            return _within(*inside, room, lang)


def _inside(formula: Formula) -> tuple[Formula, str, str] | None:
    """What can be broken in a formula, with what stands before and after it."""
    match formula:
        case Negative(term=term):
            parens = needs_parentheses(term, formula, 0)
            return term, r"-\(" if parens else "-", r"\)" if parens else ""
        case Call(function=function, arguments=(argument,)):
            return argument, function_name(function) + r"\(", r"\)"
        case Power(base=Symbol(name="e", sub=None, sup=None), exponent=exponent):
            return exponent, r"exp\(", r"\)"
        case Power(base=base, exponent=exponent):
            return base, r"\(", rf"\)^{script(typst_formula(exponent))}"
        case Root(radicand=radicand, index=index):
            return radicand, r"\(", rf"\)^(1\/{index})"
        case Absolute(body=body):
            return body, r"\|", r"\|"
        case Transpose(matrix=matrix):
            return matrix, r"\(", r"\)^top"
        case Inverse(matrix=matrix):
            return matrix, r"\(", r"\)^(-1)"
        case Entry(matrix=matrix, row=row, col=col):
            return matrix, r"\(", rf"\)_({row}{'' if col is None else f',{col}'})"
        case Series(body=body):
            parens = needs_parentheses(body, formula, 0)
            return body, series_sign(formula) + (r" \(" if parens else " "), r"\)" if parens else ""
    return None


def _within(body: Formula, opened: str, closed: str, room: float, lang: str) -> list[Piece]:
    """The body's pieces between delimiters that stand on its first and its last line."""
    taken = 1.6 + 0.3 * len(opened)
    inner = pieces(body, room - taken, lang)
    inner[0] = Piece(opened + " " * opened[-1:].isalnum() + inner[0].text, inner[0].width + taken)
    inner[-1] = Piece(inner[-1].text + closed, inner[-1].width + 0.8)
    return inner


def _packed(
    parent: Formula, parts: Sequence[tuple[str, float, Formula]], room: float, lang: str
) -> list[Piece]:
    """Terms or factors packed onto lines; a new line starts with the sign."""
    done: list[Piece] = []
    current = Piece("", 0.0)
    for position, (lead, gap, part) in enumerate(parts):
        parens = len(parts) > 1 and needs_parentheses(part, parent, position)
        natural = width(part) + (1.5 if parens else 0.0)
        if gap + natural > room:
            broken = _within(part, *((r"\(", r"\)") if parens else ("", "")), room - gap, lang)
        else:
            whole = typst_formula(part)
            broken = [Piece(f"({whole})" if parens else whole, natural)]
        if len(broken) == 1 and current.width + gap + broken[0].width <= room:
            current = Piece(join((current.text, lead, broken[0].text)), current.width + gap + broken[0].width)
            continue
        if current.text:
            done.append(current)
        broken[0] = Piece(join((lead, broken[0].text)), gap + broken[0].width)
        done += broken[:-1]
        current = broken[-1]
    return [*done, current]


def _blocks_of(formula: Grid, room: float, lang: str) -> list[Piece]:
    """Blocks of columns (and, for very many rows, of rows), each with its numbers under it."""
    n_rows, n_columns = formula.shape
    blocks = _runs(column_widths(formula), room - frame_width(formula))
    found = []
    for top in range(0, n_rows, _MOST_ROWS):
        bottom = min(top + _MOST_ROWS, n_rows)
        for start, stop in blocks:
            part = replace(
                formula,
                rows=tuple(row[start:stop] for row in formula.rows[top:bottom]),
                row_labels=formula.row_labels[top:bottom],
                col_labels=formula.col_labels[start:stop],
            )
            text = typst_formula(part)
            if width(part) > room:
                text = f"fit(#{room:.1f}em, {text})"
            said = [
                _range_words(first, last, axis, lang)
                for first, last, whole, axis in ((top, bottom, n_rows, 0), (start, stop, n_columns, 1))
                if (first, last) != (0, whole)
            ]
            if said:
                text = f"attach(limits({text}), b: #label({label(', '.join(said))}))"
            found.append(Piece(text, room))
    return found


def _runs(columns: Sequence[float], room: float) -> list[tuple[int, int]]:
    """Runs of columns that fit the room, at least one column each, of nearly equal length."""
    runs, start, taken = [], 0, 0.0
    for at, wide in enumerate(columns):
        if at > start and taken + COLUMN_GAP + wide > room:
            runs.append((start, at))
            start, taken = at, 0.0
        taken += wide + (COLUMN_GAP if at > start else 0.0)
    runs.append((start, len(columns)))
    even = -(-len(columns) // len(runs))
    balanced = [(first, min(first + even, len(columns))) for first in range(0, len(columns), even)]
    fits = all(sum(columns[a:b]) + COLUMN_GAP * (b - a - 1) <= room for a, b in balanced)
    return balanced if fits else runs


def _range_words(start: int, stop: int, axis: int, lang: str) -> str:
    numbers = f"{start + 1}–{stop}" if stop > start + 1 else f"{stop}"
    if lang == "zh":
        return f"第 {numbers} {'行列'[axis]}"
    return f"{('row', 'column')[axis]}{'' if stop == start + 1 else 's'} {numbers}"
