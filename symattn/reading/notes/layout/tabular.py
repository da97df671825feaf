"""The rows and cells of tables in LaTeX: a tabular, and a matrix of nodes in a drawing of TikZ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Span = tuple[int, int]
Cells = tuple[Span, ...]
"""Where the cells of one row stand, from left to right."""

_ENVIRONMENT = re.compile(r"\\(begin|end)\{(?:tabular[x*]?|longtable|tabulary|NiceTabular[X*]?|tabu)\}")
_INNER = re.compile(r"\\(begin|end)\{[A-Za-z]+\*?\}")
_ROW_END = re.compile(r"\\\\(?:\[[^\]\n]*\])?")
_BRACED = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
_AND = re.compile(r"\\?&")
_SET = re.compile(
    r" *(?:\\(?:top|mid|bottom)rule|\\end(?:first|last)?(?:head|foot)|\\hline"
    r"|\\c(?:line|midrule)(?:\([^()]*\))?\{[^{}]*\})"
)


def tabular(text: str, start: int, end: int) -> tuple[list[Cells], int] | None:
    """The rows of the tabular that begins between two offsets of a line, and where it ends, or None.

    What stands in an environment of its own within it, a matrix in a cell, has no cells of the table.
    """
    opening = _ENVIRONMENT.search(text, start, end)
    closing = _ENVIRONMENT.search(text, opening.end()) if opening is not None else None
    if opening is None or closing is None or (opening[1], closing[1]) != ("begin", "end"):
        return None
    inside = _without_inner(text[end : closing.start()])
    rows: list[Cells] = []
    at = 0
    ends = [row.span() for row in _ROW_END.finditer(inside)]
    for until, after in (*ends, (len(inside), len(inside))):
        begin = _behind_rules(inside, at, until)
        ands = [k for k in range(begin, until) if inside[k] == "&" and inside[k - 1] != "\\"]
        cells = between(begin, ands, until) if ands else ()
        row = tuple(_unbraced(inside, span) for span in cells)
        rows += [tuple((end + a, end + b) for a, b in row)] if row else []
        at = after
    return rows, closing.end()


def nodes(line: str, start: int) -> Cells:
    """The cells of a line of a matrix of nodes, which begins at an offset."""
    end = _ROW_END.search(line)
    ands = [*_AND.finditer(line)]
    begins = [start + len(line) - len(line.lstrip()), *(start + sign.end() for sign in ands)]
    ends = [*(start + sign.start() for sign in ands), start + (end.start() if end else len(line))]
    return tuple(zip(begins, ends, strict=True))


def between(start: int, signs: Sequence[int], end: int) -> Iterator[Span]:
    """The stretches between signs of one character each."""
    for sign in signs:
        yield start, sign
        start = sign + 1
    yield start, end


def _without_inner(inside: str) -> str:
    """A text with something else than cells and rows in place of every environment in it."""
    pieces: list[str] = []
    at = begun = depth = 0
    for found in _INNER.finditer(inside):
        if found[1] == "begin":
            begun = begun if depth else found.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                pieces += [inside[at:begun], "x" * (found.end() - begun)]
                at = found.end()
    return "".join([*pieces, inside[at:]])


def _unbraced(text: str, span: Span) -> Span:
    """What stands in the braces that keep the words of a head out of a column of numbers, `{$q_1$}`."""
    start, end = span
    said = text[start:end].strip()
    if _BRACED.fullmatch(said) is None:
        return span
    begin = text.index("{", start)
    return begin + 1, begin + len(said) - 1


def _behind_rules(text: str, start: int, end: int) -> int:
    """Behind line ends and the rules between two rows."""
    while True:
        while start < end and text[start] in " \n":
            start += 1
        rule = _SET.match(text, start, end)
        if rule is None:
            return start
        start = rule.end()
