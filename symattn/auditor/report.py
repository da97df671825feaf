"""What the auditor found, as immutable values. Formats only read a `Report`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.attention.case import Case, Place
from symattn.auditor.findings.codes import Finding
from symattn.auditor.numeral import Numeral
from symattn.auditor.objects import PrintedObject
from symattn.exact.number import Exact
from symattn.plans.derive import Derivation, Values
from symattn.text.bilingual import Bilingual

Verdict = Literal["correct", "rounding", "carried", "slip", "undecided", "shape", "claim"]
VERDICTS: tuple[Verdict, ...] = ("correct", "rounding", "carried", "slip", "undecided", "shape", "claim")
WRONG: tuple[Verdict, ...] = ("slip", "carried")

OPERAND = "operand"
"""The note on a number of a working that says again what was printed before; a case does not hold it."""
ADJUSTED = "adjusted"
"""The note on a weight that was moved by a unit, so that its printed row adds up to 1."""
EQUATION = "="
"""The name of a number beside its working that belongs to no quantity of an evaluation."""


class Printed(Struct, frozen=True, gc=False):
    """One printed number and the entry of the evaluation that it claims to be; indices count from 0.

    `key` is set for one summand of a weighted sum, A[row][key] V[key][col]. `first` is the index of the
    number that this one prints again, if it does.
    """

    index: int
    name: str
    row: int
    col: int
    numeral: Numeral
    key: int | None = None
    work: str | None = None
    example: bool = False
    source_line: int | None = None
    place: Place | None = None
    first: int | None = None
    work_places: tuple[Place, ...] = ()

    def transposed(self) -> Printed:
        """The number as an entry of the transpose."""
        return replace(self, row=self.col, col=self.row)

    @property
    def at(self) -> tuple[str, int, int, int | None]:
        """The entry that is claimed."""
        return self.name, self.row, self.col, self.key


class Cause(Struct, frozen=True):
    """Why a group of numbers went wrong: a named slip that reproduces them and that chance does not.

    `slip` is the code of the mistake (`key-not-transposed`), `because` says it in words, after
    "you have ..." in English. `name` is the step in which it was made; `numbers` are the indices of
    the printed numbers that it explains. `rivals` holds other slips that explain them as well ("A or B");
    `certain` is False for "possibly".
    """

    slip: str
    because: Bilingual
    name: str
    scope: Literal["matrix", "row", "column", "cell"]
    numbers: tuple[int, ...]
    certain: bool = True
    rivals: tuple[tuple[str, Bilingual], ...] = ()


class Judgement(Struct, frozen=True, gc=False):
    """The verdict on one printed number.

    `code` is its finding code (see `symattn.auditor.catalogue`), None where there is nothing to report.
    `exact` is the value g from the givens; `expected` is what should have been printed: g at the printed
    precision; `local` is the step's value from the printed numbers before it, at the printed precision;
    `ulps` is the distance from the expected one in units of the last place. `root` is the index of the
    printed slip that a carried number goes back to. `note` holds the reason where one is owed
    (a tie, truncation, hidden digits, right value but wrong working). `suppressed` is the reason that a
    comment of the document gives for keeping the finding quiet; its code is None then. `misprint` is the
    operand of its working that is wrong instead of it: which one, and what should stand there. `strength`
    are the bits that speak for the reading of a document that it rests on, None in a case.
    """

    printed: Printed
    verdict: Verdict
    code: Finding | None = None
    exact: Exact | None = None
    expected: str | None = None
    local: str | None = None
    ulps: int | None = None
    root: int | None = None
    cause: Cause | None = None
    note: str = ""
    fix: Literal["safe", "unsafe"] | None = None
    suppressed: str | None = None
    misprint: tuple[int, str] | None = None
    strength: float | None = None


class Remark(Struct, frozen=True):
    """A finding that is not about a single number: a shape, a convention, a false statement.

    `values` are put into the catalogue's message for `code`; `numbers` are the printed numbers concerned.
    With `columns` it is about columns, whatever it says of rows: `row` counts columns. `fix` says whether
    the numbers, or the words of a sentence, can be written anew: `instead` has where, what, and what for it.
    """

    code: Finding
    verdict: Verdict
    values: Mapping[str, str]
    name: str | None = None
    row: int | None = None
    numbers: tuple[int, ...] = ()
    source_line: int | None = None
    place: Place | None = None
    columns: bool = False
    fix: Literal["unsafe"] | None = None
    instead: tuple[tuple[Place, str, str], ...] = ()


class Unread(Struct, frozen=True):
    """A numeral that got no verdict, and why."""

    text: str
    code: Finding
    why: Bilingual
    source_line: int | None = None
    place: Place | None = None


class Report(Struct, frozen=True):
    """Everything found in one case or document.

    `derivation` is the exact evaluation, under the conventions that were used after inference. `text` is what
    was audited, None for a case that was not read from a text; `document` says that these are notes, the
    lines of which are shown with the findings. `suppressed` counts findings that comments keep quiet, those
    on numbers and others. `declared` is the report by what the source
    declares, where its numbers follow another convention: what it would have printed. `seen` holds every
    quantity as a reader of the source has it, with the printed numbers in place of the computed ones.
    `objects` says how a document was read, where that was asked for.
    `withheld` are judgements that not every good reading of the document makes: their numbers are unread, and
    fixes go on to them.
    """

    case: Case
    derivation: Derivation
    judgements: tuple[Judgement, ...]
    remarks: tuple[Remark, ...] = ()
    causes: tuple[Cause, ...] = ()
    unread: tuple[Unread, ...] = ()
    text: str | None = None
    document: bool = False
    suppressed: int = 0
    declared: Report | None = None
    seen: Values = field(default_factory=dict)
    withheld: tuple[Judgement, ...] = ()
    objects: tuple[PrintedObject, ...] = ()

    @property
    def printed(self) -> int:
        """Every numeral taken for a computed result."""
        return len(self.judgements) + len(self.unread)

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of judgements (and of remarks, for shape and claim) of each verdict.

        Where comments keep findings quiet, these are counted as `suppressed` and under no verdict.
        """
        found = Counter(judged.verdict for judged in self.judgements if judged.suppressed is None)
        found.update(remark.verdict for remark in self.remarks if remark.verdict in ("shape", "claim"))
        counts: dict[str, int] = {verdict: found.get(verdict, 0) for verdict in VERDICTS}
        return counts | {"suppressed": self.suppressed} if self.suppressed else counts

    def doubts(self) -> Iterator[Judgement]:
        """The numbers that only some readings of a document call wrong."""
        yield from (one for one in self.withheld if one.verdict in WRONG)

    def findings(self) -> Iterator[Judgement | Remark]:
        """Everything with a code: the numbers in the order of the source, then the remarks."""
        yield from (judgement for judgement in self.judgements if judgement.code is not None)
        yield from self.remarks
