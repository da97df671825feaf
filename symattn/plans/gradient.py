"""What an operation hands back in a backward pass: the gradients of its arguments from that of its result.

Rumelhart, Hinton and Williams 1986 for the chain rule; the operations name the sources of their formulas.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from symattn.exact.shapes import Shape
from symattn.plans.operation import Operation
from symattn.plans.plan import Line, base_name, head_of
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue


class Share(Struct, frozen=True):
    """What one line contributes to the gradient of `of`: `op(args)`, after the lines of `before`.

    Shares with a `piece` are gradients of some of the columns, from the column `piece` on; the others
    are gradients of the whole. Without `op` the gradient of the line itself is the share.
    """

    of: str
    op: Operation | None
    args: tuple[str, ...] = ()
    piece: int | None = None
    before: tuple[Line, ...] = ()


Shares = tuple[Share, ...]


class Forward(Struct, frozen=True):
    """The forward computation, as far as a rule looks at it: its lines by name, and all shapes."""

    lines: Mapping[str, Line]
    shapes: Mapping[str, Shape]


class Differentiable(ABC):
    """An operation that a backward pass goes back through."""

    @abstractmethod
    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        """What `line`, whose operation this is, hands back; `g` is the name of the gradient of its result.

        Raises UnusableValue where the line cannot be differentiated.
        """


class Joining(ABC):
    """An operation by which several lines, of several heads, hand back to one value, at once and not each."""

    @abstractmethod
    def joined(self, shares: Sequence[Share]) -> Share:
        """The sum of these shares, all of this operation, as one."""


def joined(shares: Sequence[Share]) -> Share | None:
    """The sum of shares of one value as one, where their operation makes it; else None."""
    op = shares[0].op
    return op.joined(shares) if isinstance(op, Joining) else None


RowOf = tuple[str, int]
"""The name of a value and one of its rows, from 0."""


class Jacobian(ABC):
    """The derivative of one row by another one."""

    @abstractmethod
    def differentiates(self, line: Line, lines: Mapping[str, Line]) -> Iterator[tuple[str, RowOf, RowOf]]:
        """The Jacobians that are known with `line`: their names, what is differentiated, and by what.

        `lines` are those of the plan, by name.
        """


def gradient_of(name: str) -> str:
    """The name of a gradient: `head1.dQ` for `head1.Q`; that of X + PE is the gradient of X."""
    tag, base = head_of(name), "X" if base_name(name) == "X+PE" else base_name(name)
    return f"{tag}.d{base}" if tag else f"d{base}"


def shares(line: Line, forward: Forward) -> Shares:
    """What a line hands back. Raises UnusableValue for an operation that is not differentiated."""
    if not isinstance(line.op, Differentiable):
        raise not_differentiated(line)
    return line.op.gradient(line, gradient_of(line.name), forward)


def not_differentiated(line: Line) -> UnusableValue:
    """The error of a backward pass through a line that has no rule."""
    return UnusableValue(
        Bilingual(
            f"a backward pass through {line.name}, whose derivative is not implemented",
            f"反向传播要经过 {line.name}，而这一步的导数尚未实现",
        ),
        Bilingual(
            f"give {line.name} itself, and its gradient goes no further back",
            f"请直接给出 {line.name}，反向传播便到此为止",
        ),
    )
