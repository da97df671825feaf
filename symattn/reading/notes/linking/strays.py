"""What stands outside every walk of an example, and is checked on its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Node, Num, Row, last_of, numerals
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.arithmetic import equations, made_of
from symattn.reading.notes.linking.composed import composed
from symattn.reading.notes.linking.derived import derived
from symattn.reading.notes.linking.ledger import value
from symattn.reading.notes.linking.link import Linker
from symattn.reading.notes.linking.substituted import substituted
from symattn.reading.notes.result import Equation

DIVIDED = frozenset({"scaled", "masked", "tempered"})
"""Scores that are whole numbers by chance alone, where others beside them are not."""


@dataclass(slots=True)
class Strays:
    """The equations of numbers beside a walk: `alone` those of the numbers that claim nothing in it, by where
    these stand, and `otherwise` those of the numbers that do, should the walk have no verdict on them.

    `claimed` are the places of the numbers that the walk claims.
    """

    claimed: frozenset[tuple[int, int]]
    alone: dict[int, Equation] = field(default_factory=dict)
    otherwise: list[Equation] = field(default_factory=list)
    worked: list[frozenset[Fraction]] = field(default_factory=list)
    """How large the numbers of each formula are that is checked."""

    def work(self, linker: Linker, found: Sequence[Item]) -> None:
        """Take the workings in formulas; what the walk claims may stand for more digits than are printed.

        So may the 3 among scaled scores with decimals, whose zeros are left out.
        """
        prints = [
            made for made in linker.ledger.prints if linker.context.place(made.num.start) in self.claimed
        ]
        divided = {made.name for made in prints if "." in made.num.text} & DIVIDED
        rounded = frozenset(made.num.text for made in prints if "." in made.num.text or made.name in divided)
        for item in found:
            for num, equation in equations(item.node, item.broken, linker.context, rounded):
                claimed = linker.context.place(num.start) in self.claimed
                if claimed:
                    self.otherwise.append(equation)
                elif num.start not in self.alone:
                    self.alone[num.start] = equation
                    self.worked.append(_sizes(item.node))
                if claimed or num.start in self.alone:
                    for other in numerals(item.node):
                        linker.roles.setdefault(other.start, "working")

    def give(self, linker: Linker, found: Sequence[Item]) -> None:
        """The first lists are inputs where a working that comes later takes all of their numbers.

        Nothing stands before them that they could be computed from.
        """
        for item in sorted(found, key=lambda item: item.start):
            node = last_of(item.node)
            nums = list(numerals(item.node))
            if not nums or all(num.start in linker.roles for num in nums):
                continue
            taken = _sizes(node)
            if not isinstance(node, Row) or not is_literal(node) or len(nums) < 2:
                return
            if not any(taken <= each for each in self.worked):
                return
            linker.role(node, "input")

    def substitute(self, linker: Linker, found: Sequence[Item]) -> None:
        """Take the formulas of names, worked out with the numbers that are printed for these names."""
        for item, worked, is_sure in substituted(found, linker.bases, linker.context):
            operands = [num.start for num in numerals(worked.members[0])]
            walked = any(linker.context.place(start) in self.claimed for start in operands)
            for num, equation in equations(worked, False, linker.context, frozenset()):
                formula = item.start if walked or not is_sure else None
                equation = replace(equation, work_places=(), formula=formula)
                if linker.context.place(num.start) in self.claimed:
                    self.otherwise.append(equation)
                else:
                    self.alone.setdefault(num.start, equation)
            linker.roles.update((start, "input") for start in operands if start not in linker.roles)

    def follow(self, linker: Linker, found: Sequence[Item], idle: Collection[int]) -> None:
        """Take what follows from lists that were printed before; `idle` numerals are no results.

        What it follows from may stand for more digits where it is a result itself.
        """

        given = {made.num.start for made in linker.ledger.prints if made.name in ("Q", "K", "V")}

        def is_open(num: Num) -> bool:
            known = num.start in self.alone or num.start in idle or num.start in given
            return not known and linker.context.place(num.start) not in self.claimed

        made = {print.num.start: print for print in linker.ledger.prints}

        def is_sure(num: Num) -> bool:
            of = made.get(num.start)
            return of is None or linker.predictor.is_entry(of.name, (of.row, of.col), num)

        composite = (
            (num, work)
            for num, work, agrees in composed(found, is_open)
            if agrees or all(map(is_sure, numerals(work)))
        )
        for num, work in (*derived(found, linker.context, is_open), *composite):
            equation = made_of(work, num, linker.context)
            if is_open(num) and equation is not None:
                results = (each for each in numerals(work) if "." in each.text and not is_open(each))
                rounded = frozenset(each.text for each in results if each.start not in given | {*idle})
                self.alone[num.start] = replace(equation, rounded=rounded)
                for operand in numerals(work):
                    linker.roles.setdefault(operand.start, "input")


def _sizes(node: Node) -> frozenset[Fraction]:
    """How large the numbers of a formula are, whatever their signs."""
    return frozenset(abs(q) for num in numerals(node) if (q := value(num)) is not None)
