"""A table of decimals as arrays: a row of `Decimal`s is made when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, overload

import numpy as np

from symattn.exact.rounding import Decimal, spell_scaled


class DecimalTable(Sequence[Sequence[Decimal]]):
    """int64 x 10^places (n, m) up to 18 places, and which of them are the numbers themselves.

    What is `left_open` is to be put in.
    """

    def __init__(
        self, scaled: Any, exact: Any, places: int, left_open: Sequence[tuple[int, int]] = ()
    ) -> None:
        self.scaled, self.exact, self.places, self.left_open = scaled, exact, places, left_open

    def settled(self, how: Callable[[int, int], Decimal]) -> DecimalTable:
        """The table with what was left open put in."""
        for at in self.left_open:
            made = how(*at)
            self.scaled[at], self.exact[at] = int(made.digits.replace(".", "")), made.exact
        return DecimalTable(self.scaled, self.exact, self.places)

    def __len__(self) -> int:
        return len(self.scaled)

    @overload
    def __getitem__(self, at: int) -> Sequence[Decimal]: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Sequence[Decimal]]: ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return DecimalTable(self.scaled[at], self.exact[at], self.places)
        pairs = zip(self.scaled[at].tolist(), self.exact[at].tolist(), strict=True)
        return [Decimal(spell_scaled(x, self.places), exact) for x, exact in pairs]

    @property
    def T(self) -> DecimalTable:
        return DecimalTable(self.scaled.T, self.exact.T, self.places)

    def digits(self) -> list[list[str]]:
        """All of them as they are printed."""
        return [[text.lstrip() for text in row.astype(np.str_).tolist()] for row in self.text()]

    def text(self) -> Any:
        """The same as an array of bytes, padded on the left to one width; four digits at a time."""
        four, blocks, places = _four_digits(), -(-self.places // 4), self.places
        whole, rest = np.divmod(np.abs(self.scaled), 10**places)
        tail = np.empty((*self.scaled.shape, blocks), np.uint32)
        for at in range(blocks - 1, 0, -1):
            rest, low = np.divmod(rest, 10_000)
            tail[..., at] = four[low]
        if places:
            tail[..., 0] = four[rest]
        signed = np.where(self.scaled < 0, ~whole, whole)
        different, which = np.unique(signed, return_inverse=True)
        heads = [f"-{~x}" if x < 0 else f"{x}" for x in different.tolist()]
        width = max(map(len, heads), default=1)
        padded = np.array([head.rjust(width) for head in heads], f"S{width}")[which.reshape(signed.shape)]
        if not places:
            return padded
        text = np.empty((*self.scaled.shape, width + 1 + places), np.uint8)
        text[..., :width] = padded[..., None].view(np.uint8)
        text[..., width] = ord(".")
        text[..., width + 1 :] = tail.view(np.uint8)[..., 4 * blocks - places :]
        return text.view(f"S{width + 1 + places}")[..., 0]


@cache
def _four_digits() -> Any:
    """The digits of 0000 to 9999, four bytes each."""
    return np.frombuffer("".join(f"{i:04}" for i in range(10_000)).encode(), np.uint32)
