"""Speed of certified decimals, as multiples in one run of what raw python-flint takes without certificates.

    python benchmarks/speed.py [--sizes 3,4,4 ... 1024,64,64] [--repeat 5] [--naive-seconds 60]
                               [--fresh 7] [--closed-forms]

For each (n, d_model, d_k), on random two-decimal inputs, from X and the weights to A and Z:

- limit     raw python-flint: the same products as fmpz matrices over one denominator and one arb
            exponential per score, with one arb product for Z: enclosures without certificates
- naive     SymPy: Matrix of Rational, product by product, applyfunc(exp), row sums, division, then N of
            every entry of A and Z to 15 digits; stopped after --naive-seconds
- integers  every entry of A and Z as a certified decimal of 15 places, from the integers of X and the weights
- package   the same from a case: its plan is made and evaluated, every step kept
- digits    the same with all decimals as text
- numpy     the walk in float64

`limit` is in milliseconds, all else in multiples of it: medians, the ways taking turns. From 256 rows on the
memory is the peak of a process of its own, in MiB.

Below it, for the sizes up to 16 tokens, what SymPy takes for closed forms, in multiples of what the package
takes: `sympy.latex` of the entries of A and Z, beside LaTeX from ready formulas, as SymPy has a ready
expression, and from exact numbers, whose normal forms are found first; and `expand` beside the scores of
nothing but symbols. Each is the first run in a process of its own, so that neither finds its results
remembered: the median processor time of --fresh processes, the ways taking turns.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

PLACES = 15
BITS = 96
Table = list[list[Fraction]]
Given = dict[str, Table]
Way = Callable[[Given], Any]


def inputs(n: int, d_model: int, d_k: int) -> Given:
    """Random two-decimal X, W_Q, W_K, W_V, the same for the same sizes."""
    rng = random.Random(f"{n},{d_model},{d_k}")

    def table(rows: int, columns: int, spread: int) -> Table:
        return [[Fraction(rng.randint(-spread, spread), 100) for _ in range(columns)] for _ in range(rows)]

    weights = max(1, 200 // d_model)
    return {"X": table(n, d_model, 150)} | {f"W_{name}": table(d_model, d_k, weights) for name in "QKV"}


def naive(given: Given) -> Any:
    import sympy

    def matrix(rows: Table) -> Any:
        return sympy.Matrix([[sympy.Rational(x.numerator, x.denominator) for x in row] for row in rows])

    x = matrix(given["X"])
    q, k, v = (x * matrix(given[f"W_{name}"]) for name in "QKV")
    powers = (q * k.T / sympy.sqrt(q.cols)).applyfunc(sympy.exp)
    sums = [sum(powers.row(i)) for i in range(powers.rows)]
    a = sympy.Matrix([[powers[i, j] / sums[i] for j in range(powers.cols)] for i in range(powers.rows)])
    z = a * v
    return a.applyfunc(lambda e: sympy.N(e, PLACES)), z.applyfunc(lambda e: sympy.N(e, PLACES))


def _case(given: Given) -> Any:
    from symattn.attention.case import Case
    from symattn.attention.case import Given as GivenMatrix
    from symattn.exact.matrix import Matrix

    return Case("benchmark", {name: GivenMatrix((), Matrix.rational(rows)) for name, rows in given.items()})


def package(given: Given) -> Any:
    from symattn.attention.recipes.attention import attention, values
    from symattn.exact.decimal import rounded_matrices
    from symattn.plans.derive import derive

    case = _case(given)
    derivation = derive(attention(case), values(case))
    return rounded_matrices((derivation["A"], derivation["Z"]), PLACES)


def digits(given: Given) -> Any:
    return [made.digits() for made in package(given)]


def integers(given: Given) -> Any:
    from symattn.exact.decimal import rounded_matrices
    from symattn.exact.functions import sqrt
    from symattn.exact.matrix import SurdMatrix
    from symattn.exact.number import Exact
    from symattn.exact.surds import Surds
    from symattn.exact.weighted import Weighted

    def matrix(numbers: Any) -> SurdMatrix:
        return SurdMatrix(Surds((numbers.nrows(), numbers.ncols()), {1: numbers}, 10_000))

    x = hundredths(given["X"])
    q, k, v = (matrix(x * hundredths(given[f"W_{name}"])) for name in "QKV")
    logits = (q @ k.T).scaled(sqrt(Exact.of(q.shape[1])).inverse())
    weights = Weighted(logits, normalised=True)
    return rounded_matrices((weights, weights @ v), PLACES)


def hundredths(rows: Table) -> Any:
    """100 times a table of two decimals, as integers."""
    from flint import fmpz_mat

    return fmpz_mat(
        len(rows), len(rows[0]), [x.numerator * (100 // x.denominator) for row in rows for x in row]
    )


def limit(given: Given) -> Any:
    from flint import arb, arb_mat, ctx

    with ctx.workprec(BITS):
        x = hundredths(given["X"])
        q, k, v = (x * hundredths(given[f"W_{name}"]) for name in "QKV")
        factor = 1 / (arb(10) ** 8 * arb(q.ncols()).sqrt())
        weights = []
        for row in (q * k.transpose()).tolist():
            powers = [(factor * s).exp() for s in row]
            total = sum(powers, arb(0))
            weights.append([power / total for power in powers])
        return arb_mat(weights) * (arb_mat(v) * (arb(1) / 10_000))


def numpy_walk(given: Given) -> Any:
    import numpy as np

    x = np.array([[float(e) for e in row] for row in given["X"]])
    q, k, v = (x @ np.array([[float(e) for e in row] for row in given[f"W_{name}"]]) for name in "QKV")
    scores = q @ k.T / np.sqrt(q.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ v


def medians(ways: Mapping[str, Way], given: Given, repeat: int) -> dict[str, float]:
    """The medians in milliseconds of `repeat` turns after one to warm up."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(repeat + 1):
        for name, run in ways.items():
            start = time.perf_counter()
            run(given)
            if turn:
                times[name].append((time.perf_counter() - start) * 1000)
    return {name: statistics.median(found) for name, found in times.items()}


def _peak(way: str, given: Given, queue: Any) -> None:
    kept = WAYS[way](given)
    with open("/proc/self/status", encoding="ascii") as status:  # the rusage goes on from the parent
        queue.put(next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")))
    del kept


def _timed_naive(given: Any, queue: Any) -> None:
    start = time.perf_counter()
    naive(given)
    queue.put((time.perf_counter() - start) * 1000)


def in_a_process(run: Callable[..., None], arguments: tuple[Any, ...], seconds: float | None) -> float | None:
    """What `run` puts into its queue in a process of its own, or None where it takes longer."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=run, args=(*arguments, queue))
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return float(queue.get())


def _weights(given: Given) -> Any:
    """A and Z from a case."""
    from symattn.attention.recipes.attention import attention, values
    from symattn.plans.derive import derive

    case = _case(given)
    derivation = derive(attention(case), values(case))
    return derivation["A"], derivation["Z"]


def emission(given: Given) -> Callable[[], Any]:
    """The closed forms of A and Z as LaTeX."""
    from symattn.exact.spell import spell
    from symattn.typeset.latex_maths import latex_formula

    forms = [spell(x) for matrix in _weights(given) for row in matrix.rows() for x in row]
    return lambda: [latex_formula(form) for form in forms]


def latex(given: Given) -> Callable[[], Any]:
    """The entries of A and Z as LaTeX, with their normal forms."""
    from symattn.exact.spell import spell
    from symattn.typeset.latex_maths import latex_formula

    matrices = _weights(given)
    return lambda: [latex_formula(spell(x)) for matrix in matrices for row in matrix.rows() for x in row]


def sympy_latex(given: Given) -> Callable[[], Any]:
    """The same entries by SymPy."""
    import sympy

    entries = [x.to_sympy() for matrix in _weights(given) for row in matrix.rows() for x in row]
    return lambda: [sympy.latex(x) for x in entries]


def _symbols(given: Given) -> Any:
    """Symbols in the place of X, W_Q and W_K."""
    from symattn.exact.functions import symbol
    from symattn.exact.matrix import Matrix

    def matrix(name: str, letter: str) -> Matrix:
        n, m = len(given[name]), len(given[name][0])
        return Matrix.of([[symbol(f"{letter}_{i},{j}") for j in range(m)] for i in range(n)])

    return matrix("X", "x"), matrix("W_Q", "a"), matrix("W_K", "b")


def symbols(given: Given) -> Callable[[], Any]:
    """Scores of symbols, multiplied out."""
    x, q, k = _symbols(given)
    return lambda: (x @ q) @ (x @ k).T


def expand(given: Given) -> Callable[[], Any]:
    """The same by SymPy."""
    x, q, k = (matrix.to_sympy() for matrix in _symbols(given))
    return lambda: ((x * q) * (x * k).T).expand()


def _first(way: str, given: Given, queue: Any) -> None:
    CLOSED_FORMS[way](inputs(2, 2, 2))()  # imports
    run = CLOSED_FORMS[way](given)
    gc.collect()
    start = time.process_time()
    run()
    queue.put((time.process_time() - start) * 1000)


CLOSED_FORMS: dict[str, Callable[[Given], Callable[[], Any]]] = {
    "emission": emission,
    "latex": latex,
    "sympy_latex": sympy_latex,
    "symbols": symbols,
    "expand": expand,
}
WAYS: dict[str, Way] = {
    "limit": limit,
    "integers": integers,
    "package": package,
    "digits": digits,
    "numpy": numpy_walk,
}


def speed_table(sizes: Sequence[str], repeat: int, naive_seconds: float) -> None:
    print(
        "| n, d_model, d_k | limit, ms | naive | integers | package | digits | numpy | MiB: limit, package |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for text in sizes:
        n, d_model, d_k = (int(part) for part in text.split(","))
        given = inputs(n, d_model, d_k)
        slow = in_a_process(_timed_naive, (given,), naive_seconds)
        times = medians(WAYS, given, 10 * repeat if n <= 16 else repeat)
        least = times.pop("limit")
        shown = f"{slow / least:.0f}" if slow is not None else f"> {naive_seconds * 1000 / least:.0f}"
        ratios = " | ".join(f"{took / least:.2f}" for took in times.values())
        peaks = [in_a_process(_peak, (way, given), None) for way in ("limit", "package") if n >= 256]
        memory = ", ".join(f"{peak:.0f}" for peak in peaks if peak is not None)
        print(f"| {n}, {d_model}, {d_k} | {least:.3g} | {shown} | {ratios} | {memory} |", flush=True)


def closed_forms_table(sizes: Sequence[str], fresh: int) -> None:
    heads = "LaTeX from formulas, ms | sympy.latex | from numbers, ms | sympy.latex | scores of symbols, ms"
    print(f"\n| n, d_model, d_k | {heads} | expand |")
    print("|---|---|---|---|---|---|---|")
    for text in sizes:
        n, d_model, d_k = (int(part) for part in text.split(","))
        cells: list[str] = []
        for *ours, theirs, largest in (("emission", "latex", "sympy_latex", 16), ("symbols", "expand", 4)):
            if n > largest:
                continue
            took: dict[str, list[float]] = {way: [] for way in (*ours, theirs)}
            for _ in range(fresh):
                for way, times in took.items():
                    times.append(in_a_process(_first, (way, inputs(n, d_model, d_k)), None) or 0.0)
            *mine, most = (statistics.median(times) for times in took.values())
            cells += [cell for least in mine for cell in (f"{least:.3g}", f"{most / least:.1f}")]
        if cells:
            print(f"| {n}, {d_model}, {d_k} | {' | '.join([*cells, '', ''][:6])} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    sizes = ["3,4,4", "4,4,4", "16,16,16", "64,64,64", "256,64,64", "1024,64,64"]
    parser.add_argument("--sizes", nargs="+", default=sizes)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--naive-seconds", type=float, default=60.0)
    parser.add_argument("--fresh", type=int, default=7, help="processes for each way to closed forms")
    parser.add_argument("--closed-forms", action="store_true", help="the second table alone")
    options = parser.parse_args()
    if not options.closed_forms:
        speed_table(options.sizes, options.repeat, options.naive_seconds)
    closed_forms_table(options.sizes, options.fresh)


if __name__ == "__main__":
    main()
