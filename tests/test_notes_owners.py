"""Whose row a name is: tokens as subscripts, in brackets, before 的; verbs and letters for a quantity."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from symattn.reading.notes.layout.mentions import Mentions
from tests.linked import accused, linked

Claim = tuple[str, int, int, tuple[tuple[str, ...], ...]]


def claims(text: str) -> list[Claim]:
    (case,) = read_notes(text).cases
    return [(claim.name, claim.row, claim.col, claim.values) for claim in case.stated]


OWNED = """\
{q}猫{end} = [1, 2]
{q}狗{end} = [0, 1]
{k}猫{end} = [1, 0]
{k}狗{end} = [1, 1]

{q}猫{end} · {k}狗{end} = 1×1 + 2×1 = 3
"""


@pytest.mark.parametrize(
    ("q", "k", "end"),
    [
        ("q_", "k_", ""),
        ("q_{", "k_{", "}"),
        (r"q_{\text{", r"k_{\text{", "}}"),
        ('Query("', 'Key("', '")'),
        ("Q(", "K(", ")"),
    ],
)
def test_a_token_in_a_subscript_or_in_brackets_names_the_row(q: str, k: str, end: str) -> None:
    assert claims(OWNED.format(q=q, k=k, end=end)) == [("scores", 0, 1, (("3",),))]


def test_a_token_before_a_name_owns_it() -> None:
    text = (
        "“猫”的 Q = [1, 2]\n“狗”的 Q = [0, 1]\n“猫”的 K = [1, 0]\n“狗”的 K = [1, 1]\n\n"
        "猫的 Q · 狗的 K = 1×1 + 2×1 = 3\n"
    )
    assert claims(text) == [("scores", 0, 1, (("3",),))]


def test_words_in_brackets_that_are_no_token_say_nothing_of_a_row() -> None:
    text = "Q(查询) = [[1, 2], [0, 1]]\nK(键) = [[1, 0], [1, 1]]\nS = [[1, 3], [0, 1]]\n"
    assert claims(text) == [("scores", 0, 0, (("1", "3"), ("0", "1")))]


WALK = "Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[1, 2], [3, 4]]\n"


@pytest.mark.parametrize("verb", ["为", "是", "约等于", "分别为", "就是", "得到"])
def test_a_verb_before_a_value_is_a_sign(verb: str) -> None:
    assert claims(f"{WALK}第二行的得分{verb} [0, 2]。\n") == [("scores", 1, 0, (("0", "2"),))]


def test_weights_that_are_said_to_add_up_to_one_are_no_sum_of_exponentials() -> None:
    text = f"{WALK}第一行：exp值为 [2.03, 1]，总和为 3.03。权重的总和为 1。\n"
    assert [claim for claim in claims(text) if claim[0] == "sum"] == [("sum", 0, 0, (("3.03",),))]


def test_a_letter_that_is_defined_as_a_product_of_q_and_k_is_a_score() -> None:
    """α usually is a weight; here α is a score, and α' the weight."""
    text = f"{WALK}得分 $\\alpha_{{i,j}} = q_i^T k_j$\n\n$\\alpha_{{2,2}} = 2$，$\\alpha'_{{1,2}} = 0.33$\n"
    assert [claim[:3] for claim in claims(text)] == [("scores", 1, 1), ("A", 0, 1)]


def test_a_heading_ends_what_the_lines_above_it_say_of_a_row() -> None:
    text = f"{WALK}## 得分\n\nq_2 · k_2 = 2\n\n## Softmax\n\nexp: 2.03, 1.00\n"
    assert [claim[:3] for claim in claims(text)] == [("scores", 1, 1), ("exp", 0, 0)]


def test_a_caption_names_what_stands_before_its_sign() -> None:
    table = "| 词 | a | b |\n|---|---|---|\n| 猫 | 1 | 2 |\n"
    assert claims(f"X = [[1, 2]]\nW_Q = [[1, 0], [0, 1]]\n\n**Q = X·W_Q**\n\n{table}") == [
        ("Q", 0, 0, (("1", "2"),))
    ]


def test_a_corner_with_two_names_is_no_caption() -> None:
    table = "| 查询\\键 | a | b |\n|---|---|---|\n| a | 1 | 0 |\n| b | 0 | 2 |\n"
    assert claims(f"{WALK}\n得分矩阵：\n\n{table}") == [("scores", 0, 0, (("1", "0"), ("0", "2")))]


OWN = "词向量：\n\n- 猫：[1, 2]\n- 狗：[0, 1]\n\nW_Q = [[1, 0], [0, 1]]\n\nW_K = [[1, 1], [0, 1]]\n\n"
EACH = (
    "1. 对于“猫”：\n   * 查询向量为[1, 2]\n   * 键向量为[1, 3]\n"
    "2. 对于“狗”：\n   * 查询向量为[0, 1]\n   * 键向量为[0, 1]\n\n"
)


def test_rows_that_are_called_different_things_are_no_matrix() -> None:
    assert [claim[:2] for claim in claims(OWN + EACH)] == [("Q", 0), ("K", 0), ("Q", 1), ("K", 1)]


def test_rows_that_are_called_one_thing_are_its_matrix() -> None:
    rows = "- “猫”的查询向量：[1, 2]\n- “狗”的查询向量：[0, 1]\n"
    assert claims(OWN + rows) == [("Q", 0, 0, (("1", "2"), ("0", "1")))]


@pytest.mark.parametrize(
    "line", ["“{}”对“{}”的得分：{}", "- {} · {} → {}", "“{}”和“{}”的内积为{}", "Score({}, {}) = {}"]
)
def test_two_tokens_say_which_score_a_number_is(line: str) -> None:
    told = [("猫", "猫", 7), ("猫", "狗", 2), ("狗", "猫", 3), ("狗", "狗", 1)]
    said = "\n".join(line.format(*each) for each in told)
    found = [claim for claim in claims(f"{OWN}{EACH}## 打分\n\n{said}\n") if claim[0] == "scores"]
    assert [(row, col, values) for _, row, col, values in found] == [
        (0, 0, (("7",),)),
        (0, 1, (("2",),)),
        (1, 0, (("3",),)),
        (1, 1, (("1",),)),
    ]


def test_numbers_between_two_tokens_that_follow_nothing_printed_are_no_scores() -> None:
    said = "猫和狗的距离：5\n狗和猫的距离：6\n猫和猫的距离：9\n"
    assert "scores" not in [claim[0] for claim in claims(f"{OWN}{EACH}{said}")]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Q 乘以 K 的转置：", "scores"),
        ("权重矩阵与值矩阵相乘：", "Z"),
        ("1）先算 QKᵀ：", "scores"),
        ("注意力得分矩阵（Q 乘 K 转置）：", "scores"),
        ("将得分除以√2，再做 softmax：", "A"),
    ],
)
def test_words_of_a_product_name_what_it_makes(words: str, name: str) -> None:
    weights = "[[0.50, 0.50], [0.50, 0.50]]"
    walk = f"Q = [[1, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[1, 2], [3, 4]]\nA = {weights}\n\n"
    found = claims(f"{walk}{words}\n\n{weights}\n")
    assert found[-1][0] == name


def test_numbers_among_infinities_are_masked_scores_whatever_the_words_above() -> None:
    text = f"{WALK}未来位置不可见：\n\n$$\\begin{{bmatrix}} 1 & -inf \\\\ 0 & 2 \\end{{bmatrix}}$$\n"
    (case,) = read_notes(text).cases
    assert case.settings.mask == "causal"


@pytest.mark.parametrize("line", ["token {} → token {}: {}", "词{} → 词{}：{}", "第{}行第{}列：{}"])
def test_numbers_of_two_tokens_say_which_score_a_number_is(line: str) -> None:
    told = [(1, 1, 7), (1, 2, 2), (2, 1, 3), (2, 2, 1)]
    said = "\n\n".join(line.format(*each) for each in told)
    found = [claim for claim in claims(f"{OWN}{EACH}## 打分\n\n{said}\n") if claim[0] == "scores"]
    assert [(row + 1, col + 1, int(values[0][0])) for _, row, col, values in found] == told


def test_further_tokens_behind_a_pair_share_its_first() -> None:
    said = "猫 → 猫：7，狗：2\n\n狗 → 猫：3，狗：1\n"
    found = [claim[1:3] for claim in claims(f"{OWN}{EACH}## 打分\n\n{said}") if claim[0] == "scores"]
    assert found == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_tokens_in_brackets_behind_their_numbers_label_the_rows() -> None:
    text = (
        "### 嵌入\n\n词0 (猫): [1, 2]\n词1 (狗): [0, 1]\n\nW_Q = [[1, 0], [0, 1]]\n\nQ = [[1, 2], [0, 1]]\n"
    )
    (case,) = read_notes(text).cases
    assert (case.given["X"].typed, case.tokens) == ((("1", "2"), ("0", "1")), ("猫", "狗"))


def test_words_of_the_field_are_read_in_traditional_characters_and_tokens_kept() -> None:
    text = "詞向量：\n\n- 「這個」：[1, 2]\n- 「權」：[0, 1]\n\nW_Q = [[1, 0], [0, 1]]\n\n"
    (case,) = read_notes(text + "「這個」的查詢向量：[1, 2]\n\n「權」的查詢向量：[0, 1]\n").cases
    assert (case.tokens, [claim.name for claim in case.stated]) == (("這個", "權"), ["Q"])


def test_circled_numbers_are_no_part_of_a_name() -> None:
    (case,) = read_notes("①X＝[[1, 2]]\n②W_Q＝[[1, 0], [0, 1]]\n③Q＝[[1, 2]]\n").cases
    assert (set(case.given), [claim.name for claim in case.stated]) == ({"X", "W_Q"}, ["Q"])


def test_a_head_of_several_words_names_its_column() -> None:
    table = "| 詞 | 查詢 Q | Key (K) |\n|---|---|---|\n| 猫 | [1, 2] | [1, 3] |\n| 狗 | [0, 1] | [0, 1] |\n"
    assert [claim[:2] for claim in claims(OWN + table)] == [("Q", 0), ("K", 0), ("Q", 1), ("K", 1)]


def test_a_cell_ends_with_its_number_whatever_sign_the_next_one_has() -> None:
    rows = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>\n" for a, b in (("1", "-2"), ("3", "-4")))
    (case,) = read_notes(f"X 矩阵\n\n<table>\n{rows}</table>\n\nW_Q = [[1], [0]]\n\nQ = [[1], [3]]\n").cases
    assert case.given["X"].typed == (("1", "-2"), ("3", "-4"))


def test_a_comment_that_says_result_shows_one() -> None:
    text = "```python\nX = [[1, 2]]\nW_q = [[1, 0], [0, 1]]\nQ = X @ W_q\n# 结果：[[1, 2]]\n```\n"
    assert [claim[:1] for claim in claims(text)] == [("Q",)]


def test_two_fences_one_after_the_other_hold_two_matrices_without_brackets() -> None:
    text = "X = [[1, 2, 0]]\n\n" + "".join(
        f"```\n{name} =\n1 2 1\n0 1 1\n2 0 1\n```\n\n" for name in ("W_Q", "W_K")
    )
    (case,) = read_notes(text + "Q = [[1, 4, 3]]\n").cases
    assert set(case.given) == {"X", "W_Q", "W_K"}


def test_a_token_in_square_brackets_names_the_row() -> None:
    text = "".join(f'{name}["猫"] = [1, {k}]，{name}["狗"] = [0, 1]\n\n' for k, name in ((2, "Q"), (3, "K")))
    assert [claim[:2] for claim in claims(OWN + text)] == [("Q", 0), ("Q", 1), ("K", 0), ("K", 1)]


def test_weights_of_pairs_down_the_columns_are_weights_still() -> None:
    told = [("猫", "猫", "0.95"), ("猫", "狗", "0.67"), ("狗", "猫", "0.05"), ("狗", "狗", "0.33")]
    said = "\n".join("Weight({} → {}) = {}".format(*each) for each in told)
    found = [claim[:3] for claim in claims(f"{OWN}{EACH}## Softmax\n\n{said}\n")]
    assert found[-4:] == [("A", 0, 0), ("A", 0, 1), ("A", 1, 0), ("A", 1, 1)]


def test_a_matrix_behind_a_verb_is_what_its_sentence_names() -> None:
    text = f"{WALK}除以 √2，得到 [[1.50, 0.50], [0.25, 1.41]]\n"
    assert [claim[0] for claim in claims(text)][-1] == "scaled"


def test_a_number_times_q_times_k_is_scaled() -> None:
    text = f"{WALK}$\\tilde{{S}} = \\frac{{1}}{{\\sqrt{{2}}}} Q K^T = [[0.71, 0.00], [0.00, 1.41]]$\n"
    assert [claim[0] for claim in claims(text)] == ["scaled"]


def test_german_quotation_marks_hold_a_token() -> None:
    own = "- Katze: [1, 2]\n- Hund: [0, 1]\n\nW_Q = [[1, 0], [0, 1]]\n\nW_K = [[1, 1], [0, 1]]\n\n"
    text = "Query-Vektor von „Katze“: [1, 2]\n\nKey-Vektor von „Katze“: [1, 3]\n"
    assert [claim[:2] for claim in claims(own + text)] == [("Q", 0), ("K", 0)]


def test_a_list_before_everything_that_weights_are_made_of_is_none_of_them() -> None:
    text = f"它是 (0.5, 0.5)，不是别的。\n\n{WALK}$QK^T = [[1, 1], [0, 2]]$\n"
    assert "A" not in [claim[0] for claim in claims(text)]


def test_words_in_quotes_that_own_the_outputs_are_the_tokens() -> None:
    """The weights of the second sum are wrong, and still it is that of the second word."""
    text = "V = [[1, 2], [3, 4]]\n\nA = [[0.5, 0.5], [0.2, 0.8]]\n\n"
    text += "“猫”的输出 = 0.5×[1, 2] + 0.5×[3, 4] = [2, 3]\n"
    text += "“狗”的输出 = 0.9×[1, 2] + 0.8×[3, 4] = [2.6, 3.6]\n"
    assert {claim[1] for claim in claims(text) if claim[0] == "Z"} == {0, 1}
    assert ("A", 1, 0, ("0.9", "0.8")) in [(*claim[:3], claim[3][0]) for claim in claims(text)]


@pytest.mark.parametrize("second", ["I", "A", "B"])
def test_a_capital_in_brackets_behind_a_vector_is_a_token(second: str) -> None:
    text = "q(we) = [1, 2]\nq(I) = [0, 1]\nk(we) = [1, 0]\nk(I) = [1, 1]\n\nq(I) . k(we) = 0\n"
    assert claims(text.replace("(I)", f"({second})")) == [("scores", 1, 0, (("0",),))]


def test_a_word_that_all_labels_end_with_is_no_part_of_them() -> None:
    text = "These are our words:\n\nAnn: vec=[1, 2]\nBob: vec=[0, 1]\n\nW_Q = [[1, 0], [0, 1]]\n\n"
    (case,) = read_notes(f"{text}q(Ann) = [1, 2]\nq(Bob) = [0, 1]\nk(Ann) = [1, 2]\nk(Bob) = [0, 1]\n").cases
    assert case.tokens == ("Ann", "Bob")


@pytest.mark.parametrize(
    "said",
    ["The shares are cat 0.3, sat 0.7", "That is 30% for cat, 70% for sat", "For cat (0.3), sat (0.7)"],
)
def test_a_line_that_goes_through_the_tokens_speaks_of_none(said: str) -> None:
    mentions = Mentions(said, ("cat", "sat"), 1)
    assert mentions.names_several(said)
    assert not mentions.names_several(f"For sat we have what follows: {said}".replace("For sat", "“sat”"))


def test_numbers_with_commas_in_a_cell_are_a_vector() -> None:
    text = "| word | query | key |\n|---|---|---|\n| cat | `1, 2` | 0, 1 |\n| sat | 0, 1 | 1.5, -1 |\n\n"
    (case,) = read_notes(f"{text}S = [[2, -0.5], [1, -1]]\n").cases
    assert case.given["Q"].typed == (("1", "2"), ("0", "1"))
    assert case.given["K"].typed == (("0", "1"), ("1.5", "-1"))


QUERIES = """\
Three tokens, d_k = 2:

| Word | Query | Key |
|---|---|---|
| I | [1, 0] | [1, 1] |
| love | [0, 1] | [0, 1] |
| NLP | [1, 1] | [1, 0] |

"""


def test_a_query_without_a_number_is_the_one_of_several_that_it_is() -> None:
    text = 'The query for "NLP" is `q = [1, 1]`.\n\n```\n'
    text += (
        'q · k("I")    = [1, 1] · [1, 1] = 1×1 + 1×1 = 2\nq · k("love") = [1, 1] · [0, 1] = 0 + 1 = 1\n```\n'
    )
    assert [claim for claim in claims(QUERIES + text) if claim[0] == "scores"] == [
        ("scores", 2, 0, (("2",),)),
        ("scores", 2, 1, (("1",),)),
    ]
    assert ("Q", 0, 0, (("1", "1"),)) not in claims(QUERIES + text)


def test_the_index_of_a_score_that_its_key_has_too_counts_keys() -> None:
    text = f"{QUERIES}score_1 = q · k_1 = 1×0 + 0×1 = 0\n\nscore_2 = q · k_2 = 1×1 + 0×0 = 1\n"
    assert [claim[:3] for claim in claims(text)] == [("scores", 0, 1), ("scores", 0, 2)]


def test_what_an_unfinished_equation_leaves_open_stands_on_the_next_line() -> None:
    text = "1. `Q = [[1,0],[0,1]]`, `K = [[1,0],[0,1]]`, `V = [[10,0],[0,10]]`, `d = 2`.\n"
    text += "2. **Softmax**: row 1 `softmax([0.707,0]) ≈ [0.67,0.33]`; row 2 `≈ [0.33,0.67]`.\n"
    text += "3. Token 1 output `= 0.67·[10,0]+0.33·[0,10] = [6.7,3.3]`; token 2 `=\n   [3.3,6.7]`.\n"
    assert ("Z", 1, 0, (("3.3", "6.7"),)) in claims(text)


OUTLINE = """- Inputs
  - cat
    - q: (2, 0)
    - k: (1, 0)
    - v: (1, 1)
  - sat
    - q: (2, 1)
    - k: (1, 2)
    - v: (2, 0)
- Attention
  - cat
    - score with cat: 2·1 + 0·0 = 2
    - score with sat: 2·1 + 0·2 = 2
    - softmax: (0.500, 0.500)
  - sat
    - score with cat: 2·1 + 1·0 = 2
    - score with sat: 2·1 + 1·2 = 4
    - softmax: (0.196, 0.804)
"""


def test_what_stands_below_a_bullet_of_one_word_is_of_it() -> None:
    assert [(name, row) for name, row, _ in linked(OUTLINE) if name == "A"] == [("A", 0), ("A", 1)]
    assert not accused(OUTLINE)


def test_a_pronoun_with_a_number_behind_it_is_a_token() -> None:
    mentions = Mentions("", ("he", "ate"), 1)
    assert [row for _, row in mentions.rows("he 4, ate 3")] == [0, 1]
    assert [row for _, row in mentions.rows("what he attends to")] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The first token's query is [1, 2], the second token's query is [3, 4].",
        "The query of token 1 is [1, 2], and the query of token 2 is [3, 4].",
        "第一个词的查询向量为 [1, 2]，第二个词的查询向量为 [3, 4]。",
        "第1个词的查询为 [1, 2]，第2个词的查询为 [3, 4]。",
    ],
)
def test_a_sentence_gives_each_counted_token_its_own_vector(sentence: str) -> None:
    text = f"X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\n{sentence}\n"
    assert [made[:2] for made in linked(text)] == [("Q", 0), ("Q", 1)]


LISTED = (
    "X = [[-2, -2], [1, 0], [0, 1]] for the three words Alice, sees, Bob, and W_Q = [[1, -1], [0, -1]].\n\n"
)


@pytest.mark.parametrize(
    "sentence",
    ["The query of Bob is [0, -1].", "Bob's query is (0, -1)."],
)
def test_words_listed_without_quotes_are_tokens_that_own_their_vectors(sentence: str) -> None:
    assert linked(f"{LISTED}{sentence}\n")[0][:2] == ("Q", 2)


def test_an_exponent_of_a_later_row_is_none_of_the_first_row_where_no_query_is_printed() -> None:
    text = "X = [[-2, -2], [1, 0], [0, 1]]\nW_Q = [[1, -1], [0, -1]]\nW_K = [[0, 2], [1, -1]]\n"
    text += "W_V = [[0, -2], [1, 2]]\n\nThe keys are (-2, -2), (0, 2) and (1, -1); now one query.\n\n"
    text += "exp(1.414) = 4.113, exp(-1.414) = 0.243, exp(0.707) = 2.028; they sum to 6.384.\n"
    assert accused(text) == []
