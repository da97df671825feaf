r"""A reader of the mathematics in a Markdown or LaTeX page: its chains as text, its matrices entry by entry.

Labels, phantoms and marks are taken off; then a chain of scalars is what `printed_chains` reads, and a
matrix in a chain is one more name in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from printed_chains import greek
from printed_matrices import Cells, Equation, named

_BRACES = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_DISPLAY = re.compile(
    r"\$\$\n(.*?)\$\$|\\\[\n(.*?)\\\]|\\begin\{(?:align|gather)\*\}(.*?)\\end\{(?:align|gather)\*\}"
    r"|\\sa(?:maths|worked)\{%\n(.*?)%\n\s*\}",
    re.DOTALL,
)
_DROPPED = re.compile(
    rf"\\begin\{{array\}}(?:{_BRACES}\s*\\rowlabel|\{{r\}}\s*\{{\\scriptstyle).*?\\end\{{array\}}|\\negthinspace|\\[,;!]|%\n"
    r"|\\(?:begin|end)\{aligned\}|(?<=\\\\)(?:\*?\[\dpt\]|\*)",
    re.DOTALL,
)
_OPENED = re.compile(rf"\\left\[\s*\\begin\{{array\}}{_BRACES}")
_CONTINUED = re.compile(r"\s*&\s*(?:=|\\approx|[-+]|\\cdot)")
_MATRIX = re.compile(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", re.DOTALL)
_KEPT = {
    "phantom": (1, None),
    "vphantom": (1, None),
    "columnlabel": (2, 1),
    "overset": (2, 1),
    "saused": (1, 0),
    "smash": (1, 0),
    "satall": (1, 0),
}
"""How many arguments a command has, and which of them is the mathematics."""
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾")
_WORDS = {
    r"\cdot": "·",
    r"\approx": " ≈ ",
    r"\left(": "(",
    r"\right)": ")",
    r"\infty": "∞",
    "\\ ": " ",
} | {rf"\{name}": name for name in ("cos", "sin", "tan", "tanh", "ln", "max")}
_GREEK = re.compile(r"\\([A-Za-z][a-z]+)(?![A-Za-z])")


def equations_of(source: str) -> Iterator[Equation]:
    """Each chain of a page with names for its matrices, and the cells of these."""
    for found in _DISPLAY.finditer(source):
        display = _mathematics(next(inside for inside in found.groups() if inside is not None))
        matrices: dict[str, Cells] = {}

        def name(cells: re.Match[str], matrices: dict[str, Cells] = matrices) -> str:
            rows = [[_plain(cell).strip() for cell in row.split("&")] for row in cells[1].split(r"\\")]
            return f" {named(matrices, rows)} "

        joined: list[str] = []
        for line in _MATRIX.sub(name, display).split(r"\\"):
            if joined and _CONTINUED.match(line):
                joined[-1] += line.replace("&", " ")
            else:
                joined.append(line)
        for chain in r"\qquad".join(joined).split(r"\qquad"):
            yield matrices, " ".join(_plain(chain.replace("&", " ")).split())


def _mathematics(display: str) -> str:
    """The display without labels, phantoms and marks, and with one kind of brackets."""
    for command, (count, kept) in _KEPT.items():
        while (at := display.find(rf"\{command}{{")) >= 0:
            start, arguments = at + len(command) + 1, []
            for _ in range(count):
                end = _closed(display, start)
                arguments.append(display[start + 1 : end])
                start = end + 1
            display = display[:at] + ("" if kept is None else arguments[kept]) + display[start:]
    display = _DROPPED.sub(" ", display)
    display = _OPENED.sub(lambda _: r"\begin{bmatrix}", display)
    return re.sub(r"\\end\{array\}\s*\\right\]", lambda _: r"\end{bmatrix}", display)


def _closed(text: str, start: int) -> int:
    """Where the brace that opens at `start`, perhaps after spaces, is closed."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth and text[at] == "}":
            return at
    raise ValueError(text)


def _plain(line: str) -> str:
    """TeX without matrices as text: `\\frac{3 \\sqrt{2}}{2}` as `((3 √(2))/(2))`."""
    for tex, text in _WORDS.items():
        line = re.sub(re.escape(tex) + r"(?![A-Za-z])", text, line)
    line = _GREEK.sub(lambda name: greek(name[1]) or name[0], line)
    line = re.sub(r"\\(?:mathrm|text)\{([A-Za-z]+)\}\s*", r"\1", line)
    line = re.sub(r"\s*\\times 10\^\{(-?\d+)\}", r"e\1", line)
    line = re.sub(r"\{([A-Za-zα-ω]+'+)\}|(?<=_)\{([A-Za-z]+)\}", lambda m: m[1] or m[2], line)
    before = ""
    while line != before:
        before = line
        line = re.sub(r"_(?:\{(\d+)\}|(\d))", lambda m: (m[1] or m[2]).translate(_SUBSCRIPTS), line)
        line = re.sub(r"\^\{(\(\d+\))\}", lambda m: m[1].translate(_SUPERSCRIPTS), line)
        line = re.sub(r"([₀-₉]+)([⁽⁾⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r"\2\1", line) if "⁽" in line else line
        line = re.sub(r"\\sqrt\{([^{}]*)\}", r" √(\1)", line)
        line = re.sub(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", line)
        line = re.sub(r"\^\{([^{}]*)\}", r"^(\1)", line)
    return line
