"""Conventions of a document: declared, read off the numbers, contradicted by them, or given by option."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from symattn.reading.notes.layout.context import Context
from symattn.reading.overrides import overrides
from tests.linked import UNSCALED, conventions, remarks, verdicts

BASE_TWO = """\
Q = [[1], [2]]
K = [[1], [3]]
V = [[1], [2]]
The weights are A = [[0.2, 0.8], [0.06, 0.94]].
"""
SLIPPED = """\
Q = [[1], [2]]
K = [[1], [3]]
V = [[1], [2]]
scores = [[1, 4], [2, 5]]
A = [[0.11, 0.89], [0.11, 0.89]]
"""
SIZED = """\
The dimension of the keys is d_k = 64, so we divide the scores by sqrt(d_k) = 8.
Q = [[8, 0], [0, 8]]
K = [[2, 1], [1, 3]]
scores = [[16, 8], [8, 24]]
scaled = [[2, 1], [1, 3]]
"""


def test_a_base_that_the_text_leaves_open_is_read_off_the_weights() -> None:
    found = conventions(BASE_TWO)["base"]
    assert (found.value, found.declared, found.inferred) == ("2", None, True)
    assert (found.explains, found.of) == (4, 4)
    assert verdicts(BASE_TWO) == {"correct"}


@pytest.mark.parametrize("words", ["We take the softmax to base 2.", "这里的 softmax 以 2 为底。"])
def test_a_base_that_the_text_declares_needs_no_inference(words: str) -> None:
    found = conventions(f"{words}\n{BASE_TWO}")["base"]
    assert (found.value, found.declared, found.inferred) == ("2", "2", False)


def test_who_writes_exp_means_the_base_e_and_powers_of_two_are_slips() -> None:
    assert "slip" in verdicts(f"Each weight is exp of a score over their sum.\n{BASE_TWO}")


def test_weights_follow_the_scores_that_are_printed_also_where_those_are_wrong() -> None:
    found = conventions(SLIPPED)["base"]
    assert (found.value, found.explains, found.of) == ("2", 4, 4)


def test_the_root_of_a_variance_declares_no_scaling() -> None:
    text = "Q = [[4, 1], [0, 2]]\nK = [[1, 0], [0, 1]]\nA = [[0.95, 0.05], [0.12, 0.88]]\n\nσ = √0.25 = 0.5\n"
    assert conventions(text)["scale"].inferred
    assert read_notes(text).cases[0].settings.scale == "1"


@pytest.mark.parametrize("words", ["Scaled by sqrt(3):", "除以 √3：", "Divided by the root:"])
def test_where_scores_are_given_the_divisor_is_the_one_told_or_the_one_that_was_used(words: str) -> None:
    text = (
        "scores = [[2, 0], [1, 3]]\n\nThese we divide by sqrt(d_k).\n\n"
        f"{words}\n\nscaled = [[1.15, 0.00], [0.58, 1.73]]\n\nV = [[1], [2]]\n\n"
        "A = [[0.76, 0.24], [0.24, 0.76]]\n"
    )
    assert read_notes(text).cases[0].settings.scale == "1/sqrt(3)"
    assert verdicts(text) == {"correct"}


@pytest.mark.parametrize(
    "words",
    [
        "We use the embeddings directly as Q, K and V.",
        "Here queries, keys and values are the inputs themselves.",
        "To keep it simple, no projection is used.",
        "这里直接把词向量作为查询、键和值。",
        "为简单起见省略投影矩阵。",
    ],
)
def test_queries_keys_and_values_may_be_the_inputs_in_so_many_words(words: str) -> None:
    text = f"X = [[1, 0], [1, 2]]\n\n{words}\n\nscores = [[1, 1], [1, 5]]\n"
    (case,) = read_notes(text).cases
    assert case.given["Q"].typed == case.given["K"].typed == (("1", "0"), ("1", "2"))
    assert read_notes(text.replace(words, "W_Q is given below.")).cases == ()


def test_the_d_k_that_the_text_speaks_of_wins_where_the_numbers_follow_it() -> None:
    assert conventions(SIZED)["scale"].value == "1/sqrt(64)"
    assert verdicts(SIZED) == {"correct"}


def test_weights_that_lack_the_scaling_that_the_text_declares_are_one_finding() -> None:
    assert remarks(UNSCALED) == [("SA601", "; scores divided by √d_k; 4")]
    assert verdicts(UNSCALED) == {"correct"}


@pytest.mark.parametrize("words", ["Each weight is exp of a score over their sum.", "Softmax, row by row."])
def test_weights_in_powers_of_two_where_the_text_means_the_base_e_are_one_finding(words: str) -> None:
    text = BASE_TWO.replace("0.2, 0.8], [0.06, 0.94", "0.200, 0.800], [0.059, 0.941")
    text = f"{words}\n{text}"
    assert ("SA601", "; the base e; 4") in remarks(text)
    assert verdicts(text) == {"correct"}


def test_a_scale_that_an_option_gives_is_overruled_by_no_number() -> None:
    assert remarks(UNSCALED, overrides(["scale=1/sqrt(d_k)"])) == [("SA604", "scale = 1/sqrt(d_k); ; ")]
    assert "slip" in verdicts(UNSCALED, overrides(["scale=1/sqrt(d_k)"]))


def test_numbers_contradict_no_base_of_which_the_text_says_nothing() -> None:
    # the weights are powers of 2 of the printed scores, but Q is wrong: exactly, they follow from no base
    text = """\
X = [[1], [2]]
W_Q = [[1]]
W_K = [[1]]
Q = [[2], [3]]
K = [[1], [2]]
A = [[0.200, 0.800], [0.111, 0.889]]
"""
    assert "SA601" not in [code for code, _ in remarks(text)]
    declared = remarks(f"Each weight is exp of a score over their sum.\n{text}")
    assert ("SA601", "; the base e; 4") in declared


def test_what_would_be_without_scaling_is_no_convention_and_no_step() -> None:
    text = (
        UNSCALED.replace("A =", "Without scaling, softmax(QK^T) would be\n\n[[0.9, 0.1], [0.8, 0.2]]\n\nB =")
        + "With scaling by √2 the weights are A = [[0.33, 0.67], [0.80, 0.20]]\n"
    )
    (case,) = read_notes(text).cases
    assert case.settings.scale == "1/sqrt(d_k)"
    assert [claim.values for claim in case.stated if claim.name == "A"] == [
        (("0.33", "0.67"), ("0.80", "0.20"))
    ]


def test_scores_that_are_called_unscaled_may_be_scaled_later() -> None:
    text = "The (unscaled) logits are\n\nscores = [[2, 0], [1, 3]]\n\n"
    text += "Divide by √d_k = √2 ≈ 1.41.\n\nV = [[1], [2]]\n"
    assert read_notes(text + "A = [[0.80, 0.20], [0.20, 0.80]]\n").cases[0].settings.scale != "1"


UNSAID = """\
Q = [[2.1, 1.0], [2.9, 1.7]]
K = [[2.0, 0.6], [2.3, 0.7]]
V = [[1.26, 0.84], [1.06, 1.53]]
The softmax is taken row by row.

Row 1:

total = 373.7

softmax: [0.3, 0.7]

Z = A V = [[1.1, 1.3], [1.1, 1.3]]
"""


def test_of_two_scales_that_explain_as_many_numbers_the_one_counts_that_is_further_from_none() -> None:
    """Rounding explains what 376.1 is printed as, and nothing what 79.7 is; A shows only a digit."""
    assert [case.settings.scale for case in read_notes(UNSAID).cases] == ["1"]


WARM = (
    "Q = [[2, 0]]\nK = [[2, 1], [1, 1]]\nV = [[1], [2]]\n{said}\n\nscores = [[4, 2]]\n\nscaled = [[2, 1]]\n"
)


@pytest.mark.parametrize(
    ("said", "scale", "temperature"),
    [
        ("Instead of the root of the width we divide by the temperature T = 2.", "1/(2)", None),
        ("We divide by √d_k, and the temperature is 2.", "1/sqrt(d_k)", "2"),
    ],
)
def test_a_temperature_may_stand_in_the_place_of_the_root(
    said: str, scale: str, temperature: str | None
) -> None:
    (case,) = read_notes(WARM.format(said=said)).cases
    assert (case.settings.scale, case.settings.temperature) == (scale, temperature)


HIDDEN_DIGITS = """\
Q = [[1.83, 1.05, 1.02, 1.43]]
K = [[1.21, 1.33, 0.94, 0.98], [1.32, 1.41, 0.88, 1.02], [0.51, 0.62, 0.73, 0.41]]
scores = [[5.9, 6.2, 2.9]]
exp = [[376.1, 535.4, 18.4]], sum = 929.9
A = [[0.4, 0.5, 0.0]]
"""


def test_exponentials_of_scores_whose_digits_are_not_shown_tell_the_scale() -> None:
    scale = conventions(HIDDEN_DIGITS)["scale"]
    assert (scale.value, scale.explains, scale.of) == ("1", 6, 7)  # the sum alone is off


ROOTED = """\
- q1·k1 = 1.9*0.6 + 0.0*1.6 + 1.9*1.2 + 0.5*0.9 = 3.87
- q1·k2 = [1.9, 0.0, 1.9, 0.5]·[0.6, 1.4, 0.8, 1.0] = 3.16
- q1·k3 = [1.9, 0.0, 1.9, 0.5]·[1.2, 1.7, 1.7, 1.0] = 6.01
- q1·k4 = 1.9*1.1 + 0.0*0.5 + 1.9*1.1 + 0.5*1.5 = 4.93
- q2·k1 = [0.1, 0.8, 0.6, 0.8]·[0.6, 1.6, 1.2, 0.9] = 2.78
- q2·k2 = 0.1*0.6 + 0.8*1.4 + 0.6*0.8 + 0.8*1.0 = 2.46
- q2·k3 = 0.1*1.2 + 0.8*1.7 + 0.6*1.7 + 0.8*1.0 = 3.30
- q2·k4 = 0.1*1.1 + 0.8*0.5 + 0.6*1.1 + 0.8*1.5 = 2.37
- q3·k1 = [1.5, 1.7, 0.6, 0.3]·[0.6, 1.6, 1.2, 0.9] = 4.61
- q3·k2 = 1.5*0.6 + 1.7*1.4 + 0.6*0.8 + 0.3*1.0 = 4.06
- q3·k3 = [1.5, 1.7, 0.6, 0.3]·[1.2, 1.7, 1.7, 1.0] = 6.01
- q3·k4 = 1.5*1.1 + 1.7*0.5 + 0.6*1.1 + 0.3*1.5 = 3.61
- q4·k1 = 0.1*0.6 + 1.7*1.6 + 0.2*1.2 + 0.3*0.9 = 3.29
- q4·k2 = [0.1, 1.7, 0.2, 0.3]·[0.6, 1.4, 0.8, 1.0] = 2.90
- q4·k3 = [0.1, 1.7, 0.2, 0.3]·[1.2, 1.7, 1.7, 1.0] = 3.65
- q4·k4 = 0.1*1.1 + 1.7*0.5 + 0.2*1.1 + 0.3*1.5 = 1.63

| | mat | loves | sat | river |
|---|---|---|---|---|
| mat | 1.94 | 1.58 | 3.01 | 2.47 |

We use a temperature of T = 1.5.

- softmax: [0.30, 0.22, 0.40, 0.08]
- z4 = 0.30*[0.5, 1.6] + 0.22*[1.8, 1.6] + 0.40*[0.2, 0.7] + 0.08*[0.0, 0.3] = [0.63, 1.14]
"""


def test_scores_that_are_divided_by_the_root_are_not_divided_by_the_temperature_instead() -> None:
    """The weights are of powers of ten, which the other divisor comes nearer to."""
    assert {case.settings.scale for case in read_notes(ROOTED).cases} == {"1/sqrt(d_k)"}


def test_what_follows_from_printed_weights_says_nothing_of_the_scale() -> None:
    """Z is made of the rounded weights, so that no scale explains it; the exponentials tell the root."""
    text = (
        "Q = [[2, 2], [0, 0], [0, 0], [0, -2]]\n\nK = [[2, 4], [0, 0], [0, 0], [-1, 3]]\n\n"
        "V = [[2, 0], [0, 0], [0, 0], [1, 3]]\n\n"
        "scores = [[12, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0], [-8, 0, 0, -6]]\n\n## Scaling\n\n## Softmax\n\n"
        "exp_1 = (4842.96, 1.00, 1.00, 16.92), exp_4 = (0.00, 1.00, 1.00, 0.01)\n\n"
        "A = [[1.00, 0.00, 0.00, 0.00], [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25], "
        "[0.00, 0.50, 0.50, 0.00]]\n\nZ = [[2.00, 0.00], [0.75, 0.75], [0.75, 0.75], [0.00, 0.01]]\n\n"
        "Again:\n\nZ = [[2.00, 0.00], [0.75, 0.75], [0.75, 0.75], [0.00, 0.01]]\n"
    )
    (case,) = read_notes(text).cases
    assert case.settings.scale == "1/sqrt(d_k)"


@pytest.mark.parametrize(
    "words",
    [
        "I leave out the scaling by `sqrt(d_k)` here.",
        "We drop the 1/√d_k factor.",
        "We do not divide by √d_k here.",
        "No division by sqrt(d_k) is needed.",
    ],
)
def test_a_scale_that_is_named_to_be_left_out_is_left_out(words: str) -> None:
    assert Context(f"{words}\n").declares_scale() == "1"


@pytest.mark.parametrize(
    "words",
    [
        "Don't forget to divide by √d_k.",
        "Attention does not scale well; we divide by √d_k.",
        "We divide by √d_k. Without scaling by sqrt(d_k) it would saturate.",
    ],
)
def test_a_scale_that_is_not_left_out_is_there(words: str) -> None:
    assert Context(f"{words}\n").declares_scale() == "1/sqrt(d_k)"


SQUARE = """\
X = [[2, 0], [1, 0], [0, 0]]
W_Q = [[1, 0], [1, 1]]
W_K = [[0, 1], [1, 0]]
W_V = [[1, 0], [1, 1]]
Q = [[2, 0], [1, 0], [0, 0]]
K = [[0, 2], [0, 1], [0, 0]]
V = [[2, 0], [1, 0], [0, 0]]
scores = [[4, 2, 0], [2, 1, 0], [0, 0, 0]]
"""
KEYS_TURNED = """\
X = [[1, 2], [3, 1]]
W_Q = [[1, 2], [0, 1]]
W_K = [[2, 1], [3, 1]]
K = [[4, 5], [7, 10]]
scores = [[24, 47], [47, 91]]
"""


def test_scores_do_not_tell_the_side_of_weights_whose_queries_and_keys_are_printed() -> None:
    """The queries were multiplied by themselves, which the other side of the weights makes of no slip."""
    assert conventions(SQUARE)["weights"].value == "right"
    assert verdicts(SQUARE) == {"correct", "slip"}


def test_scores_tell_the_side_of_the_weights_of_queries_that_are_not_printed() -> None:
    """The keys alone were made with the transpose."""
    assert conventions(KEYS_TURNED)["weights"].value == "right"
    assert verdicts(KEYS_TURNED) == {"slip", "carried"}


def test_no_scale_is_said_of_a_walk_that_has_no_scores() -> None:
    weighed = "V = [[2, 1], [1, 3]]\nA = [[0.5, 0.5], [0.25, 0.75]]\nA V = [[1.5, 2], [1.25, 2.5]]\n"
    scored = "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nA = [[0.67, 0.33], [0.20, 0.80]]\n"
    assert "SA603" not in str(remarks(weighed))
    assert "SA603" in str(remarks(scored))
