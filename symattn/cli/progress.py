"""Progress of a long run: one line on standard error, on a terminal only, that is wiped at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self, TextIO, TypeVar

from symattn.cli.language import language
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual, both

R = TypeVar("R")

PATIENCE = 1.0
"""Seconds until something is shown: most cases are done by then."""
EVERY = 0.2
WIDTH = 24
"""Characters of a bar."""
CROSS_CHECK = Bilingual("cross-check", "核对")


class Progress:
    """What is being done, as `with Progress() as progress: work(case, watch=progress.steps)`."""

    def __init__(
        self,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        quiet: bool = False,
    ) -> None:
        self._stream = stream or sys.stderr
        self._clock = clock
        self._shows = not quiet and self._stream is not None and self._stream.isatty()
        self._next = clock() + PATIENCE
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._write("")

    def steps(self, plan: Plan) -> Iterator[Line]:
        """The lines of a plan, each announced before it is computed."""
        for number, line in enumerate(plan, 1):
            total = len(plan)
            self.say(
                Bilingual(f"step {number} of {total}: {line.name}", f"第 {number}/{total} 步：{line.name}")
            )
            yield line

    def over(self, results: Iterable[R], total: int) -> Iterator[R]:
        """The results as they come, with a bar while the next one is waited for.

        It is wiped before a result is handed on, so that messages about it have a line for themselves.
        """
        waiting = iter(results)
        for done in range(total):
            filled = WIDTH * done // total
            self.say(both(f"[{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total}"))
            result = next(waiting)
            if self._shown:
                self._write("")
                self._next = self._clock()
            yield result

    def say(self, what: Bilingual) -> None:
        """Show what is done next, where it is time to."""
        if self._shows and self._clock() >= self._next:
            self._next = self._clock() + EVERY
            self._shown = True
            self._write(f"symattn: {what[language()]}")

    def _write(self, words: str) -> None:
        self._stream.write(f"\r\x1b[K{words}")
        self._stream.flush()
