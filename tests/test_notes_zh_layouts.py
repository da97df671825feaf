"""How Chinese notes lay out an example: boxes, arrows, captions of formulas, lists told in words."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from tests.linked import accused, links

GIVEN = "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 1]]\n\nV = [[1, 2], [3, 4]]\n\n"
SCORES = ("scores", 0, 0, (("1", "0"), ("2", "2")))


def test_a_product_in_a_caption_says_what_it_makes() -> None:
    told = "分数 Q·K^T：\n\n[[1, 0],\n [2, 2]]\n\n▶ 输出 A×V：\n\n[[1.5, 2.5],\n [2.0, 3.0]]\n"
    assert [name for name, *_ in links(GIVEN + told)] == ["scores", "Z"]


def test_boxes_are_tables_and_with_a_rule_below_each_row_they_have_no_head() -> None:
    box = "得分：\n┌───┬───┐\n│ 1 │ 0 │\n├───┼───┤\n│ 2 │ 2 │\n└───┴───┘\n"
    assert links(GIVEN + box) == [SCORES]


def test_a_word_for_output_may_stand_between_a_program_and_what_it_printed() -> None:
    program = "```python\nprint(scores)\n```\n\n输出：\n\n```\n[[1 0]\n [2 2]]\n```\n"
    assert links(GIVEN + program) == [SCORES]


def test_an_arrow_leads_from_a_score_to_the_scaled_one() -> None:
    scores = "q1·k1 = 1 → 0.707；q1·k2 = 0 → 0.000\n\nq2·k1 = 2 → 1.414；q2·k2 = 2 → 1.441\n"
    assert accused(GIVEN + "除以 √2\n\n" + scores) == ["scaled 1.441"]


def test_bars_stand_between_the_numbers_of_a_list() -> None:
    weights = "scores = [[1, 0], [2, 2]]\n\n注意力权重\n\n第一行：0.67 | 0.33\n\n第二行：0.50 | 0.50\n"
    assert ("A", 0, 0, (("0.67", "0.33"), ("0.50", "0.50"))) in links(GIVEN + weights)


def test_a_table_of_keys_works_the_only_query() -> None:
    table = "| 词 | Key | 点积 |\n|---|---|---|\n| 我 | [1, 1] | 1 |\n| 猫 | [0, 1] | 0 |\n"
    found = links(f"“猫”的 Query 是 [1, 0]\n\n{table}")
    assert [(name, row, col) for name, row, col, _ in found] == [("scores", 0, 0), ("scores", 0, 1)]


def test_rows_of_a_query_and_of_keys_are_not_one_matrix() -> None:
    text = (
        "“猫”的查询向量：0、1\n“我”的键向量：1、1\n“猫”的键向量：2、1\n\n"
        "两个点积分别为：1、1。\n缩放（√2 ≈ 1.414）之后：0.71、0.71。\n"
    )
    (case,) = read_notes(text).cases
    assert case.given["K"].typed == (("1", "1"), ("2", "1"))
    assert [claim.name for claim in case.stated] == ["scores", "sqrt(d_k)", "scaled"]


def test_shares_that_tokens_take_are_weights() -> None:
    told = "scores = [[1, 0], [2, 2]]\n\n权重：\n\n- 我：我 占 67%，猫 占 33%\n- 猫：我 占 50%，猫 占 50%\n"
    words = GIVEN.replace("Q =", "tokens = [“我”, “猫”]\n\nQ =")
    assert [at[:3] for at in links(words + told)[1:]] == [("A", 0, 0), ("A", 0, 1), ("A", 1, 0), ("A", 1, 1)]


def test_each_share_of_a_sentence_is_of_the_token_behind_it() -> None:
    table = "| Q\\K | 我 | 猫 |\n|---|---|---|\n| 我 | 33% | 67% |\n| 猫 | 50% | 50% |\n"
    told = "可见“我”有 67% 的注意力留给自己，33% 给“猫”。\n"
    words = GIVEN.replace("Q =", "tokens = [“我”, “猫”]\n\nQ =")
    assert accused(words + "scores = [[1, 0], [2, 2]]\n\n权重：\n\n" + table + told) == ["A 33%", "A 67%"]


def test_a_quotient_of_exponentials_prints_these() -> None:
    weights = "scaled = [[0.71, 0], [1.41, 1.41]]\n\nα_11 = 2.30 / (2.30 + 1.00) = 0.70\n"
    assert accused(GIVEN + weights) == ["exp 2.30", "exp 2.30", "A 0.70"]


def test_copied_workings_are_no_product_of_brackets() -> None:
    assert accused("Q=XWQ=((1×1+0×2)(2×1+1×2)(0×1+1×2))=(142)\n") == []


def test_workings_tell_how_high_copied_matrices_are() -> None:
    text = (
        "X=(1021)\n\nWQ=(1011)\n\nWK=(1111)\n\n"
        "Q=XWQ=((1×1+2×0)(0×1+1×0)(1×1+2×1)(0×1+1×1))=(1031)\n\n"
        "K=XWK=((1×1+2×1)(0×1+1×1)(1×1+2×1)(0×1+1×1))=(3131)\n"
    )
    assert [values for name, *_, values in links(text) if name == "Q"] == [
        (("1",),),
        (("3",),),
        (("0",),),
        (("1",),),
    ]


def test_a_gain_of_one_number_stands_for_a_row_of_them() -> None:
    text = (
        "X = [[1, 2], [3, 5]], Q = K = V = X\n\n$A = [[0, 1], [0, 1]]$, $Z = AV = [[3, 5], [3, 5]]$\n\n"
        "$X + Z = [[4, 7], [6, 10]]$\n\n## LayerNorm（层归一化，γ=1，β=0）\n\n"
        "第一行：均值 $\\mu = 5.5$，标准差 $\\sigma = 1.5$，归一化后为 $(-1.0, 1.0)$。\n"
    )
    (case,) = read_notes(text).cases
    assert {case.given[name].shape for name in ("gamma_1", "beta_1")} == {(1, 2)}


def test_a_line_that_begins_with_a_sign_is_a_step_of_its_own() -> None:
    steps = "Q·Kᵀ → [[1, 0], [2, 2]]\n÷√2 → [[0.71, 0.00], [1.41, 1.41]]\n"
    last = "softmax → [[0.67, 0.33], [0.50, 0.50]]\n·V → [[1.66, 2.66], [2.00, 3.00]]\n"
    assert accused(GIVEN + steps + last) == []
    assert links(GIVEN + steps + last)[-1] == ("Z", 0, 0, (("1.66", "2.66"), ("2.00", "3.00")))


def test_what_a_score_divided_by_the_root_comes_to_is_no_root() -> None:
    told = "q1k1=1，除以根号2得0.7071\nq1k2=0，除以根号2得0.0000\nq2k1=2，除以根号2得1.4142\n"
    assert accused(GIVEN + told) == []
    assert [at[1:3] for at in links(GIVEN + told) if at[0] == "scaled"] == [(0, 0), (0, 1), (1, 0)]


def test_lists_told_in_turn_are_the_rows_of_a_quantity() -> None:
    text = "查询向量分别为 [1, 0] 和 [0, 2]，键向量分别为 [1, 1] 和 [0, 1]。\n\nS = [[1, 0], [2, 2]]\n"
    (case,) = read_notes(text).cases
    assert [case.given[name].shape for name in ("Q", "K")] == [(2, 2), (2, 2)]


def test_an_output_of_another_token_in_the_same_sentence_is_another_row() -> None:
    told = "“猫”的输出为 [1.66, 2.66]，“坐在”的输出为 [2.00, 3.00]。\n"
    weights = "A = [[0.67, 0.33], [0.50, 0.50]]\n\n"
    assert [at[:3] for at in links(GIVEN + weights + told)][1:] == [("Z", 0, 0), ("Z", 1, 0)]


def test_quotients_of_a_row_print_its_exponentials_and_their_sum() -> None:
    told = "scaled = [[0.71, 0.00], [1.41, 1.41]]\n\n第 1 行：[2.03/3.03, 1.00/3.03] = [0.67, 0.33]\n"
    assert {name for name, *_ in links(GIVEN + told)} == {"scaled", "exp", "sum", "A"}


def test_a_matrix_may_stand_behind_its_caption_on_the_line() -> None:
    told = "缩放（除以 $\\sqrt{2}$）：$$\\begin{pmatrix} 0.71 & 0.00 \\\\ 1.41 & 1.41 \\end{pmatrix}$$\n"
    assert links(GIVEN + told) == [("scaled", 0, 0, (("0.71", "0.00"), ("1.41", "1.41")))]


def test_a_short_line_heads_the_rows_below_it() -> None:
    rows = "X 输入\n1\t0\n0\t2\n\nW_Q\n1\t1\n0\t1\n\nQ = X·W_Q\n1\t1\n0\t2\n"
    assert links(rows) == [("Q", 0, 0, (("1", "1"), ("0", "2")))]


def test_tokens_multiplied_are_scores_of_the_only_query() -> None:
    given = "「猫」的 Q：[1, 0]\n「我」的 K：[1, 1]\n「猫」的 K：[0, 1]\n\n"
    told = given + "打分\n\n「猫」×「我」= 1\n「猫」×「猫」= 0\n"
    assert [at[:3] for at in links(told) if at[0] == "scores"] == [("scores", 0, 0), ("scores", 0, 1)]


def test_a_letter_with_a_hat_is_a_factor() -> None:
    told = "$$\\hat E = [[0.67, 0.33], [0.50, 0.50]]$$\n\n$$H = \\hat E V = [[1.66, 2.66], [2.00, 3.00]]$$\n"
    assert accused(GIVEN + told) == []


def test_a_table_tells_a_step_a_row_with_whole_matrices() -> None:
    rows = "| 得分 $QK^T$ | [[1, 0], [2, 2]] |\n| 缩放 $÷\\sqrt{2}$ | [[0.71, 0.00], [1.41, 1.41]] |\n"
    assert [name for name, *_ in links(f"{GIVEN}| 步骤 | 结果 |\n|---|---|\n{rows}")] == ["scores", "scaled"]


def test_a_product_in_japanese_has_a_dot_of_its_own() -> None:
    given = "q = (1, 0)\nk1 = (1, 1)、k2 = (0, 1)\n\n"
    assert [name for name, *_ in links(given + "q・k1 = 1\nq・k2 = 0\n")] == ["scores", "scores"]


def test_a_sum_stands_behind_the_list_that_it_is_of() -> None:
    told = "A 的第 1 行\n\n缩放：0.71，0.00\n指数：2.03，1.00　和：3.03\n"
    assert [name for name, *_ in links(GIVEN + told)] == ["scaled", "exp", "sum"]


def test_a_matrix_by_its_mask_is_that_of_the_masked_walk() -> None:
    told = "因果掩码\n\nS = [[1, 0], [2, 2]]\n\nA_{mask} = [[1.0, 0.0], [0.5, 0.5]]\n"
    assert links(GIVEN + told)[-1] == ("A", 0, 0, (("1.0", "0.0"), ("0.5", "0.5")))


def test_a_token_that_a_score_is_with_is_its_key() -> None:
    given = GIVEN.replace("Q =", "tokens = [“我”, “猫”]\n\nQ =")
    scores = "- 与“我”的点积为 1，缩放得 0.71\n- 与“猫”的点积为 0，缩放得 0.00\n"
    told = f"## “我”的注意力\n\n{scores}- 权重：0.67、0.33\n"
    assert {at[:3] for at in links(given + told)} == {
        ("scores", 0, 0),
        ("scores", 0, 1),
        ("scaled", 0, 0),
        ("scaled", 0, 1),
        ("A", 0, 0),
    }


def test_a_word_before_a_matrix_multiplies_nothing() -> None:
    told = "S = [[1, 0], [2, 2]]，softmax后得到权重[[0.67, 0.33], [0.50, 0.50]]。\n"
    assert [name for name, *_ in links(GIVEN + told)] == ["scores", "A"]


def test_words_of_tokens_behind_a_letter_own_rows() -> None:
    text = "查询 = [1, 0]\n键_我 = [1, 1]\n键_猫 = [0, 1]\n值_我 = [2, 2]\n值_猫 = [0, 1]\n\n得分 = [1, 0]\n"
    (case,) = read_notes(text).cases
    assert [case.given[name].shape for name in ("Q", "K", "V")] == [(1, 2), (2, 2), (2, 2)]


def test_rows_told_one_after_the_other_are_those_of_one_matrix() -> None:
    told = "得分矩阵的第一行为 [1, 0]，第二行为 [2, 2]。\n"
    assert [at[:3] for at in links(GIVEN + told)] == [("scores", 0, 0), ("scores", 1, 0)]


def test_what_stands_below_another_query_is_not_of_the_first() -> None:
    keys = "K1 = [1, 1]，K2 = [0, 1]，V1 = [1, 2]，V2 = [3, 4]。\n\n"
    first = "它的 Q = [1, 0]，得分 [1, 0]，缩放后 0.707 和 0.000。\n\n"
    second = "另一个词的 Q = [0, 2]，得分 [2, 2]，缩放后 1.414 和 1.414。\n"
    assert accused(keys + "除以 √2\n\n" + first + second) == []


def test_columns_of_keys_beside_rows_of_queries_are_pairs_and_no_components() -> None:
    table = "得分\n\n| q\\k | k1 | k2 |\n|---|---|---|\n| q1 | 1 | 0 |\n| q2 | 2 | 2 |\n"
    assert links(GIVEN + table) == [SCORES]


def test_score_and_weight_of_a_pair_on_one_line_are_two_entries() -> None:
    pairs = {"我 -> 我": ("0.707", "0.670"), "我 -> 猫": ("0.000", "0.330")}
    pairs |= {"猫 -> 我": ("1.414", "0.500"), "猫 -> 猫": ("1.414", "0.050")}
    told = "".join(f"  {pair}: score={score}, weight={weight}\n" for pair, (score, weight) in pairs.items())
    text = "tokens = ['我', '猫']\n\n" + GIVEN
    assert [at[:3] for at in links(text + told)] == [
        (name, i, j) for i in range(2) for j in range(2) for name in ("scaled", "A")
    ]
    assert accused(text + told) == ["A 0.050"]
