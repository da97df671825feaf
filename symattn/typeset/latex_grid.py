r"""A matrix in TeX: columns aligned at their decimal points, labels small and grey outside the brackets.

Row labels stand in an array of their own to the left of the bracket: both arrays have the same rows, so
they align, and the matrix stays centred on the axis of its line (blkarray would shift it). A row that is
higher than a line gives its label a `\vphantom` of its highest cell. On a page, what is higher than a line
has the size of a display, and a box with room above and below: a row is as high as what stands in it.
Columns are always counted out, so amsmath's limit of ten columns never bites.
"""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import Struct

from symattn.text.notation import Dots, Formula, Infinity, Marked, Negative, Number
from symattn.typeset.precedence import MINUS_SIGNS

_BMATRIX_COLUMNS = 10  # amsmath's MaxMatrixCols
_STACK = r"\begin{array}{l} "
_ROOM_ABOVE = r"\vphantom{\Big|}"  # keeps stacks apart, and off a fraction's bar
_GROUND = r"\saused{"
_HIGH = re.compile(r"\\begin|\\frac|\\sum|\\prod|\\left")
_HIGHER = re.compile(r"\\sqrt|\^")  # than a digit
_SOURCE_COLUMN = 28  # wider cells are not padded in the source


class GridStyle(Struct, frozen=True):
    """What differs between the dialects.

    `tall` finds the cells that need more than a line, `boxed` sets them, `tall_end` ends a row of them;
    `column_label` is the macro that sets a label over the first entry of its column, and without it a
    ruled header row carries the labels. `tight` removes the space between bracket and cells, `shaded`
    leaves it for cells with a ground.
    """

    tall: re.Pattern[str]
    tall_end: str
    column_label: str
    tight: bool
    shaded: bool = False
    boxed: str = "%s"


def grid(
    rows: tuple[tuple[Formula, ...], ...],
    cells: tuple[tuple[str, ...], ...],
    row_labels: tuple[str, ...],
    col_labels: tuple[str, ...],
    style: GridStyle,
) -> str:
    """The matrix of the typeset `cells`; `rows` are the formulas they come from, of the same shape.

    Labels come escaped and styled (with `style.column_label`, the column labels escaped only).
    """
    if not cells or not cells[0]:
        return r"[\thinspace]"
    rows = tuple(tuple(map(_unmarked, row)) for row in rows)
    cells = tuple(tuple(_boxed(cell, style) for cell in row) for row in cells)
    columns = list(zip(*rows, strict=True))
    numeric = [all(map(_is_numeric, column)) for column in columns]
    both = bool(col_labels) or not style.tight
    padded = _padded(rows, cells, numeric, both=both)
    spec = "".join("r" if is_numeric and not both else "c" for is_numeric in numeric)
    if col_labels:
        first = tuple(
            style.column_label % (label, *[cell] * (style.column_label.count("%s") - 1))
            for label, cell in zip(col_labels, _equally_high(padded[0]), strict=False)
        )
        padded = (first + padded[0][len(first) :], *padded[1:])
    aligned = not style.tight or not (row_labels or style.shaded or not _looks_aligned(rows, numeric))
    plain = aligned and not (col_labels and style.tight) and len(spec) <= _BMATRIX_COLUMNS
    body = _bmatrix(padded, style) if plain else _bracketed(padded, spec, style)
    if col_labels:
        body = "\n".join((r"\overset{\rule{0pt}{0.8em}}{", *("  " + line for line in body.splitlines()), "}"))
    if not row_labels:
        return body
    return "\n".join((_label_column(row_labels, cells, style), body))


def _boxed(cell: str, style: GridStyle) -> str:
    """A tall cell in its box; a ground is that of the cell and stays outside."""
    if not style.tall.search(cell):
        return cell
    ground = _GROUND if cell.startswith(_GROUND) else ""
    body = style.boxed % (cell.removeprefix(ground)[:-1] if ground else cell)
    return f"{ground}{body}}}" if ground else body


def _equally_high(cells: tuple[str, ...]) -> tuple[str, ...]:
    """The cells of a row with the height of its highest, so that labels over them are in one line."""
    ranks = [2 if _HIGH.search(cell) else 1 if _HIGHER.search(cell) else 0 for cell in cells]
    highest = max(ranks)
    high = max((cell for cell, rank in zip(cells, ranks, strict=True) if rank == highest), key=len)
    room = rf" \vphantom{{{' '.join(high.split())}}}"
    return tuple(cell + room * (rank < highest) for cell, rank in zip(cells, ranks, strict=True))


def _unmarked(cell: Formula) -> Formula:
    """A cell without the mark of what a worked entry uses, which changes nothing about its width."""
    return cell.body if isinstance(cell, Marked) and cell.role == "used" else cell


def stacked_lines(lines: list[str]) -> str:
    """Lines of one cell, one above the other, flush left."""
    if len(lines) == 1:
        return lines[0]
    return f"{_STACK}{_ROOM_ABOVE} " + r" \\ ".join(lines) + r" \end{array}"


def _label_column(labels: tuple[str, ...], cells: tuple[tuple[str, ...], ...], style: GridStyle) -> str:
    spec = r"@{\,}r@{\,}" if style.tight else "r"
    ends = _row_ends(cells, style)
    lines = [rf"\begin{{array}}{{{spec}}}"]
    for label, row, end in zip(labels, cells, ends, strict=True):
        tall = [cell for cell in row if style.tall.search(cell)]
        high = rf" \vphantom{{{' '.join(max(tall, key=len).split())}}}" if tall else ""
        lines.append(f"  {label}{high}{end}")
    return "\n".join((*lines, r"\end{array}"))


def _bracketed(cells: tuple[tuple[str, ...], ...], spec: str, style: GridStyle) -> str:
    if style.shaded:
        opened, closed = rf"\left[\begin{{array}}{{{spec}}}", r"\end{array}\right]"
    elif style.tight:
        opened, closed = rf"\left[\begin{{array}}{{@{{}}{spec}@{{}}}}", r"\end{array}\right]"
    else:
        opened = rf"\left[\negthinspace\begin{{array}}{{{spec}}}"
        closed = r"\end{array}\negthinspace\right]"
    return "\n".join((opened, *_source_rows(cells, style), closed))


def _bmatrix(cells: tuple[tuple[str, ...], ...], style: GridStyle) -> str:
    return "\n".join((r"\begin{bmatrix}", *_source_rows(cells, style), r"\end{bmatrix}"))


def _source_rows(cells: tuple[tuple[str, ...], ...], style: GridStyle) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row, end in zip(cells, _row_ends(cells, style), strict=True):
        padded = (
            cell if "\n" in cell or width > _SOURCE_COLUMN else cell.rjust(width)
            for cell, width in zip(row, widths, strict=True)
        )
        lines.append("\n".join("  " + line for line in (" & ".join(padded) + end).splitlines()))
    return lines


def _row_ends(cells: tuple[tuple[str, ...], ...], style: GridStyle) -> list[str]:
    tall = [any(style.tall.search(cell) for cell in row) for row in cells]
    ends = [rf" \\{style.tall_end}" if above or below else r" \\" for above, below in pairwise(tall)]
    return [*ends, ""]


def _padded(
    rows: tuple[tuple[Formula, ...], ...], cells: tuple[tuple[str, ...], ...], numeric: list[bool], both: bool
) -> tuple[tuple[str, ...], ...]:
    """The cells with a `\\phantom` of the places they lack, so that flush right aligns the points.

    With `both`, on the left too: then all numerals of a column are equally wide and may be centred.
    """
    out = [list(row) for row in cells]
    for j, is_numeric in enumerate(numeric):
        halves = [_halves(row[j]) for row in rows]
        known = [half for half in halves if half is not None]
        if not is_numeric or not known:
            continue
        places = max((tail for _, tail in known), key=len)
        digits = max(len(whole.lstrip("-")) for whole, _ in known)
        signed = any(whole.startswith("-") for whole, _ in known)
        for i, half in enumerate(halves):
            if half is None:
                continue
            whole, tail = half
            lacking = "" if len(tail) == len(places) else re.sub("[0-9]", "0", places[len(tail) :])
            missing = "0" * (digits - len(whole.lstrip("-")))
            missing = ("-" if signed and not whole.startswith("-") else "") + missing
            before = rf"\phantom{{{missing}}}" if both and missing else ""
            out[i][j] = before + out[i][j] + (rf"\phantom{{{lacking}}}" if lacking else "")
    return tuple(map(tuple, out))


def _halves(cell: Formula) -> tuple[str, str] | None:
    """A plain decimal before its point, and the point with what follows; None of anything else."""
    match cell:
        case Number(digits=digits) if re.fullmatch(r"[-+−]?[0-9]+(\.[0-9]*)?", digits):
            whole, point, places = digits.replace("−", "-").partition(".")
            return whole, point + places
        case Negative(term=Number() as number):
            half = _halves(number)
            return None if half is None else ("-" + half[0], half[1])
        case _:
            return None


def _is_numeric(cell: Formula) -> bool:
    match cell:
        case Number() | Infinity() | Dots():
            return True
        case Negative(term=inner) | Marked(body=inner):
            return _is_numeric(inner)
        case _:
            return False


def _looks_aligned(rows: tuple[tuple[Formula, ...], ...], numeric: list[bool]) -> bool:
    """Whether centring does as well as flush right: equally long numerals without signs."""
    for j, is_numeric in enumerate(numeric):
        if not is_numeric:
            continue
        numerals = [row[j] for row in rows if not isinstance(row[j], Dots)]
        lengths = {len(cell.digits) if isinstance(cell, Number) else -1 for cell in numerals}
        signed = any(isinstance(cell, Number) and cell.digits.startswith(MINUS_SIGNS) for cell in numerals)
        if len(lengths) > 1 or -1 in lengths or (signed and len(numerals) > 1):
            return False
    return True
