"""Why a float was not compared with an exact value: a phrase in both languages."""

from __future__ import annotations

from msgspec import Struct

from symattn.text.bilingual import Bilingual


class Doubt(Struct, frozen=True):
    """A phrase for brackets; `name` is the value that fills the mark `{name}` in it."""

    phrase: Bilingual
    name: str = ""

    @property
    def text(self) -> Bilingual:
        """The phrase with the plain name in it."""
        return self.phrase.format(name=self.name)


OVERFLOW = Doubt(Bilingual("values beyond the range of float64", "数值超出 float64 的范围"))
NO_BOUND = Doubt(Bilingual("no bound on the rounding errors is known", "没有舍入误差的界"))
UNDECIDED = Doubt(Bilingual("the exact values were not enclosed narrowly enough", "精确值所在的区间不够窄"))
TOO_SMALL = Doubt(Bilingual("too small for a complex step in float64", "数值太小，无法用 float64 作复步"))
GIVEN_WEIGHTS = Doubt(
    Bilingual(
        "after given weights, which need not follow from the scores",
        "在给定的权重之后，而给定的权重未必由得分算出",
    )
)
FOLLOWS = Bilingual("computed from {name}, which could not be compared", "由 {name} 算得，而 {name} 未能比较")
LOSS_FOLLOWS = Bilingual(
    "the forward computation needs {name}, which float64 does not confirm",
    "前向计算要用到 {name}，而 float64 未能确认 {name}",
)
LOST = Bilingual(
    "a complex step in float64 does not keep {name} as it is", "在 float64 中作复步时，{name} 不能保持不变"
)
KINK = Bilingual(
    "rounding leaves open on which side of its kink {name} lies", "由于舍入，无法判断 {name} 在折点的哪一侧"
)
