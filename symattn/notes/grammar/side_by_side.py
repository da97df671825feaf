"""Matrices in nested brackets over several lines, side by side: each becomes one token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symattn.notes.grammar.rows import MOST_ROWS, numbers
from symattn.notes.grammar.syntax import drawn, literal
from symattn.notes.grammar.tokens import Token

MOST_LINES: Final = 24
SHIFT: Final = 3
"""By how many columns a row may be shifted against the first one."""

Line = list[Token]
Group = tuple[int, int]
"""The indices of an opening bracket and its closing one on a line."""
Stack = list[tuple[int, Group]]
"""The rows of a matrix: the number of a line, and where on it."""


def apart(tokens: list[Token]) -> list[Token]:
    """The tokens with each such matrix as one, in the place of its first row."""
    lines = on_lines(tokens)
    groups = [_groups(line) for line in lines]
    dropped: set[int] = set()
    put: dict[int, Token] = {}
    for number in range(len(lines)):
        for stack in _stacks(lines, groups, number):
            rows = [numbers(lines[n][start + 1 : end]) for n, (start, end) in stack]
            literals = [row for row in rows if row is not None]
            if len(literals) < len(rows) or len({row.shape for row in literals}) > 1:
                continue
            first = lines[number][stack[0][1][0]]
            node = literal(
                [t for row in literals for t in row.tokens],
                [s for row in literals for s in row.signs],
                (len(literals), *literals[0].shape),
            )
            put[id(first)] = drawn(node, first, first.space or 1)
            for n, group in stack:
                dropped.update(map(id, _around(lines[n], group, n == number)))
    out: list[Token] = []
    for token in tokens:
        if id(token) in put:
            out.append(put[id(token)])
        if id(token) not in dropped:
            out.append(token)
    return out


def on_lines(tokens: Sequence[Token]) -> list[Line]:
    """The tokens of each line, its end among them."""
    lines: list[Line] = [[]]
    for token in tokens:
        lines[-1].append(token)
        if token.kind == "NL":
            lines.append([])
    return lines


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
    for number in range(first + 1, min(len(lines), first + MOST_LINES)):
        if not going_on:
            break
        line = lines[number]
        for group in groups[number]:
            column = line[group[0]].column
            stack = min(going_on, key=lambda each: abs(_column(lines, each) - column), default=None)
            if stack is None or abs(_column(lines, stack) - column) > SHIFT or stack[-1][0] == number:
                return []
            stack.append((number, group))
            if _ends(line, group):
                going_on = [each for each in going_on if each is not stack]
    return stacks if len(stacks) > 1 and not going_on else []


def _column(lines: Sequence[Line], stack: Stack) -> int:
    number, (start, _) = stack[0]
    return lines[number][start].column


def _around(line: Line, group: Group, first: bool) -> Line:
    """A row with its brackets, the outer bracket where one begins or ends, and the comma behind it."""
    start, end = group
    more = end + 1 < len(line) and (line[end + 1].text == "," or _ends(line, group))
    return line[start - first : end + 1 + more]
