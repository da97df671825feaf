"""Exact numbers, matrices and results in Python programs."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import symattn
from symattn import Exact, Matrix, Undecided, UnknownName, Vector

CASES = Path(__file__).parent.parent / "cases"
HALF, E = Exact("1/2"), Exact("exp(1)")
A = Exact(sympy.Symbol("a"))
M = Matrix([[1, "1/2", 3], ["sqrt(2)", 0, 5]])


@pytest.fixture(scope="module")
def heads() -> symattn.Worked:
    return symattn.work(CASES / "two_heads.toml")


@pytest.mark.parametrize(
    "other",
    [
        0.5,
        Fraction(1, 2),
        Decimal("0.50"),
        sympy.Rational(1, 2),
        np.float32(0.5),
        Exact("2/4"),
    ],
)
def test_a_number_equals_the_same_number_of_every_kind_from_both_sides(other: Any) -> None:
    assert other == HALF
    assert other == HALF
    assert other != HALF + 1


def test_equality_is_decided_and_not_compared_by_form() -> None:
    assert (Exact("sqrt(2)") + Exact("sqrt(3)")) ** 2 == Exact("5 + 2*sqrt(6)")
    assert Exact("1/10") != 0.1
    assert Exact.of(HALF) == sympy.Float(
        0.5
    )  # from the other side SymPy has its own rule: no Float is a Rational
    assert sympy.sqrt(2) == Exact("sqrt(2)")
    assert Exact("sqrt(2)") * A - A * sympy.sqrt(2) == 0


def test_numbers_combine_with_every_kind_of_exact_number() -> None:
    assert [HALF + 1, 1 + HALF, 1 - HALF, HALF - 1] == [1.5, 1.5, 0.5, -0.5]
    assert [HALF * Fraction(1, 3), 1 / HALF, HALF / np.int64(2)] == [Fraction(1, 6), 2, 0.25]
    assert [0.25, sympy.sqrt(2), sympy.sqrt(2) / 2] == [HALF**2, 2**HALF, HALF**HALF]
    assert [-HALF, abs(-HALF), sum([HALF, HALF]), round(HALF), int(HALF * 4)] == [-0.5, 0.5, 1, 1, 2]


def test_a_float_in_exact_arithmetic_is_refused_with_what_to_write() -> None:
    for wrong in (lambda: HALF + 0.1, lambda: 0.1 * HALF, lambda: M * np.float64(0.1)):
        with pytest.raises(TypeError, match=r'float 0.1 .* Fraction\("0.1"\)'):
            wrong()
    if sys.version_info < (3, 12):  # where a Fraction is made a float before it is raised to a power
        with pytest.raises(TypeError, match=r"for a Fraction as the base, Exact\(base\)"):
            Fraction(1, 3) ** E


def test_order_is_decided_or_said_to_be_undecided() -> None:
    assert E > 2.718281828459045
    assert Fraction(2719, 1000) > E
    assert Exact("-1") < HALF <= 0.5 < float("inf")
    assert sorted([E, HALF, Exact("sqrt(2)")]) == [HALF, Exact("sqrt(2)"), E]
    with pytest.raises(Undecided, match="a and 1"):
        A < 1  # noqa: B015


def test_only_rational_numbers_have_a_hash_which_is_that_of_their_fraction() -> None:
    assert {HALF: 1}[Fraction(1, 2)] == 1
    with pytest.raises(TypeError, match="hash"):
        hash(E)


def test_zero_is_no_divisor_and_a_half_no_int() -> None:
    with pytest.raises(ZeroDivisionError):
        E / (Exact("sqrt(2)") - sympy.sqrt(2))
    with pytest.raises(ValueError, match="not an integer"):
        int(HALF)
    with pytest.raises(TypeError, match="symbols"):
        float(A)


def test_a_long_form_is_shown_by_its_decimal_or_left_out() -> None:
    long = sum(Exact(f"sqrt({n})") for n in range(2, 40))
    assert repr(long) == "Exact(≈ 164.291)"
    assert repr(A * long) == "Exact(…)"
    with pytest.raises(TypeError, match="the number has symbols"):
        (A * long).decimal()


@pytest.mark.parametrize(
    ("spec", "printed"),
    [
        (".6f", "2.718282"),
        (".3e", "2.718e+00"),
        ("+9.2f", "    +2.72"),
        (".1%", "271.8%"),
        (".3g", "2.72"),
        ("*^+14,.2E", "**+2.72E+00***"),
        ("", "exp(1)"),
        (">8", "  exp(1)"),
    ],
)
def test_a_number_is_formatted_as_a_float_is(spec: str, printed: str) -> None:
    assert format(E, spec) == printed


@pytest.mark.parametrize("number", [0.0, 0.75, -1.3, 100.0, 1234567.0, 1e-5, 3e-10])
@pytest.mark.parametrize(
    "spec",
    [
        ".3g",
        "g",
        ".0f",
        "#.4g",
        ".2",
        ".4e",
        "E",
        ",.2f",
        "014,.3f",
        "*<12.1%",
        "x^12.2e",
        "*=+14_.3G",
        "#.0e",
    ],
)
def test_a_float_and_its_exact_value_are_formatted_alike(number: float, spec: str) -> None:
    assert format(Exact(Fraction(number)), spec) == format(number, spec)


def test_the_integers_below_and_above_are_decided() -> None:
    near = 1 - Exact("1/10^30")
    assert (math.floor(near), math.ceil(near), math.floor(-near), math.trunc(-near)) == (0, 1, -1, 0)
    assert (math.floor(E), math.ceil(E), math.floor(Exact(3)), math.ceil(-HALF)) == (2, 3, 3, 0)


def test_decimals_are_rounded_correctly_with_ties_away_from_zero() -> None:
    assert [f"{Exact(Fraction(n, 8)):.2f}" for n in (1, 3, -1)] == ["0.13", "0.38", "-0.13"]
    assert E.decimal(30) == "2.718281828459045235360287471353"
    assert E.decimal(significant=3) == "2.72"


def test_numbers_and_matrices_go_to_sympy_numpy_and_back() -> None:
    assert sympy.sympify(E) == sympy.E
    assert Exact(E.to_sympy()) == E
    assert Matrix.of(M.to_sympy()) == M
    assert np.asarray(M, dtype=float).tolist() == [[1, 0.5, 3], [2**0.5, 0, 5]]
    assert np.asarray(M[0]).tolist() == M.to_numpy()[0].tolist()
    assert np.array(M, dtype=object)[1, 0] == sympy.sqrt(2)
    assert np.asarray(Matrix([[3]]), dtype=int).tolist() == [[3]]
    with pytest.raises(ValueError, match="not an integer"):
        np.asarray(M, dtype=int)


def test_a_matrix_is_indexed_and_sliced_as_an_array_is() -> None:
    array = np.arange(12).reshape(3, 4)
    matrix = Matrix.of(array)
    for at in (
        0,
        -1,
        (0, slice(None)),
        (slice(None), 1),
        (slice(1), slice(1, 3)),
        slice(None, None, -1),
        (2, -1),
    ):
        assert matrix[at] == array[at]
    assert len(matrix) == 3
    assert [row[1] for row in matrix] == [1, 5, 9]
    assert 7 in matrix
    assert 12 not in matrix
    for wrong in (3, (0, 4), -4, (0, 0, 0)):
        with pytest.raises(IndexError):
            matrix[wrong]


def test_matrices_combine_as_arrays_do() -> None:
    array = np.arange(6).reshape(2, 3)
    matrix, row = Matrix.of(array), Vector([1, 2, 3])
    assert matrix @ array.T == array @ array.T
    assert array.T @ matrix == array.T @ array
    assert matrix + row == array + np.array([1, 2, 3])
    assert 1 - matrix * 2 == 1 - array * 2
    assert matrix @ row == array @ [1, 2, 3]
    assert row @ row == 14
    assert row + matrix == matrix + row
    with pytest.raises(symattn.SymattnError, match="2×3 and 1×2"):
        matrix + Vector([1, 2])


def test_equality_of_matrices_is_one_bool() -> None:
    assert (M == M.T.T) is True
    assert (M == M.T) is False
    assert (M == M + 1) is False
    assert M[0] != M[0:1]


def test_a_result_maps_names_to_matrices(heads: symattn.Worked) -> None:
    assert heads["head1.A"][0, 0] == sympy.Rational(1, 2)
    assert {"X", "head1.A", "output"} <= set(heads)
    assert "A" not in heads
    assert len(heads) == len(list(heads.items()))
    assert "head1.A       2×2  1/2  1/2  …" in repr(heads)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("A", "head1.A, head2.A?"), ("head1.a", "did you mean head1.A"), ("zzz", "X, W_Q, W_K")],
)
def test_a_wrong_name_is_answered_by_the_near_ones(heads: symattn.Worked, name: str, meant: str) -> None:
    with pytest.raises(UnknownName, match=meant.replace("?", r"\?")) as caught:
        heads[name]
    assert isinstance(caught.value, KeyError)


def test_one_name_and_several_choose_steps_of_the_page(heads: symattn.Worked) -> None:
    assert heads.latex(only="head1.A") == heads.latex(only=["head1.A"])
    with pytest.raises(symattn.SymattnError, match=r"^only=: .*\n.*head1\.A"):
        heads.latex(only="head1.B")


def test_values_are_immutable_and_pickle(heads: symattn.Worked) -> None:
    for value in (HALF, E, M, M[0], heads, heads.facts):
        assert pickle.loads(pickle.dumps(value)) == value
    for value in (HALF, E, M, M[0], heads):
        with pytest.raises(AttributeError, match="immutable"):
            value._values = None  # type: ignore[union-attr]


def test_the_module_lists_its_public_names_and_imports_none_of_them() -> None:
    assert set(symattn.__all__) <= set(dir(symattn))
    assert "importlib" not in dir(symattn)
    code = (
        "import symattn, sys; dir(symattn); print(sorted(m for m in sys.modules if m.startswith('symattn')))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout == "['symattn']\n"
