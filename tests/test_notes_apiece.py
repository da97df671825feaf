"""Numbers told token by token in a sentence, and what follows from lists that are rounded themselves."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes
from tests.linked import accused

WALK = """\
* **cat** → `[1.0, 0.0]`
* **sat** → `[0.0, 2.0]`

| word | query | key | value |
|---|---|---|---|
| cat | 1, 1 | 0, 2 | 1, -3 |
| sat | 1, 0 | 1, 2 | 4, -2 |

"""


def claims(sentence: str) -> list[tuple[str, int, tuple[tuple[str, ...], ...]]]:
    (case,) = read_notes(f"{WALK}{sentence}\n").cases
    return [(claim.name, claim.row, claim.values) for claim in case.stated if claim.name not in "QKV"]


@pytest.mark.parametrize(
    ("sentence", "name", "values"),
    [
        ("Dot products of the query of *sat* with the keys: cat 0, sat 1.", "scores", ("0", "1")),
        ("For “sat” the softmax gives 33.0% for cat, 67.0% for sat.", "A", ("33.0%", "67.0%")),
        ('For “sat” the weights are "cat" (0.330) and "sat" (0.670).', "A", ("0.330", "0.670")),
        ("For “sat” the softmax gives 33.0\\% for cat and 67.0\\% for sat.", "A", ("33.0%", "67.0%")),
    ],
)
def test_a_number_for_every_token_in_turn_is_a_list(
    sentence: str, name: str, values: tuple[str, ...]
) -> None:
    assert claims(sentence) == [(name, 1, (values,))]


@pytest.mark.parametrize(
    "sentence",
    [
        "The weights are 0.330 for cat.",  # and nothing of sat
        "The weights are sat 0.670, cat 0.330.",  # not in their order
        "We have seen cat 0.330, sat 0.670.",  # of nothing
    ],
)
def test_no_list_without_every_token_in_turn_or_without_a_name(sentence: str) -> None:
    assert [claim for claim in claims(sentence) if len(claim[2][0]) > 1] == []


def test_numpy_may_print_its_type_around_a_number() -> None:
    text = "Q = [[np.float64(1.5), np.float64(-2.0)]]\nK = [[np.int64(2), np.int64(1)]]\nS = [[1.0]]\n"
    (case,) = read_notes(text).cases
    assert case.given["Q"].typed == (("1.5", "-2.0"),)


OVER = """\
q(like) = 2.12 -0.03
q(tea) = 0.06 -0.44
k(we) = 2.86 0.11
k(like) = 1.68 0.56
k(tea) = 0.28 -0.69

q(like) . k(we) = 6.0599
q(like) . k(like) = 3.5448
q(like) . k(tea) = 0.6143
Over sqrt(2) that is 4.28, 2.51, 0.43.
   weight on we: 0.840
   weight on like: 0.142
   weight on tea: 0.018
"""


def test_what_follows_from_a_rounded_list_may_follow_from_its_unrounded_numbers() -> None:
    # the first share is 0.8393 by what is divided and printed with two decimals, 0.8396 by all of its digits
    assert accused(OVER) == []
