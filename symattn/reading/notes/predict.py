"""Lists without a name, known by what they should be: the next step of the row that is being worked.

A list is tied to a step where most of its numbers are those of the step on the printed numbers before it,
so that what is wrong in it is one number among right ones. Floats decide only about the link, never
about a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from symattn.reading.notes.formula import Num
from symattn.reading.notes.ledger import value
from symattn.reading.notes.link import Linker

MOST_ROWS = 16
LARGEST_LOGIT = 500.0
SHARE = 0.6


def step_of(linker: Linker, nums: Sequence[Num], here: int | None) -> tuple[str, int] | None:
    """The quantity and the row that a list of numbers follows, the row of the context first."""
    rows = sorted(range(min(linker.ledger.shape("Q")[0] or 1, MOST_ROWS)), key=lambda row: row != here)
    for row in rows:
        for name, vector in _steps(linker, row):
            if len(vector) == len(nums) and (name, row) not in {(n, r) for n, r in _printed(linker, name)}:
                close = sum(_near(num, x) for num, x in zip(nums, vector, strict=True))
                if close >= 2 and close >= SHARE * len(nums) and _telling(nums, name):
                    return name, row
    return None


def sum_of(linker: Linker, num: Num, here: int | None) -> int | None:
    """The row whose printed exponentials add up to a number."""
    rows = sorted({row for row, _ in linker.ledger.first.get("exp", {})}, key=lambda row: row != here)[
        :MOST_ROWS
    ]
    for row in rows:
        vector = _row(linker, "exp", row)
        if vector and abs(sum(vector) - float(value(num) or 0)) <= 1.5 * _unit(num):
            return row
    return None


def _printed(linker: Linker, name: str) -> set[tuple[str, int]]:
    return {(name, row) for row, _ in linker.ledger.first.get(name, {})}


def _steps(linker: Linker, row: int) -> list[tuple[str, list[float]]]:
    """What the steps of a row should be, from the printed numbers of the step before."""
    steps: list[tuple[str, list[float]]] = []
    q, keys = _row(linker, "Q", row), _rows(linker, "K")
    if q and keys and all(len(k) == len(q) for k in keys):
        steps.append(("scores", [sum(a * b for a, b in zip(q, k, strict=True)) for k in keys]))
    scores = _row(linker, "scores", row) or (steps[0][1] if steps else [])
    d_k = linker.sizes.get("d_k") or linker.ledger.widths.get("K", 0) or linker.ledger.shape("W_K")[1]
    bare = linker.context.declares_scale() == "1"
    scaled = _row(linker, "scaled", row)
    if scores and d_k and not bare:
        steps.append(("scaled", [x / math.sqrt(d_k) for x in scores]))
    for logits in (scaled or (steps[-1][1] if steps and not bare else scores), scores):
        if logits and max(map(abs, logits)) < LARGEST_LOGIT:
            top = max(logits)
            hidden = len(logits) - row - 1 if linker.context.causal and len(keys) != 1 else 0
            exps = [math.exp(x) if k < len(logits) - hidden else 0.0 for k, x in enumerate(logits)]
            weights = [math.exp(x - top) * (k < len(logits) - hidden) for k, x in enumerate(logits)]
            steps.append(("exp", exps))
            steps.append(("A", [x / sum(weights) for x in weights]))
    weights, v = _row(linker, "A", row), _rows(linker, "V")
    if weights and v and len(v) == len(weights):
        steps.append(
            (
                "Z",
                [sum(a * b for a, b in zip(weights, column, strict=True)) for column in zip(*v, strict=True)],
            )
        )
    return steps


def _row(linker: Linker, name: str, row: int) -> list[float]:
    cells = linker.ledger.first.get(name, {})
    found = []
    for col in range(len(cells)):
        made = cells.get((row, col))
        if made is None:
            break
        found.append(float(value(made.num) or 0))
    return found


def _rows(linker: Linker, name: str) -> list[list[float]]:
    rows = [_row(linker, name, row) for row in range(min(linker.ledger.shape(name)[0], 64))]
    return rows if rows and rows[0] and all(len(row) == len(rows[0]) for row in rows) else []


def _unit(num: Num) -> float:
    _, _, decimals = num.text.rstrip("%").partition(".")
    return 10.0 ** -(len(decimals) + 2 * num.text.endswith("%"))


def _near(num: Num, x: float) -> bool:
    return abs(float(value(num) or 0) - x) <= (1.01 if "." in num.text else 0.5) * _unit(num)


def _telling(nums: Sequence[Num], name: str) -> bool:
    """Whether the numbers could hardly agree by chance: decimals, or three different integers of scores."""
    whole = len({num.text for num in nums}) > 2 and name not in ("exp", "A")
    return sum("." in num.text for num in nums) >= 2 or whole
