r"""What TeX leaves out: what stands behind `%`, in `comment`, in `\iffalse` or behind the document.

All of it becomes blank, so that every offset stays true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)(%(?!(?<=\d%)[.,;:)。，；：）])[^\n]*)")
r"""A comment behind the ends of rows; `84%.` is a share whose sign its author forgot to escape."""
_CLOSED_BY: Mapping[str, str] = {
    r"\begin{comment}": r"\end{comment}",
    r"\iffalse": r"\fi",
    r"\end{document}": "",
}
_LEFT_OUT = re.compile("|".join(map(re.escape, _CLOSED_BY)))
_INK = re.compile(r"[^\s]")


def without_comments(text: str) -> str:
    """A text of TeX without what TeX leaves out, exactly as long as before."""
    if "%" in text:
        text = _COMMENT.sub(lambda found: found[1] + " " * len(found[2]), text)
    opening = _LEFT_OUT.search(text)
    while opening is not None:
        closing = _CLOSED_BY[opening[0]]
        end = text.find(closing, opening.end()) if closing else len(text)
        if end < 0:
            break
        stretch = text[opening.start() : end + len(closing)]
        text = text[: opening.start()] + _INK.sub(" ", stretch) + text[end + len(closing) :]
        opening = _LEFT_OUT.search(text, end)
    return text
