"""Gradients of linear attention, of a cache, and of walks by steps and blocks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from once import FOLDER, work

from symattn.casefile.case_file import parse_case
from symattn.checks.proofs import gradient_proofs
from symattn.exact.decimal import rounded
from symattn.exact.decision import equal
from symattn.plans.derive import derive
from symattn.plans.ops.softmax_backward import NormaliseBackward
from symattn.result import Worked

GIVEN = """
[given]
Q = [[1, 2], [3, 1]]
K = [[1, 3], [2, -1]]
V = [[2, 0], [1, 1]]
dZ = [[1, 2], [3, -1]]
"""
LINEAR = GIVEN + '[attention]\nkernel = "relu"\n'
WALKS = {
    "cached": ('mask = "causal"\n', 'evaluation = "cached"\n'),
    "online": ("", 'evaluation = "online"\nblock = 1\n'),
    "linear": ('kernel = "relu"\n', 'evaluation = "linear"\n'),
}


def same(a: Worked, b: Worked, name: str) -> bool:
    pairs = zip(a[name].rows(), b[name].rows(), strict=True)
    return all(equal(x, y) is True for row, other in pairs for x, y in zip(row, other, strict=True))


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_that_makes_the_same_output_has_the_same_gradients(walk: str) -> None:
    more, evaluation = WALKS[walk]
    direct = work(parse_case(f"{GIVEN}[attention]\n{more}"))
    other = work(parse_case(f"{GIVEN}[attention]\n{more}{evaluation}"))
    assert all(same(direct, other, name) for name in ("dV", "dA", "dQ", "dK"))
    assert "gradients are those of the direct computation" in other.markdown()
    assert "梯度按直接计算求得" in other.markdown(lang="zh")
    assert "gradients are those of the direct computation" not in direct.markdown()


def test_without_a_gradient_nothing_is_computed_twice() -> None:
    text = GIVEN.replace("dZ = [[1, 2], [3, -1]]\n", "")
    assert "A" not in work(parse_case(text + '[attention]\nevaluation = "online"\n')).derivation.values


def test_the_gradients_of_linear_attention_are_rational_and_proved() -> None:
    """Row 1: D = 7 + 2, A = (7/9, 2/9), dA = (2, 3), dS = (dA - 20/9) / 9."""
    worked = work(parse_case(LINEAR))
    assert [str(x.rational) for x in next(worked["dscores"].rows())] == ["-2/81", "7/81"]
    assert {(p.name, p.decided, p.equal) for p in worked.proofs} == {
        (name, True, True) for name in ("dQ", "dK", "dV")
    }


def test_a_sum_of_the_row_taken_for_a_constant_is_refuted() -> None:
    derivation = work(parse_case(LINEAR)).derivation
    wrong = tuple(
        replace(line, op=replace(line.op, sign=0)) if isinstance(line.op, NormaliseBackward) else line
        for line in derivation
    )
    verdicts = {proof.name: proof.equal for proof in gradient_proofs(derive(wrong, derivation.given))}
    assert verdicts == {"dQ": False, "dK": False, "dV": True}


def test_a_row_without_a_feature_hands_nothing_back() -> None:
    worked = work(parse_case(LINEAR.replace("[3, 1]]\nK", "[-3, -1]]\nK")))
    assert [x.rational for x in tuple(worked["dscores"].rows())[1]] == [0, 0]


LAYERED = FOLDER / "variants" / "backward_layers.toml"
LAYERS = LAYERED.read_text(encoding="utf-8")


def number(worked: Worked, name: str, i: int, j: int) -> float:
    return float(rounded(worked[name][i, j], 20).digits)


@pytest.mark.parametrize(
    ("name", "entry", "old"),
    [("W_V", (0, 0), "W_V = [[1, 0]"), ("W_K", (1, 0), "W_K = [[0], [1]"), ("X", (1, 1), "0, 2]]")],
)
def test_the_gradients_of_two_layers_are_differences_of_the_loss(
    name: str, entry: tuple[int, int], old: str
) -> None:
    """A step of 10^-5 to either side of one entry: the weights of both layers move."""
    place = {"W_V": "[[1", "W_K": "[1]", "X": "2]]"}[name]
    digit = next(c for c in place if c.isdigit())
    losses = []
    for sign in (1, -1):
        moved = f"{int(digit) + sign * 1e-5:.5f}"
        text = LAYERS.replace(old, old.replace(place, place.replace(digit, moved)))
        losses.append(number(work(parse_case(text)), "loss", 0, 0))
    slope = number(work(LAYERED), f"d{name}", *entry)
    assert (losses[0] - losses[1]) / 2e-5 == pytest.approx(slope, abs=1e-8)


def test_the_weights_of_two_layers_have_the_sum_of_two_gradients() -> None:
    worked = work(LAYERED)
    line = worked.derivation.line("dW_V")
    assert line is not None
    assert line.args == ("layer1.dW_V", "layer2.dW_V")
    assert worked.check.agrees


def test_a_cache_has_its_rows_of_the_gradient_of_all_keys() -> None:
    """The gradient of K, of which the first row came from the cache."""
    text = """
[given]
X = [[1]]
W_Q = [[1]]
W_K = [[2]]
W_V = [[1]]
past_K = [[1]]
past_V = [[3]]
dZ = [[4]]
[attention]
scale = "1"
"""
    worked = work(parse_case(text))
    assert worked["dpast_K"][0, 0] == worked["dK"][0, 0]
    assert worked["dnew_K"][0, 0] == worked["dK"][1, 0]
    assert same(worked, worked, "dpast_V")
    assert {p.name for p in worked.proofs if p.equal} >= {"dpast_K", "dpast_V", "dX"}
    assert "Gradient of the keys in the cache" in worked.markdown()
    assert "缓存中的键的梯度" in worked.markdown(lang="zh")
