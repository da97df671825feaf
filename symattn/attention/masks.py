"""Which keys a query may see: causal, windowed, padded and given masks, added up into one matrix."""

from __future__ import annotations

from symattn.attention.case import Case, Given
from symattn.attention.sizes import Sizes, offset
from symattn.exact.matrix import Matrix
from symattn.exact.shapes import oriented_shape
from symattn.plans.ops.mask import Mask, additive, causal, padding, windowed
from symattn.text.bilingual import Bilingual, Count, oriented
from symattn.text.errors import ShapeMismatch, SymattnError


def mask(case: Case, sizes: Sizes) -> Mask:
    """The sum of all the masks of a case, (n_q, n_k).

    Raises UnusableValue for a causal mask or a window over queries and keys of different number where
    the case does not choose an alignment and for a mask with other entries than 0 and 1 where `mask_ones`
    says which hide a key, ShapeMismatch for a list of padding that does not fit.
    """
    # without a known size no scores can be computed to, and the line is left out
    n_q, n = sizes.get("n_q", 1), sizes.get("n", 1)
    parts = _given(case, n_q, n)
    if not (case.settings.mask == "causal" or case.settings.windowed):
        return Mask(_total(parts))
    causal = case.settings.mask == "causal"
    what = Bilingual("a causal mask", "因果掩码") if causal else Bilingual("a window", "窗口")
    here = offset(case, sizes, what)
    there = n - n_q - here
    aligned = _total([*_moving(case, n_q, n, here), *parts])
    other = None if here == there else _total([*_moving(case, n_q, n, there), *parts])
    return Mask(aligned, misaligned=other)


def _moving(case: Case, n_q: int, n: int, before: int) -> list[Matrix]:
    settings = case.settings
    found = []
    if settings.mask == "causal":
        found.append(causal(n_q, n, before))
    if case.settings.windowed:
        found.append(windowed(n_q, n, before, settings.window_left, settings.window_right))
    return found


def _given(case: Case, n_q: int, n: int) -> list[Matrix]:
    settings = case.settings
    found = []
    if isinstance(settings.mask, Given):
        try:
            found.append(additive(settings.mask.values, settings.mask_ones))
        except SymattnError as error:
            raise error.at(**case.at("attention.mask")) from None
    if settings.padding is not None:
        keys = settings.padding.values
        if keys.shape != (1, n):
            raise ShapeMismatch(
                oriented(
                    f"the list of padding is {oriented_shape(keys.shape)}",
                    f"填充表是 {oriented_shape(keys.shape)}，形状不合",
                ),
                oriented(
                    f"one [row|column] of {Count(n):entry/entries}, one for each key",
                    f"应为一[行|列]，有 {n} 个元素，每个键一个",
                ),
            ).at(**case.at("attention.padding"))
        found.append(padding(n_q, keys))
    return found


def _total(parts: list[Matrix]) -> Matrix:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    return whole
