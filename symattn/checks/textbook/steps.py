"""Matrices by name, each computed where its arguments are there and it is not given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Array = Any
"""A matrix (rows, columns) of floats, complex numbers, or floats with bounds (`symattn.floats.bounded`)."""


class Steps(dict[str, Array]):
    """The matrices that are known so far."""

    def make(self, name: str, function: Callable[..., Array], *arguments: str) -> None:
        """Computes `name` from its arguments, of which some are missing where a source starts later."""
        if name not in self and all(argument in self for argument in arguments):
            self[name] = function(*(self[argument] for argument in arguments))
