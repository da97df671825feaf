"""The options of attention on floats: the attributes of the ONNX operator, and a window."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from flint import arb
from msgspec import Struct

from symattn.golden.formats import FORMATS
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue


class Scale(Struct, frozen=True):
    """What the products of queries and keys are multiplied by: factor sqrt(root)."""

    factor: Fraction
    root: int = 1

    @staticmethod
    def usual(d: int) -> Scale:
        """1/sqrt(d)."""
        whole = math.isqrt(d)
        return Scale(Fraction(1, whole)) if whole * whole == d else Scale(Fraction(1, d), d)

    def in_float32(self) -> Scale:
        """The scale as a kernel has it that computes it first."""
        rounded = FORMATS["float32"].of_ball(self.ball())
        assert rounded is not None
        return Scale(Fraction(rounded))

    def ball(self) -> arb:
        """At the precision of `flint.ctx`."""
        found = arb(self.factor.numerator) / self.factor.denominator
        return found if self.root == 1 else found * arb(self.root).sqrt()


class Options(Struct, frozen=True):
    """The options of the operator.

    `heads` and `kv_heads` divide the last axis of arrays of three axes; `scale` is None for 1/sqrt(d),
    "float32" for that rounded first, or a number. With a `window` a causal query sees the last keys alone,
    so many and its own among them.
    """

    causal: bool = False
    scale: str | float | Fraction | None = None
    softcap: float | None = None
    heads: int | None = None
    kv_heads: int | None = None
    window: int | None = None


_NUMBER = re.compile(
    r"[+-]?(\d{1,40}/\d{1,40}|(\d{1,40}\.?\d{0,40}|\.\d{1,40})(e[+-]?\d{1,3})?)", re.ASCII | re.I
)


def scale_of(given: str | float | Fraction | None, d: int) -> Scale:
    """The scale for d columns. Raises UnusableValue."""
    match given:
        case None | "exact":
            return Scale.usual(d)
        case "float32":
            return Scale.usual(d).in_float32()
    try:
        if isinstance(given, str) and not _NUMBER.fullmatch(given):
            raise ValueError
        return Scale(Fraction(given))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise UnusableValue(
            Bilingual(f"the scale {str(given)[:40]}", f"缩放因子 {str(given)[:40]}"),
            Bilingual(
                "exact, float32, or a number such as 0.125 or 1/8",
                "可用 exact、float32 或 0.125、1/8 这样的数",
            ),
        ) from None


def check(options: Options) -> None:
    """Refuses what no options can be. Raises UnusableValue."""
    if options.softcap is not None and not 0 < options.softcap < math.inf:
        raise UnusableValue(
            Bilingual(f"the softcap {options.softcap}", f"softcap 为 {options.softcap}"),
            Bilingual("it is a positive number", "应为正数"),
        )
    if options.window is not None and (options.window < 1 or not options.causal):
        raise UnusableValue(
            Bilingual(f"the window {options.window}", f"窗口为 {options.window}"),
            Bilingual(
                "it is a number of keys, at least 1, under a causal mask", "应为至少 1 的键数，并需因果掩码"
            ),
        )
