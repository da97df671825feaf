"""What the judge supposes about a source while it walks with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symattn.exact.number import Exact

Meant = Mapping[int, Exact | None]
"""What the author of a misprint went on from, by the index of the number: None for the right value."""


@dataclass(frozen=True, slots=True)
class Supposed:
    """`truncates`: every numeral was cut off. `typos`: slips that are misprints of what was meant.

    `wrong` are slips whatever may excuse them. `odd` says whether the one number of a quantity that keeps
    another convention than all others is a slip.
    """

    truncates: bool = False
    typos: Meant = field(default_factory=dict)
    wrong: frozenset[int] = frozenset()
    odd: bool = True


NOTHING = Supposed()
