"""The root that the divisor of a norm takes of a mean square, and the mistake of leaving it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symattn.exact.functions import sqrt
from symattn.exact.number import Exact
from symattn.notation import Formula, Root
from symattn.operation import Mistake

if TYPE_CHECKING:
    from symattn.operation import Floats


class Rooted:
    """Among the bases of a norm that divides by the root of a square: exact, in floats and written out."""

    def _root(self, square: Exact) -> Exact:
        return sqrt(square)

    def _float_root(self, squares: Floats) -> Floats:
        import numpy as np

        roots: Floats = np.sqrt(squares)
        return roots

    def _written_root(self, square: Formula) -> Formula:
        return Root(square)


class Unrooted(Mistake, Rooted):
    """First among the bases of the mistake of dividing by the square itself."""

    def _root(self, square: Exact) -> Exact:
        return square

    def _float_root(self, squares: Floats) -> Floats:
        return squares

    def _written_root(self, square: Formula) -> Formula:
        return square
