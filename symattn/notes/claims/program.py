"""What a document was taken for, as a case: a plan over its givens, and claims of what it printed.

Every accepted explanation is a line of the plan, made of the package's own operations over printed
matrices; what nothing explains is given as it is printed. Readings that no operation makes are left to
their workings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import isinf
from typing import TYPE_CHECKING

from msgspec import Struct, field

from symattn.attention.case import Claim, Given
from symattn.notes.claims.names import MADE_BY, Names, quantity
from symattn.notes.claims.numerals import characters, matrix, place, shape_of, texts
from symattn.notes.grammar.syntax import Node
from symattn.notes.hypotheses.lines import Cells, Lines, NoOperation, array_of
from symattn.notes.interpreter.interpreter import INPUTS
from symattn.notes.interpreter.reading import Rank, Reading
from symattn.notes.names.words import is_quantity
from symattn.notes.reader import Understood
from symattn.text.errors import SymattnError

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token


class Accepted(Struct, frozen=True, eq=False):
    """The explanation of a literal that is believed, and the numerals of which it is the best one."""

    reading: Reading
    tokens: frozenset[Token]


class Program(Struct):
    """The plan of a document with its claims.

    `workings` are the readings that no operation makes, `placed` the numerals that have a place in the plan,
    `labels` what the document calls the rows of a matrix.
    """

    lines: Lines
    given: dict[str, Given]
    claims: list[Claim]
    workings: list[Accepted]
    placed: frozenset[Token] = frozenset()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def accepted(understood: Understood) -> dict[Node, Accepted]:
    """Of each literal that something explains, the reading that most of its numerals rest on."""
    by_node: dict[Node, list[tuple[Token, Reading]]] = {}
    for token, (_, claim) in understood.verdicts.items():
        by_node.setdefault(claim.reading.node, []).append((token, claim.reading))
    found = {}
    for node, pairs in by_node.items():
        counts = Counter(reading for _, reading in pairs)
        most = max(counts.values())
        several = [reading for reading, count in counts.items() if count == most]
        best = max(several, key=lambda r: (r.rank, r.found.gained))
        found[node] = Accepted(best, frozenset(token for token, _ in pairs))
    return found


def program(understood: Understood) -> Program:
    """The plan of a document."""
    return _Building(understood).program()


class _Building(Struct, eq=False, dict=True):
    """Literals become matrices of the plan: explained ones by their line, the others as they stand."""

    understood: Understood
    names: Names = field(default_factory=Names)
    given: dict[str, Given] = field(default_factory=dict)
    workings: list[Accepted] = field(default_factory=list)
    cells: dict[Token, tuple[str, int, int]] = field(default_factory=dict)
    nodes: dict[Node, Cells] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines = Lines(self.resolve, self.names.taken)
        self.accepted = accepted(self.understood)
        self.copies = self.understood.interpreter.prints.copies
        self.home: dict[Token, Node] = {}
        self.labels: dict[Node, str] = {}
        for printed in self.understood.prints:
            self.labels.setdefault(printed.node, printed.name)
            for token in printed.node.tokens:
                if token not in self.home or len(self.home[token].tokens) < len(printed.node.tokens):
                    self.home[token] = printed.node
        self._open: set[Node] = set()

    def program(self) -> Program:
        ordered = sorted(self.accepted, key=lambda node: (node.tokens[0].line, node.tokens[0].column))
        for node in ordered:
            self._node(node)
        claims = [claim for node in ordered if node in self.nodes for claim in self._claims(node)]
        labels = dict(self._row_labels())
        return Program(self.lines, self.given, claims, self.workings, frozenset(self.cells), labels)

    def _row_labels(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The names of matrices with the different words that stand before their rows."""
        for node, cells in self.nodes.items():
            labels = node.labels
            if cells.ndim != 2 or not len(cells) == len(labels) == len(set(labels)):
                continue
            name, *first = cells[0, 0]
            whole = first == [0, 0] and self.lines.shapes[name][0] == len(labels)
            if whole and all(labels) and not all(map(is_quantity, labels)):
                yield name, labels

    def resolve(self, literal: Node) -> Cells:
        """Where the numbers of an operand belong: to what is explained, to what it repeats, or to a given."""
        if literal in self.nodes:
            return self.nodes[literal]
        if literal in self.accepted and literal not in self._open:
            self._node(literal)
            if literal in self.nodes:
                return self.nodes[literal]
        found = [self._cell(token) for token in literal.tokens]
        if any(cell is None for cell in found) or self._is_input(literal):
            return self._give(literal)
        return array_of(found).reshape(literal.shape)

    def _is_input(self, literal: Node) -> bool:
        """Whether a matrix has a name of its own that says it is given, whatever its rows repeat."""
        own = self.labels.get(literal, "").partition("_")[0] in INPUTS
        return own and literal not in self.accepted and len(literal.shape) > 1

    def _cell(self, token: Token) -> tuple[str, int, int] | None:
        """The cell of a number, or of the first print that it repeats."""
        seen: set[Token] = set()
        at: Token | None = token
        while at is not None and at not in seen:
            if at in self.cells:
                return self.cells[at]
            home = self._explained_home(at)
            if home is not None and home not in self._open:
                self._node(home)
                if at in self.cells:
                    return self.cells[at]
            seen.add(at)
            at = self.copies.get(at)
        return None

    def _explained_home(self, token: Token) -> Node | None:
        verdict = self.understood.verdicts.get(token)
        return verdict[1].reading.node if verdict is not None else None

    def _node(self, node: Node) -> None:
        """The line of an explained literal, or its working where no operation makes it."""
        if node in self.nodes or node in self._open:
            return
        found = self.accepted[node]
        if found.reading.rank == Rank.WORKING:
            self.workings.append(found)
            self._open.add(node)
            return
        self._open.add(node)
        kept, shapes = len(self.lines.plan), dict(self.lines.shapes)
        name = self.names.of(self._called(node, found.reading), node.tokens[0].line, self.lines.shapes)
        try:
            cells = self.lines.cells(found.reading.found.value, name)
        except (NoOperation, SymattnError):
            del self.lines.plan[kept:]
            self.lines.shapes = shapes | {n: g.shape for n, g in self.given.items()}
            self.workings.append(found)
            return
        self.nodes[node] = cells
        for token, cell in zip(node.tokens, cells.ravel(), strict=True):
            if token in found.tokens:
                self.cells.setdefault(token, cell)
        self._open.discard(node)

    def _called(self, node: Node, reading: Reading) -> str:
        """What a matrix is called on the page, or else what its step makes."""
        key = self.labels.get(node, "") or reading.name
        return key if quantity(key.partition("_")[0]) else MADE_BY.get(reading.found.value.made.step, key)

    def _give(self, literal: Node) -> Cells:
        """A literal as a given, with what else was printed in one piece with it."""
        home = self.home.get(literal.tokens[0])
        if home is not None and home is not literal and len(home.tokens) > len(literal.tokens):
            whole = not any(token in self.cells for token in home.tokens)
            if whole and set(literal.tokens) <= set(home.tokens):
                self._give(home)
                return array_of([self.cells[token] for token in literal.tokens]).reshape(literal.shape)
        if any(
            isinf(token.value) and sign > 0 for token, sign in zip(literal.tokens, literal.signs, strict=True)
        ):
            raise NoOperation("infinity")
        given = matrix(literal)
        name = self.names.of(self.labels.get(literal, ""), literal.tokens[0].line, self.lines.shapes)
        self.given[name] = given
        self.lines.shapes[name] = shape_of(literal)
        cells = self.lines.whole(name).reshape(literal.shape)
        for token, cell in zip(literal.tokens, cells.ravel(), strict=True):
            self.cells.setdefault(token, cell)
        self.nodes[literal] = cells
        return cells

    def _claims(self, node: Node) -> Iterator[Claim]:
        """The claims of an explained literal, as one table where they are a whole matrix."""
        found, cells = self.accepted[node], self.nodes[node]
        n, m = shape_of(node)
        grid = cells.reshape(n, m)
        name, top, left = grid[0, 0]
        straight = all(grid[i, j] == (name, top + i, left + j) for i in range(n) for j in range(m))
        if straight and len(found.tokens) == len(node.tokens):
            places = tuple(
                tuple(place(token) for token in node.tokens[i * m : (i + 1) * m]) for i in range(n)
            )
            yield Claim(name, texts(node), top, left, line=None, place=places[0][0], places=places)
            return
        for token, sign, (of, i, j) in zip(node.tokens, node.signs, cells.ravel(), strict=True):
            if token in found.tokens:
                at = place(token)
                yield Claim(of, ((characters(token, sign),),), i, j, place=at, places=((at,),))
