r"""A fragment for somebody's article: numbered equations with labels, in the type and colours around it.

In the case `Two heads` equation `Q = ...` has the label `eq:two-heads-Q`, its entry `Q_{21} = ...`
`eq:two-heads-Q-2-1`. Tints are mixed from the current colour, and left out where no package of the document
colours cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from symattn.text.document import Block, Display, Document, Formulas, Heatmap, Maths, Panel, Panels
from symattn.text.notation import Chain, Formula
from symattn.typeset.latex import (
    ROOM,
    WIDTH,
    Column,
    block_of_page,
    heading,
    macros_in,
    needs_east_asian,
    packages_for,
)
from symattn.typeset.latex_maths import maths
from symattn.typeset.latex_panels import PANEL
from symattn.typeset.latex_parts import indented
from symattn.typeset.latex_width import filled
from symattn.typeset.layout import SIZES, rows_of_each, size_for
from symattn.typeset.plain import plain_formula

_NUMBER = 3.5  # em of an equation's number with the space before it
_TINTS = {r"\color{gray}": r"\color{.!55}", r"\cellcolor{blue!15}": r"\cellcolor{.!14}"}
_LONGEST = 40  # characters of a label
_SETTINGS = r"\setlength{\arraycolsep}{3pt}"


def latex_article(document: Document, *, width: float = WIDTH, label: str = "symattn") -> str:
    """The document as a fragment for a text width of so many millimetres, without a preamble.

    The labels of its equations begin with `eq:` and the words of `label`.
    """
    prefix = re.sub(r"[^\w:.+-]+", "-", label).strip("-")
    article = _Article(Column(document.lang, False, ROOM * width / WIDTH), prefix or "symattn")
    body = _joined(article.parts(document.blocks))
    title = heading((document.title,), 1) if document.title else ""
    macros = macros_in(title + body)
    for colour, tint in _TINTS.items():
        macros = [macro.replace(colour, tint) for macro in macros]
    needs = ["% Needs in the preamble:", *(f"%   {package}" for package in packages_for(body))]
    if macros:
        needs.append(r"%   \usepackage{xcolor}  (its option `table` shades what a worked entry uses)")
    if needs_east_asian(document, body):
        needs.append(r"%   \usepackage[scheme=plain]{ctex}  (and xelatex or lualatex)")
    if r"\saused" in body:
        macros.append(r"\providecommand{\cellcolor}[1]{}")
    return "\n".join((*needs, *macros, "", title, "", body, ""))


class _Part(Struct, frozen=True):
    """A part of the source, and what decides how it goes on."""

    source: str
    kind: Literal["heading", "text", "display"]


class _Article:
    """An article being set; no label is given twice."""

    def __init__(self, column: Column, prefix: str) -> None:
        self.column = column
        self.prefix = prefix
        self.room = column.room - _NUMBER
        self.given: Counter[str] = Counter()

    def parts(self, blocks: Iterable[Block]) -> Iterator[_Part]:
        for block in blocks:
            match block:
                case Panels(panels=panels):
                    for panel in panels:
                        yield from self._panel(panel)
                case Display(lines=lines, kind=kind):
                    yield self._equations(lines, boxed=kind == "result")
                case Formulas(formulas=formulas):
                    yield from map(self._side_by_side, filled(formulas, self.room))
                case Heatmap():  # its numbers are those of the matrix
                    pass
                case _:
                    yield _Part(block_of_page(block, self.column), "text")

    def _panel(self, panel: Panel) -> Iterator[_Part]:
        if panel.title:
            yield _Part(heading(panel.title, panel.level + 1), "heading")
        match panel.formula, panel.blocks:
            case (Maths(Chain() as formula),), (Display(kind="plain", lines=(line,)) as first, *rest):
                yield from self.parts((replace(first, lines=(_with_matrices(formula, line),)), *rest))
            case (Maths(formula),), _:
                yield self._equations((formula,))
                yield from self.parts(panel.blocks)
            case _:
                yield from self.parts(panel.blocks)

    def _equations(self, lines: Sequence[Formula], *, boxed: bool = False) -> _Part:
        size, room = size_for(lines, self.room, SIZES)
        groups = rows_of_each(lines, room, PANEL, self.column.lang)
        labels = [self._label(line, "-result" if boxed else "") for line in lines]
        if len(groups) == 1 and len(groups[0]) == 1:
            whole = groups[0][0].whole
            body = f"\\boxed{{{whole}}}" if boxed else whole
            return _set("equation", f"{body}\n{labels[0]}", size)
        rows = [
            f"{row.left} &{row.right} {label if at == 0 else chr(92) + 'notag'}"
            for label, group in zip(labels, groups, strict=True)
            for at, row in enumerate(group)
        ]
        return _set("align", " \\\\\n".join(rows), size)

    def _side_by_side(self, formulas: Sequence[Formula]) -> _Part:
        """Formulas on one line, with the label of the first."""
        if len(formulas) == 1:
            return self._equations(formulas)
        body = " \\qquad\n".join(maths(formula, PANEL) for formula in formulas)
        return _set("equation", f"{body}\n{self._label(formulas[0])}", "")

    def _label(self, formula: Formula, ending: str = "") -> str:
        first = formula.first if isinstance(formula, Chain) else formula
        words = plain_formula(first).replace("'", "prime")
        name = re.sub(r"[^A-Za-z0-9_]+", "-", words).strip("-")[:_LONGEST] + ending
        self.given[name] += 1
        again = f"-{self.given[name]}" if self.given[name] > 1 else ""
        return f"\\label{{eq:{self.prefix}-{name}{again}}}"


def _with_matrices(formula: Chain, line: Formula) -> Chain:
    """The formula of a step with its matrices, as one chain."""
    if not isinstance(line, Chain):
        return replace(formula, links=(*formula.links, ("=", line)))
    links = line.links if line.first == formula.first else (("=", line.first), *line.links)
    return replace(formula, links=(*formula.links, *links))


def _set(environment: str, body: str, size: str) -> _Part:
    inside = f"\\begin{{{environment}}}\n{indented(body)}\n\\end{{{environment}}}"
    return _Part(f"{{{size}{_SETTINGS}%\n{inside}\n}}", "display")


def _joined(parts: Iterable[_Part]) -> str:
    """The parts with blank lines between them; a display goes on the paragraph before it."""
    body, before = "", ""
    for part in parts:
        if part.kind == "display" and before == "heading":
            body += "\n\n\\vspace{-0.4\\baselineskip}\n"
        elif body:
            body += "\n" if part.kind == "display" else "\n\n"
        body += part.source
        before = part.kind
    return body
