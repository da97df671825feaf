"""Numbers that are no results, or none as they stand: with units and thousands, shapes, formats."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import ATTENDED, accused


@pytest.mark.parametrize(
    "line",
    [
        "The state has 84×84 = 7,056 pixels, 0.5 of them black.",
        "The state has 84×84 = 7,056 pixels.",
        "Total tokens: 17,500 × 1.33 ≈ 23,275 tokens",
        "- a matrix of 2048 × 2048 = **4.2 million floats**",
        "- embeddings: `32000 × 4096 ≈ 0.13B`",
        "- 加 Embedding：32000 × 4096 ≈ 1.3亿",
        "| scores | 4096 × 4096 × 2 ≈ **32 MB** |",
        "A wide model has heads of 128 (24,576 / 64 / 3 = 128), 0.5 of them idle.",
        "A model has heads of 24,576 / 192 = 128.",
        r"Heads of $24{,}576 / 192 = 128$ numbers, and 0.5 of them.",
        r"Heads of $24{,}576 / 192 = 128$ numbers.",
        r"### 2.1 Roots\n\n$\sqrt{2} \approx 1{,}414$ and √3 ≈ 1,732",
        "There are 6144 + 372 ≈ 6500 patches, and 96·23 ≈ 2,200 keys of 1.5 MB.",
        "2^30 ≈ 1,000,000,000 and 4096·6·2 ≈ 49,000; -96·23 ≈ -2,200 (0.5 of them).",
        "2024-05-01 → 1714521600",
        "It fell from 498/500=99.6 to 490/500=98.",
        "```\n1. You asked: 1+2=\n4. I said: 1 + 2 = 3\n```",
        "```\n1. 你问：1+2=\n4、我答：1 + 2 = 3\n```",
        "- inf2.xlarge (Inferentia2): $0.15 (70% cheaper)",
        "tanh(1) = (e^1 - e^(-1)) / (e^1 + e^(-1)) = 0.76",
        "pad(6, 32) = (((6) + (32) - 1) & ~((32) - 1))",
        "z = torch.tensor([[2.0, 1.0]])\n\nprobs = softmax(z)\nprint(f\"{[f'{p:.4f}' for p in probs]}\")",
        "Downloading torch-2.7.1%2Bcpu from 1.5.1",
        "x_t = [0.1, 0.2]\n\nb = x_t-1 = [0.5, -0.3]  (the embedding before)",
    ],
)
def test_numbers_with_units_thousands_and_formats_are_not_accused(line: str) -> None:
    assert accused(line + "\n") == []


def test_a_percentage_that_says_a_share_again_is_still_held_to_it() -> None:
    assert accused("The weight is 0.66 (76%).\n") == ["= 76%"]
    assert accused("84×84 = 7000, 0.5*3 = 1.7, 498/500 = 98.6\n") == ["= 7000", "= 1.7", "= 98.6"]


def test_thousands_are_counted_with_where_decimals_have_points() -> None:
    text = "Half of them, 0.5, and (24,576 / 192 = 127), (2 * 3,072 = 6,145), $3{,}072 - 72 = 2{,}999$.\n"
    assert accused(text) == ["= 127", "= 6145", "= 2999"]


def test_a_round_number_far_from_what_it_is_about_is_none_of_it() -> None:
    assert accused("96·23 ≈ 2500, 37·3 ≈ 140, 5·5 = 20, 5·5 ≈ 26\n") == ["= 2500", "= 140", "= 20", "= 26"]


@pytest.mark.parametrize("said", ["accuracy, f1_score,", "Test scores:", "F1 scores:", "模型的准确率得分："])
def test_scores_of_a_model_are_none_of_attention(said: str) -> None:
    told = "{}\n\n[[1, 0, 1],\n [0.9, 0.2, 0.8]]\n\nProbabilities:\n\n[[0.2, 0.7, 0.1],\n [0.5, 0.3, 0.2]]\n"
    assert [list(case.given) for case in read_notes(told.format("Scores:")).cases] == [["scores"]]
    assert read_notes(told.format(said)).cases == ()


def test_the_shape_that_an_arrow_leads_to_is_no_row() -> None:
    text = "X (image): 4096 patches × 320 dimensions\n\nQ = X × W_Q  → (4096, 320)\n"
    text += "\nattn = softmax(scores / √d_k)  → (4096, 77)\n"
    assert accused(text) == []
    assert not any(
        "320" in row for case in read_notes(text).cases for each in case.stated for row in each.values
    )


def test_what_softmax_must_sum_to_is_no_sum_of_exponentials() -> None:
    text = (
        ATTENDED + "| mistake | why |\n|---|---|\n| no softmax | it must sum to 1 |\n\n- Total: 800 tokens\n"
    )
    assert accused(text) == []
    assert accused(ATTENDED + "Row 1:\n\nexp: [2.03, 1.00]\n\nSum = 3.30\n") == ["sum 3.30"]


def test_rows_of_a_quantity_printed_again_below_other_words_stay_its_rows() -> None:
    text = ATTENDED + (
        "A = [[0.67, 0.33], [0.20, 0.80]]\n\n"
        '```python\nprint("attention value of V")\nprint(V[0])\nprint(V[1])\n```\n\n'
        "```\nattention value 1\n[1 2]\nattention value 2\n[3 4]\n```\n"
    )
    assert accused(text) == []


def test_a_causal_mask_of_other_pages_is_none_where_all_keys_are_seen() -> None:
    text = (
        "Q = [[1, 0], [0, 1], [1, 1]]\nK = [[1, 0], [0, 1], [1, 1]]\nV = [[1], [2], [3]]\n\n"
        "A = [[0.40, 0.20, 0.40], [0.20, 0.40, 0.40], [0.25, 0.25, 0.50]]\n\n"
        "# Decoders\n\nA causal mask keeps a token from those behind it.\n"
    )
    assert read_notes(text).cases[0].settings.mask == "none"
    assert accused(text) == []


def test_a_sentence_on_a_shape_prints_no_row_again() -> None:
    text = ATTENDED + "scores = [[1, 0], [0, 2]]\n\nNote that the shape is still (2, 2).\n"
    assert "2, 2" not in str([claim.values for claim in read_notes(text).cases[0].stated[1:]])
    (case,) = read_notes(text).cases
    assert len(case.stated) == 1
