"""Rows behind labels below a caption, equations side by side, scores known by the rows they multiply."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.formula import Binary, Chain, walk
from symattn.reading.notes.formulas.names import Bases, Ref
from symattn.reading.notes.formulas.tokens import tokens
from symattn.reading.notes.linking.denote import denote
from tests.linked import links

Claim = tuple[str, int, int, tuple[tuple[str, ...], ...]]
WALK = "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[1, 2], [3, 4]]\n"
SCALED = ("scaled", 0, 0, (("0.71", "0.00"), ("0.00", "1.41")))


def claims(text: str) -> list[Claim]:
    (case,) = read_notes(text).cases
    return [(claim.name, claim.row, claim.col, claim.values) for claim in case.stated]


@pytest.mark.parametrize(
    "rows",
    [
        "除以 √2：\n\n猫：0.71，0.00\n狗：0.00，1.41\n",
        "Scaled scores:\n- cat: [0.71, 0.00]\n- dog: [0.00, 1.41]\n",
        "## 缩放\n\n1. **猫**：`[0.71, 0.00]`\n\n2. **狗**：`[0.00, 1.41]`\n",
        "缩放后：\n第一行：0.71，0.00。\n第二行：0.00，1.41。\n",
    ],
)
def test_rows_behind_labels_are_the_matrix_of_their_caption(rows: str) -> None:
    assert claims(f"{WALK}\n{rows}") == [SCALED]


def test_labels_of_rows_are_tokens_unless_they_count() -> None:
    (case,) = read_notes("输入表示\n\n- 猫 → [1, 0]\n- 狗 → [0, 1]\n\nW_Q = [[1, 0], [0, 2]]\n").cases
    assert case.tokens == ("猫", "狗")
    assert case.given["X"].typed == (("1", "0"), ("0", "1"))


@pytest.mark.parametrize("labels", [("q₁", "q₂"), ("Q1", "Q2")])
def test_the_name_of_a_row_is_no_label(labels: tuple[str, str]) -> None:
    """Else these would be V, the last that the caption names."""
    first, second = labels
    rows = f"计算 Q、K、V\n\n- {first} = [1, 0]\n- {second} = [0, 2]\n\n"
    assert claims(f"{rows}K = [[1, 0], [0, 1]]\nS = [[1, 0], [0, 2]]\n") == [
        ("scores", 0, 0, (("1", "0"), ("0", "2")))
    ]


def test_equations_stand_side_by_side_on_a_line() -> None:
    text = f"{WALK}scores = [[1, 0], [0, 2]]\n不缩放。\n第二行：exp(0)=1.00 exp(2)=7.39 总和=8.39\n"
    assert claims(text)[1:] == [
        ("exp", 1, 0, (("1.00",),)),
        ("exp", 1, 1, (("7.39",),)),
        ("sum", 1, 0, (("8.39",),)),
    ]


def test_a_number_before_an_exponential_multiplies_it() -> None:
    """2 exp(0) = 2 says nothing of exp(0)."""
    text = f"{WALK}scores = [[1, 0], [0, 2]]\n不缩放。\nS = 2 exp(0) = 2\n"
    assert [claim for claim in claims(text) if claim[0] == "exp"] == []


def test_a_list_in_a_sentence_ends_before_words() -> None:
    text = f"{WALK}不缩放。\n第一行：分子分别为 2.72、1.00，分母为 3.72。\n"
    assert claims(text) == [("exp", 0, 0, (("2.72", "1.00"),)), ("sum", 0, 0, (("3.72",),))]


def test_a_sum_of_products_is_the_score_of_the_rows_that_its_factors_are() -> None:
    text = f"{WALK}与“狗”的得分为 0×1 + 2×0 = 0；狗：0×0 + 2×1 = 2\n"
    assert claims(text) == [("scores", 1, 0, (("0",),)), ("scores", 1, 1, (("2",),))]


def test_weights_of_a_sum_are_known_again_as_a_row() -> None:
    text = f"{WALK}z_2 = 0.20*[1, 2] + 0.80*[3, 4]\n\n得到 [0.20, 0.80]\n"
    assert [claim for claim in claims(text) if claim[0] == "A"][-1] == ("A", 1, 0, (("0.20", "0.80"),))


def test_a_first_column_that_counts_labels_the_rows() -> None:
    table = "| W_Q | a | b |\n|---|---|---|\n| 1 | 1 | 0 |\n| 2 | 0 | 3 |\n"
    (case,) = read_notes(f"X = [[1, 2]]\n\n{table}\nQ = [[1, 6]]\n").cases
    assert case.given["W_Q"].typed == (("1", "0"), ("0", "3"))


def test_tokens_as_subscripts_behind_a_label_still_name_the_rows() -> None:
    text = (
        "词向量\n\n- 猫：$x_{猫} = [1, 0]$\n- 狗：$x_{狗} = [0, 1]$\n\n$q_{猫} = [1, 2]$\n$q_{狗} = [0, 2]$\n"
    )
    (case,) = read_notes(text + "W_Q = [[1, 2], [0, 2]]\n").cases
    assert case.tokens == ("猫", "狗")
    assert [(claim.name, claim.row) for claim in case.stated] == [("Q", 0), ("Q", 1)]


def test_an_encoding_that_is_added_to_inputs_without_weights_is_walked() -> None:
    text = "X = [[1, 2]]\nPE = [[0, 1]]\nX + PE = [[1, 3]]\n"
    assert [claim[0] for claim in claims(text)] == ["PE", "X+PE"]


def test_a_list_behind_a_division_by_the_root_is_scaled() -> None:
    text = f"{WALK}第二行：除以根号2（约等于1.414），得到 0.00，1.42。\n"
    assert claims(text) == [("sqrt(d_k)", 0, 0, (("1.414",),)), ("scaled", 1, 0, (("0.00", "1.42"),))]


def test_keys_of_all_tokens_label_the_rows_beside_one_query() -> None:
    text = "“猫”的 q 为 (1, 2)。\n\n“狗”的 k 为 (1, 0)，v 为 (3, 4)。\n“猫”的 k 为 (0, 1)，v 为 (5, 6)。\n"
    (case,) = read_notes(f"{text}\n1×1 + 2×0 = 1；1×0 + 2×1 = 2\n").cases
    assert case.given["K"].typed == (("1", "0"), ("0", "1"))
    assert case.given["V"].typed == (("3", "4"), ("5", "6"))


@pytest.mark.parametrize("word", ["Summe", "suma", "somme", "сумма", "合計", "합"])
def test_a_sum_is_one_in_other_languages(word: str) -> None:
    text = f"{WALK}scale = 1\n第一行：\nexp: 2.72; 1.00\n{word}: 3.72\n"
    assert claims(text)[-1] == ("sum", 0, 0, (("3.72",),))


def test_a_sign_behind_a_blank_begins_the_next_number_of_a_list() -> None:
    text = "Q = [[1 -0.5]\n     [2 +3]]\nK = [[2 - 1, 0], [0, 1]]\nS = [[1, -0.5], [2, 3]]\n"
    (case,) = read_notes(text.replace("2 - 1", "1")).cases
    assert case.given["Q"].typed == (("1", "-0.5"), ("2", "3"))
    (difference,) = (item.node for item in items(tokens("K = [2 - 1, 0-3]", "text")))
    assert [type(node) for node in walk(difference) if isinstance(node, Binary)] == [Binary, Binary]


def test_a_concatenation_of_heads_is_multiplied_by_w_o() -> None:
    (item,) = items(tokens("Output = Concat(head_1, head_2)W_O = [[1, 4]]", "text"))
    assert isinstance(item.node, Chain)
    assert denote(item.node.members[1], Bases(), {}) == Ref("output")


@pytest.mark.parametrize("words", [r"除以 $\sqrt{2}$ 得", r"$\sqrt{2}$로 나누면"])
def test_a_list_between_dollars_is_one_in_the_midst_of_a_sentence(words: str) -> None:
    text = "- $q=[2, 0]$\n- $k_1=[1, 2]$, $v_1=[0, 1]$\n- $k_2=[0.5, 1]$, $v_2=[3, 0]$\n\n"
    text += (
        "$$q\\cdot k_1=2,\\quad q\\cdot k_2=1$$\n\n"
        + words
        + r" $1.41,\ 0.71$，softmax 后的权重是 $0.67,\ 0.33$。"
    )
    assert [name for name, *_ in links(text)][2:] == ["scaled", "A"]
