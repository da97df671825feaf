"""Matrices drawn with pieces of brackets, ⎡ ⎢ ⎣, side by side in a formula: each on the line of the signs.

They become rows between `&` and `\\\\`, as LaTeX writes them; words before all rows are their labels, other
words on these lines are heads of columns. A matrix whose rows do not agree is unknown. Nested brackets over
several lines, side by side, are such matrices too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from symattn.notes.grammar.brackets import APART
from symattn.notes.grammar.rows import MOST_ROWS, numbers
from symattn.notes.grammar.syntax import drawn as whole
from symattn.notes.grammar.syntax import matrix_of
from symattn.notes.grammar.tokens import Token

TOPS, BOTTOMS = ("⎡", "⎛"), ("⎣", "⎝")
PIECES: Final = (*TOPS, "⎢", "⎜", *BOTTOMS)
_WORDS: Final = ("NAME", "SUB", "PRIME")
MOST_LINES: Final = 24
SHIFT: Final = 3
"""By how many columns a row may be shifted against the first one."""

Line = list[Token]
Group = tuple[int, int]
"""The indices of an opening bracket and its closing one on a line."""
Stack = list[tuple[int, Group]]
"""The rows of a matrix: the number of a line, and where on it."""


@dataclass(slots=True, eq=False)
class _Drawn:
    """What is between pieces: on each of its lines the indices of the brackets, and the label before them.

    `around` says that it is a bracket around others.
    """

    rows: dict[int, tuple[int, int]] = field(default_factory=dict)
    labels: dict[int, tuple[int, int]] = field(default_factory=dict)
    around: bool = False


def pieced(tokens: list[Token]) -> list[Token]:
    """The tokens with every such formula on one line."""
    lines, out, number = _unnested(_on_lines(tokens)), list[Token](), 0
    if not any(token.text in BOTTOMS for line in lines for token in line):
        return tokens
    while number < len(lines):
        block = _block(lines, number)
        height = max((max(each.rows) - number + 1 for each in block), default=1)
        made = _formula(lines[number : number + height], number, block) if block else None
        if made is not None and number and _heads(lines[number - 1], made):
            del out[len(out) - len(lines[number - 1]) :]
        out += made if made is not None else (t for line in lines[number : number + height] for t in line)
        number += height
    return out


def _block(lines: Sequence[Line], first: int) -> list[_Drawn]:
    """What begins on a line and on those that it spans; nothing unless all of it ends.

    A piece in the middle continues what is open on the line before, from left to right.
    """
    found: list[_Drawn] = []
    still_open: list[_Drawn] = []
    for number in range(first, len(lines)):
        going_on, now = iter(still_open), list[_Drawn]()
        for start, end in _pieces(lines[number]):
            top = lines[number][start].text in TOPS
            drawn = _Drawn() if top else next(going_on, None)
            if drawn is None:
                return []
            if top:
                found.append(drawn)
            drawn.rows[number] = start, end
            if lines[number][start].text not in BOTTOMS:
                now.append(drawn)
        if next(going_on, None) is not None:
            return []
        if not now:
            return found
        still_open = now
    return []


def _pieces(line: Line) -> list[tuple[int, int]]:
    """The indices of each opening piece on a line and of the closing one, from left to right."""
    found: list[tuple[int, int]] = []
    opened: list[int] = []
    for i, token in enumerate(line):
        if token.kind == "OPEN":
            opened.append(i)
        elif token.kind == "CLOSE" and opened:
            start = opened.pop()
            if line[start].text in PIECES:
                found.append((start, i))
    return sorted(found)


def _formula(lines: Sequence[Line], first: int, block: Sequence[_Drawn]) -> Line | None:
    """The formula of a block on one line; None where it has not exactly one line with signs."""
    for each in block:
        each.around = any(_within(other, each) for other in block)
    taken: list[set[int]] = [set() for _ in lines]
    for each in block:
        _find_labels(each, lines, first)
        for number, (start, end) in each.rows.items():
            inside = {start, end} if each.around else set(range(start, end + 1))
            taken[number - first] |= inside | set(range(*each.labels.get(number, (0, 0))))
    left = [
        {i for i, token in enumerate(line) if i not in done and token.kind not in ("NL", "SEP")}
        for line, done in zip(lines, taken, strict=True)
    ]
    raised = [
        {i for i in rest if line[i].kind == "TRANS" and not line[i].space and i - 1 in done}
        for line, rest, done in zip(lines, left, taken, strict=True)
    ]
    signs = [
        number
        for number, (line, rest) in enumerate(zip(lines, left, strict=True))
        if any(line[i].kind not in _WORDS and i not in raised[number] for i in rest)
    ]
    base = signs[0] if signs else len(lines) // 2
    if len(signs) > 1 or not all(first + base in each.rows for each in block):
        return None
    made: dict[int, Line] = {}
    for each in block:
        start, end = each.rows[first + base]
        power = [lines[n - first][e + 1] for n, (_, e) in each.rows.items() if e + 1 in raised[n - first]]
        if each.around:
            made[start] = [_like(lines[base][start], "OPEN", "(")]
            made[end] = [_like(lines[base][end], "CLOSE", ")"), *power]
        else:
            made[start] = [*_matrix(each, lines, first, base), *power]
    out: Line = []
    for i, token in enumerate(lines[base]):
        out += made.get(i, [] if i in taken[base] or i in raised[base] else [token])
    return out


def _within(inner: _Drawn, outer: _Drawn) -> bool:
    return inner is not outer and any(
        outer.rows[n][0] < start and end < outer.rows[n][1]
        for n, (start, end) in inner.rows.items()
        if n in outer.rows
    )


def _find_labels(drawn: _Drawn, lines: Sequence[Line], first: int) -> None:
    """Words before every row of a matrix are its labels."""
    for number, (end, _) in drawn.rows.items():
        line, start = lines[number - first], end
        while start and (line[start - 1].kind in _WORDS or _counts(line[start - 1])):
            start -= 1
        drawn.labels[number] = start, end
    shortest = min(end - start for start, end in drawn.labels.values())
    if not shortest or drawn.around:
        drawn.labels = {}
    drawn.labels = {number: (end - shortest, end) for number, (_, end) in drawn.labels.items()}


def _counts(token: Token) -> bool:
    return token.kind == "NUM" and not token.space and not token.unit


def _matrix(drawn: _Drawn, lines: Sequence[Line], first: int, base: int) -> Iterator[Token]:
    """A matrix as LaTeX writes it, or a token for one that is not understood."""
    rows = {n: lines[n - first][start + 1 : end] for n, (start, end) in drawn.rows.items()}
    rows = {n: row for n, row in rows.items() if row}
    opening = lines[base][drawn.rows[first + base][0]]
    numeric = [row for row in map(numbers, rows.values()) if row is not None]
    if len(numeric) == len(rows) and len({row.shape for row in numeric}) == 1:
        labels = [_label(lines[n - first][slice(*at)]).lower() for n, at in drawn.labels.items()]
        yield whole(matrix_of(numeric, tuple(labels)), opening, opening.space or 1)
        return
    cells = {n: _cells(row) for n, row in rows.items()}
    if len(numeric) == len(rows) or len({len(row) for row in cells.values()}) != 1:
        yield _like(opening, "ODD", "…")
        return
    yield _like(opening, "BEGIN", "\\begin{matrix}")
    for number, row in cells.items():
        if number in drawn.labels:
            words = lines[number - first][slice(*drawn.labels[number])]
            yield _like(words[0], "NAME", _label(words))
            yield _like(words[0], "OP", "&")
        for k, cell in enumerate(row):
            yield from [_like(cell[0], "OP", "&")] * (k > 0)
            yield from cell
        yield _like(row[-1][-1], "ROW", "\\\\")
    yield _like(opening, "END", "\\end{matrix}")


def _label(words: Line) -> str:
    return "".join(" " * (t.space > 0) + t.text for t in words).strip()


def _cells(row: Line) -> list[Line]:
    """The cells of a row: expressions with a gap between them."""
    cells: list[Line] = [[]]
    for token in row:
        if cells[-1] and token.space >= APART:
            cells.append([])
        cells[-1].append(token)
    return cells


def _heads(line: Line, made: Line) -> bool:
    """Whether the line above a formula is nothing but the heads of columns of its matrices."""
    words = sum(token.kind == "NAME" for token in line)
    alone = all(t.kind in (*_WORDS, "NL") or _counts(t) for t in line)
    return alone and 0 < words <= sum(t.text == "&" for t in made)


def _like(token: Token, kind: str, text: str) -> Token:
    return Token(kind, text, token.line, token.column, token.space)


def _on_lines(tokens: Sequence[Token]) -> list[Line]:
    """The tokens of each line, its end among them."""
    lines: list[Line] = [[]]
    for token in tokens:
        lines[-1].append(token)
        if token.kind == "NL":
            lines.append([])
    return lines


def _unnested(lines: list[Line]) -> list[Line]:
    """The lines with nested rows of numbers, several matrices abreast, as rows between pieces of brackets."""
    groups = [_groups(line) for line in lines]
    dropped: set[int] = set()
    for number in range(len(lines)):
        for stack in _stacks(lines, groups, number):
            for n, (start, end) in stack:
                first, row = n == number, lines[n]
                row[start].text = "⎡" if first else "⎣" if _ends(row, (start, end)) else "⎢"
                more = end + 1 < len(row) and (row[end + 1].text == "," or row[end + 1].kind == "CLOSE")
                dropped.update(map(id, (*row[start - first : start], *row[end + 1 : end + 1 + more])))
                dropped.update(id(t) for t in row[start:end] if t.text == ",")
    return [[token for token in line if id(token) not in dropped] for line in lines] if dropped else lines


def _groups(line: Line) -> list[Group]:
    """The brackets around nothing but numbers; none on a line with too many of them."""
    found: list[Group] = []
    opening: int | None = None
    for i, token in enumerate(line):
        if token.kind == "OPEN":
            opening = i
        elif token.kind == "CLOSE" and opening is not None:
            if any(t.kind == "NUM" for t in line[opening + 1 : i]):
                found.append((opening, i))
            opening = None
        elif token.kind != "NUM" and token.text not in (",", "+", "-"):
            opening = None
    return found if len(found) <= MOST_ROWS else []


def _ends(line: Line, group: Group) -> bool:
    """Whether a row is the last of its matrix."""
    return group[1] + 1 < len(line) and line[group[1] + 1].kind == "CLOSE"


def _begins(line: Line, group: Group) -> bool:
    """Whether a row is the first of a matrix of several."""
    return group[0] > 0 and line[group[0] - 1].kind == "OPEN" and not _ends(line, group)


def _stacks(lines: Sequence[Line], groups: Sequence[list[Group]], first: int) -> list[Stack]:
    """The matrices that begin on a line, if there are several and all of them end."""
    stacks: list[Stack] = [[(first, group)] for group in groups[first] if _begins(lines[first], group)]
    going_on = list(stacks) if len(stacks) > 1 else []
    for number in range(first + 1, min(len(lines), first + MOST_LINES) if going_on else 0):
        line = lines[number]
        for group in groups[number]:
            column = line[group[0]].column
            stack = min(going_on, key=lambda each: abs(_column(lines, each) - column), default=None)
            if stack is None or abs(_column(lines, stack) - column) > SHIFT or stack[-1][0] == number:
                return []
            stack.append((number, group))
            if _ends(line, group):
                going_on = [each for each in going_on if each is not stack]
        if not going_on:
            return stacks
    return []


def _column(lines: Sequence[Line], stack: Stack) -> int:
    number, (start, _) = stack[0]
    return lines[number][start].column
