"""The largest part of the bound on gradients that bad rows use up; no part may be 1 (docs/golden.md).

    python benchmarks/gradient_bound.py [--starts 80] [--steps 150] [--seed 1]

Inputs of one head begin bad (large scores that are nearly equal, values that cancel or hardly differ, one key
that takes nearly all) and are changed at random; a change stays where the error of a sound kernel is a larger
part of the bound. While searching, the reference is float64; for the worst of each gradient it is exact.
Exit status 1 where a part is 1 or more.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from symattn.golden.attention import Target
from symattn.golden.backward import RIGHT, gradient_errors, tables
from symattn.golden.formats import FORMATS, Floats
from symattn.golden.gradients import gradients
from symattn.golden.inputs import Array, inputs
from symattn.golden.options import Options

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"causal": True}, {"softcap": 2.0}, {"sinks": True})
Given = dict[str, Floats]


def bad(generator: np.random.Generator, form: str, sinks: bool) -> Given:
    """q, k, v and dO of a head, and perhaps a sink, of one bad kind."""
    n, m = (int(x) for x in generator.integers(1, 9, 2))
    d = int(generator.integers(1, 6))
    found = {
        name: generator.standard_normal((rows, d)) * 2.0 ** generator.integers(-3, 4)
        for name, rows in (("q", n), ("k", m), ("v", m), ("dO", n))
    }
    match generator.integers(5):
        case 0:  # large scores that are nearly equal
            found["k"] = found["k"][:1] + 2.0**-6 * found["k"]
            found["q"] *= 4
        case 1:  # values that cancel
            found["v"] = np.resize([1, -1], m)[:, None] * (1 + 2.0**-7 * found["v"])
        case 2:  # values that hardly differ: dP - D cancels
            found["v"] = 8 + 2.0**-4 * found["v"]
        case 3:  # one key takes nearly all
            found["k"][0] += 3 * np.sign(found["q"][0])
    if sinks:
        found["sinks"] = generator.standard_normal(1) * 2
    return {name: FORMATS[form].rounded(x) for name, x in found.items()}


def kernel(given: Given, form: str, options: Mapping[str, Any], from_output: bool) -> Given:
    """dq, dk, dv and perhaps dsinks of one head as kernels compute them: one float32 rounding at a time.

    P comes from the log-sum-exp. Below float32 the scale, o, P and dS are rounded to the format, and results
    not yet.
    """
    one, kind = FORMATS[form], np.float32

    def stored(x: Any) -> Any:
        return one.rounded(np.asarray(x, np.float64)).astype(kind)

    q, k, v, dO = (given[name].astype(kind) for name in ("q", "k", "v", "dO"))
    (n, d), m = q.shape, len(k)
    f = stored(1 / np.sqrt(d))
    s, slope = product(q, k.T) * f, np.ones((n, m), kind)
    if "softcap" in options:
        tangent = np.tanh(s / kind(options["softcap"]))
        s, slope = kind(options["softcap"]) * tangent, 1 - tangent * tangent
    if options.get("causal"):
        s = np.where(np.arange(m) <= np.arange(n)[:, None], s, kind(-np.inf))
    sink = given.get("sinks", np.array([-np.inf])).astype(kind)
    top = np.maximum(s.max(axis=1, keepdims=True), sink)
    e = np.exp(s - top)
    total = product(e, np.ones((m, 1), kind)) + np.exp(sink - top)
    lse, o = top + np.log(total), stored(product(stored(e), v) / total)
    P, dP = np.exp(s - lse), product(dO, v.T)
    D = product(dO * o if from_output else P * dP, np.ones((d if from_output else m, 1), kind))
    dX = P * (dP - D) * slope
    found = {"dq": product(stored(dX), k) * f, "dk": product(stored(dX).T, q) * f}
    found["dv"] = product(stored(P).T, dO)
    if "sinks" in given:
        found["dsinks"] = product(np.ones((1, n), kind), -np.exp(sink - lse) * D)[0]
    return {name: x.astype(np.float64) for name, x in found.items()}


def product(a: Any, b: Any) -> Any:
    """a b, added one product after the other."""
    found = np.zeros((len(a), b.shape[1]), a.dtype)
    for t in range(a.shape[1]):
        found = found + a[:, t, None] * b[None, t]
    return found


def shares(given: Given, form: str, options: Mapping[str, Any], exact: bool = False) -> dict[str, float]:
    """The largest part of the bound, but for the last rounding, that the kernel uses up, by gradient."""
    some = inputs({name: Array(x, FORMATS[form]) for name, x in given.items()}, Options(**options))
    if exact:
        rounded = gradients(some, Target(FORMATS[form]))
        right = {name: x.values + x.rest for name, x in rounded.items()}
    else:
        right = tables(some, RIGHT, FORMATS[form])
    allowed = gradient_errors(some, FORMATS[form])
    made = [kernel(given, form, options, from_output) for from_output in (False, True)]
    return {
        name: max(float((np.abs(each[name] - x) / allowed[name]).max()) for each in made)
        for name, x in right.items()
    }


def changed(given: Given, form: str, generator: np.random.Generator) -> Given:
    """One row or entry of one array is another."""
    name = generator.choice(list(given))
    x = given[name].copy()
    at = tuple(int(generator.integers(size)) for size in x.shape[: int(generator.integers(1, x.ndim + 1))])
    match generator.integers(4):
        case 0:
            x[at] *= generator.choice([-1, 0, 0.5, 2])
        case 1:
            x[at] += generator.standard_normal()
        case 2:
            x[at] *= 1 + 2.0**-6 * generator.standard_normal()
        case 3:
            x[at] += FORMATS[form].ulp(np.asarray(x[at])) * generator.choice([-1, 1])
    return {**given, name: FORMATS[form].rounded(np.clip(x, -64, 64))}


def worst(form: str, starts: int, steps: int, seed: int) -> Iterator[tuple[str, float]]:
    """The gradients, each with the largest part of its bound that was found."""
    generator = np.random.default_rng(seed)
    best: dict[str, tuple[float, Given, Mapping[str, Any]]] = {}
    for start in range(starts):
        options = dict(OPTIONS[start % len(OPTIONS)])
        given = bad(generator, form, options.pop("sinks", False))
        name = str(generator.choice(list(found := shares(given, form, options))))
        for _ in range(steps):
            other = changed(given, form, generator)
            if (more := shares(other, form, options))[name] >= found[name]:
                given, found = other, more
        for each, share in found.items():
            best[each] = max(
                best.get(each, (0.0, given, options)), (share, given, options), key=lambda x: x[0]
            )
    for name, (_, given, options) in best.items():
        yield name, shares(given, form, options, exact=True)[name]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--starts", type=int, default=80)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    most = 0.0
    for form in ("float32", "float16", "bfloat16"):
        found = dict(worst(form, asked.starts, asked.steps, asked.seed))
        most = max(most, *found.values())
        print(f"{form:>8}: " + ", ".join(f"{name} {share:.2f}" for name, share in found.items()), flush=True)
    print(f"largest part of the bound: {most:.2f}")
    sys.exit(not most < 1)


if __name__ == "__main__":
    main()
