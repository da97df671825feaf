"""Processes that share work, and end with the one that began them, whatever ends it.

They leave interrupts to that one. One that ends before its work is done (most often for want of memory) is
noticed, and its work is reported as lost.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Literal, ParamSpec, Self, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""How many things each process may be ahead of what is handed back: that bounds the memory."""
MOST_LOST = 3
"""After so many things in a row that each cost a process its life, the rest is given up, too."""


class NoRoom(Exception):
    """The system has no room for another process, or no locks to share."""


class Processes:
    """A pool of processes for a `with` block; leaving it by an exception ends them at once.

    Raises NoRoom.
    """

    def __init__(
        self,
        count: int,
        method: Literal["spawn", "fork"],
        begin: Callable[..., None] | None = None,
        *given: Any,
    ) -> None:
        context = multiprocessing.get_context(method)
        try:
            self._pool = ProcessPoolExecutor(count, context, _begin, (begin, given))
        except (ImportError, OSError) as problem:
            raise NoRoom from problem

    def submit(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have the work done by the next process that is free.

        Raises BrokenProcessPool where a process was lost, NoRoom where none can be started.
        """
        try:
            with _uninterrupted():  # a process may be started here, which inherits that: none is half begun
                return self._pool.submit(work, *args, **kwargs)
        except BrokenProcessPool:
            raise
        except (OSError, RuntimeError) as problem:  # no process, or no thread
            raise NoRoom from problem

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._kill()
        with suppress(RuntimeError):  # of a thread that could not be started
            self._pool.shutdown(cancel_futures=error is not None)

    def _kill(self) -> None:
        for process in list((self._pool._processes or {}).values()):
            process.kill()


def by_processes(work: Callable[[T], R], things: Sequence[T], count: int) -> Iterator[R | None]:
    """What the work makes of each thing, in their order; None for one that cost two processes their lives.

    After a loss one process goes on with what was begun, so that it has more memory and the culprit is known.
    Where no process can be started, the work is done in this one.
    """
    done = lost = 0
    begun = 0
    """What comes before was begun by a process that was lost, or by others at that time."""
    while done < len(things):
        again = done < begun
        try:
            for result in _in_order(work, things[done : begun if again else None], 1 if again else count):
                yield result
                done, lost = done + 1, 0
        except BrokenProcessPool:
            if done >= begun:
                begun = min(done + AHEAD * count, len(things))
                continue
            lost += 1
            gone = 1 if lost < MOST_LOST else len(things) - done
            yield from [None] * gone
            done += gone
        except NoRoom:
            yield from map(work, things[done:])
            return


def _in_order(work: Callable[[T], R], things: Sequence[T], count: int) -> Iterator[R]:
    """The results as they come. Raises BrokenProcessPool at the first that is lost."""
    with Processes(count, "spawn") as pool:
        waiting: deque[Future[R]] = deque()
        for thing in things:
            waiting.append(pool.submit(work, thing))
            if len(waiting) >= AHEAD * count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _begin(begin: Callable[..., None] | None, given: Sequence[Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Interrupts wait for the end of the block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
