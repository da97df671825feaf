"""What was understood of a document as an editable case: `symattn extract notes.md -o case.toml`.

`parse_case` reads it back to the same givens, conventions and claims.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from symattn.bilingual import Bilingual
from symattn.case import Case, Claim, Given, Settings, Statement
from symattn.errors import MissingGiven
from symattn.reading.keys import ATTENTION
from symattn.reading.notes.result import Convention, Reading

_BARE = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]+)?")
_DEFAULTS = Settings()


def extract(reading: Reading, walk: int = 0) -> str:
    """The TOML of one walk of a document, counted from 0; what else the document holds is said in comments.

    Raises MissingGiven where the document has no such walk.
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
    blocks = [_head(reading, walk), _given(case), _attention(case, reading.conventions[walk])]
    blocks += [_stated(claim) for claim in case.stated]
    blocks += [_statement(statement) for statement in case.statements]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _head(reading: Reading, walk: int) -> str:
    case = reading.cases[walk]
    printed = sum(len(row) for claim in case.stated for row in claim.values)
    lines = [f"# Read from {_comment(reading.file or 'notes')}: {printed} printed numbers."]
    if len(reading.cases) > 1:
        lines.append(f"# Walk {walk + 1} of {len(reading.cases)}; --walk chooses another.")
    if case.stated:
        lines.append("# Of what is stated, row and col count from 0; line is that of the document.")
    if reading.unread:
        spots = ", ".join(f"{each.text} (line {each.place.line})" for each in reading.unread[:12])
        lines.append(f"# Not read: {spots}{', ...' if len(reading.unread) > 12 else ''}.")
    lines.append(f"title = {_words(case.title)}")
    if case.lang != "en":
        lines.append(f"lang = {_words(case.lang)}")
    if reading.file:
        lines.append(f"source = {_words(reading.file)}")
    if case.tokens:
        lines.append(f"tokens = [{', '.join(map(_words, case.tokens))}]")
    return "\n".join(lines)


def _given(case: Case) -> str:
    if not case.given:
        return ""
    return "\n".join(["[given]", *(f"{name} = {_matrix(given)}" for name, given in case.given.items())])


def _matrix(given: Given) -> str:
    return _rows(given.typed)


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


def _attention(case: Case, conventions: Sequence[Convention]) -> str:
    """Every convention that is not the usual one; where there are inputs, weights and scale as well."""
    notes = {"undeclared": "  # no printed number overrules what the text leaves open"}
    notes |= {"unread": "  # numbers of the document whose quantity is not known"}
    notes |= {said.key: _because(said) for said in conventions}
    always = ("weights", "scale") if case.given else ("positions", "start")
    lines = ["[attention]"]
    for key in ATTENTION:
        value = getattr(case.settings, key.name)
        if key.name in always or value != getattr(_DEFAULTS, key.name):
            lines.append(f"{key.name} = {_setting(value)}{notes.get(key.name, '')}")
    return "\n".join(lines)


def _setting(value: str | int | Given) -> str:
    return (
        _matrix(value)
        if isinstance(value, Given)
        else str(value)
        if isinstance(value, int)
        else _words(value)
    )


def _because(said: Convention) -> str:
    if said.given:
        return "  # given by --set"
    if said.declared not in (None, said.value):
        return (
            f"  # the text says {said.declared}; this explains {said.explains} of {said.of} printed numbers"
        )
    if said.inferred and said.of:
        return f"  # inferred: it explains {said.explains} of {said.of} printed numbers"
    if said.inferred:
        return "  # inferred"
    return "  # as the text says" if said.declared is not None else ""


def _stated(claim: Claim) -> str:
    lines = ["[[stated]]", f"name = {_words(claim.name)}"]
    lines += [f"{key} = {value}" for key, value in (("row", claim.row), ("col", claim.col)) if value]
    if claim.key is not None:
        lines.append(f"key = {claim.key}")
    lines.append(f"values = {_rows(claim.values)}")
    if claim.work is not None:
        lines.append(f"work = {_words(claim.work)}")
    if claim.example:
        lines.append("example = true")
    if claim.place is not None:
        lines.append(f"line = {claim.place.line}")
    return "\n".join(lines)


def _statement(said: Statement) -> str:
    lines = ["[[statement]]", f"kind = {_words(said.kind)}", f"name = {_words(said.name)}"]
    lines += [
        f"{key} = {value}" for key, value in (("row", said.row), ("col", said.col)) if value is not None
    ]
    if said.value:
        lines.append(f"value = [{', '.join(map(_number, said.value))}]")
    if said.line is not None:
        lines.append(f"line = {said.line}")
    return "\n".join(lines)


def _words(text: str) -> str:
    """A TOML basic string; what JSON escapes, TOML escapes alike, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    return "".join(char for char in text if char.isprintable())
