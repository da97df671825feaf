"""One work on many things, and where it is done: `results(work, things, machines)`.

In this process, in several processes of this machine, or by the workers of a dask cluster: the results are
the same, and come in the order of the things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")
R = TypeVar("R")


class Machines(Struct, frozen=True):
    """So many processes here, 1 for this one alone; or, by its address, the scheduler of a dask cluster."""

    jobs: int = 1
    scheduler: str | None = None


HERE = Machines()


def results(work: Callable[[T], R], things: Sequence[T], machines: Machines) -> Iterator[R | None]:
    """What the work makes of each thing, in their order; None where the processes that did it were lost.

    Work that is lost is done again, so that it only computes, and files are written with its result. It is a
    function of a module, or a `partial` of one, and catches what goes wrong with one thing. Raises
    UnusableValue for a cluster that cannot be used, NotInstalled without dask.
    """
    if machines == HERE:
        yield from map(work, things)
        return
    from symattn.exact.algebraic import effort, want_effort

    task = partial(_task, work, effort())
    if machines.scheduler is not None:
        from symattn.many.cluster import by_cluster

        found = by_cluster(task, things, machines.scheduler)
    else:
        from symattn.many.processes import by_processes

        found = by_processes(task, things, machines.jobs)
    for each in found:
        if each is None:
            yield None
            continue
        result, wanted = each
        want_effort(wanted)
        yield result


def _task(work: Callable[[T], R], bits: int, thing: T) -> tuple[R, float]:
    from symattn.exact.algebraic import under_effort

    return under_effort(bits, partial(work, thing))
