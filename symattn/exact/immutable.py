"""`immutable`: a dataclass of which very many are made, which only the type checker keeps from changing.

A frozen one takes four times as long to make, since each of its fields is set past its own guard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as immutable
else:

    def immutable(*, frozen: bool, slots: bool, eq: bool = True, order: bool = False):
        """A dataclass that is compared and hashed by its fields, as a frozen one is."""
        return dataclass(slots=slots, eq=eq, order=order, unsafe_hash=frozen and eq)


__all__ = ["immutable"]
