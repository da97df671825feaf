"""The contract of operations can fail: lying operations, each of which is Add but for one clause."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from case_plans import without_gradient
from contract import (
    broken_clauses,
)
from msgspec.structs import replace

from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.shapes import Shape
from symattn.floats.arrays import Floats
from symattn.floats.tables import Table
from symattn.plans.gradient import Forward, Shares
from symattn.plans.operation import Operation, Slip
from symattn.plans.ops.add import Add
from symattn.plans.ops.scale import Scale
from symattn.plans.plan import Line
from symattn.text.bilingual import Bilingual, both
from symattn.text.notation import Formula, Grid, Number, Product, Symbol


class Honest(Add, frozen=True):
    """A + B."""


class WrongShape(Honest, frozen=True):
    """Says that the sum is transposed."""

    def shape(self, *shapes: Shape) -> Shape:
        return super().shape(*shapes)[0] + 1, shapes[0][1]

    def exact(self, *arguments: Matrix) -> Matrix:
        return arguments[0] + arguments[1]


class Unchecked(Honest, frozen=True):
    """Takes any shapes."""

    def shape(self, *shapes: Shape) -> Shape:
        return shapes[0]


class WrongFloats(Honest, frozen=True):
    """Is off by a millionth in floats."""

    def floats(self, *arguments: Floats) -> Floats:
        return super().floats(*arguments) + 1e-6


class UselessBound(Honest, frozen=True):
    """Allows itself any error."""

    def error(self, arguments: tuple[Floats, ...], errors: tuple[Floats, ...], result: Floats) -> Floats:
        return np.ones_like(result)


class NarrowRange(Honest, frozen=True):
    """Says that the result moves less far than it does."""

    def moves(self, *tables: Table) -> Table | None:
        return tables[0]


class Unmoved(Honest, frozen=True):
    """Says that nothing moves."""

    def moves(self, *tables: Table) -> Table | None:
        return None


class Endless(Scale, frozen=True):
    """Says that a third of what ends does so too."""

    finite_decimals: ClassVar[bool] = True

    @classmethod
    def example(cls) -> tuple[Operation, tuple[Matrix, ...]]:
        return cls(Exact.of(3)), Scale.example()[1]


class WrongEntry(Honest, frozen=True):
    """Works its entries out as products."""

    def entry(self, i: int, j: int, *arguments: Grid) -> Formula:
        return Product(tuple(argument.rows[i][j] for argument in arguments), "dot")


class WrongPart(Honest):
    """Has a symbol for what does not stand in its working."""

    def parts(self, i: int, j: int, *arguments: Grid) -> tuple[tuple[Symbol, Formula], ...]:
        return ((Symbol("mu"), Number("7")),)

    def part_values(self, i: int, j: int, *arguments: Matrix) -> tuple[Exact, ...]:
        return (Exact.of(7),)


class WrongFormula(Honest, frozen=True):
    """Leaves its arguments out of its formula."""

    def formula(self, *arguments: Formula) -> Formula:
        return Number("1")


class HarmlessSlip(Honest, frozen=True):
    """Calls the right operation a slip."""

    def slips(self) -> tuple[Slip, ...]:
        return (Slip("nothing-wrong", Bilingual("done it right", "做对了"), Honest()),)


class TwiceNamed(Honest, frozen=True):
    """Has two slips of one name."""

    def slips(self) -> tuple[Slip, ...]:
        return super().slips() * 2


class Untranslated(Honest, frozen=True):
    """Has a slip without Chinese words."""

    def slips(self) -> tuple[Slip, ...]:
        return tuple(replace(slip, because=both("omitted")) for slip in super().slips())


class Slipless(Honest, frozen=True):
    """Thinks that nobody ever gets it wrong."""

    def slips(self) -> tuple[Slip, ...]:
        return ()


class LyingSlip(Honest, frozen=True):
    """Has a slip that is itself wrong about its floats."""

    def slips(self) -> tuple[Slip, ...]:
        return (Slip("floats-wrong", Bilingual("lied", "说谎"), WrongFloats(times=0)),)


class Changeable(Honest, frozen=False):  # type: ignore[misc]
    """Can be changed."""


class Silent(Honest, frozen=True):
    pass


Silent.__doc__ = None

LIES: list[tuple[type[Operation], str]] = [
    (WrongShape, "shape_is_true"),
    (Unchecked, "misfits_are_refused"),
    (WrongFloats, "floats_are_near"),
    (UselessBound, "floats_are_near"),
    (NarrowRange, "results_stay_in_their_range"),
    (Unmoved, "results_stay_in_their_range"),
    (Endless, "results_end"),
    (WrongEntry, "entries_are_worked_out"),
    (WrongPart, "parts_are_worked_out"),
    (WrongFormula, "formula_takes_names"),
    (HarmlessSlip, "slips_show"),
    (TwiceNamed, "slips_are_named"),
    (Untranslated, "slips_are_named"),
    (Slipless, "slips_are_named"),
    (LyingSlip, "slips_keep_the_contract"),
    (Changeable, "is_frozen"),
    (Silent, "describes_itself"),
]


def test_an_honest_operation_of_the_tests_keeps_the_contract() -> None:
    assert broken_clauses(*Honest.example()) == []


@pytest.mark.parametrize(("lie", "clause"), LIES, ids=lambda value: getattr(value, "__name__", value))
def test_a_lying_operation_breaks_the_clause_it_lies_about(lie: type[Operation], clause: str) -> None:
    op, arguments = lie.example()
    assert clause in broken_clauses(op, arguments)


class Forgetful(Honest, frozen=True):
    """Hands nothing back to its second argument."""

    def gradient(self, line: Line, g: str, forward: Forward) -> Shares:
        return super().gradient(line, g, forward)[:1]


@pytest.mark.parametrize(("lines", "missing"), [((), ["B"]), (("X",), ["B"]), (("A",), [])])
def test_a_forgetful_gradient_leaves_out_what_it_does_not_reach(
    lines: tuple[str, ...], missing: list[str]
) -> None:
    """B has no share; that of A is enough where B was made of A alone, as sums of exponentials are."""
    around = Forward({"B": Line("B", Scale(Exact.of(2)), lines)} if lines else {}, {})
    assert without_gradient(Line("R", Forgetful(), ("A", "B")), around) == missing
    assert without_gradient(Line("R", Honest(), ("A", "B")), around) == []
