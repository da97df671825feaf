"""Which row a list, a sum or a number belongs to."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import ATTENDED, accused, links


def test_a_row_with_the_numbers_of_another_is_still_the_row_that_is_named() -> None:
    text = ATTENDED + ("We do not scale.\nRow 1:\nsoftmax = [0.12, 0.88]\nRow 2:\nsoftmax = [0.73, 0.27]\n")
    assert accused(text) == ["A 0.12", "A 0.88", "A 0.73", "A 0.27"]


def test_the_row_named_last_is_that_of_a_list_however_many_displays_stand_between() -> None:
    between = "".join(f"$$\ne^{{0.{k}}} = 1.{k}\n$$\n\n" for k in range(5))
    text = ATTENDED + f"We do not scale.\nRow 1:\n\nRow 2:\n\n{between}softmax = [0.51, 0.44]\n"
    assert links(text)[-1] == ("A", 1, 0, (("0.51", "0.44"),))


def test_the_new_key_stands_behind_those_of_the_cache() -> None:
    text = r"$K_{\text{cache}} = \begin{bmatrix} 1 & 0 \end{bmatrix}$" + "\n\n"
    text += (
        r"$V_{\text{cache}} = \begin{bmatrix} 0 & 1 \end{bmatrix}$"
        + "\n\n$x_2 = [1, 1]$\n\nW_Q = W_K = W_V = [[1, 0], [0, 2]]\n\n"
    )
    assert links(text + "$k = [1, 2]$\n")[-1] == ("K", 1, 0, (("1", "2"),))


def test_a_new_key_stands_behind_the_cache_whatever_its_index_counts_from() -> None:
    text = (
        "X = [[1, 2]]\nK_cache = [[0, 1], [3, 3]]\nV_cache = [[1, 0], [0, 1]]\n"
        "W_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]\n"
        "new_K[2] = [1, 2]\n\nK = [[0, 1], [3, 3], [1, 2]]\n"
    )
    assert links(text)[0] == ("K", 2, 0, (("1", "2"),))


def test_a_cached_key_with_fewer_digits_is_no_new_one() -> None:
    text = (
        "X = [[1, 2]]\nK_cache = [[0.07, 0.30]]\nV_cache = [[1, 0]]\n"
        "W_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]\nk_2 = [1, 2]\n\n"
        "q_2 · k_1 = [1, 2] · [0.1, 0.3] = 0.7\n"
    )
    assert ("K", 0, 0, (("0.1", "0.3"),)) in links(text)


def test_a_new_value_keeps_its_row_where_the_values_are_put_together_the_wrong_way_round() -> None:
    text = (
        "X = [[1, 2]]\nK_cache = [[0, 1]]\nV_cache = [[1.9, 0.5]]\n"
        "W_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1.8, 0], [0, 0.6]]\n"
        "new_K[1] = [1, 2]\nnew_V[1] = [1.8, 1.2]\n\nscores[0, 0] = 2\n\nV = [[1.8, 1.2], [1.9, 0.5]]\n"
    )
    assert links(text)[:2] == [("K", 1, 0, (("1", "2"),)), ("V", 1, 0, (("1.8", "1.2"),))]


def test_two_numbers_right_behind_a_score_or_a_weight_are_its_indices() -> None:
    text = ATTENDED + "score(2,1) = q2·k1 = 0×1 + 2×0 = 0\nA(1, 2) = 0.33\n"
    assert [link[:3] for link in links(text) if link[0] in ("scores", "A")] == [("scores", 1, 0), ("A", 0, 1)]
    assert accused(text) == []


def test_a_sum_belongs_to_the_exponentials_of_its_line() -> None:
    text = (
        ATTENDED
        + "scaled = [[0.71, 0.00], [0.00, 1.41]]\n"
        + "e^0.71 ≈ 2.03, e^0 = 1, 和 ≈ 3.03 → [0.67, 0.33]\n"
        + "e^0 = 1, e^1.41 = 4.10   sum = 5.10 → [0.20, 0.80]\n"
    )
    assert ("sum", 0, 0, (("3.03",),)) in links(text)
    assert ("sum", 1, 0, (("5.10",),)) in links(text)
    assert ("A", 1, 0, (("0.20", "0.80"),)) in links(text)


@pytest.mark.parametrize(
    "said", ["cat: softmax([1, 0]) = [0.73, 0.27] (sum = 1.0)", "weights 0.73, 0.27; sum = 1"]
)
def test_a_sum_of_one_beside_weights_is_theirs_and_not_that_of_the_exponentials(said: str) -> None:
    text = "Q = [[1, 0]]\n\nK = [[1, 0], [0, 1]]\n\nscores = [[1, 0]]\n\n" + said + "\n"
    (case,) = read_notes(text).cases
    assert "sum" not in [claim.name for claim in case.stated]


def test_an_index_behind_a_name_of_several_words_is_its_row() -> None:
    text = "Q = [[1, 0], [0, 1]]\n\nK = [[1, 0], [0, 1]]\n\nattention_logits_2 = [0, 1]\n"
    (case,) = read_notes(text).cases
    assert [(claim.name, claim.row) for claim in case.stated] == [("scores", 1)]


def test_a_label_before_a_colon_is_not_what_stands_behind_it() -> None:
    """`w1` is a word here, and no weight."""
    text = ATTENDED + "w2 looks at w1: q2 . k1 = 0 + 0 = 0\nw2 looks at w2: q2 . k2 = 0 + 2 = 2\n"
    assert [link[:3] for link in links(text) if link[0] == "scores"] == [("scores", 1, 0), ("scores", 1, 1)]


def test_a_list_behind_a_label_is_what_the_words_before_that_say() -> None:
    """Not the key or the query that the label names."""
    text = "k1 = [1, 0], k2 = [0, 1], v1 = [1, 2], v2 = [3, 4]\n\nq2 = [1, 2]\n\n"
    text += "Scores of q2 against k1 and k2: [1, 2]\n\nScaled by 1/√2: [0.71, 1.41]\n"
    assert links(text)[-2:] == [("scores", 0, 0, (("1", "2"),)), ("scaled", 0, 0, (("0.71", "1.41"),))]


def test_a_list_that_is_wider_than_the_keys_is_no_key() -> None:
    assert [
        link for link in links(ATTENDED + "scores = [[1, 0], [0, 2]]\n\nk2 → [1, 2, 3]\n") if link[0] == "K"
    ] == []


def test_what_is_made_of_the_only_row_that_is_printed_is_of_that_row() -> None:
    """Though nothing tells the row, a wrong exponential and a wrong sum are found."""
    text = (
        ATTENDED + "- q1·k1 = 1×1 + 0×0 = 1\n- q1·k2 = 1×0 + 0×1 = 0\n\nscaled: [0.71, 0.00]\n\n# Softmax\n\n"
    )
    assert accused(text + "exp: [2.03, 1.00]\ntotal = 3.03\n") == []
    assert accused(text + "exp: [2.03, 1.40]\ntotal = 3.43\n") == ["exp 1.40", "sum 3.43"]
    assert accused(text + "exp: [2.03, 1.00]\ntotal = 3.43\n") == ["sum 3.43"]


def test_a_list_behind_the_exponentials_of_a_line_are_their_weights() -> None:
    """Though one of them is wrong."""
    text = ATTENDED + "scaled = [[0.71, 0.00], [0.00, 1.41]]\n"
    text += "e^0.71 ≈ 2.03, e^0 = 1, sum = 3.03 → [0.67, 0.53]\n"
    assert accused(text) == ["A 0.53"]


def test_bullets_of_tokens_do_not_speak_of_what_stands_below_them() -> None:
    """The row that is worked is told above the list."""
    text = (
        "* good: q = [1, 0], k = [1, 0], v = [1, 2]\n* bad: q = [0, 2], k = [0, 1], v = [3, 4]\n\n"
        "Now say we're at **good**. How much does it care about\n\n* itself: 1 × 1 + 0 × 0 = 1\n"
        "* bad: 1 × 0 + 0 × 1 = 0\n\nDivide by sqrt(2): 0.71 and 0.00.\n\nSoftmax: 0.67 and 0.43.\n"
    )
    assert read_notes(text).cases[0].tokens == ("good", "bad")
    assert links(text)[-1] == ("A", 0, 0, (("0.67", "0.43"),))


def test_a_list_before_a_number_is_an_index_and_no_row_printed_again() -> None:
    text = (
        "X = [[1, 2]]\nW_Q = [[1, 0], [0, 1]]\nQ = [[1, 2]]\n\nWe compute Q:\n\n[1, 2] = 1 × 0 + 2 × 1 = 2\n"
    )
    assert [link for link in links(text) if link[0] == "Q"] == [("Q", 0, 0, (("1", "2"),))]


def test_a_sentence_with_two_tokens_is_no_list_of_them() -> None:
    text = (
        '["good", "bad"]\n\n'
        + ATTENDED
        + (
            "Now for bad, the score with good is 0 and with bad it's 2.\n\n"
            "Now for good, the score with good is 1 and with bad it's 0.\n\nThe weights are 0.67 and 0.43.\n"
        )
    )
    assert links(text)[-1] == ("A", 0, 0, (("0.67", "0.43"),))


def test_a_list_with_the_numbers_of_two_rows_is_the_one_whose_quotient_is_not_printed_yet() -> None:
    text = "Q = [[1, 0], [0, 2], [1, 0]]\nK = [[1, 0], [0, 1]]\nV = [[1], [3]]\n"
    text += "scores = [[1, 0], [0, 2], [1, 0]]\n\n[1, 0] / 1.41 = [0.71, 0.00]\n\n"
    text += "[0, 2] / 1.41 = [0.00, 1.42]\n\n[1, 0] / 1.41 = [0.71, 0.00]\n"
    assert list(dict.fromkeys(row for name, row, *_ in links(text) if name == "scaled")) == [0, 1, 2]


def test_an_exponential_is_of_the_next_score_of_its_row_rather_than_of_one_that_should_have_its_value() -> (
    None
):
    """2.5 is the second score, and about the third one over the root of 2."""
    text = "Q = [[1, 0]]\nK = [[0.5, 0], [2.5, 0], [3.6, 0]]\nV = [[1], [2], [3]]\n"
    text += "q_1 · k = scores = [[0.5, 2.5, 3.6]]\n\nRow 1:\n\ne^0.5 = 1.6\n\ne^2.5 = 12.2\n"
    assert [claim[:3] for claim in links(text) if claim[0] == "exp"] == [("exp", 0, 0), ("exp", 0, 1)]


FOUR = """\
| token | Query | Key | Value |
|---|---|---|---|
| 山 | (1, 0) | (1, 0) | (1, 0) |
| 水 | (0, 1) | (0, 1) | (0, 1) |
| 云 | (2, 1) | (1, 1) | (2, 1) |

| 分数 | K: 山 | K: 水 | K: 云 |
|---|---|---|---|
| **Q: 山** | 1 | 0 | 1 |
| **Q: 水** | 0 | 1 | 1 |
| **Q: 云** | 2 | 1 | 3 |

"""


def test_a_label_of_a_side_and_a_token_is_that_token() -> None:
    assert read_notes(FOUR).cases[0].tokens == ("山", "水", "云")


def test_the_heads_of_a_table_do_not_say_whose_row_is_worked() -> None:
    text = (
        FOUR
        + "除以 √2 ≈ 1.41 再做 softmax，「云」这一行的权重：\n\n| 对象 | 山 | 水 | 云 |\n|---|---|---|---|\n"
    )
    assert links(text + "| 权重 | 0.284 | 0.140 | 0.576 |\n")[-1] == (
        "A",
        2,
        0,
        (("0.284", "0.140", "0.576"),),
    )


def test_the_last_sentence_that_names_a_token_in_quotes_says_whose_row_is_worked() -> None:
    text = FOUR + "除以 √2。「山」先看自己，「水」也是。再算「云」，权重约为 0.284、0.140、0.576。\n"
    assert links(text)[-1] == ("A", 2, 0, (("0.284", "0.140", "0.576"),))


def test_a_row_is_lie_in_traditional_characters_and_may_count_from_zero() -> None:
    """What is a column in simplified characters; O_2 counts as the words do."""
    text = (
        "QK^T = [[1, 1, 0], [0, 1, 1], [1, 2, 1]]\n\n除以 √2 後：\n\n- 第 1 列為 (0.248, 0.503, 0.248)\n"
        "- 第 2 列為\n\n(0.248, 0.503, 0.248)\n\n"
        "O_2 = 0.248(1,0) + 0.503(0,1) + 0.248(1,1) = (0.496, 0.751)\n"
    )
    counted = text.replace("第 1 列為 (0.248, 0.503, 0.248)", "第 0 列為 (0.401, 0.401, 0.198)")
    assert {row for name, row, _, _ in links(counted) if name == "Z"} == {2}
    assert accused(counted) == []


def test_a_list_that_spells_the_entries_printed_last_is_their_row() -> None:
    text = (
        "Q = [[1, 0], [0, 2]]\nK = [[1, 3], [1, 1]]\n\n"
        "q_2 · k_1 = 0*1 + 2*3 = 6\nq_2 · k_2 = 0*1 + 2*1 = 2\n\nscores = [6, 2]\n"
    )
    assert links(text)[-1] == ("scores", 1, 0, (("6", "2"),))


def test_an_exponential_of_scaled_scores_is_of_no_score_with_the_same_number() -> None:
    """0.7 is a score again, and the third of the scaled ones."""
    text = (
        "Q = [[1, 0]]\nK = [[1.4, 0], [0.7, 0], [1.0, 0]]\nV = [[1], [2], [3]]\nscores = [[1.4, 0.7, 1.0]]\n"
    )
    text += "scaled = [[1.0, 0.5, 0.7]]\n\nRow 1:\n\ne^1.0 = 2.7\n\ne^0.7 = 2.0\n"
    assert [claim[:3] for claim in links(text) if claim[0] == "exp"] == [("exp", 0, 0), ("exp", 0, 2)]


def test_a_new_value_that_shares_a_number_with_the_cache_is_new_where_the_weights_make_it() -> None:
    text = "x_2 = [1, 2]\n\nK_cache = [[3, 0]]\n\nV_cache = [[5, 6]]\n\nW_Q = W_K = [[1, 0], [0, 1]]\n\n"
    text += "W_V = [[0, 4], [1, 1]]\n\nnew_V[1] = [1, 2] × W_V = [2, 6]\n"
    assert links(text)[-1] == ("V", 1, 0, (("2", "6"),))


def test_a_line_of_several_rows_speaks_of_none_of_them_below_it() -> None:
    text = (
        "q₁ = (2, 0), q₂ = (0, 1), q₃ = (2, 1).\nk₁ = (1, 0), k₂ = (1, 1), k₃ = (2, 1).\n\n"
        "Produkte: 2·1 + 1·0 = 2; 2·1 + 1·1 = 3; 2·2 + 1·1 = 5.\n\n"
        "Nach Division durch √2: 1.414; 2.121; 3.536.\n"
    )
    assert accused(text) == []
