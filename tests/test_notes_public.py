"""Forms seen in public notes, in words and numbers of our own: the smallest document of each."""

from __future__ import annotations

from symattn.reading.notes import read_notes
from symattn.reading.notes.layout.context import Context


def equations(text: str) -> list[tuple[str, str]]:
    """The printed working and number of every equation that stands outside a walk."""
    return [(each.work, each.printed) for each in read_notes(text).equations if each.formula is None]


def test_each_term_of_a_sum_is_worked_out_by_the_product_that_stands_in_its_place() -> None:
    assert equations("2*0.3 - 0.5*4 + 1*1 = 0.6 - 1.9 + 1 = -0.3\n") == [
        ("2*0.3", "0.6"),
        ("0.5*4", "1.9"),
        ("1*1", "1"),
        ("0.6 - 1.9 + 1", "-0.3"),
    ]


def test_rows_count_from_zero_where_the_text_speaks_of_row_0() -> None:
    text = "Row 0: a\nRow 1: b\n"
    context = Context(text)
    assert [context.row(text.index(letter)) for letter in "ab"] == [0, 1]


def test_numbers_that_a_walk_starts_from_are_checked_by_their_own_working() -> None:
    reading = read_notes("scores[0] = [1*2 + 1*1, 2*2] = [3, 5]\n\nA[0] = softmax([3, 5]) = [0.12, 0.88]\n")
    assert [(each.work, each.printed) for each in reading.equations] == [("1*2 + 1*1", "3"), ("2*2", "5")]
    assert [claim.name for claim in reading.cases[0].stated] == ["scores", "A"]


def test_numbers_that_no_walk_reaches_are_checked_by_their_own_working() -> None:
    assert equations("$\\sqrt{d_k} = \\sqrt{3} \\approx 1.73$\n") == [("sqrt(3)", "1.73")]


def test_what_would_be_masked_is_not_masked() -> None:
    assert not Context("If this layer were causal, a causal mask M would be added.\n").causal
    assert Context("We add a causal mask. What if not?\n").causal


def test_an_arrow_before_a_name_with_a_value_begins_another_formula() -> None:
    assert equations("exp(0) = 1 → total = 4\n") == [("exp(0)", "1")]


def test_a_number_before_a_colon_is_a_numbering() -> None:
    assert equations("Row 7: 2 * 3 = 6\n") == [("2*3", "6")]


def test_two_blanks_separate_formulas_and_multiply_nothing() -> None:
    assert equations("```\n2*3 = 6   Q1 = 5\n```\n") == [("2*3", "6")]


def test_a_full_stop_between_blanks_is_a_dot_product() -> None:
    assert equations("k . q = [2, 5] . [3, 1] = 11\n") == [("2*3 + 5*1", "11")]


def test_words_beside_the_rows_of_a_list_are_remarks() -> None:
    text = "```\nQ = [[1, 2],   first of 2, 3\n     [3, 4]]   second\n```\n"
    text += "\nK = [[1, 0], [0, 1]]\n\nscores = [[1, 2], [3, 4]]\n"
    assert read_notes(text).cases[0].given["Q"].typed == (("1", "2"), ("3", "4"))


def test_quantities_that_the_text_calls_equal_have_the_same_numbers() -> None:
    reading = read_notes("X = [[1, 0], [2, 1]]\n\nQ = K = X\n\nQ K^T = [[1, 2], [2, 5]]\n")
    assert reading.cases[0].given["K"].typed == (("1", "0"), ("2", "1"))


def test_factors_that_stand_together_in_tex_are_two_names() -> None:
    reading = read_notes("Q = [[1, 2]]\n\nK = [[3, 4]]\n\n$q_1k_1 = 11$\n")
    assert [claim.name for claim in reading.cases[0].stated] == ["scores"]


def test_a_subscript_says_that_scores_are_scaled_or_masked() -> None:
    reading = read_notes("S = [[4, 2]], d_k = 4\n\nS_scaled = [[2, 1]]\n")
    assert [claim.name for claim in reading.cases[0].stated] == ["scaled"]


def test_rows_with_labels_under_heads_are_the_matrix_that_the_words_above_name() -> None:
    text = "Q = [[1, 0], [0, 1]], K = [[2, 0], [1, 1]]\n\nRaw scores (before scaling):\n```\n"
    text += "        cat   sat\n  cat [ 2    1 ]  <- first\n  sat [ 0    1 ]\n```\n"
    claims = read_notes(text).cases[0].stated
    assert [(claim.name, claim.values) for claim in claims] == [("scores", (("2", "1"), ("0", "1")))]


def test_scores_divided_by_one_number_are_scaled_scores_by_whatever_letter_they_go() -> None:
    text = "Q = [[4, 1], [0, 4]], K = [[4, 0], [0, 8]]\n\n$S = [[16, 8], [0, 32]]$\n\n"
    claims = read_notes(f"{text}$S' = [[11.3, 5.66], [0, 22.6]]$\n").cases[0].stated
    assert [claim.name for claim in claims] == ["scores", "scaled"]


def test_a_result_printed_again_in_percent_is_judged_by_the_working_before_it() -> None:
    assert equations("3 / 8 = 0.375 = 38%\n") == [("3/8", "0.375"), ("3/8", "38%")]


def links(text: str) -> list[tuple[str, int, int, tuple[tuple[str, ...], ...]]]:
    """Every claim of every walk: name, row, column and the numbers."""
    return [
        (claim.name, claim.row, claim.col, claim.values)
        for case in read_notes(text).cases
        for claim in case.stated
    ]


def test_words_beside_the_letters_tell_walks_apart() -> None:
    text = (
        "W_Q = [[2, 0], [0, 3]]\n\nX_{past} = [[1, 0], [0, 1]]\n\nQ_{past} = [[2, 0], [0, 3]]\n\n"
        "X_{full} = [[1, 0], [0, 1], [1, 1]]\n\nQ_{full} = [[2, 0], [0, 3], [2, 4]]\n"
    )
    assert sorted(links(text)) == [
        ("Q", 0, 0, (("2", "0"), ("0", "3"))),
        ("Q", 0, 0, (("2", "0"), ("0", "3"), ("2", "4"))),
    ]


def test_the_only_word_beside_letters_decorates() -> None:
    text = "W_Q = [[2, 0], [0, 3]]\n\nX_{all} = [[1, 0], [0, 1]]\n\nQ_{all} = [[2, 0], [0, 3]]\n"
    assert links(text) == [("Q", 0, 0, (("2", "0"), ("0", "3")))]


def test_a_hidden_entry_weighs_nothing_in_a_softmax_on_its_own() -> None:
    assert equations("softmax([0.5, -∞]) = [1.0, 0]\n") == [("exp(0.5)/exp(0.5)", "1.0")]


def test_inputs_of_no_walk_are_not_taken_for_rounded_results() -> None:
    text = "scores[0] = [0.3, 0.1]\n\nsoftmax([0.3, 0.1]) = [0.58, 0.42]\n"
    assert all(not each.rounded for each in read_notes(text).equations)


GIVEN = "We do not scale.\n\nQ = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 1]]\n\n"


def test_a_matrix_without_a_name_is_what_its_numbers_follow() -> None:
    assert links(GIVEN + "$$\n\\begin{bmatrix}1&0\\\\2&2\\end{bmatrix}\n$$\n") == [
        ("scores", 0, 0, (("1", "0"), ("2", "2")))
    ]


def test_one_row_below_a_sentence_is_the_row_that_its_numbers_follow_or_none() -> None:
    said = GIVEN + "The logits of the last row then become\n\n$$\\begin{{bmatrix}}{}\\end{{bmatrix}}$$\n"
    assert links(said.format("2.0&2.0")) == [("scores", 1, 0, (("2.0", "2.0"),))]
    assert links(said.format("7.0&2.0")) == []


def test_what_follows_a_bias_of_positions_is_of_another_walk() -> None:
    text = GIVEN + "scores = [[1, 0], [2, 2]]\n\nAdd the relative position bias.\n\nA[0] = [0.9, 0.1]\n"
    assert [name for name, *_ in links(text)] == ["scores"]


def test_every_term_and_both_sides_of_a_quotient_are_worked_out() -> None:
    assert equations("1*2 - 3*4 + 5*6 = 2 - 12 + 30\n") == [("1*2", "2"), ("3*4", "12"), ("5*6", "30")]
    assert equations("(1*2)/(1+3) = 2/4 = 0.5\n") == [("1*2", "2"), ("1 + 3", "4"), ("2/4", "0.5")]
    assert equations("1*2 + 3*4 + 0*5 = 14 + 0\n") == [("1*2 + 3*4", "14"), ("0*5", "0")]


def test_the_terms_of_a_sum_are_no_list() -> None:
    assert links(GIVEN + "Scores:\n\n1 - 1\n\n1, -1\n") == links(GIVEN + "Scores:\n\n1, -1\n")


def test_equal_letters_are_the_inputs_that_come_later() -> None:
    text = "We do not scale.\n\nQ = K = V = X\n\nX = [[1, 0], [0, 2]]\n\nQ K^T = [[1, 0], [0, 4]]\n"
    assert links(text) == [("scores", 0, 0, (("1", "0"), ("0", "4")))]


def test_a_table_with_hidden_entries_is_the_masked_scores() -> None:
    text = GIVEN + "No word sees later ones.\n\n      a     b\na  [ 1.0  -∞ ]\nb  [ 2.0   2.0 ]\n"
    assert {name for name, *_ in links(text)} == {"masked"}


def test_rows_one_below_the_other_are_what_their_numbers_follow() -> None:
    assert links(GIVEN + "[1, 0]\n[2, 2]\n") == [("scores", 0, 0, (("1", "0"), ("2", "2")))]


def test_tokens_stand_behind_letters_in_code() -> None:
    text = (
        "Q_cat = [1, 0]\n\nK_cat = [1, 1]\nK_sat = [0, 2]\n\nV_cat = [1, 1]\nV_sat = [0, 2]\n\n"
        "Q_cat · K_cat = 1\nQ_cat · K_sat = 0\n"
    )
    assert links(text) == [("scores", 0, 0, (("1",),)), ("scores", 0, 1, (("0",),))]


def test_lists_below_lists_with_names_are_matrices_drawn_side_by_side() -> None:
    drawn = "Q = [1, 0]    K = [1, 1]    V = [1, 2]\n    [0, 2]        [0, 1]        [3, 4]\n\n"
    again = "Q × K^T = [1, 0]   [1, 0]\n          [0, 2] × [1, 1]\n\n"
    scores = "Scores:\n\n[1, 0]\n[2, 2]\n"
    for text in (drawn + scores, drawn + again + scores):
        assert links("We do not scale.\n\n" + text) == [("scores", 0, 0, (("1", "0"), ("2", "2")))]


def test_a_list_below_a_sum_is_not_what_the_sum_equals() -> None:
    text = GIVEN + "softmax([1, 0])\n\nexp(1) = 2.72, exp(0) = 1\nsum = 3.72\n = [0.73, 0.27]\n"
    assert links(text)[-2:] == [("sum", 0, 0, (("3.72",),)), ("A", 0, 0, (("0.73", "0.27"),))]


def test_an_arrow_leads_from_numbers_to_the_name_of_the_next() -> None:
    text = GIVEN + "- Row 1 scaled: `0.7, 0.0` → `exp = 2.01, 1.00` → sum `3.01`\n"
    assert links(text) == [
        ("scaled", 0, 0, (("0.7", "0.0"),)),
        ("exp", 0, 0, (("2.01", "1.00"),)),
        ("sum", 0, 0, (("3.01",),)),
    ]


def test_a_sum_divided_by_the_number_printed_for_the_root_is_scaled() -> None:
    text = "sqrt(d_k) = sqrt(2) = 1.41\n\nQ = [[1, 2]], K = [[3, 1]]\n\n$S_{11} = (3 + 2)/1.41 = 3.55$\n"
    assert [name for name, *_ in links(text)] == ["sqrt(d_k)", "sqrt(d_k)", "scaled"]


def test_what_is_unscaled_beside_a_root_is_a_step_before_the_scaling() -> None:
    assert Context("Scores over sqrt(d_k). The unscaled row is [1, 2].\n").declares_scale() == "1/sqrt(d_k)"
    assert Context("Unscaled attention.\n").declares_scale() == "1"


def test_a_letter_above_a_table_is_what_its_formula_made_it() -> None:
    text = "Q = [[1, 0], [0, 2]]\n\nK = [[1, 1], [0, 1]]\n\n## Then S = Q K^T / sqrt(2)\n\n```\nS =\n"
    assert [name for name, *_ in links(text + " cat [ 0.71  0.00 ]\n sat [ 1.41  1.41 ]\n```\n")] == [
        "scaled"
    ]


def test_a_table_that_words_name_has_the_width_of_what_they_name() -> None:
    text = GIVEN + "V = [[1, 3, 5], [2, 0, 1]]\n\nThe attention output:\n\n"
    assert links(text + "[[0.9, 0.1], [0.4, 0.6]]\n") == []
    assert links(text + "[[1.3, 2.2, 3.9], [1.5, 1.5, 3.0]]\n") != []


def test_the_bars_of_a_table_are_no_part_of_a_token() -> None:
    table = "Every token is a vector:\n\n| Token | E |\n|---|---|\n| cat | [1, 0] |\n| sat | [0, 1] |\n\n"
    (case,) = read_notes(f"{table}Q = [[1, 0]]\n\nK = [[1, 1], [0, 1]]\n\nQ K^T = [[1, 0]]\n").cases
    assert case.tokens == ("cat", "sat")


def test_a_program_that_prints_other_masked_scores_still_says_what_is_hidden() -> None:
    text = GIVEN + "```\nprint(x)\n```\n```\nMasked scores:\ntensor([[9.5, -inf], [8.1, 9.7]])\n```\n"
    (case,) = read_notes(text + "\nA = [[1.00, 0.00], [0.50, 0.50]]\n").cases
    assert {claim.name for claim in case.stated} == {"A"}
    assert case.settings.mask == "causal"


def test_what_the_identity_projects_is_x() -> None:
    text = "X = [[1, 0], [0, 2]]\n\nW_Q = I_2\n\nW_K = I_2\n\nQ K^T = [[1, 0], [0, 4]]\n"
    assert links(text) == [("scores", 0, 0, (("1", "0"), ("0", "4")))]
