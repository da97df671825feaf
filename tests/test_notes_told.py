"""Lists in a sentence are what the sentence says that they are."""

from __future__ import annotations

import pytest

from symattn.reading.notes import read_notes

GIVEN = "$q_1 = (1, 2)$\n\n$k_1 = (2, 0)$, $k_2 = (0, 2)$\n\n$v_1 = (1, 0)$, $v_2 = (0, 1)$\n\n"
SCORES = "For token 1 we have $q_1 \\cdot k_1 = 2$ and $q_1 \\cdot k_2 = 4$.\n\n"


def linked(text: str) -> list[tuple[str, int, int, tuple[tuple[str, ...], ...]]]:
    (case,) = read_notes(text).cases
    return [(claim.name, claim.row, claim.col, tuple(claim.values)) for claim in case.stated]


@pytest.mark.parametrize(
    ("sentence", "name", "numbers"),
    [
        ("After dividing by $\\sqrt 2$ they become $1.41$ and $2.83$.", "scaled", ("1.41", "2.83")),
        ("Exponentiating gives $4.11$, $16.92$, and so on.", "exp", None),
        ("Exponentiating gives $4.11$ and $16.92$.", "exp", ("4.11", "16.92")),
        ("The softmax is therefore $(0.20, 0.80)$.", "A", ("0.20", "0.80")),
    ],
)
def test_a_list_behind_a_verb_is_what_the_sentence_names(
    sentence: str, name: str, numbers: tuple[str, ...] | None
) -> None:
    found = [values for said, row, _, values in linked(GIVEN + SCORES + sentence + "\n") if said == name]
    assert found == ([] if numbers is None else [(numbers,)])


def test_a_vector_with_a_bar_or_an_arrow_is_the_vector() -> None:
    text = r"$\vec{q}_1 = (1, 2)$, $\vec{k}_1 = (2, 0)$, $\bar{v}_1 = (3, 4)$" + "\n\n"
    text += r"$\vec{z}_1 = 1.0\,\vec{v}_1 = (3, 4)$" + "\n"
    assert linked(text)[-1] == ("Z", 0, 0, (("3", "4"),))
