"""Exact parameters of a case: what is typed under `[attention]` as an expression."""

from __future__ import annotations

import re
from functools import lru_cache

from symattn.attention.case import Case
from symattn.attention.sizes import SIZES, Sizes
from symattn.exact.decision import sign
from symattn.exact.functions import symbol
from symattn.exact.literal import read
from symattn.exact.number import Exact
from symattn.exact.spell import spell
from symattn.plans.kinds import ROOT_D_K
from symattn.plans.ops.scale import Scale
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UndefinedSymbol, UnusableValue

DEFAULT_SCALE = "1/sqrt(d_k)"


def scale(case: Case, sizes: Sizes) -> Scale:
    """The scaling of the scores, with the sizes from which people take the wrong one.

    Raises UnusableValue for a scale of zero or one in a size that nothing given tells.
    """
    text = case.settings.scale
    try:
        return _scale(text, tuple(sizes.items()), tuple(case.symbols))
    except UndefinedSymbol as error:
        unknown = [size for size in SIZES if size not in sizes and re.search(rf"\b{size}\b", text)]
        if not unknown:
            raise error.at(**case.at("attention.scale")) from None
        raise UnusableValue(
            Bilingual(
                f'the scale is "{text}", and nothing given says how large {" or ".join(unknown)} is',
                f"缩放因子是“{text}”，而没有给出 {' 或 '.join(unknown)} 的大小",
            ),
            Bilingual(
                'write the number itself, scale = "1/sqrt(64)", or "1" for scores that are already scaled',
                '请直接写出数，如 scale = "1/sqrt(64)"；得分已经缩放过就写 "1"',
            ),
        ).at(**case.at("attention.scale")) from None
    except SymattnError as error:
        raise error.at(**case.at("attention.scale")) from None


@lru_cache(maxsize=1 << 8)
def _scale(text: str, of_size: tuple[tuple[str, int], ...], symbols: tuple[str, ...]) -> Scale:
    """The scaling that an expression says, with these sizes and free symbols."""
    sizes = dict(of_size)
    names = {name: Exact.of(size) for name, size in sizes.items()}
    factor = read(text, names | {name: symbol(name) for name in symbols})
    if sign(factor) == 0:
        raise UnusableValue(
            Bilingual("the scale is 0, so every score would be 0", "缩放因子是 0，得分会全部变为 0"),
            Bilingual('use "1" for no scaling', '不缩放请写 "1"'),
        )
    known = sizes.get("d_k", 0), sizes.get("d_model", 0), sizes.get("n", 0), sizes.get("d_h", 0)
    divisor = factor.inverse()
    rooted = "".join(text.split()) == DEFAULT_SCALE and "d_k" in sizes
    spelled = ROOT_D_K if rooted else spell(divisor)
    return Scale(divisor, spelled, spell(divisor), known)
