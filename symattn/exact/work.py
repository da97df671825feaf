"""What a line of a computation or a proof may cost: what may explode counts its steps, and beyond it ends.

Steps and not seconds, so that all ends at the same place on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

LINE = 100_000
"""The steps that the closed forms of one line may take: all that is printed takes fewer. Beyond them its
entries are carried (`symattn.exact.carried`)."""
FACT = 100_000
"""What one sum of a matrix may take that is compared with another."""
PROOF, PROOFS = 1_200_000, 2_000_000
"""What one proof about a page may take, and all of them together; a second or so."""


class TooMuchWork(Exception):
    """The bound is exceeded. No error of a person: who sets a bound says what follows."""


class _Work:
    left: ClassVar[int | None] = None
    """The steps that are left; None where nothing is bounded."""


@contextmanager
def at_most(steps: int) -> Iterator[None]:
    """Within, more than so many steps, or than are left without, raise TooMuchWork."""
    before = _Work.left
    allowed = steps if before is None else min(steps, before)
    _Work.left = allowed
    try:
        yield
    finally:
        _Work.left = None if before is None else before - (allowed - _Work.left)


def spend(steps: int) -> None:
    """Count steps of about a microsecond. Raises TooMuchWork where a bound is exceeded."""
    if _Work.left is not None:
        _Work.left -= steps
        if _Work.left < 0:
            raise TooMuchWork
