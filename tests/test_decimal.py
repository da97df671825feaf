"""Decimals are correctly rounded, with ties away from zero, and say whether they are the number itself."""

from __future__ import annotations

import random
from decimal import ROUND_HALF_UP
from decimal import Context as Places
from decimal import Decimal as Digits
from fractions import Fraction

import mpmath
import pytest
from exact_numbers import SMALL, exacts, fraction, mp
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.decimals import judged
from symattn.casefile.case_file import parse_case
from symattn.exact.decimal import (
    Decimal,
    Undecided,
    printed,
    round_ball,
    rounded,
    rounded_matrices,
    rounded_matrix,
    significant,
)
from symattn.exact.enclosure import HasSymbols
from symattn.exact.functions import exp, log, power, symbol
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.weighted import Weighted
from symattn.result import work
from symattn.text.errors import UndefinedValue


def value(text: str) -> Exact:
    return read(text, {})


@pytest.mark.parametrize(
    ("text", "places", "digits", "exact"),
    [
        ("1.09", 2, "1.09", True),
        ("1/3", 4, "0.3333", False),
        ("0.125", 2, "0.13", False),
        ("-0.125", 2, "-0.13", False),
        ("2.5", 0, "3", False),
        ("-2.5", 0, "-3", False),
        ("-0.004", 2, "0.00", False),
        ("sqrt(2)", 4, "1.4142", False),
        ("-sqrt(2)", 4, "-1.4142", False),
        ("1/(1 + exp(-1))", 4, "0.7311", False),
        ("exp(-100)", 4, "0.0000", False),
        ("-exp(-100)", 4, "0.0000", False),
        ("exp(50)", 1, "5184705528587072464087.5", False),
        ("cos(pi/7) - cos(2*pi/7) + cos(3*pi/7)", 2, "0.50", True),
        ("sin(1)^2 + cos(1)^2", 2, "1.00", True),
        ("pi", 30, "3.141592653589793238462643383280", False),
    ],
)
def test_places(text: str, places: int, digits: str, exact: bool) -> None:
    assert rounded(value(text), places) == Decimal(digits, exact)


@pytest.mark.parametrize(
    ("text", "digits", "printed"),
    [
        ("1/(1 + exp(27*sqrt(2)))", 3, "2.61e-17"),
        ("-1/(1 + exp(27*sqrt(2)))", 3, "-2.61e-17"),
        ("exp(50)", 4, "5.185e21"),
        ("9.996", 3, "10.0"),
        ("0.09996", 3, "0.100"),
        ("1000", 2, "1000"),
        ("0.001", 2, "0.0010"),
        ("1 - exp(-60)", 5, "1.0000"),
        ("1 - exp(-60)", 30, "0.999999999999999999999999991243"),
        ("1 + exp(-60)", 30, "1.00000000000000000000000000876"),
        ("exp(log(10))", 3, "10.0"),
        ("sqrt(99.99)", 3, "10.0"),
        ("0", 4, "0"),
        ("exp(1)^2 - exp(2)", 4, "0"),
        ("123456", 4, "123500"),
        ("12345678901", 3, "1.23e10"),
        ("10^40", 1, "1e40"),
    ],
)
def test_significant_digits(text: str, digits: int, printed: str) -> None:
    assert significant(value(text), digits).digits == printed


def test_a_tie_hidden_in_exponentials_is_found_and_rounds_away_from_zero() -> None:
    # opaque parts that cancel to 1/2048 without showing it
    small = value("cos(pi/7)/1024 - cos(2*pi/7)/1024 + cos(3*pi/7)/1024")
    assert small.rational is None
    assert rounded(small, 10) == Decimal("0.0004882813", False)
    assert rounded(-small, 10) == Decimal("-0.0004882813", False)
    assert rounded(small, 11) == Decimal("0.00048828125", True)
    assert significant(small, 7) == Decimal("0.0004882813", False)
    weights = value("(exp(1) + exp(1/2))*5/(8*exp(1/2)*(exp(1/2) + 1))")
    assert rounded(weights, 2) == Decimal("0.63", False)


@pytest.mark.parametrize("side", [1, -1])
def test_a_value_next_to_a_tie_goes_to_its_own_side(side: int) -> None:
    tiny = exp(Exact.of(-70)) * Exact.of(side)  # 4e-31
    near = Exact.of(Fraction(1, 8)) + tiny
    assert rounded(near, 2).digits == ("0.13" if side > 0 else "0.12")
    assert rounded(-near, 2).digits == ("-0.13" if side > 0 else "-0.12")
    assert significant(near, 2).digits == ("0.13" if side > 0 else "0.12")


def test_numbers_with_thousands_of_digits_before_the_point_are_rounded() -> None:
    digits = rounded(value("exp(1)") ** 7000, 2).digits
    with mpmath.workdps(3100):
        expected = mpmath.exp(7000)
        assert abs(mpmath.mpf(digits) - expected) <= mpmath.mpf("0.005")


@pytest.mark.parametrize(
    ("x", "printed_as"),
    [
        (exp(Exact.of(50000)), "5.2978e21714"),
        (-exp(Exact.of(50000)), "-5.2978e21714"),
        (power(Exact.of(10), Exact.of(20000)), "1.0000e20000"),
        (power(Exact.of(10), Exact.of(10**60)), f"1.0000e{10**60}"),
        (power(Exact.of(10), Exact.of(20000)) * Exact.of(Fraction(-1, 3)), "-3.3333e19999"),
        (Exact.of(10**200), "1.0000e200"),
        (Exact.of(10**200 - 1), "9" * 200 + ".0000"),
        (exp(Exact.of(-50000)), "0.0000"),
    ],
)
def test_more_than_200_digits_before_the_point_become_a_power_of_ten(x: Exact, printed_as: str) -> None:
    assert printed(x, 4).digits == printed_as


def test_powers_are_printed_as_mpmath_has_them() -> None:
    rng = random.Random(4)
    for _ in range(60):
        base, exponent = rng.choice([2, 7, 10]), Fraction(rng.randint(-(10**6), 10**6), rng.choice([1, 3, 7]))
        with mpmath.workdps(60):
            true = mpmath.mpf(base) ** (mpmath.mpf(exponent.numerator) / exponent.denominator)
            digits = printed(power(Exact.of(base), Exact.of(exponent)), 4).digits
            unit = mpmath.mpf(10) ** max(-4, mpmath.floor(mpmath.log10(true)) - 4 if "e" in digits else -4)
            assert abs(mpmath.mpf(digits) - true) <= unit / 2
            assert ("e" in digits) == (true >= mpmath.mpf(10) ** 200)


def test_what_is_too_close_to_zero_for_its_magnitude_has_decimals() -> None:
    near_zero = log(Exact.of(1) + exp(Exact.of(-(10**9))))
    with pytest.raises(Undecided):
        significant(near_zero, 3)
    assert printed(near_zero, 4).digits == "0.0000"
    assert printed(near_zero, 4, 3).digits == "0.000"


def test_symbols_have_no_decimals() -> None:
    with pytest.raises(HasSymbols):
        rounded(symbol("a"), 2)
    with pytest.raises(HasSymbols):
        significant(symbol("a"), 2)


def test_minus_infinity_has_no_decimals() -> None:
    with pytest.raises((Undecided, UndefinedValue)):
        rounded(MINUS_INFINITY, 2)


def test_a_ball_rounds_only_where_all_of_it_rounds_alike() -> None:
    assert round_ball(arb("1.23", "0.001"), 2) == 123
    assert round_ball(arb("-1.23", "0.001"), 2) == -123
    assert round_ball(arb("1.235", "0.001"), 2) is None


def test_a_whole_matrix_rounds_as_its_entries_do() -> None:
    texts = ["1/8", "sqrt(2)", "-exp(-90)", "1/8 + exp(-70)", "1/8 - exp(-70)", "sin(1)^2 + cos(1)^2"]
    matrix = Matrix.of([[value(text) for text in texts]])
    decimals = rounded_matrix(matrix, 2)
    assert [decimal.digits for decimal in decimals[0]] == ["0.13", "1.41", "0.00", "0.13", "0.12", "1.00"]
    assert list(decimals) == [[rounded(entry, 2) for entry in row] for row in matrix.rows()]


def test_scores_the_weights_over_them_and_their_outputs_are_rounded_together() -> None:
    scores = Matrix.rational([[1, 0], [2**300, 2**300 - 1]])
    weights = Weighted(scores, normalised=True)
    matrices = (scores, scores, weights, weights.T, weights @ Matrix.rational([[10**20], [-(10**20)]]))
    for made, matrix in zip(rounded_matrices(matrices, 15), matrices, strict=True):
        assert list(made) == [[printed(x, 15) for x in row] for row in matrix.rows()]


@pytest.mark.parametrize("ball", ["2.5", "-2.5", "0.5", "-0.5"])
def test_a_ball_of_one_point_half_way_rounds_away_from_zero(ball: str) -> None:
    assert round_ball(arb(ball)) == {"2.5": 3, "-2.5": -3, "0.5": 1, "-0.5": -1}[ball]


@pytest.mark.parametrize("digits", [1, 2, 4, 9])
def test_json_page_and_html_round_ties_of_both_signs_alike(digits: int) -> None:
    """The first row of Z is the mean of two rows, in which ties are dyadic: their enclosures are exact."""
    odd = random.Random(digits).sample(range(1, 200, 2), 4)
    ties = [sign * Fraction(k, 2 ** (digits + 1)) for k in odd for sign in (1, -1)]
    case = f"[given]\nQ = [[0], [1]]\nK = [[0], [1]]\nV = [{[str(2 * t) for t in ties]}, {[0] * len(ties)}]"
    worked = work(parse_case(case))
    away = [by_hand(t, digits) for t in ties]
    assert [decimal.digits for decimal in rounded_matrix(worked["Z"], digits)[0]] == away
    assert [rounded(x, digits).digits for x in next(worked["Z"].rows())] == away
    z = next(step for step in worked.data(digits=digits)["steps"] if step["name"] == "Z")
    assert z["decimal"][0] == away
    page, html = worked.text(digits=digits, width=400), worked.html(digits=digits)
    for tie, expected in zip(ties, away, strict=True):
        assert f" {expected}" in page
        assert f">{expected.lstrip('-')}<" in html
        towards_zero = by_hand(tie - tie / 10**12, digits)
        assert towards_zero in away or (f" {towards_zero}" not in page and f">{towards_zero}<" not in html)


def by_hand(x: Fraction, places: int) -> str:
    """The schoolbook rounding of a rational, by integers alone."""
    doubled = 2 * abs(x) * 10**places
    nearest = (doubled.numerator // doubled.denominator + 1) // 2
    text = str(nearest).rjust(places + 1, "0")
    sign = "-" if x < 0 and nearest else ""
    return sign + (f"{text[:-places]}.{text[-places:]}" if places else text)


@given(exacts, st.integers(0, 12))
@SMALL
def test_rounding_agrees_with_two_hundred_digits(x: Exact, places: int) -> None:
    before = ctx.prec
    with mpmath.workdps(200):
        true = fraction(mp(x)) if x.rational is None else Fraction(int(x.rational.p), int(x.rational.q))
    assert rounded(x, places).digits == by_hand(true, places)
    assert ctx.prec == before


@given(exacts, st.integers(1, 12))
@SMALL
def test_significant_digits_agree_with_two_hundred_digits(x: Exact, digits: int) -> None:
    if not x:
        return
    with mpmath.workdps(200):
        true = fraction(mp(x)) if x.rational is None else Fraction(int(x.rational.p), int(x.rational.q))
    long = Places(prec=190).divide(Digits(true.numerator), Digits(true.denominator))
    short = Places(prec=digits, rounding=ROUND_HALF_UP).plus(long)
    assert Digits(significant(x, digits).digits) == short


@given(st.integers(-99, 99), st.integers(0, 3), st.sampled_from([1, -1]), st.integers(60, 90))
@SMALL
def test_values_right_beside_ties_round_to_their_own_side(n: int, places: int, side: int, depth: int) -> None:
    tie = Fraction(2 * n + 1, 2 * 10**places)
    near = Exact.of(tie) + exp(Exact.of(-depth)) * Exact.of(side)
    assert rounded(near, places).digits == by_hand(tie + Fraction(side, 10**20), places)


@pytest.mark.parametrize("exponent", [38, 39, 40, 41, 45, 60])
def test_the_magnitude_of_a_huge_exponential_is_known_to_the_digit(exponent: int) -> None:
    x = exp(Exact.of(10**exponent))
    with mpmath.workdps(exponent + 30):
        power = mpmath.mpf(10) ** exponent / mpmath.log(10)
        magnitude = int(mpmath.floor(power))
        digits = mpmath.nstr(mpmath.mpf(10) ** (power - magnitude), 3)
    assert significant(x, 3).digits == f"{digits}e{magnitude}"
    assert significant(exp(Exact.of(-(10**exponent))), 3).digits.endswith(f"e-{magnitude + 1}")


def test_a_number_closer_to_a_tie_than_any_precision_shows_goes_to_its_own_side() -> None:
    tiny = exp(Exact.of(-(10**60)))
    half = Exact.of(Fraction(1, 2))
    weight = half / (Exact.of(1) + tiny)  # 1/2 - e^(-10^60)/2 + ...
    assert rounded(weight, 0).digits == "0"
    assert rounded(-weight, 0).digits == "0"
    assert rounded(half + tiny, 0).digits == "1"
    assert rounded(-half - tiny, 0).digits == "-1"


def test_a_tie_far_from_the_point_rounds_away_from_zero() -> None:
    far = power(Exact.of(10), Exact.of(10**40))
    assert significant(Exact.of(25) * far, 1) == Decimal(f"3e{10**40 + 1}", False)
    assert significant(Exact.of(-25) * far, 1) == Decimal(f"-3e{10**40 + 1}", False)
    assert significant(Exact.of(25) * far, 2) == Decimal(f"2.5e{10**40 + 1}", True)


def test_decimals_of_every_magnitude_agree_with_mpmath() -> None:
    """A small run of the benchmark, which printed a million digits; exponents of e reach 10^60."""
    found = list(judged(seed=3, most=20_000))
    assert [(kind, printed) for kind, printed, right in found if not right] == []
    assert len(found) > 500


def test_pages_and_json_have_a_decimal_for_what_overflows_every_float() -> None:
    case = """[given]
scaled = [[1000, 0], [20000, 0]]
V = [[1], [2]]
[attention]
base = "10"
"""
    worked = work(parse_case(case))
    steps = {step["name"]: step for step in worked.data()["steps"]}
    assert steps["exp"]["decimal"] == [["1.0000e1000", "1.0000"], ["1.0000e20000", "1.0000"]]
    assert "≈ 1.0000e20000" in worked.text()


def test_an_entropy_close_to_zero_has_a_decimal() -> None:
    worked = work(parse_case('[given]\nscaled = [["1/2", -1000000000]]\nV = [[1], [2]]\n'))
    (entropy,) = (fact for fact in worked.data()["facts"] if fact["kind"] == "entropy")
    assert entropy["decimal"] == "0.0000"
    page = " ".join(worked.text(detail="some").split())
    assert "≈ 0.0000 is the entropy of the weights" in page
