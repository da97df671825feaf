"""Exact matrices: one interface whichever representation holds them."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import mpmath
import pytest
import sympy
from exact_numbers import SMALL, ball_holds, surd_mp, surds, sympy_of
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from symattn.exact.decision import equal
from symattn.exact.functions import exp, sqrt, symbol
from symattn.exact.literal import read
from symattn.exact.matrix import Dense, Matrix, SurdMatrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.surd import Surd
from symattn.text.errors import RaggedRows, ShapeMismatch

Rows = list[list[Surd]]


def tables(rows: int, cols: int) -> st.SearchStrategy[Rows]:
    return st.lists(st.lists(surds, min_size=cols, max_size=cols), min_size=rows, max_size=rows)


def held(rows: Rows) -> Matrix:
    return Matrix.of([[Exact.of(entry) for entry in row] for row in rows])


def one_by_one(matrix: Matrix) -> Dense:
    return Dense(tuple(matrix.rows()))


def by_sympy(rows: Rows) -> sympy.Matrix:
    return sympy.Matrix([[sympy_of(entry) for entry in row] for row in rows])


def test_surds_are_held_as_integers_over_one_denominator() -> None:
    matrix = Matrix.of([[Exact.of(Fraction(1, 2)), sqrt(Exact.of(2))], [Exact.of(3), Exact.of(0)]])
    assert isinstance(matrix, SurdMatrix)
    assert matrix.surds.den == 2
    assert matrix[0, 1] == sqrt(Exact.of(2))
    assert matrix.T[1, 0] == sqrt(Exact.of(2))


def test_a_product_worked_by_hand() -> None:
    left = Matrix.rational([[1, Fraction(1, 2)], [0, 2]])
    right = Matrix.rational([[4, 1], [2, -1]])
    assert left @ right == Matrix.rational([[5, Fraction(1, 2)], [4, -2]])


def test_a_row_or_column_is_repeated_in_sums_and_products() -> None:
    matrix = Matrix.rational([[1, 2], [3, 4]])
    assert matrix + Matrix.rational([[10, 20]]) == Matrix.rational([[11, 22], [13, 24]])
    assert matrix.hadamard(Matrix.rational([[2], [3]])) == Matrix.rational([[2, 4], [9, 12]])
    assert matrix - matrix == Matrix.rational([[0, 0], [0, 0]])


def test_columns_stand_side_by_side_and_come_apart_again() -> None:
    left, right = Matrix.rational([[1], [3]]), Matrix.rational([[2], [4]])
    both = left.beside(right)
    assert both == Matrix.rational([[1, 2], [3, 4]])
    assert both.columns(1, 2) == right
    assert both.taken([1, 0], [0]) == Matrix.rational([[3], [1]])


def test_a_sum_of_quotients_has_each_denominator_once() -> None:
    # (e + 1)/(e^2 + 1) + 2 (e^3 + 1)/(e^4 + 1), as heads side by side times a column of W_O
    one, two = ((exp(Exact.of(k)) + Exact.of(1)) / (exp(Exact.of(k + 1)) + Exact.of(1)) for k in (1, 3))
    total = (Dense(((one, two, one, two),)) @ Matrix.rational([[1], [2], [0], [0]]))[0, 0]
    again = (Dense(((one, two, one, two),)) @ Matrix.rational([[0], [1], [1], [1]]))[0, 0]
    assert equal(total, again) is True
    assert total.under == again.under == (one + two).under


def test_a_factor_of_zero_leaves_zeros() -> None:
    zero = Matrix.rational([[1, 2]]).scaled(Exact.of(0))
    assert zero == Matrix.rational([[0, 0]])
    assert zero @ Matrix.rational([[1], [1]]) == Matrix.rational([[0]])


def test_ragged_rows_are_refused() -> None:
    with pytest.raises(RaggedRows, match="row 2 has 1 entry, row 1 has 2"):
        Matrix.rational([[1, 2], [3]])
    with pytest.raises(RaggedRows):
        Matrix.of([[Exact.of(1), symbol("a")], [Exact.of(1)]])


@pytest.mark.parametrize("factor", [Exact.of(1), symbol("a"), exp(Exact.of(1))])
def test_misfits_are_refused_whatever_holds_the_matrix(factor: Exact) -> None:
    matrix = Matrix.rational([[1, 2, 3]]).scaled(factor)
    for misfit in (
        lambda: matrix @ matrix,
        lambda: matrix + Matrix.rational([[1, 2]]),
        lambda: matrix.hadamard(Matrix.rational([[1], [2]])),
        lambda: matrix.beside(Matrix.rational([[1], [2]])),
    ):
        with pytest.raises(ShapeMismatch):
            misfit()
    for place in ((0, 3), (1, 0), (-1, 0), (0, -1)):
        with pytest.raises(IndexError):
            matrix[place]


def test_a_matrix_cannot_be_changed() -> None:
    matrix = Matrix.rational([[1, 2]])
    assert isinstance(matrix, SurdMatrix)
    with pytest.raises(AttributeError):
        matrix.shape = (2, 1)
    with pytest.raises(AttributeError):
        del matrix.shape
    with pytest.raises(TypeError):
        matrix.surds.parts[1] = None  # type: ignore[index]


def test_equal_matrices_have_equal_hashes_whatever_holds_them() -> None:
    matrix = Matrix.rational([[1, 2], [3, 4]])
    assert one_by_one(matrix) == matrix
    assert hash(one_by_one(matrix)) == hash(matrix)


def test_a_masked_score_stays_in_its_place() -> None:
    matrix = Matrix.of([[Exact.of(1), MINUS_INFINITY]])
    assert matrix[0, 1] == MINUS_INFINITY
    assert matrix.scaled(sqrt(Exact.of(2)))[0, 1] == MINUS_INFINITY


@given(tables(2, 3), tables(3, 2))
@SMALL
def test_products_of_surd_matrices_agree_with_sympy(left: Rows, right: Rows) -> None:
    product = held(left) @ held(right)
    expected = (by_sympy(left) * by_sympy(right)).expand()
    assert (product.to_sympy() - expected).expand() == sympy.zeros(2, 2)
    assert one_by_one(held(left)) @ one_by_one(held(right)) == product


@given(tables(2, 2), tables(2, 2), surds)
@SMALL
def test_representations_agree_on_every_operation(a: Rows, b: Rows, factor: Surd) -> None:
    x, y, c = held(a), held(b), Exact.of(factor)
    u, v = one_by_one(x), one_by_one(y)
    assert u + v == x + y
    assert u - v == x - y
    assert u.scaled(c) == x.scaled(c)
    assert u.T == x.T
    assert u.hadamard(v) == x.hadamard(y)
    assert u.beside(v) == x.beside(y)


@given(tables(2, 2))
@SMALL
def test_enclosures_of_a_matrix_hold_its_entries(rows: Rows) -> None:
    before = ctx.prec
    for bits in (24, 64, 300):
        balls = held(rows).enclosures(bits)
        with mpmath.workdps(200):
            for i, row in enumerate(rows):
                for j, entry in enumerate(row):
                    assert ball_holds(balls[i][j], surd_mp(entry))
    assert ctx.prec == before


WALK = """
import sys
from symattn.plans.derive import derive
from symattn.exact.decimal import rounded
from symattn.exact.matrix import Matrix
from symattn.exact.functions import sqrt
from symattn.exact.number import Exact
from symattn.exact.plain import plain
from symattn.exact.spell import spell
from symattn.plans.ops import Exponential, Normalise, Project, RowSums, Scale, Scores, WeightedSum
from symattn.plans.plan import Line

X = Matrix.rational([[1, 2], [3, 4]])
plan = (
    Line("Q", Project(biases=0), ("X", "X")),
    Line("scores", Scores(), ("Q", "X")),
    Line("scaled", Scale(sqrt(Exact.of(2))), ("scores",)),
    Line("exp", Exponential(), ("scaled",)),
    Line("sum", RowSums(), ("exp",)),
    Line("A", Normalise(), ("exp", "sum")),
    Line("Z", WeightedSum(), ("A", "X")),
)
walk = derive(plan, {"X": X})
for line in walk:
    for row in walk[line.name].rows():
        for entry in row:
            plain(entry), rounded(entry, 4), spell(entry)
print(rounded(walk["Z"][0, 0], 4).digits, sorted({"sympy", "numpy"} & set(sys.modules)))
"""


def test_a_rational_walk_imports_neither_sympy_nor_numpy() -> None:
    done = subprocess.run([sys.executable, "-c", WALK], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout == "3.0000 []\n"


def test_expressions_with_a_root_import_no_sympy() -> None:
    code = (
        "import sys; from symattn.exact.literal import read; from symattn.exact.number import Exact;"
        "x = read('1/sqrt(d_k)', {'d_k': Exact.of(2)}); print(x.rational, 'sympy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "None False\n"


def test_products_of_large_rational_matrices_stay_fast() -> None:
    n = 120
    matrix = Matrix.rational([[Fraction(i * j % 17, 10) for j in range(n)] for i in range(n)])
    product = matrix @ matrix @ matrix  # entry by entry this would take minutes
    row = [Fraction(3 * k % 17, 10) for k in range(n)]
    twice = [sum(row[k] * Fraction(k * j % 17, 10) for k in range(n)) for j in range(n)]
    assert product[3, 5] == Exact.of(sum(twice[k] * Fraction(k * 5 % 17, 10) for k in range(n)))


def test_the_constant_of_a_case_is_read_into_a_matrix() -> None:
    entry = read("27*sqrt(2)/2", {})
    assert Matrix.of([[entry]])[0, 0] == entry
