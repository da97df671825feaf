"""The strings of a notebook, unpacked: each source before its printed outputs; everything else is left out.

The file is scanned and not loaded, because a number must be found again at its line and column.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from msgspec import Struct, field

from symattn.notes.source.places import Source, Writer

_TOKEN = re.compile(r'"(?P<string>(?:[^"\\]|\\.)*)"|[\[\]{}:,]|[^\s"\[\]{}:,]+')
_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|[^\\]+")
_PRINTED = frozenset(("text", "text/plain", "text/latex", "text/markdown"))
_CELL = ("cells", "")
"""Where a cell is in the file: an entry of its list of cells."""


class _String(Struct, frozen=True):
    """A string of the file: its escaped characters, and where they begin."""

    chars: str
    line: int
    column: int


class _Cell(Struct):
    code: bool = False
    source: list[_String] = field(default_factory=list)
    outputs: list[list[_String]] = field(default_factory=list)


def unpacked(text: str) -> Source:
    """The sources and outputs of the cells of a notebook; code and printed text are put between fences."""
    writer = Writer()
    for cell in _cells(text):
        for strings, fenced in ((cell.source, cell.code), *((each, True) for each in cell.outputs)):
            if strings:
                edge = "\n```\n" if fenced else "\n\n"
                writer.at(edge, strings[0].line, 1)
                for string in strings:
                    _unescape(writer, string)
                writer.at(edge, strings[-1].line, 1)
    return writer.source()


def _cells(text: str) -> list[_Cell]:
    cells: list[_Cell] = []
    last: tuple[str, ...] = ()
    for path, string in _strings(text):
        if path[:2] != _CELL or len(path) < 3:
            continue
        if path[2:] == ("#",):
            cells.append(_Cell())
        elif cells and path[2] == "cell_type":
            cells[-1].code = string.chars == "code"
        elif cells and path[2] == "source":
            cells[-1].source.append(string)
        elif cells and path[2] == "outputs" and _PRINTED.intersection(path[3:]):
            at = tuple(each for each in path if each)
            if at != last or path[-1] in _PRINTED:
                cells[-1].outputs.append([])
            cells[-1].outputs[-1].append(string)
        last = tuple(each for each in path if each)
    return cells


def _strings(text: str) -> Iterator[tuple[tuple[str, ...], _String]]:
    """Every string that is a value, with its path of keys: "" for an entry of a list, `#` for an object."""
    path: list[str] = []
    keys: list[str | None] = []  # of each open container the key that is being given a value, None in a list
    pending: str | None = None
    line, start = 1, 0
    for found in _TOKEN.finditer(text):
        while (end := text.find("\n", start, found.start())) >= 0:
            line, start = line + 1, end + 1
        sign = found[0]
        if found["string"] is not None:
            if keys and keys[-1] == "" and pending is None:
                pending = found["string"]
                continue
            place = (*path, (keys[-1] or "") if keys else "")
            yield place, _String(found["string"], line, found.start() - start + 2)
        elif sign == ":":
            keys[-1], pending = pending or " ", None
        elif sign in "[{":
            if keys:
                path.append(keys[-1] or "")
            keys.append("" if sign == "{" else None)
            if sign == "{":
                yield (*path, "#"), _String("", line, 0)
        elif sign in "]}" and keys:
            keys.pop()
            if path:
                path.pop()
        elif sign == "," and keys and keys[-1] is not None:
            keys[-1], pending = "", None


def _unescape(writer: Writer, string: _String) -> None:
    for part in _ESCAPE.finditer(string.chars):
        column = string.column + part.start()
        if part[0][0] != "\\":
            writer.run(part[0], string.line, column)
            continue
        try:
            char = json.loads(f'"{part[0]}"')
        except ValueError:
            char = part[0]
        writer.at(char, string.line, column)
