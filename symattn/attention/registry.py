"""The variants of attention, each by one line, and what they bring along together."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.compatibility import consistent
from symattn.attention.conventions import CONVENTIONS
from symattn.attention.keys import Key
from symattn.attention.quantities import QUANTITIES
from symattn.attention.variant import Variant
from symattn.plans.operation import Operation
from symattn.plans.ops import OPERATIONS as BASIC

NAMES = (
    "linear",
    "rope",
    "talking_heads",
    "softcap",
    "top_k",
    "temperature",
    "shift",
    "relu_weights",
    "sparsemax",
    "sigmoid",
    "differential",
    "latent",
    "output_gate",
)
"""The files of `symattn/variants`, in the order in which their lines enter a plan."""

VARIANTS: tuple[Variant, ...] = tuple(
    import_module(f"symattn.attention.variants.{name}").VARIANT for name in NAMES
)
consistent(VARIANTS)

for _variant in VARIANTS:
    QUANTITIES.join(_variant.quantities)


def _merged(keys: Iterable[Key]) -> tuple[Key, ...]:
    """The keys, those of one name as one: each variant adds its choices and what they mean."""
    known: dict[str, Key] = {}
    for key in keys:
        first = known.setdefault(key.name, key)
        if first is not key:
            choices = (*first.choices, *(choice for choice in key.choices if choice not in first.choices))
            known[key.name] = replace(first, choices=choices, meaning=f"{first.meaning}; {key.meaning}")
    return tuple(known.values())


CONVENTION_KEYS = _merged((*CONVENTIONS, *(key for variant in VARIANTS for key in variant.keys)))
"""The keys of `[attention]`."""

OPERATIONS: tuple[type[Operation], ...] = (*BASIC, *(op for variant in VARIANTS for op in variant.operations))
"""All operations, each of which keeps the contract (tests/test_contract.py)."""


def applying(case: Case) -> tuple[Variant, ...]:
    """The variants that a case has, in the order of the registry."""
    found = [variant for variant in VARIANTS if variant.applies(case)]
    replaced = frozenset().union(*(variant.instead_of for variant in found))
    return tuple(variant for variant in found if variant.name not in replaced)
