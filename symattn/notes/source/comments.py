"""Comments of each kind of document, as blanks, so that every other character keeps its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from symattn.casefile.file_kinds import Kind


def without_comments(text: str, kind: Kind) -> str:
    """The text with its comments blank."""
    for remove in _COMMENTS.get(kind, ()):
        text = remove(text)
    return text


def blank(text: str) -> str:
    """As many blanks, on as many lines."""
    return re.sub(r"[^\n]", " ", text)


def _between(opening: str, closing: str) -> Callable[[str], str]:
    """Blanks everything from an opening mark to its closing one; what is not closed stays."""

    def remove(text: str) -> str:
        parts: list[str] = []
        done = 0
        while (start := text.find(opening, done)) >= 0:
            end = text.find(closing, start + len(opening))
            if end < 0:
                break
            parts += [text[done:start], blank(text[start : end + len(closing)])]
            done = end + len(closing)
        return "".join([*parts, text[done:]])

    return remove


def _matching(pattern: str) -> Callable[[str], str]:
    """Blanks what matches, but for its first group."""
    compiled = re.compile(pattern, re.M)
    return lambda text: compiled.sub(lambda found: (found[1] or "").ljust(len(found[0])), text)


def _indented(text: str) -> str:
    """Comments of reStructuredText: `..` without a directive, with the indented lines below."""
    lines = text.split("\n")
    inside = False
    for i, line in enumerate(lines):
        if _RST_COMMENT.match(line):
            inside = True
        elif line.strip() and not line[0].isspace():
            inside = False
        if inside:
            lines[i] = " " * len(line)
    return "\n".join(lines)


_RST_COMMENT = re.compile(r"\.\.(?:\s(?!\s*(?:[\w:+-]+::|_|\[|\|))|$)")
_HTML = _between("<!--", "-->")
_AFTER_ROW = _matching(r"(\\\\(?=[ \t]*%)|^(?=[ \t]*%))[ \t]*%[^\n]*")
"""In a formula of Markdown `%` begins a comment: at the beginning of a line and behind a row of a matrix."""
_LINES_OF_SLASHES = _matching(r"^()//[^\n]*")

_COMMENTS: Final[Mapping[Kind, tuple[Callable[[str], str], ...]]] = MappingProxyType(
    {
        "markdown": (_HTML, _AFTER_ROW),
        "notebook": (_HTML, _AFTER_ROW),
        "html": (_HTML,),
        "latex": (_matching(r"(\\[^\n])|%[^\n]*"),),
        "rst": (_indented,),
        "org": (_between("\n#+begin_comment", "\n#+end_comment"), _matching(r"^()[ \t]*#(?:[ \t][^\n]*|$)")),
        "asciidoc": (_between("\n////\n", "\n////"), _LINES_OF_SLASHES),
        "typst": (_between("/*", "*/"), _matching(r"((?<=:)//)|//[^\n]*")),
    }
)
