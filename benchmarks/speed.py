"""Speed, as ratios in one run: the naive way, ours, ours with certified decimals, and the limits.

    python benchmarks/speed.py [--sizes 3,4,4 16,16,16 64,64,64 256,64,64] [--repeat 3] [--naive-seconds 60]

For each (n, d_model, d_k), on random two-decimal inputs, from X and the weights to A and Z:

- naive    SymPy: Matrix of Rational, product by product, applyfunc(exp), row sums, division, then N of
           every entry of A and Z to 15 digits; stopped after --naive-seconds
- exact    our exact walk, kept in structure, every step to A and Z
- certified  the exact walk and every entry of A and Z as a correctly rounded decimal of 15 places
- limit    raw python-flint: the same products as fmpz matrices over one denominator and one arb
           exponential per score, with one arb product for Z: enclosures without certificates
- numpy    the same walk in float64

Times are medians in milliseconds; each ratio divides the column by `limit` of the same row.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

PLACES = 15
BITS = 96


def inputs(n: int, d_model: int, d_k: int) -> dict[str, list[list[Fraction]]]:
    """Random two-decimal X, W_Q, W_K, W_V, the same for the same sizes."""
    rng = random.Random(f"{n},{d_model},{d_k}")

    def table(rows: int, columns: int, spread: int) -> list[list[Fraction]]:
        return [[Fraction(rng.randint(-spread, spread), 100) for _ in range(columns)] for _ in range(rows)]

    weights = max(1, 200 // d_model)
    return {"X": table(n, d_model, 150)} | {f"W_{name}": table(d_model, d_k, weights) for name in "QKV"}


def naive(given: dict[str, list[list[Fraction]]]) -> Any:
    import sympy

    def matrix(rows: list[list[Fraction]]) -> Any:
        return sympy.Matrix([[sympy.Rational(x.numerator, x.denominator) for x in row] for row in rows])

    x = matrix(given["X"])
    q, k, v = (x * matrix(given[f"W_{name}"]) for name in "QKV")
    powers = (q * k.T / sympy.sqrt(q.cols)).applyfunc(sympy.exp)
    sums = [sum(powers.row(i)) for i in range(powers.rows)]
    a = sympy.Matrix([[powers[i, j] / sums[i] for j in range(powers.cols)] for i in range(powers.rows)])
    z = a * v
    return a.applyfunc(lambda e: sympy.N(e, PLACES)), z.applyfunc(lambda e: sympy.N(e, PLACES))


def _walk(given: dict[str, list[list[Fraction]]]) -> Any:
    from symattn.attention.case import Case, Given
    from symattn.attention.recipes.attention import attention, values
    from symattn.exact.matrix import Matrix
    from symattn.plans.derive import derive

    case = Case("benchmark", {name: Given((), Matrix.rational(rows)) for name, rows in given.items()})
    return derive(attention(case), values(case))


def exact(given: dict[str, list[list[Fraction]]]) -> Any:
    return _walk(given)["Z"].shape


def certified(given: dict[str, list[list[Fraction]]]) -> Any:
    from symattn.exact.decimal import rounded_matrix

    derivation = _walk(given)
    return rounded_matrix(derivation["A"], PLACES), rounded_matrix(derivation["Z"], PLACES)


def limit(given: dict[str, list[list[Fraction]]]) -> Any:
    from flint import arb, arb_mat, ctx, fmpz_mat

    def integers(rows: list[list[Fraction]]) -> Any:
        return fmpz_mat(
            len(rows), len(rows[0]), [x.numerator * (100 // x.denominator) for row in rows for x in row]
        )

    with ctx.workprec(BITS):
        x = integers(given["X"])
        q, k, v = (x * integers(given[f"W_{name}"]) for name in "QKV")
        factor = 1 / (arb(10) ** 8 * arb(q.ncols()).sqrt())
        weights = []
        for row in (q * k.transpose()).tolist():
            powers = [(factor * s).exp() for s in row]
            total = sum(powers, arb(0))
            weights.append([power / total for power in powers])
        return arb_mat(weights) * (arb_mat(v) * (arb(1) / 10_000))


def numpy_walk(given: dict[str, list[list[Fraction]]]) -> Any:
    import numpy as np

    x = np.array([[float(e) for e in row] for row in given["X"]])
    q, k, v = (x @ np.array([[float(e) for e in row] for row in given[f"W_{name}"]]) for name in "QKV")
    scores = q @ k.T / np.sqrt(q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ v


def median(run: Callable[[Any], Any], given: Any, repeat: int) -> float:
    """The median of `repeat` runs after one warm-up, in milliseconds."""
    run(given)
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run(given)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def _timed_naive(given: Any, queue: Any) -> None:
    start = time.perf_counter()
    naive(given)
    queue.put((time.perf_counter() - start) * 1000)


def bounded_naive(given: Any, seconds: float) -> float | None:
    """One run of the naive way in a process of its own, or None where it takes longer."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=_timed_naive, args=(given, queue))
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return float(queue.get())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", nargs="+", default=["3,4,4", "16,16,16", "64,64,64", "256,64,64"])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--naive-seconds", type=float, default=60.0)
    options = parser.parse_args()
    titles = "n, d_model, d_k|naive|exact|certified|limit|numpy|exact/limit|certified/limit|naive/certified"
    print("| " + titles.replace("|", " | ") + " |")
    print("|---|---|---|---|---|---|---|---|---|")
    for text in options.sizes:
        n, d_model, d_k = (int(part) for part in text.split(","))
        given = inputs(n, d_model, d_k)
        slow = bounded_naive(given, options.naive_seconds)
        ours, proved, least, floats = (
            median(run, given, options.repeat) for run in (exact, certified, limit, numpy_walk)
        )
        shown = f"{slow:.0f}" if slow is not None else f"> {options.naive_seconds * 1000:.0f}"
        times = slow if slow is not None else options.naive_seconds * 1000
        sign = "" if slow is not None else "> "
        print(
            f"| {n}, {d_model}, {d_k} | {shown} | {ours:.2f} | {proved:.2f} | {least:.2f} | {floats:.3f} "
            f"| {ours / least:.2f} | {proved / least:.2f} | {sign}{times / proved:.0f} |"
        )


if __name__ == "__main__":
    main()
