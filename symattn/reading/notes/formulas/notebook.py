"""A Jupyter notebook as one Markdown text, with the offset in the file of every character.

Markdown cells stand as they are; code, and the text that it printed, in fences, so that
`tensor([[...]])` follows the line that made it. Only strings are decoded; nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}:,]|[^\s\[\]{}:,"]+|"', re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_TEXTS = frozenset({"text", "text/plain", "text/markdown", "text/latex"})


@dataclass(slots=True)
class _Cell:
    kind: str = "markdown"
    source: list[tuple[int, int]] = field(default_factory=list)
    outputs: list[tuple[int, int]] = field(default_factory=list)


def unpacked(text: str) -> tuple[str, list[int]]:
    """The text of a notebook's cells, and where each of its characters stands in the file."""
    said: list[str] = []
    origin: list[int] = []

    def write(words: str, at: int) -> None:
        said.append(words)
        origin.extend([at] * len(words))

    for cell in _cells(text):
        at = cell.source[0][0] if cell.source else 0
        if cell.kind == "raw":
            continue
        fenced = cell.kind != "markdown"
        for strings, code in ((cell.source, fenced), (cell.outputs, True)):
            if not strings:
                continue
            write("```\n" if code else "\n", at)
            for start, end in strings:
                for character, place in _decoded(text, start + 1, end - 1):
                    write(character, place)
            write("\n```\n" if code else "\n\n", at)
    return "".join(said), [*origin, origin[-1] if origin else 0]


def _cells(text: str) -> Iterator[_Cell]:
    """The cells, in order, as the spans of their strings."""
    stack: list[str] = []  # the keys on the way down; "" for lists
    key = ""
    pending = False
    cell: _Cell | None = None
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token in "{[" and token:
            stack.append(key if token == "{" else f"[{key}")
            if stack[-2:] == ["[cells", "cells"] or (
                len(stack) == 3 and stack[1] == "[cells" and token == "{"
            ):
                cell = _Cell()
            pending = False
            if token == "{":
                key = stack[-1]
        elif token in "}]" and token:
            if token == "}" and len(stack) == 3 and stack[1] == "[cells" and cell is not None:
                yield cell
                cell = None
            if stack:
                stack.pop()
            pending = False
        elif token == ":":
            pending = True
        elif token == ",":
            pending = False
        elif token.startswith('"') and len(token) > 1:
            if not pending and not (stack and stack[-1].startswith("[")):
                key = token[1:-1]
            elif cell is not None:
                _take(cell, stack, key, token[1:-1], found.start(), found.end())


def _take(cell: _Cell, stack: list[str], key: str, said: str, start: int, end: int) -> None:
    inside = stack[3:]
    if not inside and key == "cell_type":
        cell.kind = said
    elif key == "source" and (not inside or inside == ["[source"]):
        cell.source.append((start, end))
    elif inside[:1] == ["[outputs"] and key in _TEXTS:
        cell.outputs.append((start, end))


def _decoded(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """The characters of a JSON string with their offsets."""
    at = start
    while at < end:
        if text[at] != "\\":
            yield text[at], at
            at += 1
        elif text[at + 1 : at + 2] == "u":
            digits = text[at + 2 : at + 6]
            code = int(digits, 16) if re.fullmatch(r"[0-9a-fA-F]{4}", digits) else 0xFFFD
            yield chr(code if not 0xD800 <= code < 0xE000 else 0xFFFD), at
            at += 6
        else:
            yield _ESCAPES.get(text[at + 1 : at + 2], text[at + 1 : at + 2]), at
            at += 2
