"""The settings of a case: its `[attention]` table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from symattn.attention.settings_fields import Fields

UNDECLARED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "none": frozenset(),
        "scale": frozenset(("scale",)),
        "base": frozenset(("base",)),
        "both": frozenset(("scale", "base")),
    }
)
"""Which of the conventions that numbers may overrule a source leaves open, by the word for it."""


class Settings(Fields, frozen=True):
    """The conventions of a case; `symattn.attention.registry.CONVENTION_KEYS` says what each field means."""

    def leaving_open(self, conventions: Collection[str]) -> Settings:
        """The same where the source leaves these of scale and base open, beside what is open already."""
        wanted = UNDECLARED[self.undeclared] | (UNDECLARED["both"] & frozenset(conventions))
        return replace(self, undeclared=next(word for word, names in UNDECLARED.items() if names == wanted))

    @property
    def windowed(self) -> bool:
        """Whether a query sees only keys near its own position."""
        return (self.window_left, self.window_right) != (None, None)

    @property
    def masked(self) -> bool:
        """Whether any key is hidden from a query, or a mask added to the scores."""
        return self.mask != "none" or self.padding is not None or self.windowed

    @property
    def transposes_weights(self) -> bool:
        """Whether the rows of X meet W^T: the weights stand as for a vector on their right."""
        return self.weights in ("transposed", "left")
