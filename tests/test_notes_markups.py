"""Formulas of Typst and MathML, formulas that were copied twice, and what consoles print around matrices."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.characters import normalise
from tests.linked import accused, given, linked

GIVEN = "X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\n"
MADE = [("Q", 0, (("1", "2"), ("3", "4")))]
TABLE = (
    "<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
    "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>]</mo>"
)
FORMULAS = {
    "Typst": "$ Q &= X W_Q approx mat(1, 2; 3, 4) \\\n  d_k &= 2 $\n",
    "Typst with a delimiter": '$ Q = X W_Q = mat(delim: "[", 1, 2; 3, 4) $\n',
    "MathML": (
        "<math><mrow><mi>Q</mi><mo>=</mo><mi>X</mi><msub><mi>W</mi><mi>Q</mi></msub><mo>=</mo>"
        f"{TABLE}</mrow></math>\n"
    ),
    "KaTeX": (
        '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>Q</mi></mrow>'
        '<annotation encoding="application/x-tex">Q = '
        "\\begin{bmatrix} 1 &amp; 2 \\\\ 3 &amp; 4 \\end{bmatrix}"
        '</annotation></semantics></math></span><span class="katex-html"><span>Q=</span><span>7</span></span>'
        "</span>\n"
    ),
    "twice": (
        "Q=XWQ=[1324]Q = XW_Q = \\begin{bmatrix}1 & 2 \\\\ 3 & 4\\end{bmatrix}"
        "Q=XWQ\u200b=[13\u200b24\u200b]\n"
    ),
    "shown again": ">>> Q = X @ W_Q; Q\ntensor([[1, 2],\n        [3, 4]])\n",
    "spaced out": "In [5]: Q = X*W_Q; Q\nOut[5]:\n⎡1  2⎤\n⎢    ⎥\n⎣3  4⎦\n",
    "with a point": "Q = ⎡ 1  2 ⎤ .\n    ⎣ 3  4 ⎦\n",
}


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
def test_a_formula_is_read_in_every_markup(formula: str) -> None:
    assert linked(GIVEN + formula) == MADE


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
def test_every_character_keeps_its_place(formula: str) -> None:
    plain = normalise(formula)
    assert len(plain) == len(formula)
    assert [k for k, c in enumerate(plain) if c == "\n"] == [k for k, c in enumerate(formula) if c == "\n"]


def test_parts_of_mathml_are_joined_by_the_signs_that_they_stand_for() -> None:
    product = "<mrow><mi>Q</mi><msup><mi>K</mi><mi>T</mi></msup></mrow>"
    root = "<msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt>"
    plain = normalise(f"<math><mfrac>{product}{root}</mfrac></math>")
    assert plain.split() == ["(Q", "K^T)/√(d_k)"]


def test_mathml_that_does_not_end_is_left() -> None:
    assert normalise("<math><mn>1</mn>") == normalise("<math>") + "<mn>1</mn>"


def test_tex_is_no_typst() -> None:
    tex = "$A \\approx \\begin{bmatrix} 1 & 2 \\end{bmatrix}$"
    assert normalise(f"{tex} and $mat(1, 2)$").startswith(tex)


def test_a_power_of_a_half_is_no_stress() -> None:
    text = "K = [[1, 0], [0, 1]]\n\n>>> scores = Q @ K.T / 2**0.5\n>>> scores\n"
    read = linked(f"{GIVEN}{MADE[0][0]} = [[1, 2], [3, 4]]\n\n{text}tensor([[0.71, 1.41], [2.12, 2.83]])\n")
    assert [name for name, *_ in read] == ["Q", "scaled"]


@pytest.mark.parametrize("sign", ["=", "\\coloneqq"])
def test_columns_of_a_matrix_may_be_set_to_one_side(sign: str) -> None:
    text = (
        f"$Q {sign} \\begin{{bmatrix*}}[r] -1 & 2 \\\\ 3 & -4 \\end{{bmatrix*}}$, $K = [[1, 0], [0, 1]]$\n\n"
    )
    assert given(f"{text}$QK^T = [[-1, 2], [3, -4]]$\n", "Q") == (("-1", "2"), ("3", "-4"))


def test_a_matrix_may_have_a_formula_in_its_corner() -> None:
    table = "\\begin{array}{c|cc} q_i \\cdot k_j & k_1 & k_2 \\\\ \\hline q_1 & 1 & 3 \\\\ q_2 & 2 & 4"
    table += "\\end{array}"
    text = f"Q = [[1, 2], [3, 4]]\n\nK = [[1, 0], [1, 1]]\n\nThe table of dot products:\n\n$${table}$$\n"
    assert [name for name, *_ in linked(text)] == ["scores"]


def test_an_equation_below_a_sign_and_a_blank_line_is_one_of_its_own() -> None:
    (case,) = read_notes("Q = [[1, 2]]\n\nK =\n\nV = [[1, 2]]\n\nscores = [[5]]\n\nK = [[1, 2]]\n").cases
    assert case.given["V"].typed == (("1", "2"),)


def test_outputs_of_heads_side_by_side_are_what_they_are_together() -> None:
    text = "X = [[1, 0], [0, 1]]\n\n"
    for h in (1, 2):
        text += f"### Head {h}\n\n"
        for of in "QKV":
            text += f"$$W_{of}^{{({h})}} = [[1, 0], [0, {h}]]$$\n\n"
            text += f"$${of}^{{({h})}} = [[1, 0], [0, {h}]]$$\n\n"
        text += f"$$A^{{({h})}} = [[0.67, 0.33], [0.33, 0.67]]$$\n\n"
        text += f"$$O^{{({h})}} = A^{{({h})}} V^{{({h})}} = [[0.67, {0.33 * h}], [0.33, {0.67 * h}]]$$\n\n"
    text += "### Together\n\n$$[O^{(1)}; O^{(2)}] = [[0.67, 0.33, 0.67, 0.66], [0.33, 0.67, 0.33, 1.34]]$$\n"
    assert "concat" in [name for name, *_ in linked(text)]


def test_a_query_that_is_turned_is_still_the_only_one() -> None:
    text = "$q = [1, 2]$, $k_1 = [1, 0]$, $k_2 = [1, 1]$\n\n$q^\\top k_1 = 1$, $q^\\top k_2 = 3$\n"
    assert [name for name, *_ in linked(text)] == ["scores", "scores"]


FORMS = [
    "$ O_1 = 0.67 dot (2, 4) + 0.33 dot (6, 8) = (3.32, 5.32) $",
    r"$$O_1 = 0. 67 \cdot [2, 4] + 0. 33 \cdot [6, 8] = [3. 32, 5. 32]$$",
    r"$$O_1 = \begin{bmatrix} 0.67 &amp; 0.33 \end{bmatrix} \begin{bmatrix} 2 &amp; 4 \\ 6 &amp; 8"
    r" \end{bmatrix} = \begin{bmatrix} 3.32 &amp; 5.32 \end{bmatrix}$$",
]


@pytest.mark.parametrize("formula", FORMS)
def test_a_formula_in_another_dress_is_checked(formula: str) -> None:
    values = "$ V = mat(2, 4; 6, 8) $\n\n" if "dot (" in formula else "V = [[2, 4], [6, 8]]\n\n"
    text = values + "A = [[0.67, 0.33]]\n\n" + formula + "\n"
    assert accused(text) == []
    before, _, after = text.rpartition("32")
    assert len(accused(f"{before}82{after}")) == 1


def test_a_backslash_at_the_end_of_a_line_ends_the_row_of_a_matrix() -> None:
    text = "$$\nQ = X W_Q = \\begin{bmatrix}\n1 & 2 \\\n3 & 4\n\\end{bmatrix}\n$$\n"
    assert linked(GIVEN + text) == linked(GIVEN + text.replace("2 \\", "2 \\\\"))
