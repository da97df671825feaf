"""What is zero is decided in one place: hidden zeros are found, neighbours of zero are not taken for it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symattn.exact.algebraic import effort, set_effort
from symattn.exact.conditions import conditions
from symattn.exact.decision import compare, equal, is_zero
from symattn.exact.expression import number, product, root, total
from symattn.exact.functions import power, symbol
from symattn.exact.literal import read
from symattn.exact.named import Named
from symattn.exact.number import Exact
from symattn.exact.plain import plain
from symattn.exact.symbolic import Symbolic
from symattn.exact.trees import of_exact
from symattn.exact.zero import is_zero as zero_of


def value(text: str, *symbols: str) -> Exact:
    return read(text, {name: symbol(name) for name in symbols})


HIDDEN = [
    ("(2+sqrt(5))^(1/3)", "(1+sqrt(5))/2"),
    ("sqrt(2+3^(1/5))*sqrt(5+7^(1/3))", "sqrt((2+3^(1/5))*(5+7^(1/3)))"),
    ("sqrt((2^(1/3)+3^(1/3))^2)", "2^(1/3)+3^(1/3)"),
    ("2*cos(pi/41)*cos(2*pi/41)", "cos(3*pi/41)+cos(pi/41)"),
    ("sin(pi/5+1)", "sin(pi/5)*cos(1)+cos(pi/5)*sin(1)"),
    ("log(6)", "log(2)+log(3)"),
    ("sqrt(2)*log(2+sqrt(3))", "-sqrt(2)*log(2-sqrt(3))"),
    ("exp((2+sqrt(5))^(1/3))", "exp((1+sqrt(5))/2)"),
    ("exp(log(2)/3+1)", "2^(1/3)*e"),
    ("2^sqrt(2)*3^sqrt(2)", "6^sqrt(2)"),
    ("sin(pi*sqrt(2))^2", "1-cos(pi*sqrt(2))^2"),
]


@pytest.mark.parametrize(("left", "right"), HIDDEN)
def test_numbers_that_are_equal_without_showing_it_are_proved_equal(left: str, right: str) -> None:
    assert equal(value(left), value(right)) is True
    assert compare(value(left), value(right)) == 0


@pytest.mark.parametrize(("left", "right"), HIDDEN)
def test_a_neighbour_at_ten_to_the_minus_forty_is_not_taken_for_an_equal(left: str, right: str) -> None:
    neighbour = value(right) + value("1/10^20") * value("1/10^20")
    assert equal(value(left), neighbour) is False
    assert compare(value(left), neighbour) == -1


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(2+sqrt(5))^(1/3)*a", "a*(1+sqrt(5))/2"),
        ("(7+5*sqrt(2))^(1/3)*a", "a+a*sqrt(2)"),
        ("1/(a+b)+1/(a-b)", "2*a/(a^2-b^2)"),
        ("cos(2*a)", "1-2*sin(a)^2"),
    ],
)
def test_the_coefficients_of_symbols_are_decided_as_numbers_are(left: str, right: str) -> None:
    assert equal(value(left, "a", "b"), value(right, "a", "b")) is True
    assert equal(value(left, "a", "b"), value(right, "a", "b") + value("a/10^20", "a")) is False


def test_a_hidden_rational_is_kept_as_that_rational() -> None:
    assert value("(2+sqrt(5))^(1/3)-(sqrt(5)-1)/2").rational == 1
    assert value("cos(pi/7) - cos(2*pi/7) + cos(3*pi/7)").rational == Exact.of(1).rational / 2


def test_a_root_of_a_hidden_zero_is_zero() -> None:
    assert value("sqrt(log(6)-log(2)-log(3))") == Exact.of(0)
    assert value("sqrt((2+sqrt(5))^(1/3)-(1+sqrt(5))/2) + 1") == Exact.of(1)


def test_a_huge_power_stays_a_power_and_is_still_decided() -> None:
    x = Exact.of(10**18)
    seventh = power(Exact.of(4), x * value("1/7"))
    half = power(Exact.of(2), x * value("2/7"))
    assert plain(seventh) == "Pow(4, Rational(1000000000000000000, 7), evaluate=False)"
    assert equal(seventh, half) is True
    assert compare(seventh, half * Exact.of(2)) == -1


PRODUCTS_OF_LOGARITHMS = "log(3 + 2*sqrt(2))*log(5) - 2*log(1 + sqrt(2))*log(5)"


def test_what_no_theorem_reaches_is_undecided() -> None:
    assert is_zero(value(PRODUCTS_OF_LOGARITHMS)) is None
    assert compare(value(PRODUCTS_OF_LOGARITHMS), Exact.of(0)) is None


def test_an_undecided_denominator_is_a_condition_of_what_follows() -> None:
    quotient = value(f"1/({PRODUCTS_OF_LOGARITHMS})")
    ((kind, number),) = conditions(quotient)
    assert kind == "nonzero"
    assert number == value(PRODUCTS_OF_LOGARITHMS)
    assert list(conditions(value("1/(sqrt(2)-1)"))) == []
    assert list(conditions(value("1/(2^(1/3)+3^(1/3))"))) == []


def test_a_name_whose_definition_is_a_hidden_zero_is_undecided_until_it_is_put_in() -> None:
    name = Exact.of(Symbolic(Named("u", 0, 0, value("(2+sqrt(5))^(1/3)-(1+sqrt(5))/2"))))
    assert zero_of(of_exact(name)) is None
    assert is_zero(name) is True


def test_work_beyond_the_bound_is_left_undecided_and_done_with_more_effort() -> None:
    left, right = value("sqrt((2^(1/7)+3^(1/11))^2)"), value("2^(1/7)+3^(1/11)")
    before = effort()
    try:
        set_effort(100)
        assert equal(left, right) is None
        set_effort(100_000)
        assert equal(left, right) is True
    finally:
        set_effort(before)


def test_a_bound_that_is_too_large_would_take_a_neighbour_for_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the check: with a separation bound of 60 bits 2^(1/3) and its neighbour would be equal."""
    from symattn.exact import algebraic

    x = root(number(2), 3)
    near = total(x, product(number(-1), root(total(number(2), number(Fraction(1, 10**90))), 3)))
    assert zero_of(near) is False
    monkeypatch.setattr(algebraic, "separation_bits", lambda node: 60.0)
    again = total(
        product(number(2), x), product(number(-2), root(total(number(2), number(Fraction(1, 10**90))), 3))
    )
    assert zero_of(again) is True
