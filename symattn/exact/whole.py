"""Matrices that are carried whole: an entry is made when it is looked at, balls come from all at once.

What a line beyond the budget makes is a rule of what it sees. Sums and products of thousands of definitions
are then never made where nobody reads them, and decimals are those of matrices of balls or of floats.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from flint import arb, arb_mat, ctx
from msgspec import Struct, field

from symattn.exact.algebraic import FIRST_BITS
from symattn.exact.carried import Carried
from symattn.exact.enclosure import enclose
from symattn.exact.expression import Node
from symattn.exact.matrix import Dense, Matrix, SurdMatrix
from symattn.exact.number import Exact
from symattn.exact.on_demand import ByEntry
from symattn.exact.surd import Surd
from symattn.exact.transposed import Transposed
from symattn.exact.weighted import Weighted
from symattn.exact.work import FEWEST_TERMS, MOST_NAMED

if TYPE_CHECKING:
    from symattn.exact.certified.enclosed import Enclosed

At = tuple[int, int]
Balls = list[list[arb]]


class Rule(Struct, frozen=True):
    """How a matrix follows from others: one entry of it, and in balls or in pairs of floats all of it."""

    @abstractmethod
    def made(self, i: int, j: int, *arguments: Matrix) -> Mapping[At, Exact]:
        """Entry (i, j), with others that cost little once it is made."""

    @abstractmethod
    def balls(self, *tables: Balls) -> Balls:
        """All entries, at the current working precision."""

    @abstractmethod
    def pairs(self, *tables: Enclosed) -> Enclosed:
        """The same in double-double arithmetic."""

    def is_plain(self, i: int, j: int, *arguments: Matrix) -> bool | None:
        """Whether entry (i, j) is a plain number; None where that is seen of the entry alone."""
        return None

    def origins(self, *arguments: Matrix) -> tuple[list[int], list[int]] | None:
        """Of each row and column the first that is equal to it; None where nobody has looked for that."""
        return None


class Times(Rule, frozen=True):
    """A matrix (n, k) times plain numbers (k, m)."""

    def made(self, i: int, j: int, *arguments: Matrix) -> Mapping[At, Exact]:
        left, right = arguments
        column = right.taken(range(right.shape[0]), (j,))
        return {(i, j): (Dense((left.row(i),)) @ column)[0, 0]}

    def is_plain(self, i: int, j: int, *arguments: Matrix) -> bool | None:
        left, right = arguments
        return not any(x.symbolic and right[k, j] for k, x in enumerate(left.row(i)))

    def balls(self, *tables: Balls) -> Balls:
        left, right = tables
        return (arb_mat(left) * arb_mat(right)).tolist()

    def pairs(self, *tables: Enclosed) -> Enclosed:
        left, right = tables
        return left.times(right)

    def origins(self, *arguments: Matrix) -> tuple[list[int], list[int]] | None:
        left, right = arguments
        return _origins(left.rows()), _origins(right.T.rows())


class Same(Rule, frozen=True):
    """The matrix itself, of which balls and pairs are then kept."""

    def made(self, i: int, j: int, *arguments: Matrix) -> Mapping[At, Exact]:
        return {(i, j): arguments[0][i, j]}

    def is_plain(self, i: int, j: int, *arguments: Matrix) -> bool | None:
        return is_plain(arguments[0], (i, j))

    def balls(self, *tables: Balls) -> Balls:
        return tables[0]

    def pairs(self, *tables: Enclosed) -> Enclosed:
        return tables[0]


class Turned(Rule, frozen=True):
    """The transpose."""

    def made(self, i: int, j: int, *arguments: Matrix) -> Mapping[At, Exact]:
        return {(i, j): arguments[0][j, i]}

    def is_plain(self, i: int, j: int, *arguments: Matrix) -> bool | None:
        return is_plain(arguments[0], (j, i))

    def balls(self, *tables: Balls) -> Balls:
        return [list(row) for row in zip(*tables[0], strict=True)]

    def pairs(self, *tables: Enclosed) -> Enclosed:
        return tables[0].T


class Plus(Rule, frozen=True):
    """The sum of two matrices."""

    def made(self, i: int, j: int, *arguments: Matrix) -> Mapping[At, Exact]:
        return {(i, j): arguments[0][i, j] + arguments[1][i, j]}

    def is_plain(self, i: int, j: int, *arguments: Matrix) -> bool | None:
        return all(is_plain(argument, (i, j)) for argument in arguments)

    def balls(self, *tables: Balls) -> Balls:
        return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]

    def pairs(self, *tables: Enclosed) -> Enclosed:
        return tables[0].plus(tables[1])


class Scaled(Rule, frozen=True):
    """A matrix times a plain number."""

    factor: Surd

    def made(self, i: int, j: int, *arguments: Matrix) -> Mapping[At, Exact]:
        return {(i, j): arguments[0][i, j] * Exact.of(self.factor)}

    def is_plain(self, i: int, j: int, *arguments: Matrix) -> bool | None:
        return is_plain(arguments[0], (i, j))

    def balls(self, *tables: Balls) -> Balls:
        factor = enclose(Exact.of(self.factor), ctx.prec)
        return [[x * factor for x in row] for row in tables[0]]

    def pairs(self, *tables: Enclosed) -> Enclosed:
        return tables[0].scaled(lambda: enclose(Exact.of(self.factor), ctx.prec))


class Whole(Matrix):
    """A matrix by a rule; its entries, its balls and its pairs of floats are each made once."""

    __slots__ = ("__dict__", "arguments", "rule")
    most_bits: ClassVar[int] = 1 << 10
    """To which all entries are enclosed for the sake of some."""
    rule: Rule
    arguments: tuple[Matrix, ...]
    _made: dict[At, Exact]
    _balls: dict[int, Balls]
    _seen: dict[str, Seen]
    _pairs: list[Enclosed]

    def __init__(self, rule: Rule, arguments: tuple[Matrix, ...], shape: At) -> None:
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "rule", rule)
        object.__setattr__(self, "arguments", arguments)
        self.__dict__.update(_made={}, _balls={}, _seen={}, _pairs=[])

    def __reduce__(self) -> tuple[Any, ...]:
        return Whole, (self.rule, self.arguments, self.shape)

    def __getitem__(self, at: At) -> Exact:
        if at not in self._made:
            self._inside(at)
            self._made.update(self.rule.made(*at, *self.arguments))
        return self._made[at]

    def is_plain(self, at: At) -> bool:
        """Whether an entry is a plain number; of a product none is made for that."""
        found = None if at in self._made else self.rule.is_plain(*at, *self.arguments)
        return isinstance(self[at].algebraic, Surd) if found is None else found

    @property
    def T(self) -> Matrix:
        if isinstance(self.rule, Turned):
            return self.arguments[0]
        return Whole(Turned(), (self,), self.shape[::-1])

    def scaled(self, factor: Exact) -> Matrix:
        c = factor.algebraic
        return Whole(Scaled(c), (self,), self.shape) if isinstance(c, Surd) else super().map(factor.__mul__)

    def taken(self, rows: Sequence[int], cols: Sequence[int]) -> Matrix:
        return Matrix.of([[self[i, j] for j in cols] for i in rows])

    def balls(self) -> Balls:
        if ctx.prec not in self._balls:
            self._balls[ctx.prec] = self.rule.balls(*(each.balls() for each in self.arguments))
        return self._balls[ctx.prec]

    def ball_at(self, i: int, j: int) -> arb:
        """The ball of one entry, at the current working precision."""
        return self.balls()[i][j]

    @cached_property
    def entries(self) -> int:
        """How many entries it has, and what it is made of that is carried whole."""
        n, m = self.shape
        parts = [each.matrix if isinstance(each, Seen) else each for each in self.arguments]
        return n * m + sum(part.entries for part in parts if isinstance(part, Whole))

    def pairs(self) -> Enclosed:
        """All entries in double-double arithmetic. Raises Imprecise."""
        if not self._pairs:
            self._pairs.append(self.rule.pairs(*map(pairs_of, self.arguments)))
        return self._pairs[0]

    def undecided(self) -> Iterator[At]:
        """The entries that may be 0, but for those that are seen to be; they are looked for once."""
        if self.entries > MOST_NAMED:
            from symattn.exact.certified.power_tables import Imprecise

            with suppress(Imprecise):
                yield from self.pairs().undecided()
                return
        for i, row in enumerate(self.enclosures(FIRST_BITS)):
            yield from ((i, j) for j, ball in enumerate(row) if ball.contains(0) and not ball.is_exact())

    def by_name(self) -> Iterator[tuple[Exact, ...]]:
        """The rows of names of its entries, plain numbers too: none is made."""
        for i in range(self.shape[0]):
            yield tuple(leaf("", (i, j), self) for j in range(self.shape[1]))

    def named(self, name: str) -> Seen:
        """The entries by name, but for plain numbers; equal lines of a small matrix share their names."""
        if name not in self._seen:
            n, m = self.shape
            shared = self.rule.origins(*self.arguments) if n * m <= MOST_NAMED else None
            self._seen[name] = Seen(self, Leaves(name, self, *(shared or (range(n), range(m)))))
        return self._seen[name]


class Leaves(Struct, frozen=True):
    """What is carried whole by the names of its entries, those of one origin by one; plain numbers too."""

    name: str
    matrix: Whole
    rows: Sequence[int]
    columns: Sequence[int]
    known: dict[At, Exact] = field(default_factory=dict)

    def __call__(self, at: At) -> Exact:
        i, j = self.rows[at[0]], self.columns[at[1]]
        if (i, j) not in self.known:
            plain = self.matrix.is_plain((i, j))
            self.known[i, j] = self.matrix[i, j] if plain else leaf(self.name, (i, j), self.matrix)
        return self.known[i, j]


def pairs_of(matrix: Matrix) -> Enclosed:
    """A matrix of constants in double-double arithmetic. Raises Imprecise."""
    if isinstance(matrix, Whole):
        return matrix.pairs()
    if isinstance(matrix, Seen):
        return pairs_of(matrix.matrix)
    from symattn.exact.certified.enclosed import enclosed

    return enclosed(matrix)


class Seen(ByEntry):
    """Entries as a line sees them: plain numbers, and names or definitions of constants."""

    __slots__ = ("matrix",)
    matrix: Matrix
    """What is seen, which has the same values."""

    def __init__(self, matrix: Matrix, entry: Callable[[At], Exact]) -> None:
        super().__init__(matrix.shape, entry)
        object.__setattr__(self, "matrix", matrix)

    @property
    def T(self) -> Matrix:
        return Seen(self.matrix.T, Transposed(self).__getitem__)

    def scaled(self, factor: Exact) -> Matrix:
        c = factor.algebraic
        many = isinstance(c, Surd) and is_large(self)
        return Whole(Scaled(c), (self,), self.shape) if many else super().scaled(factor)  # type: ignore[arg-type]

    def __add__(self, other: Matrix) -> Matrix:
        if is_large(self) and isinstance(other, Seen | SurdMatrix) and other.shape == self.shape:
            return Whole(Plus(), (self, other), self.shape)
        return super().__add__(other)

    def _times(self, other: Matrix) -> Matrix:
        if isinstance(other, SurdMatrix) and self.shape[1] >= FEWEST_TERMS:
            return Whole(Times(), (self, other), (self.shape[0], other.shape[1]))
        return super()._times(other)

    def _after(self, left: Matrix) -> Matrix:
        if isinstance(left, SurdMatrix) and self.shape[0] >= FEWEST_TERMS:
            return (self.T @ left.T).T
        return super()._after(left)

    def balls(self) -> Balls:
        return self.matrix.balls()


def is_large(matrix: Matrix) -> bool:
    """Whether a matrix is one of which a line sees each entry by a name, and looks for no equal ones."""
    return matrix.shape[0] * matrix.shape[1] > MOST_NAMED


def seen_as(entries: tuple[tuple[Exact, ...], ...], matrix: Matrix) -> Matrix:
    """The entries that are seen of a matrix; its products are carried where they are."""
    flat = [x for row in entries for x in row]
    if any(x.carried for x in flat) and all(isinstance(x.algebraic, Surd) or _is_definition(x) for x in flat):
        return Seen(matrix, Dense(entries).__getitem__)
    return matrix if entries == tuple(matrix.rows()) else Dense(entries)


def leaf(name: str, at: At, matrix: Matrix) -> Exact:
    """An entry by its name, carried; its definition is made once somebody asks for it."""
    from symattn.exact.named import Named

    return Exact.of(Carried(Node("named", Named.entry(name, *at, matrix))))


def is_plain(matrix: Matrix, at: At) -> bool:
    """Whether an entry is a plain number; what is carried whole makes it only where it has to."""
    if isinstance(matrix, Whole | Weighted):
        return matrix.is_plain(at)
    return isinstance(matrix[at].algebraic, Surd)


def _is_definition(x: Exact) -> bool:
    c = x.algebraic
    return isinstance(c, Carried) and c.node.constant


def _origins(lines: Iterable[tuple[Exact, ...]]) -> list[int]:
    known: dict[tuple[Exact, ...], int] = {}
    return [known.setdefault(line, at) for at, line in enumerate(lines)]
