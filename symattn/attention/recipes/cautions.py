"""What a case says that its author may have meant otherwise, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from symattn.attention.case import Case, Given
from symattn.attention.sizes import SIZES
from symattn.exact.enclosure import HasSymbols
from symattn.floats.from_exact import to_float
from symattn.plans.kinds import Rotation, Scaling, Waves
from symattn.plans.ops.mask import of_zeros_and_ones
from symattn.plans.plan import Plan
from symattn.plans.transposed import on_rows
from symattn.text.bilingual import Bilingual

NEAR = 1 / 100
"""How far, relatively, a factor of the scores is from a root that it was probably meant to divide by."""


class Caution(Struct, frozen=True):
    """How a key of a case is read, where another meaning is likely (a warning) or possible (a note)."""

    key: str
    words: Bilingual
    kind: Literal["warning", "note"] = "warning"


def cautions(case: Case, plan: Plan) -> tuple[Caution, ...]:
    """The cautions about the `[attention]` table of a case that has this plan."""
    return (*_scale(case, plan), *_base(case, plan), *_mask(case))


def _scale(case: Case, plan: Plan) -> Iterator[Caution]:
    """A factor that is the divisor: sqrt(d_k) or its value, or a size that the scale names, or its root.

    Unit rows of Q and K are multiplied so on purpose: Loshchilov et al. 2024 (nGPT), section 2.3.2.
    """
    text = case.settings.scale
    scaling = next((op for op in (on_rows(line.op) for line in plan) if isinstance(op, Scaling)), None)
    if scaling is None or scaling.sizes is None or case.settings.qk_norm == "unit":
        return
    try:
        factor = 1 / to_float(scaling.divisor)
    except HasSymbols:
        return
    known = dict(zip(SIZES, scaling.sizes, strict=False))
    named = [known[size] for size in SIZES if re.search(rf"\b{size}\b", text)]
    divisors = [known["d_k"] ** 0.5, *named, *(size**0.5 for size in named)]
    if any(divisor > 1 and abs(factor / divisor - 1) < NEAR for divisor in divisors):
        inverse = f"1/{text}" if re.fullmatch(r"[\w.]+(\(\w+\))?", text) else f"1/({text})"
        words = Bilingual(
            f'scale = "{text}" multiplies the scores; to divide by it, write scale = "{inverse}"',
            f'scale = "{text}" 是乘在得分上的因子；若要除以它，请写 scale = "{inverse}"',
        )
        yield Caution("attention.scale", words)


def _base(case: Case, plan: Plan) -> Iterator[Caution]:
    """A base of the softmax in a case with angles that have a base too, which is not given."""
    settings = case.settings
    if settings.base == "e" or "attention.rotary_base" in case.places or settings.angles is not None:
        return
    operations = [on_rows(line.op) for line in plan]
    if any(isinstance(op, Rotation) for op in operations):
        words = Bilingual(
            f"base = {settings.base} is the base of the softmax; "
            f"that of the angles of rope is rotary_base = {settings.rotary_base}",
            f"base = {settings.base} 是 softmax 的底；rope 角度的底是 rotary_base = {settings.rotary_base}",
        )
        yield Caution("attention.base", words)
    elif any(isinstance(op, Waves) for op in operations):
        words = Bilingual(
            f"base = {settings.base} is the base of the softmax, not of the sinusoidal encoding",
            f"base = {settings.base} 是 softmax 的底，不是正弦位置编码的底",
        )
        yield Caution("attention.base", words)


def _mask(case: Case) -> Iterator[Caution]:
    """A mask of 0 and 1 whose ones may be visible keys, hidden ones (torch.triu) or addends."""
    mask = case.settings.mask
    if (
        not isinstance(mask, Given)
        or case.settings.mask_ones is not None
        or not of_zeros_and_ones(mask.values)
    ):
        return
    if any(entry for row in mask.values.rows() for entry in row):
        words = Bilingual(
            "in the mask, 1 is a key that is seen and 0 a hidden one; "
            'if not, write mask_ones = "hidden" (1 is hidden) or "added" (to the scores)',
            '掩码中 1 表示可见的键，0 表示被遮住的键；若非此意，请写 mask_ones = "hidden"（1 表示遮住）'
            '或 "added"（加到得分上）',
        )
        yield Caution("attention.mask", words, "note")
    elif not any("1" in row for row in mask.typed):  # typed as true, it is no 0
        words = Bilingual(
            'the zeros of the mask are added and hide nothing; with mask_ones = "visible" they hide all keys',
            '掩码中的 0 是加到得分上的，不遮住任何键；写 mask_ones = "visible" 则表示遮住所有键',
        )
        yield Caution("attention.mask", words, "note")
