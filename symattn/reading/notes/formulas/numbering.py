"""The numbers of equations at the ends of their lines, which count up: `q = 2·2 + 1·0 = 4    (1)`.

They become blanks, so that every offset stays true.
"""

from __future__ import annotations

from itertools import pairwise

_BEFORE = ("  ", "\t", "quad", "quad ")
_SIGNS = ("=", "≈")
LONGEST = 5
"""How many characters a number has, with its brackets."""


def unnumbered(text: str) -> str:
    """The text without the numbers of its equations, where each is the one before and one more."""
    if "(1)" not in text or "(2)" not in text:
        return text
    spans, begin = [], 0
    for line in text.split("\n"):
        said = line.rstrip(" \t$")
        at = said.rfind("(", max(len(said) - LONGEST, 0))
        numbered = at >= 0 and said[at + 1 : -1].isdecimal() and said.endswith(")")
        if numbered and said[:at].endswith(_BEFORE) and any(sign in line for sign in _SIGNS):
            spans.append((begin + at, begin + len(said)))
        begin += len(line) + 1
    numbers = [int(text[start + 1 : end - 1]) for start, end in spans]
    if len(spans) < 2 or any(b != a + 1 for a, b in pairwise(numbers)):
        return text
    parts, done = [], 0
    for start, end in spans:
        parts += [text[done:start], " " * (end - start)]
        done = end
    return "".join(parts) + text[done:]
