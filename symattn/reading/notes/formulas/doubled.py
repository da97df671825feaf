"""Formulas that a page was copied with twice, as it shows them and as TeX: `Q=[12​01​]Q = \\begin{bmatrix}...`.

What is shown lost its layout, so only the TeX is kept; all else on the line becomes blanks.
"""

from __future__ import annotations

import re

_COPIED = re.compile(
    r"^(?P<before>[^\\$`\n]{2,260})"
    r"(?P<tex>\\(?:begin|d?frac|text|mathrm|mathbf|operatorname|left|sqrt|approx|cdot|times)\b[^$`\n]*)$",
    re.MULTILINE,
)
_ENDS = frozenset("=])}|0123456789\u200b")
"""What the formula ends with that is shown: the same one stands behind it without a blank."""
_DRESS = re.compile(r"[\s_^{}\u200b]+")
_LAST = re.compile(r".*(?:\\end\{[a-z]*matrix\*?\}|\\end\{array\}\s*\\right.|\\right[\])])")


def without_doubles(text: str) -> str:
    """The text without what stands before and behind the TeX of the same formula."""
    return _COPIED.sub(_once, text)


def _once(copied: re.Match[str]) -> str:
    before, tex = copied["before"], copied["tex"]
    last = _LAST.match(tex)
    if last is None:
        return copied[0]
    shown = _DRESS.sub("", before)
    framed = len(shown) > 1 and _DRESS.sub("", tex[last.end() :]).startswith(shown)
    at = len(before) if framed else _doubled(before)
    if at is None:
        return copied[0]
    return " " * at + before[at:] + last[0] + " " * (len(tex) - last.end())


def _doubled(before: str) -> int | None:
    """Where in what stands before the first command the same beginning comes once more."""
    for at in range(1, len(before)):
        if before[at - 1] not in _ENDS:
            continue
        again = _DRESS.sub("", before[at:])
        if len(again) > 1 and _DRESS.sub("", before[:at]).startswith(again):
            return at
    return None
