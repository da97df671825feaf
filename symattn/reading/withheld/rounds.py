"""Audit, take out what is probably of something else, and audit the rest anew, until nothing more is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from symattn.auditor.audit import Audit
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import Report, Unread
from symattn.bilingual import Bilingual
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

ELSEWHERE = Bilingual(
    "the text around says that these numbers are of something else", "上下文说明这些数另有所指"
)
ANOTHER = Bilingual(
    "most of these numbers were printed otherwise before, so they are probably of another example",
    "这些数大多与前面所印的不同，可能属于另一个例子",
)
ROUNDED = Bilingual(
    "these numbers are right where a step that was not read was rounded",
    "若未能读取的一步经过舍入，这些数就是对的",
)
RULES: MappingProxyType[Rule, Bilingual] = MappingProxyType(
    {
        told_elsewhere: ELSEWHERE,
        of_another_row: Bilingual(
            "these numbers were printed otherwise before, and are those of another row",
            "这些数与前面所印的不同，却正是另一行的数",
        ),
        misplaced: Bilingual(
            "none of these numbers is right, and what is printed elsewhere speaks against them",
            "这些数没有一个正确，而别处所印的数与它们不符",
        ),
        finer: Bilingual(
            "these numbers have more decimals than what they would be a copy of",
            "这些数的小数位比它们所抄的数还多",
        ),
        of_another_example: ANOTHER,
        of_a_count: Bilingual(
            "a decimal was printed before, so this whole number probably counts something",
            "前面印的是小数，这个整数大概只是编号",
        ),
        of_unread_steps: Bilingual(
            "these numbers follow from numbers above them that were not read", "这些数由上文未能读取的数得出"
        ),
        of_another_walk: Bilingual(
            "most of these numbers follow from something that was not read", "这些数大多由未能读取的内容得出"
        ),
        behind_a_mask: Bilingual(
            "these numbers follow a mask that is shown nowhere", "这些数取决于没有给出的掩码"
        ),
        of_another_input: Bilingual(
            "most numbers of several projections follow from an input that was not read",
            "几个投影的数大多由未能读取的输入得出",
        ),
        off_by_a_bias: Bilingual(
            "these numbers are off by the same in every row, as by a bias that was not read",
            "这些数在每一行都相差同样多，像是有未能读取的偏置",
        ),
        of_another_size: Bilingual(
            "there are more numbers than entries, so they are probably of something else",
            "数的个数多于该量的元素，大概另有所指",
        ),
        above_its_inputs: Bilingual(
            "these numbers stand above an input of theirs, which is of something else",
            "这些数位于其输入之前，该输入大概属于别处",
        ),
        of_another_root: Bilingual(
            "this root is right, and of another number than the length of the keys",
            "这个根号算得对，但并非键的长度的根",
        ),
        of_other_inputs: Bilingual(
            "these numbers begin an example with other inputs", "这些数是另一个例子的输入"
        ),
        of_a_variant: Bilingual(
            "the right numbers stand elsewhere, so these are probably those of a variant",
            "正确的数印在别处，这些大概属于另一种做法",
        ),
        among_others: Bilingual("most numbers beside these are of something else", "旁边的数大多另有所指"),
        loosened: ROUNDED,
        of_no_walk: Bilingual(
            "no number of this example is right, so its letters probably mean something else",
            "这个例子中没有一个数是对的，其中的字母可能另有所指",
        ),
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


def _found(report: Report, around: Surroundings) -> Iterator[tuple[tuple[Claim, ...], Bilingual]]:
    for rule, why in RULES.items():
        if claims := rule(report, around):
            yield claims, why


def _unread(claims: Collection[Claim], why: Bilingual) -> Iterator[Unread]:
    """The numbers of claims, as numbers without a verdict."""
    for claim in claims:
        for i, row in enumerate(claim.values):
            for j, text in enumerate(row):
                place = claim.places[i][j] if claim.places else claim.place
                yield Unread(text, Finding.CANNOT_BE_RECOMPUTED, why, claim.line, place)
