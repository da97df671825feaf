"""How time and memory of certified decimals grow: with tokens, columns, heads and layers.

    python benchmarks/growth.py [--repeat 3] [--only heads layers]

Each size is doubled, all else kept; every entry of A and Z of each head is a certified decimal of 15 places,
from a case. Each run is a process of its own; the time is the least of --repeat, without imports. The
exponents are those between the last two rows: 2 where twice the size takes four times as long. Later layers
have sums of exponentials in their scores, so they are entry by entry and small.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec.structs import replace

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

PLACES = 15


@dataclass(frozen=True)
class Size:
    """Tokens, columns of X and of all heads together, heads, layers."""

    n: int
    d: int
    heads: int = 1
    layers: int = 1


GROWTH = {
    "n": [Size(n, 64) for n in (256, 512, 1024, 2048)],
    "d": [Size(256, d) for d in (64, 128, 256, 512)],
    "heads": [Size(256, 64, heads) for heads in (1, 2, 4, 8)],
    "layers": [Size(4, 2, layers=layers) for layers in (1, 2)],
}


def case_of(size: Size) -> Any:
    """A random two-decimal case."""
    from symattn.attention.case import Case, Given
    from symattn.attention.settings import Settings
    from symattn.exact.matrix import Matrix

    rng = random.Random(repr(size))

    def table(rows: int, columns: int, spread: int) -> Given:
        made = [[Fraction(rng.randint(-spread, spread), 100) for _ in range(columns)] for _ in range(rows)]
        return Given((), Matrix.rational(made))

    d = size.d
    given = {"X": table(size.n, d, 150)} | {f"W_{name}": table(d, d, max(1, 200 // d)) for name in "QKV"}
    settings = replace(Settings(), heads=size.heads, layers=size.layers)
    return Case("benchmark", given, settings=settings)


def run(size: Size) -> None:
    """Every decimal of the weights and outputs of all heads."""
    from symattn.attention.recipes.attention import attention, values
    from symattn.exact.decimal import rounded_matrices
    from symattn.plans.derive import derive

    case = case_of(size)
    derivation = derive(attention(case), values(case))
    names = [line.name for line in derivation if line.name.rpartition(".")[2] in ("A", "Z")]
    assert len(names) == 2 * size.heads * size.layers
    rounded_matrices([derivation[name] for name in names], PLACES)


def measured(size: Size, repeat: int, queue: Any) -> None:
    """Puts the seconds and the peak memory in MiB into the queue."""
    run(Size(32, 4))
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run(size)
        times.append(time.perf_counter() - start)
    with open("/proc/self/status", encoding="ascii") as status:
        peak = next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
    queue.put((min(times), peak))


def in_a_process(size: Size, repeat: int) -> tuple[float, float]:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=measured, args=(size, repeat, queue))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{size} ended with {process.exitcode}")
    found: tuple[float, float] = queue.get()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="How certified decimals grow with the size of a case.")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=GROWTH)
    options = parser.parse_args()
    print("| grows | n, d, heads, layers: seconds, MiB | exponent of time | of memory |")
    print("|---|---|---|---|")
    for name in options.only or GROWTH:
        sizes = GROWTH[name]
        found = [in_a_process(size, options.repeat) for size in sizes]
        (before, least), (after, most) = found[-2:]
        shown = "; ".join(
            f"{size.n}, {size.d}, {size.heads}, {size.layers}: {took:.3g}, {peak:.0f}"
            for size, (took, peak) in zip(sizes, found, strict=True)
        )
        print(
            f"| {name} | {shown} | {math.log2(after / before):.2f} | {math.log2(most / least):.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
