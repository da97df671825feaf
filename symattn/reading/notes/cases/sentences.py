"""The sentences of a document as statements of its cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.case import Case, Place, Statement, Word
from symattn.derive import shapes
from symattn.errors import SymattnError
from symattn.exact.numeral import numeral_or_none
from symattn.reading.notes.cases.evidence import Evidence
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.statements import Weights, statements
from symattn.reading.notes.result import Convention
from symattn.recipes.attention import attention, values


def with_statements(case: Case, context: Context, lines: Iterable[int]) -> tuple[Case, frozenset[int]]:
    """A case with what these lines say in words, and the offsets of the sizes that they say.

    Weights that are given as printed were rounded, so nothing is said of their sums.
    """
    try:
        known = dict(shapes(attention(case), values(case)))
    except SymattnError:
        return case, frozenset()
    known |= {name: given.shape for name, given in case.given.items()}
    found = list(statements(context, lines, case.tokens, known, _weights(case)))
    said = (each for each, _ in found if each.kind != "sums-to-one" or each.name not in case.given)
    sizes = frozenset(at for _, offsets in found for at in offsets)
    return replace(case, statements=(*case.statements, *said)), sizes


def _weights(case: Case) -> Weights:
    """The columns of every printed weight, row by row; a weight that is printed again counts once."""
    weights: dict[int, dict[Fraction, list[int]]] = {}
    seen: set[tuple[int, int]] = set()
    for claim in case.stated:
        for i, row in enumerate(claim.values if claim.name == "A" else ()):
            for j, text in enumerate(row):
                at, q = (claim.row + i, claim.col + j), numeral_or_none(text)
                if at not in seen and q is not None:
                    seen.add(at)
                    weights.setdefault(at[0], {}).setdefault(q, []).append(at[1])
    return weights


def undefined(
    case: Case, conventions: Sequence[Convention], evidence: Evidence, context: Context
) -> tuple[Statement, ...]:
    """That the source writes a product X W which its shapes do not allow, for the auditor to report."""
    weights = next((each for each in conventions if each.key == "weights"), None)
    said = evidence.declared.get("weights")
    if weights is None or said is None or said.of not in case.given or said.value != "right":
        return ()
    if weights.given or weights.value == said.value or weights.contradicted:
        return ()
    rows, columns = case.given["X"].shape[0], case.given[said.of].shape[0]
    place, size = Place(*context.place(said.start)), (str(rows), str(columns))
    factors = tuple(_factor(context, factor) for factor in dict.fromkeys(said.factors))
    return (Statement("shape", f"X {said.of}", size, line=place.line, place=place, words=factors),)


def _factor(context: Context, at: range) -> Word:
    """The weights in a product, and how their transpose would be written there."""
    said, before = context.text[at.start : at.stop], context.text[: at.start].rstrip()
    form = "{}.T" if before.endswith("@") else "({})^T" if "^" in said else "{}^T"
    return Word(Place(*context.place(at.start)), said, form)
