"""What the judge supposes about a source while it walks with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flint import fmpq

from symattn.exact.number import Exact

Meant = Mapping[int, Exact | None]
"""What the author of a misprint went on from, by the index of the number: None for the right value."""


@dataclass(frozen=True, slots=True)
class Supposed:
    """`truncates`: every numeral was cut off; `cut` are the quantities of which this holds otherwise.

    `typos`: slips that are misprints of what was meant.
    `wrong` are slips whatever may excuse them. `odd` says whether the one number of a quantity that keeps
    another convention than all others is a slip. `divisor` is what scores were divided by for a root of d_k
    that was rounded first, 1.41 or 1/0.71. `held` is how many decimals were kept at most of what is not
    printed.
    """

    truncates: bool = False
    cut: frozenset[str] = frozenset()
    typos: Meant = field(default_factory=dict)
    wrong: frozenset[int] = frozenset()
    odd: bool = True
    divisor: fmpq | None = None
    held: int | None = None

    def cuts(self, name: str) -> bool:
        """Whether the numbers of a quantity were cut off."""
        return self.truncates or name in self.cut


NOTHING = Supposed()
