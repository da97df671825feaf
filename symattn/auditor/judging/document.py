"""What a document says about the numerals of its equations that stand outside every evaluation.

A numeral that the document printed as a result, or that rounds a root, may stand for more digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import Protocol

from flint import fmpq
from msgspec import Struct

from symattn.attention.case import Place
from symattn.auditor.claims import ROOT
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.misprinted import Exchanged
from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.ranges.roots import stands_for_root
from symattn.auditor.ranges.working import evaluated, operands
from symattn.auditor.report import WRONG, Judgement, Report, Unread
from symattn.text.errors import SymattnError

ROOTED = re.compile(r"sqrt\(([0-9]{1,6})\)")


class Equation(Protocol):
    """A printed number beside its working, in the expression language of a case."""

    @property
    def work(self) -> str: ...
    @property
    def printed(self) -> str: ...
    @property
    def relation(self) -> str: ...
    @property
    def place(self) -> Place: ...
    @property
    def rounded(self) -> frozenset[str]:
        """The numerals of the working that the document printed as results."""
        ...

    @property
    def work_places(self) -> tuple[Place, ...]:
        """Where the operands of the working stand, in their order."""
        ...


class Document(Struct, frozen=True, dict=True):
    """What the rest of a document says about the numerals of its stray equations."""

    equations: Sequence[Equation]
    beside: Sequence[Report]

    @cached_property
    def truncates(self) -> bool:
        """Whether its worked examples cut their decimals off."""
        return any(
            remark.code == Finding.DOCUMENT_TRUNCATES for report in self.beside for remark in report.remarks
        )

    def cuts(self, found: Sequence[Judgement | Unread]) -> bool:
        """Whether a number in a worked example, or in an equation, is known to be cut off."""
        beside = (judged for report in self.beside for judged in report.judgements)
        here = (one for one in found if isinstance(one, Judgement))
        return any(judged.code == Finding.TRUNCATED for judged in (*beside, *here))

    @cached_property
    def inputs(self) -> Collection[fmpq]:
        """The numbers that the worked examples begin with."""
        matrices = [matrix for report in self.beside for matrix in report.derivation.given.values()]
        entries = [entry.rational for matrix in matrices for row in matrix.rows() for entry in row]
        return frozenset(q for q in entries if q is not None)

    @cached_property
    def _linked(self) -> frozenset[str]:
        """What the workings take from results of the document, without signs."""
        return frozenset(unsigned(text) for equation in self.equations for text in equation.rounded)

    @cached_property
    def used(self) -> Collection[str]:
        """What a result must not be changed alone for: the operands of equations, and what is linked."""
        shown = [operand.text for equation in self.equations for operand in operands(equation.work)]
        return self._linked | frozenset(map(unsigned, shown))

    def known_numbers(self) -> Iterator[str]:
        """The inputs of the evaluations, and their numbers that are right."""
        yield from (f"{float(q):g}" for q in self.inputs)
        for judged in (judged for report in self.beside for judged in report.judgements):
            if judged.verdict not in WRONG:
                yield judged.printed.numeral.text

    def wrong(self) -> frozenset[Place | str]:
        """Where wrong numbers of the evaluations stand, and those that nobody takes for others."""
        judged = [one.printed for report in self.beside for one in report.judgements if one.verdict in WRONG]
        texts = {unsigned(number.numeral.text) for number in judged if "." in number.numeral.text}
        return frozenset([*texts, *(number.place for number in judged if number.place is not None)])

    @cached_property
    def roots(self) -> Sequence[Numeral]:
        """The decimals printed for a root, in an equation of its own or as that of d_k."""
        numbers = [judgement.printed for report in self.beside for judgement in report.judgements]
        here = [
            numeral_of(equation.printed) for equation in self.equations if ROOTED.fullmatch(equation.work)
        ]
        linked = [number.numeral for number in numbers if number.name == ROOT]
        return (*linked, *(root for root in here if root is not None))

    def moving(self, rounded: Collection[str], *, held: bool = False) -> Callable[[str], bool]:
        """Which numerals of a working stand for more digits: those that were `rounded`, and rounded roots.

        With `held` no single one does.
        """
        loose = frozenset(map(unsigned, rounded))

        def moves(text: str) -> bool:
            operand = read_numeral(text)
            if held or operand.exact:
                return False
            return unsigned(text) in loose or stands_for_root(operand.value, operand.places)

        return moves

    def may_come_to(
        self, printed: str, work: str, rounded: Collection[str], exchanged: Sequence[Exchanged]
    ) -> Sequence[bool]:
        """Whether a working may come to what is printed with one operand after the other exchanged.

        That is found out roughly: no working is left out that is right by the rules.
        """
        if not exchanged:
            return []
        from symattn.auditor.ranges.rough import roughly  # which needs NumPy

        result, found = numeral_of(printed), evaluated(work)
        if result is None or found is None or (found.has_roots and self.roots):
            return [True] * len(exchanged)
        moves = self.moving(rounded)

        def ranges(text: str) -> tuple[fmpq, fmpq]:
            operand = read_numeral(text)
            return operand.preimage(self.truncates) if moves(text) else (operand.value, operand.value)

        loose = result.unit if result.places > 0 else fmpq(0)
        rough = roughly(found.node, [(one.at, one.text) for one in exchanged], ranges, loose)
        return rough.may_meet(result.value - result.unit, result.value + result.unit)


def numeral_of(text: str) -> Numeral | None:
    """The printed number of its characters, None where they are none."""
    try:
        return read_numeral(text)
    except SymattnError:
        return None


def unsigned(text: str) -> str:
    """The characters of a number without its sign."""
    return text.strip().lstrip("+-−")
