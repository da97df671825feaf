r"""Panels in LaTeX: as many side by side as their estimated widths allow, in bands that no page breaks.

A band is one line of `minipage`s whose widths are shares of `\linewidth`, so that it fits any column. What
stands in a panel is set flush left in boxes that report it when a line is too wide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from symattn.text.document import Block, Display, Formulas, Panel, Panels, Prose
from symattn.typeset.bands import BETWEEN, FRAMES, MOST, bands, beside_its_matrices, flows, panel_width
from symattn.typeset.latex_maths import PAGE, maths
from symattn.typeset.latex_parts import indented
from symattn.typeset.latex_width import filled, width
from symattn.typeset.layout import SIZES, rows, size_for

MACROS = {
    r"\sahead": (
        r"\providecommand{\sahead}[2]{{\hyphenpenalty=10000\rightskip=0pt plus 1fil\noindent"
        r"{\bfseries\color{blue!45!black}#1}\hfill{\color{blue!45!black}#2}\par}\nobreak\vspace{-1.2ex}\noindent{\color{blue!30}\rule{\linewidth}{.4pt}}\par\nobreak\vspace{.4ex}}"
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
_NARROW = 22.0  # em of a panel, below which spaces between words would be wide
_RAGGED = r"\raggedright"
_KINDS = {"plain": r"\samaths", "worked": r"\saworked", "result": r"\saresult"}

_BEFORE_FLOWING = (
    "\\par\\bigskip\\penalty0 \\ifdim\\dimexpr\\pagegoal-\\pagetotal\\relax<9\\baselineskip \\newpage\\fi\n"
)
"""What flows over the page begins a new one rather than with its title alone.

The penalty has TeX look whether what is before is on this page or already on the next.
"""

PANEL = replace(PAGE, grids=replace(PAGE.grids, shaded=True))

ProseSetter = Callable[[Prose], str]
BlockSetter = Callable[[Block, float, bool], str]
"""Sets a block in a column of so many em, one that flows over the page or one that stays whole."""


def panels(block: Panels, room: float, prose: ProseSetter, content: BlockSetter) -> str:
    """The panels in bands."""
    return "\n\n".join(_band(band, room, prose, content) for band in bands(block, room))


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


def _band(band: Sequence[tuple[Panel, float]], room: float, prose: ProseSetter, content: BlockSetter) -> str:
    if flows(band):
        parted = isinstance(band[0][0].blocks[0], Panels)
        above = "\\par\\addvspace{1.1ex}\n" if parted else _BEFORE_FLOWING
        return above + _inside(band[0][0], room, prose, content, True)
    titles = [bool(panel.title) for panel, _ in band]
    place = "[t]" if any(titles) else "[c]"
    top = r"\vspace{0pt}" if any(titles) and not all(titles) else ""  # titles are on one line
    cells = [
        f"\\begin{{minipage}}{place}{{{wide / room:.3f}\\linewidth}}{top}{_RAGGED * (wide < _NARROW)}"
        f"\\setlength{{\\parindent}}{{0pt}}\\setlength{{\\parskip}}{{.4ex}}\\setlength{{\\arraycolsep}}{{3pt}}\n"
        f"{indented(_inside(panel, wide, prose, content))}\n\\end{{minipage}}"
        for panel, wide in band
    ]
    inner = band[0][0].level == MOST or not band[0][0].title
    above = r"\par\nointerlineskip\vspace{1.2ex}" if inner else r"\par\addvspace{1.5ex}"
    return f"{above}\\noindent\n" + "\\hfill\n".join(cells) + "\\par"


def _inside(
    panel: Panel, room: float, prose: ProseSetter, content: BlockSetter, flowing: bool = False
) -> str:
    head = []
    if panel.title and panel.level < MOST:
        head = [rf"\sahead{{{numbered(prose(panel.title))}}}{{{prose(panel.formula)}}}"]
    elif panel.title:
        head = [rf"\noindent {prose(panel.title)}\par"]
    blocks = beside_its_matrices(panel.blocks, room)
    return "\n".join((*head, "\n\n".join(content(block, room, flowing) for block in blocks)))


def numbered(title: str) -> str:
    """A title with a space that does not break after its number."""
    number, gap, words = title.partition("  ")
    return rf"{number}\enspace {words}" if gap else title
