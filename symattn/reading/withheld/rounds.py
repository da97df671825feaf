"""Audit, take out what is probably of something else, and audit the rest anew, until nothing more is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from symattn.auditor.audit import Audit
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import Report, Unread
from symattn.case import Case, Claim
from symattn.reading.withheld.company import among_others
from symattn.reading.withheld.lists import finer, misplaced, told_elsewhere
from symattn.reading.withheld.misfits import (
    above_its_inputs,
    of_another_root,
    of_another_size,
    of_other_inputs,
)
from symattn.reading.withheld.prints import of_a_count, of_another_example, of_another_row
from symattn.reading.withheld.quantities import (
    behind_a_mask,
    of_another_input,
    of_another_walk,
    of_no_walk,
    off_by_a_bias,
)
from symattn.reading.withheld.rivals import of_a_variant
from symattn.reading.withheld.rounded import loosened
from symattn.reading.withheld.sources import of_unread_steps
from symattn.reading.withheld.surroundings import Surroundings

Rule: TypeAlias = Callable[[Report, Surroundings], tuple[Claim, ...]]

ELSEWHERE = "the text around says that these numbers are of something else"
ANOTHER = "most of these numbers were printed otherwise before, so they are probably of another example"
ROUNDED = "these numbers are right where a step that was not read was rounded"
RULES: MappingProxyType[Rule, str] = MappingProxyType(
    {
        told_elsewhere: ELSEWHERE,
        of_another_row: "these numbers were printed otherwise before, and are those of another row",
        misplaced: "none of these numbers is right, and what is printed elsewhere speaks against them",
        finer: "these numbers have more decimals than what they would be a copy of",
        of_another_example: ANOTHER,
        of_a_count: "a decimal was printed before, so this whole number probably counts something",
        of_unread_steps: "these numbers follow from numbers above them that were not read",
        of_another_walk: "most of these numbers follow from something that was not read",
        behind_a_mask: "these numbers follow a mask that is shown nowhere",
        of_another_input: "most numbers of several projections follow from an input that was not read",
        off_by_a_bias: "these numbers are off by the same in every row, as by a bias that was not read",
        of_another_size: "there are more numbers than entries, so they are probably of something else",
        above_its_inputs: "these numbers stand above an input of theirs, which is of something else",
        of_another_root: "this root is right, and of another number than the length of the keys",
        of_other_inputs: "these numbers begin an example with other inputs",
        of_a_variant: "the right numbers stand elsewhere, so these are probably those of a variant",
        among_others: "most numbers beside these are of something else",
        loosened: ROUNDED,
        of_no_walk: "no number of this example is right, so its letters probably mean something else",
    }
)
"""Which claims are withheld, and why; a rule is asked where those before it find nothing."""


def audited(case: Case, around: Surroundings) -> tuple[Report, list[Unread]]:
    """The report on a case, and the claims that are withheld from it since they may be something else.

    Raises SymattnError for a case that cannot be walked.
    """
    withheld = list[Unread]()
    while True:
        audit = Audit.of(case)
        report = audit.report()
        found = next(_found(report, replace(around, rounded=audit.rounded, withheld=tuple(withheld))), None)
        if found is None:
            return report, withheld
        claims, why = found
        withheld += _unread(claims, why)
        case = replace(case, stated=tuple(claim for claim in case.stated if claim not in claims))


def is_of_another(unread: Unread) -> bool:
    """Whether a number was withheld as one of another example, of which nothing else is known."""
    return unread.why == ANOTHER


def _found(report: Report, around: Surroundings) -> Iterator[tuple[tuple[Claim, ...], str]]:
    for rule, why in RULES.items():
        if claims := rule(report, around):
            yield claims, why


def _unread(claims: Collection[Claim], why: str) -> Iterator[Unread]:
    """The numbers of claims, as numbers without a verdict."""
    for claim in claims:
        for i, row in enumerate(claim.values):
            for j, text in enumerate(row):
                place = claim.places[i][j] if claim.places else claim.place
                yield Unread(text, Finding.CANNOT_BE_RECOMPUTED, why, claim.line, place)
