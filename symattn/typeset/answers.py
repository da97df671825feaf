"""A derivation as HTML on which every entry answers what it was made of: one file that needs no network.

What the script needs is stored once, as JSON: of each matrix the digits, cut off and not rounded, and the
closed forms; of each step which entries its entries are made of, and their workings with slots. The tables
and workings of the page stand there without a script as well, large matrices with dots.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.text.bilingual import Bilingual
from symattn.text.document import Display, Maths, Prose
from symattn.text.notation import Entry, Formula, Number
from symattn.text.steps import Cell, Explained, Factor, Place, Step, Table
from symattn.typeset.answers_frame import WORDS, both, controls, panel, resource, script, spoken, two
from symattn.typeset.html import blocks_html, heading_html, prose_html
from symattn.typeset.html_page import STYLE, page, policy
from symattn.typeset.mathml import escaped, mathml, presentation
from symattn.typeset.plain import plain_formula
from symattn.typeset.slots import kind_of_form, template
from symattn.typeset.stored_digits import STORED, rounded, significantly

WHOLE, KEPT = 12, 4
"""Rows and columns of a matrix that stands there whole, and of a larger one before its dots."""
INDICES = "\ue002"
"""Stands for the indices in the name of an entry."""
_EMPTY_HEADER = re.compile(r"<th[^>]*></th>")


def answers(explained: Explained, *, standalone: bool = True) -> str:
    """The page as a whole file, or with `standalone=False` as a part of another page, such as a notebook."""
    lang = explained.lang
    title = escaped(explained.first[lang == "zh"].title)
    body = "\n".join(_body(explained))
    style = f"<style>\n{resource('page.css')}</style>\n"
    if standalone:
        return page(
            title or "symattn", lang, body, policy(script()) + style, f'class="symattn answers" lang="{lang}"'
        )
    return f'<style>\n{STYLE}</style>\n{style}<div class="symattn answers" lang="{lang}">\n{body}\n</div>\n'


def _body(explained: Explained) -> Iterator[str]:
    lang, (en, zh) = explained.lang, explained.first
    switches = controls(explained.digits, explained.most, lang, significant=explained.significant)
    yield f'<div class="beside">{switches}{panel(lang)}</div>'
    yield '<div class="content">'
    yield heading_html(escaped(explained.first[lang == "zh"].title), 0) * bool(en.title)
    yield f'<p class="quiet js" hidden>{both("hint")}</p>'
    for one in (en, zh):
        blocks = _EMPTY_HEADER.sub("<td></td>", blocks_html(one.blocks, one.lang))
        blocks = blocks.replace('<div class="scroll">', '<div class="scroll" tabindex="0">')
        yield f'<div lang="{one.lang}">{blocks}</div>'
    if explained.steps:
        yield heading_html(both("step-by-step"), 1)
    if explained.givens:
        tables = "".join(_matrix(explained, Factor(key)) for key in explained.givens)
        yield (
            f'<details class="step" open><summary>{heading_html(both("givens"), 2)}</summary>'
            f'<div class="chain givens">{tables}</div></details>'
        )
    chapter: tuple[Prose, Prose] = ((), ())
    for step in explained.steps:
        if step.chapter != chapter and step.chapter[0]:
            yield heading_html(_prose(step.chapter), 2)
        chapter = step.chapter
        yield _step(explained, step)
    yield "</div>"
    data = json.dumps(_data(explained), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    yield f'<script type="application/json">{data}</script>'
    yield f"<script>{script()}</script>"


def _prose(words: tuple[Prose, Prose]) -> str:
    return two(*map(prose_html, words))


def _step(explained: Explained, step: Step) -> str:
    formula = prose_html((Maths(step.formula),)) if step.formula is not None else ""
    factors = "".join(_matrix(explained, factor) for factor in step.factors)
    sign = "=" if len(step.factors) > 1 and not any(factor.sign == "," for factor in step.factors) else "→"
    result = _matrix(explained, Factor(step.result, sign if step.factors else ""), result=True)
    worked = blocks_html([Display(step.worked, "worked")], explained.lang)
    title = f'<span class="no">{step.number}</span> {_prose(step.title)} {formula}'
    return (
        f'<details class="step" open data-step="{escaped(step.result)}">'
        f"<summary>{heading_html(title, 3 if step.chapter[0] else 2)}</summary>"
        f'<div class="chain">{factors}{result}</div>'
        f'<details class="entries"><summary>{both("entries" if step.complete else "example")}</summary>'
        f'<div class="workings">{worked}</div></details></details>'
    )


def _matrix(explained: Explained, factor: Factor, *, result: bool = False) -> str:
    """A matrix as a table after its sign; turned it is its transpose, whose entries keep their names."""
    table = explained.tables[factor.key]
    rows, cols = table.shape
    beside, above = table.row_labels, table.col_labels
    if factor.turned:
        rows, cols, beside, above = cols, rows, above, beside
    lines = []
    at_rows, at_cols = _kept(rows), _kept(cols)
    if above:
        names = "".join(_label("col", "⋯" if c is None else above[c]) for c in at_cols)
        corner = '<td class="corner"></td>' if beside else ""
        lines.append(f'<tr class="head">{corner}{names}</tr>')
    pad = _pad(explained, table)
    for r in at_rows:
        cells = _label("row", "⋮" if r is None else beside[r]) if beside else ""
        for c in at_cols:
            if r is None or c is None:
                dots = "⋯" if r is not None else "⋮" if c is not None else "⋱"
                cells += f'<td class="dots">{dots}</td>'
                continue
            i, j = (c, r) if factor.turned else (r, c)
            misprint = explained.misprints.get((table.key, i, j))
            printed = "" if misprint is None else f"<del>{escaped(misprint)}</del>"
            cells += f'<td data-c="{i},{j}">{_cell(table, i, j, explained, pad)}{printed}</td>'
        lines.append(f"<tr>{cells}</tr>")
    two_lines = " both" * any('</span><span class="d">' in line for line in lines)
    plain = plain_formula(table.symbol) + "ᵀ" * factor.turned
    head = mathml(table.symbol) + "<sup>⊤</sup>" * factor.turned
    turned = " data-turned" * factor.turned
    name = spoken(Bilingual(f"{plain}, {rows} by {cols}", f"{plain}，{rows} 行 {cols} 列"), explained.lang)
    button = (
        f'<button type="button" class="js" name="whole" hidden>{both("whole")} ({rows} × {cols})</button>'
        if None in (*at_rows, *at_cols)
        else ""
    )
    sign = f'<div class="sign" aria-hidden="true">{factor.sign}</div>' if factor.sign else ""
    return (
        f'<div class="matrix{" made" * result}">{sign}<div class="body">'
        f'<div class="name" aria-hidden="true">{head}</div>'
        f'<div class="scroll" tabindex="0" role="group" {name}><table class="brackets{two_lines}" {name} '
        f'data-m="{escaped(table.key)}"{turned}>{"".join(lines)}</table></div>{button}</div></div>'
    )


def _label(scope: str, name: str) -> str:
    return f'<th scope="{scope}"><bdi>{escaped(name)}</bdi></th>'


def _kept(size: int) -> list[int | None]:
    """The rows or columns that stand there without a script; None for dots."""
    return [*range(size)] if size <= WHOLE else [*range(KEPT), None, size - 1]


def _cell(table: Table, i: int, j: int, explained: Explained, pad: int) -> str:
    """An entry as it stands in a table, closed form and decimal; the script writes the same."""
    cell = table.cells[i][j]
    form = "" if cell.form is None else f'<span class="x">{mathml(cell.form)}</span>'
    if isinstance(cell.form, Number) or not cell.digits:
        return form or mathml(_named(table, i, j))
    if explained.significant:
        digits, exact = significantly(cell.digits, explained.digits)
    else:
        digits, exact = rounded(cell.digits, explained.digits, 0 if form else pad)
    sign = "" if exact and not form else f'<span class="rel">{"=" if exact else "≈"}</span>'
    mantissa, e, exponent = digits.replace("-", "−").partition("e")
    power = f" × 10<sup>{exponent}</sup>" if e else ""
    return f'{form}<span class="d">{sign}{mantissa}{power}</span>'


def _named(table: Table, i: int, j: int) -> Formula:
    first = table.first
    if not isinstance(first, Entry) or not table.indices:
        return first
    row = (j if table.indices == "j" else i) + 1
    return replace(first, row=row, col=j + 1 if table.indices == "ij" else None)


def _pad(explained: Explained, table: Table) -> int:
    """The places that all decimals of a matrix get: those of the longest, and no more than are shown."""
    lengths = [
        len(found[3] or "") for row in table.cells for cell in row if (found := STORED.fullmatch(cell.digits))
    ]
    return min(explained.digits, max(lengths, default=0))


class _Pool(Struct):
    """Values, each once, by number."""

    values: dict[Any, int] = field(default_factory=dict)

    def at(self, value: Any) -> int:
        return self.values.setdefault(value, len(self.values))


def _data(explained: Explained) -> dict[str, Any]:
    forms, workings, drawn = _Pool(), _Pool(), dict[int, int]()

    def form(cell: Cell) -> int | None:
        """The number of a closed form; -1 where the digits are the number as it is written."""
        if cell.form is None:
            return None
        if isinstance(cell.form, Number) and cell.form.digits == cell.digits:
            return -1
        text = presentation(cell.form)
        return forms.at((text, kind_of_form(cell.form), cell.short, isinstance(cell.form, Number)))

    def working(formula: Formula) -> int:
        if id(formula) not in drawn:  # a long formula is one for all entries that it works out
            made = template(formula)
            drawn[id(formula)] = workings.at((made.pieces, made.products))
        return drawn[id(formula)]

    tables: dict[str, Any] = {}
    for key, table in explained.tables.items():
        cells = [cell for row in table.cells for cell in row]
        made = tables[key] = {
            "plain": plain_formula(table.symbol),
            "symbol": presentation(table.symbol),
            "name": _indexed(table),
            "indices": table.indices,
            "rows": table.shape[0],
            "cols": table.shape[1],
            "digits": [cell.digits for cell in cells],
            "forms": [form(cell) for cell in cells],
        }
        if any(map(len, (table.row_labels, table.col_labels))):
            made["labels"] = [table.row_labels, table.col_labels]
        misprints = {f"{i},{j}": text for (at, i, j), text in explained.misprints.items() if at == key}
        if misprints:
            made["misprints"] = misprints
        if table.names:
            made["names"] = [*map(presentation, table.names)]
        if table.workings is not None:
            each = [working for row in table.workings for working in row]
            made["args"] = table.arguments
            made["workings"] = [working(one.formula) for one in each]
            made["from"] = ["|".join(map(runs, one.operands)) for one in each]
    words = {key: [both_.en, both_.zh] for key, both_ in WORDS.items()}
    return {
        "forms": [*forms.values],
        "workings": [*workings.values],
        "tables": tables,
        "words": words,
    }


def _indexed(table: Table) -> str:
    """The name of an entry with a mark for its indices."""
    text = presentation(table.first)
    for row in ("<mrow><mn>1</mn><mn>1</mn></mrow>", "<mrow><mn>1</mn></mrow>"):
        text = text.replace(row, INDICES) if table.indices else text
    return text


@lru_cache(maxsize=1 << 14)
def runs(places: tuple[Place, ...]) -> str:
    """Places in order, those that follow each other in a row or a column together: `0,0-3;2,1`."""
    found: list[list[Place]] = []
    for place in places:
        last = found[-1] if found else []
        step = (place[0] - last[-1][0], place[1] - last[-1][1]) if last else (0, 0)
        before = (last[1][0] - last[0][0], last[1][1] - last[0][1]) if len(last) > 1 else step
        if step == before and step in ((0, 1), (1, 0)):
            last.append(place)
        else:
            found.append([place])
    return ";".join(",".join(_range(run[0][k], run[-1][k]) for k in (0, 1)) for run in found)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
