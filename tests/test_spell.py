"""Closed forms in neutral notation: they say the number, and say it as a person would."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from evaluate import evaluate
from exact_numbers import SMALL, exacts
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from symattn.exact import spell as spelling
from symattn.exact.decision import equal
from symattn.exact.forms import normal
from symattn.exact.forms.tree import spell_name
from symattn.exact.functions import symbol
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.spell import spell
from symattn.exact.symbolic import coefficient
from symattn.exact.weighted import Weighted
from symattn.text.notation import (
    Call,
    Formula,
    Infinity,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
)
from symattn.typeset import latex_maths
from symattn.typeset.latex_maths import latex_formula

E = Symbol("e")
NAMES = ("a", "b", "x_11", "theta_k")


def value(text: str) -> Exact:
    return read(text, {name: symbol(name) for name in NAMES})


def n(digits: int | str) -> Number:
    return Number(str(digits))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("3", n(3)),
        ("-3", n(-3)),
        ("3/4", Quotient(n(3), n(4))),
        ("-3/4", Negative(Quotient(n(3), n(4)))),
        ("sqrt(2)", Root(n(2))),
        ("3*sqrt(2)/2", Quotient(Product((n(3), Root(n(2)))), n(2))),
        ("1 - sqrt(2)", Sum((n(1), Negative(Root(n(2)))))),
        ("exp(1)", E),
        ("exp(2)", Power(E, n(2))),
        ("-exp(1/2)", Negative(Power(E, Quotient(n(1), n(2), flat=True)))),
        ("1/(1 + exp(-1))", Quotient(n(1), Sum((n(1), Power(E, n(-1)))))),
        ("sin(1)", Call("sin", (n(1),))),
        ("-2*cos(1)", Negative(Product((n(2), Call("cos", (n(1),)))))),
        ("sin(-1)", Negative(Call("sin", (n(1),)))),
        ("0", n(0)),
        ("x_11", Symbol("x", sub=n(11))),
        ("theta_k", Symbol("theta", sub=Symbol("k"))),
        ("a*b", Product((Symbol("a"), Symbol("b")))),
        ("-a/2", Negative(Quotient(Symbol("a"), n(2)))),
        ("pi/3", Quotient(Symbol("pi"), n(3))),
    ],
)
def test_numbers_as_a_person_writes_them(text: str, formula: Formula) -> None:
    assert spell(value(text)) == formula


def test_minus_infinity_is_a_sign() -> None:
    assert spell(MINUS_INFINITY) == Negative(Infinity())


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("1.09", n("1.09")),
        ("-1/8", n("-0.125")),
        ("1/3", Quotient(n(1), n(3))),
        ("27*sqrt(2)/10", Product((n("2.7"), Root(n(2))))),
        ("3*a/2", Product((n("1.5"), Symbol("a")))),
    ],
)
def test_decimals_where_the_inputs_were_decimals(text: str, formula: Formula) -> None:
    assert spell(value(text), "decimal") == formula


def test_terms_come_in_the_order_of_their_exponents() -> None:
    formula = spell(value("exp(3)/(exp(3) + exp(1) + exp(2))"))
    assert formula == Quotient(Power(E, n(2)), Sum((n(1), E, Power(E, n(2)))))


def test_names_with_digits_and_underscores_get_an_index() -> None:
    assert spell_name("x11") == Symbol("x", sub=n(11))
    assert spell_name("alpha") == Symbol("alpha")
    assert spell_name("w_q") == Symbol("w", sub=Symbol("q"))


TEXTS = [
    "sin(1)*cos(2) - sin(sqrt(2))/3",
    "sin(1)*exp(2)",
    "sin(a) + cos(a)^2",
    "exp(a)*sin(b)",
    "(1 - sqrt(2))*exp(1) + exp(-sqrt(3)/2)",
    "a^2/3 - 2*a*b + 1/b",
    "(a - b)/sqrt(2)",
    "exp(a*b/2 - 1)/(exp(a) + exp(-b))",
    "sqrt(a^2 + 1)",
    "2^(1/3) - pi^2/6",
    "log(3)*x_11 - sqrt(pi)",
    "exp(pi*sqrt(163))",
    "1/(sqrt(2) + sqrt(3)) - sqrt(2 + 2^(1/3))",
    "cos(pi/5)*a",
    "tan(1)",
    "a^(3/2) + a^-2",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("style", ["fraction", "decimal"])
def test_a_spelled_number_evaluates_to_itself(text: str, style: str) -> None:
    x = value(text)
    assert equal(evaluate(spell(x, style)), x) is True  # type: ignore[arg-type]


@given(exacts)
@SMALL
def test_random_numbers_evaluate_to_themselves(x: Exact) -> None:
    assert equal(evaluate(spell(x)), x) is True
    assert equal(evaluate(spell(x, "decimal")), x) is True


def test_a_power_that_sympy_makes_no_quotient_of_stays_a_power() -> None:
    """Its exponent is negative as it is written, but nobody knows of what sign: it once never ended."""
    a, b = sympy.symbols("a b", real=True)
    found = spell(Exact.of(coefficient(2 ** (-a - b))))
    assert isinstance(found, Power)
    assert found.base == n(2)


ROWS = st.lists(st.fractions(-2, 2, max_denominator=10**6), min_size=3, max_size=5, unique=True)


@given(ROWS, st.integers(1, 9))
def test_entries_of_a_row_are_written_as_each_alone_is(row: list[Fraction], factor: int) -> None:
    weights = Weighted(Matrix.rational([row]), normalised=True)
    mixed = weights @ Matrix.rational([[k * factor - 2, 1 + k] for k in range(len(row))])
    entries = [*next(weights.rows()), *next(mixed.rows())]
    together = [(spell(x), latex_formula(spell(x))) for x in entries]
    for x, found in zip(entries, together, strict=True):
        for cache in (normal.normal_form, normal._one_over, spelling._denominator):
            cache.cache_clear()
        latex_maths.LATEX.shared.clear()
        alone = spell(x)
        assert found == (alone, latex_formula(alone))


def test_what_is_below_the_entries_of_a_row_is_written_once() -> None:
    weights = Weighted(Matrix.rational([[fmpq(k * k, 10**6) for k in (1, 2, 1009)]]), normalised=True)
    mixed = weights @ Matrix.rational([[1, 3], [2, 5], [4, 9]])
    one, other = (spell(x) for x in next(mixed.rows()))
    assert isinstance(one, Quotient)
    assert isinstance(other, Quotient)
    assert one.under is other.under
