"""Slips to plant: those of the auditor's library, made here by code of our own, and others that it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Literal

from benchmarks.injection.arithmetic import ZERO, Grid, Step, Undefined
from benchmarks.injection.author import Author
from benchmarks.injection.world import World

Family = Literal["library matrix", "library cell", "outside", "human"]

EXCHANGED = {  # argument exchanges: code -> (position, the quantity taken instead)
    **{f"weights-{a.lower()}-for-{b.lower()}": (1, f"W_{a}") for a in "QKV" for b in "QKV" if a != b},
    "keys-for-values": (1, "K"),
    "queries-for-values": (1, "Q"),
    "scores-for-scaled": (0, "scores"),
}
TERMS = ("term-dropped", "term-doubled", "term-sign", "added-for-multiplied")
NEIGHBOURS = ("neighbour-row", "neighbour-column")
PRINTS = ("decimal-shifted", "sign-lost", "digits-exchanged")
OUTSIDE_MATRIX = ("row-shifted", "rows-exchanged", "transposed-print")
OUTSIDE_CELLS = ("two-terms", "operand-misread")
OUTSIDE_PRINTS = ("digit-misread", "random-number", "one-unit", "few-units", "digit-lost")


@dataclass(frozen=True)
class Mistake:
    """A slip of the author in the step `step`; `at` is a cell, None for the whole matrix.

    A slip of printing is `resumed` where the author went on from the right value all the same.
    """

    code: str
    family: Family
    step: str
    at: tuple[int, int] | None = None
    seed: int = 0
    resumed: bool = False


def carried_args(mistake: Mistake, step: Step) -> Step:
    """The step with an argument exchanged, for the mistakes that are one."""
    if mistake.code not in EXCHANGED or mistake.at is not None:
        return step
    position, other = EXCHANGED[mistake.code]
    tag = "" if other.startswith("W_") else step.name.rpartition(".")[0]
    other = f"{tag}.{other}" if tag else other
    return replace(step, args=(*step.args[:position], other, *step.args[position + 1 :]))


def rearranged(mistake: Mistake, result: Grid) -> Grid:
    """The whole result as somebody mixed it up while copying."""
    rng = Random(mistake.seed)
    grid = [list(row) for row in result]
    if mistake.code == "row-shifted":
        i = rng.randrange(len(grid))
        grid[i] = grid[i][1:] + grid[i][:1]
    elif mistake.code == "rows-exchanged" and len(grid) > 1:
        a, b = rng.sample(range(len(grid)), 2)
        grid[a], grid[b] = grid[b], grid[a]
    elif mistake.code == "transposed-print" and len(grid) == len(grid[0]):
        grid = [list(row) for row in zip(*grid, strict=True)]
    return grid


def distorted(mistake: Mistake, step: Step, args: list[Grid], result: Grid, places: int) -> Decimal:
    """The wrong value of one cell, worked out wrongly from what the author had. Raises Undefined."""
    assert mistake.at is not None
    i, j = mistake.at
    rng = Random(mistake.seed)
    if mistake.code in NEIGHBOURS:
        by_row = mistake.code == "neighbour-row"
        others = [k for k in range(len(result) if by_row else len(result[0])) if k != (i if by_row else j)]
        if not others:
            raise Undefined("no neighbour")
        other = rng.choice(others)
        return result[other][j] if by_row else result[i][other]
    if mistake.code == "quotient-inverted":
        if step.kind not in ("normalise", "scale") or len(args) < 2:
            raise Undefined("no quotient")
        over, under = args[0][i][j], args[1][i if step.kind == "normalise" else 0][0]
        if not over or not under:
            raise Undefined("no quotient")
        return under / over
    pairs = terms(step, args, i, j)
    products = [a * b for a, b in pairs]
    k = rng.randrange(len(pairs))
    total = sum(products, ZERO)
    if mistake.code == "operand-misread":
        a, b = pairs[k]
        return (
            total
            - products[k]
            + a * (b + Decimal(rng.choice((1, 2, 3, -1, -2))).scaleb(-rng.randint(0, places)))
        )
    if len(pairs) < 2:
        raise Undefined("a single term")
    match mistake.code:
        case "term-dropped":
            return total - products[k]
        case "term-doubled":
            return total + products[k]
        case "term-sign":
            return total - 2 * products[k]
        case "added-for-multiplied":
            if step.kind in ("sum", "mean", "add"):
                raise Undefined("nothing is multiplied")
            return total - products[k] + sum(pairs[k])
        case "two-terms":
            return total - products[k] + products[k - 1]
    raise Undefined(mistake.code)


def terms(step: Step, args: list[Grid], i: int, j: int) -> list[tuple[Decimal, Decimal]]:
    """The products that are added up for entry (i, j). Raises Undefined where the step is no such sum."""
    one = Decimal(1)
    match step.kind:
        case "project":
            x, w, *bias = args
            column = w[j] if step.facts["transposed"] else [row[j] for row in w]
            return [*zip(x[i], column, strict=True), *((b[0][j], one) for b in bias)]
        case "scores":
            return list(zip(args[0][i], args[1][j], strict=True))
        case "weigh":
            return [(a, row[j]) for a, row in zip(args[0][i], args[1], strict=True)]
        case "sum":
            return [(a, one) for a in args[0][i]]
        case "mean":
            return [(a, one / len(args[0][i])) for a in args[0][i]]
        case "add":
            return [(arg[i][j], one) for arg in args]
    raise Undefined("no sum of products")


def misprinted(mistake: Mistake, text: str, exact: Decimal, author: Author, name: str) -> str:
    """The characters printed instead of `text`. Raises Undefined."""
    rng = Random(mistake.seed)
    digits = [k for k, c in enumerate(text) if c.isdigit()]
    places = len(text.partition(".")[2])
    unit = Decimal(1).scaleb(-places)
    value = Decimal(text)
    match mistake.code:
        case "decimal-shifted":
            moved = value * 10 if rng.random() < 0.5 else value / 10
            return f"{moved.quantize(unit):f}" if rng.random() < 0.5 else f"{moved:f}"
        case "sign-lost":
            return text[1:] if text.startswith("-") else f"-{text}"
        case "digits-exchanged":
            pairs = [k for k in digits if k + 1 in digits and text[k] != text[k + 1]]
            if not pairs:
                raise Undefined("no two digits")
            k = rng.choice(pairs)
            return text[:k] + text[k + 1] + text[k] + text[k + 2 :]
        case "digit-misread":
            k = rng.choice(digits)
            return text[:k] + rng.choice([c for c in "0123456789" if c != text[k]]) + text[k + 1 :]
        case "digit-lost":
            whole = text.lstrip("-").partition(".")[0]
            if len(whole) < 2:
                raise Undefined("one digit before the point")
            return text.replace(whole, whole[1:], 1)
        case "random-number":
            return author.printed(name, Decimal(repr(rng.uniform(-1, 1))) * (abs(value) * 2 + 1))
        case "one-unit":
            wrong = value + unit if exact < value or (exact == value and rng.random() < 0.5) else value - unit
            return f"{wrong:f}"
        case "few-units":
            return f"{value + unit * rng.choice((-1, 1)) * rng.randint(2, 6):f}"
    raise Undefined(mistake.code)


def planned(rng: Random, world: World, library: Mapping[str, tuple[str, ...]], author: Author) -> Mistake:
    """A random mistake; `library` lists the codes of the auditor's slips for each step of the plan."""
    seed, resumed = rng.getrandbits(32), rng.random() < 0.4
    family: Family = rng.choices(("library matrix", "library cell", "outside"), (4, 3, 4))[0]
    if family == "library matrix":
        steps = [name for name, codes in library.items() if codes]
        name = rng.choice(steps)
        return Mistake(rng.choice(library[name]), family, name, None, seed)
    name = rng.choice(list(author.places))
    n, m = world.shapes[name]
    at = (rng.randrange(n), rng.randrange(m))
    if family == "library cell":
        code = rng.choice((*TERMS, *NEIGHBOURS, *PRINTS, "quotient-inverted"))
    else:
        code = rng.choice((*OUTSIDE_MATRIX, *OUTSIDE_CELLS, *OUTSIDE_PRINTS, *OUTSIDE_PRINTS))
        if code in OUTSIDE_MATRIX:
            return Mistake(code, family, name, None, seed)
    return Mistake(code, family, name, at, seed, resumed and code in (*PRINTS, *OUTSIDE_PRINTS))
