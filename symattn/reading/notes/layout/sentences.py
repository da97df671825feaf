"""Where the sentences of a text end, and their clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator

_AHEAD = r"(?=\s*$|\s+[^\sa-z]|[\u3400-\u9fff])"
"""Behind a full stop that ends a sentence, and not `e.g. the` or 0.5."""
_CLAUSE = re.compile(rf"。|\.{_AHEAD}|[!?;](?=[\s\u3400-\u9fff]|$)")
_SENTENCE = re.compile(rf"。|\.{_AHEAD}|[!?](?=[\s\u3400-\u9fff]|$)|\n(?= *(?:\n|[-*+•#|>]|\d{{1,2}}[.)] ))")


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence of a text, with where it begins; a paragraph, a bullet and a heading end one too."""
    begin = 0
    for stop in _SENTENCE.finditer(text):
        yield begin, text[begin : stop.end()]
        begin = stop.end()
    yield begin, text[begin:]


def undressed_end(said: str) -> str:
    """The last character before the blanks and the marks with which a text ends."""
    end = len(said)
    while end and (said[end - 1] in "$*`" or said[end - 1].isspace()):
        end -= 1
    return said[end - 1 : end]


def first_sentence(said: str) -> str:
    """What a text says before its first sentence ends."""
    return _SENTENCE.split(said, maxsplit=1)[0]


def last_clause(said: str) -> str:
    """What a text says since its last clause ended, by a stop or a semicolon."""
    return _CLAUSE.split(said)[-1]
