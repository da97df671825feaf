"""A matrix in typst's mathematics: one call of the page's function `matrix`, one line of source a row.

The function (:data:`MATRIX`) sets brackets around a grid, and the names of rows and columns small and grey
outside of them; it measures, so that names have the heights of their rows.
"""

from __future__ import annotations

from symattn.text.notation import Dots, Formula, Grid, Infinity, Marked, Negative, Number
from symattn.typeset.mathml_grid import is_numeral
from symattn.typeset.typst_text import label

MATRIX = """\
#let label(words) = text(8pt, luma(45%), words)
#let unseen(digits) = hide($#digits$)
// a matrix in brackets: `rows` and `columns` are the names outside, `al` has one alignment a column
#let matrix(rows: (), columns: (), al: (), ..lines) = context {
  // without leading, a line is as high as the formula on it
  let cells = lines.pos().map(line => line.map(cell => {
    set par(leading: 0pt)
    math.equation(math.display(cell))
  }))
  let heights = cells.map(line => {
    let height = calc.max(..line.map(cell => measure(cell).height))
    height + if height > 1.2em.to-absolute() { 0.75em } else { 0.55em }
  })
  let names = if columns.len() > 0 { columns.map(name => box(height: 0pt, move(dy: -1.1em, label(name)))) }
  let body = grid(
    columns: al.len(), inset: (x: 0.28em, y: 0pt), align: (x, y) => al.at(x) + horizon,
    rows: if names == none { heights } else { (0pt, ..heights) },
    ..if names != none { names.map(name => grid.cell(align: center, name)) }, ..cells.flatten(),
  )
  let centred = 50% - 0.25em
  let left = if rows.len() > 0 {
    let words = rows.map(label)
    box(baseline: centred, grid(rows: heights, align: right + horizon, inset: (right: 0.25em), ..words))
  }
  let high = if names != none { box(height: heights.sum() / 2 + 1.5em, width: 0pt) }
  $#left#high lr([#h(-0.1em)#box(baseline: centred, body)#h(-0.1em)])$
}"""


def grid(formula: Grid, cells: tuple[tuple[str, ...], ...]) -> str:
    """The matrix of the typeset `cells`, which have the shape of the formula."""
    if not cells or not cells[0]:
        return "[thin]"
    columns = list(zip(*formula.rows, strict=True))
    sides = [
        "right" if not formula.col_labels and all(map(_is_numeric, column)) else "center"
        for column in columns
    ]
    filled = zip(*map(_filled, columns, zip(*cells, strict=True)), strict=True)
    settings = [f"  al: #({', '.join(sides)},),"]
    for name, labels in (("rows", formula.row_labels), ("columns", formula.col_labels)):
        if labels:
            settings.append(f"  {name}: #({', '.join(map(label, labels))},),")
    return "\n".join(("matrix(", *settings, *(f"  {', '.join(row)};" for row in filled), ")"))


def _filled(column: tuple[Formula, ...], cells: tuple[str, ...]) -> tuple[str, ...]:
    """The cells of a column, numerals with hidden digits for the places that they lack."""
    places = max(map(_places, column))
    return tuple(
        cell + _hidden(places - _places(entry), places) if is_numeral(entry) else cell
        for entry, cell in zip(column, cells, strict=True)
    )


def _hidden(missing: int, places: int) -> str:
    """The point and the digits that a numeral lacks (`places` counts the point)."""
    if missing <= 0:
        return ""
    digits = "." + "0" * (missing - 1) if missing == places else "0" * missing
    return f' unseen("{digits}")'


def _places(cell: Formula) -> int:
    """The characters of a numeral from the decimal point on."""
    match cell:
        case Number(digits=digits) if is_numeral(cell) and "." in digits:
            return len(digits) - digits.index(".")
        case Negative(term=inner) | Marked(body=inner, instead=None):
            return _places(inner)
        case _:
            return 0


def _is_numeric(cell: Formula) -> bool:
    match cell:
        case Infinity() | Dots():
            return True
        case Negative(term=inner) | Marked(body=inner):
            return _is_numeric(inner)
        case _:
            return isinstance(cell, Number)
