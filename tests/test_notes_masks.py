"""Which keys a document hides from which queries: told in words, or read off its zeros."""

from __future__ import annotations

import pytest

from symattn.case import Given
from symattn.reading.case_file import parse_case
from symattn.reading.notes import read_notes
from symattn.reading.notes.cases.extract import extract
from tests.linked import accused, conventions, verdicts

CAUSAL = """\
Q = [[1], [1]]
K = [[1], [2]]
V = [[3], [4]]
A = [[1, 0], [0.27, 0.73]]
"""


PADDED = """\
Q = [[1], [1]]
K = [[1], [1], [2]]
V = [[3], [4], [5]]
A = [[0.5, 0.5, 0], [0.5, 0.5, 0]]
"""


def test_a_causal_mask_is_read_off_the_zeros_above_the_diagonal() -> None:
    assert read_notes(CAUSAL).cases[0].settings.mask == "causal"
    assert conventions(CAUSAL)["mask"].inferred
    assert verdicts(CAUSAL) == {"correct"}


def test_padding_is_read_off_whole_columns_of_zeros() -> None:
    padding = read_notes(PADDED).cases[0].settings.padding
    assert padding is not None
    assert padding.typed == (("1", "1", "0"),)
    assert parse_case(extract(read_notes(PADDED))).settings.padding == padding


def test_scores_printed_as_minus_infinity_hide_their_keys() -> None:
    text = CAUSAL.replace("A =", "masked scores = [[1, -∞], [1, 2]]\nA =")
    assert read_notes(text).cases[0].settings.mask == "causal"
    assert verdicts(text) == {"correct"}


MASKED = """\
scores = [[1, 2, 0], [0, 1, 2], [2, 0, 1], [1, 0, 2]]

No scaling. Some pairs are masked.

exp = [[2.72, 7.39, 0.00], [1.00, 2.72, 7.39], [7.39, 1.00, 2.72], [2.72, 1.00, 7.39]]
A = [[0.27, 0.73, 0.00], [0.09, 0.24, 0.67], [0.67, 0.09, 0.24], [0.24, 0.09, 0.67]]
"""


def test_a_mask_that_the_text_speaks_of_hides_the_one_pair_printed_as_zero() -> None:
    mask = read_notes(MASKED).cases[0].settings.mask
    assert isinstance(mask, Given)
    assert mask.typed[0] == ("1", "1", "0")
    assert read_notes(MASKED.replace("Some pairs are masked.", "")).cases[0].settings.mask == "none"


def test_a_walk_may_start_at_masked_scores() -> None:
    """What a hidden score was tells nothing, and the weights of the others follow."""
    text = (
        "Scores after scaling:\n\n```\n[[0.5, -inf],\n [1.2, 0.3]]\n```\n\n"
        "After softmax:\n\n```\n[[1.0, 0.0],\n [0.71, {}]]\n```\n\n"
        "With V = [[1, 0], [0, 1]] the output is [[1, 0], [0.71, 0.29]].\n"
    )
    (case,) = read_notes(text.format("0.29")).cases
    assert case.given["scaled"].typed == (("0.5", "0"), ("1.2", "0.3"))
    assert case.settings.mask == "causal"
    assert verdicts(text.format("0.29")) == {"correct"}
    assert "slip" in verdicts(text.format("0.49"))


@pytest.mark.parametrize("words", ["A token may only look at itself and at what came before.", ""])
def test_a_causal_mask_is_heard_in_words_and_seen_in_weights_that_are_left_out(words: str) -> None:
    text = CAUSAL.split("A =")[0] + f"{words}\n\nRow 1: A = [1]\n\nRow 2: A = [0.27, 0.73]\n"
    assert read_notes(text).cases[0].settings.mask == "causal"


def test_a_weight_that_stands_alone_and_is_rounded_hides_no_other() -> None:
    text = 'The tokens are "cat", "mat".\n\n' + CAUSAL.partition("A =")[0]
    sentences = '"cat" gives 99% to "cat" and "mat" gives 27% to "cat".\n'
    assert [case.settings.mask for case in read_notes(text + sentences).cases] == ["none"]


def test_a_first_row_that_sees_one_key_needs_no_print_for_a_causal_mask() -> None:
    text = (
        "- `I`: q=(2, 0), k=(1, 2), v=(1, 0)\n- `am`: q=(2, 1), k=(1, 1), v=(2, 1)\n"
        "- `here`: q=(1, 0), k=(2, 0), v=(1, 2)\n\n"
        "**Position 2 (`am`)**\n\nWeights: 67.0%, 33.0%.\n\n"
        "**Position 3 (`here`)**\n\nWeights: 24.8%, 24.8%, 50.3%.\n"
    )
    assert read_notes(text).cases[0].settings.mask == "causal"


def test_weights_that_leave_out_the_keys_of_their_scores_are_masked_though_one_is_wrong() -> None:
    text = (
        "q_1 = (1, 0), q_2 = (1, 1), q_3 = (2, 1), k_1 = (2, 0), k_2 = (0, 1), k_3 = (0, 2), d_k = 2\n\n"
        "q_2 K^T = [2, 1], scaled [1.414, 0.707], weights a_2 = [0.607, 0.330]\n\n"
        "q_3 K^T = [4, 1, 2], scaled [2.828, 0.707, 1.414], weights a_3 = [0.743, 0.089, 0.181]\n"
    )
    assert read_notes(text).cases[0].settings.mask == "causal"


HIDDEN = """\
Q = [[1], [1], [1]]
K = [[1], [1], [2]]
V = [[3], [4], [5]]
masked scores = [[1, 1, -inf], [1, 1, -inf], [1, 1, -inf]]
A = [[0.5, 0.5, 0], [0.5, 0.5, {}], [0.5, 0.5, 0]]
"""


def test_scores_of_minus_infinity_hide_a_key_though_a_slip_gives_it_a_weight() -> None:
    assert accused(HIDDEN.format("0")) == []
    assert accused(HIDDEN.format("0.9")) == ["A 0.9"]
