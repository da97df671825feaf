"""Weights of keys: which operations make them, and what is known of these from the operation alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from symattn.exact.shapes import Shape
from symattn.plans.kinds import Masking
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual

Order = Literal["same", "reversed", "none"]
"""The order of the weights of a row: that of its logits, the opposite one, or neither for certain."""


class MakesWeights(ABC):
    """An operation whose result may weigh the keys: one row a query, one column a key."""

    @abstractmethod
    def order(self, line: Line, lines: Mapping[str, Line]) -> Order | None:
        """The order of the weights that `line` makes by this operation; None where it makes no weights.

        `lines` are those of its plan, by name.
        """


Mistaken = tuple[str, Bilingual, Line]
"""A code, what was done, and the line that was carried out instead."""


class SlipsByPlan(ABC):
    """An operation that goes wrong in ways that hang on sizes, or on the lines before it."""

    @abstractmethod
    def mistaken(
        self, line: Line, lines: Mapping[str, Line], shapes: Mapping[str, Shape]
    ) -> Iterator[Mistaken]:
        """The ways to carry `line` out, whose operation this is, that are slips.

        `lines` are those of the plan, by name, and `shapes` those of its arguments.
        """


def unmasked(powers: str, lines: Mapping[str, Line]) -> str | None:
    """The scores that a mask hides some of before their exponentials are taken, if one does."""
    of = lines[powers].args[0] if powers in lines else ""
    masked = lines.get(of)
    return masked.args[0] if masked is not None and isinstance(masked.op, Masking) else None


def order_of(line: Line | None, lines: Mapping[str, Line]) -> Order | None:
    """The order of the weights that a line makes; None for a line that makes none, and for no line."""
    return line.op.order(line, lines) if line is not None and isinstance(line.op, MakesWeights) else None


def by_name(plan: Iterable[Line]) -> Mapping[str, Line]:
    """The lines of a plan by name."""
    return {line.name: line for line in plan}
