"""A written-out matrix as one MathML table, so that labels, brackets and entries share their rows.

The brackets are cells whose borders the style sheet draws: a stretched fence could not stand between
the labels and the entries of a single table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symattn.notation import Formula, Grid, Marked, Negative, Number

_LEFT, _RIGHT = '<mtd class="lb"></mtd>', '<mtd class="rb"></mtd>'


def grid_table(grid: Grid, cell: Callable[[Formula], str], escaped: Callable[[str], str]) -> str:
    """The matrix with its brackets and labels; numerals of a column have their points in line."""
    if not grid.rows or not grid.rows[0]:
        return "<mrow><mo>[</mo><mo>]</mo></mrow>"
    places = [max(map(_places, column)) for column in zip(*grid.rows, strict=True)]
    lines = []
    for at, cells in enumerate(grid.rows):
        label = f'<mtd class="label"><mtext>{escaped(grid.row_labels[at])}</mtext></mtd>' if grid.row_labels else ""
        set_cells = (_cell(entry, size, cell) for entry, size in zip(cells, places, strict=True))
        lines.append(f"<mtr>{label}{_LEFT}{''.join(set_cells)}{_RIGHT}</mtr>")
    lines[0] = lines[0].replace("<mtr>", '<mtr class="first">', 1)
    lines[-1] = _marked_last(lines[-1])
    if grid.col_labels:
        corner = '<mtd class="label"></mtd>' if grid.row_labels else ""
        names = _name_row(grid.col_labels, corner, escaped)
        # The same row once more, unseen: the table is centred on the axis, and so should the matrix be.
        lines = [names, *lines, names.replace('"names"', '"names unseen"', 1)]
    return f'<mtable class="grid">{"".join(lines)}</mtable>'


def _marked_last(line: str) -> str:
    if line.startswith('<mtr class="first">'):
        return line.replace('"first"', '"first last"', 1)
    return line.replace("<mtr>", '<mtr class="last">', 1)


def _name_row(names: Sequence[str], corner: str, escaped: Callable[[str], str]) -> str:
    cells = "".join(f'<mtd class="name"><mtext>{escaped(name)}</mtext></mtd>' for name in names)
    return f'<mtr class="names">{corner}<mtd></mtd>{cells}<mtd></mtd></mtr>'


def _numeral(formula: Formula) -> str | None:
    match formula:
        case Number(digits=digits):
            return digits
        case Negative(term=inner) | Marked(body=inner, instead=None):
            return _numeral(inner)
        case Marked(instead=inner) if inner is not None:
            return _numeral(inner)
        case _:
            return None


def _places(formula: Formula) -> int:
    """The characters from the decimal point on."""
    digits = _numeral(formula)
    return len(digits) - digits.index(".") if digits and "." in digits else 0


def _cell(formula: Formula, places: int, cell: Callable[[Formula], str]) -> str:
    if _numeral(formula) is None:
        return f"<mtd>{cell(formula)}</mtd>"
    missing = places - _places(formula)
    filler = "." * (missing == places and missing > 0) + "0" * (missing - (missing == places and missing > 0))
    unseen = f"<mphantom><mn>{filler}</mn></mphantom>" if filler else ""
    return f'<mtd class="numeral"><mrow>{cell(formula)}{unseen}</mrow></mtd>'
