"""What the breaker of lines needs to know of typst: :class:`symattn.typeset.layout.Dialect`.

What is not broken, wide cells among it, is made smaller by the page's function `fit`, which measures.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from symattn.text.notation import Formula, Relation, Role
from symattn.typeset.typst_maths import RELATIONS, SIGNS, function_name, mark, typst_formula
from symattn.typeset.typst_text import label


class Typst(Struct, frozen=True):
    """The dialect of the typst page."""

    quad: ClassVar[str] = "quad"
    parentheses: ClassVar[tuple[str, str]] = (r"\(", r"\)")
    bars: ClassVar[tuple[str, str]] = (r"\|", r"\|")
    stacks: ClassVar[None] = None

    def maths(self, formula: Formula) -> str:
        return typst_formula(formula)

    def relation(self, sign: Relation) -> str:
        return RELATIONS[sign]

    def times(self, sign: str) -> str:
        return SIGNS[sign]

    def function(self, name: str) -> str:
        return function_name(name)

    def enclosed(self, text: str) -> str:
        return f"({text})"

    def mark(self, text: str, role: Role) -> str:
        return mark(text, role)

    def shrink(self, text: str, room: float) -> str:
        return f"fit(#{room:.1f}em, {text})"

    def captioned(self, grid: str, words: str) -> str:
        return f"attach(limits({grid}), b: #label({label(words)}))"


TYPST = Typst()
