"""Whole computations as an honest author prints them: each step from the rounded numbers before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from symattn.attention.case import Case, Claim
from symattn.attention.recipes.attention import attention, values
from symattn.casefile.case_file import parse_case
from symattn.floats.from_exact import matrix_to_floats
from symattn.plans.plan import base_name

Floats = NDArray[np.float64]

SETTINGS: Mapping[str, str] = {
    "rope": 'positions = "rope"',
    "rope-half": 'positions = "rope"\npairs = "half"\nrotary = 2',
    "unit": 'qk_norm = "unit"',
    "rms": 'qk_norm = "rms"',
    "softcap": 'softcap = "5"',
    "alibi": 'positions = "alibi"\nslopes = ["1/3"]',
    "relative": 'positions = "relative"',
    "sink": "",
    "gelu": 'layer = "post-norm"\nactivation = "gelu"',
    "pre-norm": 'layer = "pre-norm"\nnorm = "rms"\nepsilon = "0.01"',
    "sparsemax": 'normaliser = "sparsemax"',
    "relu": 'normaliser = "relu"',
    "temperature": 'temperature = "3"',
    "linear": 'kernel = "relu"',
    "online": 'evaluation = "online"\nblock = 2',
    "backward": 'loss = "squared"',
    "backward-rope": 'loss = "cross-entropy"\npositions = "rope"',
    "backward-softcap": 'loss = "squared"\nsoftcap = "5"',
    "backward-unit": 'loss = "squared"\nqk_norm = "unit"',
    "columns": 'positions = "rope"\ntokens_as = "columns"\nqk_norm = "rms"',
}
"""What is under `[attention]`, by a name."""


def drawn(name: str, rng: Random) -> Case:
    """A case with these settings: three tokens of width four, entries with two decimals."""

    def matrix(n: int, m: int) -> list[list[str]]:
        return [[f"{rng.uniform(-1.5, 1.5):.2f}" for _ in range(m)] for _ in range(n)]

    settings = SETTINGS[name]
    given = {"X": matrix(3, 4), **{key: matrix(4, 4) for key in ("W_Q", "W_K", "W_V")}}
    if "layer" in settings:
        given |= {"W_1": matrix(4, 6), "W_2": matrix(6, 4)}
    if "loss" in settings:
        given["target"] = [["1", "0", "0", "0"]] * 3 if "cross" in settings else matrix(3, 4)
    if "relative" in settings:
        given["relative"] = matrix(1, 5)
    if name == "sink":
        given["sink"] = matrix(1, 1)
    if "columns" in settings:
        given["X"] = [list(row) for row in zip(*given["X"], strict=True)]
    rows = "\n".join(f"{key} = {value}" for key, value in given.items()).replace("'", '"')
    return parse_case(f'title = "drawn"\n[given]\n{rows}\n[attention]\n{settings}\n')


def printed(
    case: Case,
    places: int,
    kept: int = 0,
    omitted: Collection[str] = (),
    slip: tuple[str, int, int] | None = None,
) -> Case:
    """The case with every step stated, to so many decimals; `slip` is an entry that is 37 units off.

    The author goes on with `kept` decimals more than are printed, and omits some steps, and all those with
    hidden scores.
    """
    known = {name: matrix_to_floats(matrix) for name, matrix in values(case).items()}
    claims = []
    for line in attention(case):
        result = np.array(line.op.floats(*(known[name] for name in line.args)))
        if slip is not None and slip[0] == line.name:
            result[slip[1:]] += 37 / 10**places
        known[line.name] = np.array(rounded(result, places + kept), dtype=np.float64)
        if line.name not in omitted and np.all(np.isfinite(result)):
            claims.append(Claim(line.name, rounded(result, places), 0, 0, None))
    return replace(case, stated=tuple(claims))


def rounded(matrix: Floats, places: int) -> tuple[tuple[str, ...], ...]:
    """The entries with so many decimals."""
    return tuple(tuple(f"{a + 0.0:.{places}f}" for a in row) for row in matrix.tolist())


def entries(case: Case) -> list[tuple[str, int, int]]:
    """The entries of what was stated, but for the loss and what is only passed on."""
    return [
        (claim.name, i, j)
        for claim in case.stated
        for i, row in enumerate(claim.values)
        for j in range(len(row))
        if base_name(claim.name) != "loss"
    ]
