"""`shift = "max"`: exponentials of the scores less the largest of their row, with the same weights."""

from __future__ import annotations

import pytest

from symattn.casefile.case_file import parse_case
from symattn.exact.decision import equal
from symattn.result import Worked, work
from symattn.text.errors import SymattnError

QKV = """
title = "below"
[given]
Q = [[1, 0], [0, 1]]
K = [[1, 2], [3, 1]]
V = [[1, 2], [3, 4]]
[attention]
scale = "1"
"""
SHIFT = QKV + 'shift = "max"\n'


def entries(worked: Worked, name: str) -> list[list[str]]:
    return [[str(x) for x in row] for row in worked[name].to_sympy().tolist()]


def test_exponentials_are_those_of_the_scores_less_the_largest_of_their_row() -> None:
    worked = work(parse_case(SHIFT))  # scores 1 3 | 2 1
    assert entries(worked, "shifted") == [["-2", "0"], ["0", "-1"]]
    assert entries(worked, "exp") == [["exp(-2)", "1"], ["1", "exp(-1)"]]
    assert worked.check.agrees


def test_weights_and_outputs_are_the_same_as_without() -> None:
    one, other = work(parse_case(SHIFT)), work(parse_case(QKV))
    for name in ("A", "Z"):
        pairs = zip(one[name].rows(), other[name].rows(), strict=True)
        assert all(equal(x, y) for a, b in pairs for x, y in zip(a, b, strict=True))


def test_hidden_scores_stay_hidden_and_take_no_part_in_the_maximum() -> None:
    worked = work(parse_case(SHIFT + 'mask = "causal"\n'))
    assert entries(worked, "shifted") == [["0", "-oo"], ["0", "-1"]]
    assert entries(worked, "exp") == [["1", "0"], ["1", "exp(-1)"]]


def test_a_row_without_a_visible_key_has_no_maximum_and_weights_of_zero() -> None:
    worked = work(parse_case(SHIFT + "mask = [[0, 0], [1, 1]]\n"))
    assert entries(worked, "A")[0] == ["0", "0"]
    assert worked.check.agrees


def test_symbols_leave_the_maximum_open() -> None:
    text = SHIFT.replace("Q = [[1, 0]", 'Q = [["a", 0]').replace("[given]", 'symbols = ["a"]\n[given]')
    assert entries(work(parse_case(text)), "shifted")[0] == ["a - Max(a, 3*a)", "3*a - Max(a, 3*a)"]


@pytest.mark.parametrize("more", ['loss = "sum"', 'tokens_as = "columns"\nloss = "sum"', 'jacobians = "all"'])
def test_gradients_are_those_of_the_plain_softmax(more: str) -> None:
    worked = work(parse_case(f"{SHIFT}{more}\n"))
    assert worked.check.agrees
    assert worked.proofs
    assert all(proof.equal for proof in worked.proofs)


@pytest.mark.parametrize(
    ("more", "message"),
    [('evaluation = "online"', "an online evaluation"), ('kernel = "relu"', "linear attention")],
)
def test_shift_is_refused_where_there_is_no_exponential_or_another_maximum(more: str, message: str) -> None:
    with pytest.raises(SymattnError, match=message):
        work(parse_case(f"{SHIFT}{more}\n"))


def test_shift_is_refused_with_a_sink() -> None:
    with pytest.raises(SymattnError, match="a sink"):
        work(parse_case(SHIFT.replace("[attention]", "sink = [1]\n[attention]")))


@pytest.mark.parametrize(
    ("lang", "clause"),
    [("en", "the largest score of each row is subtracted"), ("zh", "取指数之前减去每行的最大得分")],
)
def test_the_page_names_the_convention_and_shows_the_subtraction(lang: str, clause: str) -> None:
    page = work(parse_case(f'lang = "{lang}"\n{SHIFT}')).text()
    assert clause in page.replace("\n", " ")
    assert "Δ = S' - max_j S'" in page
