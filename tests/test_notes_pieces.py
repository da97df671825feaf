"""Formulas whose matrices are drawn with pieces of brackets are read on the line of their signs."""

from __future__ import annotations

import pytest
from test_notes_grammar import said
from test_notes_judged import judged

LABELLED = """
                          我    爱
           ⎡2.0  2.8⎤   我 ⎡1.0  1.4⎤
    (1/2)  ⎢2.6  4.4⎥ = 爱 ⎢1.3  2.2⎥
           ⎣3.0  4.7⎦   猫 ⎣1.5  2.35⎦
"""
UNEQUAL = """
                ⎡0.5  0.25⎤      a      b
    ⎡1  2  3⎤   ⎢0.5  0.75⎥   a ⎡3.0  3.25⎤
    ⎣0  1  0⎦ · ⎣0.5  0.5 ⎦ = b ⎣0.5  0.75⎦
"""
CLOSED = "    ⎡ 2(e - 1)  3/2⎤ᵀ         ⎛⎡1⎤⎞\n    ⎣-√2 + 1    0  ⎦  = softmax⎝⎣2⎦⎠\n"


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (LABELLED, "mul(div(1, 2), 2 2.8 2.6 4.4 3 4.7[3, 2]) = 1 1.4 1.3 2.2 1.5 2.35[3, 2]"),
        (UNEQUAL, "mul(1 2 3 0 1 0[2, 3], 0.5 0.25 0.5 0.75 0.5 0.5[3, 2]) = 3 3.25 0.5 0.75[2, 2]"),
        (
            CLOSED,
            "T(list(list(mul(2, sub(e, 1)), div(3, 2)), list(add(neg(sqrt(2)), 1), 0))) = softmax(1 2[2, 1])",
        ),
        ("    ⎡1  2⎤\nA = ⎢3   ⎥ = 1 + 1 = 2\n    ⎣4  5⎦", "a = ? = add(1, 1) = 2"),
    ],
)
def test_matrices_side_by_side_are_one_formula(text: str, statement: str) -> None:
    assert said(text, "text") == [statement]


def test_a_wrong_entry_of_a_drawn_product_is_accused() -> None:
    found = judged(UNEQUAL.replace("3.25", "3.75"), "text")
    assert [numeral for numeral, verdict in found if verdict == "slip"] == ["3.75"]


def test_an_exponent_has_its_primes_and_indices() -> None:
    assert said("e^S''₁₂ = e^U₁₂ ≈ 2.5") == ["exp(s''_12) = exp(u_12) ≈ 2.5"]


def test_what_latex_does_not_show_is_not_read() -> None:
    text = r"\left[\negthinspace\begin{array}{r} 2\phantom{.5} \\ 1.5 \end{array}\negthinspace\right] = 3"
    assert said(text) == ["2 1.5[2, 1] = 3"]


def test_an_upper_index_in_raised_brackets_is_no_power() -> None:
    assert said("S'⁽²⁾₁₂ = Q⁽²⁾") == ["s'_2_12 = q_2"]


def test_blocks_and_the_numbers_of_sections_are_no_expressions() -> None:
    assert said("4.2  Weights of each query\n\nA =\n██ 0.75  ░░ 0.25\n   0.125    0.875\n", "text") == [
        "a = 0.75 0.25 0.125 0.875[2, 2]"
    ]


def test_e_is_a_number_unless_the_document_calls_something_so() -> None:
    assert judged("D = e + 1 ≈ 3.718") == [("3.718", "correct")]
    assert judged("e = 0.5\n\nD = e + 1 ≈ 3.718") != [("3.718", "correct")]


def test_a_function_in_another_column_is_not_multiplied_by_the_label_of_its_row() -> None:
    assert said("q2  ln(8) ≈ 2.0794", "text") == ["log(8) ≈ 2.0794"]


def test_nested_brackets_abreast_are_one_formula_on_the_line_of_its_signs() -> None:
    text = "[[1.5, 2],     [[0.5],      [[3.5],\n [0, 1]]    @   [1.25]]  =   [1.25]]\n"
    assert said(text, "text") == ["mul(1.5 2 0 1[2, 2], 0.5 1.25[2, 1]) = 3.5 1.25[2, 1]"]
