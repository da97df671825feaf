"""Named quantities: one real number, defined once and then spoken of by its name.

Where closed forms would grow without bound (a norm of a norm), an entry of a matrix gets a name and its
definition is kept beside it: what follows is a short expression in names, and the definitions together
are a straight-line program. A name stands for exactly the number that defines it, so that it has an
enclosure at any precision; two expressions in names are equal that agree as expressions, at once or when
definitions are put in (`symattn.exact.unfolding`).

This module needs SymPy, and is imported where a number is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import sympy
from flint import arb, ctx

from symattn.exact.bounds import nodes
from symattn.exact.derivative import derivative
from symattn.exact.enclosure import enclose
from symattn.exact.evaluation import ball
from symattn.exact.leaf import Leaf
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.substitution import free_symbols, mapped, substitute
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Coefficient, coefficient
from symattn.exact.trees import of_exact


def names_in(x: Exact) -> frozenset[Named]:
    """The named quantities that stand in x, without those of their definitions."""
    return frozenset(
        leaf
        for terms in (x.over, x.under)
        for pair in terms.by_exponent.items()
        for part in pair
        if not isinstance(part, Surd)
        for leaf in part.names
    )


def nameless(x: Exact) -> Exact:
    """x with what it names known by the definitions alone: two derivations name one number differently."""
    leaves = {leaf: leaf.nameless for leaf in names_in(x)}

    def put(c: Coefficient) -> Coefficient:
        return c if isinstance(c, Surd) else coefficient(c.to_sympy().xreplace(leaves))

    return mapped(x, put) if leaves else x


def size(x: Exact) -> int:
    """About how many nodes x has with the definitions in the place of its names."""
    return nodes(x) + sum(leaf.size for leaf in names_in(x))


class Named(Leaf):
    """Entry (row, col), from 0, of the quantity `name`, as a leaf of SymPy expressions.

    It is its own generator in polynomials, is real, and has the free symbols of its definition; SymPy
    never looks at its value to simplify. `doit` puts the definition in its place, all the way down.
    """

    is_commutative = True
    is_real = True
    is_number = False
    name: str
    row: int
    col: int
    _definition: Exact | None
    _matrix: Matrix | None
    _balls: dict[int, arb]
    _points: dict[frozenset[tuple[str, str]], Named]
    _free: set[Any] | None
    _depth: int | None
    _size: int | None
    _nameless: Named | None

    _known: ClassVar[WeakValueDictionary[Any, Named]] = WeakValueDictionary()

    def __new__(cls, name: str, row: int, col: int, definition: Exact) -> Named:
        """The one object of that name and definition, so that equality is identity."""
        key = (name, row, col, definition)
        found = cls._known.get(key)
        if found is None:
            found = cls._known[key] = cls._made(name, row, col)
            found._definition = definition
        return found

    @classmethod
    def entry(cls, name: str, row: int, col: int, matrix: Matrix) -> Named:
        """An entry of a matrix of constants, which is made once somebody asks for the definition."""
        found = cls._made(name, row, col)
        found._matrix, found._free = matrix, set()
        return found

    @classmethod
    def _made(cls, name: str, row: int, col: int) -> Named:
        found: Named = super().__new__(cls)
        found.name, found.row, found.col = name, row, col
        found._balls, found._points, found._free = {}, {}, None
        found._definition = found._matrix = found._depth = found._size = found._nameless = None
        return found

    @property
    def definition(self) -> Exact:
        """The number that it stands for."""
        if self._definition is None:
            assert self._matrix is not None
            self._definition = self._matrix[self.row, self.col]
        return self._definition

    def __getnewargs__(self) -> tuple[str, int, int, Exact]:
        """What makes it anew in another process, where it is one object again."""
        return self.name, self.row, self.col, self.definition

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__

    def _hashable_content(self) -> tuple[Any, ...]:
        return self.label, id(self)

    @property
    def label(self) -> str:
        """The name as SymPy reads it back as a symbol: `layer2_A_0_1`."""
        return f"{self.name.replace('.', '_')}_{self.row}_{self.col}"

    @property
    def free_symbols(self) -> set[Any]:
        if self._free is None:
            self._free = {sympy.Symbol(name, real=True) for name in free_symbols(self.definition)}
        return self._free

    def ball(self) -> arb:
        """A ball that contains the number, at the working precision; each precision is computed once."""
        if self._matrix is not None:
            return self._matrix.balls()[self.row][self.col]
        found = self._balls.get(ctx.prec)
        if found is None:
            found = self._balls[ctx.prec] = enclose(self.definition, ctx.prec)
        return found

    def ball_at(self, point: Any) -> Any:
        """A ball that contains the number with rationals for its free symbols."""
        return ball(of_exact(self.definition), point)

    @property
    def nameless(self) -> Named:
        """The one object of that definition, whatever its name."""
        if self._nameless is None:
            self._nameless = Named("", 0, 0, nameless(self.definition))
        return self._nameless

    @property
    def depth(self) -> int:
        """How many definitions are put in, one in another, until no name is left."""
        if self._depth is None:
            self._depth = 1 + max((leaf.depth for leaf in names_in(self.definition)), default=0)
        return self._depth

    @property
    def size(self) -> int:
        """The size of the definition."""
        if self._size is None:
            self._size = size(self.definition)
        return self._size

    def at(self, values: Mapping[str, Any]) -> Any:
        """The number with rationals for its free symbols, under its own name; each point is put in once."""
        point = frozenset((name, str(value)) for name, value in values.items())
        if point not in self._points:
            self._points[point] = Named(self.name, self.row, self.col, substitute(self.definition, values))
        return self._points[point]

    def doit(self, **hints: Any) -> Any:
        return self.definition.to_sympy().doit(**hints)

    def _eval_derivative(self, by: Any) -> Any:
        return derivative(self.definition, by.name).to_sympy()

    _eval_derivative_n_times = sympy.Basic._eval_derivative_n_times

    def _eval_evalf(self, prec: int) -> Any:
        if self.free_symbols:
            return self
        with ctx.workprec(prec + 16):
            return sympy.Float(self.ball().mid().str(prec // 3 + 8, radius=False), precision=prec)

    def _sympystr(self, printer: Any) -> str:
        return self.label

    _sympyrepr = _sympystr
