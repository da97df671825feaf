"""What exact work may cost: the one table of budgets, each with its unit and what happens beyond it.

What may explode counts its steps. Steps and not seconds, so that all ends at the same place on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

# Steps, of about a microsecond each.
LINE = 100_000
"""Of the closed forms of one line; beyond them its entries are carried (`symattn.exact.carried`)."""
FACT = 100_000
"""Of one fact about a matrix; beyond them it is undecided, and the page says so."""
PROOF, PROOFS = 1_200_000, 2_000_000
"""Of one proof about a page, and of all of them together; beyond them it is undecided, with the reason."""
STEPS_OF_TERMS, STEPS_OF_MONOMIALS, STEPS_OF_ADDENDS, STEPS_OF_NODES = 4, 50, 100, 2
"""Of one product of terms of exponential sums, one of monomials, of an addend that SymPy expands, and of a
node that it looks at for that."""

# Terms: what one of them costs grows with the numbers in it.
LARGEST_SUM = 20_000
"""Of a product of exponential sums; beyond it a line sees its arguments by name, or it is refused."""
LARGEST_COMMON_DENOMINATOR = 1_000
"""Of the common denominator of a sum; beyond it as for `LARGEST_SUM`, before anything is multiplied out."""
MOST_MONOMIALS = 2_000
"""Of what is multiplied out to decide what is zero; beyond them that is undecided."""
FORM_SUM, FORM_POLYNOMIAL, FORM_PRODUCT = 60, 200, 2_000
"""Of a number, a polynomial in it and a product of two; beyond them a form is written as it was computed."""
TYPED_SUM, TYPED_PRODUCT = 256, 2_048
"""Of a number that is typed and of a product of two; beyond them it is refused."""
FEWEST_TERMS = 8
"""Of an entry of a product, from which on it is carried whole: what is shorter may be worth writing."""
GRADIENTS = 256
"""Products of exponential sums in the proofs of all gradients by estimate, and entries of a Jacobian; beyond
them none is held against its definition, and the page says so."""

# Nodes of an entry.
LONGEST, SHORT = 24, 8
"""Of what is written out, in the layers of an encoder and in a backward pass, where sums multiply the
denominators of all rows out; beyond them it goes on by name."""
TYPED_NODES = 8_000
"""Of a product of numbers that are typed; beyond them it is refused."""

# Bits of a rational.
LONGEST_FACTORED = 128
"""Of one that is factored; beyond them its logarithm and its roots are not split into those of primes."""

# Entries of a matrix.
MOST_NAMED = 1_000
"""Of what a line sees by name, up to which those that are equal share one; beyond them each has its own."""
LARGEST_SEARCH, LARGEST_MEASURED = 4_000, 36
"""Of what is searched for equal rows and orders, and of what is summed or measured; no fact beyond them."""


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
