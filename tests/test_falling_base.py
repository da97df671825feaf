"""A softmax to a base below 1: hidden keys have the weight 0, and weights fall as scores grow."""

from __future__ import annotations

import pytest
from flint import fmpq

from symattn.auditor.ranges.steps import through
from symattn.casefile.case_file import parse_case
from symattn.exact.literal import read
from symattn.floats.interval import between
from symattn.plans.base import Base
from symattn.plans.ops.exponential import Exponential
from symattn.result import Worked, work

HALF = '[given]\nscores = [[1, 2], [3, 4]]\nV = [[1], [3]]\n[attention]\nscale = "1"\nbase = "1/2"\n'


def halved(settings: str) -> Worked:
    return work(parse_case(HALF + settings))


@pytest.mark.parametrize("evaluation", ["direct", "online"])
def test_a_hidden_key_has_the_weight_0_whatever_the_base(evaluation: str) -> None:
    """Row 1 sees the first key alone; row 2 has the weights 2/3 and 1/3 for the powers 1/8 and 1/16."""
    worked = halved(f'mask = "causal"\nevaluation = "{evaluation}"\n')
    assert [str(row[0].rational) for row in worked["Z"].rows()] == ["1", "5/3"]
    assert worked.check.agrees


def test_the_page_takes_no_power_of_a_hidden_score() -> None:
    worked = halved('mask = "causal"\n')
    page = worked.text(width=200)
    assert "(1/2)^(-∞)" not in page
    assert "A hidden key has weight 0 whatever the base" in page
    assert "与底数无关" in worked.text(lang="zh", width=200)


def test_a_power_above_1_still_shows_that_of_minus_infinity() -> None:
    page = work(parse_case(f'{HALF}mask = "causal"\n'.replace('"1/2"', '"2"'))).text()
    assert "2^(-∞) = 0" in page


@pytest.mark.parametrize("base", ["e", "1/2"])
def test_a_block_that_is_wholly_masked_says_why_its_exponentials_are_0(base: str) -> None:
    text = f'{HALF}mask = [[0, 1], [1, 1]]\nevaluation = "online"\n'.replace('"1/2"', f'"{base}"')
    worked = work(parse_case(text))
    assert worked.check.agrees
    assert "Where a score or maximum is -∞, no key is visible and the entry is 0" in worked.text(width=200)


def test_the_order_of_weights_is_the_opposite_of_that_of_the_scores() -> None:
    assert "the weights are in the reverse order of the scores" in halved("").text(width=200)


def test_a_range_of_scores_becomes_a_range_of_powers_whose_lower_end_is_below() -> None:
    powers = through(Exponential(Base(read("1/2", {}))), [[[between(fmpq(1), fmpq(2))]]])
    assert powers is not None
    ((found,),) = powers
    assert float(found.low) == 0.25
    assert float(found.high) == 0.5
