"""A document as LaTeX: a fragment to paste, or a whole document that xelatex compiles."""

from __future__ import annotations

import re
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from symattn.text.document import (
    Block,
    Bullets,
    Code,
    Display,
    Document,
    Formulas,
    Heading,
    Heatmap,
    Inline,
    Maths,
    PageBreak,
    Panels,
    Paragraph,
    Prose,
    Remark,
    Strong,
    Table,
    Verdict,
)
from symattn.text.notation import Chain, Formula, Grid, Role, Sum, parts
from symattn.typeset.latex_maths import PAGE, latex_formula
from symattn.typeset.latex_panels import MACROS, in_panel, panels, side_by_side
from symattn.typeset.latex_parts import indented
from symattn.typeset.latex_scripts import definitions
from symattn.typeset.latex_table import heatmap, table, tightly
from symattn.typeset.latex_text import escape_prose, is_east_asian, shows
from symattn.typeset.latex_width import WIDEST_INLINE, width
from symattn.typeset.layout import SIZES, Row, rows, size_for

__all__ = ["latex", "latex_formula"]

WIDTH = 170.0  # mm of a line of the whole document
ROOM = 43.0  # em in so many mm at 11 pt, with a margin for the estimate
_WHOLE = 6  # lines of a display that stay on one page
_FEWEST = 2  # lines of a longer one before and after a page break

_APART = "[4pt]"  # of lines with stacked fractions or labels over columns

_NO_WIDER_THAN_LINE = r"\resizebox{\ifdim\width>\linewidth \linewidth\else \width\fi}{!}{$%s$}"

_AFTER_FIRST_PAGE = r"\ifnum\value{page}=1 \ifdim\pagetotal<\pagegoal \newpage\fi\fi"
"""A new page, unless the first one has run over already."""

_MACROS = {
    r"\rowlabel": r"\providecommand{\rowlabel}[1]{\text{\scriptsize\color{gray}#1}}",
    r"\columnlabel": (
        r"\providecommand{\columnlabel}[2]"
        r"{\overset{\smash{\raisebox{0.55em}{\scriptsize\color{gray}#1}}}{#2}}"
    ),
    r"\satall": (
        r"\providecommand{\satall}[1]{{\setbox0\hbox{$\displaystyle #1$}"
        r"\ht0=\dimexpr\ht0+.35em\relax\dp0=\dimexpr\dp0+.35em\relax\box0}}"
    ),
    r"\slip": r"\providecommand{\slip}[1]{{\color{red!80!black}\cancel{#1}}}",
    r"\carried": r"\providecommand{\carried}[1]{{\color{orange!75!black}\underline{#1}^{\dagger}}}",
    r"\rounded": r"\providecommand{\rounded}[1]{\underset{\smash{\sim}}{#1}}",
    r"\undecided": r"\providecommand{\undecided}[1]{{#1}^{?}}",
    **MACROS,
}
_PACKAGES = (
    (r"\\checkmark", r"\usepackage{amssymb}"),
    (r"\\arraybackslash", r"\usepackage{array}"),
    (r"\\sascript", r"\usepackage{fontspec} % and xelatex"),
    (r"\\toprule", r"\usepackage{booktabs}"),
    (r"\\cancel", r"\usepackage{cancel}"),
    (r"\\resizebox", r"\usepackage{graphicx}"),
    (r"\\begin\{longtable\}", r"\usepackage{longtable}"),
    (r"\\cellcolor", r"\usepackage[table]{xcolor}"),
)
_VERDICTS: dict[Role, str] = {
    "slip": r"\textcolor{red!80!black}{\textbf{%s}$^{\times}$}",
    "carried": r"\textcolor{orange!75!black}{%s$^{\dagger}$}",
    "rounding": r"%s$^{\sim}$",
    "undecided": r"%s$^{?}$",
    "right": "%s",
    "token": r"\textsf{%s}",
    "used": "%s",
}


class Column(Struct, frozen=True):
    """Where a block is set: in a column of `room` em of the page, or of a panel on it."""

    lang: str
    standalone: bool
    room: float
    panel: bool = False
    breaks: bool = False
    """Whether a table may go on on the next page."""


def latex(document: Document, *, standalone: bool = False, width: float = WIDTH) -> str:
    """The document as LaTeX source, for a text width of so many millimetres at 11 pt.

    A fragment names the packages that it needs in a comment at its top. With `standalone`, the result
    is a whole document that `xelatex` compiles in one run (with the fonts that TeX Live brings).
    """
    body = _body(document, Column(document.lang, standalone, ROOM * width / WIDTH))
    title = escape_prose(document.title)
    macros = macros_in(title + body)
    packages = packages_for("\n".join((body, *macros)))
    east_asian = needs_east_asian(document, body)
    if standalone:
        head = _preamble(packages, macros, east_asian, document.lang)
        heading = f"\\begin{{center}}\n  \\LARGE {title}\n\\end{{center}}\n\n" if title else ""
        return f"{head}\n\\begin{{document}}\n\n{heading}{body}\n\n\\end{{document}}\n"
    needs = ["% Needs in the preamble:", *(f"%   {package}" for package in packages)]
    if east_asian:
        scheme = "" if document.lang == "zh" else ", scheme=plain"
        needs.append(rf"%   \usepackage[fontset=fandol{scheme}]{{ctex}}  (and xelatex)")
    heading = f"\\section*{{{title}}}\n\n" if title else ""
    return "\n".join((*needs, *macros, "", heading + body, ""))


def needs_east_asian(document: Document, body: str) -> bool:
    """Whether the page needs fonts for Chinese."""
    return document.lang == "zh" or any(is_east_asian(c) and shows(c) for c in body + document.title)


def macros_in(body: str) -> list[str]:
    """The definitions of the macros that the source uses."""
    own = [definition for name, definition in _MACROS.items() if re.search(re.escape(name) + r"\b", body)]
    return [*own, *definitions(body)]


def packages_for(source: str) -> list[str]:
    """What loads the packages that the source uses."""
    needed = [package for pattern, package in _PACKAGES if re.search(pattern, source)]
    coloured = r"\color" in source or r"\textcolor" in source
    if coloured and r"\usepackage[table]{xcolor}" not in needed:
        needed.append(r"\usepackage{xcolor}")
    return [r"\usepackage{amsmath}", *needed]


def _preamble(packages: list[str], macros: list[str], east_asian: bool, lang: str) -> str:
    """English pages that hold Chinese tokens take the CJK fonts but no Chinese conventions."""
    if east_asian:
        scheme = "" if lang == "zh" else ",scheme=plain"
        opening = [rf"\documentclass[11pt,a4paper,fontset=fandol,zihao=false{scheme}]{{ctexart}}"]
    else:
        opening = [r"\documentclass[11pt,a4paper]{article}", r"\usepackage{fontspec}"]
    layout = [
        r"\allowdisplaybreaks",
        r"\setlength{\emergencystretch}{14em}",
        r"\raggedbottom",
        r"\pagestyle{plain}",
    ]
    if lang == "zh":
        layout += [r"\ctexset{section/format=\Large\bfseries}", r"\linespread{1.12}\selectfont"]
    else:
        layout += [r"\setlength{\parindent}{0pt}", r"\setlength{\parskip}{0.5em}"]
    return "\n".join(
        (
            "% Compile with xelatex.",
            *opening,
            r"\usepackage[hmargin=20mm,top=16mm,bottom=20mm,footskip=10mm]{geometry}",
            *packages,
            *layout,
            *macros,
            "",
        )
    )


def _body(document: Document, column: Column) -> str:
    """The blocks in order. A display goes on the paragraph before it: a blank line would open a gap.

    No page ends between two displays: the second works out entries of the first.
    """
    body = ""
    before: Block | None = None
    sources = ((block, block_of_page(block, column)) for block in document.blocks)
    found = [(block, source) for block, source in sources if source]
    for (block, source), (after, _) in zip_longest(found, found[1:], fillvalue=(None, "")):
        if isinstance(block, Display) and isinstance(after, Display):
            source = "\\postdisplaypenalty=10000\n" + source
        elif isinstance(block, Display) and isinstance(before, Display):
            source = "\\postdisplaypenalty=0\n" + source
        if isinstance(block, Display) and isinstance(before, Heading):
            # a display that begins a paragraph leaves an empty line above itself
            source = "\\vspace{-0.6\\baselineskip}\n" + source
        joined = isinstance(block, Display) and isinstance(before, Paragraph | Display)
        body += ("\n" if joined else "\n\n") * (before is not None) + source
        before = block
    return body


def block_of_page(block: Block, column: Column) -> str:
    lang, room = column.lang, column.room
    match block:
        case Heading(words=words, level=level):
            return heading(words, level + (0 if column.standalone else 1))
        case Paragraph(words=words):
            return prose_of(words, column)
        case Display(lines=lines, kind=kind):
            return _display(lines, column) if kind != "result" else in_panel(block, lang, room)
        case Formulas():
            return side_by_side(block, lang, room)
        case Bullets(items=items):
            listed = "\n".join(rf"  \item {_guarded(prose_of(item, column))}" for item in items)
            return f"\\begin{{itemize}}\n{listed}\n\\end{{itemize}}" if items else ""
        case Table():
            return table(block, prose_of, room)
        case Remark():
            return _remark(block, column)
        case Heatmap():
            return heatmap(block, room)
        case Panels():

            def content(part: Block, wide: float, flows: bool) -> str:
                breaks = flows and column.standalone  # a longtable is none of two columns
                return block_of_panel(part, replace(column, room=wide, panel=True, breaks=breaks))

            return panels(block, room, prose_of, content)
        case PageBreak():
            return _AFTER_FIRST_PAGE if column.standalone else ""


def block_of_panel(block: Block, column: Column) -> str:
    """A block of a panel: displays flush left, items close together."""
    match block:
        case Display():
            return in_panel(block, column.lang, column.room)
        case Bullets(items=items):
            return "\n".join(rf"\saitem{{{prose_of(item, column)}}}" for item in items)
        case Table():
            return table(block, prose_of, column.room, centred=tightly, breaks=column.breaks)
        case Heatmap():
            return heatmap(block, column.room, centred=tightly)
        case _:
            return block_of_page(block, column)


def heading(words: Prose, level: int) -> str:
    """A heading without a number."""
    command = {1: "section*", 2: "subsection*", 3: "subsubsection*"}.get(level, "paragraph*")
    said = re.sub(r"^(\d[\d.]*)[ ~]{2,}", r"\1\\quad ", prose_of(words))
    return rf"\{command}{{{said}}}"


def _display(formulas: tuple[Formula, ...], column: Column) -> str:
    if not formulas:
        return ""
    chosen, room = size_for(formulas, column.room, SIZES)
    body = _environment(rows(formulas, room, PAGE, column.lang))
    return f"{{{chosen}%\n{body}\n}}" if chosen else body


def _environment(lines: list[Row]) -> str:
    if len(lines) == 1:
        return f"\\[\n{indented(lines[0].whole)}\n\\]"
    glued = [not row.left for row in lines]  # a line that goes on with the one before
    if all(glued) and not any(row.right.startswith("=") for row in lines):
        return _lines("gather*", [row.right for row in lines], [False] * len(lines))
    widest = max(len(row.left) for row in lines)
    return _lines("align*", [f"{row.left.rjust(widest)} &{row.right}" for row in lines], glued)


def _lines(environment: str, lines: list[str], glued: list[bool]) -> str:
    low = not any(r"\begin{" in line for line in lines)
    said = ""
    for at, line in enumerate(lines):
        said += line.replace("\n", "\n    ")
        if at < len(lines) - 1:
            whole = low and (glued[at + 1] or _together(at, len(lines)))
            loose = all(r"\frac" in each or r"\columnlabel" in each for each in lines[at : at + 2])
            said += f" \\\\{'*' * whole}{_APART * loose}\n"
    return f"\\begin{{{environment}}}\n{indented(said)}\n\\end{{{environment}}}"


def _together(at: int, count: int) -> bool:
    """Whether no page ends after line `at`: short displays stay whole, no line of a long one stands alone."""
    return count <= _WHOLE or at < _FEWEST - 1 or at >= count - _FEWEST


def _remark(remark: Remark, column: Column) -> str:
    stop = (
        ""
        if remark.label.endswith((".", ":", "。", "：", "!", "！"))
        else "："
        if column.lang == "zh"
        else "."
    )
    label = escape_prose(remark.label) + stop
    led = {
        "proved": rf"\textbf{{{label}}}",
        "note": rf"\textit{{{label}}}",
        "check": rf"$\checkmark$ \textbf{{{label}}}",
        "warning": rf"\textcolor{{red!80!black}}{{\textbf{{! {label}}}}}",
    }[remark.kind]
    return f"\\medskip\\noindent {led} {prose_of(remark.words, column)}"


def prose_of(words: Prose, column: Column | None = None) -> str:
    """Running prose; without a column, prose that may not hold a display (a cell, a heading)."""
    return "".join(_inline(inline, column) for inline in words)


def _inline(inline: Inline, column: Column | None) -> str:
    match inline:
        case str():
            return escape_prose(inline)
        case Maths(formula=formula):
            source = " ".join(latex_formula(formula).split())
            if width(formula, display=False) <= WIDEST_INLINE:
                return f"${source}$"
            if column is not None:
                return (
                    f"\n{(block_of_panel if column.panel else block_of_page)(Display((formula,)), column)}\n"
                )
            breakable = isinstance(formula, Sum | Chain) and not any(
                isinstance(p, Grid) for p in parts(formula)
            )
            return f"${source}$" if breakable else _NO_WIDER_THAN_LINE % source
        case Strong(words=words):
            return rf"\textbf{{{escape_prose(words)}}}"
        case Code(words=words):
            return rf"\texttt{{{escape_prose(words)}}}"
        case Verdict(words=words, role=role):
            return _VERDICTS[role] % escape_prose(words)


def _guarded(text: str) -> str:
    """Text after \\item or \\\\, where an opening bracket would be taken for an option."""
    return "{}" + text if text.startswith(("[", "*")) else text
