"""The fast walk and the plain one agree, entry for entry, on every case that is shipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sympy
from plain_walk import plain_walk

from symattn.derive import Derivation, derive
from symattn.exact.number import Exact, Infinite
from symattn.reading.case_file import read_case
from symattn.recipes.attention import attention, values

FOLDER = Path(__file__).parent.parent / "cases"
CASES = sorted(FOLDER.glob("*.toml"))
BACKWARD = (
    "backward",
    "backward_heads",
    "backward_loss",
    "backward_cross_entropy",
    "backward_stated",
    "backward_layers",
    "backward_linear",
    "backward_online",
    "jacobian_symbolic",
    "jacobian_keys",
)
"""Gradients are held against derivatives: `test_backward*.py`, `test_loss.py`, `test_jacobians.py`."""
LAYERED = ("encoder_post_norm", "encoder_pre_norm", "two_layers")
STACKED = ("stacked_post_norm", "stacked_post_norm_own", "stacked_pre_norm", "stacked_pre_norm_own")
"""Without names for long entries these closed forms grow beyond SymPy; `test_stacked.py` walks them."""
VARIANTS = [path for path in sorted(FOLDER.glob("variants/*.toml")) if path.stem not in (*BACKWARD, *STACKED)]


def same(fast: Any, slow: Any, digits_only: bool = False) -> bool:
    """Whether two SymPy expressions are one number: alike, or alike to 60 digits and in exact algebra.

    With `digits_only` the digits suffice: roots of exponentials and exponentials of those are beyond SymPy.
    """
    if fast == slow:
        return True
    symbols = sorted(fast.free_symbols | slow.free_symbols, key=str)
    at = {s: sympy.Rational(k + 2, 7) for k, s in enumerate(symbols)}
    near, far = fast.evalf(60, subs=at), slow.evalf(60, subs=at)
    if abs(near - far) > abs(far) * sympy.Float(10) ** -50:
        return False
    return digits_only or vanishes(fast - slow) or vanishes((fast - slow).rewrite(sympy.exp))


def vanishes(x: Any) -> bool:
    over, _ = sympy.fraction(sympy.together(x))
    return bool(sympy.expand(over) == 0)


def walked(path: Path) -> Derivation:
    case = read_case(path)
    return derive(attention(case), values(case))


def closed(x: Exact, short: bool) -> Any:
    """A number as an expression; `short` where its names would grow beyond SymPy if they were written out."""
    return x.to_sympy() if short else x.to_sympy().doit()


def differences(fast: Derivation, slow: dict[str, Any], digits_only: bool = False) -> list[str]:
    found = []
    for name, matrix in slow.items():
        for i in range(matrix.rows):
            for j in range(matrix.cols):
                entry = fast[name][i, j]
                masked = isinstance(entry, Infinite)
                if masked != (matrix[i, j] == -sympy.oo) or not (
                    masked or same(closed(entry, digits_only), matrix[i, j], digits_only)
                ):
                    found.append(f"{name}[{i}, {j}]: {entry} and {matrix[i, j]}")
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_both_walks_make_the_same_matrices(path: Path) -> None:
    fast, slow = walked(path), plain_walk(path)
    assert list(fast.values) == list(slow)
    assert {name: matrix.shape for name, matrix in fast.values.items()} == {
        name: matrix.shape for name, matrix in slow.items()
    }
    assert differences(fast, slow) == []


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_both_walks_of_a_variant_make_the_same_matrices(path: Path) -> None:
    """A walk by steps or blocks has matrices of its own on the way; what it shares with the direct one is
    the same."""
    fast, slow = walked(path), plain_walk(path)
    shared = {name: matrix for name, matrix in slow.items() if name in fast.values}
    assert any(name.endswith("Z") for name in shared)
    if read_case(path).settings.evaluation == "direct":
        assert list(fast.values) == list(slow)
    assert differences(fast, shared, path.stem in LAYERED) == []


def test_there_are_cases_to_walk() -> None:
    assert len(CASES) >= 16


def test_a_walk_that_is_off_in_one_entry_is_noticed() -> None:
    path = next(path for path in CASES if path.stem == "thinking_machines")
    slow = plain_walk(path)
    slow["A"][0, 1] += sympy.Rational(1, 10**45)
    slow["Z"] = slow["Z"].T
    found = differences(walked(path), {"A": slow["A"]})
    assert len(found) == 1
    assert found[0].startswith("A[0, 1]: ")


def test_equal_numbers_in_different_dress_are_the_same() -> None:
    a = sympy.Symbol("a", real=True)
    assert same(1 / (1 + sympy.exp(a)), sympy.exp(-a) / (1 + sympy.exp(-a)))
    assert same(sympy.sqrt(2) * (sympy.sqrt(2) + a), 2 + sympy.sqrt(2) * a)
    assert not same(sympy.exp(a), sympy.exp(a) + sympy.Rational(1, 10**40))
