"""Letters whose index stands above: `q^1 = W^q a^1`, `q^1 · k^2`, as lectures write vectors.

A power looks alike, so it takes a document that begins formulas with at least two letters that do so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.names import RUNNING
from symattn.reading.notes.formulas.stream import Token

_LETTERS = frozenset("axqkvbozh")
FEWEST = 2
_LONGEST = 2

_RUN = re.compile(r"(?P<script>(?:W_)?[QKVOqkvo])(?P<factor>[axehXEHAZ](?:_\d{1,2})?)")
"""The index of a projection and what it multiplies, in the one word as which they are written."""


def with_raised(stream: Sequence[Token]) -> Sequence[Token]:
    """The tokens, with `_` for the `^` of letters that a document counts above."""
    stream = list(_apart(stream))
    raised = [i for i in _raised(stream) if stream[i - 1].text in _LETTERS]
    heads = {stream[i - 1].text for i in raised if _begins(stream, i - 1) and _is_equated(stream, i + 2)}
    if len(heads) < FEWEST or not heads & {"q", "k"}:
        return stream
    found = list(stream)
    for i in (*raised, *_running(stream)):
        if stream[i - 1].text in heads:
            found[i] = replace(stream[i], text="_")
    return found


def _apart(stream: Sequence[Token]) -> Iterator[Token]:
    """The tokens, with `W^qa` as TeX reads it: a script is a single letter."""
    for i, token in enumerate(stream):
        run = _RUN.fullmatch(token.text) if token.kind == "word" and len(token.text) > 1 else None
        if run is not None and (token.text[0] == "W" or _is_script(stream, i)):
            middle = token.start + run.end("script")
            yield replace(token, text=run["script"], end=middle)
            yield replace(token, text=run["factor"], start=middle, tight=True)
        else:
            yield token


def _is_script(stream: Sequence[Token], i: int) -> bool:
    """Whether a token is the index of a letter W before it."""
    return (
        i > 1
        and stream[i - 1].kind == "op"
        and stream[i - 1].text in ("^", "_")
        and stream[i - 2].text == "W"
    )


def _raised(stream: Sequence[Token]) -> Iterator[int]:
    """Where a letter is raised to a small whole number."""
    for i in range(1, len(stream) - 1):
        if stream[i].kind == "op" and stream[i].text == "^":
            above = stream[i + 1]
            if above.kind == "num" and above.text.isdigit() and len(above.text) <= _LONGEST:
                yield i


def _running(stream: Sequence[Token]) -> Iterator[int]:
    """Where a letter has an index above that stands for every row: `v^i`."""
    for i in range(1, len(stream) - 1):
        if stream[i].kind == "op" and stream[i].text == "^" and stream[i + 1].text in RUNNING:
            yield i


def _begins(stream: Sequence[Token], i: int) -> bool:
    """Whether a formula begins with a token."""
    return i == 0 or stream[i - 1].kind in ("mark", "nl", "comma", "list", "amp", "row", "cjk", "stop")


def _is_equated(stream: Sequence[Token], i: int) -> bool:
    return i < len(stream) and stream[i].kind == "rel" and stream[i].text in ("=", "≈")
