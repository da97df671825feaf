"""A document as Markdown whose mathematics GitHub (MathJax), Obsidian and KaTeX all read.

The three agree on less than each of them knows, and each has its traps:

- GitHub takes a dollar for mathematics only after white space, and not before a letter or digit;
- inside a line, Markdown may eat a backslash before punctuation and take `}_` for emphasis, so inline
  mathematics says `\\cr`, `\\thinspace` and `\\lbrace`, and puts spaces around such an underscore;
- MathJax prints `\\%` in `\\text` as it stands, KaTeX rejects a bare `%` there, so special characters
  stand outside `\\text`;
- a line of nothing but `=` or `-` would turn what is above it into a heading, `- ` would begin a list:
  in a display, signs stand at the end of a line or after an `&`.
"""

from __future__ import annotations

import re
import unicodedata

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
from symattn.text.notation import Formula, Number
from symattn.typeset.latex_grid import GridStyle
from symattn.typeset.latex_maths import Dialect, maths
from symattn.typeset.latex_parts import indented
from symattn.typeset.latex_text import shortened
from symattn.typeset.latex_width import filled
from symattn.typeset.layout import rows
from symattn.typeset.precedence import split_scientific
from symattn.typeset.roles import SIGNS

__all__ = ["markdown"]

ROOM = 40.0  # em of KaTeX in the 830 px of a page on GitHub
_SHADES = "·░▒▓█"
_REMARKS = {"proved": "", "note": "", "check": "✓ ", "warning": "⚠ "}
_ALIGN = {"l": ":--", "c": ":-:", "r": "--:"}
_ACCENTS = "\u0300-\u0304\u0306-\u0308\u030a-\u030c\u0327"
_LETTERS = re.compile(rf"\w[{_ACCENTS}]+(?![\u0300-\u036f])|.", re.DOTALL)
_MATHS_SPECIAL = {
    "\\": r"\backslash ",
    "{": r"\lbrace ",
    "}": r"\rbrace ",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "&": r"\&",
    "_": r"\_",
    "~": r"{\sim}",
    "^": r"{\wedge}",
    "<": r"{\lt}",
    ">": r"{\gt}",
    "|": r"\vert ",
    "*": r"{\ast}",
    "`": r"\text{ˋ}",
    "'": r"\text{’}",
}
_JOINERS = "\u200c\u200d"


def markdown(document: Document) -> str:
    """The document as Markdown with `$` and `$$` mathematics."""
    blocks = [f"# {_escape(document.title)}"] if document.title.strip() else []
    blocks += [_block(block, document.lang) for block in in_one_column(document.blocks)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _block(block: Block, lang: str) -> str:
    match block:
        case Heading(words=words, level=level):
            return f"{'#' * min(level + 1, 6)} {_prose(words).strip()}"
        case Paragraph(words=words):
            return _guarded(_prose(words).strip())
        case Display(lines=lines):
            return _display(lines, lang)
        case Formulas(formulas=formulas):
            return "\n\n".join(_side_by_side(line, lang) for line in filled(formulas, ROOM))
        case Bullets(items=items):
            return "\n".join(f"- {_guarded(_prose(item).strip())}" for item in items)
        case Table():
            return _table(block)
        case Remark(label=label, words=words, kind=kind):
            stop = "" if label.endswith((".", ":", "。", "：")) else "：" if lang == "zh" else "."
            return f"> {_REMARKS[kind]}**{_escape(label)}{stop}** {_prose(words).strip()}"
        case Heatmap():
            return _heatmap(block)
        case Panels() | PageBreak():
            raise TypeError("Markdown has one column: `in_one_column` takes panels apart")


def _side_by_side(formulas: tuple[Formula, ...], lang: str) -> str:
    if len(formulas) == 1:
        return _display(formulas, lang)
    joined = " \\qquad\n".join(maths(formula, KATEX) for formula in formulas)
    return f"$$\n{joined}\n$$"


def _display(formulas: tuple[Formula, ...], lang: str) -> str:
    if not formulas:
        return ""
    lines = rows(formulas, ROOM, KATEX, lang)
    if len(lines) == 1:
        return f"$$\n{lines[0].whole}\n$$"
    said = " \\\\\n".join(f"{row.left} &{row.right}".strip() for row in lines)
    return f"$$\n\\begin{{aligned}}\n{indented(said)}\n\\end{{aligned}}\n$$"


def _table(block: Table) -> str:
    count = max([len(block.header), *map(len, block.rows)])
    if not count:
        return ""
    aligns = (block.align + "l" * count)[:count]
    rule = "|" + "|".join(f" {_ALIGN.get(align, ':--')} " for align in aligns) + "|"
    header, *body = (_table_row([_cell(cell) for cell in row], count) for row in (block.header, *block.rows))
    return "\n".join((header, rule, *body))


def _heatmap(block: Heatmap) -> str:
    """Decimals with a shade before each: the darker, the larger the weight."""
    count = max(map(len, block.weights), default=0)
    labels = [f"**{_escape(label)}**" for label in block.row_labels] or [""] * len(block.weights)
    heads = _table_row(["", *map(_escape, block.col_labels)], count + 1)
    body = (
        _table_row([label, *map(_tinted, weights, printed)], count + 1)
        for label, weights, printed in zip(labels, block.weights, block.printed, strict=True)
    )
    return "\n".join((heads, "| --: " + "| --: " * count + "|", *body))


def _tinted(weight: float, printed: str) -> str:
    shade = _SHADES[min(4, max(0, int(weight * 5)))]
    number = Number(printed)
    if split_scientific(number)[1] is not None:
        return f"{shade} ${maths(number, KATEX)}$"
    return f"{shade} {_escape(printed)}"


def _table_row(cells: list[str], count: int) -> str:
    filled = cells + [""] * (count - len(cells))
    return f"| {' | '.join(filled)} |"


def _cell(prose: Prose) -> str:
    """One cell: a bar in code is escaped, and in mathematics only an array's rule could be one."""
    out = ""
    for inline in prose:
        said = _one_more(out, inline)
        if isinstance(inline, Code):
            said = said.replace("|", r"\|")
        elif isinstance(inline, Maths):
            said = said.replace("{r|", "{r")
        out += said
    return out.strip()


def _prose(prose: Prose) -> str:
    out = ""
    for inline in prose:
        out += _one_more(out, inline)
    return out


def _one_more(before: str, inline: Inline) -> str:
    """The inline after what stands before it, with the spaces that GitHub needs around a dollar."""
    said = _inline(inline)
    after_maths = before.endswith("$")
    starts_maths = said.startswith("$")
    apart = bool(before) and not before[-1].isspace()
    if (starts_maths and apart) or (after_maths and said[:1].isalnum()):
        return " " + said
    return said


def _inline(inline: Inline) -> str:
    match inline:
        case str():
            return _escape(inline)
        case Maths(formula=formula):
            return f"${_one_line(maths(formula, KATEX))}$"
        case Strong(words=words):
            return f"**{_escape(words).strip()}**" if words.strip() else ""
        case Code(words=words):
            return _code(words)
        case Verdict(words=words, role=role):
            sign = SIGNS[role].verdict if role != "right" else ""
            return (
                f"{sign} {_escape(words)}".strip()
                if role != "slip"
                else f"{sign} **{_escape(words).strip()}**"
            )


def _one_line(source: str) -> str:
    """Display source for use inside a line, where Markdown reads before the mathematics does."""
    flat = " ".join(re.sub(r"\\\\(\[\d+pt\])?(?=\s)", lambda _: r"\cr", source).split())
    return re.sub(r"(?<![A-Za-z0-9\\])_", " _ ", flat)


def _code(words: str) -> str:
    said = "".join(map(_visible, words))
    longest = max(map(len, re.findall("`+", said)), default=0)
    fence = "`" * (longest + 1)
    gap = " " if said.startswith("`") or said.endswith("`") else ""
    return f"{fence}{gap}{said}{gap}{fence}" if said.strip() else ""


def _escape(words: str) -> str:
    """User text that prints as itself: no emphasis, no link, no HTML, no mathematics."""
    return "".join(map(_escaped, words))


def _escaped(character: str) -> str:
    match character:
        case "&":
            return "&amp;"
        case "<":
            return "&lt;"
        case ">":
            return "&gt;"
        case "$":
            return "<span>$</span>"  # \$ would reach a renderer that looks for dollars after Markdown
        case "\\" | "`" | "*" | "_" | "[" | "]" | "#" | "|" | "~":
            return "\\" + character
        case _:
            return _visible(character)


def _visible(character: str) -> str:
    if character in "\t\n\r\v\f\u2028\u2029":
        return " "
    hidden = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Cn", "Co"} and character not in _JOINERS
    return f"U+{ord(character):04X}" if hidden else character


def _guarded(text: str) -> str:
    """A paragraph whose first characters would make it a list, a heading rule or a quotation."""
    return re.sub(r"^(\d+)(?=[.)](\s|$))", r"\1\\", re.sub(r"^(?=[-+=:])", r"\\", text))


def _words(words: str) -> str:
    """User text inside mathematics, with special characters outside of `\\text`."""
    parts: list[str] = []
    composed = unicodedata.normalize("NFC", words)
    for run in re.findall(r"[\\{}%#$&_~^<>|*`']|[^\\{}%#$&_~^<>|*`']+", composed):
        special = _MATHS_SPECIAL.get(run)
        parts.append(rf"\text{{{_LETTERS.sub(_in_maths, run)}}}" if special is None else special)
    return "".join(parts).strip() if len(parts) < 2 else f"{{{''.join(parts)}}}"


def _in_maths(found: re.Match[str]) -> str:
    """KaTeX sets these accents on a letter; any other of Latin that does not compose is spelled out."""
    letter = found.group()
    return f"U+{ord(letter):04X}" if "\u0300" <= letter <= "\u036f" else "".join(map(_visible, letter))


def _label(words: str) -> str:
    return rf"{{\scriptstyle\textcolor{{gray}}{{{_words(shortened(words))}}}}}"


KATEX = Dialect(
    name="katex",
    operator=r"\mathrm{%s}",
    text=_words,
    label=_label,
    head=_label,
    marks={
        "slip": r"\textcolor{red}{\cancel{%s}}",
        "carried": r"\textcolor{darkorange}{\underline{%s}^{\dagger}}",
        "rounding": r"\underset{\sim}{%s}",
        "undecided": r"{%s}^{?}",
    },
    gap=r"\thinspace",
    grids=GridStyle(
        tall=re.compile(r"\\begin|\\frac|\\sum|\\prod|\\left|\\underset|\\underline"),
        tall_end="[6pt]",
        column_label=r"\smash{\overset{%s}{\overset{\rule{0pt}{0.4em}}{%s}}}\vphantom{%s}",
        tight=False,
    ),
    shrink=lambda body, room: body,
)
