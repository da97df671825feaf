"""Variants that exclude, replace or name each other wrongly fail when the registry is imported."""

from __future__ import annotations

import pytest

from symattn.attention.case import Case
from symattn.attention.compatibility import consistent
from symattn.attention.keys import Key
from symattn.attention.registry import NAMES, VARIANTS
from symattn.attention.variant import Head, Variant
from symattn.attention.variants.linear import Linear
from symattn.plans.plan import Plan
from symattn.text.bilingual import both


class Hardmax(Variant):
    """Weights by another choice of the key that has the other normalisers."""

    name = "hardmax"
    text = both("hardmax")
    keys = (Key("normaliser", "choice", "hardmax", ("softmax", "hardmax"), default="softmax"),)
    goes_without = frozenset({"linear"})

    def applies(self, case: Case) -> bool:
        return False

    def weights(self, head: Head, logits: str) -> Plan | None:
        return ()


class OfAnotherKey(Hardmax):
    """May apply with another normaliser, and only one of the two is asked."""

    keys = (Key("hard", "switch", "hardmax"),)


class SameChoice(Hardmax):
    """Applies where sparsemax does."""

    keys = (Key("normaliser", "choice", "hardmax", ("softmax", "sparsemax"), default="softmax"),)


class UnderLinear(Hardmax):
    """Is not asked where linear attention takes the place of the whole head."""

    goes_without = frozenset()


class Misspelled(Hardmax):
    """Goes without what nobody has."""

    goes_without = frozenset({"linear", "a sink"})


class Replacing(OfAnotherKey):
    """Takes the part of all that would be asked too."""

    instead_of = frozenset({"sparsemax", "relu_weights", "sigmoid"})


class CalledSink(Hardmax):
    name = "sink"


@pytest.mark.parametrize("variant", [Hardmax(), Replacing()], ids=lambda variant: type(variant).__name__)
def test_variants_that_exclude_each_other_may_take_one_place(variant: Variant) -> None:
    consistent((*VARIANTS, variant))


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        (OfAnotherKey(), "the variants relu_weights and hardmax both replace weights; "),
        (SameChoice(), "the variants sparsemax and hardmax both replace weights; "),
        (UnderLinear(), "the variants linear and hardmax both replace weights; "),
        (Misspelled(), "the variant hardmax names a sink, which is none of base, bias, "),
        (CalledSink(), "two variants or features are named sink"),
        (Linear(), "two variants or features are named linear"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_variant_that_breaks_a_rule_is_an_error_when_the_registry_is_made(
    variant: Variant, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        consistent((*VARIANTS, variant))


def test_a_variant_has_the_name_of_its_file() -> None:
    assert tuple(variant.name for variant in VARIANTS) == NAMES
