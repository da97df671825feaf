"""HTML to text: tags that only dress up disappear, others become line ends, headings, cells and matrices."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from symattn.notes.source.places import Source, Writer

_PIECE = re.compile(
    r"<(?P<tag>/?[A-Za-z][A-Za-z0-9]{0,20})[^<>]{0,2000}>|(?P<entity>&#?\w{1,32};)|[^<&]+|[<&]"
)
_HIDDEN: Final = ("script", "style", "head", "annotation")


def _each(names: str, chars: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), chars)


_TAGS: Final[Mapping[str, str]] = MappingProxyType(
    _each("p /p div /div br li ul ol /ul /ol table /table section article blockquote math /math", "\n")
    | _each("/h1 /h2 /h3 /h4 /h5 /h6", "\n")
    | {f"h{level}": f"\n{'#' * level} " for level in range(1, 7)}
    | _each("pre /pre", "\n```\n")
    | {"td": "|", "th": "|", "/tr": "|\n", "/li": "\n"}
    | {"mtable": "\\begin{matrix}", "/mtable": "\\end{matrix}", "/mtr": "\\\\", "mtd": "&"}
    | {"sub": "_{", "/sub": "}", "sup": "^{", "/sup": "}", "msqrt": "\\sqrt{", "/msqrt": "}"}
    | _each("mfrac msub msup msubsup mover munder mroot", " … ")
)
"""What a tag is written as; MathML with the parts of a formula side by side is not understood."""


def as_text(text: str) -> Source:
    """The text of a page, each of its characters with its place."""
    writer, line, begin, hidden = Writer(), 1, 0, ""
    before = ""
    for found in _PIECE.finditer(text):
        column, tag, entity = found.start() - begin + 1, (found["tag"] or "").lower(), found["entity"]
        if hidden:
            hidden = "" if tag == f"/{hidden}" else hidden
        elif tag in _HIDDEN:
            hidden = tag
        elif tag == "mtd" and before == "mtr":
            before = tag
        elif tag:
            before = tag
            writer.at(_TAGS.get(tag, ""), line, column)
        elif entity:
            writer.at(html.unescape(entity), line, column)
        else:
            for number, row in enumerate(found[0].split("\n")):
                if number:
                    writer.at("\n", line + number - 1, column + 1)
                writer.run(row, line + number, column if not number else 1)
        if breaks := found[0].count("\n"):
            line, begin = line + breaks, found.start() + found[0].rindex("\n") + 1
    writer.at("\n", line, 1)
    return writer.source()
