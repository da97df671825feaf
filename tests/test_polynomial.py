"""Polynomials in symbols are those of SymPy, without SymPy."""

from __future__ import annotations

import pickle
from fractions import Fraction
from functools import reduce
from operator import mul

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from symattn.exact import polynomial
from symattn.exact.functions import sqrt, symbol
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.exact.substitution import substitute
from symattn.exact.surd import Surd
from symattn.exact.symbolic import Polynomial, coefficient, named_symbol
from symattn.many.workers import packed

TERMS = st.lists(
    st.tuples(
        st.fractions(-3, 3, max_denominator=4),
        st.sampled_from([-2, -1, 1, 2, 3, 6]),
        st.lists(st.sampled_from("xyz"), max_size=3),
    ),
    min_size=1,
    max_size=4,
)
POLYNOMIALS = TERMS.map(
    lambda terms: sum(
        (
            reduce(mul, map(symbol, names), Exact.of(Surd.root(root)) * Exact.of(q))
            for q, root, names in terms
        ),
        Exact.of(0),
    )
)


@given(POLYNOMIALS, POLYNOMIALS)
def test_sums_and_products_are_what_sympy_expands(a: Exact, b: Exact) -> None:
    p, q = a.to_sympy(), b.to_sympy()
    for found, written in ((a + b, p + q), (a - b, p - q), (a * b, p * q)):
        assert found == Exact.of(coefficient(written))
        assert hash(found) == hash(Exact.of(coefficient(written)))
        assert found.to_sympy() == written.expand()


@given(st.lists(st.tuples(POLYNOMIALS, POLYNOMIALS), min_size=2, max_size=4))
def test_an_entry_of_a_matrix_product_is_the_sum_of_its_products(pairs: list[tuple[Exact, Exact]]) -> None:
    pairs += [(-a, b) for a, b in pairs[:2]]  # cancels
    row, column = Matrix.of([[a for a, _ in pairs]]), Matrix.of([[b] for _, b in pairs])
    assert (row @ column)[0, 0] == sum((a * b for a, b in pairs), Exact.of(0))


def test_what_cancels_to_a_number_is_a_number() -> None:
    x, root = symbol("x"), sqrt(Exact.of(2))
    assert (x * root + root - x * root).algebraic == Surd.root(2)
    assert not (x + root) * (x - root) - x * x + Exact.of(2)


@given(POLYNOMIALS)
def test_numbers_for_some_symbols_are_what_sympy_substitutes(a: Exact) -> None:
    found = substitute(a, {"x": fmpq(2, 3), "y": fmpq(-1)})
    values = {symbol(name).to_sympy(): q for name, q in (("x", Fraction(2, 3)), ("y", -1))}
    assert found.to_sympy() == a.to_sympy().subs(values).expand()


def test_a_polynomial_is_not_written_by_sympy_until_somebody_asks() -> None:
    product = (named_symbol("x") + Surd.of(1)) * (named_symbol("y") + named_symbol("x"))
    assert isinstance(product, Polynomial)
    assert not hasattr(product, "_written")
    assert product.addends == 4


def test_a_polynomial_from_another_process_has_the_roots_of_this_one() -> None:
    long = (10**6 + 3) * (10**6 + 33)  # no prime of it is small
    known = Surd.root(long).terms[0][0]
    other = Polynomial({known * 1_299_709**2: {("x",): fmpq(1)}})
    assert pickle.loads(packed(other)) == named_symbol("x") * Surd.of(1_299_709) * Surd.root(long)
    assert polynomial.over_roots({-2: {("x",): fmpq(3)}}) == {-2: {("x",): fmpq(3)}}
