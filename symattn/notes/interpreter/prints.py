"""What a document prints, in order, and which prints repeat an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from symattn.notes.grammar.syntax import Node, part
from symattn.notes.interpreter.values import Value

if TYPE_CHECKING:
    from symattn.notes.grammar.chains import Statement
    from symattn.notes.grammar.tokens import Token


SOURCES: Final = frozenset("xqkvw")


class Printed(Struct, frozen=True, eq=False, gc=False):
    """A literal that is printed as a result or a given.

    `mended` is its value with wrong numbers put right, where an earlier run found some.
    """

    order: int
    node: Node
    value: Value
    name: str
    statement: Statement
    mended: Value | None = None

    @property
    def base(self) -> str:
        """The name without its indices."""
        return self.name.partition("_")[0]

    @property
    def first_line(self) -> int:
        return self.node.tokens[0].line

    @property
    def last_line(self) -> int:
        return self.node.tokens[-1].line

    def values(self) -> list[Value]:
        """As it is printed, and with its wrong numbers put right."""
        return [self.value] if self.mended is None else [self.value, self.mended]


class Prints(Struct, eq=False):
    """`copies` are the numerals that repeat an earlier print, `repeats` the reverse."""

    order: list[Printed] = field(default_factory=list)
    copies: dict[Token, Token] = field(default_factory=dict)
    repeats: dict[Token, list[Token]] = field(default_factory=dict)
    _seen: dict[tuple[object, ...], Node] = field(default_factory=dict)

    def sources(self) -> bool:
        """Whether inputs, queries or keys are printed so far."""
        return any(printed.base in SOURCES for printed in self.order)

    def remember(self, literal: Node, key: str) -> None:
        """Notes a literal, or takes it for a copy of one with the same digits; a number by its name too."""
        single = len(literal.tokens) < 2
        if single and not key:
            return
        digits = tuple(t.text for t in literal.tokens)
        text = (key if single else "", literal.shape, digits, tuple(literal.signs))
        first = self._seen.setdefault(text, literal)
        if first is not literal:
            for token, original in zip(literal.tokens, first.tokens, strict=True):
                self.copies[token] = original
                self.repeats.setdefault(original, []).append(token)
        elif len(literal.shape) == 2:
            width = literal.shape[1]
            for start in range(0, len(literal.tokens), width):
                self.remember(part(literal, slice(start, start + width), (width,)), "")
