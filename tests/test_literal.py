"""Typed characters become exact numbers; everything else is refused with its column, and quickly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from symattn.exact.functions import cos, exp, log, sin, sqrt, symbol
from symattn.exact.literal import Binary, Call, Name, Numeral, Unary, numeral, parse, read
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.syntax import Node
from symattn.text.errors import (
    OutOfBounds,
    SymattnError,
    UndefinedSymbol,
    UndefinedValue,
    UnreadableExpression,
)

A, THETA = symbol("a"), symbol("theta")
NAMES = {"a": A, "theta": THETA}


def of(over: int, under: int = 1) -> Exact:
    return Exact.of(Fraction(over, under))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.10", Fraction(11, 10)),
        ("-0.5", Fraction(-1, 2)),
        ("−0.5", Fraction(-1, 2)),
        ("+3", Fraction(3)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1.5e-3", Fraction(3, 2000)),
        ("2.61E2", Fraction(261)),
        ("50%", Fraction(1, 2)),
        ("1_000.50", Fraction(2001, 2)),
        ("１．５％", Fraction(3, 200)),
        (" 7 ", Fraction(7)),
        ("1e64", Fraction(10**64)),
    ],
)
def test_a_numeral_is_the_rational_that_its_characters_say(text: str, value: Fraction) -> None:
    assert numeral(text) == value


@pytest.mark.parametrize("text", ["", "1.2.3", "1/2", "nan", "inf", "0x10", "1,5", "--1", "1__0", "一", "٣"])
def test_what_is_not_one_numeral_is_refused(text: str) -> None:
    with pytest.raises(UnreadableExpression, match="not a decimal number"):
        numeral(text)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9))
def test_every_plain_decimal_reads_as_itself(value: object) -> None:
    assert numeral(f"{value:f}") == Fraction(str(value))


def tree(text: str) -> Node:
    """What `parse` makes of it, without the columns."""

    def bare(node: Node) -> Node:
        inner = {
            name: part
            for name in ("left", "right", "operand", "argument")
            if (part := getattr(node, name, None))
        }
        return replace(node, column=0, **{name: bare(part) for name, part in inner.items()})

    return bare(parse(text))


def test_the_tree_keeps_the_characters_of_numerals() -> None:
    """1.10 and 1.1 are different numerals of the same number."""
    assert tree("1.10") == Numeral("1.10")
    assert tree("1_0.0") == Numeral("10.0")


def test_signs_bind_as_in_mathematics() -> None:
    one, two, three = Numeral("1"), Numeral("2"), Numeral("3")
    assert tree("1-2-3") == Binary("-", Binary("-", one, two), three)
    assert tree("1+2*3") == Binary("+", one, Binary("*", two, three))
    assert tree("1/2/3") == Binary("/", Binary("/", one, two), three)
    assert tree("-1^2") == Unary("-", Binary("^", one, two))
    assert tree("1^2**3") == Binary("^", one, Binary("^", two, three))
    assert tree("2^-1") == Binary("^", two, Unary("-", one))
    assert tree("√2*3") == Binary("*", Call("sqrt", two), three)
    assert tree("(1+2)*3") == Binary("*", Binary("+", one, two), three)
    assert tree("sqrt(2)") == tree("√2") == tree("√(2)") == tree("ｓｑｒｔ（２）")
    assert tree("W_Q*θ") == Binary("*", Name("W_Q"), Name("θ"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/3", of(1, 3)),
        ("0.1+0.2", of(3, 10)),
        ("2^3^2", of(512)),
        ("-2**2", of(-4)),
        ("2^-1", of(1, 2)),
        ("4^0.5", of(2)),
        ("4^(-3/2)", of(1, 8)),
        ("50%*3", of(3, 2)),
        ("1/sqrt(2)", sqrt(of(2)) * of(1, 2)),
        ("（1+√2）×2÷４", (of(1) + sqrt(of(2))) * of(1, 2)),
        ("−1·3", of(-3)),
        ("sin(pi/6)", of(1, 2)),
        ("tan(π/4)", of(1)),
        ("cos(1)", cos(of(1))),
        ("sin(1)^2+cos(1)^2", of(1)),
        ("e^2", exp(of(2))),
        ("exp(2)*E", exp(of(3))),
        ("e^(1/3)", exp(of(1, 3))),
        ("e^100", exp(of(100))),
        ("ln(e)", of(1)),
        ("log(2)", log(of(2))),
        ("2*a-a", A),
        ("sin(theta)", sin(THETA)),
        ("a^3", A * A * A),
    ],
)
def test_an_expression_has_its_exact_value(text: str, value: Exact) -> None:
    assert read(text, NAMES) == value


@pytest.mark.parametrize("text", ["-inf", "-oo", "-∞", "− ∞", "－inf"])
def test_minus_infinity_may_stand_alone(text: str) -> None:
    assert read(text, {}) is MINUS_INFINITY


UNREADABLE = [
    ("", "empty expression"),
    ("1+", '"1+": the expression ends too early at column 3'),
    ("1+*2", '"*" where it does not belong at column 3'),
    ("(1", '"(" is never closed at column 1'),
    ("1)", '")" where it does not belong at column 2'),
    ("2a", '"a" directly after "2" at column 2'),
    ("2 3", '"3" directly after "2" at column 3'),
    ("(1)(2)", '"(" directly after ")" at column 4'),
    ("a(2)", '"a" before a parenthesis is no function at column 1'),
    ("sqrt 2", "sqrt without its argument at column 1"),
    ("1,5", '"," at column 2 is no part'),
    ("3²", '"²" at column 2 is no part'),
    ("x²", '"²" at column 2 is no part'),
    ("__import__('os')", '"\'" at column 12 is no part'),
    ("factorial(10**7)", '"factorial" before a parenthesis is no function at column 1'),
    ("a.b", '"." at column 2 is no part'),
    ("[1]", '"[" at column 1 is no part'),
    ("lambda: 0", '":" at column 7 is no part'),
    ("1;2", '";" at column 2 is no part'),
    ("1\x00", "column 2 is no part"),
]


@pytest.mark.parametrize(("text", "said"), UNREADABLE)
def test_another_language_is_refused_with_the_column(text: str, said: str) -> None:
    with pytest.raises(UnreadableExpression) as caught:
        read(text, NAMES)
    assert said in caught.value.found
    assert caught.value.remedy


ABSURD = [
    ("9**9**9", "an exponent beyond 64 at column 2"),
    ("1e10000000", "the decimal exponent 10000000 at column 1"),
    ("1e65", "the decimal exponent 65"),
    ("1" * 61, "a numeral of 61 digits"),
    ("sqrt(" + "9" * 400 + ")", "a numeral of 400 digits at column 6"),
    ("sqrt(" + "9" * 4000 + ")", "an expression of 4006 characters"),
    ("sin(exp(exp(20)))", "an argument of exp beyond 1000 at column 5"),
    ("cos(pi*10^50)", "an argument of cos beyond 1000"),
    ("exp(-2000)", "an argument of exp beyond 1000"),
    ("2^a^9^9", "an exponent beyond"),
    ("(" * 60 + "1" + ")" * 60, "nested more than 40 deep at column 41"),
    ("-" * 60 + "1", "nested more than 40 deep"),
    ("2^" * 60 + "1", "nested more than 40 deep"),
    ("√" * 60 + "1", "nested more than 40 deep"),
    ("1+" * 120 + "1", "more than 200 numbers"),
    ("(10**59+1)**64", "a number too long to write down"),
    ("2^(1/4097)", "the 4097th root"),
    (
        "(sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)+sqrt(17)+sqrt(19)+sqrt(23))^64",
        "a product of sums",
    ),
    ("1/(sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13))", "more than 5 independent square roots"),
    ("sqrt(2+sqrt(2+sqrt(2+sqrt(2+sqrt(2)))))", "functions nested more than 3 deep"),
    ("(a+theta+1+exp(1))^64", "at column 19"),
    ("exp(10^20*log(1+10^-20))", "a number beyond 1000 inside an argument of exp at column 1"),
    ("(1+10^20*log(3))^pi", "a number beyond 1000 inside an argument of a power"),
    ("64^(a-10^20)", "an exponent beyond 64 at column 3"),
    ("exp(a-10^20)", "an argument of exp beyond 1000"),
    ("sin(sqrt(a)*sqrt(a+1)*(1/a+1)^5+log(a))", "an intricate argument of sin"),
]


@pytest.mark.parametrize(("text", "said"), ABSURD)
def test_what_would_take_for_ever_is_refused_before_it_is_computed(text: str, said: str) -> None:
    with pytest.raises(OutOfBounds) as caught:
        read(text, NAMES)
    assert said in caught.value.found
    assert len(caught.value.found) < 200
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1/0", '"1/0": a division by zero at column 2'),
        ("1/(a-a)", "a division by zero at column 2"),
        ("0^-1", "a division by zero at column 2"),
        ("tan(pi/2)", "a division by zero at column 1"),
        ("1+sqrt(-1)", "the square root of a negative number at column 3"),
        ("log(0)", "the logarithm of a number that is not positive at column 1"),
        ("inf", "infinity at column 1"),
        ("1-oo", "infinity at column 3"),
        ("nan", "not a number, at column 1"),
    ],
)
def test_what_mathematics_does_not_define_is_said_with_the_column(text: str, said: str) -> None:
    with pytest.raises(UndefinedValue) as caught:
        read(text, NAMES)
    assert said in caught.value.found


def test_an_undeclared_name_is_refused_and_the_nearest_suggested() -> None:
    with pytest.raises(UndefinedSymbol) as caught:
        read("1+thet", NAMES)
    assert caught.value.found == '"1+thet": the name thet at column 3 is not declared'
    assert caught.value.remedy == (
        'did you mean theta? (add it to the symbols of the case: symbols = ["thet"])'
    )


@given(st.text("0123456789.+-*/^()√a episnqrtxlogco%_×", max_size=40))
@example("a^a^a")
def test_any_text_has_a_value_or_one_clear_message(text: str) -> None:
    try:
        outcome = repr(type(read(text, NAMES)))
    except SymattnError as problem:
        outcome = problem.found
    assert outcome
    assert "\n" not in outcome


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("½", "1/2"),
        ("-⅓", "-1/3"),
        ("2√2", "2*sqrt(2)"),
        ("2√2/3", "(2*sqrt(2))/3"),
        ("½√3", "sqrt(3)/2"),
        (r"\frac{1}{2}", "1/2"),
        ("\frac{1}{2}", "1/2"),
        (r"\frac{\sqrt{3}}{2}", "sqrt(3)/2"),
        (r"2\cdot\left(1+\pi\right)", "2*(1+pi)"),
        (r"e^{-1}", "exp(-1)"),
    ],
)
def test_numbers_are_read_as_people_type_them(typed: str, plain: str) -> None:
    """Fractions of Unicode, roots without a sign before them, and LaTeX, also where TOML read its \\f."""
    assert read(typed, {}) == read(plain, {})


@pytest.mark.parametrize("text", ["1/2√2", "3^2√2", "2½", r"\frac12", r"\alpha", r"\frac{1}{2", "2{3}"])
def test_what_has_two_readings_or_none_is_refused(text: str) -> None:
    """Never a guess."""
    with pytest.raises(UnreadableExpression):
        parse(text)
