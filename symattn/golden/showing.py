"""Inputs that show mistakes which others hide: a few seeds, small sizes and ranges are tried in turn."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from symattn.golden.attention import Target, golden
from symattn.golden.backward import tolerances
from symattn.golden.files import seeded
from symattn.golden.gradients import gradients
from symattn.golden.inputs import Inputs, inputs
from symattn.golden.mistakes import BLOCK, MISTAKES
from symattn.golden.tolerance import Tolerance
from symattn.text.bilingual import Bilingual

SIZES = (4, 16)
"""Queries; more where a window or a block of keys needs them."""
MOST_PRODUCTS = 1 << 24
"""Products of queries and keys, in all that is tried: about three seconds."""
RANGES = (1, 4, 16, 0.25)
SEEDS = (1, 2)
Hidden = Mapping[tuple[str, str], Bilingual]
"""Mistakes by the result that does not show them and their English names."""


class Showing(Struct, frozen=True):
    """Inputs by their command, and the mistakes that these do not show either."""

    command: str
    left: Hidden


def hidden(found: Mapping[str, Tolerance]) -> Hidden:
    """The mistakes that each result does not show."""
    return {(name, each.name.en): each.name for name, one in found.items() for each in one.hidden}


def showing(given: Inputs, target: Target, wanted: Hidden) -> Showing | None:
    """Inputs with the same options that show the most of the wanted mistakes; None where none show any."""
    best: Showing | None = None
    products = 0
    for sources in _candidates(given, {name for name, _ in wanted}):
        arrays = [seeded(each, target.format) for each in sources]
        assert arrays[0] is not None
        named = dict(arrays[0])
        for more in arrays[1:]:
            assert more is not None
            named["dO"] = more["q"]
        some = inputs(named, replace(given.options, heads=None, kv_heads=None))
        if not {key for key in (wanted if best is None else best.left) if key[1] not in _impossible(some)}:
            continue
        products += math.prod(some.shape) * some.q.shape[3]
        if products > MOST_PRODUCTS:
            break
        results = dict(golden(some, target))
        if some.grad is not None:
            results |= gradients(some, target)
        shown = {
            (name, each.name.en)
            for name, one in tolerances(some, results).items()
            for each in one.mistakes
            if each.beyond
        }
        left = {key: name for key, name in wanted.items() if key not in shown}
        if len(left) < len(wanted if best is None else best.left):
            best = Showing(_command(sources, given, target), left)
        if not left:
            break
    return best


def _impossible(some: Inputs) -> set[str]:
    """The mistakes that other options or shapes are needed for."""
    return {each.name.en for each in MISTAKES if not each.possible(some)}


def _candidates(given: Inputs, results: Collection[str]) -> Iterator[tuple[str, ...]]:
    """The seeds of q, k and v, and of dO where a gradient is among the results."""
    groups = min(given.k.shape[1], 2)
    heads = groups * min(given.q.shape[1] // given.k.shape[1], 2)
    d, apart = given.q.shape[3], given.shape[3] - given.shape[2] - given.past
    of_gradients = not {"o", "lse"}.issuperset(results)
    sizes = [*SIZES]
    if not of_gradients:
        sizes += [BLOCK + BLOCK // 4] if given.shape[3] > BLOCK else []
        sizes += [given.options.window + 2] if given.options.window else []
    for n in sorted({*sizes}):
        m = n + max(-n // 2, min(apart, n // 2))
        q, k = f"{heads}x{n}x{d}", f"{groups}x{m}x{d}"
        shape = q if q == k else f"{q},{k}"
        for seed in SEEDS:
            for size in RANGES:
                source = f"seed:{seed}:{shape}" + (f":{size:g}" if size != 1 else "")
                yield (source, f"seed:{seed + len(SEEDS)}:{q}") if of_gradients else (source,)


def _command(sources: tuple[str, ...], given: Inputs, target: Target) -> str:
    options = given.options
    flags = {
        "--grad": sources[1] if len(sources) > 1 else None,
        "--format": target.format.name,
        "--scale": options.scale,
        "--softcap": options.softcap,
        "--window": options.window,
    }
    words = [f"symattn golden {sources[0]}"]
    words += [f"{flag} {value}" for flag, value in flags.items() if value is not None]
    words += ["--causal"] * options.causal + ["--saturate"] * target.saturate
    return " ".join([*words, "--tolerance"])
