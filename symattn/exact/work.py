"""A bound on the work of a proof: what may explode counts its steps, and beyond the bound it ends.

Steps and not seconds, so that a proof ends at the same place on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class TooMuchWork(Exception):
    """The bound is exceeded. No error of a person: who sets a bound says what follows."""


class _Work:
    left: int | None = None
    """The steps that are left; None where nothing is bounded."""


@contextmanager
def at_most(steps: int) -> Iterator[None]:
    """Within, more than so many steps raise TooMuchWork."""
    before, _Work.left = _Work.left, steps
    try:
        yield
    finally:
        _Work.left = before


def spend(steps: int) -> None:
    """Count steps of about a microsecond. Raises TooMuchWork where a bound is exceeded."""
    if _Work.left is not None:
        _Work.left -= steps
        if _Work.left < 0:
            raise TooMuchWork
