"""Small pieces of text that many styles are put together from; numerals in them are tokens of a `Sheet`.

A token is a numeral between characters for private use, so that f-strings can carry it to its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

OPEN, SHUT, END = "\ue000", "\ue001", "\ue002"
TOKEN = re.compile(f"{OPEN}([0-9]+){SHUT}([^{END}]*){END}")

SUBSCRIPTS = "₁₂₃₄₅₆₇₈₉"
NEWLINE, CDOT, TIMES = "\n", r" \cdot ", r"\times "  # which f-strings cannot hold between their braces

Cells = Sequence[str]
Rows = Sequence[Cells]


def shown(text: str) -> str:
    """The characters that will stand on paper."""
    return TOKEN.sub(r"\2", text)


def width(rows: Rows) -> int:
    """The widest cell."""
    return max(len(shown(cell)) for row in rows for cell in row)


def right(text: str, columns: int) -> str:
    """The text at the right of so many columns."""
    return " " * (columns - len(shown(text))) + text


def left(text: str, columns: int) -> str:
    """The text at the left of so many columns."""
    return text + " " * (columns - len(shown(text)))


def factor(cell: str) -> str:
    """A numeral in a product: in parentheses where it is negative."""
    return f"({cell})" if shown(cell)[:1] in "-−－" else cell


def products(a: Cells, b: Cells, times: str = "×", plus: str = " + ") -> str:
    """`a₁×b₁ + a₂×b₂`."""
    return plus.join(f"{factor(x)}{times}{factor(y)}" for x, y in zip(a, b, strict=True))


def vector(cells: Cells, around: str = "[]", comma: str = ", ") -> str:
    """`[a, b]`."""
    return around[0] + comma.join(cells) + around[1:]


def nested(rows: Rows, around: str = "[]", comma: str = ", ") -> str:
    """`[[a, b], [c, d]]` on one line."""
    return vector([vector(row, around, comma) for row in rows], around, comma)


def stacked(rows: Rows, before: str = "", comma: str = ",") -> str:
    """`[[a, b],` over several lines, its columns straight, behind what stands `before` it."""
    wide = width(rows)
    inner = [vector([right(cell, wide) for cell in row], comma=f"{comma} ") for row in rows]
    return f"{before}[" + f"{comma}\n{' ' * (len(before) + 1)}".join(inner) + "]"


def tex(rows: Rows, around: str = "bmatrix", newline: str = " ") -> str:
    r"""A matrix in TeX, on one line or with every row on a line of its own."""
    inner = f" \\\\{newline}".join(" & ".join(row) for row in rows)
    return f"\\begin{{{around}}}{newline}{inner}{newline}\\end{{{around}}}"


def pipes(head: Cells, rows: Rows, rule: str = "---") -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(head)} |", f"|{rule}" * len(head) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def labelled(names: Cells, rows: Rows) -> list[list[str]]:
    """Rows with a name before each."""
    return [[name, *row] for name, row in zip(names, rows, strict=True)]


def paragraphs(*parts: str) -> str:
    """Parts with an empty line between them, and a line break at the end."""
    return "\n\n".join(parts) + "\n"


def block(*parts: str) -> str:
    """Parts on lines of their own."""
    return "\n".join(parts)


def lines(*parts: str) -> str:
    """Parts on lines of their own, and a line break at the end."""
    return block(*parts) + "\n"


def aligned(*rows: str) -> str:
    """Formulas of LaTeX below each other, aligned at &."""
    return block("\\begin{align*}", " \\\\\n".join(rows), "\\end{align*}")


def heading(words: str, ending: str) -> str:
    """A section, in LaTeX or Markdown."""
    return f"\\section*{{{words}}}" if ending == "tex" else f"## {words}"


def display(formula: str, ending: str = "md") -> str:
    """A displayed formula, in LaTeX or Markdown."""
    return f"\\[\n{formula}\n\\]" if ending == "tex" else f"$$\n{formula}\n$$"


def article(parts: Cells, ending: str = "tex", kind: str = "article") -> str:
    """Paragraphs as a whole file: in LaTeX with a preamble."""
    if ending != "tex":
        return paragraphs(*parts)
    preamble = f"\\documentclass{{{kind}}}\n\\usepackage{{amsmath}}\n\\begin{{document}}"
    return paragraphs(preamble, *parts, "\\end{document}")
