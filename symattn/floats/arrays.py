"""The type of an array of float64, and NumPy, which is imported when something first computes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:

    class _NumPy:
        """The module, by its attributes: what prints an exact result needs none of them."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            value = getattr(numpy, name)
            setattr(self, name, value)
            return value

    np = _NumPy()

Floats: TypeAlias = "NDArray[np.float64]"

__all__ = ["Floats", "np"]
