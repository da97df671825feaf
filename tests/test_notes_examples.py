"""Several worked examples in one document: each is a walk of its own."""

from __future__ import annotations

import pytest

from symattn.case import Case
from symattn.reading.notes.reader import read_notes

ONE = "X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\nQ = [[1, 2], [3, 4]]\n"
TWO = "Q = [[1, 0], [0, 1]]\n\nK = [[5, 6], [7, 8]]\n\nScores = [[5, 7], [6, 8]]\n"


def walks(text: str) -> list[list[str]]:
    return [[claim.name for claim in case.stated] for case in read_notes(text).cases]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("# Example 1", "# Example 2"),
        ("## Worked example 1: two words", "## Worked example 2: three words"),
        ("### A first example", "### A second example"),
        ("# 示例一", "# 示例二"),
        ("**例 1**", "**例 2**"),
        ("\\section*{Example 1}", "\\section*{Example 2}"),
        ("## Step 1: Problem A", "## Step 2: Problem B"),
        ("Sentence 1", "Sentence 2"),
    ],
)
def test_a_heading_begins_another_example_where_inputs_stand_below_it(first: str, second: str) -> None:
    assert walks(f"{first}\n\n{ONE}\n{second}\n\n{TWO}") == [["Q"], ["scores"]]


def test_a_heading_without_inputs_below_it_goes_on_with_the_same_example() -> None:
    assert walks(f"{ONE}\n# Example 2\n\nq_1 = [1, 2]\n") == [["Q", "Q"]]


def test_inputs_given_anew_begin_another_example_without_any_heading() -> None:
    again = "X = [[7, 7], [8, 8]]\n\nW_Q = [[1, 1], [1, 1]]\n\nQ = [[14, 14], [16, 16]]\n"
    assert walks(f"{ONE}\n{again}") == [["Q"], ["Q"]]


def test_weights_of_the_first_example_serve_a_later_one_that_gives_none() -> None:
    text = f"# Example 1\n\n{ONE}\n# Example 2\n\nX = [[7, 7]]\n\nQ = [[28, 42]]\n"
    first, second = read_notes(text).cases
    assert second.given["W_Q"].typed == first.given["W_Q"].typed == (("1", "2"), ("3", "4"))
    assert [claim.values for claim in second.stated] == [(("28", "42"),)]


def test_what_one_example_leaves_out_the_other_may_do() -> None:
    def scale(case: Case) -> str:
        return case.settings.scale

    walk = TWO + "\nA = [[0.12, 0.88], [0.12, 0.88]]\n"
    bare, scaled = read_notes(
        f"# Example 1\n\nWe skip the scaling.\n\n{walk}\n# Example 2\n\nNow divided by √d_k.\n\n{walk}"
    ).cases
    assert (scale(bare), scale(scaled)) == ("1", "1/sqrt(d_k)")


def test_every_example_has_tokens_of_its_own() -> None:
    text = (
        '# Example 1\n\nThe tokens are "sat" and "cat".\n\nQ = [[1, 0], [0, 1]]\n\nK = [[1, 2], [3, 4]]\n\n'
        'For "cat":\n\nscores = [2, 4]\n\n'
        '# Example 2\n\nThe tokens are "cat" and "mat".\n\nQ = [[5, 0], [0, 5]]\n\nK = [[1, 2], [3, 4]]\n\n'
        'For "cat":\n\nscores = [5, 15]\n'
    )
    assert [[(claim.name, claim.row) for claim in case.stated] for case in read_notes(text).cases] == [
        [("scores", 1)],
        [("scores", 0)],
    ]


COMPARED = """\
Q = [[1, 0], [0, 2]]
K = [[1, 0], [0, 1]]
V = [[1, 2], [3, 4]]

{first}

A = [[0.731, 0.269], [0.119, 0.881]]

{second}

A = [[0.670, 0.330], [0.196, 0.804]]
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("## Without scaling", "## With scaling"),
        ("\\section{Unscaled}", "\\section{Scaled by the root}"),
        ("不缩放\n====", "缩放\n===="),
        ("不缩放", "缩放"),
    ],
)
def test_attention_with_and_without_the_scale_is_told_twice(first: str, second: str) -> None:
    cases = read_notes(COMPARED.format(first=first, second=second)).cases
    assert [case.settings.scale for case in cases] == ["1", "1/sqrt(d_k)"]
    assert [[claim.values[0][0] for claim in case.stated] for case in cases] == [["0.731"], ["0.670"]]


def test_weights_printed_once_are_one_walk_whatever_the_headings_say() -> None:
    text = COMPARED.replace("A = [[0.731, 0.269], [0.119, 0.881]]\n", "S = [[1, 0], [0, 2]]\n")
    assert len(read_notes(text.format(first="## Unscaled scores", second="## Scaled")).cases) == 1


MASKLESS = "Q = [[1, 0], [0, 1]]\n\nK = [[1, 0], [0, 1]]\n\nA = [[0.67, 0.33], [0.33, 0.67]]\n\n"
CAUSAL = "## Causal mask\n\nscores = [[1, -inf], [0, 1]]\n\nA = [[1, 0], [0.33, 0.67]]\n"


def test_a_heading_on_a_mask_below_weights_without_one_begins_a_second_walk() -> None:
    cases = read_notes(MASKLESS + CAUSAL).cases
    assert [case.settings.mask for case in cases] == ["none", "causal"]
    assert walks(MASKLESS + CAUSAL) == [["A"], ["scores", "scores", "A"]]


def test_a_mask_before_the_weights_is_a_step_of_the_only_walk() -> None:
    text = MASKLESS.replace("A = [[0.67, 0.33], [0.33, 0.67]]\n\n", "") + CAUSAL
    assert [case.settings.mask for case in read_notes(text).cases] == ["causal"]


@pytest.mark.parametrize("word", ["问题", "练习 ", "問題", "Aufgabe ", "Ejercicio ", "Задача ", "문제 "])
def test_an_exercise_on_given_scores_is_another_walk(word: str) -> None:
    first = "Q = [[2, 0]]\n\nK = [[1, 0], [0, 1]]\n\nscores = [[2, 0]]\n\n"
    second = "scores = [[1, 2], [0, 1]]\n\nA = [[0.269, 0.731], [0.269, 0.731]]\n"
    assert walks(f"## {word}1\n\n{first}## {word}2\n\n{second}") == [["scores"], ["A"]]
    again = "scores = [[2, 0]]\n\nA = [[0.804, 0.196]]\n"
    assert len(walks(f"## {word}1\n\n{first}## {word}2\n\n{again}")) == 1


def test_which_token_is_meant_is_no_score_again() -> None:
    scores = "scores = [[1.0, 2.0], [0.5, 1.5]]\n\n"
    assert walks(f"{scores}A = [[0.27, 0.73], [0.27, 0.73]]\n\n位置1は自分のみ、位置2は1と2\n") == [["A"]]


@pytest.mark.parametrize("heading", ["## 🔑 Example {}", "### ✨ **示例 {}**", "➡️ Problem {}"])
def test_a_sign_before_its_heading_hides_no_example(heading: str) -> None:
    assert walks(f"{heading.format(1)}\n\n{ONE}\n{heading.format(2)}\n\n{TWO}") == [["Q"], ["scores"]]


ASKED = "Query q = {q}, keys k1 = {k1}, k2 = (1, 2), values v1 = (2, 1), v2 = (1, 0).\n"
ANSWERED = "Scores: q·k1 = {first}, q·k2 = {second}.\n\n"


def test_a_query_given_anew_with_all_keys_is_the_single_one_of_its_own_walk() -> None:
    text = ASKED.format(q="(1, 0)", k1="(1, 0)") + ANSWERED.format(first=1, second=1)
    text += ASKED.format(q="(2, 1)", k1="(2, 2)") + ANSWERED.format(first=6, second=4)
    assert walks(text) == [["scores", "scores"]] * 2


def test_a_query_given_anew_for_the_same_keys_begins_no_walk() -> None:
    text = ASKED.format(q="(1, 0)", k1="(1, 0)") + ANSWERED.format(first=1, second=1)
    assert len(read_notes(text + "Another query is q = (2, 1).\n").cases) == 1


def test_inputs_below_a_walk_from_queries_begin_another_one() -> None:
    first = "Q = [[1, 0], [0, 1]]\n\nK = [[5, 6], [7, 8]]\n\nScores = [[5, 7], [6, 8]]\n\n"
    for given in (ONE, ONE.replace("Q = [[1, 2]", "Q = X W_Q = [[1, 2]")):
        assert walks(f"{first}The second one starts from the embeddings:\n\n{given}") == [["scores"], ["Q"]]
    assert len(walks(first + ONE.replace("Q = [[1, 2], [3, 4]]", "Q = [[1, 0], [0, 1]]"))) == 1


def test_the_solution_of_a_problem_is_no_example_of_its_own() -> None:
    asked = "X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\nW_K = [[1, 0], [1, 1]]\n\n"
    text = f"## Problem 1\n\n{asked}Compute Q and K.\n\n## Problem 2\n\nProve it.\n\n# Solutions\n\n"
    assert walks(text + "Q = [[1, 2], [3, 4]]\n\nK = [[1, 0], [1, 1]]\n") == [["Q", "K"]]


def test_a_query_that_is_told_again_begins_no_other_example() -> None:
    text = (
        "q1 = (1, 0), q2 = (2, 5), k1 = (1, 1), k2 = (0, 1)\n\nQuery 1 is (1, 0).\n  scores: 1 and 0\n\n"
        "Query 2 is (2, 5).\n  scores: 7 and 5\n"
    )
    assert len(walks(text)) == 1
