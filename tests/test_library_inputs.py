"""Arrays, lists and numbers of every kind as the inputs of `symattn.attention` and `symattn.work`."""

from __future__ import annotations

import pickle
import re
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
from symattn import Exact, Matrix, SymattnError

CASES = Path(__file__).parent.parent / "cases"
ONE = [[1, 0], [0, 1]]
A = sympy.Symbol("a")


def scores(Q: Any, **more: Any) -> Matrix:
    return symattn.attention(Q=Q, K=ONE, V=ONE, **more)["scores"]


@pytest.mark.parametrize(
    "Q",
    [
        [["1/2", "sqrt(2)"]],
        [[Fraction(1, 2), sympy.sqrt(2)]],
        [[Decimal("0.50"), Exact("sqrt(2)")]],
        sympy.Matrix([[sympy.Rational(1, 2), sympy.sqrt(2)]]),
        Matrix([["1/2", "sqrt(2)"]]),
        (Matrix([["1/2", "sqrt(2)"]])[0],),
    ],
)
def test_exact_numbers_of_every_kind_are_inputs(Q: Any) -> None:
    assert scores(Q) == [[0.5, sympy.sqrt(2)]]


def test_arrays_of_integers_and_expressions_are_inputs_as_they_are() -> None:
    assert scores(np.array([[3, -1]], dtype="int8")) == [[3, -1]]
    assert scores(np.array([["1/2", "sqrt(2)"]])) == [[0.5, sympy.sqrt(2)]]


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_floats_are_the_decimals_that_print_or_the_binary_numbers_that_they_are(kind: str) -> None:
    array = np.array([[0.1, 0.25]], dtype=kind)
    assert scores(array, floats="printed") == [[Fraction(1, 10), Fraction(1, 4)]]
    assert scores(array, floats="exact") == array
    assert scores(array, floats="exact")[0, 0] != Fraction(1, 10)


@pytest.mark.parametrize(
    ("Q", "floats", "message"),
    [
        ([[0.1, 1]], None, r"Q\[0\]\[0\]: the float 0\.1\n.*printed.*exact"),
        (np.eye(2), None, r"Q: an array of float64\n.*printed.*exact"),
        ([[1j, 1]], None, r"Q\[0\]\[0\]: complex 1j"),
        (np.array([[1j, 1]]), "exact", "an array of complex128"),
        (np.array([[Fraction(1, 2), 1]]), "exact", "an array of object"),
        ([[1, float("nan")]], "exact", r"Q\[0\]\[1\]: NaN"),
        (np.ma.array([[1, 2]], mask=[[0, 1]]), None, "Q: an array with masked entries"),
        (np.array([[np.inf, 1]]), "printed", r"Q\[0\]\[0\]: infinity"),
        ([[sympy.I, 1]], None, "not a real number"),
        ([[0.1, 1]], "rounded", "floats: the value 'rounded'"),
    ],
)
def test_what_is_no_exact_number_is_refused_by_name(Q: Any, floats: Any, message: str) -> None:
    with pytest.raises(SymattnError, match=message):
        scores(Q, floats=floats)


def test_matrices_are_for_the_call_and_not_for_work() -> None:
    with pytest.raises(TypeError, match=r"not list: symattn\.attention\(X="):
        symattn.work(ONE)  # type: ignore[arg-type]


def test_symbols_of_sympy_need_no_declaration() -> None:
    assert scores([[A, 2 * A]]) == sympy.Matrix([[A, 2 * A]])


def test_masks_are_words_booleans_or_added() -> None:
    below = np.tril(np.ones((2, 2), dtype=bool))
    masks = ["causal", below, below.tolist(), np.where(below, 0, -np.inf)]
    weights = [symattn.attention(Q=ONE, K=ONE, V=ONE, mask=mask, floats="exact")["A"] for mask in masks]  # type: ignore[arg-type]
    assert weights[0][0] == [1, 0]
    assert all(each == weights[0] for each in weights)


def test_a_head_may_have_its_own_and_a_result_be_an_input() -> None:
    own = symattn.attention(Q=ONE, K=ONE, V=ONE, heads=2, given={"head1.A": ONE})
    assert own["head1.A"] == ONE
    assert symattn.attention(X=own["concat"], W_Q=ONE)["Q"] == own["concat"]


def test_arguments_and_the_tables_of_a_file_are_one_case() -> None:
    path = CASES / "two_heads.toml"
    case = symattn.read_case(path)
    given = {name: Matrix.of(each.values) for name, each in case.given.items()}
    tables = {"title": case.title, "given": given, "attention": {"heads": 2, "scale": case.settings.scale}}
    assert symattn.work(path.read_text(encoding="utf-8")) == symattn.work(path)
    assert symattn.work(tables) == symattn.work(path) == symattn.attention(**given, heads=2)


@pytest.mark.parametrize("given", [[[0.5, 1]], np.eye(2), [["1/2", Fraction(1)]], sympy.Matrix([[A, 1]])])
def test_a_case_takes_what_the_call_takes_and_refuses_it_with_the_key(given: Any) -> None:
    tables = {"Q": given, "K": ONE, "V": ONE}

    def made(floats: Any) -> symattn.Case:
        return symattn.Case("a case", tables, settings={"scale": Fraction(1, 2)}, floats=floats)

    called = symattn.attention(given=tables, scale="1/2", title="a case", floats="printed")
    assert made("printed") == called.case
    assert symattn.work(made("exact")) == called
    if np.asarray(given).dtype == float:
        with pytest.raises(
            SymattnError, match=r"^given\.Q.*: (the float|an array of float).*\n.*printed.*exact"
        ):
            made(None)


def test_a_case_keeps_what_is_read_already_is_immutable_and_pickles() -> None:
    case = symattn.read_case(CASES / "two_heads.toml")
    more = symattn.Case("more", {**case.given, "W_O": np.eye(4, dtype=int)}, settings=case.settings)
    assert more.given["W_O"].typed[0] == ("1", "0", "0", "0")
    assert more.given["X"] is case.given["X"]
    assert pickle.loads(pickle.dumps(case)) == case == symattn.work(case).case
    with pytest.raises(TypeError):
        more.given["X"] = more.given["W_O"]  # type: ignore[index]
    with pytest.raises(SymattnError, match="a list of 1 entry where a table belongs"):
        symattn.Case("no table", [ONE])  # type: ignore[arg-type]


def test_an_argument_with_a_sign_in_its_key_has_a_name_of_python() -> None:
    assert symattn.attention(X_PE=ONE, W_Q=ONE, positions="sinusoidal")["Q"] == ONE


SNIPPET = """
from fractions import Fraction

import numpy as np
import symattn
import symattn.attention.case as tools

worked = symattn.attention(
    X=np.array([[1, 0], [0, 1]]), W_Q=[[1, "1/2"]], W_K=[[Fraction(1, 2), 0]], b_Q=[0, 1],
    mask="causal", heads=2, scale="1/2", given={"head1.A": [[1, 0]]}, floats="printed",
)
weights: symattn.Matrix = worked["head1.A"]
row: symattn.Vector = weights[0]
entry: symattn.Exact = weights[0, 1] + Fraction(1, 3) * row[0]
number: float = float(entry) if entry > 0.5 else weights.to_numpy()[0, 0]
names: list[str] = [name for name, matrix in worked.items() if matrix.shape == (2, 2)]
page: str = worked.latex(only="A", digits=3) + f"{entry:.3f}"
symattn.work({"given": {"Q": [[1]]}}).facts
case = symattn.Case(
    "a case", {"Q": np.eye(2), "K": weights, "V": [[Fraction(1, 2), "sqrt(2)"]]},
    tokens=["a", "b"], settings={"heads": 2, "mask": "causal", "padding": [True, False]}, floats="exact",
)
same: symattn.Case = symattn.read_case("case.toml") if case.given["Q"].shape == (2, 2) else worked.case
symattn.audit(symattn.Case("other", {**case.given, "W_O": [[1]]}, settings=case.settings))
tools.Settings().heads
"""


def test_a_program_of_a_user_passes_mypy_strict_and_a_wrong_one_does_not(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(SNIPPET)
    bad.write_text(
        'import symattn\nsymattn.attention(heads="two")\nsymattn.attention(WQ=[[1]])\nsymattn.Case("", 1)\n'
    )
    made = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", good, bad], capture_output=True, text=True, check=False
    )
    assert re.findall(r"(\w+\.py:\d+): error", made.stdout) == ["bad.py:2", "bad.py:3", "bad.py:4"], (
        made.stdout
    )
