"""Panels of a page: as many side by side as their estimated widths allow, in bands that no page breaks.

Widths are those of :mod:`symattn.typeset.latex_width`, heights are in lines of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from msgspec.structs import replace

from symattn.text.document import (
    Block,
    Bullets,
    Display,
    Formulas,
    Heatmap,
    Maths,
    Panel,
    Panels,
    Paragraph,
    Table,
)
from symattn.text.notation import Chain, Formula, Grid, Quotient, Sum, parts
from symattn.typeset.latex_width import (
    BRACKETS,
    COLUMN_GAP,
    RELATION,
    filled,
    label_width,
    prose_width,
    text_width,
    width,
)

FRAMES = {"plain": 0.0, "worked": 0.6, "result": 1.6}

BETWEEN = 1.3  # em between two panels
_COLUMN_GAP = 0.56  # em between columns of a matrix, twice \\arraycolsep
_BRACKETS = 1.55  # em of both brackets with the space inside
_HIGHER = 0.5  # em more of those of a high matrix, which are made of pieces
_PIECES = 4.0  # lines from which on a matrix is high
_ASIDE = 6.0  # em; what is before the signs of a chain, and is wider, has a line to itself
_SPARE = 0.3  # em more than a display needs, where there is room
_PROSE = 14.0  # em that a paragraph of a panel asks for
_SHORT = 18.0  # em of a chain that is broken only where it must be
MOST = 3  # panels in a band
_TALLEST = 48  # lines of a band; what is longer flows over the page
_PARTED = 18  # lines of one whose panels may stand on two pages
_BAND = 2.0  # lines around a band
_FEW = 8  # rows of a table, or items of a list, that stay on one page


def bands(block: Panels, room: float) -> list[list[tuple[Panel, float]]]:
    """The panels in lines of those that fit side by side, each with its width in em.

    Of all ways to part them into lines, the one that is lowest.
    """
    panels = block.panels
    lowest: list[tuple[float, list[list[tuple[Panel, float]]]]] = [(0.0, [])]  # from the last panel backwards
    for at in reversed(range(len(panels))):
        beside = (
            _beside(panels[at : at + count], room) for count in range(min(MOST, len(panels) - at), 0, -1)
        )
        ways = ((lowest[-len(band)], band) for band in beside)
        found = [(_BAND + _band_height(band) + height, [band, *rest]) for (height, rest), band in ways]
        lowest.append(min(found, key=lambda way: way[0]))
    return lowest[-1][1]


def _beside(waiting: Sequence[Panel], room: float) -> list[tuple[Panel, float]]:
    """As many of the panels that wait as fit on one line."""
    wanted = _fitting(waiting, room)
    count = len(wanted)
    spare = room - BETWEEN * (count - 1)
    even = spare / count
    roomy = max(wanted) <= even
    widths = [even if roomy else wide + (spare - sum(wanted)) / count for wide in wanted]
    return [(_headed(panel, wide), wide) for panel, wide in zip(waiting[:count], widths, strict=True)]


def flows(band: Sequence[tuple[Panel, float]]) -> bool:
    """Whether a panel, alone in its band, is to flow over the page: a high one, or a long list."""
    match band:
        case [(Panel(blocks=(Table(rows=items) | Bullets(items=items),)), _)] if len(items) > _FEW:
            return True
        case [(Panel(blocks=blocks), wide)]:
            several = sum(len(bands(block, wide)) for block in blocks if isinstance(block, Panels)) > 1
            return sum(_lines(block, wide) for block in blocks) > (_PARTED if several else _TALLEST)
    return False


def beside_its_matrices(blocks: Sequence[Block], room: float) -> Sequence[Block]:
    """The worked entry at the right of the matrices, where both fit on the line."""
    match blocks:
        case [Display(kind="plain") as whole, Display(kind="worked") as entry, *rest]:
            wide = sum(_block_width(each, room, 0) for each in (whole, entry))
            links = max(len(line.links) for line in entry.lines if isinstance(line, Chain))
            high = _lines(whole, room)
            if wide + 2 * BETWEEN <= room and max(high, 1.6 * links) < high + _lines(entry, room):
                return Panels((Panel((), (whole,)), Panel((), (entry,)))), *rest
    return blocks


def _fitting(waiting: Sequence[Panel], room: float) -> list[float]:
    """The widths that the panels of the next band ask for, as many of those that wait as fit."""
    for count, breaks in ((3, 0), (2, 0), (3, 1), (2, 1), (3, 2), (2, 2), (2, 3)):
        if count <= len(waiting) and (breaks < 3 or all(panel.level == 2 for panel in waiting[:count])):
            widths = [_wanted(panel, room, breaks) for panel in waiting[:count]]
            if sum(widths) - _SPARE * count + BETWEEN * (count - 1) <= room:
                return widths
    return [room]


def _wanted(panel: Panel, room: float, breaks: int) -> float:
    """The width that a panel asks for, in em.

    With `breaks`, the links of a worked entry stand on lines of their own, short ones too; with 2 its sums
    break, and other lines before ≈; with 3 these break before each sign, and the title is of two lines, or
    its formula is below it.
    """
    title, formula = _head_widths(panel)
    head = max(title / 2 + 2.0, formula) if breaks > 2 else title + formula
    return min(room, max([head, *(_block_width(block, room, breaks) for block in panel.blocks)]))


def _head_widths(panel: Panel) -> tuple[float, float]:
    """The widths of the title and of the formula on its line, with the space before that."""
    formula = 1.0 + prose_width(panel.formula) if panel.formula else 0.0
    return 0.95 * prose_width(panel.title), formula


def _headed(panel: Panel, room: float) -> Panel:
    """The panel with the formula of its title below it where the line does not hold both."""
    match panel.formula:
        case (Maths(formula=formula),) if sum(_head_widths(panel)) > room:
            return replace(panel, formula=(), blocks=(Display((formula,)), *panel.blocks))
    return panel


@lru_cache(maxsize=1 << 12)
def panel_width(formula: Formula) -> float:
    """The width of a formula in a panel, where the columns of a matrix are closer than elsewhere."""
    grids = [grid for grid in parts(formula) if isinstance(grid, Grid) and grid.rows]
    gaps = sum(len(grid.rows[0]) - 1 for grid in grids)
    higher = sum(_height(grid) > _PIECES for grid in grids)
    closer = (COLUMN_GAP - _COLUMN_GAP) * gaps + (BRACKETS - _BRACKETS) * len(grids) - _HIGHER * higher
    return width(formula) - closer


@lru_cache(maxsize=1 << 12)
def _block_width(block: Block, room: float, breaks: int) -> float:
    match block:
        case Display(lines=lines, kind="worked"):
            left = max((width(line.first) for line in lines if isinstance(line, Chain)), default=0.0)
            return FRAMES["worked"] + max((_narrowest(line, left, breaks) for line in lines), default=0.0)
        case Display(lines=lines, kind=kind):
            wide = [_in_part(line, breaks) for line in lines]
            return FRAMES[kind] + max(wide, default=0.0) + _SPARE
        case Formulas(formulas=formulas):
            return sum(map(panel_width, formulas)) + BETWEEN * (len(formulas) - 1)
        case Paragraph(words=words):
            return min(_PROSE, prose_width(words))
        case Table(header=header, rows=body):
            table = list(zip(*(row for row in (header, *body) if len(row) == len(header)), strict=True))
            return sum(max(map(prose_width, column)) + 1.4 for column in table)
        case Heatmap():
            columns = list(zip(*block.printed, strict=True))
            heads = [*map(label_width, block.col_labels)] or [0.0] * len(columns)
            cells = [max(map(text_width, column)) for column in columns]
            labels = max(map(label_width, block.row_labels), default=0.0)
            return labels + sum(max(pair) + 1.4 for pair in zip(cells, heads, strict=True))
        case Panels(panels=inner):
            wide = [_wanted(panel, room, breaks) for panel in inner]
            if breaks and not any(panel.title for panel in inner):
                return max(wide, default=0.0)
            runs = (wide[at : at + count] for at in range(len(wide)) for count in range(2, MOST + 1))
            wholes = (sum(run) + BETWEEN * (len(run) - 1) for run in runs)
            return max([*(whole for whole in wholes if whole <= room), *wide], default=0.0)
        case _:
            return room


def _narrowest(line: Formula, left: float, breaks: int) -> float:
    """The width of a chain with each link on a line of its own, as far as it `breaks`."""
    if not isinstance(line, Chain):
        return panel_width(line)
    shares = (
        0.6 if breaks > 1 and isinstance(value, Sum) and len(value.terms) > 2 else 1.0
        for _, value in line.links
    )
    links = [
        RELATION + share * panel_width(value) for share, (_, value) in zip(shares, line.links, strict=True)
    ]
    whole = left + sum(links)
    return (whole if not breaks and whole <= _SHORT else left + max(links, default=0.0)) + _SPARE


def _in_part(line: Formula, breaks: int) -> float:
    """The width of a chain of matrices, as far as it `breaks`."""
    if not isinstance(line, Chain) or not line.links or breaks < 2:
        return panel_width(line)
    if breaks > 2:
        first = panel_width(line.first)
        widest = RELATION + max(panel_width(value) for _, value in line.links)
        return max(first, BETWEEN + widest) if first > _ASIDE else first + widest
    if line.links[-1][0] != "≈":
        return panel_width(line)
    *links, (_, last) = line.links
    aside = panel_width(line.first) * bool(links)
    return max(panel_width(Chain(line.first, tuple(links))), RELATION + panel_width(last) + aside)


def _panel_height(panel: Panel, wide: float) -> float:
    """About how many lines of text a panel of so many em is high."""
    head = 1.0 + ceil(sum(_head_widths(panel)) / wide) if panel.title else 0.5
    return head + sum(_lines(block, wide) for block in beside_its_matrices(panel.blocks, wide))


def _band_height(band: Sequence[tuple[Panel, float]]) -> float:
    return max(_panel_height(panel, wide) for panel, wide in band)


@lru_cache(maxsize=1 << 12)
def _lines(block: Block, wide: float) -> float:
    """About how many lines of text a block of so many em is high."""
    match block:
        case Display(lines=lines, kind=kind):
            return 0.6 + sum(_chain_height(line, wide - FRAMES[kind]) for line in lines)
        case Formulas(formulas=formulas):
            return sum(max(map(_height, line)) for line in filled(formulas, wide, BETWEEN, panel_width))
        case Table(rows=body):
            return 2.5 + len(body)
        case Bullets(items=items):
            return float(sum(ceil(prose_width(item) / wide) for item in items))
        case Heatmap():
            return 1.5 * len(block.weights) + 2
        case Panels():
            return sum(map(_band_height, bands(block, wide)))
        case Paragraph(words=words):
            return float(ceil(prose_width(words) / wide))
        case _:
            return 2.0


def _chain_height(formula: Formula, wide: float) -> float:
    """The height of a chain whose links go on on the next line where they do not fit."""
    if not isinstance(formula, Chain):
        return _height(formula) * ceil(panel_width(formula) / wide)
    first = panel_width(formula.first)
    taken, highest, whole = first, _height(formula.first), 0.0
    for _, value in formula.links:
        needed = RELATION + panel_width(value)
        if taken + needed > wide and taken > first:
            taken, highest, whole = first, 0.0, whole + highest
        taken += needed
        highest = max(highest, _height(value) * ceil(needed / wide))
    return whole + highest


@lru_cache(maxsize=1 << 12)
def _height(formula: Formula) -> float:
    match formula:
        case Grid(rows=rows):
            stacked = (any(isinstance(p, Quotient) and not p.flat for p in parts(row)) for row in rows)
            return sum(2.2 if high else 1.1 for high in stacked) + 0.5 + bool(formula.col_labels)
        case Chain(first=first, links=links):
            return max(_height(part) for part in (first, *(value for _, value in links)))
        case Quotient(over=over, under=under, flat=False):
            return _height(over) + _height(under)
        case _:
            found = [_height(part) for part in getattr(formula, "factors", getattr(formula, "terms", ()))]
            return max(found, default=1.25)
