"""The statements of a document: chains of members, each with the words before it and its section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from symattn.notes.grammar.cursor import Shared
from symattn.notes.grammar.pairs import matches
from symattn.notes.grammar.parser import Parser
from symattn.notes.grammar.syntax import Node
from symattn.notes.grammar.titles import Title, titled
from symattn.notes.grammar.tokens import Token
from symattn.notes.names.words import is_head

_STARTS: Final = ("NUM", "NAME", "OPEN", "BEGIN", "OBJ", "FRAC", "SQRT", "ACCENT")
_BREAKS: Final = ("NL", "HEAD", "SEP")
MOST_ASIDES: Final = 8
"""How deep a bracket that is read on its own may be inside of others."""
MOST_OF_HEADING: Final = 6
"""How many words the heading of a head has."""
MOST_OF_TITLE: Final = 30
"""How many words and expressions of a line are looked at for what it is about."""
MOST_WORDS: Final = 200
"""How many words before a statement are kept."""


class Statement(Struct, frozen=True, eq=False):
    """A chain of members with signs between them, the words before it on its line, and its section.

    `head` is the number of the head that it is about, as headings say: `Head 2`; "" outside of heads. `title`
    is what words on its line or on one above it call it.
    """

    first: Token
    chain: Node
    words: tuple[str, ...]
    section: tuple[int, ...]
    head: str = ""
    title: Title | None = None


def statements(tokens: list[Token]) -> list[Statement]:
    """Every chain of a document, in order; what is said in a bracket follows what is said around it."""
    return _statements(tokens, Shared(), (), "", 0)


def _statements(
    tokens: list[Token], shared: Shared, section: tuple[int, ...], head: str, depth: int
) -> list[Statement]:
    parser = Parser(tokens, matches(tokens), shared)
    found: list[Statement] = []
    words: list[str] = []
    levels: dict[int, int] = {}
    before: Token | None = None
    title, line = None, _Line()
    while (token := parser.at()) is not None:
        mark = parser.i
        if token.kind in _BREAKS:
            if token.kind != "SEP":
                words, head = [], _head(parser) or head
                title, line = line.title() or title, _Line()
            if token.kind == "HEAD":
                level = len(token.text)
                levels = {d: place for d, place in levels.items() if d < level} | {level: mark}
                section = tuple(sorted(levels.values()))
            parser.i, before = mark + 1, None
            continue
        node = _chain(parser, token, before)
        if node is not None and (len(node.args) > 1 or _states(node.args[0])):
            line.add(node.args)
            found.append(Statement(token, node, tuple(words), section, head, line.own() or title))
            words = []
        elif node is None or node.args[0].kind == "name" or parser.i == mark:
            parser.i = mark + 1
            shared.asides.clear()  # what is in them is read again
            if token.kind == "NAME" and len(words) < MOST_WORDS:
                words.append(token.text)
                line.words += [token.text] * (len(line.words) < MOST_OF_TITLE)
        before = parser.tokens[parser.i - 1]
        asides, shared.asides = shared.asides, []
        if depth < MOST_ASIDES:
            for aside in _outermost(asides):
                found += _statements(aside, shared, section, head, depth + 1)
    return found


def _head(parser: Parser) -> str:
    """The number of the head that the line that begins here is the heading of, or nothing."""
    offset, words = 1, list[str]()
    while (token := parser.at(offset)) is not None and len(words) < MOST_OF_HEADING:
        if token.kind == "NL":
            break
        if token.kind in ("REL", "MUL", "OBJ", "OPEN"):
            return ""
        if token.kind in ("NAME", "NUM"):
            words.append(token.text)
        offset += 1
    return words[-1] if len(words) > 1 and words[-1].isdigit() and is_head(words[-2]) else ""


class _Line(Struct, eq=False):
    """The first words of a line, the first members of its chains, and whether it has a vector or matrix."""

    words: list[str] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    prints: bool = False

    def add(self, members: Sequence[Node]) -> None:
        rooted = any(node.kind == "sqrt" for node in members)
        results = [node for node in members[1:] if node.kind == "lit" and not rooted]
        self.prints |= bool(results) or any(node.kind == "lit" and node.shape for node in members)
        self.nodes += members[: max(0, MOST_OF_TITLE - len(self.nodes))]

    def own(self) -> Title | None:
        """What the line calls the print on it."""
        return titled(self.words, self.nodes) if self.prints else None

    def title(self) -> Title | None:
        """What the line calls the prints under it, if it has none."""
        return None if self.prints else titled(self.words, self.nodes)


def _states(node: Node) -> bool:
    """Whether an expression without any sign says something: a name does not, nor a citation such as [3]."""
    if node.kind == "lit" and node.shape == (1,):
        return node.tokens[0].unit > 0
    return node.kind not in ("name", "hole")


def _chain(parser: Parser, token: Token, before: Token | None) -> Node | None:
    """The chain that begins here, with what is unknown about it."""
    after = parser.at(1)
    if token.text == "-":
        starts = after is None or not after.space
    else:
        starts = token.kind in _STARTS or token.text in ("√", "{")
    node = parser.chain() if starts else None
    if node is None:
        return None
    if _hangs(before, token):
        node.args[0] = Node("hole")
    if _multiplies_sizes(node):
        node.args = [member if member.kind == "name" else Node("hole") for member in node.args]
    return node


def _outermost(asides: list[list[Token]]) -> list[list[Token]]:
    """The brackets among some that are not inside of another of them, each once."""
    if len(asides) < 2:
        return [aside for aside in asides if aside]
    inside: set[int] = set()
    kept: list[tuple[int, list[Token]]] = []
    for order, aside in sorted(enumerate(asides), key=lambda each: -len(each[1])):
        if aside and id(aside[0]) not in inside:
            inside.update(map(id, aside))
            kept.append((order, aside))
    return [aside for _, aside in sorted(kept, key=lambda each: each[0])]


def _hangs(before: Token | None, first: Token) -> bool:
    """Whether what begins here goes on from something before it that could not be read."""
    if before is None or (first.kind == "NAME" and before.kind == "NAME"):
        return False
    if before.kind in ("MUL", "SQRT", "FRAC", "ODD"):
        return True
    if before.kind == "OP" and before.text in "+^_√/":
        return True
    if before.kind == "OP" and before.text == "-":
        return not first.space
    if first.space or before.line != first.line:
        return False
    if before.kind == "NAME":
        return before.text.isascii()
    return before.kind in ("SUP", "SUB", "TRANS", "CLOSE", "END", "NUM", "OBJ") or before.text == "}"


def _multiplies_sizes(chain: Node) -> bool:
    """Whether a chain multiplies sizes: `(3×2)·(2×3) = 3×3`."""
    last = chain.args[-1]
    bare = last.kind == "mul" and all(
        each.kind == "lit" and not each.shape and not each.tokens[0].unit for each in last.args
    )
    return bare and len(chain.args) > 1 and all(map(_is_product, chain.args))


def _is_product(node: Node) -> bool:
    return node.kind in ("lit", "name") or (node.kind == "mul" and all(map(_is_product, node.args)))
