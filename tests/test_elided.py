"""What a page may leave out: its head, and the zeros and ones of worked sums."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import symattn
from once import work

from symattn.narrate.elided import without_zeros_and_ones
from symattn.text.notation import Formula, Negative, Number, Product, Quotient, Sum, Symbol

CASE = Path(__file__).parent.parent / "cases" / "thinking_machines.toml"
PAGES = ("--text", "--markdown", "--html", "--latex", "--typst", "--slides")
x = Symbol("x")


def numbers(*digits: str) -> Product:
    return Product(tuple(map(Number, digits)), "dot")


@pytest.mark.parametrize(
    ("formula", "left"),
    [
        (Sum((numbers("1", "0"), numbers("2", "1"))), Number("2")),
        (Sum((numbers("2", "3"), numbers("1", "4"))), Sum((numbers("2", "3"), Number("4")))),
        (Sum((numbers("0", "1"), numbers("0", "0"))), Number("0")),
        (Sum((Number("1"), Negative(Product((Number("0.0"), x))))), Number("1")),
        (Quotient(Product((Number("1.0"), x)), Number("1")), Quotient(x, Number("1"))),
        (Sum((Number("1"), x)), Sum((Number("1"), x))),
    ],
)
def test_terms_with_a_zero_and_factors_of_one_are_left_out(formula: Formula, left: Formula) -> None:
    assert without_zeros_and_ones(formula) == left


def test_a_rounded_one_is_a_number_like_others() -> None:
    rounded = Sum((numbers("1.0000", "2"), numbers("0.0000", "1")))
    assert without_zeros_and_ones(rounded, exact=False) == Sum((numbers("1.0000", "2"), Number("0.0000")))


def test_zeros_and_ones_are_left_out_by_choice_only() -> None:
    assert "Q₂₁ = 1 + 1 = 2\n" in symattn("derive", CASE, "--elide").stdout
    assert "Q₂₁ = 1·1 + 0·0 + 1·1 = 2\n" in symattn("derive", CASE).stdout


def test_a_value_that_is_left_alone_stands_once() -> None:
    assert "Q₁₁ = 1 = 1" not in (page := work(CASE).text(detail="entries", elide=True))
    assert "Q₁₁ = 1\n" in page


@pytest.mark.parametrize("form", PAGES)
def test_a_page_without_head_has_no_title_source_and_conventions(form: str) -> None:
    whole, page = (symattn("derive", CASE, form, *more).stdout for more in ((), ("--no-head",)))
    for words in ("a worked example", "Conventions: ", "correctly rounded"):
        assert words in whole
        assert words not in page
    assert "Thinking Machines" not in page
    assert "Givens" in page


def test_json_has_no_head_to_leave_out() -> None:
    for option in ("--no-head", "--elide"):
        refused = symattn("derive", CASE, "--json", option)
        assert refused.returncode == 2
        assert f"{option}: JSON has no page" in refused.stderr
