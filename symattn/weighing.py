"""Weights of keys: which operations make them, and what is known of these from the operation alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Literal

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


def order_of(line: Line | None, lines: Mapping[str, Line]) -> Order | None:
    """The order of the weights that a line makes; None for a line that makes none, and for no line."""
    return line.op.order(line, lines) if line is not None and isinstance(line.op, Weighing) else None


def by_name(plan: Iterable[Line]) -> Mapping[str, Line]:
    """The lines of a plan by name."""
    return {line.name: line for line in plan}
