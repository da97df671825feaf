"""What a coefficient outside the surds answers, whether it is written out or carried.

`symattn.exact.symbolic.Symbolic` is an expanded expression, `symattn.exact.carried.Carried` a definition
that is kept as it was computed. Only where something is written does `carried` tell one from the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from symattn.exact.evaluation import Ball
from symattn.exact.expression import Node

if TYPE_CHECKING:
    import sympy


class Opaque(ABC):
    """An immutable number that is no sum of square roots; never zero, for zero is a surd."""

    __slots__ = ()
    carried: ClassVar[bool] = False
    """Whether it is a definition that is not written out."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    def __bool__(self) -> bool:
        return True

    @abstractmethod
    def __neg__(self) -> Any: ...

    @abstractmethod
    def __add__(self, other: Any) -> Any: ...

    @abstractmethod
    def __radd__(self, other: Any) -> Any: ...

    @abstractmethod
    def __sub__(self, other: Any) -> Any: ...

    @abstractmethod
    def __rsub__(self, other: Any) -> Any: ...

    @abstractmethod
    def __mul__(self, other: Any) -> Any: ...

    @abstractmethod
    def __rmul__(self, other: Any) -> Any: ...

    @abstractmethod
    def inverse(self) -> Any:
        """1/x; the caller has made sure that x is not zero."""

    @staticmethod
    @abstractmethod
    def total(numbers: Iterable[Any]) -> Any:
        """The sum of several."""

    @abstractmethod
    def to_sympy(self) -> sympy.Expr:
        """The number as a SymPy expression."""

    @property
    @abstractmethod
    def node(self) -> Node:
        """The number as a tree on which zero is decided."""

    @property
    @abstractmethod
    def free_symbols(self) -> frozenset[str]:
        """The names of the free symbols."""

    @property
    @abstractmethod
    def names(self) -> frozenset[Any]:
        """The named quantities (`symattn.exact.named`) in it, without those of their definitions."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many nodes it has."""

    @property
    @abstractmethod
    def operations(self) -> int:
        """How many operations are written in it, about."""

    @property
    @abstractmethod
    def addends(self) -> int:
        """How many terms it is a sum of."""

    @property
    @abstractmethod
    def rationals(self) -> Iterator[Fraction]:
        """The rationals that are written in it."""

    @property
    @abstractmethod
    def leaves(self) -> Iterator[object]:
        """What it is made of in the end: numbers, symbols, names."""

    @property
    @abstractmethod
    def oscillates(self) -> bool:
        """Whether the imaginary unit is in it: e to that power is made of a sine and a cosine."""

    @abstractmethod
    def ball(self) -> Ball:
        """A ball that contains it, at the working precision. Raises HasSymbols."""
