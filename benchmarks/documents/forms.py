"""The forms in which people write down a matrix, each in every kind of file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.documents.page import Page
from benchmarks.documents.style import Style
from benchmarks.documents.words import SAYINGS

Grid = Sequence[Sequence[str]]
Block = tuple[str, str]
"""Prose, code (with its prints) or a heading, and its characters."""


@dataclass(frozen=True)
class Matrix:
    """What is to be shown: its name, the formula that it is, its rows, labels of rows and columns."""

    left: str
    formula: str
    grid: Grid
    rows: tuple[str, ...]
    heads: tuple[str, ...]
    rounded: bool

    @property
    def stated(self) -> str:
        """The name and its formula."""
        return f"{self.left} = {self.formula}" if self.formula not in ("", self.left) else self.left


def equation(style: Style, shown: Matrix, right: str) -> str:
    return f"{shown.stated} {style.about if shown.rounded else '='} {right}"


def formulas(style: Style, rng: Random, lines: Sequence[str]) -> list[Block]:
    """Formulas that stand together, each on a line of its own."""
    if style.tex and style.display == "aligned" and len(lines) > 1:
        body = " \\\\\n".join(line.replace(" = ", " &= ", 1) for line in lines)
        if style.frame == "latex":
            return [("prose", f"\\begin{{align*}}\n{body}\n\\end{{align*}}")]
        return [("prose", f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$")]
    if style.tex:
        left, right = ("$", "$") if style.display == "inline" else ("$$", "$$")
        if style.frame == "latex" and style.display != "inline":
            left, right = "\\[", "\\]"
        return [("prose", f"{left}{line}{right}") for line in lines]
    draw = rng.random()
    if draw < 0.3:
        return [("code", "\n".join(lines))]
    if style.frame == "text":
        return [("prose", "\n".join(lines))]
    if draw < 0.45:
        return [("prose", "  \n".join(f"`{line}`" for line in lines))]
    lines = [re.sub(r"(?<! )\*|\*(?! )", r"\\*", line) for line in lines]  # no emphasis
    return [("prose", "\n".join(f"- {line}" for line in lines) if draw < 0.7 else "  \n".join(lines))]


def vector(style: Style, row: Sequence[str]) -> str:
    if style.tex and style.environment != "array":
        return rf"\begin{{{style.environment}}} {' & '.join(row)} \end{{{style.environment}}}"
    return style.left + ", ".join(row) + style.right


def _tex(style: Style, page: Page, rng: Random, shown: Matrix) -> list[Block]:
    rows = (" \\\\\n" if rng.random() < 0.5 else r" \\ ").join(" & ".join(row) for row in shown.grid)
    if style.environment == "array":
        body = rf"\left[\begin{{array}}{{{'c' * len(shown.grid[0])}}} {rows} \end{{array}}\right]"
    else:
        body = rf"\begin{{{style.environment}}} {rows} \end{{{style.environment}}}"
    return formulas(style, rng, [equation(style, shown, body)])


def _nested(style: Style, page: Page, rng: Random, shown: Matrix) -> list[Block]:
    """`Q = [[1, 2], [3, 4]]`, in one line or in several."""
    rows = [f"[{', '.join(row)}]" for row in shown.grid]
    start = equation(style, shown, "[")
    between = ", " if rng.random() < 0.4 else ",\n" + " " * page.width(start)
    return [("code" if rng.random() < 0.7 else "prose", start + between.join(rows) + "]")]


def _printed(style: Style, page: Page, rng: Random, shown: Matrix) -> list[Block]:
    """What NumPy prints, without commas, under a label."""
    width = max(page.width(cell) for row in shown.grid for cell in row)
    rows = [
        "[" + " ".join(" " * (width - page.width(cell)) + cell for cell in row) + "]" for row in shown.grid
    ]
    left = rng.choice((shown.left, shown.stated)) + rng.choice((":", " ="))
    return [("code", f"{left}\n[" + "\n ".join(rows) + "]")]


def _barred(style: Style, page: Page, rng: Random, shown: Matrix) -> list[Block]:
    """Rows between bars."""
    rows = ["| " + "  ".join(row) + " |" for row in shown.grid]
    return [("code", equation(style, shown, "").rstrip() + "\n" + "\n".join(rows))]


def _table(style: Style, page: Page, rng: Random, shown: Matrix) -> list[Block]:
    corner = rng.choice(("", "token" if not style.zh else "词", "Q\\K" if shown.heads == shown.rows else ""))
    caption = f"{style.math(shown.stated)}:"
    cells = [[label, *row] for label, row in zip(shown.rows, shown.grid, strict=True)]
    heads = [corner, *shown.heads]
    if style.frame == "latex":
        lines = [" & ".join(row) + r" \\" for row in [heads, *cells]]
        body = "\n".join([lines[0].replace("\\K", r"$\backslash$K"), r"\hline", *lines[1:]])
        columns = "c" * len(shown.heads)
        table = f"\\begin{{tabular}}{{l|{columns}}}\n{body}\n\\end{{tabular}}"
        return [("prose", caption), ("prose", table)]
    if style.frame == "text":
        widths = [max(page.width(row[k]) for row in [heads, *cells]) for k in range(len(heads))]
        lines = [
            "  ".join(c + " " * (w - page.width(c)) for c, w in zip(row, widths, strict=True))
            for row in [heads, *cells]
        ]
        return [("code", "\n".join([caption, *(line.rstrip() for line in lines)]))]
    lines = [f"| {' | '.join(row)} |" for row in [heads, *cells]]
    lines.insert(1, "|" + rng.choice(("---|", ":---:|", "---:|")) * len(heads))
    return [("prose", caption), ("prose", "\n".join(lines))]


def _rows(style: Style, page: Page, rng: Random, shown: Matrix) -> list[Block]:
    """A list with one row for each token, under a sentence with the name."""
    caption = f"{style.math(shown.stated)}:"
    vectors = [style.math(vector(style, row)) for row in shown.grid]
    bold = "**" if rng.random() < 0.5 and style.frame != "text" else ""
    item = r"\item {}: {}" if style.frame == "latex" else f"- {bold}{{}}{bold}: {{}}"
    lines = [item.format(*each) for each in zip(shown.rows, vectors, strict=True)]
    if style.frame == "latex":
        lines = [r"\begin{itemize}", *lines, r"\end{itemize}"]
    return [("prose", caption), ("prose", "\n".join(lines))]


def _spoken(style: Style, page: Page, rng: Random, shown: Matrix) -> list[Block]:
    """In a sentence."""
    if style.tex:
        body = " \\\\ ".join(" & ".join(row) for row in shown.grid)
        matrix = rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
        said = f"${equation(style, shown, matrix)}$"
    else:
        rows = (f"[{', '.join(row)}]" for row in shown.grid)
        said = equation(style, shown, f"[{', '.join(rows)}]")
    saying = rng.choice(SAYINGS["hence"][style.zh])
    return [("prose", saying.format(said))]


FORMS = {
    "plain": (_nested, _printed, _table, _rows, _barred, _spoken),
    "tex": (_tex, _tex, _table, _rows, _tex, _spoken),
}
WHOLE = {"plain": (_nested, _nested, _printed, _barred), "tex": (_tex,)}
"""The forms of a matrix, and those of one that has no token for each row."""


def matrix(style: Style, page: Page, rng: Random, shown: Matrix) -> tuple[str, list[Block]]:
    """The matrix in one of the forms, more often than not in one that this author likes; and its name."""
    kind = "tex" if style.tex else "plain"
    form = FORMS[kind][rng.choice(style.favourites)] if rng.random() < 0.7 else rng.choice(FORMS[kind])
    if not shown.rows:
        form = rng.choice(WHOLE[kind])
    return form.__name__.strip("_"), form(style, page, rng, shown)
