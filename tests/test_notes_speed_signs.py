"""What is found out at little cost before something dear is done: by a word, or by what a number is."""

from __future__ import annotations

import subprocess
import sys
from typing import NoReturn

import pytest

from symattn.auditor.judging import printing
from symattn.auditor.numeral import read_numeral
from symattn.exact import matrix, terms
from symattn.exact.functions import exp
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.ops import positions
from symattn.reading.notes.formulas import characters, commas, markup
from symattn.reading.notes.formulas.chains import items
from symattn.reading.notes.formulas.tokens import tokens
from symattn.reading.notes.layout.otherwise import _OTHERWISE, _SIGNS, Otherwise
from symattn.reading.notes.linking import columns
from symattn.typeset import cjk

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


def _dear(*_: object) -> NoReturn:
    raise AssertionError("this need not be done here")


def test_columns_of_an_encoding_share_their_period(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Exact] = []
    power = positions.power
    monkeypatch.setattr(positions, "power", lambda base, x: (asked.append(x), power(base, x))[1])
    made = positions.Sinusoidal(5, 4).exact()
    assert len(asked) == 2
    assert made[0, 0].rational == 0
    assert made[0, 3].rational == 1


def test_a_sum_is_multiplied_by_a_number_term_by_term(monkeypatch: pytest.MonkeyPatch) -> None:
    total = (exp(Exact.of(1)) + exp(Exact.of(2)) + Exact.of(3)).over
    three = Exact.of(3).over
    want = total + total + total
    monkeypatch.setattr(terms, "_collect", _dear)
    assert total * three == want
    assert three * total == want
    assert total * terms.UNIT is total
    assert terms.UNIT * total is total
    assert not total * terms.NOTHING


def test_rows_of_surds_are_multiplied_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one, e = Exact.of(1), exp(Exact.of(1))
    mixed = Matrix.of([[one, one], [one, e]])
    column = Matrix.rational([[2], [3]])
    asked: list[object] = []
    dot = matrix._dot
    monkeypatch.setattr(matrix, "_dot", lambda *of: (asked.append(of), dot(*of))[1])
    made = mixed @ column
    assert made[0, 0] == Exact.of(5)
    assert made[1, 0] == Exact.of(2) + Exact.of(3) * e
    assert len(asked) == 1


def test_formulas_are_not_gone_through_for_turned_ones_without_a_product(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = items(tokens("Q = [[1, 0], [0, 1]]\nK^T = [[1, 2], [3, 4]]\n", "markdown"))
    monkeypatch.setattr(columns, "walk", _dear)
    assert columns.turned_names(found, "Rows are tokens.", {}) == frozenset()


def test_what_prints_as_it_stands_is_not_spelled_character_by_character(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert cjk.visible("猫\u202e\ufdd0\t") == "猫\\u202e\\ufdd0␉"
    monkeypatch.setattr(cjk, "_shown", _dear)
    assert cjk.visible("猫 的 é") == "猫 的 é"


def test_a_number_printed_as_it_should_be_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = read_numeral("-0.50")
    monkeypatch.setattr(printing, "read_numeral", _dear)
    assert printing.ulps(printed, "-0.50") == 0


class _Unasked:
    """A pattern that need not be looked for."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(name)


def test_texts_are_not_searched_for_what_they_have_no_sign_of(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_WRITTEN", "_POINT", "_THOUSANDS", "_GROUPED"):
        monkeypatch.setattr(commas, name, _Unasked())
    monkeypatch.setattr(characters, "_DOT", _Unasked())
    monkeypatch.setattr(markup, "_METHOD", _Unasked())
    text = "q = [1, 0.5], 3 ,4 and 5, 6; x.dot is a product"
    assert characters.normalise.__wrapped__(text) == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("0,67 0,12 0{,}25 0,58", "0.67 0.12 0{.}25 0.58"),
        ("84 = 7,056 and 0.5", "84 = 7_056 and 0.5"),
        ("Q・K", "Q*K"),
        ("x.dot(w)", "x @  (w)"),
        ("x.matmul(w)", "x @     (w)"),
        ("x.mm(w)", "x @ (w)"),
        ("x.bmm(w)", "x @  (w)"),
    ],
)
def test_texts_with_a_sign_of_it_are_searched(text: str, read: str) -> None:
    assert characters.normalise(text) == read
