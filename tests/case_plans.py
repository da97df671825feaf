"""The plans of all shipped cases, of random cases of the product of settings, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from msgspec.structs import replace
from once import CASES
from product_cases import case_of, drawn, refusal, toml

from symattn.attention.case import Case
from symattn.attention.recipes.attention import attention, forward, values
from symattn.attention.recipes.columns import in_rows
from symattn.attention.runnable import runnable
from symattn.casefile.case_file import parse_case, read_case
from symattn.plans.derive import shapes
from symattn.plans.gradient import Differentiable, Forward, gradient_of, shares
from symattn.plans.operation import Operation
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows

PLAIN = """
[given]
Q = [[1], [2]]
K = [[1], [3]]
V = [[1], [0]]
dZ = [[1], [2]]
[attention]
"""
RARE = (
    'normaliser = "relu"',
    'normaliser = "sparsemax"',
    'normaliser = "sigmoid"',
    "top_k = 1",
    'kernel = "relu"\nmask = "causal"',
)
"""Settings that shipped cases have without gradients, and random ones seldom."""


@cache
def cases() -> tuple[Case, ...]:
    """The shipped cases, those of `RARE` settings, and 60 random cases that are not refused."""
    draw = Random(1)
    combinations = (each for each in iter(lambda: drawn(draw), None) if refusal(each) is None)
    return (
        *map(read_case, CASES),
        *(parse_case(PLAIN + settings) for settings in RARE),
        *(parse_case(toml(case_of(next(combinations), draw))) for _ in range(60)),
    )


@cache
def planned() -> frozenset[type[Operation]]:
    """The operations of all these plans."""
    return frozenset(type(on_rows(line.op)) for case in cases() for line in attention(case))


def differentiated() -> Iterator[tuple[Line, Forward]]:
    """Each line that a backward pass can go back through, with the forward computation around it."""
    for case in map(in_rows, cases()):
        direct = replace(case, settings=replace(case.settings, evaluation="direct"))
        plan, given = runnable(forward(direct), case.given), values(case)
        around = Forward({line.name: line for line in plan}, shapes(plan, given))
        yield from ((line, around) for line in plan if isinstance(line.op, Differentiable))


def without_gradient(line: Line, around: Forward) -> list[str]:
    """The arguments of a line that its gradient does not reach.

    It reaches one that has a share, and one that was made of such arguments alone, which it goes past: the
    exponentials of a softmax. A constant, made of nothing, needs none, and X of X + PE has that of the sum.
    """
    reached = {share.of for share in shares(line, around)}

    def reaches(name: str) -> bool:
        if name in reached or gradient_of(name) == gradient_of(line.name):
            return True
        return name in around.lines and all(map(reaches, around.lines[name].args))

    return [name for name in line.args if not reaches(name)]
