"""What a document says about the numerals of its equations that stand outside every evaluation.

A numeral that the document printed as a result, that rounds a root or that shows as many decimals as the
result and is no input may stand for more digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from flint import fmpq

from symattn.auditor.claims import ROOT
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.misprinted import Exchanged
from symattn.auditor.numeral import PERCENT, Numeral, read_numeral
from symattn.auditor.ranges.roots import LEAST_PLACES, stands_for_root
from symattn.auditor.ranges.working import evaluated, operands
from symattn.auditor.report import WRONG, Judgement, Report, Unread
from symattn.case import Place
from symattn.errors import SymattnError
from symattn.exact.number import Exact

_TOTAL = re.compile(r"\d+(?:\.\d+)?(?: ?\+ ?\d+(?:\.\d+)?){2,}")
"""A sum of three numbers or more, as that of exponentials: inputs are added in pairs."""
_WEIGHED = re.compile(r"(0\.\d+)\*\(?-?\d+(?:\.\d+)?\)?")
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

    @property
    def formula(self) -> int | None:
        """What tells the formulas of names apart that workings were made from; None for a printed working."""
        ...


@dataclass(frozen=True)
class Document:
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
    def rounded(self) -> Collection[str]:
        """Results as they were printed, without their sign."""
        return self._linked | frozenset(self._rounded_here())

    @cached_property
    def _linked(self) -> frozenset[str]:
        """The results of the evaluations beside the equations; those of one evaluation are one set."""
        linked = frozenset().union(*{equation.rounded for equation in self.equations})
        return frozenset(map(unsigned, linked))

    def _rounded_here(self) -> Iterator[str]:
        for equation in self.equations:
            numeral = numeral_of(equation.printed) if "." in equation.printed else None
            working = evaluated(equation.work) if numeral is not None else None
            if working is not None and numeral is not None and working.value != Exact.of(numeral.value):
                yield unsigned(equation.printed)

    @cached_property
    def used(self) -> Collection[str]:
        """What a result must not be changed alone for: the operands of equations, and what is linked."""
        shown = [operand.text for equation in self.equations for operand in operands(equation.work)]
        return self._linked | frozenset(map(unsigned, shown))

    def told(self) -> Iterator[str]:
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

    def moves(self, text: str, result: Numeral) -> bool:
        """Whether a numeral beside a result may stand for more digits than it shows."""
        operand = read_numeral(text)
        if operand.exact or unsigned(text) in self.rounded:
            return not operand.exact
        if stands_for_root(operand.value, operand.places):
            return True
        shown = result.places - (2 if result.text.strip().endswith(PERCENT) else 0)
        return operand.value not in self.inputs and operand.places >= max(shown, LEAST_PLACES)

    def moving(
        self, work: str, result: Numeral, *, hidden: bool = False, held: bool = False
    ) -> Callable[[str], bool]:
        """Which numerals of a working may: with `held` no single one, with `hidden` every decimal does.

        So it does in a total of several, and among shares.
        """
        every = hidden or _adds_up(work)
        return lambda text: (every and "." in text) or (not held and self.moves(text, result))

    def may_come_to(self, printed: str, work: str, exchanged: Sequence[Exchanged]) -> Sequence[bool]:
        """Whether a working may come to what is printed with one operand after the other exchanged.

        That is found out roughly: no working is left out that is right by the rules.
        """
        if not exchanged:
            return []
        from symattn.auditor.ranges.rough import roughly  # which needs NumPy

        result, found = numeral_of(printed), evaluated(work)
        if result is None or found is None or (found.has_roots and self.roots):
            return [True] * len(exchanged)
        moves = self.moving(work, result, hidden=any(_adds_up(one.work) for one in exchanged))

        def ranges(text: str) -> tuple[fmpq, fmpq]:
            operand = read_numeral(text)
            return operand.preimage(self.truncates) if moves(text) else (operand.value, operand.value)

        loose = result.unit if result.places > 0 else fmpq(0)
        rough = roughly(found.node, [(one.at, one.text) for one in exchanged], ranges, loose)
        return rough.may_meet(result.value - result.unit, result.value + result.unit)


def _adds_up(work: str) -> bool:
    """Whether a working is a total of several numbers, or weighs numbers by shares."""
    return _TOTAL.fullmatch(work) is not None or _is_mean(work)


def _is_mean(work: str) -> bool:
    """Whether numbers are weighed by shares that add up to 1, as far as their digits tell."""
    terms = [_WEIGHED.fullmatch(term) for term in work.split(" + ")]
    shares = [read_numeral(term[1]) for term in terms if term is not None]
    room = sum((share.unit for share in shares), fmpq(0)) / 2
    return 1 < len(shares) == len(terms) and abs(sum((share.value for share in shares), fmpq(0)) - 1) <= room


def numeral_of(text: str) -> Numeral | None:
    """The printed number of its characters, None where they are none."""
    try:
        return read_numeral(text)
    except SymattnError:
        return None


def unsigned(text: str) -> str:
    """The characters of a number without its sign."""
    return text.strip().lstrip("+-−")
