"""The range of each entry when printed numbers move through what they may stand for: our own intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import accumulate, islice, product

from benchmarks.injection.arithmetic import HIDDEN, ZERO, Grid, Step, Undefined
from benchmarks.injection.steps import carried_out
from benchmarks.injection.world import Entry, World

Ends = tuple[Decimal, Decimal]
Bounds = list[list[Ends]]
MOST_CORNERS = 512
DIVIDING = ("scale", "exp", "normalise", "mean", "variance", "deviation", "centred", "norm", "temper")


def reaches(
    world: World, texts: Mapping[Entry, str], exact: Mapping[str, Grid], read: Mapping[str, Grid]
) -> dict[str, Bounds]:
    """I for every entry, from the exact walk and the walk over what is printed (`read`).

    A printed number stays put where the quantity's exact entries end within the print and either it is
    the exact or the read value, or it was added and multiplied from numbers that end there too.
    """
    known: dict[str, Bounds] = {
        name: [[(a, a) for a in row] for row in grid] for name, grid in world.values.items()
    }
    local: dict[str, Bounds] = {}
    for step in world.steps:
        bounds = _through(step, [known[name] for name in step.args], texts)
        local[step.name] = bounds
        ends = _end(exact[step.name], _places(step.name, texts))
        divided = step.kind in DIVIDING

        def still(
            i: int,
            j: int,
            name: str = step.name,
            ends: bool = ends,
            divided: bool = divided,
            bounds: Bounds = bounds,
        ) -> bool:
            text, local = texts.get((name, i, j), "0"), read[name][i][j]
            if not ends or Decimal(text) == exact[name][i][j]:
                return ends
            if bounds[i][j][0] != bounds[i][j][1]:
                return False
            if Decimal(text) == local:
                return True
            return not divided and _end([[local]], len(text.partition(".")[2]))

        known[step.name] = [
            [_moved(texts.get((step.name, i, j)), moves, still(i, j)) for j, moves in enumerate(row)]
            for i, row in enumerate(bounds)
        ]
    return local


def half_unit(text: str) -> Decimal:
    return Decimal(5).scaleb(-len(text.partition(".")[2]) - 1)


def _moved(text: str | None, ends: Ends, fixed: bool) -> Ends:
    if text is None:
        return ends
    half = ZERO if fixed else half_unit(text)
    return Decimal(text) - half, Decimal(text) + half


def _places(name: str, texts: Mapping[Entry, str]) -> int:
    return min(
        (len(text.partition(".")[2]) for (other, _, _), text in texts.items() if other == name), default=0
    )


def _end(grid: Grid, places: int) -> bool:
    """Whether every entry ends within so many decimals."""
    unit = Decimal(1).scaleb(-places)
    return all(a.is_finite() and a == a.quantize(unit) for row in grid for a in row)


def _times(a: Ends, b: Ends) -> Ends:
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def _dot(row: Sequence[Ends], column: Sequence[Ends]) -> Ends:
    products = [_times(a, b) for a, b in zip(row, column, strict=True)]
    return sum((low for low, _ in products), ZERO), sum((high for _, high in products), ZERO)


def _product(a: Bounds, b: Bounds) -> Bounds:
    return [[_dot(row, column) for column in zip(*b, strict=True)] for row in a]


def _through(step: Step, args: list[Bounds], texts: Mapping[Entry, str]) -> Bounds:
    match step.kind:
        case "project":
            x, w, *bias = args
            result = _product(
                x, [list(row) for row in zip(*w, strict=True)] if step.facts["transposed"] else w
            )
            for b in bias:
                result = [
                    [(p + c, q + d) for (p, q), (c, d) in zip(row, b[0], strict=True)] for row in result
                ]
            return result
        case "columns":
            return [row[step.facts["start"] : step.facts["stop"]] for row in args[0]]
        case "scores":
            return _product(args[0], [list(row) for row in zip(*args[1], strict=True)])
        case "scale":
            low, high = args[1][0][0] if len(args) > 1 else (Decimal(1), Decimal(1))
            return [[_times(a, (1 / high, 1 / low)) for a in row] for row in args[0]]
        case "mask":
            return [
                [(HIDDEN, HIDDEN) if step.hides(i, j) else a for j, a in enumerate(row)]
                for i, row in enumerate(args[0])
            ]
        case "exp":
            if step.facts.get("shift"):
                return [[_below_top(j, row) for j in range(len(row))] for row in args[0]]
            return [[(low.exp(), high.exp()) for low, high in row] for row in args[0]]
        case "sum":
            return [[(sum((a for a, _ in row), ZERO), sum((b for _, b in row), ZERO))] for row in args[0]]
        case "normalise":
            return [
                _shares(row, args[1][i][0], (step.args[1], i, 0) in texts) for i, row in enumerate(args[0])
            ]
        case "weigh":
            return _product(*args)
        case "concat":
            return [[a for part in args for a in part[i]] for i in range(len(args[0]))]
        case "add":
            return [
                [(a + c, b + d) for (a, b), (c, d) in zip(p, q, strict=True)]
                for p, q in zip(*args, strict=True)
            ]
        case "stack":
            return [row for part in args for row in part]
    return _corners(step, args) if args else [[(a, a) for a in row] for row in carried_out(step, [])]


def _below_top(j: int, row: Sequence[Ends]) -> Ends:
    """The exponential of an entry less the largest of its row, which it may be itself."""
    low, high = row[j]
    others = [*(ends for k, ends in enumerate(row) if k != j), (HIDDEN, HIDDEN)]
    over, under = max(b for _, b in others), max(a for a, _ in others)
    return (low - max(low, over)).exp(), (high - max(high, under)).exp()


def _corners(step: Step, args: list[Bounds]) -> Bounds:
    """From the corners of what moves in a row; between them a norm, a root or a cut goes hardly further."""
    found = []
    for i, row in enumerate(args[0]):
        rows = [row, *(arg[i] if len(arg) == len(args[0]) else arg[0] for arg in args[1:])]
        ends = [sorted(set(cell)) for line in rows for cell in line]
        cuts = [*accumulate(len(line) for line in rows)]
        made = []
        for corner in islice(product(*ends), MOST_CORNERS):
            grids = [[list(corner[cut - len(line) : cut])] for line, cut in zip(rows, cuts, strict=True)]
            try:
                made.append(carried_out(step, grids)[0])
            except Undefined:  # here the row is constant
                continue
        if not made:
            raise Undefined(step.name)
        found.append([(min(column), max(column)) for column in zip(*made, strict=True)])
    return found


def _shares(row: Sequence[Ends], total: Ends, printed: bool) -> list[Ends]:
    def one(j: int) -> Ends:
        low, high = row[j]
        if printed:
            return (low / total[1] if total[1] else ZERO), (high / total[0] if total[0] else ZERO)
        below, above = sum((a for a, _ in row), ZERO) - low, sum((b for _, b in row), ZERO) - high
        return (low / (low + above) if low + above else ZERO), (
            high / (high + below) if high + below else ZERO
        )

    return [one(j) for j in range(len(row))]
