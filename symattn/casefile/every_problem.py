"""All that is wrong in a case at once: each problem is taken out of its tables, and they are read again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from symattn.text.errors import MissingGiven, SymattnError

T = TypeVar("T")

MOST = 10
"""So many problems are listed."""
REQUIRED = (
    "symbols",
    "floats",
    "tokens",
    "memory_tokens",
    "step",
    "given",
    "heads",
    "layers",
    "tokens_as",
    "mask_ones",
)
"""What decides how other keys are read: after a problem there, those are not judged."""
_PART = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z0-9_-]+|\[[0-9]+\]')


def read_all(content: dict[str, Any], read: Callable[[dict[str, Any]], T]) -> T:
    """What `read` makes of the content. Raises its first problem, with the independent others as `others`.

    Changes the content: an entry of a matrix becomes 1, another key is left out, and a table of an array
    of tables becomes None, so that the paths of those after it stay.
    """
    found: list[SymattnError] = []
    mended: list[str] = []
    while True:
        try:
            whole = read(content)
        except SymattnError as problem:
            key = problem.key or ""
            follows = any(path.startswith(key) for path in mended) or isinstance(problem, MissingGiven)
            said = any(problem.reason == each.reason for each in found)
            if not found or not (follows or said):  # what is missing now was taken out before
                found.append(problem)
            if len(found) == MOST or not _mend(content, key, mended):
                break
        else:
            if not found:
                return whole
            break
    first, *rest = found
    first.others = tuple(rest)
    raise first


def _mend(content: dict[str, Any], key: str, mended: list[str]) -> bool:
    """Whether what stands at the path could be taken out without changing how the rest is read."""
    parts = [json.loads(part) if part[0] in '"[' else part for part in _PART.findall(key)]
    parts = [part[0] if isinstance(part, list) else part for part in parts]
    if not parts or parts[0] == "step" or parts[-1] in REQUIRED:
        return False
    holder: Any = content
    for part in parts[:-1]:
        holder = _inside(holder, part)
    last = parts[-1]
    if isinstance(holder, dict) and last not in holder and isinstance(last, str) and "." in last:
        tag, _, last = last.rpartition(".")  # head1.A, written as a table
        for part in tag.split("."):
            holder = _inside(holder, part)
    value = _inside(holder, last)
    if value is None:
        return False
    if isinstance(holder, dict):
        del holder[last]
    elif isinstance(value, dict):
        holder[last] = None
    elif isinstance(value, list) or key in mended:
        return _mend(content, key.rpartition("[")[0], mended)
    else:
        holder[last] = 1
    mended.append(key)
    return True


def _inside(holder: Any, part: Any) -> Any:
    """The entry of a table or an array; None where there is none."""
    try:
        return holder[part]
    except (KeyError, IndexError, TypeError):
        return None
