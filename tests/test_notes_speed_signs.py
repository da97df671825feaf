"""What is found out at little cost before something dear is done: by a word, or by what a number is."""

from __future__ import annotations

import subprocess
import sys

import pytest

from symattn.reading.notes.layout.otherwise import _OTHERWISE, _SIGNS, Otherwise

ALONE = """
import sys
from symattn.exact.functions import cos, sin
from symattn.exact.literal import read
from symattn.exact.plain import plain
assert sin(read("0", {})).rational == 0 and cos(read("0", {})).rational == 1
angle = read("-sqrt(3)/2", {})
assert sin(angle) * sin(angle) + cos(angle) * cos(angle) == read("1", {})
assert "sympy" not in sys.modules
assert plain(sin(angle)) == "-sin(sqrt(3)/2)"
"""


def test_the_sine_of_an_algebraic_number_needs_no_sympy() -> None:
    subprocess.run([sys.executable, "-c", ALONE], check=True)


@pytest.mark.parametrize(
    "said",
    [
        "It would then be 3.",
        "It MIGHT give 3.",
        "Could look so.",
        "If we forget the scale",
        "IF IT HAD none",
        "before training",
        "a trained model",
        "训练后是 3",
        "会变成 3",
        "会变为 3",
        "可能得到 3",
        "如果不除",
        "若不除",
        "假如",
        "如果忘了",
        "要是",
        "That is plainly wrong.",
        "but incorrect",
        "Wrongly: 3",
        "a common mistake",
        "typical errors",
        "mistake: 3",
        "错误做法",
        "写错了",
        "误写",
        "是错的",
        "Suppose we instead",
        "another query",
        "other weights",
        "a reminder",
        "换个例子",
        "复习",
        "ſuppoſe instead",
    ],
)
def test_every_sentence_about_something_else_has_a_sign(said: str) -> None:
    assert _OTHERWISE.search(said)
    assert any(sign in said.casefold() for sign in _SIGNS)
    assert Otherwise.of(f"{said}.").stretches
