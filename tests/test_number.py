"""Quotients of exponential sums: a field, with sines and cosines in it and minus infinity beside it."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy
from exact_numbers import SMALL, ball_holds, exacts, mp
from flint import ctx
from hypothesis import given
from sympy.printing.str import StrPrinter

from symattn.exact.decision import compare, equal
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.functions import cos, exp, log, pi, power, sin, sqrt, symbol, tanh
from symattn.exact.literal import read
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.exact.plain import brief, plain
from symattn.exact.substitution import free_symbols, substitute
from symattn.exact.surd import Surd
from symattn.exact.symbolic import coefficient
from symattn.text.errors import SymattnError, UndefinedValue


def of(value: int | str) -> Exact:
    return Exact.of(Fraction(value))


def test_exponentials_multiply_by_adding_their_exponents() -> None:
    half = exp(of("1/2"))
    assert half * half == exp(of(1))
    assert exp(of(3)) / exp(of(3)) == of(1)
    assert exp(of(1)) ** 2 - exp(of(2)) == of(0)
    assert exp(of(0)) == of(1)


def test_proportional_sums_cancel() -> None:
    a, b = exp(of(1)), exp(sqrt(of(2)))
    assert (of(3) * a + of(3) * b) / (a + b) == of(3)
    assert ((a + b) / (a + b)).rational == 1


def test_sine_and_cosine_of_algebraic_angles_obey_pythagoras() -> None:
    for angle in (of(1), of("2/3"), sqrt(of(2)), symbol("t")):
        s, c = sin(angle), cos(angle)
        assert s * s + c * c == of(1)
        assert sin(angle + angle) == of(2) * s * c


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("exp(2)*cos(1)", "exp(2)*cos(1)"),
        ("exp(2)*sin(1)/(1 + exp(3))", "exp(2)*sin(1)/(1 + exp(3))"),
        ("exp(2 + sin(1))*sin(1)", "exp(sin(1) + 2)*sin(1)"),
        ("sin(1)*cos(1)", "sin(2)/2"),
    ],
)
def test_sines_beside_exponentials_are_written_as_sines(typed: str, form: str) -> None:
    assert str(read(typed, {}).to_sympy()) == form


def test_a_long_denominator_that_numbers_share_is_printed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = []
    usual = StrPrinter._print_Add
    monkeypatch.setattr(StrPrinter, "_print_Add", lambda *a, **k: printed.append(a[1]) or usual(*a, **k))
    shared = exp(symbol("shared"))
    assert [plain(symbol(over) / (of(1) + shared)) for over in "ab"] == [
        "a/(exp(shared) + 1)",
        "b/(exp(shared) + 1)",
    ]
    assert len(printed) == 1


def test_angles_that_have_algebraic_sines() -> None:
    assert sin(pi() / of(6)) == of("1/2")
    assert cos(pi() / of(4)) == sqrt(of("1/2"))
    assert sin(of(0)) == of(0)


def test_tanh_is_a_quotient_of_exponentials() -> None:
    t = tanh(of(1))
    assert equal(t, (exp(of(2)) - of(1)) / (exp(of(2)) + of(1))) is True


def test_logarithms_and_exponentials_undo_each_other() -> None:
    assert exp(log(of(3))) == of(3)
    assert exp(of(2) * log(of(3))) == of(9)
    assert log(of(1)) == of(0)


@pytest.mark.parametrize(
    ("base", "exponent", "value"), [(3, "2", "9"), (3, "-2", "1/9"), (4, "1/2", "2"), (8, "1/3", "2")]
)
def test_powers(base: int, exponent: str, value: str) -> None:
    assert power(of(base), of(exponent)) == of(value)


def test_a_power_of_a_power_of_two_keys_stays_small() -> None:
    assert power(of(3), of(40)) == of(3**40)
    assert power(of(3), MINUS_INFINITY) == of(0)
    huge = power(of(3), of(10**7))
    assert plain(huge) == "Pow(3, 10000000, evaluate=False)"
    assert compare(huge, huge * of(3)) == -1
    assert equal(power(of(9), of(10**18)) * of(9), power(of(3), of(2 * 10**18 + 2))) is True


@pytest.mark.parametrize(
    "undefined",
    [
        lambda: of(1) / of(0),
        lambda: of(1) / (exp(of("1/2")) ** 2 - exp(of(1))),
        lambda: of(0) ** -1,
        lambda: sqrt(of(-1)),
        lambda: sqrt(of(1) - exp(of(1))),
        lambda: log(of(0)),
        lambda: log(of(-2)),
        lambda: log(of(1) - sqrt(of(2))),
        lambda: power(of(-2), of("1/3")),
        lambda: power(of(0), of("-1/2")),
        lambda: -MINUS_INFINITY,
        lambda: MINUS_INFINITY - MINUS_INFINITY,
        lambda: MINUS_INFINITY * of(0),
        lambda: MINUS_INFINITY * of(-1),
        lambda: of(1) / MINUS_INFINITY,
        lambda: sin(MINUS_INFINITY),
        lambda: cos(MINUS_INFINITY),
        lambda: log(MINUS_INFINITY),
        lambda: sqrt(MINUS_INFINITY),
        lambda: tanh(MINUS_INFINITY),
        lambda: substitute(of(1) / symbol("a"), [read("0", {}).rational]),
    ],
)
def test_what_mathematics_leaves_undefined_is_an_error_of_the_input(undefined: object) -> None:
    with pytest.raises(UndefinedValue):
        undefined()  # type: ignore[operator]


def test_a_division_by_a_number_that_is_zero_without_showing_it_is_refused() -> None:
    hidden = read("cos(pi/7) - cos(2*pi/7) + cos(3*pi/7) - 1/2", {})
    assert hidden == of(0)
    with pytest.raises(SymattnError):
        of(1) / hidden


def test_a_number_that_is_zero_without_showing_it_becomes_zero() -> None:
    # the roots of 1 + sqrt(2) and of sqrt(2) - 1 are reciprocal, which SymPy does not see
    product = sympy.sqrt(1 + sympy.sqrt(2)) * sympy.sqrt(sympy.sqrt(2) - 1)
    assert coefficient(product - 1) == Surd.of(0)


def test_minus_infinity_absorbs_sums_and_positive_factors() -> None:
    assert MINUS_INFINITY + of(5) == MINUS_INFINITY
    assert of(5) + MINUS_INFINITY == MINUS_INFINITY
    assert MINUS_INFINITY * (sqrt(of(2)) - of(1)) == MINUS_INFINITY
    assert exp(MINUS_INFINITY) == of(0)
    assert [x == of(0) for x in (MINUS_INFINITY,)] == [False]
    assert (of(0) == MINUS_INFINITY) is False


def test_free_symbols_are_found_by_name() -> None:
    x = exp(symbol("b") * sqrt(of(2))) / (of(1) + symbol("a"))
    assert free_symbols(x) == ("a", "b")
    with pytest.raises(HasSymbols):
        enclose(x, 64)


@given(exacts, exacts, exacts)
@SMALL
def test_exact_numbers_obey_the_laws_of_a_field(a: Exact, b: Exact, c: Exact) -> None:
    assert equal(a + b, b + a) is True
    assert equal(a * b, b * a) is True
    assert equal((a + b) + c, a + (b + c)) is True
    assert equal(a * (b + c), a * b + a * c) is True
    assert equal(a - a, of(0)) is True
    if b:
        assert equal(a / b * b, a) is True
        assert equal(b * b.inverse(), of(1)) is True


def test_products_of_sums_of_roots_are_those_of_sympy_without_its_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b = sympy.cbrt(2), sympy.cbrt(3)
    products = [(a + b) * (a - b + sympy.sqrt(2)), (a + b / 2) ** 2, a * (1 + a), b - a]
    expanded = [sympy.expand(x) for x in products]
    monkeypatch.setattr("sympy.expand", None)
    assert [coefficient(x).to_sympy() for x in products] == expanded


def test_quotients_and_high_powers_of_sums_are_multiplied_out_by_sympy() -> None:
    a, b = sympy.cbrt(2), sympy.cbrt(3)
    for x in (a / (a + b), (a + b) ** 40, sympy.log(2) * (a + b)):
        assert coefficient(x).to_sympy() == sympy.expand(x)


@given(exacts)
@SMALL
def test_equal_representations_have_equal_hashes(a: Exact) -> None:
    again = read(plain(a), {})
    there_and_back = a + of(1) - of(1)
    assert there_and_back != a or hash(there_and_back) == hash(a)
    minus = -a
    assert hash(-minus) == hash(a)
    assert equal(again, a) is True


@given(exacts)
@SMALL
def test_sympy_reads_the_plain_form_as_the_same_number(a: Exact) -> None:
    parsed = sympy.parse_expr(plain(a), evaluate=True)
    assert abs(parsed.evalf(60) - a.to_sympy().evalf(60)) < 1e-50
    with mpmath.workdps(60):
        assert abs(mp(a) - mpmath.mpmathify(parsed.evalf(60))) < 1e-50


@given(exacts)
@SMALL
def test_enclosures_hold_the_true_value_at_every_precision(a: Exact) -> None:
    before = ctx.prec
    with mpmath.workdps(400):
        value = mp(a)
    for bits in (24, 53, 64, 200, 1000):
        assert ball_holds(enclose(a, bits), value)
    assert enclose(a, 1000).rad() < 1e-200
    assert ctx.prec == before


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (of("109/100"), "109/100"),
        (sqrt(of(2)) * of("27/2"), "27*sqrt(2)/2"),
        (of(1) / (of(1) + exp(of(27) * sqrt(of(2)))), "1/(1 + exp(27*sqrt(2)))"),
        ((of(1) + sqrt(of(2))) / (of(1) + exp(of(1))), "(1 + sqrt(2))/(1 + exp(1))"),
        (-exp(of(1)) / (of(1) + exp(of(2))), "(-exp(1))/(1 + exp(2))"),
        ((of(1) - sqrt(of(2))) * exp(of(1)), "(1 - sqrt(2))*exp(1)"),
        (MINUS_INFINITY, "-oo"),
        (sin(of(1)), "sin(1)"),
    ],
)
def test_plain_forms(number: Exact, text: str) -> None:
    assert plain(number) == text
    assert brief(number, len(text)) == text
    assert brief(number, len(text) - 1) is None


def test_an_exact_number_cannot_be_changed() -> None:
    x = exp(of(1)) + of(1)
    with pytest.raises(AttributeError):
        x.over = x.under
    with pytest.raises(AttributeError):
        del x.over
    with pytest.raises(TypeError):
        x.over.by_exponent[next(iter(x.over.by_exponent))] = None  # type: ignore[index]
    with pytest.raises(AttributeError):
        symbol("a").algebraic.expression = 1  # type: ignore[union-attr, misc, assignment]


def test_denominators_that_differ_by_a_factor_are_one_denominator() -> None:
    """Both are the derivative of the logistic function: e^x/(1 + e^x)^2."""
    names = {name: symbol(name) for name in "xc"}
    forms = ("exp(x)/(1 + 2*exp(x) + exp(2*x))", "1/(2 + exp(x) + exp(-x))")
    first, second = (read(form, names) for form in forms)
    assert first - second == of(0)
    assert len((first + names["c"] * second).under.by_exponent) == 3
    assert read("(6*exp(3) + 3*exp(1))/(2 + exp(-2))", {}) == of(3) * exp(of(3))
