"""What was understood of a document: cases with claims, stray equations, and an account of every numeral."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from symattn.auditor.findings.codes import Finding
from symattn.bilingual import Bilingual
from symattn.case import Case, Place
from symattn.immutable import immutable
from symattn.reading.kinds import Kind


@immutable(frozen=True, slots=True)
class Equation:
    """A printed number beside its working, outside every pipeline: `exp(2.1)` and `8.17`.

    `work` is in the expression language of a case. `rounded` lists the numerals of the working that the
    document itself printed as results, so that they may stand for more digits. `place` is the number's;
    `work_places` says where the operands of the working stand, in their order. `formula` is the offset of the
    formula of names that the working was made from, where the document prints no working of numbers.
    """

    work: str
    printed: str
    relation: str
    place: Place
    rounded: frozenset[str] = frozenset()
    work_places: tuple[Place, ...] = ()
    formula: int | None = None


@immutable(frozen=True, slots=True)
class Unread:
    """A numeral that got no link; `why` says the reason."""

    text: str
    code: Finding
    why: Bilingual
    place: Place


@immutable(frozen=True, slots=True)
class NotComputed:
    """A numeral that claims no result: an input, a numbering, a size, a numeral inside a working.

    `again` is the place of the claimed number that a numeral inside a working says again, if it does.
    """

    text: str
    why: Literal["input", "working", "numbering", "size", "words", "index"]
    place: Place
    again: Place | None = None


@immutable(frozen=True, slots=True)
class Convention:
    """A convention that the reading rests on.

    `declared` is what the text says (None where it says nothing), `inferred` whether it was settled by
    which reading explains most printed numbers; `explains` and `of` count them. `given` is set where an
    option said it, which wins over both; `contradicted` counts the numbers that tell and do not follow what
    the text declares, where the numbers follow another convention.
    """

    key: str  # of `[attention]` in a case, or first_index
    value: str
    declared: str | None = None
    inferred: bool = False
    explains: int = 0
    of: int = 0
    given: bool = False
    contradicted: int = 0


@immutable(frozen=True, slots=True)
class Reading:
    """Everything that was understood of one document, and what was not.

    `cases` hold the walks with their claims; their places are those of the document. Every numeral of
    the text is in exactly one of: a claim, an equation, `unread`, `not_computed`. `otherwise` holds equations
    of claimed numbers, for a claim that turns out to be in doubt; `lists` says where the lists and matrices
    begin of which no number could be read, `elsewhere` where the numerals stand of which the text says that
    they are of something else, `disowned` those of which it says that they are wrong. Of a document whose
    chapters work an example each `chapters` are the readings of these.
    """

    cases: tuple[Case, ...]
    equations: tuple[Equation, ...] = ()
    unread: tuple[Unread, ...] = ()
    not_computed: tuple[NotComputed, ...] = ()
    conventions: tuple[tuple[Convention, ...], ...] = ()
    file: str | None = None
    kind: Kind = "markdown"
    otherwise: tuple[Equation, ...] = ()
    lists: tuple[Place, ...] = ()
    elsewhere: frozenset[Place] = frozenset()
    disowned: frozenset[Place] = frozenset()
    chapters: tuple[Reading, ...] = ()

    @classmethod
    def joined(cls, chapters: Sequence[Reading]) -> Reading:
        """The reading of a document by those of its chapters, in their order."""
        if len(chapters) == 1:
            return chapters[0]
        return cls(
            tuple(chain.from_iterable(each.cases for each in chapters)),
            tuple(chain.from_iterable(each.equations for each in chapters)),
            tuple(chain.from_iterable(each.unread for each in chapters)),
            tuple(chain.from_iterable(each.not_computed for each in chapters)),
            tuple(chain.from_iterable(each.conventions for each in chapters)),
            chapters[0].file,
            chapters[0].kind,
            tuple(chain.from_iterable(each.otherwise for each in chapters)),
            tuple(chain.from_iterable(each.lists for each in chapters)),
            frozenset(chain.from_iterable(each.elsewhere for each in chapters)),
            frozenset(chain.from_iterable(each.disowned for each in chapters)),
            tuple(chapters),
        )

    @property
    def printed(self) -> int:
        """The numerals taken for computed results: linked, checked on their own, or unread."""
        return self.linked + len(self.equations) + len(self.unread)

    @property
    def linked(self) -> int:
        """The numerals that are claims about a quantity of a walk."""
        return sum(len(row) for case in self.cases for claim in case.stated for row in claim.values)

    @property
    def numerals(self) -> int:
        """Every numeral of the document."""
        return self.printed + len(self.not_computed)

    def texts(self) -> Iterator[str]:
        """The characters of every linked number, in the order of the claims."""
        return (text for case in self.cases for claim in case.stated for row in claim.values for text in row)
