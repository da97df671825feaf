"""A document as typst source, the same page as :mod:`symattn.typeset.latex` makes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
    in_one_column,
)
from symattn.text.notation import Formula, Number, Role
from symattn.typeset.latex_layout import size_for
from symattn.typeset.latex_text import is_east_asian, shows
from symattn.typeset.latex_width import WIDEST_INLINE, filled, prose_width, width
from symattn.typeset.precedence import split_scientific
from symattn.typeset.typst_grid import MATRIX
from symattn.typeset.typst_layout import lines
from symattn.typeset.typst_maths import typst_formula
from symattn.typeset.typst_text import escape, escape_prose, fonts_for, label, set_in, string

__all__ = ["CHINESE_FONTS", "typst", "typst_formula"]

CHINESE_FONTS = ("Noto Serif CJK SC", "Songti SC", "SimSun")
"""Fonts for Chinese where none is asked for: those of Linux, macOS and Windows."""

_ROOM = 42.0  # em in 166 mm at 11 pt, as on the LaTeX page
_LINE = "166mm"
_WHOLE = 6  # lines of a display that stay on one page
_SIZES = (("", 1.0), ("10pt", 10 / 10.95), ("9pt", 9 / 10.95))
_NARROW = 9.0  # em; a table of narrow columns only is made smaller where others wrap
_GAP = 1.12

_HEAD = """\
#set document(title: {title})
#set page(paper: "a4", margin: 22mm, numbering: "1")
#set text(font: ({text},), size: 10.95pt, lang: "{lang}"{region})
#show raw: set text(font: ("DejaVu Sans Mono", {text}))
#show table: set par(justify: false, first-line-indent: 0em)
#show math.equation: set text(font: ({maths},), weight: "regular")
#show math.equation.where(block: true): set par(leading: 0.72em)
#show math.equation.where(block: true): set block(above: 1em, below: 1em)
#show heading: set block(above: 1.5em, below: 0.9em)
#show heading.where(level: 1): set text(14.4pt)
#show heading.where(level: 2): set text(12pt)
#show heading.where(level: 3): set text(10.95pt)
#set list(indent: 1em)
{layout}"""
_LAYOUT = {
    "en": "#set par(justify: true, leading: 0.6em, spacing: 1.05em)",
    "zh": "#set par(justify: true, leading: 0.85em, spacing: 0.85em)\n"
    "#set par(first-line-indent: (amount: 2em, all: true))",
}
_FUNCTIONS = {
    "matrix(": MATRIX,
    "fit(": """\
// made smaller where it is wider than the room
#let fit(room, body) = context {
  let wide = measure(body).width
  if wide > room.to-absolute() { scale(room.to-absolute() / wide * 100%, reflow: true, body) } else { body }
}""",
    "lead[": "#let lead(words) = block(sticky: true, above: 1.1em, below: 1em, words)",
    "slip(": "#let slip(body) = { set text(rgb(80%, 0%, 0%)); $cancel(body)$ }",
    "carried(": "#let carried(body) = { set text(rgb(75%, 38%, 0%)); $underline(body)^dagger$ }",
    "rounded(": "#let rounded(body) = $attach(limits(body), b: tilde)$",
    "undecided(": "#let undecided(body) = $body^?$",
    "verdict-slip[": "#let verdict-slip(words) = text(rgb(80%, 0%, 0%))[*#words*$zws^times$]",
    "verdict-carried[": "#let verdict-carried(words) = text(rgb(75%, 38%, 0%))[#words$zws^dagger$]",
}
_VERDICTS: dict[Role, str] = {
    "slip": "#verdict-slip[%s];",
    "carried": "#verdict-carried[%s];",
    "rounding": "%s$zws^tilde$",
    "undecided": "%s$zws^?$",
    "right": "%s",
    "token": "#emph[%s];",
    "used": "%s",
}
_LEDS = {
    "proved": "*{}*",
    "note": "#emph[{}];",
    "check": "$checkmark$ *{}*",
    "warning": "#text(rgb(80%, 0%, 0%))[*! {}*];",
}


def typst(
    document: Document, *, chinese: Sequence[str] = CHINESE_FONTS, installed: frozenset[str] | None = None
) -> str:
    """The document as source for typst 0.15; of the `chinese` fonts the first that is there is taken.

    Scripts without a font among the `installed` ones are spelled out; None where these are not known.
    """
    with set_in(installed):
        return _page(document, chinese)


def _page(document: Document, chinese: Sequence[str]) -> str:
    body = "\n\n".join(filter(None, _blocks(document)))
    head = _head(document, body, chinese)
    defined = [source for call, source in _FUNCTIONS.items() if call in body]
    if _FUNCTIONS["matrix("] not in defined and "#label(" in body:
        defined.append(_FUNCTIONS["matrix("])
    title = f"#align(center, text(17.3pt, {string(document.title)}))" if document.title else ""
    return "\n".join((head, *defined, "", title, "", body, ""))


def _head(document: Document, body: str, chinese: Sequence[str]) -> str:
    source = body + document.title
    east_asian = document.lang == "zh" or any(is_east_asian(c) and shows(c) for c in source)
    roman, maths = string("New Computer Modern"), string("New Computer Modern Math")
    scripts, last = fonts_for(source)
    others = [*(map(string, chinese) if east_asian else ()), *last]
    lang = "zh" if document.lang == "zh" else "en"
    return _HEAD.format(
        title=string(document.title),
        text=", ".join((*scripts, roman, maths, *others)),
        maths=", ".join((*scripts, maths, *others)),
        lang=lang,
        region=', region: "cn"' if lang == "zh" else "",
        layout=_LAYOUT[lang],
    )


def _blocks(document: Document) -> Iterator[str]:
    """The blocks in order; a paragraph and the display after it stay on one page."""
    blocks = tuple(in_one_column(document.blocks))
    followers = (*blocks, None)[1:]
    for block, after in zip(blocks, followers, strict=True):
        source = _block(block, document.lang)
        together = source and isinstance(block, Paragraph) and isinstance(after, Display)
        yield f"#lead[{source}]" if together else source


def _block(block: Block, lang: str) -> str:
    match block:
        case Heading(words=words, level=level):
            said = re.sub(r"^(\d[\d.]*)[ ~]{2,}", r"\1 #h(1em) ", _prose(words))
            return f"{'=' * min(level, 3)} {said}"
        case Paragraph(words=words):
            return _prose(words, lang)
        case Display(lines=formulas):
            return _display(formulas, lang)
        case Formulas(formulas=formulas):
            return _side_by_side(formulas, lang)
        case Bullets(items=items):
            return "\n".join("- " + _prose(item, lang).replace("\n", "\n  ") for item in items)
        case Table():
            return _table(block)
        case Remark():
            return _remark(block, lang)
        case Heatmap():
            return _heatmap(block)
        case Panels() | PageBreak():
            raise TypeError("this page has one column: `in_one_column` takes panels apart")


def _side_by_side(formulas: tuple[Formula, ...], lang: str) -> str:
    """Formulas in lines of as many as fit."""
    found = []
    for line in filled(formulas, _ROOM):
        shown = (" ".join(f"{left} {right}" for left, right in lines((each,), _ROOM, lang)) for each in line)
        found.append(_display(line, lang) if len(line) == 1 else f"$ {' quad '.join(shown)} $")
    return "\n\n".join(found)


def _display(formulas: tuple[Formula, ...], lang: str) -> str:
    if not formulas:
        return ""
    size, room = size_for(formulas, _ROOM, _SIZES)
    found = lines(formulas, room, lang)
    aligned = len(found) > 1 and any(left for left, _ in found)
    rows = (f"{left} &{right}" if aligned else f"{left} {right}" for left, right in found)
    source = "$ " + " \\\n".join(row.strip() for row in rows).replace("\n", "\n  ") + " $"
    settings = [f"#set text({size})"] if size else []
    if len(found) > _WHOLE:
        settings.append("#show math.equation: set block(breakable: true)")
    return "\n".join(("#[", *settings, source, "]")) if settings else source


def _remark(remark: Remark, lang: str) -> str:
    ended = remark.label.endswith((".", ":", "。", "：", "!", "！"))
    led = escape_prose(remark.label + ("" if ended else "：" if lang == "zh" else "."))
    words = f"{_LEDS[remark.kind].format(led)} {_prose(remark.words, lang)}"
    return f"#[\n#set par(first-line-indent: 0em)\n{words}\n]" if lang == "zh" else words


def _prose(words: Prose, lang: str | None = None) -> str:
    """Running prose in `lang`; without a language, prose that may not hold a display (a cell, a heading)."""
    return "".join(_inline(inline, lang) for inline in words)


def _inline(inline: Inline, lang: str | None) -> str:
    match inline:
        case str():
            return escape_prose(inline)
        case Maths(formula=formula):
            wide = width(formula, display=False) > WIDEST_INLINE
            if wide and lang is not None:
                return f"\n{_display((formula,), lang)}\n"
            source = re.sub(r"\n *", " ", typst_formula(formula))
            return f"#fit({_LINE}, ${source}$);" if wide else f"${source}$"
        case Strong(words=words):
            return f"#strong[{escape_prose(words)}];"
        case Code(words=words):
            return f"#raw({string(words)});"
        case Verdict(words=words, role=role):
            return _VERDICTS[role] % escape_prose(words)


def _table(block: Table) -> str:
    count = max(map(len, (block.header, *block.rows)))
    if not count:
        return ""
    rows = [row + ((),) * (count - len(row)) for row in (block.header, *block.rows)]
    natural = [max(map(prose_width, column)) for column in zip(*rows, strict=True)]
    wide = sum(natural) + _GAP * count > _ROOM
    sides = {"l": "left", "c": "center", "r": "right"}
    aligns = ", ".join(sides[side] for side in (block.align + "l" * count)[:count])
    head, *body = ("  " + ", ".join(f"[{_prose(cell)}]" for cell in row) for row in rows)
    source = "\n".join(
        (
            f"table(columns: {count}, align: ({aligns},), stroke: none, inset: (x: 0.5em, y: 0.3em),",
            "  table.hline(stroke: 0.8pt), table.header(",
            f"  {head}),",
            "  table.hline(stroke: 0.5pt),",
            *(f"{row}," for row in body),
            "  table.hline(stroke: 0.8pt))",
        )
    )
    if wide and all(column <= _NARROW for column in natural):
        source = f"fit({_LINE}, {source})"
    return (
        f"#align(center, text({9 if wide else 10.95}pt, {source}))" if wide else f"#align(center, {source})"
    )


def _heatmap(block: Heatmap) -> str:
    """Tinted cells with their decimals; the tint is blue, from 0 to 60 percent, so black stays readable."""
    labels = block.row_labels or ("",) * len(block.weights)
    count = len(block.weights[0]) if block.weights else 0
    out = [f"table(columns: {count + 1}, align: (x, y) => if x == 0 {{ right }} else {{ center }} + horizon,"]
    out.append("  stroke: none, inset: (x: 0.55em, y: 0.5em),")
    if block.col_labels:
        out.append("  [], " + ", ".join(map(_label, block.col_labels)) + ",")
    for name, weights, printed in zip(labels, block.weights, block.printed, strict=True):
        cells = (
            f"table.cell(fill: {_tint(weight)})[{_decimal(words)}]"
            for weight, words in zip(weights, printed, strict=True)
        )
        out.append(f"  {_label(name) if name else '[]'}, {', '.join(cells)},")
    return f"#align(center, block(breakable: false, fit({_LINE}, " + "\n".join(out) + "\n))))"


def _label(words: str) -> str:
    return f"text(8pt, luma(45%), {label(words)})"


def _decimal(printed: str) -> str:
    """A printed decimal; `9.36e-14` as a power of ten."""
    number = Number(printed)
    return escape(printed) if split_scientific(number)[1] is None else f"${typst_formula(number)}$"


def _tint(weight: float) -> str:
    pale = 100 - round(60 * min(1.0, max(0.0, weight)))
    return f"rgb({pale}%, {pale}%, 100%)"
