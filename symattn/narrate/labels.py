"""Tokens as labels of rows and columns: visible, short, and no two alike."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symattn.typeset.latex_text import shortened

if TYPE_CHECKING:
    from symattn.narrate.voice import Voice
    from symattn.text.document import Prose

SPACE = "␣"
_WIDEST = 13.0  # em, which leaves room for the number of a row
_SPELLED = {"\n": r"\n", "\t": r"\t"}


def labels(tokens: Sequence[str]) -> tuple[str, ...]:
    """The names of the tokens: those that look alike, and empty ones, get the number of their row."""
    names = [shortened(_visible(token), _WIDEST) for token in tokens]
    alike = {name for name, times in Counter(names).items() if times > 1 or not name}
    while alike:
        names = [f"{name} ({i})".strip() if name in alike else name for i, name in enumerate(names, start=1)]
        alike = {name for name, times in Counter(names).items() if times > 1}
    return tuple(names)


def legend(tokens: Sequence[str], voice: Voice) -> Iterator[Prose]:
    """What the labels of the tokens leave out or write with signs, clause by clause."""
    names, shown = labels(tokens), [_visible(token) for token in tokens]
    if any(SPACE in label and SPACE not in token for label, token in zip(shown, tokens, strict=True)):
        yield voice.say("label-space")
    for sign, words in (("\n", "label-line"), ("\t", "label-tab")):
        if any(sign in token for token in tokens):
            yield voice.say(words)
    if any(name != label and "…" not in name for name, label in zip(names, shown, strict=True)):
        yield voice.say("label-number")
    for name, label in dict(zip(names, shown, strict=True)).items():
        if "…" in name and "…" not in label:
            yield voice.say("label-short", label=name, token=label)


def _visible(token: str) -> str:
    spelled = "".join(_SPELLED.get(character, character) for character in unicodedata.normalize("NFC", token))
    return re.sub(r"^\s+|\s+$", lambda edge: SPACE * len(edge.group()), spelled)
