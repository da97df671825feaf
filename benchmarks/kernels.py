"""Errors of kernels of attention by size, and how many planted mistakes the tolerance catches.

    python benchmarks/kernels.py [--sizes 64,256,1024] [--seed 7]

The first table has the ways of computing that `symattn golden --tolerance` simulates in NumPy float32 and
float64, so that each effect is seen alone, and scaled_dot_product_attention of PyTorch on a CPU where it
is installed: errors of o in ulps for standard normal q, k, v of 2 heads, d = 80, causal.

The second has kernels with one mistake planted (benchmarks/planted/kernel.py): those that are caught, those
of which the mistake is named, and the sound ones that are accused.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import symattn
from benchmarks.planted.kernel import HEADS, QUERY_HEADS, SETTINGS, TOKENS, WIDTH, kernel
from symattn.golden.formats import FORMATS
from symattn.golden.sound import WAYS
from symattn.golden.tolerance import beyond, nearest_mistake

try:
    import torch
except ImportError:
    torch = None


def inputs(seed: int, shape: tuple[int, ...], form: str) -> list[Any]:
    generator = np.random.default_rng(seed)
    return [FORMATS[form].rounded(generator.standard_normal(shape)) for _ in range(3)]


def tensors(form: str, *arrays: Any) -> list[Any]:
    return [torch.tensor(x, dtype=getattr(torch, form)) for x in arrays]


def errors_by_size(sizes: list[int], seed: int) -> Iterator[str]:
    yield "| format | n | way | median | mean | largest | correctly rounded | beyond the tolerance |"
    yield "|---|---|---|---|---|---|---|---|"
    for form in ("float32", "float64", "bfloat16", "float16"):
        for n in sizes:
            q, k, v = inputs(seed, (2, n, 80), form)
            golden = symattn.golden(q, k, v, format=form, causal=True)
            rows = list(outputs(form, golden, q, k, v))
            for name, o in rows:
                yield line(form, n, name, o, golden)
            if form == "float32":
                rounded_first = symattn.golden(q, k, v, format=form, causal=True, scale="float32")
                yield line(form, n, f"{rows[0][0]}, against the scale in float32", rows[0][1], rounded_first)


def line(form: str, n: int, name: str, o: Any, golden: symattn.Golden) -> str:
    errors, out = symattn.ulp_error(o, golden), beyond(o, golden.o, golden.tolerance)
    return (
        f"| {form} | {n} | {name} | {np.median(errors):.2f} | {errors.mean():.3g} | "
        f"{errors.max():.2g} | {np.mean(o == golden.o.values):.1%} | {out} |"
    )


def outputs(form: str, golden: symattn.Golden, q: Any, k: Any, v: Any) -> Iterator[tuple[str, Any]]:
    for way in WAYS:
        if form in ("bfloat16", "float16") or not way.stored:
            found = [way.compute(head, FORMATS[form])[0] for _, head in golden.inputs]
            yield f"NumPy, {way.name.en}", np.array(found)
    if torch is not None:
        sdpa = torch.nn.functional.scaled_dot_product_attention
        o = sdpa(*(x[None] for x in tensors(form, q, k, v)), is_causal=True)
        yield "PyTorch, scaled_dot_product_attention", o[0].double().numpy()


@dataclass
class Tally:
    """Mistakes planted, caught and rightly named; sound kernels, and those accused."""

    mistakes: int = 0
    caught: int = 0
    named: int = 0
    sound: int = 0
    accused: int = 0


def planted(settings: Iterable[dict[str, Any]], lib: Any, form: str, seed: int) -> Tally:
    """What the tolerance says of one implementation with every mistake that a setting has."""
    found = Tally()
    as_own, half = in_lib(lib, form)
    for setting in settings:
        golden, given, options = problem(setting, form, seed)
        options = {key: as_own(x) if isinstance(x, np.ndarray) else x for key, x in options.items()}
        for wrong in ["", *(each.name.en for each in golden.tolerance.mistakes)]:
            o = kernel(lib, half, *map(as_own, given), wrong, **options)
            o = np.asarray(o, np.float64)
            out = beyond(o, golden.o, golden.tolerance)
            if wrong:
                best = nearest_mistake(o, golden.o, golden.tolerance)
                found.mistakes += 1
                found.caught += out > 0
                found.named += out > 0 and best is not None and best.name.en == wrong
            else:
                found.sound += 1
                found.accused += out > 0
    return found


def in_lib(lib: Any, form: str) -> tuple[Any, Any]:
    """What makes arrays of a library in float32, and rounds them to the format."""
    if lib is np:
        return lambda x: x.astype(np.float32), lambda x: x.astype(form)
    kind = getattr(torch, form)
    return lambda x: torch.tensor(x, dtype=torch.float32), lambda x: x.to(kind).float()


def problem(
    setting: dict[str, Any], form: str, seed: int
) -> tuple[symattn.Golden, list[Any], dict[str, Any]]:
    generator, one = np.random.default_rng(seed), FORMATS[form]
    keys = setting.get("keys", TOKENS)
    q = one.rounded(2 * generator.standard_normal((QUERY_HEADS, TOKENS, WIDTH)))
    k, v = (one.rounded(generator.standard_normal((HEADS, keys, WIDTH))) for _ in range(2))
    options = {key: x for key, x in setting.items() if key in ("causal", "window", "softcap")}
    if "sinks" in setting:
        options["sinks"] = one.rounded(generator.standard_normal(QUERY_HEADS))
    if "mask" in setting:
        bias = one.rounded(generator.standard_normal((TOKENS, keys)))
        options["mask"] = np.where(generator.random((TOKENS, keys)) < 0.8, bias, -np.inf)
    # the golden inputs are of the format, and so are float64 arrays that hold its values
    golden = symattn.golden(q, k, v, format=form, **options)
    return golden, [q, k, v], options


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="64,256,1024")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    print(f"numpy {np.__version__}, " + (f"torch {torch.__version__}" if torch else "no torch"))
    for line in errors_by_size([int(n) for n in asked.sizes.split(",")], asked.seed):
        print(line, flush=True)
    print("\n| kernel | caught | named | sound ones accused |\n|---|---|---|---|")
    kernels = [("NumPy, float32", np, "float32")]
    if torch is not None:
        kernels += [("PyTorch, bfloat16", torch, "bfloat16"), ("PyTorch, float16", torch, "float16")]
    for name, lib, form in kernels:
        tally = planted(SETTINGS.values(), lib, form, asked.seed)
        print(
            f"| {name} | {tally.caught} of {tally.mistakes} | {tally.named} of {tally.mistakes} | "
            f"{tally.accused} of {tally.sound} |"
        )


if __name__ == "__main__":
    main()
