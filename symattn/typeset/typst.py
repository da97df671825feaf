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
    Panel,
    Panels,
    Paragraph,
    Prose,
    Remark,
    Strong,
    Table,
    Verdict,
)
from symattn.text.notation import Formula, Number, Role
from symattn.typeset.bands import BETWEEN, FRAMES, bands, beside_its_matrices, flows, panel_width
from symattn.typeset.latex_text import is_east_asian, shows
from symattn.typeset.latex_width import WIDEST_INLINE, filled, prose_width, width
from symattn.typeset.layout import rows, size_for
from symattn.typeset.precedence import split_scientific
from symattn.typeset.typst_grid import MATRIX
from symattn.typeset.typst_layout import TYPST
from symattn.typeset.typst_maths import typst_formula
from symattn.typeset.typst_text import escape, escape_prose, fonts_for, label, set_in, string

__all__ = ["CHINESE_FONTS", "typst", "typst_formula"]

CHINESE_FONTS = ("Noto Serif CJK SC", "Songti SC", "SimSun")
"""Fonts for Chinese where none is asked for: those of Linux, macOS and Windows."""

_ROOM = 43.0  # em in 170 mm at 11 pt, as on the LaTeX page
_LINE = 170.0
_WHOLE = 6  # lines of a display that stay on one page
_SIZES = (("", 1.0), ("10pt", 10 / 10.95), ("9pt", 9 / 10.95))
_NARROW = 9.0  # em; a table of narrow columns only is made smaller where others wrap
_GAP = 1.12
_PLAIN_TITLE = 3  # the level of a panel that has no line under its title

_AFTER_FIRST_PAGE = """\
#metadata(none) <overview-end>
#context if locate(<overview-end>).page() == 1 { pagebreak(weak: true) }"""
"""A new page, unless the first one has run over already; asked with here(), two footers would have 1."""

_HEAD = """\
#set document(title: {title})
#set page(paper: "a4", margin: (x: 20mm, top: 16mm, bottom: 20mm),
  footer: context align(center, str(here().page())))
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
    "lead[": "#let lead(words) = block(sticky: true, width: 100%, above: 1.1em, below: 1em, words)",
    "used(": "#let used(body) = box(fill: rgb(85%, 85%, 100%), outset: (x: 0.28em, y: 0.3em), "
    "$display(body)$)",
    "panel(": """\
// a panel with its title and, at the end of that line, its formula
#let panel(title, formula, body) = {
  set par(first-line-indent: 0em, spacing: 0.7em)
  show math.equation.where(block: true): set align(start)
  show math.equation.where(block: true): set block(above: 0.8em, below: 0.8em)
  if title != [] {
    block(sticky: true, below: 0.7em, stroke: (bottom: 0.4pt + rgb(70%, 70%, 100%)), width: 100%,
      inset: (bottom: 0.35em), { set par(justify: false); text(rgb(0%, 0%, 45%), [*#title*#h(1fr)#formula]) })
  }
  body
}""",
    "worked[": "#let worked(body) = block(fill: luma(95%), inset: 0.35em, width: 100%, above: 0.8em, "
    "below: 0.8em, body)",
    "result[": "#let result(body) = box(stroke: 0.9pt + rgb(0%, 0%, 45%), inset: 0.55em, body)",
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
    """The blocks in order; what a display follows stays on its page."""
    followers = (*document.blocks, None)[1:]
    for block, after in zip(document.blocks, followers, strict=True):
        source = _block(block, document.lang, _ROOM)
        together = source and isinstance(block, Paragraph | Display) and isinstance(after, Display)
        yield f"#lead[{source}]" if together else source


def _block(block: Block, lang: str, room: float) -> str:
    match block:
        case Heading(words=words, level=level):
            return f"{'=' * min(level, 3)} {_numbered(words)}"
        case Paragraph(words=words):
            return _prose(words, lang, room)
        case Display(lines=formulas, kind=kind):
            source = _display(formulas, lang, room - FRAMES[kind])
            return source if kind == "plain" or not source else f"#{kind}[\n{source}\n]"
        case Formulas(formulas=formulas):
            return _side_by_side(formulas, lang, room)
        case Bullets(items=items):
            return "\n".join("- " + _prose(item, lang, room).replace("\n", "\n  ") for item in items)
        case Table():
            return _table(block, room)
        case Remark():
            return _remark(block, lang, room)
        case Heatmap():
            return _heatmap(block, room)
        case Panels():
            return "\n\n".join(_band(band, lang, room) for band in bands(block, room))
        case PageBreak():
            return _AFTER_FIRST_PAGE


def _band(band: Sequence[tuple[Panel, float]], lang: str, room: float) -> str:
    """Panels side by side, which no page breaks."""
    if len(band) == 1:
        source = _panel(band[0][0], lang, room)
        return source if flows(band) else f"#block(breakable: false, width: 100%)[\n{source}\n]"
    columns = ", ".join(f"{100 * wide / room:.1f}%" for _, wide in band)
    cells = "".join(f"[\n{_panel(panel, lang, wide)}\n]" for panel, wide in band)
    sides = "top" if any(panel.title for panel, _ in band) else "horizon"
    spare = f"{100 * BETWEEN / room:.1f}%"
    grid = f"grid(columns: ({columns}), column-gutter: {spare}, align: {sides})"
    return f"#block(breakable: false, width: 100%, {grid}{cells})"


def _panel(panel: Panel, lang: str, room: float) -> str:
    body = "\n\n".join(_block(block, lang, room) for block in beside_its_matrices(panel.blocks, room))
    title, formula = _numbered(panel.title), _prose(panel.formula)
    if panel.level == _PLAIN_TITLE and title:
        title, body = "", f"{title}\n\n{body}"
    return f"#panel([{title}], [{formula}])[\n{body}\n]"


def _numbered(words: Prose) -> str:
    return re.sub(r"^(\d[\d.]*)[ ~]{2,}", r"\1 #h(1em) ", _prose(words))


def _side_by_side(formulas: tuple[Formula, ...], lang: str, room: float) -> str:
    """Formulas in lines of as many as fit."""
    found = []
    for line in filled(formulas, room, BETWEEN, panel_width):
        shown = (" ".join(row.whole for row in rows((each,), room, TYPST, lang)) for each in line)
        found.append(_display(line, lang, room) if len(line) == 1 else f"$ {' quad '.join(shown)} $")
    return "\n\n".join(found)


def _display(formulas: tuple[Formula, ...], lang: str, room: float) -> str:
    if not formulas:
        return ""
    if all(panel_width(line) <= room for line in formulas):
        size, room = "", max([room, *(width(line) + 0.1 for line in formulas)])  # nothing need be broken
    else:
        size, room = size_for(formulas, room, _SIZES)
    found = rows(formulas, room, TYPST, lang)
    aligned = len(found) > 1 and any(row.left for row in found)
    lines = (f"{row.left} &{row.right}".strip() if aligned else row.whole for row in found)
    source = "$ " + " \\\n".join(lines).replace("\n", "\n  ") + " $"
    settings = [f"#set text({size})"] if size else []
    if len(found) > _WHOLE:
        settings.append("#show math.equation: set block(breakable: true)")
    return "\n".join(("#[", *settings, source, "]")) if settings else source


def _remark(remark: Remark, lang: str, room: float) -> str:
    ended = remark.label.endswith((".", ":", "。", "：", "!", "！"))
    led = escape_prose(remark.label + ("" if ended else "：" if lang == "zh" else "."))
    words = f"{_LEDS[remark.kind].format(led)} {_prose(remark.words, lang, room)}"
    return f"#[\n#set par(first-line-indent: 0em)\n{words}\n]" if lang == "zh" else words


def _prose(words: Prose, lang: str | None = None, room: float = _ROOM) -> str:
    """Running prose in `lang`; without a language, prose that may not hold a display (a cell, a heading)."""
    return "".join(_inline(inline, lang, room) for inline in words)


def _inline(inline: Inline, lang: str | None, room: float) -> str:
    match inline:
        case str():
            return escape_prose(inline)
        case Maths(formula=formula):
            wide = width(formula, display=False) > WIDEST_INLINE
            if wide and lang is not None:
                return f"\n{_display((formula,), lang, room)}\n"
            source = re.sub(r"\n *", " ", typst_formula(formula))
            return f"#fit({_length(room)}, ${source}$);" if wide else f"${source}$"
        case Strong(words=words):
            return f"#strong[{escape_prose(words)}];"
        case Code(words=words):
            return f"#raw({string(words)});"
        case Verdict(words=words, role=role):
            return _VERDICTS[role] % escape_prose(words)


def _table(block: Table, room: float) -> str:
    count = max(map(len, (block.header, *block.rows)))
    if not count:
        return ""
    rows = [row + ((),) * (count - len(row)) for row in (block.header, *block.rows)]
    natural = [max(map(prose_width, column)) for column in zip(*rows, strict=True)]
    wide = sum(natural) + _GAP * count > room
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
        source = f"fit({_length(room)}, {source})"
    return (
        f"#align(center, text({9 if wide else 10.95}pt, {source}))" if wide else f"#align(center, {source})"
    )


def _heatmap(block: Heatmap, room: float) -> str:
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
    return f"#align(center, block(breakable: false, fit({_length(room)}, " + "\n".join(out) + "\n))))"


def _length(room: float) -> str:
    return f"{_LINE * room / _ROOM:.0f}mm"


def _label(words: str) -> str:
    return f"text(8pt, luma(45%), {label(words)})"


def _decimal(printed: str) -> str:
    """A printed decimal; `9.36e-14` as a power of ten."""
    number = Number(printed)
    return escape(printed) if split_scientific(number)[1] is None else f"${typst_formula(number)}$"


def _tint(weight: float) -> str:
    pale = 100 - round(60 * min(1.0, max(0.0, weight)))
    return f"rgb({pale}%, {pale}%, 100%)"
