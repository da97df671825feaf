"""What is done to a finished text: front matter, block quotes, full-width signs. Marks stay true."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from benchmarks.notes.paper import Mark

Frame = Callable[[Random, str, list[Mark], str], tuple[str, list[Mark]]]


def bare(rng: Random, text: str, marks: list[Mark], kind: str) -> tuple[str, list[Mark]]:
    """The text as it is."""
    return text, marks
