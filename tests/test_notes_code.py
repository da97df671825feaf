"""Results in code: comments that show them, dictionaries, functions with further arguments, modules."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes

GIVEN = "X = np.array([[1., 0.], [0., 1.]])\nW_Q = nn.Parameter(torch.tensor([[1, 2], [3, 4]]))\n"


def linked(code: str) -> list[tuple[str, int, tuple[tuple[str, ...], ...]]]:
    """Every claim of the only walk of a block of code: its quantity, its first row, its numbers."""
    (case,) = read_notes(f"```python\n{code}```\n").cases
    return [(claim.name, claim.row, tuple(claim.values)) for claim in case.stated]


@pytest.mark.parametrize(
    "shown",
    [
        "Q = X @ W_Q\n# [[1, 2],\n#  [3, 4]]\n",
        "Q = X @ W_Q  # [[1, 2], [3, 4]]\n",
        "Q = X @ W_Q\n# -> array([[1, 2],\n#           [3, 4]])\n",
        "print(Q)  # Output: [[1 2] [3 4]]\n",
        "Q = X @ W_Q\n# [[1, 2],  ← the first\n#  [3, 4]]  ← the second\n",
    ],
)
def test_a_comment_with_nothing_but_a_matrix_shows_the_result(shown: str) -> None:
    assert linked(GIVEN + shown) == [("Q", 0, (("1", "2"), ("3", "4")))]


def test_a_comment_that_says_a_shape_shows_no_result() -> None:
    assert linked(GIVEN + "Q = X @ W_Q  # [2, 2]\nQ = [[1, 2], [3, 4]]\n") == [
        ("Q", 0, (("1", "2"), ("3", "4")))
    ]


def test_a_dictionary_has_a_row_for_each_token() -> None:
    text = '```\nembeddings = {"the": [1, 0], "cat": [0, 1]}\nW_q = [[1, 2], [3, 4]]\n'
    (case,) = read_notes(text + 'queries = {"the": [1, 2], "cat": [3, 4]}\n```\n').cases
    assert case.tokens == ("the", "cat")
    assert [(claim.name, claim.values) for claim in case.stated] == [("Q", (("1", "2"), ("3", "4")))]


def test_scores_over_the_root_of_a_module_are_scaled() -> None:
    code = "Q = [[2, 0], [0, 2]]\nK = [[1, 0], [0, 1]]\nV = [[1, 0], [0, 1]]\n"
    code += "scores = Q @ K.t() / np.sqrt(2)\n# [[1.41, 0.0], [0.0, 1.41]]\nA = F.softmax(scores, dim=-1)\n"
    assert linked(code)[:1] == [("scaled", 0, (("1.41", "0.0"), ("0.0", "1.41")))]


@pytest.mark.parametrize(
    "said", ["print(np.round(Q, 2))", "A.sum(axis=1)", "We scale by 1/√2.", "W_Q^(1) is the first head."]
)
def test_numerals_that_set_something_are_not_listed_as_unread(said: str) -> None:
    assert read_notes(f"```\n{GIVEN}\n{said}\nQ = [[1, 2], [3, 4]]\n```\n").unread == ()


def test_the_keys_of_an_object_name_its_matrices() -> None:
    text = '```json\n{"tokens": ["a", "b"], "X": [[1, 0], [0, 1]], "W_Q": [[1, 2], [3, 4]],\n'
    (case,) = read_notes(text + ' "Q": [[1, 2], [3, 4]]}\n```\n').cases
    assert case.given["W_Q"].typed == (("1", "2"), ("3", "4"))
    assert [(claim.name, claim.values) for claim in case.stated] == [("Q", (("1", "2"), ("3", "4")))]


def test_a_letter_that_is_set_to_scores_means_scores() -> None:
    code = "Q = [[1, 0], [0, 1]]\nK = [[1, 2], [0, 1]]\nE = Q @ K.T\nE = [[1, 0], [2, 1]]\n"
    assert linked(code) == [("scores", 0, (("1", "0"), ("2", "1")))]


def test_a_letter_alone_on_its_line_is_set_to_the_numbers_below() -> None:
    code = "Q = [[1, 0], [0, 1]]\nK = [[1, 2], [0, 1]]\n>> E = Q @ K.T\n\nE =\n\n    1    0\n    2    1\n\n"
    assert linked(code) == [("scores", 0, (("1", "0"), ("2", "1")))]


@pytest.mark.parametrize(
    ("made", "rows"),
    [
        ("c(1, 2, 3, 4), nrow = 2, byrow = TRUE", (("1", "2"), ("3", "4"))),
        ("c(1, 2, 3, 4), nrow = 2", (("1", "3"), ("2", "4"))),
        ("c(1, 2, 3, 4), ncol = 1", (("1",), ("2",), ("3",), ("4",))),
    ],
)
def test_a_matrix_of_r_is_filled_as_it_is_told(made: str, rows: tuple[tuple[str, ...], ...]) -> None:
    text = f"```r\nX <- matrix({made})\n```\n\nQ = [[1, 2], [3, 4]]\n\nK = [[1, 2], [3, 4]]\n"
    (case, *_) = read_notes(text).cases
    assert case.given["X"].typed == rows


@pytest.mark.parametrize(
    "printed",
    [
        "```r\n(Q <- X %*% W_Q)\n```\n\n```\n##      [,1] [,2]\n## [1,]    1    2\n## [2,]    3    4\n```\n",
        "```python\nQ\n```\n\n```\n   0  1\n0  1  2\n1  3  4\n```\n",
    ],
)
def test_what_r_and_pandas_print_beside_counted_rows_is_a_matrix(printed: str) -> None:
    (case,) = read_notes("X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\n" + printed).cases
    assert [(claim.name, claim.values) for claim in case.stated] == [("Q", (("1", "2"), ("3", "4")))]


def test_a_comment_that_announces_what_was_printed_shows_integers_and_names_nothing() -> None:
    shown = "Q = X @ W_Q  # [[1, 2], [3, 4]]\nq = Q[0]\nprint(q)\n# Output: [1 2]\n"
    assert linked(GIVEN + shown) == [("Q", 0, (("1", "2"), ("3", "4"))), ("Q", 0, (("1", "2"),))]
