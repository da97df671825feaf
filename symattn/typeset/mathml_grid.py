"""A written-out matrix as one MathML table, so that labels, brackets and entries share their rows.

The brackets are cells with borders: a stretched fence could not stand between the labels and the
entries of a single table. Their styles stand in the cells, so that a formula needs no style sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from symattn.text.notation import Formula, Grid, Marked, Negative, Number
from symattn.typeset.precedence import split_scientific

SetCell = Callable[[Formula], tuple[str, str]]

_LINE = ".075em solid"
# Blocks inside a cell follow the vendors' values of text-align, lines of text the standard ones.
_END = ' style="text-align:right;text-align:-webkit-right"'
_START = ' style="text-align:left;text-align:-webkit-left;padding-left:0"'
_EMPTY = '<mtd style="padding:0"></mtd>'
_UNSEEN = ' style="visibility:hidden"'


def grid_table(grid: Grid, cell: SetCell, escaped: Callable[[str], str]) -> str:
    """The matrix with its brackets and labels; numerals of a column have their points in line.

    `cell` sets an entry in two parts: the entry, and what an audit wrote after it (or nothing).
    """
    if not grid.rows or not grid.rows[0]:
        return "<mrow><mo>[</mo><mo>]</mo></mrow>"
    columns = [_column(column, cell, bool(grid.col_labels)) for column in zip(*grid.rows, strict=True)]
    lines = []
    for at, cells in enumerate(zip(*(column.cells for column in columns), strict=True)):
        label = ""
        if grid.row_labels:
            label = f'<mtd class="label"{_END}><mtext>{escaped(grid.row_labels[at])}</mtext></mtd>'
        left, right = (_bracket(side, at == 0, at == len(grid.rows) - 1) for side in ("left", "right"))
        lines.append(f"<mtr>{label}{left}{''.join(cells)}{right}</mtr>")
    if grid.col_labels:
        # The names once more below, unseen: the table is centred on the axis, and so should the matrix be.
        above, below = (_name_row(grid, columns, style, escaped) for style in ("", _UNSEEN))
        lines = [above, *lines, below]
    return f'<mtable class="grid" style="margin:0 .28em">{"".join(lines)}</mtable>'


def _bracket(side: str, first: bool, last: bool) -> str:
    borders = [f"border-{side}", *["border-top"] * first, *["border-bottom"] * last]
    style = "".join(f"{border}:{_LINE};" for border in borders)
    return f'<mtd class="bracket" style="{style}padding:0 .12em"></mtd>'


def _name_row(grid: Grid, columns: Sequence[_Column], style: str, escaped: Callable[[str], str]) -> str:
    corner = _EMPTY * (1 + bool(grid.row_labels))
    cells = "".join(
        f'<mtd class="name"{_span(column.tailed)}><mtext>{escaped(name)}</mtext></mtd>'
        for name, column in zip(grid.col_labels, columns, strict=True)
    )
    return f'<mtr class="names"{style}>{corner}{cells}{_EMPTY}</mtr>'


class _Column(Struct, frozen=True):
    """The table cells of one column of the matrix: two a row if something follows an entry somewhere."""

    cells: tuple[str, ...]
    tailed: bool


def _column(entries: Sequence[Formula], cell: SetCell, centred: bool) -> _Column:
    """With `centred`, numerals get unseen digits on the left too, and stand below the middle of a name."""
    parts = [cell(entry) for entry in entries]
    tailed = any(tail for _, tail in parts)
    places = max(map(_places, entries))
    whole = max(map(_whole, entries))
    cells = []
    for entry, (body, tail) in zip(entries, parts, strict=True):
        if not is_numeral(entry):
            inside = f"<mrow>{body}{tail}</mrow>" if tail else body
            cells.append(f"<mtd{_span(tailed)}>{inside}</mtd>")
            continue
        if centred and not tailed:
            inside = f"{_before(entry, whole)}{body}{_filler(entry, places)}"
            cells.append(f'<mtd class="numeral"><mrow>{inside}</mrow></mtd>')
            continue
        close = f"{_END[:-1]};padding-right:0{_END[-1]}" if tailed else _END
        after = f'<mtd class="tail"{_START}>{tail}</mtd>' if tailed else ""
        cells.append(f'<mtd class="numeral"{close}><mrow>{body}{_filler(entry, places)}</mrow></mtd>{after}')
    return _Column(tuple(cells), tailed)


def _span(wide: bool) -> str:
    return ' columnspan="2"' if wide else ""


def is_numeral(formula: Formula) -> bool:
    """Whether the entry lines up on its decimal point: a number, but no power of ten."""
    return _digits(formula) is not None


def _digits(formula: Formula) -> str | None:
    match formula:
        case Number(digits=digits):
            return digits if split_scientific(formula)[1] is None else None
        case Negative(term=inner) | Marked(body=inner):
            return _digits(inner)
        case _:
            return None


def _places(formula: Formula) -> int:
    """The characters from the decimal point on."""
    digits = _digits(formula)
    return len(digits) - digits.index(".") if digits and "." in digits else 0


def _whole(formula: Formula) -> int:
    """The characters before the decimal point."""
    digits = _digits(formula)
    return 0 if digits is None else len(digits.partition(".")[0]) + isinstance(formula, Negative)


def _before(formula: Formula, whole: int) -> str:
    """Unseen digits, so that all numerals of a column are equally wide."""
    missing = whole - _whole(formula)
    return f"<mphantom><mn>{'0' * missing}</mn></mphantom>" if missing > 0 else ""


def _filler(formula: Formula, places: int) -> str:
    """Unseen decimals, so that the point stands below the others."""
    missing = places - _places(formula)
    if missing <= 0:
        return ""
    filler = "." + "0" * (missing - 1) if missing == places else "0" * missing
    return f"<mphantom><mn>{filler}</mn></mphantom>"
