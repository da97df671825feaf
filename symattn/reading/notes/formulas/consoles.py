"""What stands around a matrix that somebody computed in a console, or drew of pieces of brackets.

Prompts become blanks, and so does the name that a line ends with to have shown what it set; a point behind a
drawing belongs to no row of it. All is as long as before.
"""

from __future__ import annotations

import re

_PROMPT = re.compile(r"^(?:In|Out) ?\[\d+\]:", re.MULTILINE)
_SHOWN = re.compile(
    r"(?P<set>^[>. ]*(?P<name>[A-Za-z]\w*) *= *[^;\n]+)(?P<again>; *(?P=name) *)$", re.MULTILINE
)
_PIECES = ("⎛", "⎡")
_BEHIND = re.compile(r"(?<=[⎞⎟⎠⎤⎥⎦]) *[.,;](?= *$)", re.MULTILINE)


def answered(text: str) -> str:
    """The text without the prompts of consoles, and without `; Q` behind `Q = X W_Q`."""
    if "In [" in text or "Out[" in text:
        text = _PROMPT.sub(_blank, text)
    if "; " in text or ";" in text:
        text = _SHOWN.sub(lambda line: line["set"] + " " * len(line["again"]), text)
    return text


def pieced(text: str) -> str:
    """The text without points behind the pieces of brackets that matrices are drawn of."""
    if not any(piece in text for piece in _PIECES):
        return text
    return _BEHIND.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return "\n".join(" " * len(line) for line in found[0].split("\n"))
