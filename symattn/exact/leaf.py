"""A leaf of SymPy expressions that stands for an exact number; SymPy does not look into it.

This module needs SymPy, and is imported where an expression is at hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sympy

if TYPE_CHECKING:
    _Atom = Any
else:
    _Atom = sympy.AtomicExpr


class Leaf(_Atom):  # type: ignore[misc]
    """What an expression may hold beside SymPy's own symbols and numbers."""

    def at(self, values: Mapping[str, Any]) -> Any:
        """The leaf with rationals for its free symbols."""
        raise NotImplementedError
