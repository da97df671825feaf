"""Closed forms as a person would print them: cancelled, in order, and alike for equal values."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy
from evaluate import evaluate

from symattn.exact.decision import sign
from symattn.exact.forms.normal import normal_form
from symattn.exact.functions import cos, exp, log, sin, sqrt, symbol
from symattn.exact.named import Named
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.exact.surd import Surd
from symattn.exact.symbolic import coefficient
from symattn.text.notation import Formula, Negative, Power, Product, Quotient, Sum
from symattn.typeset.ansi import SOFT_BREAK
from symattn.typeset.text import text_formula
from symattn.typeset.text_maths import Setter


def q(n: int, d: int = 1) -> Exact:
    return Exact.of(Fraction(n, d))


ROOT2, ROOT3 = Exact.of(Surd.root(2)), Exact.of(Surd.root(3))
A, B = symbol("a"), symbol("b")
E1, E2, E3 = exp(q(1)), exp(q(2)), exp(q(3))


def line(form: Formula) -> str:
    """The form as one line of a terminal."""
    return Setter(tall=False).box(form).lines[0].replace(SOFT_BREAK, "")


def agrees(form: Formula, x: Exact) -> bool:
    """Whether SymPy finds the same number to 60 digits, with rationals for the symbols."""
    found, expected = evaluate(form).to_sympy(), x.to_sympy()
    free = sorted(found.free_symbols | expected.free_symbols, key=str)
    point = {s: sympy.Rational(-3 - k, 7) for k, s in enumerate(free)}
    a, b = (e.subs(point).evalf(70) for e in (found, expected))
    return bool(abs(a - b) <= sympy.Float(10, 30) ** -60 * max(abs(a), 1))


@pytest.mark.parametrize(
    ("x", "printed"),
    [
        (E1 / (q(2) * E1 + E2), "1/(2 + e)"),
        (E2 / (E1 + E2), "1/(1 + e^(-1))"),
        (E1 / (q(3) + E1), "e/(3 + e)"),
        (exp(ROOT2) * q(2) + exp(ROOT2), "3e^(√2)"),
        (sqrt(q(1) + q(2) * E1 + E2), "1 + e"),
        (-log(E2 / (E1 + E2)), "ln(1 + e^(-1))"),
        (log(E2 + E3), "ln(e^2 + e^3)"),
        (log(q(8)), "ln(8)"),
        ((q(8, 15) * E1 - q(2, 5) * E2 + q(2, 3)) / (q(2) * E1 + E2), "2(5 + 4e - 3e^2)/(15e (2 + e))"),
        (q(6, 5) - exp(q(-1)), "6/5 - e^(-1)"),
        ((E2 - q(1)) / (E1 - q(1)), "1 + e"),
        (E3 + q(1) + E1, "1 + e + e^3"),
        (exp(A) / (exp(A) + exp(A + A)), "1/(1 + e^a)"),
        (A * A * B - A * B * B, "a b (a - b)"),
        (sin(q(1)) * sin(q(1)) + cos(q(1)) * cos(q(1)), "1"),
        (sin(q(2)) / cos(q(1)), "2 sin(1)"),
        (q(1, 2) * cos(q(1)) - q(1, 2) * sin(q(1)), "cos(1)/2 - sin(1)/2"),
        (q(1) / (ROOT2 + ROOT3 * E1), "1/(√2 + √3 e)"),
        ((q(1) + ROOT2 * E1) / (ROOT3 + E1), "(1 + √2 e)/(e + √3)"),
        (sqrt(q(1) + q(2) * E2 + ROOT2 * q(2) * E1), "1 + √2 e"),
        ((exp(A) + ROOT2) / (exp(A) * ROOT3 - B), "(e^a + √2)/(√3 e^a - b)"),
    ],
)
def test_a_form_is_what_a_person_would_print(x: Exact, printed: str) -> None:
    assert line(spell(x)) == printed
    assert agrees(spell(x), x)


def test_the_root_of_a_square_of_unknown_sign_is_no_polynomial() -> None:
    assert agrees(spell(sqrt(A * A)), sqrt(A * A))


def random_sum(draw: random.Random) -> Exact:
    total = q(0)
    for _ in range(draw.randint(1, 4)):
        c = q(draw.choice([-3, -2, -1, 1, 2, 3, 4]), draw.choice([1, 1, 2, 5]))
        total = total + c * exp(q(draw.randint(-3, 3)) + ROOT2 * q(draw.randint(0, 1), 2))
    return total


@pytest.mark.parametrize("seed", range(20))
def test_equal_quotients_print_alike_and_have_nothing_in_common_above_and_below(seed: int) -> None:
    draw = random.Random(seed)
    over, under, factor = random_sum(draw), random_sum(draw), random_sum(draw)
    if not (over and under and factor):
        return
    x, y = over / under, (over * factor) / (under * factor)
    assert normal_form(x) == normal_form(y)
    assert spell(x) == spell(y)
    assert agrees(spell(x), x)
    assert all(_common_factor(part) == 1 for part in _quotients(spell(x)))


def sum_with_roots(draw: random.Random) -> Exact:
    total = q(0)
    for k in range(draw.randint(2, 3)):
        total = total + (q(draw.randint(1, 3)) + ROOT2 * q(draw.randint(-2, 2)) + ROOT3) * exp(q(k))
    return total


@pytest.mark.parametrize("seed", range(8))
def test_a_quotient_of_sums_with_roots_is_printed_without_their_conjugates(seed: int) -> None:
    draw = random.Random(seed)
    over, under, factor = sum_with_roots(draw), sum_with_roots(draw), sum_with_roots(draw)
    form = spell((over * factor) / (under * factor))
    assert agrees(form, over / under)
    (printed,) = _quotients(form)
    for side, given in ((printed.over, over), (printed.under, under)):
        assert _degree(evaluate(side)) <= _degree(given)


@pytest.mark.parametrize("seed", range(8))
def test_roots_and_logarithms_of_squares_of_sums_with_roots_print_as_these_do(seed: int) -> None:
    draw = random.Random(seed)
    over, under = sum_with_roots(draw), sum_with_roots(draw)
    over = over if sign(over) == 1 else -over
    assert spell(sqrt(over * over) / under) == spell(over / under)
    assert spell(log(over * over)) == spell(log(over) + log(over))
    assert agrees(spell(log(over * over)), log(over * over))


F, G, H = q(1) + ROOT2 * E1, q(2) + ROOT3 + E2, q(3) + E1


@pytest.mark.parametrize(
    ("x", "same", "printed"),
    [
        (log(F * H), log(F) + log(H), "ln(3 + e + √2 e (3 + e))"),
        (log(F * G) - log(G), log(F), "ln(1 + √2 e)"),
        (log(F / G), log(F) - log(G), "ln((1 + √2 e)/(2 + e^2 + √3))"),
        (log(q(1) / G), -log(G), "-ln(2 + e^2 + √3)"),
        (log((G + E1 * ROOT3) ** 3), log(G + E1 * ROOT3) * q(3), "3 ln(2 + e^2 + √3 + √3 e)"),
        (log(F * F * G), log(F) * q(2) + log(G), "2 ln(1 + √2 e) + ln(2 + e^2 + √3)"),
        (log(F * sqrt(G)), log(F) + log(G) / q(2), "ln(1 + √2 e) + ln(2 + e^2 + √3)/2"),
        (log(E2 + ROOT2 * E3), log(F) + q(2), "ln(1 + √2 e) + 2"),
        (log((E1 - q(5)) / (E2 - q(8))), log(q(5) - E1) - log(q(8) - E2), "ln((5 - e)/(8 - e^2))"),
        (log(sqrt(H)), log(H) / q(2), "ln(3 + e)/2"),
        (log(sqrt(F) * H), log(F) / q(2) + log(H), "ln(3 + e) + ln(1 + √2 e)/2"),
        (log(H**9 * G), log(H) * q(9) + log(G), "9 ln(3 + e) + ln(2 + e^2 + √3)"),
        (log(H**9 * (E1 + q(5))), log(H) * q(9) + log(E1 + q(5)), "9 ln(3 + e) + ln(5 + e)"),
    ],
)
def test_logarithms_are_split_over_factors_with_roots(x: Exact, same: Exact, printed: str) -> None:
    assert normal_form(x) == normal_form(same)
    assert line(spell(x)) == line(spell(same)) == printed
    assert agrees(spell(x), x)


@pytest.mark.parametrize(
    ("x", "same", "printed"),
    [
        (sqrt(H * H * G), H * sqrt(G), "√(2 + e^2 + √3) (3 + e)"),
        (sqrt(F * F * G), F * sqrt(G), "√(2 + e^2 + √3) (1 + √2 e)"),
        (sqrt(G**3), G * sqrt(G), "√(2 + e^2 + √3) (2 + e^2 + √3)"),
        (sqrt(F * G), sqrt(F) * sqrt(G), "√(2 + e^2 + 2√2 e + √2 e^3 + √3 + √6 e)"),
        (sqrt(F * G) * sqrt(G * H), G * sqrt(F * H), "√(1 + √2 e) (√(3 + e) (2 + e^2) + √(9 + 3e))"),
        (ROOT2 * sqrt(G), sqrt(G * q(2)), "√(4 + 2e^2 + 2√3)"),
        ((q(1) + ROOT3) * sqrt(F), sqrt(F * (q(1) + ROOT3) ** 2), "√(4 + 4√2 e + 2√3 + 2√6 e)"),
        (
            sqrt(F * F * G / (H * H * H)),
            F / H * sqrt(G / H),
            "√(2 + e^2 + √3) (√(3 + e) + √(6 + 2e) e) / (3 + e)²",
        ),
    ],
)
def test_squares_come_out_of_roots_of_sums_with_roots(x: Exact, same: Exact, printed: str) -> None:
    assert normal_form(x) == normal_form(same)
    assert spell(x) == spell(same)
    assert line(spell(x)) == printed
    assert agrees(spell(x), x)


def test_sums_that_are_not_factored_because_of_long_coefficients_are_printed() -> None:
    a, many = exp(q(1)), q(10**20)
    x = (many * a + q(1)) * (a - q(1)) / (a * a + q(1))
    assert agrees(spell(x), x)


def _quotients(form: Formula) -> list[Quotient]:
    match form:
        case Quotient(over=over, under=under):
            return [form, *_quotients(over), *_quotients(under)]
        case Sum(terms=parts) | Product(factors=parts):
            return [found for part in parts for found in _quotients(part)]
        case Negative(term=part) | Power(base=part):
            return _quotients(part)
    return []


def _degree(x: Exact) -> int:
    """As a polynomial in e."""
    return max(int(sympy.degree(term, sympy.E)) for term in sympy.Add.make_args(sympy.expand(x.to_sympy())))


def _common_factor(quotient: Quotient) -> sympy.Expr:
    """What both sides have in common as polynomials in x = e^(1/2) and y = e^(√2/2)."""
    x, y = sympy.symbols("x y", positive=True)
    sides = []
    for side in (quotient.over, quotient.under):
        total = sympy.expand(evaluate(side).to_sympy())
        table = {}
        for power in total.atoms(sympy.exp) | {sympy.E}:
            exponent = sympy.expand(power.as_base_exp()[1])
            half = exponent.coeff(sympy.sqrt(2)) * 2
            table[power] = x ** ((exponent - half * sympy.sqrt(2) / 2) * 2) * y**half
        sides.append(sympy.expand(total.xreplace(table)))
    low = [
        min(term.as_coeff_exponent(z)[1] for side in sides for term in side.as_ordered_terms())
        for z in (x, y)
    ]
    shifted = [sympy.expand(side * x ** max(-low[0], 0) * y ** max(-low[1], 0)) for side in sides]
    return sympy.gcd(*shifted)


@pytest.mark.parametrize("x", [E1 + q(1), (E1 + E2 + q(2)) / (E1 + q(1)), exp(ROOT2) + E2 + ROOT2])
def test_logarithms_of_sums_are_what_sympy_makes_of_them(x: Exact) -> None:
    made = log(x) * (ROOT2 - q(3)) - q(1, 2)
    expected = sympy.log(x.to_sympy()) * (sympy.sqrt(2) - 3) - sympy.Rational(1, 2)
    assert abs((made.to_sympy() - expected).evalf(60)) < 1e-50
    assert agrees(spell(made), made)
    assert log(x) - log(x) == q(0)
    assert (log(x) * E1).to_sympy() == sympy.expand(sympy.log(x.to_sympy()) * sympy.E, log=False)


def test_what_is_known_of_a_number_is_not_known_of_another_of_its_name() -> None:
    """The closed form of a root has the sign of this number, whatever another case calls so."""
    for value, form in ((2, "a₁₁ + 1"), (-2, "-a₁₁ - 1"), (3, "a₁₁ + 1")):
        named = Exact.of(coefficient(Named("a", 0, 0, Exact.of(value))))
        square = named * named + Exact.of(2) * named + Exact.of(1)
        assert text_formula(spell(sqrt(square))) == form
