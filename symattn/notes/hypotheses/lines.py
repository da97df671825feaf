"""From values to lines of a plan: every step by the operation of the package that makes it.

An entry of a value is a cell: the name of a matrix of the plan, with a row and a column. What only takes
entries to other places makes no line; what no operation makes raises `NoOperation`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symattn.attention.recipes.named import is_a, operation
from symattn.exact.functions import sqrt
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.shapes import Shape
from symattn.exact.spell import spell
from symattn.exact.work import LONGEST
from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter.values import Value
from symattn.plans.operation import Operation
from symattn.plans.plan import Line

Cells = NDArray[np.object_]
"""(name, row, column) of each entry of a value, in its shape."""
Resolve = Callable[[Node], Cells]
"""Where the numbers of a literal belong."""

STRUCTURE: Final[Mapping[str, Callable[[Sequence[Cells], Any, tuple[int, ...]], Cells]]] = MappingProxyType(
    {
        "row": lambda args, at, shape: args[0][at : at + 1].reshape(shape),
        "rows": lambda args, count, _: args[0][:count],
        "columns": lambda args, span, _: args[0][..., span[0] : span[1]],
        "transposed": lambda args, *_: args[0].T,
        "upright": lambda args, *_: args[0][..., None],
        "reshaped": lambda args, _, shape: args[0].reshape(shape),
        "together": lambda args, *_: np.stack(args),
        "beside": lambda args, *_: np.concatenate(args, axis=-1),
    }
)
"""Steps that take entries to other places: of the cells of what they are made of, their option and shape."""
ONE_ARGUMENT: Final[Mapping[str, Operation]] = MappingProxyType(
    {
        "exponential": operation("exponential"),
        "relu": operation("relu"),
        "sigmoid": operation("sigmoid"),
        "summed": operation("row-sums"),
        "mean": operation("mean"),
        "layernorm": operation("layer-norm"),
        "layernorm1": operation("layer-norm", freedom=1),
        "length": operation("unit-rows"),
        "rms": operation("rms-norm"),
    }
)
TWO_ARGUMENTS: Final[Mapping[str, Operation]] = MappingProxyType(
    {"add": operation("add"), "subtract": operation("difference"), "times": operation("hadamard")}
)
CALLED: Final[Mapping[str, str]] = MappingProxyType(
    {"scores": "scores", "scale": "scaled", "exponential": "exp", "row-sums": "sum", "weighted-sum": "Z"}
)
"""What the results of operations are called where the document has no name for them."""
USUAL_BASE: Final = 10000.0


def array_of(cells: Sequence[object]) -> Cells:
    """Cells as an array of one axis, of which each is one entry."""
    found = np.empty(len(cells), dtype=object)
    for i, cell in enumerate(cells):
        found[i] = cell
    return found


class NoOperation(Exception):
    """No operation of the package makes a value."""


class Lines:
    """The lines of a plan, as values ask for them; `taken` are the names that they must not have."""

    def __init__(self, resolve: Resolve, taken: set[str] | None = None) -> None:
        self._resolve = resolve
        self._taken = set[str]() if taken is None else taken
        self.plan: list[Line] = []
        self.shapes: dict[str, Shape] = {}
        self._made: dict[int, Cells] = {}
        self._kept: list[Value] = []  # an id is that of one value as long as the value lives

    def cells(self, value: Value, name: str | None = None) -> Cells:
        """Where the entries of a value are computed; its own line is called `name`, if it has one."""
        if id(value) not in self._made:
            self._made[id(value)] = self._cells(value, name)
            self._kept.append(value)
        return self._made[id(value)]

    def _cells(self, value: Value, name: str | None) -> Cells:
        made = value.made
        if made.step == "print" and made.literal is not None:
            return self._resolve(made.literal)
        if made.step in STRUCTURE:
            passed = name if made.step == "reshaped" else None
            parts = [self.cells(arg, passed) for arg in made.args]
            return STRUCTURE[made.step](parts, made.option, value.shape)
        return self.whole(self._line(value, name)).reshape(value.shape)

    def whole(self, name: str) -> Cells:
        """All entries of a matrix."""
        n, m = self.shapes[name]
        cells = np.empty((n, m), dtype=object)
        for i in range(n):
            for j in range(m):
                cells[i, j] = name, i, j
        return cells

    def add(self, op: Operation, args: tuple[str, ...], name: str | None = None) -> str:
        """One more line. Raises a SymattnError where the shapes do not fit."""
        name = name or self._called(op)
        self.shapes[name] = op.shape(*(self.shapes[arg] for arg in args))
        self.plan.append(Line(name, op, args, LONGEST))
        return name

    def _called(self, op: Operation) -> str:
        """The name of a step that is not printed: scores, exp (3) for another exp."""
        usual = next((called for kind, called in CALLED.items() if is_a(op, kind)), "step")
        name, count = usual, len(self.plan)
        while name in self._taken:
            name, count = f"{usual} ({count})", count + 1
        self._taken.add(name)
        return name

    def _line(self, value: Value, name: str | None) -> str:
        """The line that computes a value."""
        made, args = value.made, value.made.args
        step = str(made.option) if made.step == "normalised" else made.step
        if step in ONE_ARGUMENT:
            return self.add(ONE_ARGUMENT[step], (self.matrix(args[0]),), name)
        if step == "softmax":
            return self._shares(self.add(operation("exponential"), (self.matrix(args[0]),)), name)
        if step == "share":
            return self._shares(self.matrix(args[0]), name)
        if step == "causal":
            n = value.shape[0]
            zero = Exact.of(0)
            rows = [[zero if j <= i else MINUS_INFINITY for j in range(n)] for i in range(n)]
            return self.add(operation("mask", Matrix.of(rows)), (self.matrix(args[0]),), name)
        if step == "lower":
            n = value.shape[0]
            seen = Matrix.rational([[int(j <= i) for j in range(n)] for i in range(n)])
            return self.add(operation("hide", seen), (self.matrix(args[0]),), name)
        if step == "matmul":
            return self._product(value, name)
        if step == "over":
            return self._quotient(value, name)
        if step == "times" and () in (args[0].shape, args[1].shape):
            return self._multiple(value, name)
        if step in TWO_ARGUMENTS:
            return self.add(TWO_ARGUMENTS[step], self._alike(*args), name)
        if step == "power" and _constant(args[1]) == Exact.of(2):
            one = self.matrix(args[0])
            return self.add(operation("hadamard"), (one, one), name)
        if step == "positions":
            count, width, first, base = made.option
            if base == USUAL_BASE:
                return self.add(operation("sinusoidal", count, width, first), (), name)
        if step == "operation":
            return self.add(made.option, tuple(self.matrix(arg) for arg in args), name)
        raise NoOperation(step)

    def _shares(self, exponentials: str, name: str | None) -> str:
        return self.add(
            operation("normalise"), (exponentials, self.add(operation("row-sums"), (exponentials,))), name
        )

    def _alike(self, a: Value, b: Value) -> tuple[str, str]:
        """Two matrices of one shape; a row that is added to each row is repeated."""
        one, two = self.matrix(a), self.matrix(b)
        count = self.shapes[one][0]
        if self.shapes[two][0] == 1 < count:
            two = self.add(operation("stack"), (two,) * count)
        return one, two

    def _product(self, value: Value, name: str | None) -> str:
        a, b = value.made.args
        left, turned_left = self.factor(self.cells(a))
        right, turned_right = self.factor(self.cells(b))
        if len(b.shape) == 1:
            turned_right = not turned_right
        op = _product_of(left, right, (turned_left, turned_right))
        return self.add(op, (left, right), name)

    def _quotient(self, value: Value, name: str | None) -> str:
        a, b = value.made.args
        divisor = _constant(b)
        if divisor is not None:
            return self._scaled(a, divisor, name)
        if not b.shape or b.shape[-1] == 1:
            return self.add(operation("normalise"), (self.matrix(a), self._one_a_row(a, b)), name)
        raise NoOperation("over")

    def _one_a_row(self, a: Value, b: Value) -> str:
        """A divisor for each row: a column, or a number that is repeated."""
        divisor, rows = self.matrix(b), a.shape[0] if len(a.shape) == 2 else 1
        return divisor if self.shapes[divisor][0] == rows else self.add(operation("stack"), (divisor,) * rows)

    def _multiple(self, value: Value, name: str | None) -> str:
        """A number times a matrix."""
        a, b = value.made.args
        if b.shape == ():
            a, b = b, a
        factor = _constant(a)
        if factor is not None and factor != Exact.of(0):
            return self._scaled(b, factor.inverse(), name)
        if len(b.shape) < 2 or b.shape[0] == 1:
            return self.add(operation("product"), (self.matrix(a), self.matrix(b)), name)
        raise NoOperation("times")

    def _scaled(self, a: Value, divisor: Exact, name: str | None) -> str:
        scores = self.matrix(a)
        line = next((line for line in self.plan if line.name == scores), None)
        d_k = self.shapes[line.args[0]][1] if line is not None and is_a(line.op, "scores") else 0
        usual = bool(d_k) and divisor == sqrt(Exact.of(d_k))
        sizes = (d_k, 0, self.shapes[scores][1])
        spelled = {} if usual else {"spelled": spell(divisor)}
        return self.add(operation("scale", divisor, sizes=sizes, **spelled), (scores,), name)

    def matrix(self, value: Value) -> str:
        """The name of the matrix that a value is, made of rows and columns of others where it must be."""
        name, turned = self.factor(self.cells(value))
        if turned:
            raise NoOperation("transposed")
        return name

    def factor(self, cells: Cells) -> tuple[str, bool]:
        """The name of the matrix that these cells are, and whether they are its transpose."""
        grid: Cells = np.atleast_2d(cells)
        if grid.ndim > 2:
            raise NoOperation("tensor")
        found = self._within_one(grid)
        if found is not None:
            return found, False
        found = self._within_one(grid.T)
        if found is not None:
            return found, True
        parts = [self._within_one(row[None]) for row in grid]
        if len(parts) > 1 and all(part is not None for part in parts):
            return self.add(operation("stack"), tuple(part for part in parts if part is not None)), False
        parts = [self._within_one(column[:, None]) for column in grid.T]
        if len(parts) > 1 and all(part is not None for part in parts):
            return self.add(
                operation("concatenate"), tuple(part for part in parts if part is not None)
            ), False
        raise NoOperation("scattered")

    def _within_one(self, grid: Cells) -> str | None:
        """The matrix, or the rows and columns of one, that these cells are."""
        name, first, left = grid[0, 0]
        n, m = grid.shape
        for i in range(n):
            for j in range(m):
                if grid[i, j] != (name, first + i, left + j):
                    return None
        rows, columns = self.shapes[name]
        if n < rows:
            name = self.add(operation("rows", first, first + n), (name,))
        return self.add(operation("columns", left, left + m), (name,)) if m < columns else name


def _product_of(left: str, right: str, turned: tuple[bool, bool]) -> Operation:
    """The operation that multiplies two matrices, by what they are called."""
    if right.startswith("W") and not turned[0]:
        return operation("project", turned[1])
    if turned == (False, True):
        return operation("scores")
    if turned == (True, False):
        return operation("transposed-product")
    if left.startswith("A") and turned == (False, False):
        return operation("weighted-sum")
    return operation("product", transposed=turned)


def _under_root(step: str, value: Value) -> Exact | None:
    """The whole number of which a formula takes the root: `scores / math.sqrt(64)`."""
    literal = value.made.literal
    if step != "root" or literal is None or literal.shape or literal.tokens[0].unit:
        return None
    return Exact.of(int(literal.tokens[0].value)) if literal.signs[0] > 0 else None


def _constant(value: Value) -> Exact | None:
    """The exact number that a value is, where nothing on the page goes into it."""
    made = value.made
    if made.step == "constant":
        return Exact.of(int(made.option)) if float(made.option).is_integer() else None
    parts = [_constant(arg) or _under_root(made.step, arg) for arg in made.args]
    if not parts or any(part is None for part in parts) or value.shape:
        return None
    if made.step == "root" and parts[0] is not None:
        return sqrt(parts[0])
    return None
