"""Notebooks: the Markdown cells and the printed outputs of an `.ipynb`, with places of the file itself.

The strings of the JSON are unrolled into one text, read as Markdown, and every place is led back through
the escapes to the line and column where the number stands in the file.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace

from symattn.case import Case, Claim, Place
from symattn.errors import UnreadableFile
from symattn.reading.notes import Reading, read_notes
from symattn.reading.notes.characters import lines_of

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_SURROGATES = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_PRINTED = ("text/plain", "text/markdown", "text/latex")

Path = tuple[str | int, ...]


class Unrolled:
    """The text of a notebook, and where each of its characters stands in the file."""

    def __init__(self, file_text: str) -> None:
        pieces: list[str] = []
        self.offsets: list[int] = []
        for strings in _cells(file_text):
            for start, raw in strings:
                for character, offset in _decoded(raw, start):
                    pieces.append(character)
                    self.offsets.append(offset)
            pieces.append("\n\n")
            self.offsets += [self.offsets[-1] if self.offsets else 0] * 2
        self.text = "".join(pieces)
        self._lines = lines_of(self.text)
        self._file_lines = lines_of(file_text)

    def place(self, place: Place) -> Place:
        """The place in the file of a place in the text."""
        at = self._lines[place.line - 1] + place.column - 1
        offset = self.offsets[min(at, len(self.offsets) - 1)]
        line = bisect_right(self._file_lines, offset)
        return Place(line, offset - self._file_lines[line - 1] + 1)


def read_notebook(text: str, file: str | None, shown: Callable[[str], str] = str) -> Reading:
    """What is understood of a notebook. Raises UnreadableFile for a text that is none.

    `shown` may blank a part of the unrolled text; it keeps every offset.
    """
    unrolled = Unrolled(text)
    reading = read_notes(shown(unrolled.text), file, "markdown")
    place = unrolled.place
    return replace(
        reading,
        kind="notebook",
        cases=tuple(_moved(case, unrolled) for case in reading.cases),
        equations=tuple(replace(each, place=place(each.place)) for each in reading.equations),
        unread=tuple(replace(each, place=place(each.place)) for each in reading.unread),
        not_computed=tuple(replace(each, place=place(each.place)) for each in reading.not_computed),
    )


def _moved(case: Case, unrolled: Unrolled) -> Case:
    return replace(case, stated=tuple(_moved_claim(claim, unrolled) for claim in case.stated))


def _moved_claim(claim: Claim, unrolled: Unrolled) -> Claim:
    def moved(place: Place | None) -> Place | None:
        return None if place is None else unrolled.place(place)

    first = moved(claim.place)
    return replace(
        claim,
        line=first.line if first else claim.line,
        place=first,
        places=tuple(tuple(moved(place) for place in row) for row in claim.places),
        work_places=tuple(unrolled.place(place) for place in claim.work_places),
    )


def _cells(text: str) -> Iterator[list[tuple[int, str]]]:
    """The strings of each cell that hold its text: of Markdown its source, of code what it printed."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        line, column = getattr(problem, "lineno", None), getattr(problem, "colno", None)
        said = getattr(problem, "msg", "nested too deep")
        raise UnreadableFile(f"not a notebook: {said}", "an .ipynb is a JSON file with a list of cells").at(
            line=line, column=column
        ) from None
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        raise UnreadableFile("a notebook without cells", "an .ipynb of format 4 has a list of cells")
    kinds = [cell.get("cell_type") if isinstance(cell, dict) else None for cell in content["cells"]]
    found: dict[tuple[str | int, ...], list[tuple[int, str]]] = {}
    for path, start, raw in _strings(text):
        if len(path) < 3 or path[0] != "cells" or not isinstance(path[1], int):
            continue
        code = kinds[path[1]] == "code"
        if not code and path[2] == "source":
            found.setdefault(path[:3], []).append((start, raw))
        elif code and path[2] == "outputs" and len(path) > 4:
            said = path[5] if path[4] == "data" and len(path) > 5 else path[4]
            if said == "text" or said in _PRINTED:
                found.setdefault((*path[:5], said), []).append((start, raw))
    yield from found.values()


def _strings(text: str) -> Iterator[tuple[Path, int, str]]:
    """Every string value of a JSON text with its path, its offset and its characters without the quotes."""
    stack: list[str | int] = []
    key: str | None = None
    for token in _TOKEN.finditer(text):
        said = token[0]
        if said in "{[":
            stack.append("" if said == "{" else 0)
            key = None
        elif said in "}]":
            stack.pop()
        elif said == ",":
            if isinstance(stack[-1], int):
                stack[-1] += 1
            key = None
        elif said == ":":
            stack[-1] = key or ""
        elif said.startswith('"'):
            if stack and isinstance(stack[-1], str) and key is None:
                key = str(json.loads(said))
            else:
                yield tuple(stack), token.start() + 1, said[1:-1]


def _decoded(raw: str, start: int) -> Iterator[tuple[str, int]]:
    """The characters of a JSON string, each with its offset in the file."""
    at = 0
    while at < len(raw):
        if raw[at] != "\\":
            yield raw[at], start + at
            at += 1
            continue
        length = 12 if _SURROGATES.match(raw, at) else 6 if raw[at + 1 : at + 2] == "u" else 2
        yield str(json.loads(f'"{raw[at : at + length]}"')), start + at
        at += length
