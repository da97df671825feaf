"""Manners of writing: chats with the time, names below matrices, a mask told second, lines with signs."""

from __future__ import annotations

import pytest

from symattn.reading.documents import document_reports
from tests.linked import ATTENDED, accused, given, linked

MASKED = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]
V = [[1, 2], [3, 4]]

Q K^T / √2 = [[0.71, 0.00], [0.00, 1.41]]
"""
OPEN = "A = [[0.67, 0.33], [0.20, 0.80]]\n\nZ = [[1.66, 2.66], [2.60, 3.60]]\n"
HIDDEN = "A = [[1.00, 0.00], [0.20, 0.80]]\n\nZ = [[1.00, 2.00], [2.60, 3.60]]\n"


def judged(text: str) -> list[str]:
    """The numbers that have a verdict, of whatever walk."""
    reports = document_reports(text, "notes.md", "markdown")
    return [each.printed.numeral.text for report in reports for each in report.judgements]


@pytest.mark.parametrize(
    "stamp", ["[10:02] tom:", "10:02 tom:", "[2024-03-11 10:02:31] <tom>", "10:02 AM - tom:"]
)
def test_the_time_of_a_message_is_no_number(stamp: str) -> None:
    text = f"{stamp} Q = [[1, 0], [0, 2]], K = [[1, 0], [0, 1]]\n{stamp} K is the identity\n"
    assert given(f"{text}{stamp} QK^T = [[1, 0], [0, 2]]\n", "Q", "text") == (("1", "0"), ("0", "2"))


def test_a_sentence_gives_the_vectors_of_its_tokens_one_after_the_other() -> None:
    text = (
        'Two tokens, "cat" = [0, 1] and "sat" = [1, 0].\n\nW_Q = [[1, 2], [3, 4]]\n\nQ = [[3, 4], [1, 2]]\n'
    )
    assert given(text, "X") == (("0", "1"), ("1", "0"))


def test_below_a_matrix_stands_its_name() -> None:
    matrix = r"\underset{%s}{\begin{bmatrix} %s \end{bmatrix}}"
    factors = (("X", r"1 & 0 \\ 0 & 1"), ("W_Q", r"1 & 2 \\ 3 & 4"), ("Q", r"1 & 2 \\ 3 & 5"))
    x, w, q = (matrix % factor for factor in factors)
    assert accused(f"$${x} {w} = {q}$$\n") == ["Q 5"]


def test_a_product_in_a_caption_of_a_table_is_scores() -> None:
    text = f"{ATTENDED}\n<table>\n<caption>Scores Q K<sup>T</sup></caption>\n"
    text += "<tr><td>1</td><td>0</td></tr>\n<tr><td>0</td><td>2</td></tr>\n</table>\n"
    assert linked(text)[0][0] == "scores"


def test_a_root_as_html_spells_it_divides() -> None:
    text = f"{ATTENDED}\n<table>\n<caption>Scores / &radic;d<sub>k</sub></caption>\n"
    text += "<tr><td>0.71</td><td>0.00</td></tr>\n<tr><td>0.00</td><td>1.41</td></tr>\n</table>\n"
    assert linked(text)[0][0] == "scaled"


@pytest.mark.parametrize("heading", ["### With a causal mask\n\n", ""])
def test_a_walk_without_a_mask_is_none_of_the_one_with_it(heading: str) -> None:
    hidden = "Q K^T / √2 + M = [[0.71, -inf], [0.00, 1.41]]\n\n"
    text = f"{MASKED}\n### Without a mask\n\n{OPEN}\n{heading}{hidden}{HIDDEN}"
    assert accused(text) == []
    assert len(judged(text)) == 4 + 8 + 3 + 8


def test_scores_with_infinities_below_a_sentence_are_masked() -> None:
    text = MASKED.replace("√2", "sqrt(2)") + "\nNobody may look ahead, so the rest is -inf:\n"
    text += f"  [ 0.71  -inf ]\n  [ 0.00  1.41 ]\n\n{HIDDEN}"
    assert accused(text) == []


def test_a_line_that_begins_with_a_sign_goes_on_from_the_weights() -> None:
    text = f"{ATTENDED}\nq₁: softmax → [0.67, 0.33]\n· V → [1.86, 2.99]\n"
    assert linked(text)[-1] == ("Z", 0, (("1.86", "2.99"),))


def test_alpha_beside_v_is_a_product() -> None:
    text = ATTENDED.replace("V = [[1, 2], [3, 4]]", "V = [[4, 2], [5, 2]]")
    text += "\n$$\\alpha = \\begin{bmatrix} 0.67 & 0.33 \\\\ 0.2 & 0.8 \\end{bmatrix}$$\n\n"
    text += "$$\n\\alpha V \\approx \\begin{bmatrix} 4.33 & 2.00 \\\\ 4.80 & 2.00 \\end{bmatrix}.\n$$\n"
    assert accused(text) == []


def test_a_caption_of_other_numbers_does_not_make_them_values() -> None:
    text = f"{ATTENDED}A = [[1.00, 0.00], [0.20, 0.80]]\n\n"
    text += "Blend the values:\n1 → [1, 2]\n2 → [2.60, 3.60]\n"
    assert linked(text)[-1][0] == "Z"


def test_a_token_in_quotes_may_stand_behind_its_number() -> None:
    text = f'{ATTENDED}\nScores for token 2 ("sat"): (0, 2)\n'
    assert linked(text)[-1] == ("scores", 1, (("0", "2"),))


def test_a_row_in_a_sentence_goes_on_with_the_next_row() -> None:
    text = f"{ATTENDED}QK^T = [[1, 0], [0, 2]]\n\n"
    text += "Divide by sqrt(2): first row [0.71, 0.00], second row [0.70, 1.41]\n"
    assert linked(text)[-2:] == [("scaled", 0, (("0.71", "0.00"),)), ("scaled", 1, (("0.70", "1.41"),))]


def test_the_letter_of_a_question_is_no_factor() -> None:
    text = f"{ATTENDED}\n(a) QK^T = [[1, 0], [0, 2]]\n\n(b) A = [[0.67, 0.33], [0.20, 0.80]]\n\n"
    assert linked(f"{text}(d) A V = [[1.66, 2.99], [2.60, 4.66]]\n")[-1][0] == "Z"


def test_weights_over_the_whole_matrix_are_weights_all_the_same() -> None:
    text = f"{ATTENDED}QK^T/√2 = [[0.71, 0.00], [0.00, 1.41]]\n\n"
    text += "Attention weights:\n[[0.25, 0.12]\n [0.12, 0.51]]\n"
    assert [name for name in accused(text) if name.startswith("A")] != []


def test_mean_and_variance_are_those_of_the_rows_above() -> None:
    text = "X = [[0, 2, 1], [4, 0, 2]]\n\nZ = [[1, 1, 1], [2, 0, 1]]\n\nX + Z = [[1, 3, 2], [6, 0, 3]]\n\n"
    text += "Row 1: mean μ = 2.0, variance σ² = 0.667, normalised: [-1.225, 1.225, 0.000]\n\n"
    text += "Row 2: mean μ = 3.0, variance σ² = 6.000, normalised: [1.225, -1.522, 0.000]\n"
    assert accused(text) == ["norm_1 -1.522"]
    assert len(judged(text)) == 6 + 10


def test_columns_of_a_table_may_be_means_and_deviations() -> None:
    text = f"X = [[1, 0], [0, 1]]\n\n{ATTENDED}A = [[0.67, 0.33], [0.33, 0.67]]\n\n"
    text += "Z = [[1.66, 2.66], [2.34, 3.34]]\n\n"
    text += (
        "X + Z = [[2.66, 2.66], [2.34, 4.34]]\n\n| row | mean | std |\n|---|---|---|\n| 1 | 2.66 | 0.00 |\n"
    )
    names = {name for name, _, _ in linked(f"{text}| 2 | 3.34 | 1.00 |\n")}
    assert {"norm_1.mean", "norm_1.deviation"} <= names


def test_a_word_that_begins_with_exp_speaks_of_no_exponential() -> None:
    text = "Let me expand on this. I'll use $d_k = 2$ and these vectors:\n\n"
    text += (
        "- $q_1 = [0, 1]$, $k_1 = [2, 0]$, $v_1 = [0, 1]$\n- $q_2 = [2, 1]$, $k_2 = [1, 2]$, $v_2 = [2, 1]$\n"
    )
    text += "- $q_3 = [2, 2]$, $k_3 = [0, 2]$, $v_3 = [0, 1]$\n\n"
    assert accused(f"{text}q2 · k1 = 2*2 + 1*0 = 4\n") == []


def test_a_sum_is_held_against_the_exponentials_and_not_against_a_misprint() -> None:
    text = "$e^{1.0} \\approx 2.718$, $e^{2.0} \\approx 7.839$, with sum $10.107$.\n"
    assert accused(text) == ["= 7.839"]


def test_a_subscript_below_the_line_says_the_row() -> None:
    text = f"{ATTENDED}\nq₂ = [0, 2]\n\nscores: [0, 2]\n"
    assert ("scores", 1, (("0", "2"),)) in linked(text)


def test_how_much_a_token_looks_at_the_others_stands_behind_it() -> None:
    text = f"{ATTENDED}\nEmbeddings:\n\n- cat: [1, 0]\n- sat: [0, 1]\n\n"
    text += "We divide by √2.\n\ncat: 67.0% on cat, 33.0% on sat\nsat: 19.6% on cat, 80.4% on sat\n"
    assert [name for name, _, _ in linked(text)] == ["A"] * 4


def test_several_names_are_given_several_matrices_at_once() -> None:
    text = (
        "X = np.array([[1, 0], [0, 1]])\nW_q, W_k = np.array([[1, 2], [3, 4]]), np.array([[1, 1], [0, 1]])\n"
    )
    text = f"```python\n{text}q = X @ W_q  # [[1, 2], [3, 5]]\nk = X @ W_k  # [[1, 1], [0, 1]]\n```\n"
    assert accused(text) == ["Q 5"]


def test_the_rows_of_a_matrix_stand_in_a_sentence() -> None:
    text = "X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\n"
    assert accused(f"{text}The rows of $Q = XW_Q$ are $(1, 2)$ and $(3, 5)$.\n") == ["Q 5"]


def test_queries_of_tokens_are_no_rows_of_what_is_told_of_their_keys() -> None:
    text = 'Embedding of "cat" = [1, 0]\nEmbedding of "sat" = [0, 1]\n\nW_Q = [[1, 2], [3, 4]]\n\n'
    text += 'W_K = [[1, 1], [0, 1]]\n\nQuery of "cat" = [1, 2]\nQuery of "sat" = [3, 4]\n\n'
    text += 'Key of "cat" = [1, 1]\nKey of "sat" = [0, 1]\n'
    assert [name for name, _, _ in linked(text)] == ["Q", "K"]


def test_a_head_of_queries_beside_tokens_names_the_rows() -> None:
    text = f"{ATTENDED}\nSoftmax over each query:\n\n| query | cat | sat |\n|---|---|---|\n"
    text += "| cat | 0.67 | 0.33 |\n| sat | 0.20 | 0.80 |\n"
    assert linked(text)[-1][0] == "A"


def test_a_pair_of_tokens_may_stand_in_one_cell() -> None:
    text = f"{ATTENDED}\n| pair | score | score / √2 |\n|---|---|---|\n| cat → cat | 1 | 0.71 |\n"
    text += "| cat → sat | 0 | 0.00 |\n| sat → cat | 0 | 0.00 |\n| sat → sat | 2 | 1.51 |\n"
    assert accused(text) == ["scaled 1.51"]


def test_a_token_may_stand_before_each_list_of_a_line() -> None:
    text = "Embeddings:\n- cat: [1, 0]\n- sat: [0, 1]\n\nW_Q = [[1, 2], [3, 4]]\n\n"
    assert linked(f"{text}Query:  cat [1, 2]   sat [3, 4]\n") == [
        ("Q", 0, (("1", "2"),)),
        ("Q", 1, (("3", "4"),)),
    ]


def test_an_aside_with_a_sign_is_no_name() -> None:
    text = f"{ATTENDED}\nScaled scores (d_k = 2):\n\n[[0.71, 0.00], [0.99, 1.99]]\n"
    assert linked(text)[-1][0] == "scaled"


def test_scores_with_large_negative_numbers_are_masked() -> None:
    text = f"{ATTENDED}\nScaled scores:\n\n[[0.71, 0.00], [0.00, 1.41]]\n\n"
    text += f"After `scores.masked_fill(mask, -1e9)`:\n\n[[0.71, -1e9], [0.00, 1.41]]\n\n{HIDDEN}"
    assert accused(text) == []


def test_a_table_of_operations_has_results() -> None:
    text = "| Step | Operation | Result |\n|---|---|---|\n| 0 | $Q$ | $[[1, 0], [0, 2]]$ |\n"
    text += "| 0 | $K$ | $[[1, 0], [0, 1]]$ |\n| 1 | $S = QK^T$ | $[[1, 0], [0, 3]]$ |\n"
    assert accused(text) == ["scores 3"]


def test_vectors_stand_in_columns_behind_what_they_are() -> None:
    text = "                 cat           sat\nquery            (1, 0)        (0, 2)\n"
    text += "key              (1, 0)        (0, 1)\n"
    text += "scores           (1, 0)        (0, 2)\nscores / √2      (0.71, 0.00)  (0.00, 1.51)\n"
    assert accused(text) == ["scaled 1.51"]


def test_words_below_x_alone_are_the_tokens() -> None:
    text = r"$x_{\text{cat}} = [1, 0]$, $x_{\text{sat}} = [0, 1]$" + "\n\n$W_Q = [[1, 2], [3, 4]]$\n\n"
    assert accused(f"{text}$Q = [[1, 2], [3, 5]]$\n") == ["Q 5"]


def test_what_an_arrow_divides_is_scaled_however_wrong() -> None:
    text = f"{ATTENDED}\n- q_1: scores [1, 0] → /√2 → [0.50, 0.10] → softmax → [0.60, 0.40]\n"
    assert ("scaled", 0, (("0.50", "0.10"),)) in linked(text)


def test_a_variance_may_have_its_formula_before_it() -> None:
    text = "Let $x = (1, 3, 5, 3)$.\n\n$\\mu = \\frac{1}{4}(1 + 3 + 5 + 3) = 3.00$\n\n"
    assert "2.00" in judged(f"{text}$\\sigma^2 = \\frac{{1}}{{4}}\\sum_i (x_i - \\mu)^2 = 2.00$\n")


def test_with_a_bias_a_projection_is_that_of_x_whatever_else_is_printed() -> None:
    text = "X = [[0, 1], [0, 1]]\n\nW_V = [[1, 0], [1, 0]]\n\nb_V = [[1, 0]]\n\n"
    text += "V = X W_V + b_V = [[2, 0], [2, 0]]\n\n"
    text += "Q = [[1, 2], [1, 2]]\n\nK = [[2, 3], [2, 3]]\n\n"
    text += "A = [[2.00, 0.00], [2.00, 0.00]]\n\nZ = [[2.00, 0.00], [2.00, 0.00]]\n"
    assert ("V", 0, (("2", "0"), ("2", "0"))) in linked(text)


def test_a_table_of_quantities_holds_their_matrices() -> None:
    rows = (("Q", r"1 & 0 \\ 0 & 2"), ("K", r"1 & 0 \\ 0 & 1"), (r"S = QK^\top", r"1 & 0 \\ 0 & 3"))
    body = r" \\ ".join(rf"${name}$ & $\begin{{pmatrix}} {cells} \end{{pmatrix}}$" for name, cells in rows)
    reports = document_reports(rf"\begin{{tabular}}{{ll}} {body} \end{{tabular}}", "a.tex", "latex")
    wrong = [each for report in reports for each in report.judgements if each.verdict == "slip"]
    assert [each.printed.numeral.text for each in wrong] == ["3"]


def test_matrices_may_stand_in_braces() -> None:
    text = "```mathematica\nQ = {{1, 0}, {0, 2}}; K = {{1, 0}, {0, 1}};\nQ . Transpose[K]\n```\n\n"
    assert given(f"{text}QK^T = [[1, 0], [0, 2]]\n", "Q") == (("1", "0"), ("0", "2"))


def test_a_table_of_percentages_is_one_of_weights() -> None:
    text = f"{ATTENDED}\nAttention in per cent:\n\n| | cat | sat |\n|---|---|---|\n| cat | 67% | 33% |\n"
    assert linked(f"{text}| sat | 20% | 80% |\n")[-1][0] == "A"


def test_a_product_of_tokens_is_a_score_and_no_scaled_one() -> None:
    text = "| Word | q | k | v |\n|---|---|---|---|\n"
    text += "| cat | (1, 0) | (1, 0) | (1, 2) |\n| sat | (0, 2) | (0, 1) | (3, 4) |\n\n"
    text += "cat·cat = 1 → 1/√2 = 0.71\n\ncat·sat = 0 → 0/√2 = 0.00\n\nsat·sat = 2 → 2/√2 = 1.41\n"
    assert accused(text) == []
    assert ("scores", 1, (("2",),)) in linked(text)


def test_what_the_values_lead_to_by_an_arrow_are_the_outputs() -> None:
    text = f"{ATTENDED}\n$$A = [[1, 0], [0.5, 0.5]]$$\n\n"
    text += "$$\\text{times } V \\;\\longrightarrow\\; \\begin{pmatrix} 1 & 2 \\\\ 2 & 3 \\end{pmatrix}$$\n"
    assert linked(text)[-1][0] == "Z"


def test_a_table_of_names_and_values_is_one_of_equations() -> None:
    text = "| tensor | value |\n|---|---|\n| `Q` | `[[1, 0], [0, 2]]` |\n| `K` | `[[1, 0], [0, 1]]` |\n"
    assert accused(f"{text}| `Q @ K.T` | `[[1, 0], [0, 3]]` |\n") == ["scores 3"]
