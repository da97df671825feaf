"""The attack on the exact core: gradients, equality and order against oracles, from small fixed seeds."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import mpmath
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.attack import decisions, gradients
from benchmarks.attack.tape import backward, constant
from symattn.attention.variants.sigmoid import SigmoidWeights
from symattn.exact import maximum
from symattn.exact.number import Infinite
from symattn.plans.gradient import Share
from symattn.plans.ops.add import PassOn

Attack = Callable[[int, int], Iterator[tuple[str, str]]]


def verdicts(attack: Attack, seed: int, cases: int) -> Counter[str]:
    return Counter(verdict for _, verdict in attack(seed, cases))


@pytest.mark.parametrize(
    ("attack", "seed", "cases", "right"),
    [(gradients.judged, 8, 5, 97), (decisions.judged, 2, 40, 39), (decisions.judged_rows, 1, 9, 54)],
    ids=["gradients", "pairs", "rows"],
)
def test_nothing_is_wrong(attack: Attack, seed: int, cases: int, right: int) -> None:
    found = verdicts(attack, seed, cases)
    assert found["right"] >= right
    assert found["WRONG"] == found["undecided"] == 0


def test_a_wrong_rule_of_a_gradient_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        SigmoidWeights, "gradient", lambda op, line, g, forward: (Share(line.args[0], PassOn(), (g,)),)
    )
    assert verdicts(gradients.judged, 8, 5)["WRONG"] > 0


@pytest.mark.parametrize("attack", [decisions.judged, decisions.judged_rows])
def test_a_decision_that_takes_neighbours_for_equal_is_seen(
    attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maximum, "compare", lambda x, y: int(isinstance(y, Infinite)))
    assert verdicts(attack, 1, 12)["WRONG"] > 0


def test_the_tape_differentiates_a_product_with_itself_and_a_quotient() -> None:
    """d (x x + x/y) with x = 3, y = 2 is 2 x + 1/y = 13/2 and -x/y^2 = -3/4."""
    x, y = constant(3), constant(2)
    backward(x * x + x / y)
    assert (x.slope, y.slope) == (mpmath.mpf("6.5"), mpmath.mpf("-0.75"))
