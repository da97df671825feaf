"""A line of a case whose values TOML does not read, such as `[1., 1/2]`, as it should be written."""

from __future__ import annotations

import json
import re
import tomllib
from typing import NamedTuple

from symattn.exact.syntax import parse
from symattn.text.errors import SymattnError

_KEY = re.compile(r"""\s*(?:[\w.-]|"[^"]*"|'[^']*')+\s*=""")
_PIECE = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'|\#.*|[\[\],]|[^\[\],"'#]+""")
_POINT = re.compile(r"([+-]?)([0-9]*)\.([0-9]*)")


class Rewritten(NamedTuple):
    """The line as TOML reads it, and the first value that changed: its column, from 1, before and after."""

    line: str
    column: int
    before: str
    after: str


def rewritten(line: str) -> Rewritten | None:
    """The line with expressions in quotes and zeros around decimal points; None where that is not enough."""
    key = _KEY.match(line)
    start = key.end() if key else 0
    parts, first, followed = [line[:start]], None, False
    for piece in _PIECE.finditer(line, start):
        typed = piece.group()
        value = typed.strip()
        if not value or value in "[]," or value.startswith("#"):
            followed = followed and not value
            parts.append(typed)
            continue
        good = None if followed else _good(value)
        if good is None:
            return None
        followed = True
        parts.append(typed.replace(value, good))
        if good != value and first is None:
            first = (piece.start() + typed.index(value) + 1, value, good)
    return Rewritten("".join(parts), *first) if first else None


def _good(value: str) -> str | None:
    """The value as TOML reads it; None where that is not known."""
    if _is_toml(value):
        return value
    if value.startswith('"'):  # "\sqrt{2}", where TOML reads escapes
        return f"'{value[1:-1]}'" if "'" not in value else None
    if (point := _POINT.fullmatch(value)) and value.strip("+-."):
        sign, whole, decimals = point.groups()
        return f"{sign}{whole or 0}.{decimals or 0}"
    try:
        parse(value)
    except SymattnError:
        return None
    return f"'{value}'" if "\\" in value else json.dumps(value, ensure_ascii=False)


def _is_toml(value: str) -> bool:
    try:
        tomllib.loads(f"value = {value}")
    except ValueError:
        return False
    return True
