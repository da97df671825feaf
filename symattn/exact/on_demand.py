"""Matrices of which an entry is made when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symattn.exact.matrix import Dense, Matrix
from symattn.exact.number import Exact
from symattn.exact.transposed import Transposed


class OnDemand(Dense):
    """A table of entries that are not there until somebody asks for all of them; a subclass makes one."""

    __slots__ = ()

    def __getattr__(self, name: str) -> tuple[tuple[Exact, ...], ...]:
        if name != "entries":
            raise AttributeError(name)
        object.__setattr__(self, name, tuple(map(self.row, range(self.shape[0]))))
        return self.entries

    @property
    def T(self) -> Matrix:
        return Transposed(self)

    def rows(self) -> Iterator[tuple[Exact, ...]]:
        return iter(self.entries)


class ByEntry(OnDemand):
    """What a function makes of each place (i, j), once."""

    __slots__ = ("_entry", "_known")
    _entry: Callable[[tuple[int, int]], Exact]
    _known: dict[tuple[int, int], Exact]

    def __init__(self, shape: tuple[int, int], entry: Callable[[tuple[int, int]], Exact]) -> None:
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "_entry", entry)
        object.__setattr__(self, "_known", {})

    def __getitem__(self, at: tuple[int, int]) -> Exact:
        if at not in self._known:
            self._inside(at)
            self._known[at] = self._entry(at)
        return self._known[at]

    @property
    def T(self) -> Matrix:
        return ByEntry(self.shape[::-1], Transposed(self).__getitem__)

    def rows(self) -> Iterator[tuple[Exact, ...]]:
        return map(self.row, range(self.shape[0]))
