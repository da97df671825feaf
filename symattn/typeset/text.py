"""A document or a formula as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.text.document import (
    Block,
    Bullets,
    Display,
    Document,
    Formulas,
    Heading,
    Heatmap,
    PageBreak,
    Panels,
    Paragraph,
    Remark,
    Table,
    in_one_column,
)
from symattn.text.notation import Formula
from symattn.typeset.ansi import Style, paint, styled
from symattn.typeset.box import Box, beside
from symattn.typeset.cjk import display_width, pad, plain, visible
from symattn.typeset.text_lines import displayed, side_by_side
from symattn.typeset.text_maths import Setter
from symattn.typeset.text_words import boxed, inline, wrapped

_INDENT = "    "
_NARROWEST = 20
_RULES = {1: "─", 2: "┄"}
_REMARK_SIGNS: dict[str, tuple[str, Style]] = {
    "proved": ("∎", "right"),
    "note": ("·", "label"),
    "check": ("✓", "right"),
    "warning": ("!", "slip"),
}
_SHADES = " ░▒▓█"


def text(document: Document, *, width: int = 100, colour: bool = False) -> str:
    """The document for a terminal of `width` columns; ANSI colour only if `colour`.

    East Asian wide characters count two columns. Control characters and bidirectional overrides in
    user text are shown, never sent.
    """
    width = max(width, _NARROWEST)
    title = wrapped(styled(plain(document.title), "title"), width)
    blocks = [_underlined(title, "═")] if document.title else []
    blocks += [_block(block, document, width) for block in in_one_column(document.blocks)]
    lines = [words for block in blocks if any(block) for words in (*block, "")]
    return "\n".join(paint(words, colour) for words in lines[:-1]) + "\n"


def text_formula(formula: Formula) -> str:
    """One formula, unbroken; several lines if a matrix is in it."""
    return "\n".join(paint(words, False) for words in Setter().box(formula).lines)


def _block(block: Block, document: Document, width: int) -> list[str]:
    match block:
        case Heading(words=words, level=level):
            lines = wrapped(styled(inline(words), "heading"), width)
            return _underlined(lines, _RULES.get(level, "┄"))
        case Paragraph(words=words):
            return wrapped(inline(words), width)
        case Display(lines=formulas):
            return [_INDENT + words for words in displayed(formulas, width - len(_INDENT))]
        case Formulas(formulas=formulas):
            return [_INDENT + words for words in side_by_side(formulas, width - len(_INDENT))]
        case Bullets(items=items):
            return [words for item in items for words in wrapped(inline(item), width, "  • ", "    ")]
        case Table():
            return _table(block, width)
        case Remark():
            return _remark(block, document.lang, width)
        case Heatmap():
            return _heatmap(block, width)
        case Panels() | PageBreak():
            raise TypeError("a terminal has one column: `in_one_column` takes panels apart")


def _underlined(lines: list[str], rule: str) -> list[str]:
    return [*lines, rule * max(map(display_width, lines), default=0)]


def _remark(remark: Remark, lang: str, width: int) -> list[str]:
    sign, style = _REMARK_SIGNS[remark.kind]
    colon = "：" if lang.startswith("zh") else ": "
    label = styled(plain(remark.label), "strong") + colon if remark.label else ""
    return wrapped(label + inline(remark.words), width, f"  {styled(sign, style)} ", "    ")


def _table(table: Table, width: int) -> list[str]:
    """Columns as wide as they need; when the line is too short the widest give way and wrap."""
    rows = [[inline(cell) for cell in row] for row in (table.header, *table.rows)]
    count = max(map(len, rows), default=0)
    rows = [row + [""] * (count - len(row)) for row in rows]
    widths = [max(display_width(row[at]) for row in rows) for at in range(count)]
    while sum(widths) + 2 * (count - 1) > width and max(widths, default=0) > 4:
        widths[widths.index(max(widths))] -= 1
    align = table.align.ljust(count, "l")
    lines = [words for row in rows[1:] for words in _table_row(row, widths, align)]
    head = [styled(words, "heading") for words in _table_row(rows[0], widths, align)]
    return [*head, "  ".join("─" * size for size in widths), *lines]


def _table_row(row: Sequence[str], widths: Sequence[int], align: str) -> list[str]:
    cells = [wrapped(words, size) for words, size in zip(row, widths, strict=True)]
    height = max(map(len, cells), default=0)
    return [
        "  ".join(
            pad(cell[at] if at < len(cell) else "", size, side)
            for cell, size, side in zip(cells, widths, align, strict=False)
        ).rstrip()
        for at in range(height)
    ]


def _heatmap(heatmap: Heatmap, width: int) -> list[str]:
    """Each weight as a shade in five steps beside its decimals; blocks of columns if there are many."""
    columns = max(map(len, heatmap.weights), default=0)
    labels = [visible(label) for label in heatmap.row_labels] or [""] * len(heatmap.weights)
    names = [visible(label) for label in heatmap.col_labels] or [""] * columns
    stub = boxed([styled(label, "label") for label in ("", *labels)])
    blocks: list[Box] = []
    for at in range(columns):
        cells = [
            f"{_shade(row[at])} {visible(shown[at])}"
            for row, shown in zip(heatmap.weights, heatmap.printed, strict=True)
        ]
        size = max(map(display_width, (names[at], *cells)))
        body = [pad(styled(names[at], "label"), size, "c"), *(pad(cell, size) for cell in cells)]
        column = Box(tuple("  " + words for words in body))
        if blocks and blocks[-1].width + column.width + len(_INDENT) <= width:
            blocks[-1] = beside(blocks[-1], column)
        else:
            blocks.append(beside(stub, column))
    lines: list[str] = []
    for block in blocks:
        shown = block.lines if heatmap.col_labels else block.lines[1:]
        lines += [*([""] if lines else []), *(_INDENT + words for words in shown)]
    return lines


def _shade(weight: float) -> str:
    return _SHADES[min(4, max(0, round(weight * 4)))] * 2
