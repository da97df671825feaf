"""The tables of a case as TOML, which `parse_case` reads back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from symattn.attention.case import Claim, Given
from symattn.casefile.steps import step_table
from symattn.plans.plan import Line

_BARE = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]+)?")
_KEY = re.compile(r"[A-Za-z0-9_-]+")


def given_table(given: Mapping[str, Given]) -> str:
    """The `[given]` table, its numbers as they were typed; nothing where nothing is given."""
    if not given:
        return ""
    return "\n".join(["[given]", *(f"{key(name)} = {rows(each.typed)}" for name, each in given.items())])


def step_lines(line: Line) -> str:
    """The `[[step]]` table of a line."""
    return "\n".join(["[[step]]", *(f"{name} = {value(each)}" for name, each in step_table(line).items())])


def stated_table(claim: Claim, line: int | None = None) -> str:
    """The `[[stated]]` table of printed numbers, which are on this line of their source."""
    lines = ["[[stated]]", f"name = {words(claim.name)}"]
    lines += [f"{name} = {at}" for name, at in (("row", claim.row), ("col", claim.col)) if at]
    lines.append(f"values = {rows(claim.values)}")
    if claim.points is not None:
        lines.append(f"points = {claim.points}")
    if line is not None:
        lines.append(f"line = {line}")
    return "\n".join(lines)


def value(content: Any) -> str:
    """A value of a setting or a step."""
    if isinstance(content, bool):
        return "true" if content else "false"
    if isinstance(content, list):
        return f"[{', '.join(map(value, content))}]"
    if isinstance(content, dict):
        return f"{{{', '.join(f'{name} = {value(each)}' for name, each in content.items())}}}"
    return str(content) if isinstance(content, int) else words(str(content))


def rows(cells: Sequence[Sequence[str]]) -> str:
    """A matrix, its columns one below the other."""
    said = [[_number(text) for text in row] for row in cells]
    if len(said) == 1:
        return f"[[{', '.join(said[0])}]]"
    widths = [max(map(len, column)) for column in zip(*said, strict=True)]
    lines = (
        "  [" + ", ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + "],"
        for row in said
    )
    return "\n".join(["[", *lines, "]"])


def _number(text: str) -> str:
    return text if _BARE.fullmatch(text) and text != "-0" else words(text)


def key(name: str) -> str:
    """A key, in quotes where it needs them."""
    return name if _KEY.fullmatch(name) else words(name)


def words(text: str) -> str:
    """A string in quotes."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def comment(text: str) -> str:
    """Words for a comment, on one line."""
    return text.translate(dict.fromkeys((*range(32), 127), " "))
