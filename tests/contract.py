"""The contract of all operations, clause by clause: `broken_clauses` names every clause that one breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from evaluate import evaluate, grid
from msgspec.structs import replace
from numpy.typing import NDArray

from symattn.exact.decision import equal
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.floats.from_exact import matrix_to_floats
from symattn.floats.interval import Interval
from symattn.floats.tables import Table, points
from symattn.plans.operation import Operation
from symattn.text.bilingual import MARK, Bilingual
from symattn.text.errors import ShapeMismatch
from symattn.text.notation import Symbol

Sample = tuple[Operation, tuple[Matrix, ...]]


def same(a: Matrix, b: Matrix) -> bool:
    return a.shape == b.shape and all(
        equal(a[i, j], b[i, j]) is True for i in range(a.shape[0]) for j in range(a.shape[1])
    )


def shape_is_true(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    return op.exact(*arguments).shape == op.shape(*(matrix.shape for matrix in arguments))


def misfits_are_refused(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    """An argument with one row or column too many is refused, or changes the shape of the result.

    A refusal is a ShapeMismatch with words.
    """
    refused = 0
    for at in range(len(arguments)):
        for more in ((3, 0), (0, 3)):
            misfit = [*arguments]
            n, m = (a + b for a, b in zip(arguments[at].shape, more, strict=True))
            misfit[at] = Matrix.rational([[i + j for j in range(m)] for i in range(n)])
            shapes = [matrix.shape for matrix in misfit]
            try:
                shape = op.shape(*shapes)
            except ShapeMismatch as problem:
                refused += 1
                if not problem.found or not problem.remedy:
                    return False
                continue
            try:
                if (
                    op.exact(*misfit).shape != shape
                    or op.floats(*map(matrix_to_floats, misfit)).shape != shape
                ):
                    return False
            except ShapeMismatch:
                return False
    return refused > 0 or len(arguments) < 2


def floats_are_near(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    given = tuple(matrix_to_floats(matrix) for matrix in arguments)
    errors = tuple(np.zeros_like(matrix) for matrix in given)
    found, exact = op.floats(*given), matrix_to_floats(op.exact(*arguments))
    bound = op.error(given, errors, found)
    with np.errstate(invalid="ignore"):
        near = np.abs(found - exact) <= bound
    small = bound <= 1e-12 * (1 + np.where(np.isfinite(found), np.abs(found), 0.0))
    return bool(
        found.shape == exact.shape == bound.shape and np.all(near | (found == exact)) and np.all(small)
    )


def entries_are_worked_out(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    exact, grids = op.exact(*arguments), tuple(grid(matrix) for matrix in arguments)
    return all(
        equal(evaluate(op.entry(i, j, *grids)), exact[i, j]) is True
        for i in range(exact.shape[0])
        for j in range(exact.shape[1])
    )


def parts_are_worked_out(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    """Each part has the value that the operation says, and stands in the working."""
    exact, grids = op.exact(*arguments), tuple(grid(matrix) for matrix in arguments)
    return all(
        equal(evaluate(formula), value) is True and repr(formula) in repr(op.entry(i, j, *grids))
        for i in range(exact.shape[0])
        for j in range(exact.shape[1])
        for (_, formula), value in zip(op.parts(i, j, *grids), op.part_values(i, j, *arguments), strict=True)
    )


def formula_takes_names(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    names = tuple(Symbol(name) for name in "ABCD"[: len(arguments)])
    formula = op.formula(*names)
    return all(repr(name) in repr(formula) for name in names)


def slips_show(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    right = op.exact(*arguments)
    return all(not same(slip.instead.exact(*arguments), right) for slip in op.slips())


def slips_are_named(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    codes = [slip.code for slip in op.slips()]
    return (
        0 < len(codes) == len(set(codes))
        and all(code == code.lower() and code.replace("-", "").isalnum() for code in codes)
        and all(slip.because.en and slip.because.en.isascii() for slip in op.slips())
        and all(any("一" <= letter <= "鿿" for letter in slip.because.zh) for slip in op.slips())
    )


ORIENTED = {"en": re.compile(r"\b(row|column)s?\b", re.IGNORECASE), "zh": re.compile("行|(?<![序排])列")}


def marks(text: str) -> list[str]:
    """The names of what is filled into a text, in alphabetical order."""
    return sorted(name for name, _ in MARK.findall(text))


def follows_orientation(text: Bilingual) -> bool:
    """Whether a text that mentions rows or columns has another version for tokens as columns."""
    return all(
        text[lang] != text.transposed[lang] for lang, words in ORIENTED.items() if words.search(text[lang])
    )


def slips_keep_the_contract(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    """An exchanged operation is an operation: its own shape, floats and working are true too."""
    return all(
        clause(slip.instead, arguments)
        for slip in op.slips()
        for clause in (shape_is_true, floats_are_near, entries_are_worked_out)
    )


MOVED = (0.005, 0.05)
"""By how much arguments move: as numbers of two decimals and of one."""


def results_stay_in_their_range(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    """Wherever the arguments are in their intervals, the result is in its range; so are those of the slips.

    Without arguments nothing moves.
    """
    every = (op, *(slip.instead for slip in op.slips()))
    return not arguments or all(_stays(each, arguments, by) for each in every for by in MOVED)


def _stays(op: Operation, arguments: tuple[Matrix, ...], by: float) -> bool:
    rng = np.random.default_rng(1)
    moves = [rng.uniform(size=matrix.shape) < 0.8 for matrix in arguments]
    found = op.moves(*(_moving(matrix, where, by) for matrix, where in zip(arguments, moves, strict=True)))
    if found is None:
        return False
    low = np.array([[float(a.low.lower()) for a in row] for row in found])
    high = np.array([[float(a.high.upper()) for a in row] for row in found])
    middles = [matrix_to_floats(matrix) for matrix in arguments]
    for _ in range(25):
        signs = [rng.choice([-1.0, 0.0, 1.0], matrix.shape) for matrix in middles]
        for steps in (signs, [sign * rng.uniform(size=sign.shape) for sign in signs]):
            pieces = zip(middles, steps, moves, strict=True)
            with np.errstate(invalid="ignore"):
                result = op.floats(*(m + by * np.where(where, step, 0.0) for m, step, where in pieces))
            room = 1e-12 * (1 + np.where(np.isfinite(result), np.abs(result), 0.0))
            if not np.all((low - room <= result) & (result <= high + room)):
                return False
    return True


def _moving(matrix: Matrix, where: NDArray[np.bool_], by: float) -> Table:
    return [
        [
            Interval(a.low - by, a.low + by) if moves and a.low.is_finite() else a
            for a, moves in zip(*row, strict=True)
        ]
        for row in zip(points(matrix), where, strict=True)
    ]


def results_end(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    """What says so makes decimals that end of decimals that end."""
    if not op.finite_decimals:
        return True
    tenth = Exact.of(Fraction(1, 10))
    entries = [
        entry for row in op.exact(*(matrix.scaled(tenth) for matrix in arguments)).rows() for entry in row
    ]
    return all(e == MINUS_INFINITY or ((q := e.rational) is not None and (q * 10**9).q == 1) for e in entries)


def is_frozen(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    return type(op).__struct_config__.frozen and op == replace(op) and hash(op) == hash(replace(op))


def describes_itself(op: Operation, arguments: tuple[Matrix, ...]) -> bool:
    return bool(type(op).__doc__) and not (type(op).__doc__ or "").startswith(f"{type(op).__name__}(")


CLAUSES: tuple[Callable[[Operation, tuple[Matrix, ...]], bool], ...] = (
    shape_is_true,
    misfits_are_refused,
    floats_are_near,
    entries_are_worked_out,
    parts_are_worked_out,
    formula_takes_names,
    slips_show,
    slips_are_named,
    slips_keep_the_contract,
    results_stay_in_their_range,
    results_end,
    is_frozen,
    describes_itself,
)


def broken_clauses(op: Operation, arguments: tuple[Matrix, ...]) -> list[str]:
    return [clause.__name__ for clause in CLAUSES if not clause(op, arguments)]
