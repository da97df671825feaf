"""Marks with follow-through: what is computed rightly from an earlier mistake has full points.

The auditor judges; its verdict `carried` says just that, and its causes name the slips.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Case, Claim
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.attention import attention, values
from symattn.auditor.audit import audit
from symattn.auditor.known_names import with_known_names
from symattn.auditor.numeral import read_numeral
from symattn.auditor.report import Judgement
from symattn.classroom.answers import Answer
from symattn.classroom.feedback import feedback
from symattn.classroom.written_answers import Entry
from symattn.narrate.why import spoken
from symattn.plans.derive import Derivation, derive
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven, SymattnError

PLACES = 2
"""A number with fewer decimals is taken for exact: 1 is no rounded 0.9."""
Outcome = Literal["right", "carried", "slip", "missing", "unread", "undecided"]
"""What came of one number: `carried` follows rightly from a mistake before it."""


class Asked(Struct, frozen=True):
    """A blank: entries of one quantity, which pages call `label`, and what they are worth together."""

    name: str
    label: str
    entries: tuple[Entry, ...]
    points: int


class Key(Struct, frozen=True):
    """What answers are marked by: a case, its derivation, and its blanks in order."""

    case: Case
    derivation: Derivation
    blanks: tuple[Asked, ...]

    @property
    def points(self) -> int:
        """The most that can be had."""
        return sum(each.points for each in self.blanks)


class Blank(Struct, frozen=True):
    """How a blank was filled in: the points, and how many numbers came out how."""

    asked: Asked
    points: Fraction
    outcomes: Mapping[Outcome, int]


class Mark(Struct, frozen=True):
    """The mark of a student; `problem` says why nothing could be marked."""

    student: str
    points: Fraction
    of: int = 0
    blanks: tuple[Blank, ...] = ()
    feedback: tuple[Bilingual, ...] = ()
    problem: Bilingual | None = None


def key_of(case: Case) -> Key:
    """The key that a case is: its `[[stated]]` tables are the blanks, or else every step that pages show.

    Raises MissingGiven where the case computes nothing.
    """
    derivation = derive(attention(case), values(case))
    sizes = {line.name: derivation[line.name].shape for line in derivation}
    stated = with_known_names(case, [name for name, _ in derivation.items()]).stated
    asked = _stated(stated, sizes) or {
        name: (_entries(name, *shape), shape[0] * shape[1]) for name, shape in sizes.items() if _shown(name)
    }
    blanks = tuple(
        Asked(name, spoken(derivation, name), entries, points) for name, (entries, points) in asked.items()
    )
    if not blanks:
        raise MissingGiven(
            Bilingual("the case computes no result that could be marked", "这个算例没有可评分的结果")
        ).at(file=case.file)
    settled = replace(
        case.settings, undeclared="both"
    )  # no answer overrules the scale or the base of the key
    return Key(replace(case, settings=settled, stated=(), statements=()), derivation, blanks)


def _stated(
    stated: Sequence[Claim], sizes: Mapping[str, tuple[int, int]]
) -> dict[str, tuple[tuple[Entry, ...], int]]:
    """The entries that are stated of each quantity, whatever the numbers are, and their points."""
    found: dict[str, tuple[tuple[Entry, ...], int]] = {}
    for claim in stated:
        n, m = sizes.get(claim.name, (0, 0))
        before, points = found.get(claim.name, ((), 0))
        block = [
            (claim.name, claim.row + i, claim.col + j)
            for i, row in enumerate(claim.values)
            for j in range(len(row))
        ]
        new = tuple(at for at in block if at[1] < n and at[2] < m and at not in before)
        if new and claim.key is None:
            worth = len(new) if claim.points is None else claim.points
            found[claim.name] = (*before, *new), points + worth
    return found


def _shown(name: str) -> bool:
    """Whether pages have the matrix as a step: the parts of a softmax belong to its weights."""
    quantity = QUANTITIES.of(name)
    parts = quantity is not None and quantity.worked in ("softmax", "mask")
    return not parts or base_name(name) == "A"


def _entries(name: str, n: int, m: int) -> tuple[Entry, ...]:
    return tuple((name, i, j) for i in range(n) for j in range(m))


def failed(student: str, problem: Bilingual) -> Mark:
    """The mark of an answer that cannot be marked."""
    return Mark(student, Fraction(0), problem=problem)


def mark(key: Key, answer: Answer) -> Mark:
    """The mark of an answer."""
    if answer.problem is not None:
        return failed(answer.student, answer.problem)
    read: dict[Entry, str] = {}
    unread: dict[Entry, Bilingual] = {}
    for at, text in answer.numbers.items():
        try:
            read[at] = _as_printed(text)
        except SymattnError as error:
            unread[at] = error.reason
    report = audit(replace(key.case, stated=tuple(_claims(key, read)))) if read else None
    judged = {each.printed.at[:3]: each for each in report.judgements} if report else {}
    blanks = tuple(_blank(asked, judged, unread) for asked in key.blanks)
    points = sum((each.points for each in blanks), Fraction(0))
    said = feedback(key.derivation, answer, unread, report)
    return Mark(answer.student, points, key.points, blanks, said)


def _as_printed(text: str) -> str:
    """A number as it is judged: what shows too few decimals to be rounded as an exact quotient.

    Raises SymattnError for what is no number.
    """
    numeral = read_numeral(text)
    if numeral.exact or numeral.closed or numeral.places >= PLACES:
        return text
    return f"{numeral.value.p}/{numeral.value.q}"


def _claims(key: Key, read: Mapping[Entry, str]) -> Iterator[Claim]:
    """The numbers in the order of the computation, whole matrices where they are whole."""
    for name in dict.fromkeys([line.name for line in key.derivation]):
        n, m = key.derivation[name].shape
        every = _entries(name, n, m)
        if all(at in read for at in every):
            yield Claim(name, tuple(tuple(read[name, i, j] for j in range(m)) for i in range(n)))
        else:
            yield from (Claim(name, ((read[at],),), at[1], at[2]) for at in every if at in read)


def _blank(asked: Asked, judged: Mapping[Entry, Judgement], unread: Mapping[Entry, Bilingual]) -> Blank:
    found = [_outcome(judged.get(at), at in unread) for at in asked.entries]
    right = sum(each in ("right", "carried") for each in found)
    outcomes = {each: found.count(each) for each in dict.fromkeys(found)}
    return Blank(asked, Fraction(asked.points * right, len(found)), outcomes)


def _outcome(judged: Judgement | None, unread: bool) -> Outcome:
    match judged.verdict if judged is not None else None:
        case "correct" | "rounding":
            return "right"
        case "carried":
            return "carried"
        case "slip" | "undecided" as verdict:
            return verdict
    return "unread" if unread else "missing"
