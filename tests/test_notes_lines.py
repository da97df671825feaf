"""What a line tells by where things stand in it: whose a list is, behind which arrow, between blanks."""

from __future__ import annotations

import pytest

from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.formula import numerals
from symattn.reading.notes.formulas.tokens import tokens
from tests.linked import accused, given, linked, links

TOKENS = "“我”的查询向量是 (1, 2)。“爱”的查询向量是 (0, 1)。\n\n"


@pytest.mark.parametrize(
    "keys",
    [
        "键：“我”的键向量是 (2, 1)，“爱”的键向量是 (1, 1)。\n",
        "The key of 我 is (2, 1) and the key of 爱 is (1, 1).\n",
    ],
)
def test_a_list_belongs_to_whom_the_words_directly_before_it_say(keys: str) -> None:
    text = f"{TOKENS}{keys}\n“我”和“爱”的得分是 1×1 + 2×1 = 3\n"
    found = [claim for claim in links(text + "\nV = [[1, 0], [0, 1]]\n") if claim[0] in ("K", "scores")]
    assert found == [("scores", 0, 1, (("3",),))]


def test_one_of_two_tokens_is_not_the_owner() -> None:
    text = (
        f"{TOKENS}“我”的键向量是 (2, 1)，“爱”的键向量是 (1, 1)。\n\n“我”和“爱”的得分是 3，和“我”的得分是 4\n"
    )
    assert accused(text) == []


ARROWS = """\
(score → /√2 → exp → weight)

cat·cat: 1 → 0.707 → 2.028 → 0.670
cat·sat: 0 → 0.000 → 1.000 → 0.330

sat·cat: 0 → 0.000 → 1.000 → 0.196
sat·sat: 2 → 1.414 → 4.113 → 0.804
"""


def test_what_stands_behind_more_arrows_is_another_quantity() -> None:
    given = "The tokens are “cat”, “sat”.\n\nQ = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\n\n"
    found = links(given + ARROWS)
    assert [name for name, row, col, _ in found if (row, col) == (1, 0)] == ["scores", "scaled", "exp", "A"]
    assert accused(given + ARROWS) == []


@pytest.mark.parametrize("vector", ["(1.5  0.4  -0.3)", "(1.5 0.4 -0.3)", "(1.5  -0.4)"])
def test_a_number_with_its_sign_between_blanks_is_no_difference(vector: str) -> None:
    (item,) = items(tokens(f"q = {vector}", "markdown"))
    assert [num.text for num in numerals(item.node)] == vector.strip("()").split()


def test_a_difference_in_brackets_stays_one() -> None:
    assert accused("2 * (5 - 3) = 4\n\n2 * (5 -3) = 4\n\n2 * (5 -3) = 5\n") == ["= 5"]


def test_a_number_beyond_all_floats_is_near_to_nothing() -> None:
    text = "Q = [[1, 0]]\nK = [[1, 0], [0, 1]]\n\nscores: [1, 0]\n\nscores: [1e999, 1e999]\n"
    assert "scores" in [claim[0] for claim in links(text)]


DOCTEST = """\
```pycon
>>> q
array([[1, 0],
       [0, 2]])
>>> k
array([[1, 0],
       [0, 1]])
>>> v
array([[1, 2],
       [1, 4]])
>>> a = softmax(q @ k.T / np.sqrt(2))
>>> a
array([[0.67, 0.33],
       [0.20, 0.80]])
>>> a @ v
array([[1.00, 2.66],
       [1.00, 3.60]])
```
"""


def test_a_product_in_code_is_no_factor_of_it() -> None:
    assert accused(DOCTEST) == []
    assert [name for name, *_ in links(DOCTEST)] == ["A", "Z"]


def test_pairs_behind_arrows_are_no_lists_that_follow_from_one_another() -> None:
    text = "Scores, divided by √4:\n\n- cat: 16 → 8.00, 8 → 4.00\n- sat: 4 → 2.00, 2 → 1.00\n"
    assert accused(text + "- mat: 10 → 5.00, 3 → 1.50\n") == []


def test_rows_below_the_name_of_a_drawing_are_part_of_it() -> None:
    rows = "7.9  -inf  -inf  -inf", "8.2   7.9  -inf  -inf", "2.5   2.4   0.6  -inf", "7.3  7.0  1.8  6.5"
    text = "V = [[1], [2], [3], [4]]\n\n"
    text += "".join(f"  {'masked_scores =' if k == 1 else ' ' * 15} [{row}]\n" for k, row in enumerate(rows))
    text = f"scores = [[7.9, 1, 1, 1], [8.2, 7.9, 1, 1], [2.5, 2.4, 0.6, 1], [7.3, 7.0, 1.8, 6.5]]\n\n{text}"
    text += "\nA = [[1.00, 0, 0, 0], [0.57, 0.43, 0, 0]]\n"
    assert links(text)[:2] == [("scores", 0, 0, (("7.9",),)), ("scores", 1, 0, (("8.2", "7.9"),))]


def test_weights_with_more_digits_than_before_say_what_they_weigh() -> None:
    text = "Q = [[1, 0]]\nK = [[1, 0], [0, 1]]\nV = [[1, 0], [0, 2]]\nW_O = [[1, 2], [0, 1]]\n"
    text += "A = [[0.67, 0.33]]\n\nOutput[1][1] = 0.6698*1 + 0.3302*0 = 0.6698\n"
    assert {name for name, *_ in links(text)} == {"A", "Z"}


def test_a_sum_below_words_that_announce_something_else_is_of_no_list_above_them() -> None:
    text = "Scores: 2.1, 0.7, 1.4\n\nFor “cat”:\n\n  softmax: [0.8, 0.2, 0.1]\n\nFor “sat”:\n\n  sum: 1.9\n"
    assert accused(text) == []
    assert accused("The list is [0.8, 0.2, 0.1].\n\nSum: 1.9\n") == ["= 1.9"]


def test_neither_of_two_tokens_owns_their_score() -> None:
    text = "Q_深度 = [0, 1]\nQ_学习 = [2, 0]\n\nK_深度 = [1, 2]\nK_学习 = [3, 4]\n\n得分：\n\n"
    for row, query in enumerate(("深度", "学习")):
        for col, key in enumerate(("深度", "学习")):
            text += f"- {query}对{key}的得分 = Q_{query}·K_{key} = {((2, 4), (2, 6))[row][col]}\n"
    assert accused(text) == []


def test_scaled_scores_are_no_scores_for_their_zeros() -> None:
    text = "Q = [[0, 0], [1, 1]]\nK = [[0, 0], [0, 1]]\nV = [[0, 0], [1, 2]]\nscores = [[0, 0], [0, 1]]\n\n"
    text += "After dividing by √2:\n\nS = [[0.00, 0.00], [0.00, 0.71]]\n"
    assert [claim[0] for claim in links(text)] == ["scores", "scaled"]


def test_bullets_are_no_part_of_a_token() -> None:
    text = "● cat → [1, 2]\n● sat → [0, 1]\n\nW_Q = [[1, 0], [0, 1]]\nW_K = [[0, 1], [1, 0]]\n\n"
    text += "● cat：q = [1, 2], k = [2, 1]\n● sat：q = [0, 1], k = [1, 0]\n\n"
    text += "● cat · cat → 4\n● cat · sat → 1\n● sat · cat → 1\n● sat · sat → 0\n"
    assert accused(text) == []
    assert [claim[3] for claim in links(text) if claim[0] == "scores"] == [
        (("4",),),
        (("1",),),
        (("1",),),
        (("0",),),
    ]


def test_an_exponent_that_a_score_between_dots_should_be_is_no_misprint_of_one_that_is_printed() -> None:
    text = (
        "X = [[2, 0], [1, 2], [1, 1]]\nW_Q = [[1, 0], [1, 0]]\nW_K = [[0, 0], [1, 2]]\nV = [[1], [2], [3]]\n"
    )
    rows = " \\\\ ".join(f"0.00 & \\cdots & {last}" for last in ("1.41", "2.12", "1.41"))
    text += (
        f"\n$$\\frac{{QK^T}}{{\\sqrt{{d_k}}}} = \\begin{{bmatrix}} {rows} \\end{{bmatrix}}$$\n\nRow 1:\n\n"
    )
    text += "$\\exp(0.00) = 1.00$\n\n$\\exp(2.83) = 16.95$\n\n$\\exp(1.41) = 4.10$\n"
    assert accused(text) == []


def test_a_formula_between_dollars_goes_on_in_the_next_line_of_a_bullet() -> None:
    text = "Q = [[1, 2]]\nK = [[3, 1]]\n\n- $q_1 \\cdot k_1 = 1\n  \\cdot 3\n  + 2 \\cdot 1 = 5$\n"
    assert linked(text) == [("scores", 0, (("5",),))]


@pytest.mark.parametrize("name", ["a{}", "α{}", "a_{}", "A_{}"])
def test_equations_with_no_more_than_a_blank_between_them_are_several(name: str) -> None:
    rows = "q1=[3, 0] q2=[2, 1]; k1=[0, 3] k2=[1, 2]; v1=[3, 1] v2=[2, 3]\n/sqrt2: 0 2.121 2.121 2.828\n"
    told = [f"{name.format(at)}={x}" for at, x in (("11", 0.107), ("12", 0.893), ("21", 0.33), ("22", 0.76))]
    assert accused(f"{rows}softmax: {' '.join(told)}\n") == ["A 0.76"]


def test_lists_with_blanks_between_their_numbers_stand_behind_a_semicolon() -> None:
    text = "q1=[3 0] q2=[2 1]; k1=[0 3] k2=[1 2]; v1=[3 1] v2=[2 3]\n"
    assert [given(text, name) for name in "QKV"] == [
        (("3", "0"), ("2", "1")),
        (("0", "3"), ("1", "2")),
        (("3", "1"), ("2", "3")),
    ]
