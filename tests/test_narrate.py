"""Worked lines of small cases, in the plain spelling of formulas: exact forms and their decimals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from narrated import TWO, headings, lines, page, paragraphs, remarks

from symattn.casefile.case_file import parse_case
from symattn.exact.decimal import Undecided
from symattn.exact.number import Exact
from symattn.narrate import numbers as narrate_numbers
from symattn.narrate.labels import labels
from symattn.narrate.numbers import Numbers, length
from symattn.result import work
from symattn.text.notation import Number, Quotient

CASES = sorted((Path(__file__).parent.parent / "cases").glob("*.toml"))


def test_worked_products_stand_in_index_order() -> None:
    assert lines(page(TWO), "S[") == [
        "S[1, 1] = 1*1 + 1*1 = 2",
        "S[1, 2] = 1*1 + 1*2 = 3",
        "S[2, 1] = 2*1 + 1*1 = 3",
        "S[2, 2] = 2*1 + 1*2 = 4",
    ]


def test_exact_form_and_decimal_stand_side_by_side() -> None:
    assert lines(page(TWO), "S'[1, 2]") == ["S'[1, 2] = 3 / sqrt(2) = (3 sqrt(2)) / 2 ≈ 2.1213"]


def test_the_matrix_of_scores_is_divided_by_the_root_of_d_k() -> None:
    assert lines(page(TWO), "S' = S")[0].startswith("S' = S / sqrt(d_k) = [[2, 3], [3, 4]] / sqrt(2) = ")


def test_a_zero_is_exact_and_gets_no_decimal() -> None:
    assert lines(page(TWO.replace("[[1, 1], [2, 1]]", "[[1, -1], [2, 1]]")), "S'[1, 1]") == [
        "S'[1, 1] = 0 / sqrt(2) = 0"
    ]


def test_two_keys_get_the_logistic_form_with_the_difference_of_scores() -> None:
    assert lines(page(TWO), "A[1, ") == [
        "A[1, 1] = e^sqrt(2) / D[1] = 1 / (1 + e^(sqrt(2) / 2)) ≈ 0.3302",
        "A[1, 2] = e^((3 sqrt(2)) / 2) / D[1] = 1 / (1 + e^(-sqrt(2) / 2)) ≈ 0.6698",
    ]


def test_the_output_of_two_keys_is_closed_and_a_constant_column_stays_exact() -> None:
    z = lines(page(TWO), "Z[1, ")
    assert z[0].endswith("≈ 1.6698")
    assert z[1].endswith("= 1")
    assert "≈" not in z[1]


def test_three_keys_share_one_denominator_for_each_row() -> None:
    three = TWO.replace("[1, 2]]\nV", "[1, 2], [0, 1]]\nV").replace("[2, 1, 1]]", "[2, 1, 1], [0, 3, 0]]")
    document = page(three)
    assert len(lines(document, "D[")) == 2
    assert all("/ D[1]" in line for line in lines(document, "A[1, "))
    assert all("/ D[1]" in line for line in lines(document, "Z[1, "))


def test_the_output_shows_its_worked_products_before_its_closed_form() -> None:
    assert lines(page(TWO), "Z[1, 1]") == [
        "Z[1, 1] = A[1, 1]*1 + A[1, 2]*2 = (1 + 2 e^(sqrt(2) / 2)) / (1 + e^(sqrt(2) / 2)) ≈ 1.6698"
    ]


def test_a_negative_fraction_stands_in_parentheses_as_a_factor() -> None:
    minus = TWO.replace("[[1, 1], [2, 1]]", '[["-2/7", 1], [2, 1]]')
    assert lines(page(minus), "S[1, 1]")[0].startswith("S[1, 1] = (-2 / 7)*1 + 1*1 = 5 / 7 ≈")


def test_fractions_among_the_values_are_cleared_from_the_output() -> None:
    thirds = TWO.replace("[[1, 1, 2], [2, 1, 1]]", '[["1/3"], ["pi/6"]]')
    assert lines(page(thirds), "Z[1, ")[0].split(" = ")[2].split(" ≈")[0] == (
        "(2 + pi e^(sqrt(2) / 2)) / (6 (1 + e^(sqrt(2) / 2)))"
    )


def test_a_numeral_has_the_same_places_in_its_matrix_and_in_its_working() -> None:
    half = TWO.replace("[[1, 1], [2, 1]]", "[[0.25, 0.5], [2, 1]]")
    assert lines(page(half), "S[1, ") == [
        "S[1, 1] = 0.25*1 + 0.5*1 = 0.75",
        "S[1, 2] = 0.25*1 + 0.5*2 = 1.25",
    ]
    assert lines(page(half), "S[2, ") == ["S[2, 1] = 2*1 + 1*1 = 3.00", "S[2, 2] = 2*1 + 1*2 = 4.00"]
    assert lines(page(half), "S'[2, 1]")[0].startswith("S'[2, 1] = 3.00 / sqrt(2) = ")


def test_the_exact_score_stands_between_the_division_and_the_decimal() -> None:
    scaled = page(TWO.replace("[[1, 1], [2, 1]]", "[[23, 33], [2, 1]]"))
    assert lines(scaled, "S'[1, 1]") == ["S'[1, 1] = 56 / sqrt(2) = 28 sqrt(2) ≈ 39.5980"]


def test_a_score_with_fractions_is_multiplied_and_not_stacked_over_the_divisor() -> None:
    scaled = page(TWO.replace("[[1, 1], [2, 1]]", '[["sqrt(2)/2", "sqrt(6)/2"], [2, 1]]'))
    assert lines(scaled, "S'[1, 1]")[0].startswith(
        "S'[1, 1] = 1 / sqrt(2)*(sqrt(2) / 2 + sqrt(6) / 2) = 1 / 2 + sqrt(3) / 2 ≈"
    )


def test_hidden_keys_have_no_exponential_and_no_weight() -> None:
    masked = page(TWO + '[attention]\nmask = "causal"\n')
    assert lines(masked, "A[1, ")[1] == "A[1, 2] = 0"
    assert "e^(-oo) = 0" in lines(masked, "e^S''[1, 2]")[0]
    assert lines(masked, "D[1]")[0].count("+") == 0


def test_another_base_gives_powers_of_that_base() -> None:
    threes = page(TWO + '[attention]\nscale = "1"\nbase = "3"\n')
    assert lines(threes, "3^S'[1, 1]") == ["3^S'[1, 1] = 3^2 = 9"]
    assert lines(threes, "D[1]") == ["D[1] = 9 + 27 = 36"]
    assert lines(threes, "A[1, 1]") == ["A[1, 1] = 9 / D[1] = 1 / 4 = 0.25"]


def test_a_base_that_is_a_fraction_stays_whole() -> None:
    halves = page(TWO + '[attention]\nscale = "1/3"\nbase = "1/2"\n')
    assert lines(halves, "A[1, 1]")[0].endswith(" = 1 / (1 + (1 / 2)^(1 / 3)) ≈ 0.5575")


def test_a_factor_that_is_no_division_is_written_before_the_scores() -> None:
    twice = page(TWO + '[attention]\nscale = "2"\n')
    assert "1  Scores S = Q K^T" in headings(twice)
    assert "2  Scaled scores S' = 2 S" in headings(twice)
    assert "scores are multiplied by 2" in paragraphs(twice)
    assert lines(twice, "S'[1, 1]") == ["S'[1, 1] = 2*2 = 4"]


def test_a_row_that_sees_no_key_has_weights_of_zero_and_no_order() -> None:
    blind = page(TWO + "[attention]\nmask = [[0, 0], [1, 1]]\n")
    assert lines(blind, "D[1]") == ["D[1] = 0"]
    assert lines(blind, "A[1, ") == ["A[1, 1] = 0", "A[1, 2] = 0"]
    assert [line for line in remarks(blind) if line.startswith("Order")] == [
        "Order: b attends most to itself. The weights are in the order of the scores."
    ]


def test_givens_print_as_typed_and_later_values_as_decimals() -> None:
    typed = page('title = "t"\n[given]\nX = [[0.50, "sqrt(2)"]]\nW_Q = [[0.5], ["cos(pi/3)"]]\n')
    assert lines(typed, "X = ") == ["X = [[0.50, sqrt(2)]]"]
    assert lines(typed, "Q[1, 1]") == [
        "Q[1, 1] = 0.50*0.5 + sqrt(2)*cos(pi / 3) = 0.25 + 0.5 sqrt(2) ≈ 0.9571"
    ]


def test_fractions_stay_fractions_where_no_decimal_point_was_typed() -> None:
    typed = page('title = "t"\n[given]\nX = [["1/2"]]\nW_Q = [["1/2"]]\n')
    assert lines(typed, "Q[1, 1]") == ["Q[1, 1] = 1 / 2*1 / 2 = 1 / 4 = 0.25"]


@pytest.mark.parametrize(
    ("value", "options", "digits"),
    [
        (Exact.of(Fraction(1, 3)), {}, "0.3333"),
        (Exact.of(Fraction(1, 10**9)), {}, "1.00e-9"),
        (Exact.of(Fraction(1, 3 * 10**9)), {}, "3.33e-10"),
        (Exact.of(Fraction(10**9, 3)), {}, "3.3333e8"),
        (Exact.of(Fraction(10**8, 3)), {}, "33333333.3333"),
        (Exact.of(Fraction(2, 3)), {"significant": 2}, "0.67"),
        (Exact.of(Fraction(2, 3)), {"digits": 1}, "0.7"),
    ],
)
def test_decimals_never_show_zero_for_what_is_not(value: Exact, options: Any, digits: str) -> None:
    decimal = Numbers(**options).decimal(value)
    assert decimal is not None
    assert decimal.digits == digits


def test_an_undecided_rounding_is_said_and_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(x: Exact, places: int, significant_digits: int | None) -> None:
        raise Undecided("the rounding")

    worked = work(parse_case(TWO))
    facts, check = worked.facts, worked.check
    assert facts
    assert check.agrees
    monkeypatch.setattr(narrate_numbers, "printed", give_up)
    told = remarks(worked.document(only=("scaled",), detail="some"))
    assert any(
        line.startswith("Note: The rounding of S'[1, 1], ") and "could not be decided" in line
        for line in told
    )


def test_symbols_have_no_decimals_and_the_head_says_so() -> None:
    symbolic = page('title = "t"\nsymbols = ["a"]\n[given]\nX = [["a"]]\nW_Q = [[2]]\n')
    assert "All values contain free symbols" in paragraphs(symbolic)
    assert lines(symbolic, "Q[1, 1]") == ["Q[1, 1] = a*2 = 2 a"]


def test_long_symbolic_scores_enter_the_softmax_as_a_named_difference() -> None:
    path = next(path for path in CASES if path.stem == "all_symbols")
    document = work(path).document(detail="some")
    assert lines(document, "A[1, 1]")[0].endswith("= 1 / (1 + e^delta_1)")
    assert lines(document, "delta_1 = ") == ["delta_1 = S'[1, 2] - S'[1, 1]"]
    assert any(line.startswith("sqrt(2) delta_1 = S[1, 2] - S[1, 1] = ") for line in lines(document))


def test_a_stacked_fraction_is_as_wide_as_its_wider_part() -> None:
    assert length(Quotient(Number("123"), Number("4"))) == 3
    assert length(Quotient(Number("123"), Number("4"), flat=True)) == 5


def test_a_loss_is_a_number_without_brackets_and_indices() -> None:
    page = work(parse_case('[given]\nZ = [[1, 2]]\n[attention]\nloss = "sum"\n')).text()
    assert "loss = ∑_(i j) Z = 1 + 2 = 3" in page


def test_the_mean_and_the_deviation_of_each_norm_have_their_own_marks() -> None:
    page = work(CASES[0].parent / "variants" / "encoder_post_norm.toml").text()
    assert "μ₁ = (R₁₁" in page
    assert "μ'₁ = (R'₁₁" in page


def test_equal_powers_are_one_term_and_rational_weights_need_no_divisor() -> None:
    document = page(
        """
title = "alike"
[given]
Q = [[1], [0]]
K = [[1], [1], [0]]
V = [[1], [2], [4]]
"""
    )
    assert lines(document, "D[1]")[0].startswith("D[1] = e + e + 1 = 2 e + 1 ")
    assert "(3 e + 4) / D[1]" in lines(document, "Z[1, 1]")[0]
    assert "D[2]" not in lines(document, "Z[2, 1]")[0]


def test_relative_biases_are_put_in_as_the_matrix_that_is_added() -> None:
    biased = TWO + 'relative = [["7", "0", "5"]]\n[attention]\nscale = "1"\npositions = "relative"\n'
    assert lines(page(biased), "B = ")[0].startswith("B = S' + r = [[2, 3], [3, 4]] + [[0, 5], [7, 0]] = ")
    turned = """
[given]
Q = [[1, 2], [1, 1]]
K = [[1, 1], [1, 2]]
relative = [[7], [0], [5]]
[attention]
scale = "1"
positions = "relative"
tokens_as = "columns"
"""
    assert "+ [[0, 7], [5, 0]] = " in lines(page(turned), "B = ")[0]


def test_the_root_mean_squares_of_queries_and_of_keys_have_their_own_names() -> None:
    normed = page(TWO + '[attention]\nqk_norm = "rms"\n')
    assert lines(normed, "rho_Q[1]") == ["rho_Q[1] = sqrt((1^2 + 1^2) / 2) = 1"]
    assert lines(normed, "rho_K[2]")[0].startswith("rho_K[2] = sqrt((1^2 + 2^2) / 2) = ")
    assert lines(normed, "Q_N[2, 1]")[0].startswith("Q_N[2, 1] = 2 / rho_Q[2] = ")


def test_a_closed_form_has_no_zeros_and_no_signs_that_nobody_writes() -> None:
    minus = TWO.replace("[[1, 1, 2], [2, 1, 1]]", '[[3.0], ["-4.5 - 4.5*sqrt(2)"]]')
    assert " = (3 - (4.5 + 4.5√2) e^" in work(parse_case(minus)).text()


def test_labels_of_tokens_are_visible_short_and_no_two_alike() -> None:
    long = "Donaudampfschifffahrtselektrizitätengesellschaft"
    names = labels(("the", " the", "the", "", "\n", "кошка", "кошке", long, long.replace("elek", "elec")))
    assert names[:7] == ("the (1)", "␣the", "the (3)", "(4)", r"\n", "кошка", "кошке")
    assert names[7:] == ("Donaudampfsc…llschaft (8)", "Donaudampfsc…llschaft (9)")
    assert labels(("a", "a", "a (1)")) == ("a (1) (1)", "a (2)", "a (1) (3)")


def test_a_label_is_shortened_between_the_characters_of_a_reader() -> None:
    assert labels(("e\u0301" * 30,))[0].startswith("é")
    short = labels(("क्षि" * 20,))[0]
    assert set(short.split("…")[0].replace("क्षि", "")) == set()
    assert set(short.split("…")[1].replace("क्षि", "")) == set()


def test_the_head_explains_what_labels_leave_out() -> None:
    case = TWO.replace('"a", "b"', f'" x", "{"ab" * 30}"')
    said = paragraphs(page(case))
    assert "In labels, ␣ is a space; abab" in said
    assert "ab" * 30 in said
    assert "In labels" not in paragraphs(page(TWO))


def test_the_style_of_a_number_follows_the_givens_that_it_comes_from() -> None:
    text = TWO.replace("V = [[1, 1, 2]", "V = [[0.5, 1, 2]")
    shown = work(parse_case(text)).text(detail="entries")
    assert "S'₁₁ = 2/√2 = √2 ≈" in shown
    assert "S'₁₂ = 3/√2 = 3√2/2 ≈" in shown
    assert "Z₁₁ = A₁₁·0.5 + A₁₂·2 = (0.5 + 2e^(√2/2))/(1 + e^(√2/2))" in shown
