"""What stands around attention, carried out in decimals: sums, the parts of a LayerNorm, ReLU, a cache.

A norm is one step over its rows, or goes on from a mean and a deviation that were worked out before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from benchmarks.injection.arithmetic import ONE, ZERO, Grid, Step, transposed

CODES = frozenset(
    [
        "summand-omitted",
        "layernorm-sample-variance",
        "layernorm-columns",
        "layernorm-not-centred",
        "layernorm-unrooted",
        "relu-omitted",
        "relu-absolute",
        "temperature-omitted",
        "temperature-multiplied",
        "stacked-in-reverse",
    ]
)


def rests_on(
    step: Step, i: int, j: int, shapes: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[str, int, int]]:
    """The entries of the arguments that entry (i, j) of the right step uses."""
    first = step.args[0] if step.args else ""
    match step.kind:
        case "add":
            yield from ((name, i, j) for name in step.args)
        case "relu" | "temper":
            yield first, i, j
        case "mean" | "variance" | "deviation" | "norm":
            yield from ((first, i, k) for k in range(shapes[first][1]))
            yield from ((name, i, 0) for name in step.args[1:] if not name.startswith(("gamma", "beta")))
        case "centred":
            yield first, i, j
            yield from ((name, i, 0) for name in step.args[1:])
        case "gain":
            yield first, i, j
        case "stack":
            rows = shapes[first][0]
            yield (first, i, j) if i < rows else (step.args[1], i - rows, j)


def _add(step: Step, args: list[Grid], slip: str) -> Grid:
    a, b = args
    if slip == "summand-omitted":
        return a
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


def _mean(step: Step, args: list[Grid], slip: str) -> Grid:
    return [[sum(row, ZERO) / len(row)] for row in args[0]]


def _variance(step: Step, args: list[Grid], slip: str) -> Grid:
    """Of (x, mean): the mean of the squares."""
    x, means = args
    count = len(x[0]) - (slip == "layernorm-sample-variance")
    return [
        [sum(((a - mean) ** 2 for a in row), ZERO) / count] for row, (mean,) in zip(x, means, strict=True)
    ]


def _deviation(step: Step, args: list[Grid], slip: str) -> Grid:
    return [[a.sqrt() for a in row] for row in args[0]]


def _centred(step: Step, args: list[Grid], slip: str) -> Grid:
    """Of (x, mean, deviation): (x - mean) / deviation."""
    if slip:
        return _normed(args[0], slip)
    x, means, deviations = args
    return [
        [(a - mean) / deviation for a in row]
        for row, (mean,), (deviation,) in zip(x, means, deviations, strict=True)
    ]


def _gain(step: Step, args: list[Grid], slip: str) -> Grid:
    """Of (x, gain, shift): x gain + shift."""
    x, gain, shift = args
    return [[a * g + b for a, g, b in zip(row, gain[0], shift[0], strict=True)] for row in x]


def _norm(step: Step, args: list[Grid], slip: str) -> Grid:
    """Of (x) or (x, gain, shift): all of a LayerNorm at once."""
    normed = _normed(args[0], slip)
    return _gain(step, [normed, *args[1:]], "") if len(args) > 1 else normed


def _normed(x: Grid, slip: str) -> Grid:
    turned = transposed(x) if slip == "layernorm-columns" else x
    result = []
    for row in turned:
        mean = sum(row, ZERO) / len(row)
        count = len(row) - (slip == "layernorm-sample-variance")
        variance = sum(((a - mean) ** 2 for a in row), ZERO) / count
        divisor = variance if slip == "layernorm-unrooted" else variance.sqrt()
        result.append([(a if slip == "layernorm-not-centred" else a - mean) / divisor for a in row])
    return transposed(result) if slip == "layernorm-columns" else result


def _relu(step: Step, args: list[Grid], slip: str) -> Grid:
    if slip == "relu-omitted":
        return args[0]
    return [[abs(a) if slip == "relu-absolute" else max(a, ZERO) for a in row] for row in args[0]]


def _temper(step: Step, args: list[Grid], slip: str) -> Grid:
    """Divided by a temperature of so many tenths."""
    divisor = Decimal(step.facts["tenths"]) / 10
    divisor = {"temperature-omitted": ONE, "temperature-multiplied": ONE / divisor}.get(slip, divisor)
    return [[a / divisor for a in row] for row in args[0]]


def _stack(step: Step, args: list[Grid], slip: str) -> Grid:
    return [row for part in (args[::-1] if slip else args) for row in part]


KINDS: Mapping[str, Callable[[Step, list[Grid], str], Grid]] = {
    "add": _add,
    "mean": _mean,
    "variance": _variance,
    "deviation": _deviation,
    "centred": _centred,
    "gain": _gain,
    "norm": _norm,
    "relu": _relu,
    "temper": _temper,
    "stack": _stack,
}
