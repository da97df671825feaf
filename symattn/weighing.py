"""Weights of keys: which operations make them, and what is known of these from the operation alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from flint import fmpq

from symattn.intervals.tables import Table
from symattn.operation import Operation
from symattn.plan import Line

Order = Literal["same", "reversed", "none"]
"""The order of the weights of a row: that of its logits, the opposite one, or neither for certain."""


class Weighing(ABC):
    """An operation whose result may weigh the keys: one row a query, one column a key."""

    @abstractmethod
    def order(self, line: Line, lines: Mapping[str, Line]) -> Order | None:
        """The order of the weights that `line` makes by this operation; None where it makes no weights.

        `lines` are those of its plan, by name.
        """


class Denominators(Operation):
    """An operation that sums the exponentials (n_q, n_k) of each row, its first argument: (n_q, 1)."""

    @property
    @abstractmethod
    def plain(self) -> bool:
        """Whether the sum of a row is that of its exponentials, all of them, and of nothing else."""


class Dividing(Operation):
    """An operation that divides exponentials (n_q, n_k) by sums (n_q, 1), its second argument."""

    @abstractmethod
    def shares(
        self, powers: Table, sums: Table, joint: Sequence[bool], loose: fmpq, *, plain: bool
    ) -> Table | None:
        """As `moves`, where exponentials move together with the sums of the rows that are `joint`.

        Such a sum may be off by `loose` besides. With `plain` it is that of the exponentials alone, whatever
        its own range is.
        """


def order_of(line: Line | None, lines: Mapping[str, Line]) -> Order | None:
    """The order of the weights that a line makes; None for a line that makes none, and for no line."""
    return line.op.order(line, lines) if line is not None and isinstance(line.op, Weighing) else None


def by_name(plan: Iterable[Line]) -> Mapping[str, Line]:
    """The lines of a plan by name."""
    return {line.name: line for line in plan}
