"""One work on many things, done in turn or shared by several processes: `each(work, things)`.

A process that shares a work is a copy of this one that begins where this one is, so that only what it found
has to be handed back.
"""

from __future__ import annotations

import io
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from types import MappingProxyType, MemberDescriptorType
from typing import Any, Protocol, TypeVar

from flint import fmpq, fmpz_mat

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.opaque import Opaque
from symattn.exact.polynomial import Parts, over_roots
from symattn.exact.surd import Surd
from symattn.exact.surds import Surds
from symattn.exact.symbolic import Polynomial
from symattn.exact.terms import Terms

T = TypeVar("T")
R = TypeVar("R")

FEWEST = 8
"""Fewer things are not worth the processes."""


class Each(Protocol):
    """Does a work on many things, and hands back what it found in their order."""

    def __call__(self, work: Callable[[T], R], things: Sequence[T], /) -> Iterator[R]: ...


def in_turn(work: Callable[[T], R], things: Sequence[T]) -> Iterator[R]:
    """One thing after the other."""
    return map(work, things)


def shared(jobs: int) -> Each:
    """By so many processes, where the system can copy this one; else in turn."""
    if jobs == 1 or sys.platform != "linux":
        return in_turn

    def each(work: Callable[[T], R], things: Sequence[T]) -> Iterator[R]:
        return _shared(work, things, jobs) if len(things) >= FEWEST else in_turn(work, things)

    return each


def within(each: Each, things: Sequence[Any]) -> Each:
    """How to work on the parts of each of some things: in turn where the things are shared already."""
    return in_turn if len(things) >= FEWEST else each


def _shared(work: Callable[[T], R], things: Sequence[T], jobs: int) -> Iterator[R]:
    """By so many processes; where one cannot begin, or is lost, the rest is done in turn."""
    from concurrent.futures.process import BrokenProcessPool

    from symattn.many.processes import NoRoom, Processes

    done = 0
    try:
        with Processes(min(jobs, len(things)), "fork", _begin, work, things) as pool:
            waiting = deque(pool.submit(_done, at) for at in range(len(things)))
            while waiting:
                yield pickle.loads(waiting.popleft().result())
                done += 1
    except (NoRoom, BrokenProcessPool):  # one process takes the least memory
        yield from in_turn(work, things[done:])


_TASK: list[Any] = []
"""The work and the things of a process that shares it."""


def _begin(work: Callable[[T], R], things: Sequence[T]) -> None:
    _TASK[:] = work, things


def _done(at: int) -> bytes:
    work, things = _TASK
    return packed(work(things[at]))


def packed(found: object) -> bytes:
    """Anything that is found in a document as bytes, which `pickle.loads` reads."""
    written = io.BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(found)
    return written.getvalue()


class _Pickler(pickle.Pickler):
    """Writes exact numbers and matrices too, which nobody can change once they are made."""

    def reducer_override(self, obj: object) -> Any:
        if isinstance(obj, MappingProxyType):
            return _read_only, (dict(obj),)
        if isinstance(obj, fmpz_mat):
            return fmpz_mat, (obj.nrows(), obj.ncols(), [int(x) for x in obj.entries()])
        if isinstance(obj, Surd):
            return Surd.of_roots, (obj.terms,)
        if isinstance(obj, Polynomial):
            return _polynomial, (obj.parts,)
        if isinstance(obj, Surds):
            return _table, (obj.shape, dict(obj.parts), obj.den)
        if isinstance(obj, Exact | Matrix | Opaque | Terms) and type(obj).__reduce__ is object.__reduce__:
            kind = type(obj)
            names = [name for each in kind.__mro__ for name in getattr(each, "__slots__", ())]
            names = [name for name in names if isinstance(getattr(kind, name), MemberDescriptorType)]
            return _made_again, (
                kind,
                {name: getattr(obj, name) for name in names if name != "_hash" and hasattr(obj, name)},
            )
        return NotImplemented


def _table(shape: tuple[int, int], parts: Mapping[int, Any], den: int) -> Surds:
    tables = (Surds(shape, {1: part}, den).scaled(Surd.of_roots([(m, fmpq(1))])) for m, part in parts.items())
    return reduce(Surds.plus, tables, Surds(shape, {}, den))


def _polynomial(parts: Parts) -> Polynomial:
    return Polynomial(over_roots(parts))


def _read_only(entries: dict[Any, Any]) -> object:
    return MappingProxyType(entries)


def _made_again(kind: type[T], parts: dict[str, object]) -> T:
    made = object.__new__(kind)
    for name, part in parts.items():
        object.__setattr__(made, name, part)
    return made
