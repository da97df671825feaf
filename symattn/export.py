"""A derivation as data: the JSON contract `symattn/derivation/1`, which only grows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from symattn.case import Case, Given
from symattn.crosscheck import CrossCheck
from symattn.derive import Derivation
from symattn.exact.decimal import Decimal, Undecided, rounded, significant
from symattn.exact.enclosure import HasSymbols
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.exact.plain import plain
from symattn.facts import Fact
from symattn.notation import named
from symattn.typeset.plain import plain_formula

SCHEMA = "symattn/derivation/1"


def derivation_data(
    case: Case,
    derivation: Derivation,
    facts: Sequence[Fact],
    check: CrossCheck | None,
    *,
    digits: int = 4,
    significant_digits: int | None = None,
    only: Collection[str] = (),
) -> dict[str, Any]:
    """The derivation as a dictionary of plain values, in the order of the contract.

    `exact` strings are read back by SymPy; `decimal` is correctly rounded, and null with free symbols.
    """

    def decimals(x: Exact) -> str | None:
        return decimal_digits(x, digits, significant_digits)

    data: dict[str, Any] = {
        "schema": SCHEMA,
        "title": case.title,
        "tokens": list(case.tokens),
        "conventions": conventions(case),
        "steps": [
            {
                "name": line.name,
                "formula": plain_formula(line.op.formula(*(named(name) for name in line.args))),
                "shape": list(derivation[line.name].shape),
                "exact": _table(derivation[line.name], plain),
                "decimal": _table(derivation[line.name], decimals),
            }
            for line in derivation
            if not only or line.name in only
        ],
        "facts": [_fact(fact) for fact in facts if not only or fact.name in only],
    }
    if case.memory_tokens:
        data["memory_tokens"] = list(case.memory_tokens)
    if check is not None:
        data["crosscheck"] = check_data(check)
    return data


def check_data(check: CrossCheck) -> dict[str, Any]:
    """The cross-check as plain values."""
    data: dict[str, Any] = {
        "backend": check.backend,
        "agrees": check.agrees,
        "steps": [{"name": s.name, "max_ulp": s.max_ulp, "agrees": s.agrees} for s in check.steps],
    }
    if check.symbols:
        data["symbols"] = dict(check.symbols)
    return data


def conventions(case: Case) -> Mapping[str, Any]:
    """The `[attention]` table in force, with defaults filled in."""
    settings = case.settings
    mask: Any = settings.mask
    if isinstance(mask, Given):
        mask = [list(row) for row in mask.typed]
    return {
        "weights": settings.weights,
        "scale": settings.scale,
        "mask": mask,
        "heads": settings.heads,
        "positions": settings.positions,
        "start": settings.start,
        "base": settings.base,
    }


def decimal_digits(x: Exact, digits: int, significant_digits: int | None) -> str | None:
    """The decimal of a number, or None where it has free symbols or its rounding is undecided."""
    if isinstance(x, Infinite):
        return "-inf"
    try:
        found: Decimal = rounded(x, digits) if significant_digits is None else significant(x, significant_digits)
    except (HasSymbols, Undecided):
        return None
    return found.digits


def _table(matrix: Matrix, how: Any) -> list[list[Any]]:
    return [[how(entry) for entry in row] for row in matrix.rows()]


def _fact(fact: Fact) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": fact.kind, "name": fact.name, "rows": list(fact.rows)}
    if fact.col is not None:
        data["col"] = fact.col
    if fact.value is not None:
        data["value"] = plain(fact.value)
    if fact.order:
        data["order"] = [list(group) for group in fact.order]
    data["decided"] = fact.decided
    return data
