"""Attention in 60-digit decimals, step by step: the arithmetic of the simulated authors.

Independent of the package: no plan, no operation, no exact number. A step may be carried out wrongly
(`slip` is the code of the mistake), and it says which entries of its arguments an entry rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

from benchmarks.injection import encoder
from benchmarks.injection.arithmetic import HIDDEN, ONE, ZERO, Grid, Step, Undefined, product, transposed

HALVES = "sines-in-halves"
EXPONENTS = ("exponent-doubled", "exponent-twice-column", "exponent-full-range")
CODES = encoder.CODES | frozenset(
    [
        "weights-transposed",
        "weights-not-transposed",
        "bias-dropped",
        "bias-doubled",
        "head-columns-of-neighbour",
        "query-key-exchanged",
        "query-for-key",
        "key-for-query",
        "key-not-transposed",
        "scale-omitted",
        "scale-multiplied",
        "scale-applied",
        "scale-unrooted",
        "scale-model-width",
        "scale-length",
        "mask-omitted",
        "mask-inverted",
        "mask-zero",
        "base-two",
        "base-ten",
        "exponential-omitted",
        "softmax-columns",
        "softmax-whole",
        "denominator-without-1",
        "denominator-without-2",
        "weights-unnormalised",
        "weights-matrix-transposed",
        "values-reversed",
        "heads-reversed",
        "positions-shifted",
        "sine-cosine-exchanged",
        *EXPONENTS,
        HALVES,
        *(f"{HALVES}-{code}" for code in EXPONENTS),
    ]
)
"""The mistakes that a step can be carried out with."""


def carried_out(step: Step, args: list[Grid], slip: str = "") -> Grid:
    """The step's result, with the mistake `slip` if there is one. Raises Undefined."""
    if slip and slip not in CODES:
        raise KeyError(f"the library's slip {slip} has no simulation here")
    try:
        return _KINDS[step.kind](step, args, slip)
    except (InvalidOperation, ZeroDivisionError, OverflowError, IndexError) as error:
        raise Undefined(step.name) from error


def rests_on(
    step: Step, i: int, j: int, shapes: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[str, int, int]]:
    """The entries of the arguments that entry (i, j) of the right step uses."""
    first = step.args[0] if step.args else ""
    match step.kind:
        case "project":
            yield from ((first, i, k) for k in range(shapes[first][1]))
        case "scores":
            for k in range(shapes[first][1]):
                yield first, i, k
                yield step.args[1], j, k
        case "scale" | "mask" | "exp":
            yield first, i, j
            if step.kind == "scale" and len(step.args) > 1:
                yield step.args[1], 0, 0
        case "sum":
            yield from ((first, i, k) for k in range(shapes[first][1]))
        case "normalise":
            yield first, i, j
            yield step.args[1], i, 0
        case "weigh":
            for k in range(shapes[first][1]):
                yield first, i, k
                yield step.args[1], k, j
        case "columns":
            yield first, i, step.facts["start"] + j
        case "concat":
            width = shapes[first][1]
            yield step.args[j // width], i, j % width
        case _:
            yield from encoder.rests_on(step, i, j, shapes)


def _project(step: Step, args: list[Grid], slip: str) -> Grid:
    x, w, *bias = args
    turned = bool(step.facts.get("transposed")) != (slip in ("weights-transposed", "weights-not-transposed"))
    result = product(x, transposed(w) if turned else w)
    times = {"bias-dropped": 0, "bias-doubled": 2}.get(slip, 1)
    if bias and len(result[0]) == len(bias[0][0]):
        result = [[a + times * b for a, b in zip(row, bias[0][0], strict=True)] for row in result]
    return result


def _columns(step: Step, args: list[Grid], slip: str) -> Grid:
    start, stop = step.facts["start"], step.facts["stop"]
    shift = stop - start if slip == "head-columns-of-neighbour" else 0
    return [row[start - shift : stop - shift] for row in args[0]]


def _scores(step: Step, args: list[Grid], slip: str) -> Grid:
    q, k = args
    left, right = {
        "query-key-exchanged": (k, q),
        "query-for-key": (q, q),
        "key-for-query": (k, k),
    }.get(slip, (q, k))
    return product(left, right if slip == "key-not-transposed" else transposed(right))


def _root(step: Step, args: list[Grid], slip: str) -> Grid:
    return [[Decimal(step.facts["d_k"]).sqrt()]]


def _scale(step: Step, args: list[Grid], slip: str) -> Grid:
    d_k, d_model, n = (Decimal(step.facts[name]) for name in ("d_k", "d_model", "n"))
    divisor = args[1][0][0] if len(args) > 1 else ONE
    divisor = {
        "scale-omitted": ONE,
        "scale-multiplied": ONE / divisor,
        "scale-applied": d_k.sqrt(),
        "scale-unrooted": d_k,
        "scale-model-width": d_model.sqrt(),
        "scale-length": n.sqrt(),
    }.get(slip, divisor)
    return [[a / divisor for a in row] for row in args[0]]


def _mask(step: Step, args: list[Grid], slip: str) -> Grid:
    def one(i: int, j: int, a: Decimal) -> Decimal:
        hidden = step.hides(i, j)
        if slip == "mask-omitted" or (not hidden and slip != "mask-inverted"):
            return a
        if slip == "mask-inverted":
            return a if hidden else HIDDEN
        return ZERO if slip == "mask-zero" else HIDDEN

    return [[one(i, j, a) for j, a in enumerate(row)] for i, row in enumerate(args[0])]


def _exp(step: Step, args: list[Grid], slip: str) -> Grid:
    rate = {"base-two": Decimal(2).ln(), "base-ten": Decimal(10).ln()}.get(slip, ONE)

    def one(a: Decimal) -> Decimal:
        if a == HIDDEN:
            return ZERO
        if abs(a * rate) > 18 and slip != "exponential-omitted":
            raise Undefined("too large to print")
        return a if slip == "exponential-omitted" else (a * rate).exp()

    top = [max(row) if step.facts.get("shift") else ZERO for row in args[0]]
    return [[one(a if a == HIDDEN else a - m) for a in row] for row, m in zip(args[0], top, strict=True)]


def _sum(step: Step, args: list[Grid], slip: str) -> Grid:
    (powers,) = args
    if slip == "softmax-columns":
        return [[sum(column, ZERO) for column in zip(*powers, strict=True)]]
    if slip == "softmax-whole":
        return [[sum((a for row in powers for a in row), ZERO)]]
    without = int(slip.rpartition("-")[2]) - 1 if slip.startswith("denominator-without-") else -1
    if without >= len(powers[0]):
        raise Undefined("no such key")
    return [[sum((a for k, a in enumerate(row) if k != without), ZERO)] for row in powers]


def _normalise(step: Step, args: list[Grid], slip: str) -> Grid:
    powers, sums = args
    if slip == "weights-unnormalised":
        return powers
    return [
        [
            a / total if (total := sums[i if len(sums) > 1 else 0][j if len(sums[0]) > 1 else 0]) else ZERO
            for j, a in enumerate(row)
        ]
        for i, row in enumerate(powers)
    ]


def _weigh(step: Step, args: list[Grid], slip: str) -> Grid:
    a, v = args
    return product(
        transposed(a) if slip == "weights-matrix-transposed" else a,
        v[::-1] if slip == "values-reversed" else v,
    )


def _concat(step: Step, args: list[Grid], slip: str) -> Grid:
    parts = args[::-1] if slip == "heads-reversed" else args
    return [[a for part in parts for a in part[i]] for i in range(len(parts[0]))]


def _positions(step: Step, args: list[Grid], slip: str) -> Grid:
    import mpmath

    mpmath.mp.dps = 70
    d, start = step.facts["d"], step.facts["start"]
    if slip == "positions-shifted":
        start = 1 - min(start, 1)

    halves = slip.startswith(HALVES)

    def one(position: int, j: int) -> Decimal:
        pair = j % (d // 2) if halves else j // 2
        exponents = {
            "exponent-doubled": (j, d),
            "exponent-twice-column": (2 * j, d),
            "exponent-full-range": (2 * pair, max(d - 2, 1)),
        }
        over, under = exponents.get(slip.removeprefix(HALVES).removeprefix("-"), (2 * pair, d))
        angle = position / mpmath.mpf(10_000) ** (mpmath.mpf(over) / under)
        sine = (j < d // 2 if halves else j % 2 == 0) != (slip == "sine-cosine-exchanged")
        return Decimal(mpmath.nstr(mpmath.sin(angle) if sine else mpmath.cos(angle), 55))

    return [[one(start + i, j) for j in range(d)] for i in range(step.facts["n"])]


_KINDS = {
    **encoder.KINDS,
    "project": _project,
    "columns": _columns,
    "scores": _scores,
    "root": _root,
    "scale": _scale,
    "mask": _mask,
    "exp": _exp,
    "sum": _sum,
    "normalise": _normalise,
    "weigh": _weigh,
    "concat": _concat,
    "positions": _positions,
}
