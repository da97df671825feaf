"""How large a case may be, checked before any work: one table, and the sizes that several settings make.

The limits are far above every worked example, and such that a case within them is refused or begun at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from symattn.case import Settings
from symattn.errors import OutOfBounds
from symattn.sizes import Sizes

MOST: Mapping[str, int] = MappingProxyType(
    {
        "heads": 1024,
        "kv_heads": 1024,
        "layers": 64,
        "d_model": 65_536,
        "rotary": 65_536,
        "start": 1_000_000_000,
    }
)
"""The largest values of the whole numbers under `[attention]`."""
MOST_LINES = 20_000
"""How many steps a plan may have, about."""
MOST_WEIGHTS = 1 << 23
"""How many attention weights a case may have: a query times a key, in all heads of all layers."""
MOST_ENCODINGS = 1 << 18
"""How many sines and cosines."""


def within_limits(settings: Settings, sizes: Sizes) -> None:
    """Raises OutOfBounds, with the key, for what is too large to begin with, as far as sizes are known."""
    for key, most in MOST.items():
        value = getattr(settings, key)
        if value is not None and value > most:
            raise OutOfBounds(f"{key} = {value:,}", f"{key} is at most {most:,}").at(key=f"attention.{key}")
    for key, found, count, most in _products(settings, sizes):
        if count > most:
            raise OutOfBounds(f"{count:,} {found}", f"at most {most:,}").at(key=f"attention.{key}")


def _products(settings: Settings, sizes: Sizes) -> Iterator[tuple[str, str, int, int]]:
    """The key that is to blame, what is counted, how many there are, and how many there may be."""
    heads, layers = settings.heads, settings.layers
    n_q, n = sizes.get("n_q", 0), sizes.get("n", 0)
    several = "layers" if layers > heads else "heads"
    yield several, f"weights of {n_q:,} queries and {n:,} keys", heads * layers * n_q * n, MOST_WEIGHTS
    if settings.positions == "sinusoidal":
        encodings = n_q * sizes.get("d_model", 0)
        yield "d_model", "sines and cosines of a positional encoding", encodings, MOST_ENCODINGS
    steps = {
        "cached": 8 * n_q,
        "online": 7 * -(-n // settings.block),
    }.get(settings.evaluation, 8)
    key = "evaluation" if settings.evaluation in ("cached", "online") else several
    if settings.jacobians != "none":
        key = "jacobians"
        steps += n_q * (4 + 2 * n * (settings.jacobians == "all"))
    yield key, "steps, or about so many", layers * (12 + heads * (steps + 4)), MOST_LINES
