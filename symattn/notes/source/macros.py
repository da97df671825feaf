"""The author's LaTeX macros, written out: `\\mat{1 & 0}` becomes the environment that it stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from symattn.notes.source.places import Source, Writer

_DEFINITION = re.compile(r"\\(?:re)?newcommand\*?\s*\{?\\([A-Za-z]+)\}?\s*(?:\[(\d)\])?\s*\{")
_USE = re.compile(r"\\([A-Za-z]+)\s*")
LONGEST_GROUP: Final = 4000
"""How far the brace that closes a macro or its argument is looked for, in characters."""
LONGEST_RESULT: Final = 2
"""How many times the length of a document its text may have with all macros written out."""


class _Macro(Struct, frozen=True):
    """What is written before and after the argument, if there is one."""

    before: str
    after: str
    takes_argument: bool


def without_macros(source: Source) -> Source:
    """The source with macros of at most one argument written out; arguments keep their places."""
    macros, definitions = _definitions(source.text)
    if not macros:
        return source
    text, writer, place, copied = source.text, Writer(), 0, 0
    closing: dict[int, str] = {}
    left = LONGEST_RESULT * len(text)
    while (place := _next(text, place, definitions, closing)) < len(text):
        writer.copy(source, copied, place)
        if place in definitions:
            place = definitions[place]
        elif place in closing:
            writer.at(closing.pop(place), source.lines[place], source.columns[place])
            place += 1
        else:
            found = _USE.match(text, place)
            macro = macros.get(found[1]) if found else None
            if found is None or macro is None or left < 0:
                writer.copy(source, place, place + 1)
                place += 1
            else:
                left -= len(macro.before) + len(macro.after)
                writer.at(macro.before, source.lines[place], source.columns[place])
                place = found.end()
                if macro.takes_argument and (end := _group_end(text, place)):
                    closing[end - 1] = macro.after
                    place += 1
        copied = place
    writer.copy(source, copied, len(text))
    return writer.source()


def _next(text: str, place: int, definitions: Mapping[int, int], closing: Mapping[int, str]) -> int:
    """Where the next command begins or the next argument ends."""
    while place < len(text) and text[place] != "\\" and place not in closing:
        place += 1
    return place


def _definitions(text: str) -> tuple[dict[str, _Macro], dict[int, int]]:
    """The macros by their names, and where each definition begins and ends."""
    macros: dict[str, _Macro] = {}
    places: dict[int, int] = {}
    for found in _DEFINITION.finditer(text):
        end = _group_end(text, found.end() - 1)
        if not end:
            continue
        places[found.start()] = end
        count, body = int(found[2] or 0), text[found.end() : end - 1]
        macros.pop(found[1], None)
        if count <= 1 and body.count("#1") == count:
            before, _, after = body.partition("#1")
            macros[found[1]] = _Macro(before, after, count == 1)
    return macros, places


def _group_end(text: str, start: int) -> int:
    """The index behind the brace that closes the one at `start`, or 0."""
    depth = 0
    for place in range(start, min(len(text), start + LONGEST_GROUP)):
        if text[place] == "{":
            depth += 1
        elif text[place] == "}":
            depth -= 1
        if depth <= 0:
            return place + 1 if text[place] == "}" else 0
    return 0
