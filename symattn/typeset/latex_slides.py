"""Slides in LaTeX's beamer: a panel is a frame, and goes on with the next one where it is too high.

A frame breaks between blocks only, so long displays are taken apart before; what is still too large for a
frame is made smaller there by `\\safit`, which measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from symattn.text.document import Block, Display, Document, PageBreak, Panel, Panels, Paragraph, Table
from symattn.text.notation import Formula
from symattn.typeset.latex import (
    ROOM,
    WIDTH,
    Column,
    block_of_panel,
    macros_in,
    needs_east_asian,
    packages_for,
    prose_of,
)
from symattn.typeset.latex_panels import PANEL, numbered
from symattn.typeset.latex_width import prose_width
from symattn.typeset.layout import rows

_ROOM = ROOM * 144 / WIDTH  # em of a line of a frame
_TALLEST = 14.5  # lines of a display
_MOST_ROWS = 8  # of a table
_TITLE = 1.1  # em of a title's type

_PREAMBLE = r"""%% Compile with xelatex, twice for the bookmarks.
\documentclass[aspectratio=169,11pt,xcolor=table%s]{%s}
%s
\usefonttheme[onlymath]{serif}
\setbeamertemplate{navigation symbols}{}
\setbeamertemplate{frametitle continuation}{}
\setbeamertemplate{footline}{\hfill\scriptsize\color{black!60}\insertpagenumber\hspace{4mm}\vspace{2mm}}
\setbeamersize{text margin left=8mm,text margin right=8mm}
\setbeamercolor{structure}{fg=blue!45!black}
\setbeamercolor{frametitle}{fg=blue!45!black}
\splitmaxdepth=2pt %% of a band of minipages only the first line is above the baseline
\newsavebox{\safitbox}
\newcommand{\safit}[1]{\sbox\safitbox{$\displaystyle #1$}%%
  \ifdim\wd\safitbox>\linewidth \sbox\safitbox{\resizebox{\linewidth}{!}{\usebox\safitbox}}\fi
  \ifdim\dimexpr\ht\safitbox+\dp\safitbox\relax>.66\paperheight
    \sbox\safitbox{$\vcenter{\hbox{\resizebox*{!}{.66\paperheight}{\usebox\safitbox}}}$}\fi
  \usebox\safitbox}
%s"""


def slides(document: Document) -> str:
    """The document as source for beamer: each panel is a frame, after one with the title."""
    frames = "\n\n".join(_frames(document))
    macros = [each.replace(r"$\displaystyle #1$", r"\safit{#1}") for each in macros_in(frames)]
    used = [
        each
        for each in packages_for("\n".join((frames, *macros)))
        if "xcolor" not in each and "graphicx" not in each
    ]
    chinese = needs_east_asian(document, frames)
    scheme = "" if document.lang == "zh" else ",scheme=plain"
    head = _PREAMBLE % (
        f",fontset=fandol{scheme}" if chinese else "",
        "ctexbeamer" if chinese else "beamer",
        "\n".join(used if chinese else (r"\usepackage{fontspec}", *used)),
        "\n".join(macros),
    )
    return f"{head}\n\\begin{{document}}\n\n{frames}\n\n\\end{{document}}\n"


def _frames(document: Document) -> Iterator[str]:
    first = [block for block in document.blocks if not isinstance(block, Panels | PageBreak)]
    if first:
        yield _frame(Panel((document.title,), tuple(first)), document.lang, r"\small")
    for block in document.blocks:
        if isinstance(block, Panels):
            for panel in block.panels:
                yield _frame(panel, document.lang)


def _frame(panel: Panel, lang: str, size: str = "") -> str:
    column = Column(lang, True, _ROOM, panel=True)
    first = sorted(panel.blocks, key=lambda block: not _works(block))
    blocks = [part for block in first for part in _in_parts(block, lang, _ROOM)]
    title = numbered(prose_of(panel.title))
    if panel.formula:
        apart = _TITLE * (prose_width(panel.title) + prose_width(panel.formula)) + 2.0 > _ROOM
        formula = prose_of(panel.formula)
        title += rf"\\ \normalsize {formula}" if apart else rf"\hskip 0pt plus 1filll {{\large {formula}}}"
    body = "".join(_below(part) + block_of_panel(part, column) for part in blocks)
    settings = rf"{size}\setlength{{\arraycolsep}}{{3pt}}"
    return f"\\begin{{frame}}[allowframebreaks]{{{title}}}\n{settings}{body}\n\\end{{frame}}"


def _below(block: Block) -> str:
    """The gap above a block; a sentence stays on the frame of what is above it."""
    return "\n\n" + (r"\nobreak" if isinstance(block, Paragraph) else "") + "\\medskip\n"


def _in_parts(block: Block, lang: str, room: float) -> Iterator[Block]:
    """The block in parts that are not too high for a frame, as far as it can be taken apart."""
    match block:
        case Display(lines=lines):
            for part in _packed(lines, lang, room):
                yield replace(block, lines=part)
        case Table(rows=body):
            for start in range(0, len(body), _MOST_ROWS):
                yield replace(block, rows=body[start : start + _MOST_ROWS])
        case Panels(panels=inner):
            share = room / min(len(inner), 2)
            columns = [
                [part for each in panel.blocks for part in _in_parts(each, lang, share)] for panel in inner
            ]
            if all(len(parts) == len(panel.blocks) for panel, parts in zip(inner, columns, strict=True)):
                yield block
                return
            for at, level in enumerate(zip_longest(*columns)):
                yield Panels(
                    tuple(
                        replace(panel, title=() if at else panel.title, blocks=(part,))
                        for panel, part in zip(inner, level, strict=True)
                        if part is not None
                    )
                )
        case _:
            yield block


def _packed(lines: Sequence[Formula], lang: str, room: float) -> Iterator[tuple[Formula, ...]]:
    """The lines of a display, as many together as a frame holds."""
    packed: list[Formula] = []
    high = 0.0
    for line in lines:
        more = sum(_height(row.whole) for row in rows((line,), room, PANEL, lang))
        if packed and high + more > _TALLEST:
            yield tuple(packed)
            packed, high = [], 0.0
        packed.append(line)
        high += more
    yield tuple(packed)


def _height(source: str) -> float:
    """About how many lines of text a line of a display is high."""
    ends = source.count(r"\\")
    return 1.3 * (ends + 1) if ends else 2.4 if r"\frac" in source else 1.45


def _works(block: Block) -> bool:
    """Whether a block works entries out."""
    match block:
        case Display(kind=kind):
            return kind == "worked"
        case Panels(panels=panels):
            return any(_works(part) for panel in panels for part in panel.blocks)
        case _:
            return False
