"""Kinds of operations that others ask for: what scales, projects, mixes, makes exponentials and sums them.

What is asked of an operation is said here; which operations there are, nobody else needs to know.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from flint import fmpq

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.floats.arrays import Floats
from symattn.floats.tables import Table
from symattn.plans.base import Base, E
from symattn.plans.operation import Operation
from symattn.text.notation import Formula, Grid, Root, Symbol

D_K = Symbol("d", sub=Symbol("k"))
ROOT_D_K = Root(D_K)


class Scaling(Operation, frozen=True):
    """Scores (n_q, n_k) divided by one number, usually the root of d_k.

    `spelled` is how the divisor prints and `value` how its value does; `sizes` holds (d_k, d_model, n_k)
    and d_h, the columns of keys without the rotary ones, as far as they are known (0 where not).
    """

    divisor: Exact
    spelled: Formula = ROOT_D_K
    value: Formula | None = None
    sizes: tuple[int, int, int, int] | None = None

    @property
    @abstractmethod
    def rooted(self) -> bool:
        """Whether it is by the root of d_k, whatever that comes to."""

    @abstractmethod
    def by(self, divisor: Exact) -> Scaling:
        """The same with another divisor, written as before."""

    @abstractmethod
    def by_printed(self) -> Operation:
        """The same with a second argument (1, 1): the divisor as it was printed."""


class Projection(Operation, frozen=True):
    """X W, or X W^T where `transposed`, plus a bias: (n, d_model) to (n, d_k)."""

    transposed: bool = False
    vectors: ClassVar[bool] = False
    """Whether it is said vector by vector, q = W x."""


class Mixture(Operation, frozen=True):
    """Weights (n_q, n_k) times values (n_k, d_v)."""


class Powers(Operation, frozen=True):
    """b^s of logits (n_q, n_k), entry by entry."""

    base: Base = E


class RelativePowers(Operation, frozen=True):
    """b^(s - m) of logits (n_q, n_k) and one maximum a row (n_q, 1)."""

    base: Base = E


class Shifting(Operation, frozen=True):
    """Logits (n_q, n_k) less the largest of their row."""


class Part(Operation, frozen=True):
    """The columns `start` to before `stop` (from 0) of a matrix."""

    start: int
    stop: int


class Waves(Operation, frozen=True):
    """Sines and cosines of the positions start, start + 1, ...; their wavelengths grow to 2 pi `base`."""

    base: ClassVar[int]
    n: int
    d: int
    start: int = 0
    interleaved: bool = True

    @abstractmethod
    def rules(self, p: Formula, i: Formula, d: Formula) -> tuple[tuple[Formula, Formula], ...]:
        """For sines and for cosines: a column (from 1) and its entry, for position p, pair i and width d."""


class Rotation(Operation, frozen=True):
    """Pairs of columns turned by their positions from `start` on, neighbours where `interleaved`."""

    angles: Matrix
    interleaved: bool = True
    start: int = 0

    @abstractmethod
    def turns(self, i: int) -> int:
        """How many times the angles row i is turned."""

    @abstractmethod
    def by(self, turns: int) -> Operation:
        """The same of one row (1, d) that is turned so many times the angles."""


class DistanceBias(Operation, frozen=True):
    """Scores (n_q, n_k) less `slope` times the distance of query and key."""

    slope: Exact


class TableBias(Operation, frozen=True):
    """Scores (n_q, n_k), each plus one number of a table (1, n)."""

    @abstractmethod
    def column(self, i: int, j: int, length: int) -> int:
        """Where in a table of that length the number for query i and key j is, from 0."""


class Masking(Operation, frozen=True):
    """Scores (n_q, n_k) plus a mask of the same shape, minus infinity for a hidden key."""

    additive: Matrix


class Denominators(Operation, frozen=True):
    """The sums of the rows of exponentials (n_q, n_k), the first argument, and perhaps of more: (n_q, 1)."""

    @property
    @abstractmethod
    def plain(self) -> bool:
        """Whether the sum of a row is that of its exponentials, all of them, and of nothing else."""

    def more_logits(self, *arguments: Floats) -> Floats | None:
        """The logit (1, 1) whose exponential is added to each sum, of the further arguments, or None."""
        return None

    def more_terms(self, *arguments: Grid) -> Formula | None:
        """The same logit, written out."""
        return None


class Dividing(Operation, frozen=True):
    """Exponentials (n_q, n_k) divided by sums (n_q, 1), the second argument."""

    @abstractmethod
    def shares(
        self, powers: Table, sums: Table, joint: Sequence[bool], loose: fmpq, *, plain: bool
    ) -> Table | None:
        """As `moves`, where exponentials move together with the sums of the rows that are `joint`.

        Such a sum may be off by `loose` besides. With `plain` it is that of the exponentials alone, whatever
        its own range is.
        """
