"""Links that would accuse an honest author: the smallest document of each, in which nothing is wrong."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.formula import Chain
from symattn.reading.notes.formulas.tokens import tokens
from tests.linked import ATTENDED, accused, given, linked

UNSCALED = """\
Q = [[1, 0], [0, 1]]
K = [[1, 0], [0, 1]]
V = [[4, 0], [0, 2]]

"""
TABLE = """\
The words are "sun moon rain".

| Word | Query (Q) | Key (K) | Value (V) |
|---|---|---|---|
| sun | [1, 0, 1] | [2, 0, 0] | [1, 4, 0] |
| moon | [0, 1, 0] | [0, 1, 1] | [3, 0, 1] |
| rain | [1, 1, 1] | [1, 0, 1] | [2, 0, 2] |

"""
TWO = """\
**Example 1:**

Query Q = [1, 0]
Keys: K1 = [1, 0], K2 = [0, 1]
Values: V1 = [4, 0], V2 = [0, 6]

Q·K1 = 1, Q·K2 = 0

**Example 2:**

Query Q = [0, 1]
Keys: K1 = [1, 0], K2 = [0, 1]
Values: V1 = [3, 3], V2 = [1, 5]

Q·K1 = 0, Q·K2 = 1
"""


def test_a_query_without_an_index_begins_an_example_where_its_keys_are_given_anew() -> None:
    assert [case.given["V"].typed for case in read_notes(TWO).cases] == [
        (("4", "0"), ("0", "6")),
        (("3", "3"), ("1", "5")),
    ]
    assert accused(TWO) == []


def test_a_sum_of_other_numbers_is_none_of_exponentials() -> None:
    text = UNSCALED + "For query 1: q_1 · k_1 = 1, q_1 · k_2 = 0\n\n"
    text += "exp(1) = 2.72, exp(0) = 1, sum = 3.72\n\n(2 - 4)² = 4\n\nsum = 9.5\n"
    assert [link for link in linked(text) if link[0] == "sum"] == [("sum", 0, (("3.72",),))]
    assert accused(text) == []


def test_a_row_printed_before_is_that_row_again_and_not_the_one_spoken_of_above_it() -> None:
    text = TABLE + "context_sun = [1.40, 3.20, 0.00]\n\nmoon [0, 1, 0] → 0.20\n\n"
    text += "Values weighted sum: [1.40, 3.20, 0.00]\n"
    assert [link[:2] for link in linked(text) if link[0] == "Z"] == [("Z", 0), ("Z", 0)]


def test_zeros_of_a_mask_alone_tie_a_list_to_no_step() -> None:
    text = (
        "We add a causal mask and divide by sqrt(d_k).\n\nQ = [[2, 0], [0, 2], [1, 1]]\n\n"
        "K = [[1, 0], [0, 1], [1, 1]]\n\nscores = [[2, 0, 2], [0, 2, 2], [1, 1, 2]]\n\n[0.60, 0.00, 0.00]\n"
    )
    assert [name for name, _, _ in linked(text)] == ["scores"]


def test_a_reduced_fraction_is_not_compared_term_by_term() -> None:
    whole, parts = "exp(2)/(4*exp(2)) = 1/4 = 0.25\n", "exp(2)/(exp(2) + 1) = 7.39/8.39 = 0.88\n"
    assert [(each.work, each.printed) for each in read_notes(whole).equations] == [("1/4", "0.25")]
    assert [each.printed for each in read_notes(parts).equations] == ["7.39", "8.39", "0.88"]


def test_a_bullet_in_a_fence_is_no_sign() -> None:
    text = "```\n- K[0] = [1, 0]\n- K[1] = [3, 1]\n```\n\nQ = [[2, 1]]\n\nscores = [[2, 7]]\n"
    assert given(text, "K") == (("1", "0"), ("3", "1"))


def test_scores_go_into_the_softmax_as_they_are_where_no_root_is_spoken_of() -> None:
    text = UNSCALED + "q_1 · k_1 = 1\n\nq_1 · k_2 = 0\n\nFor query 1: softmax([1, 0]) = [0.73, 0.27]\n"
    (case,) = read_notes(text).cases
    assert case.settings.scale == "1"
    assert accused(text) == []


def test_brackets_that_markdown_escapes_are_brackets() -> None:
    text = "* K = \\[\\[1, 0], \\[3, 1]]\n* Q = \\[\\[2, 1], \\[0, 1]]\n* scores = \\[\\[2, 7], \\[0, 1]]\n"
    assert given(text, "K") == (("1", "0"), ("3", "1"))
    assert linked(text) == [("scores", 0, (("2", "7"), ("0", "1")))]
    shown = "\\[ Q = [1, 2] \\]\n\n\\[ K = [[3, 1]] \\]\n\nscores: \\[5\\]\n"
    assert given(shown, "K") == (("3", "1"),)


def test_an_arrow_at_the_end_of_a_line_does_not_lead_into_the_list_below_it() -> None:
    text = "Q = X W_Q →\n\n* [2, 1] for moon\n* [4, 0] for sun\n"
    shown = [item.node for item in items(tokens(text, "markdown"))]
    assert [len(node.members) for node in shown if isinstance(node, Chain)] == [2]


def test_a_vector_behind_the_word_that_it_belongs_to_is_not_scaled_by_it() -> None:
    text = TABLE + "scores = scores / √d_k\n\n     moon[0, 1, 1] → score 1.0\n"
    assert accused(text) == []


def test_a_total_above_all_exponentials_is_no_sum_of_theirs() -> None:
    walk = "scores = q K^T = [1, 0]\n\nexp: [2.72, 1.00]\n\nsum = 3.72\n"
    assert accused(f"Quiz. Total: 5 points.\n\nq = [1, 0]\n\nK = [[1, 0], [0, 1]]\n\n{walk}") == []


def test_scores_that_agree_with_the_scaled_ones_and_with_no_score_are_these() -> None:
    text = "Query `q = [2, 0, 1]`, keys `K = [[1, 0, 0], [0, 3, 1], [3, 1, 0]]`, divided by √3.\n\n"
    assert linked(text + "Raw scores: `[1.15, 0.58, 3.46]`\n")[-1][0] == "scaled"
    assert linked(text + "Raw scores: `[2, 1, 6]`\n")[-1][0] == "scores"


def test_the_root_of_a_width_is_that_of_one_head() -> None:
    text = "".join(
        f"{name}^{{({head})}} = [[{a}, 1], [3, {a}]]\n\n" for head, a in ((1, 2), (2, 4)) for name in "QK"
    )
    assert accused(text + "√2 ≈ 1.414\n") == []
    assert accused(text + "Q^{(1)} (K^{(1)})^T = [[5, 8], [8, 13]]\n\n√2 ≈ 1.414\n") == []


def test_two_columns_of_a_table_with_one_name_are_those_of_two_heads() -> None:
    text = "X = [[0, 3, 2, 1]]\n\nW_Q^{(2)} = [[0, 0], [0, 0], [1, 0], [0, 1]]\n\n"
    text += "| Token | Head 1 Q | Head 2 Q |\n|---|---|---|\n| Token 1 | [0, 3] | [2, 1] |\n"
    assert [link for link in linked(text) if link[0] == "Q"] == []


def test_row_one_is_not_the_only_query_where_that_has_other_numbers() -> None:
    text = (
        "q_2 · k_1 / √2 = [1, 1] · [1, 0] / 1.414 = 0.707\n\n"
        "q_2 · k_2 / √2 = [1, 1] · [0, 1] / 1.414 = 0.707\n\n"
        "A_2 = [0.5, 0.5]\n\nFor a query of its own: A_1 = [9, 3] / 12 = [0.75, 0.25]\n"
    )
    assert accused(text) == []


@pytest.mark.parametrize("result", ["", " = [0.60, 0.40]"])
def test_quotients_of_what_is_no_exponential_are_other_weights(result: str) -> None:
    text = "Scores are divided by √2.\n\nq_1 = [1, 0]\n\n"
    text += "k_1 = [1, 0]\n\nk_2 = [0, 1]\n\nscaled_1 = [0.71, 0.00]\n\n"
    assert accused(text + f"softmax([0.71, 0.00]) = [0.67, 0.33]\n\nweights = [9, 6] / 15{result}\n") == []


def test_a_statement_on_what_shares_or_a_variance_always_are_is_none_on_the_list_before_it() -> None:
    said = "The scaled scores are [0.10, 0.07, 0.31].\n\nSoftmax turns them into weights that sum to 1:\n\n"
    assert accused(said + "The weights are [0.31, 0.30, 0.39].\n") == []
    assert accused("One value is near 1.0,\nthe rest near 0.0.\nScaling keeps the variance at 1.0.\n") == []


def test_a_power_of_ten_belongs_to_the_number_before_it() -> None:
    text = "w = e^s / sum ≈ 3.07×10²³ / 3.09×10²³ ≈ 0.9935\n\nv ≈ 2.51×10²⁰ / 3.09×10²³ ≈ {}\n"
    assert accused(text.format("0.0008")) == []
    assert accused(text.format("0.0028")) == ["= 0.0028"]


def test_a_token_that_a_tokenizer_adds_is_a_row() -> None:
    text = """\
Q:
    [CLS]: [1, 0]
    cat:   [0, 2]

K:
    [CLS]: [1, 1]
    cat:   [0, 1]

cat's scores: [2, 2]
"""
    assert given(text, "Q") == (("1", "0"), ("0", "2"))
    assert accused(text) == []


STEPS = """\
Q = [[7, 5]]
K = [[14, 4], [13, 3]]
V = [[14, 4], [8, 3]]

| Step | Operation | Input | Output |
|---|---|---|---|
| 0 | Word embedding | "bank" | [1, 2] |
| 1 | Query | [1, 2] × W_Q | [7, 5] |
"""


def test_the_outputs_of_a_table_of_steps_are_no_outputs_of_attention() -> None:
    assert [link for link in linked(STEPS) if link[0] == "Z"] == []
    assert accused(STEPS) == []


def test_two_queries_that_are_told_apart_are_not_one_that_is_counted_among_all_words() -> None:
    text = """\
x_sun = [3, 1]

W_Q = [[2, 1], [1, 2]]

q_sun = [7, 5]
k_sun = [14, 4]
q_moon = [4, 5]
k_moon = [13, 3]
"""
    assert accused(text) == []


def test_a_scale_that_is_named_and_skipped_is_left_out() -> None:
    text = """\
Q = [[0.2, 0.5], [0.8, 0.1]]
K = [[0.2, 0.5], [0.8, 0.1]]

We would divide by sqrt(2) ≈ 1.414. Let's skip scaling to keep the numbers clean.

scores = [[0.29, 0.21], [0.21, 0.65]]

A = [[0.5200, 0.4800], [0.3918, 0.6082]]
"""
    assert accused(text) == []


def test_a_nought_that_its_step_gives_hides_no_digit_beside_decimals() -> None:
    text = """\
Q = [[1, 0], [0, 1]]
K = [[1, 0], [0, 1]]

scaled = [[0.707, 0], [0, 0.707]]

A = [[{}, {}], [0.330, 0.670]]
"""
    assert accused(text.format("0.670", "0.330")) == []
    assert accused(text.format("0.644", "0.356")) == ["A 0.644", "A 0.356"]


def test_a_row_without_the_scale_may_stand_before_the_same_row_with_it() -> None:
    text = """\
Q = [[1, 0], [0, 2]]
K = [[2, 0], [1, 2]]
V = [[4, 0], [0, 6]]

Row 1 of the scores: [2, 1]. Weights of row 1: [{}]. Output of row 1: [{}].

Now with the square root of d_k = 2. Scaled scores of row 1: [1.414, 0.707].

Row 2 of the scores: [0, 4]. Scaled scores of row 2: [0.000, 2.828]. Weights of row 2: [{}].
"""
    scaled = "0.056, 0.944"
    assert accused(text.format("0.731, 0.269", "2.924, 1.614", scaled)) == []
    assert accused(text.format("0.739, 0.261", "2.956, 1.566", scaled))[:2] == ["A 0.739", "A 0.261"]
    assert accused(text.format("0.670, 0.330", "2.679, 1.981", "0.018, 0.982")) == ["A 0.018", "A 0.982"]


def test_masked_scores_without_weights_are_of_the_walk_that_goes_before_them() -> None:
    text = """\
Q = [[1, 0], [0, 1]], K = [[1, 1], [0, 1]], V = [[1, 2], [3, 4]], no scale

QK^T = [[1, 0], [1, 1]]

## Masking

Masked scores = [[1, -inf], [1, 1]]

output = [[1, 2], [2, 3]]
"""
    assert len(read_notes(text).cases) == 1


def test_weights_by_their_name_that_are_infinite_are_masked_scores() -> None:
    text = (
        "Q = [[1, 0], [0, 2]], K = [[1, 1], [0, 1]], V = [[2, 4], [6, 8]], with a causal mask\n\n"
        "$A_{\\text{masked}} = \\begin{bmatrix} 0.707 & -\\infty \\\\ 1.414 & 1.414 \\end{bmatrix}$\n\n"
        "$\\text{softmax}([0.707, -\\infty]) = [1.0, 0.0]$\n\nOutput = [[2, 4], [4, 6]]\n"
    )
    assert [name for name, _, _ in linked(text)] == ["masked", "masked", "masked", "A", "Z"]


@pytest.mark.parametrize(
    "vector", [r"(4.137, 3.427, 3.689)^\top", r"\begin{pmatrix}4.137\\3.427\\3.689\end{pmatrix}"]
)
def test_the_softmax_of_a_column_is_over_its_entries(vector: str) -> None:
    weights = (
        r"(0.469, 0.231, 0.300)^\top"
        if "top" in vector
        else r"\begin{pmatrix}0.469\\0.231\\0.300\end{pmatrix}"
    )
    assert accused(rf"Here $\text{{softmax}}({vector}) \approx {weights}$ is it.") == []


def test_whole_numbers_that_half_agree_with_scores_are_no_scores() -> None:
    text = "Q = [[1, 1], [1, 0], [0, 1]]\nK = [[1, 0], [0, 1], [1, 1]]\nV = [[1, 2], [3, 4], [5, 0]]\n\n"
    text += "As a reminder, the dot product of (1, 0, 2) and (3, 1, 1) is 3 + 0 + 2 = 5.\n"
    assert accused(text) == []


@pytest.mark.parametrize(
    "told",
    [
        r"$\frac{\partial L}{\partial A} = \frac{\partial L}{\partial Z} V^T = [[9, 8], [7, 6]]$",
        r"$\frac{1}{\sqrt 2} dS\, K = [[9, 8], [7, 6]]$",
    ],
)
def test_the_last_factor_of_an_unread_product_is_none_of_its_own(told: str) -> None:
    assert accused(f"{ATTENDED}\n{told}\n") == []


def test_a_caption_with_the_softmax_of_scaled_scores_is_of_weights() -> None:
    table = "|0.67|0.33|\n|---|---|\n|0.20|0.80|\n"
    assert accused(f"{ATTENDED}\n### Attention weights softmax(Q Kᵀ / √2)\n\n{table}") == []


def test_a_sum_of_lists_is_no_row_of_exponentials() -> None:
    """Two of its three numbers are near those of a row of exponentials that nobody printed."""
    text = (
        "X = [[0.2, 0.9, 1.0], [0.1, 0.6, 0.7], [0.0, 0.5, 0.1]]\n\n"
        "QK^T = [[2.46, 1.65, 1.28], [1.7, 1.13, 0.88], [0.47, 0.32, 0.24]]\n\n"
        "QK^T/√2 = [[1.74, 1.16, 0.9], [1.2, 0.8, 0.62], [0.33, 0.23, 0.17]]\n\n"
        "A = softmax(QK^T/√2) = [[0.5, 0.28, 0.22], [0.45, 0.3, 0.25], [0.36, 0.33, 0.31]]\n\n"
        "I: [0.2, 0.9, 1.0] + [1.4, 0.4, 1.04] = [1.6, 1.3, 2.04]\n"
    )
    assert not accused(text)
