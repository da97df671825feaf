"""Surds are a field in normal form: equal numbers are equal objects."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from exact_numbers import SMALL, surds, sympy_of
from flint import fmpq
from hypothesis import given

from symattn.exact.radicand import split_square
from symattn.exact.surd import ONE, ZERO, I, Surd
from symattn.text.errors import UndefinedValue


def root(n: int | Fraction) -> Surd:
    return Surd.root(n)


def test_a_square_leaves_the_root() -> None:
    assert split_square(72) == (6, 2)
    assert split_square(-12) == (2, -3)
    assert root(12) == root(3) * Surd.of(2)
    assert root(Fraction(9, 4)) == Surd.of(Fraction(3, 2))
    assert root(Fraction(1, 2)) == root(2) * Surd.of(Fraction(1, 2))


def test_products_of_roots_are_written_in_one_way() -> None:
    assert root(2) * root(3) == root(6)
    assert root(6) * root(10) == root(15) * Surd.of(2)
    assert (root(2) + ONE) * (root(2) - ONE) == ONE


def test_the_unit_of_the_imaginary_numbers() -> None:
    assert I * I == -ONE
    assert root(-2) * root(-3) == -root(6)
    assert I.inverse() == -I
    assert (ONE + root(-3)).real == ONE
    assert (ONE + root(-3)).imaginary == root(3)


def test_the_inverse_conjugates_root_after_root() -> None:
    assert (ONE + root(2)).inverse() == root(2) - ONE
    assert (root(2) + root(3)).inverse() == root(3) - root(2)
    assert (ONE + I).inverse() == (ONE - I) * Surd.of(Fraction(1, 2))
    x = ONE + root(2) + root(3) + root(5)
    assert x * x.inverse() == ONE


def test_zero_has_no_inverse() -> None:
    with pytest.raises(UndefinedValue):
        (root(8) - root(2) * Surd.of(2)).inverse()


def test_only_rational_surds_have_a_rational() -> None:
    assert ZERO.rational == 0
    assert Surd.of(Fraction(3, 4)).rational == fmpq(3, 4)
    assert root(2).rational is None
    assert (ONE + root(2)).rational is None


@given(surds, surds, surds)
@SMALL
def test_surds_are_a_commutative_ring(a: Surd, b: Surd, c: Surd) -> None:
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a - a == ZERO


@given(surds)
@SMALL
def test_every_surd_but_zero_has_an_inverse(a: Surd) -> None:
    if a:
        assert a * a.inverse() == ONE
        assert a.inverse().inverse() == a


@given(surds, surds)
@SMALL
def test_equal_surds_have_equal_hashes(a: Surd, b: Surd) -> None:
    assert hash(a + b) == hash(b + a)
    assert hash(a - a) == hash(ZERO)


@given(surds, surds)
@SMALL
def test_surds_agree_with_sympy(a: Surd, b: Surd) -> None:
    x, y = sympy_of(a), sympy_of(b)
    assert sympy.expand((a * b + a).to_sympy() - (x * y + x)) == 0
    if a:
        assert sympy.expand(a.inverse().to_sympy() * x) == 1


def test_a_surd_cannot_be_changed() -> None:
    x = root(2)
    with pytest.raises(AttributeError):
        x.terms = ()
    with pytest.raises(AttributeError):
        del x.terms
    with pytest.raises(AttributeError):
        x.more = 1  # type: ignore[attr-defined]
