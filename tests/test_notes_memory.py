"""Where keys and values come from something else than the queries, by whatever letters."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import accused

WEIGHTS = "$W_Q = [[1, 0], [0, 1]]$\n\n$W_K = [[1, 2], [0, 1]]$\n\n"


@pytest.mark.parametrize(("x", "memory"), [("D", "E"), ("X_{dec}", "X_{enc}"), ("Y", "M")])
def test_what_the_weights_multiply_says_which_letter_is_the_memory(x: str, memory: str) -> None:
    """The words above both of them speak of an encoder, so that they tell nothing."""
    text = f"Queries come from the decoder, keys from the encoder (memory).\n\n${x} = [[1, 0], [1, 1]]$\n\n"
    text += f"${memory} = [[2, 1], [0, 1]]$\n\n{WEIGHTS}$Q = {x} W_Q = [[1, 0], [1, 1]]$\n\n"
    (case,) = read_notes(text + f"$K = {memory} W_K = [[2, 5], [0, 1]]$\n").cases
    assert case.given["X"].typed == (("1", "0"), ("1", "1"))
    assert case.given["memory"].typed == (("2", "1"), ("0", "1"))


@pytest.mark.parametrize("product", ["YW_Q", "YW_{Q}", "YW^Q"])
def test_a_letter_before_weights_is_multiplied_without_a_sign(product: str) -> None:
    text = f"$Y = [[1, 0], [1, 1]]$\n\n{WEIGHTS}$Q = {product} = [[1, 0], [1, 1]]$\n"
    (case,) = read_notes(text).cases
    assert case.given["X"].typed == (("1", "0"), ("1", "1"))


def test_letters_with_numbers_are_the_rows_of_what_the_weights_multiply() -> None:
    """One `y` makes the query, and `h1`, `h2` the keys: a decoder that looks at an encoder."""
    text = f"$y = [1, 2]$\n\n`h1 = [1, 0]`, `h2 = [0, 1]`\n\n{WEIGHTS}"
    text += (
        "q = y W_Q = [1, 2]\n\nk1 = h1 W_K = [1, 2]\n\nk2 = h2 W_K = [0, 1]\n\nscores: q·k1 = 5, q·k2 = 2\n"
    )
    (case,) = read_notes(text).cases
    assert case.given["X"].typed == (("1", "2"),)
    assert case.given["memory"].typed == (("1", "0"), ("0", "1"))
    assert [claim.name for claim in case.stated] == ["Q", "K", "K", "scores", "scores"]


def test_printed_scores_are_those_of_keys_of_the_memory_that_are_not_printed() -> None:
    """X would make other keys, and as many as there are queries."""
    inputs = "$X = [[1, 0], [1, 1]]$\n\n$M = [[2, 1], [0, 1], [1, 1]]$\n\n" + WEIGHTS
    inputs += "$Q = X W_Q = [[1, 0], [1, 1]]$\n\n$K = M W_K$\n\n"
    code = "```python\nscores = Q @ K.T\nprint(scores)\n```\n\n```\n[[2 0 1]\n [7 1 9]]\n```\n"
    (case,) = read_notes(inputs + code).cases
    assert [(claim.name, len(claim.values[0])) for claim in case.stated] == [("Q", 2), ("scores", 3)]


def test_an_x_that_makes_keys_and_values_of_other_queries_is_the_memory() -> None:
    text = f"$Y = [[1, 0], [1, 1]]$\n\n$X = [[2, 1], [0, 1]]$\n\n{WEIGHTS}$W_V = [[1, 0], [0, 1]]$\n\n"
    text += (
        "$Q = Y W_Q = [[1, 0], [1, 1]]$\n\n$K = X W_K = [[2, 5], [0, 1]]$\n\n$V = X W_V = [[2, 1], [0, 1]]$\n"
    )
    (case,) = read_notes(text).cases
    assert case.given["X"].typed == (("1", "0"), ("1", "1"))
    assert case.given["memory"].typed == (("2", "1"), ("0", "1"))
    assert [claim.name for claim in case.stated] == ["Q", "K", "V"]


def test_new_keys_and_values_stand_behind_those_of_a_cache() -> None:
    """The scores of the one new query are over all of them."""
    text = (
        "K_cache = [[0.0, -0.7], [-0.4, 0.3]]\n\nV_cache = [[0.7, -0.3], [-0.3, -0.2]]\n\n"
        "The new token gives\n\nq_3 = [-0.4, 0.9]\n\nk_3 = [0.1, -0.1]\n\nv_3 = [-0.8, 0.0]\n\n"
        "| key | q·k | /√2 |\n|---|---|---|\n| k_1 (cached) | -0.63 | -0.4455 |\n"
        "| k_2 (cached) | 0.43 | 0.3041 |\n| k_3 (new) | -0.13 | -0.0919 |\n"
    )
    (case,) = read_notes(text).cases
    assert case.given["K"].typed == (("0.0", "-0.7"), ("-0.4", "0.3"), ("0.1", "-0.1"))
    assert accused(text) == []
    assert accused(text.replace("0.43", "0.34")) == ["scores 0.34"]
