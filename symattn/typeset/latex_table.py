"""Tables and heatmaps in LaTeX: narrow ones as they are, wide ones wrapped, stacked or smaller."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from symattn.text.document import Heatmap, Maths, Prose, Table
from symattn.text.notation import Number
from symattn.typeset.latex_maths import latex_formula
from symattn.typeset.latex_text import escape, shortened
from symattn.typeset.latex_width import label_width, prose_width, text_width, width
from symattn.typeset.precedence import split_scientific
from symattn.typeset.stacked import stacked, stacks

_GAP = 1.12  # \tabcolsep on both sides of a column
_NARROW = 9.0  # columns up to here are never wrapped
_LEAST = 8.0  # em of a column in which words wrap
_LONG, _LONG_WRAPPED = 30, 20  # rows, from which on a table may run over the page; where cells wrap
_SMALL = 9 / 10.95
_SIDES = {"l": r"\raggedright", "c": r"\centering", "r": r"\raggedleft"}
_FEWEST = 3  # rows before and after a page break


def apart(body: str) -> str:
    """A table in the middle of the line, with space above and below."""
    return f"\\begin{{center}}{body}\n\\end{{center}}"


def tightly(body: str) -> str:
    """The same with little space, as in a panel."""
    return f"\\par\\vspace{{.8ex}}{{\\centering{body}\\par}}"


def table(
    block: Table,
    prose: Callable[[Prose], str],
    room: float,
    centred: Callable[[str], str] = apart,
    breaks: bool = False,
) -> str:
    """A table between rules; columns of long prose wrap so that it stays within `room` em.

    It may run over the page where it `breaks`, and where it has very many rows.
    """
    count = max(len(block.header), *map(len, block.rows), 0) if block.rows else len(block.header)
    if not count:
        return ""
    header = _filled(block.header, count)
    body = [_filled(row, count) for row in block.rows]
    natural = [max(prose_width(row[j]) for row in (header, *body)) for j in range(count)]
    aligns = (block.align + "l" * count)[:count]
    scale = 1.0 if sum(natural) + _GAP * count <= room else _SMALL
    least = [max(_unbroken(row[j]) for row in (header, *body)) for j in range(count)]
    wrapped = _wrapped(natural, room / scale - _GAP * count, least)
    if stacks(block) and any(wide < max(least[j], _LEAST) for j, wide in wrapped.items()):
        return table(stacked(block), prose, room, centred, breaks)
    long = breaks or len(body) > (_LONG if sum(natural) * scale <= room else _LONG_WRAPPED)
    fixed = dict(enumerate(natural)) | wrapped if long else wrapped  # a head knows no widths but these
    spec = "".join(
        rf">{{{_SIDES[align]}\arraybackslash}}p{{{fixed[j]:.1f}em}}" if j in fixed else align
        for j, align in enumerate(aligns)
    )
    lines = [
        r"\toprule",
        _row(map(prose, header)),
        r"\midrule" + (r" \endhead" if long else ""),
        *(_row(map(prose, row)) + "*" * (long and _together(at, len(body))) for at, row in enumerate(body)),
        r"\bottomrule",
    ]
    inner = "\n".join("    " + line for line in lines)
    size = "" if scale == 1.0 else r"\footnotesize"
    if sum(natural) * scale > room and all(wide <= _NARROW for wide in natural):
        return _shrunk(lines[:3], lines[3:-1], spec)
    if long:
        above = r"\LTpre=.8ex\LTpost=1.6ex" if breaks else ""
        return f"{{{size}{above}%\n  \\begin{{longtable}}{{{spec}}}\n{inner}\n  \\end{{longtable}}\n}}"
    tabular = f"  \\begin{{tabular}}{{{spec}}}\n{inner}\n  \\end{{tabular}}"
    return centred(f"{size}\n{tabular}")


def _together(at: int, count: int) -> bool:
    """Whether no page ends after row `at`."""
    return at < _FEWEST - 1 or at >= count - _FEWEST


def _shrunk(head: list[str], body: list[str], spec: str) -> str:
    """A table of very many columns, made as small as the line, a page's rows at a time."""
    parts = []
    for start in range(0, max(1, len(body)), _LONG):
        inner = "\n".join("    " + line for line in (*head, *body[start : start + _LONG], r"\bottomrule"))
        parts.append(
            f"\\begin{{center}}\n  \\resizebox{{\\linewidth}}{{!}}{{%\n"
            f"  \\begin{{tabular}}{{{spec}}}\n{inner}\n  \\end{{tabular}}}}\n\\end{{center}}"
        )
    return "\n\n".join(parts).replace(r" \endhead", "")


def heatmap(block: Heatmap, room: float, centred: Callable[[str], str] = apart) -> str:
    r"""Tinted cells with their decimals; the tint is blue, from 0 to 60 percent, so black stays readable."""
    labels = block.row_labels or ("",) * len(block.weights)
    widths = [max(map(_decimal_width, column), default=0.0) for column in zip(*block.printed, strict=True)]
    heads = list(map(label_width, block.col_labels)) or widths
    columns = sum(max(wide, head) + _GAP for wide, head in zip(widths, heads, strict=False))
    total = _GAP + max(map(label_width, labels), default=0.0) + columns
    lines = [rf"  \begin{{tabular}}{{r{'c' * len(widths)}}}"]
    if block.col_labels:
        lines.append("    " + " & ".join(("", *map(_label, block.col_labels))) + r" \\[2pt]")
    for label, weights, printed in zip(labels, block.weights, block.printed, strict=True):
        cells = (
            rf"\cellcolor{{blue!{_percent(weight)}}}{_decimal(words)}"
            for weight, words in zip(weights, printed, strict=True)
        )
        lines.append("    " + " & ".join((_label(label) if label else "", *cells)) + r" \\")
    lines.append(r"  \end{tabular}")
    body = "\n".join(lines)
    if total > room:
        body = f"  \\resizebox{{\\linewidth}}{{!}}{{%\n{body}%\n  }}"
    return centred(f"\\renewcommand{{\\arraystretch}}{{1.3}}\n{body}")


def _wrapped(natural: list[float], room: float, least: list[float]) -> dict[int, float]:
    """The widths of long columns: they share the room that others leave, but hold their widest formula."""
    if sum(natural) <= room:
        return {}
    narrow = sum(wide for wide in natural if wide <= _NARROW)
    wrapped = {j: wide**0.6 for j, wide in enumerate(natural) if wide > _NARROW}
    share = max(3.0, room - narrow)
    widths = {j: share * weight / sum(wrapped.values()) for j, weight in wrapped.items()}
    tight = {j: least[j] for j, wide in widths.items() if wide < least[j]}
    if tight and sum(tight.values()) < share:
        rest = sum(weight for j, weight in wrapped.items() if j not in tight)
        left = share - sum(tight.values())
        widths = {j: tight.get(j, left * weight / rest if rest else 0.0) for j, weight in wrapped.items()}
    return widths


def _unbroken(cell: Prose) -> float:
    """The width of the widest formula in a cell, which is not broken between lines."""
    return max((prose_width((part,)) for part in cell if isinstance(part, Maths)), default=0.0)


def _filled(row: tuple[Prose, ...], count: int) -> tuple[Prose, ...]:
    return row + ((),) * (count - len(row))


def _row(cells: Iterable[str]) -> str:
    text = " & ".join(cells)
    return ("{}" + text if text.startswith(("[", "*")) else text) + r" \\"


def _label(words: str) -> str:
    return rf"\textcolor{{gray}}{{\scriptsize {escape(shortened(words))}}}"


def _decimal(printed: str) -> str:
    """A printed decimal; `9.36e-14` as a power of ten."""
    number = Number(printed)
    return escape(printed) if split_scientific(number)[1] is None else f"${latex_formula(number)}$"


def _decimal_width(printed: str) -> float:
    number = Number(printed)
    return text_width(printed) if split_scientific(number)[1] is None else width(number)


def _percent(weight: float) -> int:
    return round(60 * min(1.0, max(0.0, weight)))
