"""Progress on standard error, on a terminal only: a line that is wiped at the end of a long derivation, a bar
for many files."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self, TextIO, TypeVar

import click

from symattn.cli.language import language
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual

PATIENCE = 1.0
"""Seconds until something is shown: most cases are done by then."""
EVERY = 0.2
MANY = 20
"""So few things need no bar."""
CROSS_CHECK = Bilingual("cross-check", "核对")


T = TypeVar("T")


def with_bar(things: Iterator[T], count: int, label: str, scrolling: bool = False) -> Iterator[T]:
    """The things with a progress bar on standard error where they are many, on a terminal.

    There is none where the results are `scrolling` by there anyway.
    """
    if count <= MANY or scrolling or sys.stderr is None or not sys.stderr.isatty():
        yield from things
        return
    with click.progressbar(things, length=count, label=label, file=sys.stderr) as bar:
        yield from bar


class Progress:
    """What is being done, as `with Progress() as progress: work(case, watch=progress.steps)`."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream or sys.stderr
        self._clock = clock
        self._shows = self._stream is not None and self._stream.isatty()
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

    def say(self, what: Bilingual) -> None:
        """Show what is done next, where it is time to."""
        if self._shows and self._clock() >= self._next:
            self._next = self._clock() + EVERY
            self._shown = True
            self._write(f"symattn: {what[language()]}")

    def _write(self, words: str) -> None:
        self._stream.write(f"\r\x1b[K{words}")
        self._stream.flush()
