"""Displayed formulas in a terminal: chains aligned at their first relation, broken to fit the width."""

from __future__ import annotations

from symattn.text.notation import Chain, Formula, Grid, Product, Sum
from symattn.typeset.ansi import SOFT_BREAK
from symattn.typeset.box import Box, beside, broken, line, packed
from symattn.typeset.cjk import display_width, pad
from symattn.typeset.text_grid import column_blocks
from symattn.typeset.text_maths import Setter

_SETTER = Setter()
_GAP = "    "
_WIDEST_LEFT_SHARE = 3  # a left side may take a third of the line before it gets a line of its own


def displayed(formulas: tuple[Formula, ...], width: int) -> list[str]:
    """The lines of a display at most `width` columns wide; matrices are set apart by blank lines."""
    lefts = [_SETTER.box(formula.first) for formula in formulas if isinstance(formula, Chain)]
    column = max((left.width for left in lefts if left.width <= width // _WIDEST_LEFT_SHARE), default=0)
    rows: list[Box] = []
    for formula in formulas:
        match formula:
            case Chain(links=(_, *_)):
                rows += _chain(formula, column, width)
            case _:
                rows += fitted(formula, width)
    lines: list[str] = []
    for at, row in enumerate(rows):
        if at and max(row.height, rows[at - 1].height) > 1:
            lines.append("")
        lines += row.lines
    return lines


def side_by_side(formulas: tuple[Formula, ...], width: int) -> list[str]:
    """Formulas in lines of as many as fit, with a gap between them; a wide one alone, broken to fit."""
    lines: list[str] = []
    waiting: list[Box] = []

    def flush() -> None:
        for row in packed(waiting, width + len(_GAP)):
            lines.extend([*([""] if lines else []), *(words.rstrip() for words in row.lines)])
        waiting.clear()

    for formula in formulas:
        whole = _SETTER.box(formula)
        if whole.width <= width:
            waiting.append(beside(whole, _GAP))
        else:
            flush()
            lines.extend([*([""] if lines else []), *displayed((formula,), width)])
    flush()
    return lines


def fitted(formula: Formula, width: int) -> list[Box]:
    """The formula in boxes, one below the other, none wider than `width` where that can be had."""
    whole = _SETTER.box(formula)
    if whole.width <= width:
        return [whole]
    if whole.height == 1:
        return [line(words) for words in broken(whole.lines[0], width, SOFT_BREAK)]
    match formula:
        case Grid():
            return column_blocks(formula, _SETTER.box, width)
        case Product(factors=factors) if len(factors) > 1:
            return _packed_pieces(formula, factors, width)
        case Sum(terms=terms) if len(terms) > 1:
            return _packed_pieces(formula, terms, width)
        case _:
            return [whole]


def _packed_pieces(formula: Formula, parts: tuple[Formula, ...], width: int) -> list[Box]:
    """Terms or factors side by side while they fit; a matrix too wide for a line of its own in blocks."""
    pieces: list[Box] = []
    for part, piece in zip(parts, _SETTER.pieces(formula), strict=True):
        too_wide = piece.width > width and isinstance(part, Grid)
        pieces += fitted(part, width) if too_wide else [piece]
    return packed(pieces, width)


def _chain(chain: Chain, column: int, width: int) -> list[Box]:
    """The chain in rows, the relation signs below one another."""
    left = _SETTER.box(chain.first)
    rows: list[Box] = []
    if left.width > column:
        rows = fitted(chain.first, width)
        current = line(" " * column)
        if left.width == rows[0].width and not column:
            rows, current = [], left
    else:
        current = Box(tuple(pad(words, column, "r") for words in left.lines), left.baseline)
    in_parts = False
    for at, (relation, value) in enumerate(chain.links):
        first, *rest = fitted(value, width - column - display_width(relation) - 2)
        linked = beside(f" {relation} ", first)
        room = current.width + linked.width <= width
        if at > 0 and (rest or in_parts or not room):
            rows.append(current)
            current = line(" " * column)
        current = beside(current, linked)
        in_parts = bool(rest)
        for box in rest:
            rows.append(current)
            current = beside(" " * (column + display_width(relation) + 2), box)
    return [*rows, current]
