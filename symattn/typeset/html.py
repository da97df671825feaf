"""A document as HTML that needs no network and no script; its formulas are MathML."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
from symattn.text.notation import Formula, Number
from symattn.typeset.cjk import plain
from symattn.typeset.html_page import fragment, page
from symattn.typeset.mathml import escaped, mathml
from symattn.typeset.mathml_lines import breadth, display
from symattn.typeset.precedence import split_scientific
from symattn.typeset.roles import SIGNS
from symattn.typeset.scripts import directed
from symattn.typeset.stacked import natural_width, stacks

PRINTED = 72  # characters of a formula that fit on paper at the size of the text
_PHONE = 22.0  # em of a table that fits 390 pixels
_REMARK_SIGNS = {"proved": "∎", "check": "✓", "note": "›", "warning": "⚠\ufe0e"}

_ENDED = re.compile(r"(<math\b(?:(?!</math>).)*</math>[.,;:)。，；：）、]+)", re.DOTALL)


def html(document: Document, *, standalone: bool = True) -> str:
    """The document as a whole page, or with `standalone=False` as a fragment for `_repr_html_`.

    User text is escaped everywhere; control characters and bidirectional overrides are shown.
    """
    title, lang = escaped(plain(document.title)), escaped(document.lang)
    body = body_html(document)
    return page(title or "symattn", lang, body) if standalone else fragment(lang, body)


def body_html(document: Document, depth: int = 0) -> str:
    """The document without the frame of a page, as a section in so many others."""
    title = heading_html(escaped(plain(document.title)), 0, depth) + "\n" if document.title else ""
    return title + blocks_html(document.blocks, document.lang, depth)


def blocks_html(blocks: Iterable[Block], lang: str, depth: int = 0) -> str:
    """Blocks as the body of a page, or a part of it, with headings below those of `depth` sections."""
    return _lines(_block(block, lang, depth) for block in blocks)


def _block(block: Block, lang: str, depth: int) -> str:
    match block:
        case Heading(words=words, level=level):
            return heading_html(prose_html(words), level, depth)
        case Paragraph(words=words):
            return f"<p>{prose_html(words)}</p>"
        case Display(lines=formulas, kind=kind):
            return _display(formulas, kind)
        case Formulas(formulas=formulas):
            return f'<div class="formulas">{"".join(_display((each,)) for each in formulas)}</div>'
        case Bullets(items=items):
            return f"<ul>\n{_lines(f'<li>{prose_html(item)}</li>' for item in items)}\n</ul>"
        case Table():
            return _table(block)
        case Remark(label=label, words=words, kind=kind):
            colon = "：" if lang.startswith("zh") else ": "
            led = f"<strong>{_words(label)}</strong>{colon}" if label else ""
            sign = f'<span class="sign" aria-hidden="true">{_REMARK_SIGNS[kind]}</span>'
            return f'<p class="remark {kind}">{sign}{led}{prose_html(words)}</p>'
        case Heatmap():
            return _heatmap(block)
        case Panels(panels=panels):
            return f'<div class="panels">\n{_lines(_panel(panel, lang, depth) for panel in panels)}\n</div>'
        case PageBreak():
            return '<div class="page-break"></div>'


def heading_html(words: str, level: int, depth: int = 0) -> str:
    """A heading of a level, 0 for a title, around HTML; it looks the same at every depth."""
    tag = f"h{min(level + 1 + depth, 6)}"
    return f'<{tag} class="level-{level}">{words}</{tag}>'


def _panel(panel: Panel, lang: str, depth: int) -> str:
    formula = f' <span class="formula">{prose_html(panel.formula)}</span>' if panel.formula else ""
    head = (
        heading_html(f"<span>{prose_html(panel.title)}</span>{formula}", panel.level, depth)
        if panel.title
        else ""
    )
    inside = blocks_html(panel.blocks, lang, depth)
    return f'<section class="panel">{head}\n{inside}\n</section>'


def _display(formulas: tuple[Formula, ...], kind: str = "plain") -> str:
    """Displayed formulas; wide ones know their width, so that paper can set them smaller."""
    if not formulas:
        return ""
    wide = breadth(formulas)
    style = f' style="--wide: {wide}"' if wide > PRINTED else ""
    name = "display" if kind == "plain" else f"display {kind}"
    return f'<div class="{name}" tabindex="0"{style}>{display(formulas)}</div>'


def prose_html(words: Prose) -> str:
    """Words and formulas inside a sentence or a heading; no line begins with the comma after a formula."""
    return _ENDED.sub(r'<span class="whole">\1</span>', "".join(map(_inline, words)))


def _inline(part: Inline) -> str:
    match part:
        case str():
            return _words(part)
        case Maths(formula=formula):
            return mathml(formula)
        case Strong(words=words):
            return f"<strong>{_words(words)}</strong>"
        case Code(words=words):
            return f"<code>{_words(words)}</code>"
        case Verdict(words=words, role=role):
            sign = SIGNS[role].verdict
            return (
                f'<span class="verdict {role}">{sign}{" " if sign else ""}<bdi>{_words(words)}</bdi></span>'
            )


def _words(words: str) -> str:
    return directed(escaped(plain(words)), "&#8206;")


def _table(table: Table) -> str:
    columns = max(map(len, (table.header, *table.rows)))
    align = table.align.ljust(columns, "l")
    head = _cells(table.header, align, 'th scope="col"')
    rows = (f"<tr>{_cells(row, align, 'td')}</tr>" for row in table.rows)
    kind = ' class="stacks"' if stacks(table) and natural_width(table) > _PHONE else ""
    return _scrolled(
        f"<table{kind}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{_lines(rows)}\n</tbody>\n</table>"
    )


def _cells(cells: tuple[Prose, ...], align: str, tag: str) -> str:
    return "".join(
        f'<{tag} class="{side}">{prose_html(cell)}</{tag[:2]}>'
        for side, cell in zip(align, cells, strict=False)
    )


def _heatmap(heatmap: Heatmap) -> str:
    corner = "<th></th>" if heatmap.row_labels else ""
    names = "".join(_name("col", name) for name in heatmap.col_labels)
    head = f"<thead><tr>{corner}{names}</tr></thead>\n" if heatmap.col_labels else ""
    rows = []
    for at, (weights, printed) in enumerate(zip(heatmap.weights, heatmap.printed, strict=True)):
        name = _name("row", heatmap.row_labels[at]) if heatmap.row_labels else ""
        cells = (
            f'<td style="--weight: {min(1.0, max(0.0, weight)):.3f}">{_decimal(shown)}</td>'
            for weight, shown in zip(weights, printed, strict=True)
        )
        rows.append(f"<tr>{name}{''.join(cells)}</tr>")
    return _scrolled(f'<table class="heatmap">\n{head}<tbody>\n{_lines(rows)}\n</tbody>\n</table>')


def _decimal(printed: str) -> str:
    """A printed decimal; `9.36e-14` as a power of ten."""
    mantissa, exponent = split_scientific(Number(printed))
    if exponent is None:
        return _words(printed)
    return f"{_words(mantissa)} × 10<sup>{_words(exponent.replace('-', '−'))}</sup>"


def _name(scope: str, name: str) -> str:
    return f'<th scope="{scope}"><bdi>{_words(name)}</bdi></th>'


def _scrolled(table: str) -> str:
    return f'<div class="scroll">{table}</div>'


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(parts)
