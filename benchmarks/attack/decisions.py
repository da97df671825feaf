"""Whether equal numbers, neighbours and rows of numbers are ordered rightly, as ReLU weights show it.

The scores are x - y and y - x: their ReLU is 0 for the one that is negative, and for both where x = y. Every
second pair is moved apart by 10^-40, and mpmath confirms at 120 digits what is equal.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import mpmath
import sympy

import symattn
from benchmarks.attack.pairs import KINDS, symbolic
from benchmarks.derivations.numbers import number

TINY = "1/10^40"
SYMBOLS = {"s": 3, "t": 7}
"""The numbers for the symbols in mpmath."""
REFUSED = 2
ZERO = symattn.Exact.of(0)


def orders(values: Sequence[str], symbols: bool = False) -> list[int | None]:
    """For each two of the numbers, the first against the second: 1, 0 or -1; None where it is undecided.

    REFUSED where the package takes one of them for too intricate.
    """
    pairs = list(combinations(range(len(values)), 2))
    rows = [[sign * ((k == i) - (k == j)) for k in range(len(values))] for i, j in pairs for sign in (1, -1)]
    text = (
        f"symbols = {list(SYMBOLS) if symbols else []}\n[given]\nQ = {json.dumps([list(values)])}\n"
        f'K = {rows}\nV = {[[1]] * len(rows)}\n[attention]\nscale = 1\nnormaliser = "relu"\n'
    )
    try:
        weights = symattn.work(symattn.parse_case(text))["A"]
    except symattn.SymattnError:
        return [REFUSED] * len(pairs)
    found: list[int | None] = []
    for k in range(len(pairs)):
        above, below = weights[0, 2 * k], weights[0, 2 * k + 1]
        if sympy.Max in {
            type(part) for x in (above, below) for part in sympy.preorder_traversal(x.to_sympy())
        }:
            found.append(None)
        else:
            found.append((below == ZERO) - (above == ZERO))
    return found


def verdict(found: int | None, expected: int) -> str:
    if found is None:
        return "undecided"
    return "refused" if found == REFUSED else "right" if found == expected else "WRONG"


def order_of(x: mpmath.mpf, y: mpmath.mpf) -> int:
    """By 120 digits, of which equal numbers share at least 100."""
    return 0 if abs(x - y) < mpmath.mpf(10) ** -100 else 1 if x > y else -1


def judged(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """(kind of pair, right or wrong or undecided), one kind after the other, equal and apart in turn."""
    rng = random.Random(seed)
    for k in range(count):
        kind = KINDS[k % len(KINDS)]
        left, right = kind(rng)
        apart = k // len(KINDS) % 2
        sign = rng.choice((1, -1)) * apart
        (found,) = orders((left, f"{right}+({-sign})*{TINY}"), kind is symbolic)
        with mpmath.workdps(120):
            assert order_of(number(left, SYMBOLS), number(right, SYMBOLS)) == 0, (left, right)
        # which of two functions of symbols is larger may be open: they are only not to be taken for equal
        yield kind.__name__, verdict(sign if kind is symbolic and sign and found is None else found, sign)


def judged_rows(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """The same of the pairs of four numbers: two equal ones, and two near them by 10^-5 to 10^-60."""
    rng = random.Random(seed)
    kinds = [kind for kind in KINDS if kind is not symbolic]
    for k in range(count):
        left, right = kinds[k % len(kinds)](rng)
        with mpmath.workdps(120):
            digits = rng.randint(5, 60)
            near = mpmath.nstr(number(right), digits, min_fixed=-999, max_fixed=999)
            values = [left, right, near, f"{right}+({rng.choice((-3, 2))})/10^{rng.randint(5, 60)}"]
            rng.shuffle(values)
            expected = [order_of(*pair) for pair in combinations(map(number, values), 2)]
        for found, right_one in zip(orders(values), expected, strict=True):
            yield "rows of four", verdict(found, right_one)
