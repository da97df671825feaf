"""What was understood of a document as an editable case: `symattn extract notes.md -o case.toml`.

`parse_case` reads it back to the same givens, steps and claims.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from symattn.attention.case import Case, Claim
from symattn.casefile.steps import step_table
from symattn.notes.documents import Reading
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven

_BARE = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]+)?")
_KEY = re.compile(r"[A-Za-z0-9_-]+")


def extract(reading: Reading, walk: int = 0) -> str:
    """The TOML of one example of a document, counted from 0.

    Raises MissingGiven where the document has no such example.
    """
    if not 0 <= walk < len(reading.cases):
        count = len(reading.cases)
        examples = "worked example was" if count == 1 else "worked examples were"
        raise MissingGiven(
            Bilingual(f"{count or 'no'} {examples} found in the document", f"文中找到 {count} 个算例"),
            Bilingual(f"--walk goes from 1 to {count}", f"--walk 的范围是 1 到 {count}")
            if count
            else Bilingual(
                "a computation starts from X and weights, from Q, K and V, or from scores",
                "推导从 X 和权重、Q、K 和 V，或得分开始",
            ),
        ).at(file=reading.file)
    case = reading.cases[walk]
    blocks = [_head(reading, walk), _given(case), *map(_step, case.program or ())]
    blocks += [_stated(claim) for claim in case.stated]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _head(reading: Reading, walk: int) -> str:
    case = reading.cases[walk]
    printed = sum(len(row) for claim in case.stated for row in claim.values)
    lines = [f"# Read from {_comment(reading.file or 'notes')}: {printed} printed numbers."]
    if len(reading.cases) > 1:
        lines.append(f"# Example {walk + 1} of {len(reading.cases)}; --walk chooses another.")
    if case.stated:
        lines.append("# Of what is stated, row and col count from 0; line is that of the document.")
    lines.append(f"title = {_words(case.title)}")
    if case.lang != "en":
        lines.append(f"lang = {_words(case.lang)}")
    if reading.file:
        lines.append(f"source = {_words(reading.file)}")
    if case.tokens:
        lines.append(f"tokens = [{', '.join(map(_words, case.tokens))}]")
    if not case.program:
        lines.append("step = []  # nothing is worked out: what is stated repeats what is given")
    return "\n".join(lines)


def _given(case: Case) -> str:
    if not case.given:
        return ""
    return "\n".join(
        ["[given]", *(f"{_key(name)} = {_rows(each.typed)}" for name, each in case.given.items())]
    )


def _step(line: Line) -> str:
    content = step_table(line)
    return "\n".join(["[[step]]", *(f"{key} = {_value(value)}" for key, value in content.items())])


def _stated(claim: Claim) -> str:
    lines = ["[[stated]]", f"name = {_words(claim.name)}"]
    lines += [f"{key} = {value}" for key, value in (("row", claim.row), ("col", claim.col)) if value]
    lines.append(f"values = {_rows(claim.values)}")
    if claim.place is not None:
        lines.append(f"line = {claim.place.line}")
    return "\n".join(lines)


def _value(value: Any) -> str:
    """A value of a step as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_value(each)}' for key, each in value.items())}}}"
    return str(value) if isinstance(value, int) else _words(str(value))


def _rows(rows: Sequence[Sequence[str]]) -> str:
    said = [[_number(text) for text in row] for row in rows]
    if len(said) == 1:
        return f"[[{', '.join(said[0])}]]"
    widths = [max(map(len, column)) for column in zip(*said, strict=True)]
    lines = (
        "  [" + ", ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + "],"
        for row in said
    )
    return "\n".join(["[", *lines, "]"])


def _number(text: str) -> str:
    return text if _BARE.fullmatch(text) and text != "-0" else _words(text)


def _key(name: str) -> str:
    return name if _KEY.fullmatch(name) else _words(name)


def _words(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    return text.translate(dict.fromkeys((*range(32), 127), " "))
