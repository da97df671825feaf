"""Conventions that a text leaves open, settled by the reading that explains most of its printed numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symattn.case import Case, Given, Settings
from symattn.derive import derive
from symattn.errors import SymattnError
from symattn.exact.decimal import Undecided
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.matrix import Matrix
from symattn.plan import base_name
from symattn.reading.notes.context import Context
from symattn.reading.notes.ledger import Print, value
from symattn.reading.notes.result import Convention
from symattn.recipes.attention import attention
from symattn.recipes.attention import values as matrices

LARGEST = 64
"""Sides beyond which no walk is made just to choose a convention."""


def inferred(
    given: Mapping[str, Given],
    prints: Sequence[Print],
    context: Context,
    d_k: int | None = None,
    heads: int = 1,
) -> tuple[Settings, tuple[Convention, ...]]:
    """The settings of a case, and what they rest on."""
    weights, first = _weights(given, prints, heads)
    square = {name: given[name].shape[0] for name in ("X", "Q", "K", "V") if name in given}
    masked = context.causal and len(set(square.values())) == 1
    settings = Settings(weights=weights, mask="causal" if masked else "none", heads=heads)
    settings, second = _scale(given, prints, settings, context)
    if not given.keys() & {"Q", "K", "W_Q", "W_K"} and "sqrt(d_k)" in settings.scale:
        settings = replace(settings, scale=f"1/sqrt({d_k})" if d_k else "1")
    third = Convention("heads", str(heads), inferred=True) if heads > 1 else None
    return settings, tuple(convention for convention in (first, second, third) if convention is not None)


def _weights(
    given: Mapping[str, Given], prints: Sequence[Print], heads: int
) -> tuple[str, Convention | None]:
    pairs = [(given["X"].shape, given[w].shape) for w in ("W_Q", "W_K", "W_V") if w in given and "X" in given]
    if not pairs:
        return "right", None
    right = all(x[1] == w[0] for x, w in pairs)
    turned = all(x[1] == w[1] for x, w in pairs)
    if right != turned:
        value = "right" if right else "transposed"
        return value, Convention("weights", value, inferred=value != "right")
    scores = {
        way: explained(given, prints, Settings(weights=way, heads=heads), ("Q", "K", "V", "scores"))
        for way in ("right", "transposed")
    }
    best = "transposed" if scores["transposed"][0] > scores["right"][0] else "right"
    return best, Convention("weights", best, inferred=True, explains=scores[best][0], of=scores[best][1])


def _scale(
    given: Mapping[str, Given], prints: Sequence[Print], settings: Settings, context: Context
) -> tuple[Settings, Convention | None]:
    declared = context.declares_scale()
    printed = any(base_name(made.name) in ("scaled", "sqrt(d_k)") for made in prints)
    if declared is not None or printed:
        told = declared if declared is not None and not (printed and declared == "1") else "1/sqrt(d_k)"
        return replace(settings, scale=told), Convention("scale", told, declared)
    if not any(base_name(made.name) in ("A", "exp", "sum", "Z") for made in prints):
        return settings, None
    usual = explained(given, prints, settings, ("exp", "sum", "A", "Z"))
    bare = explained(given, prints, replace(settings, scale="1"), ("exp", "sum", "A", "Z"))
    told, (count, of) = ("1", bare) if bare[0] > usual[0] else ("1/sqrt(d_k)", usual)
    return replace(settings, scale=told), Convention("scale", told, None, True, count, of)


def explained(
    given: Mapping[str, Given], prints: Sequence[Print], settings: Settings, names: Sequence[str]
) -> tuple[int, int]:
    """How many of the printed numbers of these quantities the exact walk explains, and of how many."""
    asked = [made for made in prints if base_name(made.name) in names and made.key is None]
    if any(max(matrix.shape) > LARGEST for matrix in given.values()) or not asked:
        return 0, len(asked)
    case = Case("", given, settings=settings)
    try:
        walked = derive(attention(case), matrices(case))
    except SymattnError:
        return 0, len(asked)
    return sum(_close(made, walked.values.get(made.name)) for made in asked), len(asked)


def _close(made: Print, matrix: Matrix | None) -> bool:
    q = value(made.num)
    if matrix is None or q is None or made.row >= matrix.shape[0] or made.col >= matrix.shape[1]:
        return False
    try:
        near = float(enclose(matrix[made.row, made.col], 64).mid())
    except (HasSymbols, Undecided, SymattnError, ValueError, OverflowError):
        return False
    _, _, decimals = made.num.text.rstrip("%").partition(".")
    unit = 10.0 ** -(len(decimals) + 2 * made.num.text.endswith("%"))
    return (
        abs(near - float(q)) <= 1.01 * unit
        if decimals or made.num.text.endswith("%")
        else abs(near - float(q)) < 0.51
    )
