r"""Panels in LaTeX: as many side by side as their estimated widths allow, in bands that no page breaks.

A band is one line of `minipage`s whose widths are shares of `\linewidth`, so that it fits any column. What
stands in a panel is set flush left in boxes that report it when a line is too wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil

from msgspec.structs import replace

from symattn.text.document import (
    Block,
    Display,
    Formulas,
    Heatmap,
    Maths,
    Panel,
    Panels,
    Paragraph,
    Prose,
    Table,
)
from symattn.text.notation import Chain, Formula, Grid, Quotient, Sum, parts
from symattn.typeset.latex_maths import PAGE, maths
from symattn.typeset.latex_parts import indented
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
from symattn.typeset.layout import SIZES, rows, size_for

MACROS = {
    r"\sahead": (
        r"\providecommand{\sahead}[2]{{\hyphenpenalty=10000\rightskip=0pt plus 1fil\noindent"
        r"{\bfseries\color{blue!45!black}#1}\hfill{\color{blue!45!black}#2}\par}\vspace{-1.2ex}\noindent{\color{blue!30}\rule{\linewidth}{.4pt}}\par\vspace{.4ex}}"
    ),
    r"\samaths": (
        r"\providecommand{\samaths}[1]{\par\vspace{.6ex}\noindent"
        r"\hbox to \linewidth{$\displaystyle #1$\hfil}\par\vspace{.6ex}}"
    ),
    r"\saworked": (
        r"\providecommand{\saworked}[1]{\par\vspace{.7ex}\noindent{\setlength{\fboxsep}{3pt}"
        r"\colorbox{black!5}{\hbox to \dimexpr\linewidth-6pt\relax"
        r"{\setlength{\jot}{3pt}$\displaystyle #1$\hfil}}}\par\vspace{.4ex}}"
    ),
    r"\saresult": (
        r"\providecommand{\saresult}[1]{\par\vspace{.7ex}\noindent{\setlength{\fboxsep}{6pt}"
        r"\setlength{\fboxrule}{.9pt}\fcolorbox{blue!45!black}{white}{$\displaystyle #1$}}\par\vspace{.4ex}}"
    ),
    r"\saitem": (
        r"\providecommand{\saitem}[1]{\par\noindent\hangindent=1.3em"
        r"\hbox to 1.3em{\color{blue!45!black}$\bullet$\hfil}#1\par}"
    ),
    r"\saused": r"\providecommand{\saused}[1]{\cellcolor{blue!15}#1}",
}
_KINDS = {"plain": r"\samaths", "worked": r"\saworked", "result": r"\saresult"}
FRAMES = {"plain": 0.0, "worked": 0.6, "result": 1.6}

BETWEEN = 1.3  # em between two panels
_COLUMN_GAP = 0.56  # em between columns of a matrix, twice \\arraycolsep
_BRACKETS = 1.55  # em of both brackets with the space inside
_ASIDE = 6.0  # em; what is before the signs of a chain, and is wider, has a line to itself
_SPARE = 0.3  # em more than a display needs, where there is room
_PROSE = 14.0  # em that a paragraph of a panel asks for
_SHORT = 18.0  # em of a chain that is broken only where it must be
_MOST = 3  # panels in a band
_TALLEST = 34  # lines of a band; what is longer flows over the page
_FEW = 8  # rows of a table that stay on one page

_BEFORE_FLOWING = (
    "\\par\\bigskip\\ifdim\\dimexpr\\pagegoal-\\pagetotal\\relax<9\\baselineskip \\newpage\\fi\n"
)
"""What flows over the page begins a new one rather than with its title alone."""

PANEL = replace(PAGE, grids=replace(PAGE.grids, shaded=True))

ProseSetter = Callable[[Prose], str]
BlockSetter = Callable[[Block, float, bool], str]
"""Sets a block in a column of so many em, one that flows over the page or one that stays whole."""


def panels(block: Panels, room: float, prose: ProseSetter, content: BlockSetter) -> str:
    """The panels in bands."""
    return "\n\n".join(_band(band, room, prose, content) for band in bands(block, room))


def bands(block: Panels, room: float) -> Iterator[list[tuple[Panel, float]]]:
    """The panels in lines of as many as fit side by side, each with its width in em."""
    waiting = list(block.panels)
    while waiting:
        wanted = _fitting(waiting, room)
        count = len(wanted)
        spare = room - BETWEEN * (count - 1)
        even = spare / count
        roomy = max(wanted) <= even
        widths = [even if roomy else wide + (spare - sum(wanted)) / count for wide in wanted]
        yield [(_headed(panel, wide), wide) for panel, wide in zip(waiting[:count], widths, strict=True)]
        del waiting[:count]


def flows(band: Sequence[tuple[Panel, float]]) -> bool:
    """Whether a panel, alone in its band, is to flow over the page: a high one, or a table of many steps."""
    match band:
        case [(Panel(blocks=(Table(rows=body),)), _)] if len(body) > _FEW:
            return True
        case [(Panel(blocks=blocks), _)]:
            return sum(map(_lines, blocks)) > _TALLEST
    return False


def in_panel(block: Display, lang: str, room: float) -> str:
    """A display of a panel, flush left; smaller where a matrix would have to be split."""
    room -= FRAMES[block.kind]
    size = ""
    if all(panel_width(line) <= room for line in block.lines):
        room = max([room, *(width(line) + 0.1 for line in block.lines)])  # nothing need be broken
    else:
        size, room = size_for(block.lines, room, SIZES)
    lines = rows(block.lines, room, PANEL, lang)
    if not lines:
        return ""
    body = lines[0].whole
    if len(lines) > 1:
        widest = max(len(row.left) for row in lines)
        said = " \\\\\n".join(f"{row.left.rjust(widest)} &{row.right}" for row in lines)
        body = f"\\begin{{aligned}}\n{indented(said)}\n\\end{{aligned}}"
    return f"{{{size}{_KINDS[block.kind]}{{%\n{indented(body)}%\n}}}}"


def side_by_side(block: Formulas, lang: str, room: float) -> str:
    """Formulas in lines of as many as fit."""
    lines = []
    for line in filled(block.formulas, room, BETWEEN, panel_width):
        if len(line) == 1:
            lines.append(in_panel(Display(line), lang, room))
        else:
            joined = " \\hfil\n".join(f"$\\displaystyle {maths(formula, PANEL)}$" for formula in line)
            lines.append(
                f"\\par\\vspace{{.6ex}}\\noindent\\hbox to \\linewidth{{%\n"
                f"{indented(joined)}%\n}}\\par\\vspace{{.6ex}}"
            )
    return "\n".join(lines)


def _fitting(waiting: Sequence[Panel], room: float) -> list[float]:
    """The widths that the panels of the next band ask for, as many of those that wait as fit."""
    for count, breaks in ((3, 0), (2, 0), (3, 1), (2, 1), (3, 2), (2, 2), (2, 3)):
        if count <= len(waiting) and (breaks < 3 or all(panel.level == 2 for panel in waiting[:count])):
            widths = [_wanted(panel, room, breaks) for panel in waiting[:count]]
            if sum(widths) - _SPARE * count + BETWEEN * (count - 1) <= room:
                return widths
    return [room]


def _band(band: Sequence[tuple[Panel, float]], room: float, prose: ProseSetter, content: BlockSetter) -> str:
    if flows(band):
        return _BEFORE_FLOWING + _inside(band[0][0], room, prose, content, True)
    place, top = ("[t]", r"\vspace{0pt}") if any(panel.title for panel, _ in band) else ("[c]", "")
    cells = [
        f"\\begin{{minipage}}{place}{{{wide / room:.3f}\\linewidth}}{top}"
        f"\\setlength{{\\parindent}}{{0pt}}\\setlength{{\\parskip}}{{.4ex}}\\setlength{{\\arraycolsep}}{{3pt}}\n"
        f"{indented(_inside(panel, wide, prose, content))}\n\\end{{minipage}}"
        for panel, wide in band
    ]
    inner = band[0][0].level == _MOST or not band[0][0].title
    above = r"\par\nointerlineskip\vspace{1ex}" if inner else r"\par\addvspace{1.1ex}"
    return f"{above}\\noindent\n" + "\\hfill\n".join(cells) + "\\par"


def _inside(
    panel: Panel, room: float, prose: ProseSetter, content: BlockSetter, flowing: bool = False
) -> str:
    head = []
    if panel.title and panel.level < _MOST:
        head = [rf"\sahead{{{numbered(prose(panel.title))}}}{{{prose(panel.formula)}}}"]
    elif panel.title:
        head = [rf"\noindent {prose(panel.title)}\par"]
    blocks = beside_its_matrices(panel.blocks, room)
    return "\n".join((*head, "\n\n".join(content(block, room, flowing) for block in blocks)))


def beside_its_matrices(blocks: Sequence[Block], room: float) -> Sequence[Block]:
    """The worked entry at the right of the matrices, where both fit on the line."""
    match blocks:
        case [Display(kind="plain") as whole, Display(kind="worked") as entry, *rest]:
            wide = sum(_block_width(each, room, 0) for each in (whole, entry))
            links = max(len(line.links) for line in entry.lines if isinstance(line, Chain))
            below = 1.6 * (_lines(whole) / 1.6 + ceil(sum(map(panel_width, entry.lines)) / room))
            if wide + 2 * BETWEEN <= room and max(_lines(whole), 1.6 * links) < below:
                return Panels((Panel((), (whole,)), Panel((), (entry,)))), *rest
    return blocks


def numbered(title: str) -> str:
    """A title with a space that does not break after its number."""
    number, gap, words = title.partition("  ")
    return rf"{number}\enspace {words}" if gap else title


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


def panel_width(formula: Formula) -> float:
    """The width of a formula in a panel, where the columns of a matrix are closer than elsewhere."""
    grids = [grid for grid in parts(formula) if isinstance(grid, Grid) and grid.rows]
    gaps = sum(len(grid.rows[0]) - 1 for grid in grids)
    return width(formula) - (COLUMN_GAP - _COLUMN_GAP) * gaps - (BRACKETS - _BRACKETS) * len(grids)


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
            whole = sum(wide) + BETWEEN * (len(wide) - 1)
            return whole if len(wide) <= _MOST and whole <= room else max(wide, default=0.0)
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


def _lines(block: Block) -> float:
    """About how many lines of text a block is high."""
    match block:
        case Display(lines=lines):
            return sum(1.6 * _height(line) for line in lines)
        case Formulas(formulas=formulas):
            return max(map(_height, formulas), default=0.0) * 1.6
        case Table(rows=body):
            return 2.0 + 1.6 * len(body)
        case Heatmap():
            return 1.5 * len(block.weights) + 2
        case Panels(panels=inner):
            return sum(max((_lines(part) for part in panel.blocks), default=0.0) for panel in inner) / 2
        case _:
            return 2.0


def _height(formula: Formula) -> float:
    match formula:
        case Grid(rows=rows):
            stacked = (any(isinstance(p, Quotient) and not p.flat for p in parts(row)) for row in rows)
            return sum(1.5 if high else 1.0 for high in stacked)
        case Chain(first=first, links=links):
            return max(_height(part) for part in (first, *(value for _, value in links)))
        case _:
            found = [_height(part) for part in getattr(formula, "factors", getattr(formula, "terms", ()))]
            return max(found, default=1.0)
