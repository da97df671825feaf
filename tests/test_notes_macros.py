"""Commands that a document defines for itself, with and without arguments."""

from __future__ import annotations

import pytest

from symattn.reading.notes.formulas.tokens import MOST_EXPANDED, tokens
from symattn.reading.notes.reader import read_notes

MAT = r"\newcommand{\mat}[1]{\begin{bmatrix}#1\end{bmatrix}}" "\n"


def claimed(text: str) -> list[tuple[str, str, int]]:
    """Every claimed number with its quantity and its column in the text."""
    return [
        (claim.name, number, place.column)
        for case in read_notes(text, None, "latex").cases
        for claim in case.stated
        for numbers, places in zip(claim.values, claim.places, strict=True)
        for number, place in zip(numbers, places, strict=True)
        if place is not None
    ]


def test_numbers_in_the_argument_of_a_macro_stand_where_they_are_typed() -> None:
    text = (
        MAT
        + "$X = \\mat{1 & 0 \\\\ 0 & 1}$\n\n$W_Q = \\mat{1 & 2 \\\\ 3 & 4}$\n\n"
        + "$Q = \\mat{1 & 2 \\\\ 3 & 4}$\n"
    )
    assert claimed(text) == [("Q", "1", 11), ("Q", "2", 15), ("Q", "3", 20), ("Q", "4", 24)]


def test_a_macro_may_take_several_arguments_and_stand_in_another() -> None:
    text = (
        "\\newcommand{\\dk}{d_k}\n\\newcommand{\\scaledby}[2]{\\frac{#1}{\\sqrt{#2}}}\n"
        + MAT
        + "$d_k = 4$\n\n"
        "$S = \\mat{4 & 6}$\n\n$\\scaledby{S}{\\dk} = \\mat{2 & 3}$\n"
    )
    assert [(name, number) for name, number, _ in claimed(text)] == [("scaled", "2"), ("scaled", "3")]


def test_a_macro_may_dress_the_letters_it_is_given() -> None:
    text = (
        "\\newcommand{\\mat}[1]{\\bm{#1}}\n"
        "$\\mat{X} = \\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}$\n\n"
        "$\\mat{W}_Q = \\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}$\n\n"
        "$\\mat{Q} = \\mat{X}\\mat{W}_Q = \\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}$\n"
    )
    assert [(name, number) for name, number, _ in claimed(text)] == [("Q", each) for each in "1234"]


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\mat}[1]{\begin{bmatrix}#1\end{bmatrix}}",
        r"\renewcommand*{\R}{3.14}",
        r"\def\half{0.5}",
        "\\newcommand{\\two}{\n  2.5 % twice\n}",
    ],
)
def test_what_a_definition_says_is_no_number_of_the_document(definition: str) -> None:
    assert read_notes(definition + "\n", None, "latex").numerals == 0


@pytest.mark.parametrize(
    "text",
    [
        MAT + "$\\mat$",
        MAT + "$\\mat{1 & 2$",
        "\\newcommand{\\loop}[1]{\\loop{#1 #1}}\n$\\loop{1}$",
        "\\mat{#1}",
    ],
)
def test_a_macro_used_wrongly_or_without_end_is_survived(text: str) -> None:
    assert read_notes(text, None, "latex").cases == ()


@pytest.mark.parametrize(
    ("definitions", "use"),
    [
        ("\\newcommand{\\a}{\\b\\b}\n\\newcommand{\\b}{" + "1 + " * 90 + "1}\n", "\\a"),
        ("\\newcommand{\\d}[1]{" + "#1" * 100 + "}\n", "\\d{\\d{1 + 1}}"),
    ],
)
def test_macros_expand_in_proportion_to_the_document(definitions: str, use: str) -> None:
    text = definitions + f"${use}$\n" * 400
    assert len(tokens(text, "latex")) < 4 * len(text) + 2 * MOST_EXPANDED
