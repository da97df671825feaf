"""Marks of HTML, wiki text, Pandoc, knitr and TensorFlow around numbers say nothing and hide nothing."""

from __future__ import annotations

import pytest

from symattn.reading.kinds import Kind
from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.markup import undressed
from tests.linked import given

GIVEN = "X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\n"


def linked(text: str, kind: Kind = "markdown") -> list[tuple[str, int, tuple[tuple[str, ...], ...]]]:
    (case,) = read_notes(text, "a", kind).cases
    return [(claim.name, claim.row, tuple(claim.values)) for claim in case.stated]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("q<sub>1</sub> = [1, 2]", "q_1           = [1, 2]"),
        ("QK<sup>T</sup>", "QK^T          "),
        ("a <b>4</b> <br/>", "a    4          "),
        ("1 <2 and 3> 2", "1 <2 and 3> 2"),
        (r"\item<2-> $s=1$", r"\item     $s=1$"),
        (r"\only<1,3>{x} \begin{block}<4->", r"          {x} \begin{block}    "),
        (r"\begin{itemize}[<+->] 2", r"\begin{itemize}       2"),
        (r"$s \alpha<2$ and $3>1$", r"$s \alpha<2$ and $3>1$"),
        ("x\n::: {.cell}\ny", "x\n           \ny"),
        ("```\n## [1] 2\n```", "```\n   [1] 2\n```"),
        ("## A heading\n1", "## A heading\n1"),
        ("Q = [1] *(2 marks)*", "Q = [1]  (2 marks) "),
        ("2 *(3 + x)* y", "2 *(3 + x)* y"),
        ("z = 0.7 × [1, 0]  (cat)\n  + 0.3 × [0, 1]", "z = 0.7 × [1, 0]       \n  + 0.3 × [0, 1]"),
        ("  + 0.3 × [0, 1]  # sat\n  = [0.7, 0.3]", "  + 0.3 × [0, 1]       \n  = [0.7, 0.3]"),
        ("z = [0.7, 0.3]  (cat)\nand", "z = [0.7, 0.3]  (cat)\nand"),
    ],
)
def test_marks_are_blanks_of_the_same_length(text: str, plain: str) -> None:
    assert undressed(text) == plain


@pytest.mark.parametrize(
    "said",
    [
        "q<sub>1</sub> = <b>[1, 2]</b> <br>",
        "<li>\\(q_1 = \\begin{pmatrix}1 & 2\\end{pmatrix}\\)</li>",
        "$q_{1} \\overset{\\text{def}}{=} (\\num{1},\\ \\phantom{-}\\num{2})$",
        "$$q_1 = (1, 2) \\label{eq:1} \\tag{3.4}$$",
        "$q^{(1)} = (1, 2)$",
    ],
)
def test_a_vector_is_read_in_its_dress(said: str) -> None:
    assert linked(GIVEN + said) == [("Q", 0, (("1", "2"),))]


@pytest.mark.parametrize(
    "printed",
    [
        "::: {.cell}\n```{python}\nprint(Q)\n```\n\n::: {.cell-output .cell-output-stdout}\n```\n"
        "[[1 2]\n [3 4]]\n```\n:::\n:::\n",
        "```python\nQ\n```\n\n```\n<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\n"
        "array([[1., 2.],\n       [3., 4.]], dtype=float32)>\n```\n",
    ],
)
def test_what_a_program_printed_is_read_within_its_fences(printed: str) -> None:
    assert [(name, row) for name, row, _ in linked(GIVEN + printed)] == [("Q", 0)]


def test_formulas_a_wide_space_apart_are_two() -> None:
    text = "$$X = \\begin{pmatrix}1 & 0\\\\0 & 1\\end{pmatrix} \\qquad W_Q = \\begin{pmatrix}1 & 2\\\\3 & 4"
    assert linked(text + "\\end{pmatrix}$$\n\n$$Q = \\begin{pmatrix}1 & 2\\\\3 & 4\\end{pmatrix}$$") == [
        ("Q", 0, (("1", "2"), ("3", "4")))
    ]


@pytest.mark.parametrize(
    ("cat", "sat"),
    [('("cat")', '("sat")'), ("← cat", "← sat"), ("# cat", "# sat"), ("// from cat", "// from sat")],
)
def test_a_sum_goes_on_behind_a_remark_at_the_end_of_its_line(cat: str, sat: str) -> None:
    text = (
        f"V = [[1.0, 0.5], [0.5, 1.0]]\n\n```\nz_1 = 0.67 × [1.0, 0.5]   {cat}\n"
        f"    + 0.33 × [0.5, 1.0]   {sat}\n    = [0.835, 0.665]\n```\n"
    )
    read = linked(f"Q = [[1, 0]]\nK = [[1, 0], [0, 1]]\n{text}")
    assert ("A", 0, (("0.67", "0.33"),)) in read
    assert {number for name, _, rows in read if name == "Z" for row in rows for number in row} == {
        "0.835",
        "0.665",
    }


@pytest.mark.parametrize(
    "said", ["2. *Given* Q = [[1, 0]]", "*Solution.* Q = [[1, 0]]", "The *query matrix* Q = [[1, 0]]"]
)
def test_words_that_are_stressed_multiply_nothing(said: str) -> None:
    assert given(f"{said}\n\nK = [[1, 0], [0, 1]]\n\nscores = [[1, 0]]\n", "Q") == (("1", "0"),)


@pytest.mark.parametrize("told", ["> (Q <- X %*% WQ)", "> X %*% WQ", "> Q"])
def test_a_matrix_of_r_is_what_the_line_above_it_makes(told: str) -> None:
    printed = f"{told}\n     [,1] [,2]\n[1,]    1    2\n[2,]    3    4\n> \n"
    assert linked(f"{GIVEN}{printed}") == [("Q", 0, (("1", "2"), ("3", "4")))]
