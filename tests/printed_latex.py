r"""A reader of the mathematics in a Markdown or LaTeX page: its chains as text, its matrices entry by entry.

Labels, phantoms and marks are taken off; then a chain of scalars is what `printed_chains` reads, and a
matrix in a chain is one more name in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mpmath import matrix, mpf
from printed_chains import ALIKE, Reader, Unreadable, half_unit

_BRACES = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_DISPLAY = re.compile(
    r"\$\$\n(.*?)\$\$|\\\[\n(.*?)\\\]|\\begin\{(?:align|gather)\*\}(.*?)\\end\{(?:align|gather)\*\}"
    r"|\\sa(?:maths|worked)\{%\n(.*?)%\n\s*\}",
    re.DOTALL,
)
_DROPPED = re.compile(
    rf"\\begin\{{array\}}{_BRACES}\s*\\rowlabel.*?\\end\{{array\}}|\\negthinspace|\\[,;!]|%\n"
    r"|\\(?:begin|end)\{aligned\}|(?<=\\\\)\*?\[\dpt\]",
    re.DOTALL,
)
_RULED = re.compile(
    r"\\begin\{array\}\{(r\|)?c+\}(?:(?!\\end\{array\}).)*?\\hline(.*?)\\end\{array\}", re.DOTALL
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
}
"""How many arguments a command has, and which of them is the mathematics."""
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾")
_WORDS = {r"\cdot": "·", r"\approx": " ≈ ", r"\left(": "(", r"\right)": ")", r"\pi": "π", "\\ ": " "} | {
    rf"\{name}": name for name in ("cos", "sin", "tan", "tanh", "ln", "max")
}
_GREEK = {rf"\{name}": letter for name, letter in (("rho", "ρ"), ("mu", "μ"), ("sigma", "σ"), ("theta", "θ"))}


def chains_of(source: str) -> str:
    """The chains of a page in the spelling of text, a line each; those with a matrix in them are left out."""
    return "\n".join(line for _, line in _lines(source) if "ξ" not in line)


def false_equations(source: str) -> tuple[int, list[str]]:
    """How many equal or nearly equal matrices were compared, and the members that are not as they say."""
    checked, wrong = 0, []
    for matrices, line in _lines(source):
        exact: matrix | None = None
        about: tuple[matrix, matrix] | None = None  # a product of rounded factors, and what it may be off
        pieces = re.split(r"(?=[=≈])", line)
        approximate = False
        for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
            approximate = approximate or piece.startswith("≈")
            member = piece.strip("=≈ ")
            room = _room(member, matrices)
            try:
                value = Reader(member, {name: _read(cells) for name, cells in matrices.items()}).value()
            except (
                Unreadable,
                ValueError,
                TypeError,
                AssertionError,
            ):  # mpmath asserts that no matrix divides
                exact, about = exact if approximate else None, None
                continue
            if not isinstance(value, matrix):
                continue
            half = _half_units(matrices[member]) if member in matrices else None
            right = True
            if after.startswith("≈") and member not in matrices and _has_decimals(member, matrices):
                about = None if room is None else (value, room)
            elif not approximate:
                if exact is not None:
                    checked += 1
                    right = _within(value, exact, ALIKE)
                exact = value
            elif half is not None:
                if exact is not None:
                    checked += 1
                    right = _within(value, exact, half)
                if about is not None:
                    checked += 1
                    right = right and _within(value, about[0], half + about[1])
            if not right:
                wrong.append(f"{line}: {member} = {' '.join(matrices.get(member, '').split())}")
    return checked, wrong


def _lines(source: str) -> Iterator[tuple[dict[str, str], str]]:
    """Each chain of a page with names for its matrices, and the cells of these."""
    for found in _DISPLAY.finditer(source):
        display = _mathematics(next(inside for inside in found.groups() if inside is not None))
        matrices: dict[str, str] = {}

        def name(cells: re.Match[str], matrices: dict[str, str] = matrices) -> str:
            matrices[word := "ξ" + str(len(matrices) + 1).translate(_SUBSCRIPTS)] = cells[1]
            return f" {word} "

        joined: list[str] = []
        for line in _MATRIX.sub(name, display).split(r"\\"):
            if joined and _CONTINUED.match(line):
                joined[-1] += line.replace("&", " ")
            else:
                joined.append(line)
        for line in joined:
            yield matrices, " ".join(_plain(line.replace("&", " ")).split())


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
    display = _ruled(_DROPPED.sub(" ", display))
    display = _OPENED.sub(lambda _: r"\begin{bmatrix}", display)
    return re.sub(r"\\end\{array\}\s*\\right\]", lambda _: r"\end{bmatrix}", display)


def _ruled(display: str) -> str:
    """Tables with ruled labels as matrices."""

    def bare(found: re.Match[str]) -> str:
        rows = found[2].split(r"\\")
        cells = [row.split("&", 1)[1] if found[1] else row for row in rows]
        return r"\begin{bmatrix}" + r"\\".join(cells) + r"\end{bmatrix}"

    return _RULED.sub(bare, display)


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
    for tex, text in (*_WORDS.items(), *_GREEK.items()):
        line = re.sub(re.escape(tex) + r"(?![A-Za-z])", text, line)
    line = re.sub(r"\s*\\times 10\^\{(-?\d+)\}", r"e\1", line)
    line = re.sub(r"\{([A-Za-zα-ω]'+)\}", r"\1", line)
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


def _read(inside: str) -> matrix:
    return matrix([[Reader(_plain(cell).strip(), {}).value() for cell in row] for row in _rows(inside)])


def _rows(inside: str) -> list[list[str]]:
    return [line.split("&") for line in inside.split(r"\\")]


def _half_units(inside: str) -> matrix | None:
    """Half a unit of the last place of each decimal, 0 of an integer; None where not all are numerals."""
    cells = [[_plain(cell).strip() for cell in row] for row in _rows(inside)]
    halves = [[half_unit(cell) for cell in row] for row in cells]
    if any(half is None for row in halves for half in row):
        return None
    return matrix(
        [
            [half * ("." in cell or "e" in cell) for half, cell in zip(*pair, strict=True)]
            for pair in zip(halves, cells, strict=True)
        ]
    )


def _has_decimals(member: str, matrices: dict[str, str]) -> bool:
    return "." in member or any("." in cells for name, cells in matrices.items() if name in member)


def _room(member: str, matrices: dict[str, str]) -> matrix | None:
    """What a product or a sum of two matrices of rounded numerals may be off; None of anything else."""
    found = re.fullmatch(r"(ξ\S+) ([-+]? ?)(ξ\S+)", member)
    if found is None:
        return None
    da, db = (_half_units(matrices[factor]) for factor in found.group(1, 3))
    if da is None or db is None:
        return None
    if found[2]:
        return da + db if (da.rows, da.cols) == (db.rows, db.cols) else None
    a, b = (_read(matrices[factor]).apply(abs) for factor in found.group(1, 3))
    return da * b + a * db + da * db if a.cols == b.rows else None


def _within(value: matrix, other: matrix, room: matrix | mpf) -> bool:
    if (value.rows, value.cols) != (other.rows, other.cols):
        return False
    apart = value - other
    return all(
        abs(apart[i, j]) <= (room[i, j] if isinstance(room, matrix) else room) + ALIKE
        for i in range(value.rows)
        for j in range(value.cols)
    )
