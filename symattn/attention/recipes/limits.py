"""How large a case may be, checked before any work: one table, and the sizes that several settings make.

The limits are far above every worked example, and such that a case within them is refused or begun at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from symattn.attention.case import Settings
from symattn.attention.sizes import Sizes
from symattn.text.bilingual import Bilingual, both
from symattn.text.errors import OutOfBounds

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
            raise OutOfBounds(
                both(f"{key} = {value:,}"), Bilingual(f"{key} is at most {most:,}", f"{key} 最大为 {most:,}")
            ).at(key=f"attention.{key}")
    for key, found, count, most in _products(settings, sizes):
        if count > most:
            found = Bilingual(f"{count:,} {found.en}", f"{found.zh} {count:,} 个")
            raise OutOfBounds(found, Bilingual(f"at most {most:,}", f"最多 {most:,} 个")).at(
                key=f"attention.{key}"
            )


def _products(settings: Settings, sizes: Sizes) -> Iterator[tuple[str, Bilingual, int, int]]:
    """The key that is to blame, what is counted, how many there are, and how many there may be."""
    heads, layers = settings.heads, settings.layers
    n_q, n = sizes.get("n_q", 0), sizes.get("n", 0)
    several = "layers" if layers > heads else "heads"
    weights = Bilingual(f"weights of {n_q:,} queries and {n:,} keys", f"{n_q:,} 个查询和 {n:,} 个键，权重共")
    yield several, weights, heads * layers * n_q * n, MOST_WEIGHTS
    if settings.positions == "sinusoidal":
        encodings = n_q * sizes.get("d_model", 0)
        circular = Bilingual("sines and cosines of a positional encoding", "位置编码的正弦和余弦共")
        yield "d_model", circular, encodings, MOST_ENCODINGS
    steps = {
        "cached": 8 * n_q,
        "online": 7 * -(-n // settings.block),
    }.get(settings.evaluation, 8)
    key = "evaluation" if settings.evaluation in ("cached", "online") else several
    if settings.jacobians != "none":
        key = "jacobians"
        steps += n_q * (4 + 2 * n * (settings.jacobians == "all"))
    count = layers * (12 + heads * (steps + 4))
    yield key, Bilingual("steps, or about so many", "推导的步骤约"), count, MOST_LINES
