"""Matrices drawn with pieces of brackets, ⎡ ⎢ ⎣, side by side in a formula: each on the line of the signs.

They become rows between `&` and `\\\\`, as LaTeX writes them; words before all rows are their labels, other
words on these lines are heads of columns. A matrix whose rows do not agree is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from symattn.notes.grammar.brackets import APART
from symattn.notes.grammar.side_by_side import Line, on_lines
from symattn.notes.grammar.tokens import Token

TOPS, BOTTOMS = ("⎡", "⎛"), ("⎣", "⎝")
PIECES: Final = (*TOPS, "⎢", "⎜", *BOTTOMS)
_WORDS: Final = ("NAME", "SUB", "PRIME")


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
    if not any(token.text in BOTTOMS for token in tokens):
        return tokens
    lines, out, number = on_lines(tokens), list[Token](), 0
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
    numeric = all(t.kind == "NUM" or t.text in ("+", "-") for row in rows.values() for t in row)
    cells = {n: _cells(row, numeric) for n, row in rows.items()}
    opening = lines[base][drawn.rows[first + base][0]]
    if len({len(row) for row in cells.values()}) != 1:
        yield _like(opening, "ODD", "…")
        return
    yield _like(opening, "BEGIN", "\\begin{matrix}")
    for number, row in cells.items():
        if number in drawn.labels:
            words = lines[number - first][slice(*drawn.labels[number])]
            yield _like(words[0], "NAME", "".join(" " * (t.space > 0) + t.text for t in words).strip())
            yield _like(words[0], "OP", "&")
        for k, cell in enumerate(row):
            yield from [_like(cell[0], "OP", "&")] * (k > 0)
            yield from cell
        yield _like(row[-1][-1], "ROW", "\\\\")
    yield _like(opening, "END", "\\end{matrix}")


def _cells(row: Line, numeric: bool) -> list[Line]:
    """The cells of a row: numbers one by one, expressions where there is a gap between them."""
    cells: list[Line] = [[]]
    for token in row:
        if cells[-1] and (cells[-1][-1].kind == "NUM" if numeric else token.space >= APART):
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
