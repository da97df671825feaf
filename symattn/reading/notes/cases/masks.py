"""The masks and the padding that an example declares, or that what it prints as hidden suggests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from fractions import Fraction
from itertools import product
from typing import Any

from symattn.case import Given, Settings
from symattn.exact.matrix import Matrix
from symattn.plan import base_name
from symattn.reading.notes.cases.evidence import LARGEST, Evidence, Numbers
from symattn.reading.notes.linking.closeness import unit
from symattn.reading.notes.linking.ledger import value

MOST_SEEN = 3
"""Of how many hidden keys at least one may be given a weight by a slip."""


def mask_of(numbers: Numbers, evidence: Evidence) -> str:
    """`causal` where that is declared or printed, and queries and keys are equally many.

    It is printed where exactly the scores above the diagonal are minus infinity and no weight stands there,
    where exactly those weights are left out, the first row aside, or, in a text that speaks of a mask, where
    all that is hidden, left out or 0 of several rows of weights is that part of them.
    """
    rows = {numbers.given[name].shape[0] for name in ("X", "Q", "K", "V") if name in numbers.given}
    rows |= {
        side for name in ("scores", "scaled") if name in numbers.given for side in numbers.given[name].shape
    }
    if len(rows) != 1:
        return "none"
    later = {(i, j) for i, j in product(range(min(*rows, LARGEST)), repeat=2) if j > i}
    given = {(made.row, made.col) for made in numbers.asked(["A"]) if value(made.num)}
    seen = bool(given & later)
    cells = {(made.row, made.col) for made in numbers.asked(["A"])}
    first = {at for at in later if at[0] == 0 and (0, 0) not in cells}  # one weight, which needs no print
    many = min(rows) ** 2 - len(later)
    ragged = first != later and many - bool(first) == len(cells)
    ragged = ragged and cells | later | {(0, 0)} == set(product(range(min(rows)), repeat=2))
    ragged = ragged and later - first <= left_out(numbers) | _left_throughout(numbers)
    printed = bool(later) and evidence.hidden == later and _hides(evidence, given)
    zeros = {(made.row, made.col) for made in numbers.asked(["A"]) if value(made.num) == 0}
    gone = {at for at in later if at[0] in {row for row, _ in cells}}
    triangle = len({row for row, _ in gone}) > 1 and zeros | evidence.hidden == gone and not seen
    printed = printed or (triangle and evidence.said("masked") is not None)
    told = evidence.said("mask") == "causal" and not (seen and not evidence.hidden and _all_seen(numbers))
    return "causal" if told or printed or ragged else "none"


def _all_seen(numbers: Numbers) -> bool:
    """Whether every row of several whole ones gives weight to all keys, and the weights sum to 1."""
    rows: dict[int, list[Fraction]] = {}
    for made in numbers.asked(["A"]):
        if made.key is None:
            rows.setdefault(made.row, []).append(value(made.num) or Fraction(0))
    return len(rows) > 2 and all(min(row) > 0 and len(row) >= numbers.keys for row in rows.values())


def left_out(numbers: Numbers) -> frozenset[tuple[int, int]]:
    """The keys for which a row prints no weight although those that it prints are all of one whole.

    They are so but for their rounding, and a weight that is alone is not rounded. A key whose exponential is
    printed is not left out.
    """
    exps = [made for made in numbers.asked(["exp"]) if value(made.num)]
    seen = {(made.name.removesuffix("exp"), made.row, made.col) for made in exps}
    rows: dict[tuple[str, int], dict[int, Fraction]] = {}
    room: dict[tuple[str, int], Fraction] = {}
    for made in numbers.asked(["A"]):
        row = made.name, made.row
        rows.setdefault(row, {})[made.col] = value(made.num) or Fraction(0)
        room[row] = room.get(row, Fraction(0)) + Fraction(unit(made.num))
    return frozenset(
        (row, col)
        for (name, row), weights in rows.items()
        if len(weights) < numbers.keys <= LARGEST
        and abs(sum(weights.values(), Fraction(0)) - 1) <= (room[name, row] if len(weights) > 1 else 0)
        for col in range(numbers.keys)
        if col not in weights and (name.removesuffix("A"), row, col) not in seen
    )


def _left_throughout(numbers: Numbers) -> frozenset[tuple[int, int]]:
    """The keys that a row leaves out of its weights and of the scores that these are made of alike."""
    rows: dict[int, dict[str, set[int]]] = {}
    for made in numbers.asked(["scores", "scaled", "A"]):
        rows.setdefault(made.row, {}).setdefault(made.name, set()).add(made.col)
    return frozenset(
        (row, col)
        for row, cols in rows.items()
        if "A" in cols and len(cols) > 1 and all(other == cols["A"] for other in cols.values())
        for col in range(min(numbers.keys, LARGEST))
        if col not in cols["A"]
    )


def printed_mask(numbers: Numbers, evidence: Evidence) -> Mapping[str, Any]:
    """The mask that hides what is printed as hidden: a list where that is whole columns, else a matrix."""
    weights = {(made.row, made.col): value(made.num) for made in numbers.asked(["A"])}
    rows = {row for row, _ in (*evidence.hidden, *weights)} | {made.row for made in numbers.asked(["masked"])}
    keys = max(numbers.keys, *(col + 1 for _, col in (*evidence.hidden, *weights)), 0)
    said = "mask" in evidence.given or "padding" in evidence.given
    given = {at for at, weight in weights.items() if weight}
    if not evidence.hidden or said or not _hides(evidence, given) or keys > LARGEST:
        return {}
    columns = {col for _, col in evidence.hidden}
    if len(columns) * len(rows) == len(evidence.hidden):
        return {"padding": _bits([[col not in columns for col in range(keys)]])}
    return {
        "mask": _bits([[(i, j) not in evidence.hidden for j in range(keys)] for i in range(numbers.queries)])
    }


def _hides(evidence: Evidence, given: Set[tuple[int, int]]) -> bool:
    """Whether scores of minus infinity hide their keys, though weights are `given` to a few of these.

    Those are slips; many are weights of before the mask.
    """
    return MOST_SEEN * len(evidence.hidden & given) <= len(evidence.hidden)


def _bits(rows: Sequence[Sequence[bool]]) -> Given:
    """A matrix of 1 where a key is seen, and 0 where it is hidden."""
    typed = tuple(tuple("1" if seen else "0" for seen in row) for row in rows)
    return Given(typed, Matrix.rational([[int(seen) for seen in row] for row in rows]))


def unmasked(settings: Settings, evidence: Evidence) -> bool:
    """Whether it is open which keys are hidden: a causal mask is, where rows are left out."""
    if (
        evidence.said("mask") not in (None, "causal")
        or "mask" in evidence.given
        or "padding" in evidence.given
    ):
        return False
    return settings.mask == "none" and settings.padding is None


def masks_of_zeros(numbers: Numbers, evidence: Evidence) -> tuple[Mapping[str, Any], ...]:
    """The masks that hide exactly the keys whose weights are printed as 0, or scores as minus infinity."""
    weights = [made for made in numbers.prints if base_name(made.name) in ("exp", "A")]
    zeros = evidence.hidden | {(made.row, made.col) for made in weights if value(made.num) == 0}
    seen = {(made.row, made.col) for made in weights if value(made.num)}
    zeros -= seen - (evidence.hidden if _hides(evidence, seen) else set())  # small, and hidden by no mask
    if not zeros:
        return ()
    rows = {made.row for made in weights} | {row for row, _ in evidence.hidden}
    keys = max(col for _, col in zeros | {(made.row, made.col) for made in weights}) + 1
    columns = [col for col in range(keys) if all((row, col) in zeros for row in rows)]
    found: list[Mapping[str, Any]] = []
    if all(col > row for row, col in zeros):
        found.append({"mask": "causal"})
    if evidence.said("masked") and rows == set(range(len(rows))):
        found.append({"mask": _bits([[(i, j) not in zeros for j in range(keys)] for i in range(len(rows))])})
    if len(columns) * len(rows) == len(zeros):
        found.append({"padding": _bits([[col not in columns for col in range(keys)]])})
    return tuple(found)


def shown(mask: str | Given) -> str:
    """A mask in a sentence: its name, or its rows one after the other."""
    return mask if isinstance(mask, str) else " ".join(f"[{', '.join(row)}]" for row in mask.typed)
