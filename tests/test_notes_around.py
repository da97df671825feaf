"""What stands around plain attention in notes: layers, positions, memories, caches, masks, closed forms."""

from __future__ import annotations

import pytest

from symattn.auditor.report import OPERAND, Report
from symattn.case import Case
from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes
from tests.linked import accused

WEIGHTS = "W_Q = [[1, 0], [0, 1]]\n\nW_K = [[1, 1], [0, 1]]\n\nW_V = [[2, 0], [0, 3]]\n\n"
LAYER = (
    "Q = [[1, 0], [0, 1]]\n\nK = [[0, 0], [0, 0]]\n\nV = [[2, 0], [0, 4]]\n\nX = [[1, 3], [3, 4]]\n\n"
    "A = [[0.5, 0.5], [0.5, 0.5]]\n\nZ = A V = [[1, 2], [1, 2]]\n\nH = X + Z = [[2, 5], [4, 6]]\n\n"
)


def case(text: str) -> Case:
    (found,) = read_notes(text).cases
    return found


def told(text: str, name: str) -> list[tuple[int, int, str, str]]:
    """Row, column, characters and verdict of what a document prints for a quantity."""
    reports: tuple[Report, ...] = document_reports(text, None, "markdown")
    numbers = [number for report in reports for number in report.judgements]
    return [
        (n.printed.row, n.printed.col, n.printed.numeral.text, n.verdict)
        for n in numbers
        if n.printed.name == name and n.note != OPERAND
    ]


def test_the_sum_of_input_and_output_is_the_residual_of_a_layer() -> None:
    assert case(LAYER).settings.layer == "residual"
    assert told(LAYER, "residual_1") == [
        (0, 0, "2", "correct"),
        (0, 1, "5", "correct"),
        (1, 0, "4", "correct"),
        (1, 1, "6", "correct"),
    ]


def test_a_norm_goes_by_the_letter_that_the_document_gives_its_argument() -> None:
    text = LAYER + "N = LayerNorm(H) = [[-1, 1], [-1, 2]]\n"
    assert case(text).settings.layer == "post-norm"
    assert told(text, "norm_1")[2:] == [(1, 0, "-1", "correct"), (1, 1, "2", "slip")]


def test_rows_teach_the_letter_of_their_matrix() -> None:
    rows = "h_1 = x_1 + z_1 = [1, 3] + [1, 2] = [2, 5]\n\nh_2 = x_2 + z_2 = [4, 6]\n\n"
    text = LAYER.partition("H = ")[0] + rows + "LayerNorm(H) = [[-1, 1], [-1, 1]]\n"
    assert {verdict for *_, verdict in told(text, "norm_1")} == {"correct"}


def test_mean_variance_and_deviation_of_a_norm_are_claims() -> None:
    text = LAYER + (
        "μ_1 = (2 + 5) / 2 = 3.5\n\nσ_1² = ((2 - 3.5)² + (5 - 3.5)²) / 2 = 2.25\n\nσ_1 = √2.25 = 1.5\n\n"
        "Row 2:\n\nmean = 5.5\n\nvariance = 1\n"
    )
    assert told(text, "norm_1.mean") == [(0, 0, "3.5", "correct"), (1, 0, "5.5", "slip")]
    assert told(text, "norm_1.variance") == [(0, 0, "2.25", "correct"), (1, 0, "1", "correct")]
    assert told(text, "norm_1.deviation") == [(0, 0, "1.5", "correct")]


def test_a_hat_is_the_normalised_row_and_no_input() -> None:
    text = LAYER + "γ = [2, 1]\n\nβ = [0, 1]\n\n$\\hat{x}_1 = [-1, 1]$\n\nLayerNorm(H) = [[-2, 2], [-2, 2]]\n"
    assert told(text, "norm_1.normalised") == [(0, 0, "-1", "correct"), (0, 1, "1", "correct")]
    assert {verdict for *_, verdict in told(text, "norm_1")} == {"correct"}


def test_normalised_rows_are_the_norm_where_nothing_scales_them() -> None:
    table = "| | mean | std | normalised |\n|---|---|---|---|\n| token 1 | 3.5 | 1.5 | [-1, 1] |\n"
    text = LAYER + table + "| token 2 | 5 | 1 | [-1, 2] |\n"
    assert [verdict for *_, verdict in told(text, "norm_1")] == ["correct", "correct", "correct", "slip"]


def test_the_feed_forward_part_follows_its_letters() -> None:
    text = LAYER + (
        "N = LayerNorm(H) = [[-1, 1], [-1, 1]]\n\nW_1 = [[1, 2], [3, 1]]\n\nb_1 = [0, -1]\n\n"
        "U = N W_1 + b_1 = [[2, -2], [2, -2]]\n\nR = ReLU(U) = [[2, 0], [2, 2]]\n\nW_2 = [[1, 0], [0, 1]]\n\n"
        "F = R W_2 = [[2, 0], [2, 0]]\n\nN + F = [[1, 1], [1, 1]]\n"
    )
    assert {verdict for *_, verdict in told(text, "widened")} == {"correct"}
    assert told(text, "active")[3] == (1, 1, "2", "slip")
    assert [number[2] for number in told(text, "residual_2")] == ["1", "1", "1", "1"]


def test_an_encoding_added_to_the_embeddings_is_part_of_their_walk() -> None:
    text = (
        "X = [[1, 0], [0, 1]]\n\n" + WEIGHTS + "PE = [[0, 1], [0.84, 0.54]]\n\n"
        "X' = X + PE = [[1, 1], [0.84, 1.54]]\n\nQ = X' W_Q = [[1, 1], [0.84, 1.64]]\n"
    )
    assert (case(text).settings.positions, case(text).settings.start) == ("sinusoidal", 0)
    assert told(text, "Q")[3] == (1, 1, "1.64", "slip")


def test_an_encoding_that_is_no_sine_is_given() -> None:
    text = "X = [[1, 0], [0, 1]]\n\n" + WEIGHTS + "PE = [[5, 6], [7, 8]]\n\nX + PE = [[6, 6], [7, 9]]\n"
    assert case(text).given["PE"].typed == (("5", "6"), ("7", "8"))
    assert {verdict for *_, verdict in told(text, "X+PE")} == {"correct"}


@pytest.mark.parametrize(
    "memory",
    ["M = [[1, 1], [0, 2], [3, 0]]\n\n", "## Encoder output\n\nE = [[1, 1], [0, 2], [3, 0]]\n\n"],
    ids=["by its product", "by its heading"],
)
def test_keys_may_come_from_a_memory(memory: str) -> None:
    letter = "M" if "M =" in memory else "E"
    product = f"{letter} W_K = " if letter == "M" else ""
    text = "X = [[1, 0], [0, 1]]\n\n" + memory + WEIGHTS + f"K = {product}[[1, 2], [0, 2], [3, 3]]\n"
    assert "memory" in case(text).given
    assert {verdict for *_, verdict in told(text, "K")} == {"correct"}


def test_queries_of_an_unknown_letter_are_not_made_of_x() -> None:
    text = (
        "X = [[1, 0], [0, 1]]\n\n"
        + WEIGHTS
        + "Q = B W_Q = [[5, 6], [7, 8]]\n\nscores = [[16, 12], [22, 15]]\n"
    )
    assert told(text, "Q") == []
    assert case(text).given["Q"].typed == (("5", "6"), ("7", "8"))


def test_a_new_token_joins_the_keys_and_values_of_a_cache() -> None:
    text = (
        "x_3 = [1, 1]\n\nK_cache = [[1, 0], [0, 1]]\n\nV_cache = [[2, 0], [0, 2]]\n\n"
        + WEIGHTS
        + "q_3 = [1, 1]\n\n"
        "k_3 = [1, 2]\n\nv_3 = [2, 3]\n\nscores = [[1, 1, 4]]\n"
    )
    assert case(text).given["past_K"].shape == (2, 2)
    assert told(text, "K") == [(2, 0, "1", "correct"), (2, 1, "2", "correct")]
    assert told(text, "scores")[2] == (0, 2, "4", "slip")


CACHED = (
    "x_2 = [1, 1]\n\nK_cache = [[3, 4, 5]]\n\nV_cache = [[2, 0]]\n\n"
    "W_Q = [[1, 0, 1], [0, 1, 0]]\n\nW_K = [[0.254, 0.254, 1], [0.254, 0.505, 1]]\n\n"
    "W_V = [[1, 0], [0, 1]]\n\nk_2 = [0.508, 0.759, 2.000]\n\n"
)


def test_a_row_is_the_same_with_fewer_digits_and_the_matrix_around_it_no_other_example() -> None:
    found = told(CACHED + "K = [[3.00, 4.00, 5.00], [0.51, 0.76, 2.00]]\n", "K")
    assert [text for _, _, text, verdict in found[3:] if verdict == "correct"] == [
        *("3.00", "4.00", "5.00"),
        *("0.51", "0.76", "2.00"),
    ]


def test_the_rows_of_a_whole_matrix_in_another_order_are_still_those_of_this_example() -> None:
    found = told(CACHED + "K = [[0.508, 0.759, 2.000], [3, 4, 5]]\n", "K")
    assert [verdict for *_, verdict in found[3:]] == ["slip"] * 6


def test_a_query_drawn_as_a_matrix_of_one_row_is_the_only_one() -> None:
    text = "We do not scale.\n\n  Q = [1  2]\n\n      [1  0]\n  K = [0  1]\n\n  scores = Q Kᵀ = [1  3]\n"
    assert told(text, "scores") == [(0, 0, "1", "correct"), (0, 1, "3", "slip")]


def test_a_query_without_an_index_is_the_only_one() -> None:
    text = "q = [1, 2]\n\nK = [[1, 0], [0, 1]]\n\nV = [[1, 0], [0, 1]]\n\nq · k_2 = 1×0 + 2×1 = 3\n"
    assert case(text).given["Q"].typed == (("1", "2"),)
    assert told(text, "scores") == [(0, 1, "3", "slip")]


QKV = "Q = [[1, 0], [0, 1]]\n\nK = [[1, 1], [0, 1]]\n\nV = [[2, 0], [0, 3]]\n\nscores = [[1, 0], [1, 1]]\n\n"


def test_a_temperature_stands_between_the_scores_and_the_softmax() -> None:
    text = QKV + "We leave scaling out: no scaling.\n\nWith temperature T = 0.5:\n\n[1, 0] / 0.5 = [2, 1]\n"
    assert case(text).settings.temperature == "0.5"
    assert told(text, "tempered") == [(0, 0, "2", "correct"), (0, 1, "1", "slip")]


def test_a_mask_that_is_printed_is_the_mask() -> None:
    text = QKV + "M = [[0, -∞], [-∞, 0]]\n\nmasked = scores + M\n\nA = [[1, 0], [0, 1]]\n"
    mask = case(text).settings.mask
    assert not isinstance(mask, str)
    assert mask.typed == (("1", "0"), ("0", "1"))
    assert {verdict for *_, verdict in told(text, "A")} == {"correct"}


def test_a_printed_triangle_is_the_causal_mask() -> None:
    assert case(QKV + "M = [[0, -∞], [0, 0]]\n\nA = [[1, 0], [0.5, 0.5]]\n").settings.mask == "causal"


def test_a_padding_mask_is_heard() -> None:
    text = QKV + "The padding mask is [1, 0].\n\nA = [[1, 0], [1, 0]]\n"
    padding = case(text).settings.padding
    assert padding is not None
    assert padding.typed == (("1", "0"),)
    assert {verdict for *_, verdict in told(text, "A")} == {"correct"}


def test_entries_in_closed_form_are_judged_exactly() -> None:
    text = QKV + "We divide by √d_k = √2.\n\nscaled = [[1/√2, 0], [√2/2, 2/√3]]\n"
    assert told(text, "scaled") == [
        (0, 0, "1/sqrt(2)", "correct"),
        (0, 1, "0", "correct"),
        (1, 0, "sqrt(2)/2", "correct"),
        (1, 1, "2/sqrt(3)", "slip"),
    ]


def test_a_closed_form_that_is_worked_out_is_a_working() -> None:
    text = (
        QKV + "We divide by √d_k = √2.\n\nscaled = [[1/√2, 0/√2], [1/√2, 1/√2]] = [[0.71, 0], [0.71, 0.71]]\n"
    )
    assert [number[2] for number in told(text, "scaled")] == ["0.71", "0", "0.71", "0.71"]


def test_a_table_continues_the_formula_that_is_its_caption() -> None:
    table = "**H = X + Z**:\n\n| | 1 | 2 |\n|---|---|---|\n| a | 2 | 5 |\n| b | 4 | 7 |\n"
    assert told(LAYER.partition("H = ")[0] + table, "residual_1")[3] == (1, 1, "7", "slip")


def test_runs_of_scaled_scores_follow_their_formula() -> None:
    text = (
        "x1 = [1, 0]\n\nx2 = [0, 1]\n\nX=(1001)\n\nW_Q=(1001)\n\nW_K=(1011)\n\nW_V=(2003)\n\n"
        "QK^T=(1101)\n\nQK^T/√d_k≈(0.710.710.000.72)\n"
    )
    assert told(text, "scaled")[1:] == [
        (0, 1, "0.00", "correct"),
        (1, 0, "0.71", "correct"),
        (1, 1, "0.72", "slip"),
    ]


def test_a_small_weight_is_hidden_by_no_mask() -> None:
    text = QKV + "Some pairs are masked.\n\nRow 1:\n\nexp: [2.72, 0.25]\n\nA = [[1, 0], [0.5, 0.5]]\n"
    assert case(text).settings.mask == "none"


def test_a_row_times_the_output_weights_is_its_projection() -> None:
    text = QKV + (
        "A = [[0.5, 0.5], [0.5, 0.5]]\n\nZ = [[1, 1.5], [1, 1.5]]\n\nW_O = [[2, 0], [0, 2]]\n\n"
        "output[1] = [1, 1.5] W_O = [2, 4]\n"
    )
    assert told(text, "output") == [(0, 0, "2", "rounding"), (0, 1, "4", "slip")]


@pytest.mark.parametrize(
    ("source", "given", "made"),
    [
        ("(X + PE)", "PE = [[5, 6], [7, 8]]\n\n", "[[12, 18], [14, 27]]"),
        ("memory", "memory = [[2, 1], [1, 2]]\n\n", "[[4, 3], [2, 6]]"),
    ],
)
def test_a_source_of_several_letters_stands_before_its_weights(source: str, given: str, made: str) -> None:
    text = "X = [[1, 0], [0, 1]]\n\n" + given + WEIGHTS + f"$V = {source} W_V = {made}$\n"
    assert {verdict for *_, verdict in told(text, "V")} == {"correct"}


def test_runs_of_weights_that_are_turned_have_the_columns_of_the_inputs() -> None:
    text = "x1 = [1, 0]\n\nx2 = [0, 1]\n\nX=(1001)\n\nQ = X W_Q^T\n\nW_Q=(123456)\n\nQ=(142536)\n"
    assert case(text).given["W_Q"].typed == (("1", "4"), ("2", "5"), ("3", "6"))
    assert {verdict for *_, verdict in told(text, "Q")} == {"correct"}


def test_a_mean_is_one_of_the_residual_whose_numbers_are_not_printed() -> None:
    """The lists above it are gain and shift, whose mean nobody takes."""
    text = (
        LAYER.partition("H = ")[0]
        + "$$\nX + Z\n$$\n\n$$\n\\gamma = [1, 2]\n$$\n\n$$\n\\beta = [0, 1]\n$$\n\n"
    )
    text += "For row 1:\n\n$\\mu_1 = 3.5$\n\n$$\nN = \\text{LayerNorm}(X + Z) = [[-1, 3], [-1, 3]]\n$$\n"
    assert told(text, "norm_1.mean") == [(0, 0, "3.5", "correct")]


def test_an_input_with_a_hat_is_what_the_weights_behind_it_multiply() -> None:
    text = "X = [[1, 0], [0, 1]]\n\n$\\hat{X} = [[1, -1], [-1, 1]]$\n\n" + WEIGHTS
    text += "$Q = \\hat{X} W^Q = [[1, -1], [-1, 1]]$\n\n$K = \\hat{X} W^K = [[1, 0], [-1, 0]]$\n\n"
    scores = told(text + "$Q K^T = [[1, -1], [-1, 1]]$\n", "scores")
    assert {verdict for *_, verdict in scores} == {"correct"}


def test_a_bias_of_one_number_is_as_wide_as_what_its_weights_make() -> None:
    text = "X = [[1, 2, 1], [0, 1, 3]]\n\nW_Q = {w}\n\nb_Q = [[0.5]]\n\nQ = X W_Q + b_Q = {q}\n"
    (narrow,) = read_notes(text.format(w="[[1], [0], [2]]", q="[[3.5], [6.5]]")).cases
    assert narrow.given["b_Q"].typed == (("0.5",),)
    (wide,) = read_notes(text.format(w="[[1, 0], [0, 1], [2, 1]]", q="[[3.5, 3.5], [6.5, 4.5]]")).cases
    assert wide.given["b_Q"].typed == (("0.5", "0.5"),)


def test_a_feed_forward_layer_may_be_written_out_with_the_rows_that_go_into_it() -> None:
    text = (
        LAYER
        + "Row 1: mean $= 3.5$, std $= 1.5$, normalised $[-1, 1]$.\n\n"
        + "Row 2: mean $= 5$, std $= 1$, normalised $[-1, 1]$.\n\n"
        + r"$W_1 = \begin{bmatrix} 1 & 2 \\ -1 & 1\end{bmatrix}$, $b_1 = [3, 0]$, "
        + r"$W_2 = \begin{bmatrix} 1 & 0 \\ 1 & 1\end{bmatrix}$, $b_2 = [0, 1]$"
        + "\n\n$$U = \\mathrm{ReLU}\\left(\\begin{bmatrix} -1 & 1 \\\\ -1 & 1 \\end{bmatrix}W_1 + b_1\\right)"
        + r" = \mathrm{ReLU}\begin{bmatrix} 1 & -1 \\ 1 & -1 \end{bmatrix}"
        + r" = \begin{bmatrix} 1 & 0 \\ 1 & 0 \end{bmatrix}$$"
        + "\n\n$$UW_2 + b_2 = \\begin{bmatrix} 1 & 1 \\\\ 1 & 2 \\end{bmatrix}$$\n"
    )
    verdicts = ["correct"] * 4
    assert [verdict for *_, verdict in told(text, "widened")] == verdicts
    assert [verdict for *_, verdict in told(text, "active")] == verdicts
    assert told(text, "ffn")[-1] == (1, 1, "2", "slip")


def test_a_block_on_its_own_begins_with_what_attention_gave_it() -> None:
    text = (
        "x1 = [1, 2, 0]\nx2 = [0, 1, 1]\n\nz1 = [0, 1, 2]\nz2 = [1, 1, 2]\n\n"
        "r1 = x1 + z1 = [1, 3, 2]\nr2 = x2 + z2 = [1, 2, 3]\n\n"
        "LayerNorm:\n\n| token | mean | variance |\n|---|---|---|\n| 1 | 2.0 | 0.67 |\n| 2 | 2.0 | 0.76 |\n"
    )
    assert accused(text) == ["norm_1.variance 0.76"]
