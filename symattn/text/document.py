"""A neutral document: what a page says, in order. A typesetter turns it into one string.

Prose is a tuple of inlines; a plain `str` in it is user text or narration and is escaped by the
typesetter, never by the author of the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from symattn.text.notation import Formula, Role


class Maths(Struct, frozen=True):
    """A formula inside a sentence."""

    formula: Formula


class Strong(Struct, frozen=True):
    """Emphasised words."""

    words: str


class Code(Struct, frozen=True):
    """Words as typed: a key, a file name, a command."""

    words: str


class Verdict(Struct, frozen=True):
    """Words that carry an audit's verdict, shown by more than colour."""

    words: str
    role: Role


Inline = str | Maths | Strong | Code | Verdict
Prose = tuple[Inline, ...]


class Heading(Struct, frozen=True):
    """A heading; level 1 is a step of the derivation, level 2 a part of a step."""

    words: Prose
    level: int = 1


class Paragraph(Struct, frozen=True):
    """A paragraph of prose."""

    words: Prose


class Display(Struct, frozen=True):
    """Displayed formulas, one a line, aligned at their first relation sign where they are chains.

    `worked` entries stand on a grey ground, a `result` in a box, where a format has either.
    """

    lines: tuple[Formula, ...]
    kind: Literal["plain", "worked", "result"] = "plain"


class Formulas(Struct, frozen=True):
    """Short displayed formulas side by side, as many in a line as fit."""

    formulas: tuple[Formula, ...]


class Bullets(Struct, frozen=True):
    """An unordered list."""

    items: tuple[Prose, ...]


class Table(Struct, frozen=True):
    """A table with a header row; `align` has one of l, c, r for each column."""

    header: tuple[Prose, ...]
    rows: tuple[tuple[Prose, ...], ...]
    align: str = ""


class Remark(Struct, frozen=True):
    """A fact that was proved, or a note: set apart from the running text, led by its label."""

    label: str
    words: Prose
    kind: Literal["proved", "note", "check", "warning"] = "proved"


class Heatmap(Struct, frozen=True):
    """Weights between 0 and 1 as tinted cells with their printed decimals, rows and columns labelled."""

    weights: tuple[tuple[float, ...], ...]
    printed: tuple[tuple[str, ...], ...]
    row_labels: tuple[str, ...] = ()
    col_labels: tuple[str, ...] = ()


class Panel(Struct, frozen=True):
    """Blocks that stay together under a title, with its formula at the far end of the title's line."""

    title: Prose
    blocks: tuple[Block, ...]
    formula: Prose = ()
    level: int = 1


class Panels(Struct, frozen=True):
    """Panels in order; those that are narrow enough stand side by side where a format has columns."""

    panels: tuple[Panel, ...]


class PageBreak(Struct, frozen=True):
    """A new page begins here, where a format has pages."""


Block = Heading | Paragraph | Display | Formulas | Bullets | Table | Remark | Heatmap | Panels | PageBreak


def in_one_column(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks for a format without columns and pages: a panel is a heading and what is under it."""
    for block in blocks:
        match block:
            case Panels(panels=panels):
                for panel in panels:
                    if panel.title:
                        between = (" ",) if panel.formula else ()
                        yield Heading((*panel.title, *between, *panel.formula), panel.level)
                    yield from in_one_column(panel.blocks)
            case PageBreak():
                pass
            case _:
                yield block


class Document(Struct, frozen=True):
    """A whole page: its title, its language (`en` or `zh`), its blocks in order."""

    title: str
    blocks: tuple[Block, ...]
    lang: str = "en"
