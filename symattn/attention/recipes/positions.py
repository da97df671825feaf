"""Where positions enter: added to X, or as a bias of the scores; RoPE is a variant."""

from __future__ import annotations

from fractions import Fraction

from symattn.attention.case import Case
from symattn.attention.sizes import Sizes
from symattn.exact.functions import power
from symattn.exact.number import Exact
from symattn.plans.operation import Operation
from symattn.plans.ops.add import Add
from symattn.plans.ops.alibi import Alibi
from symattn.plans.ops.positions import EXPONENTS, Sinusoidal
from symattn.plans.ops.relative import RelativeBias
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual, Count, oriented
from symattn.text.errors import MissingGiven, ShapeMismatch

BIASES = ("alibi", "relative")
"""The positions that are a bias of the scores."""


def added(case: Case, sizes: Sizes) -> Plan:
    """Sinusoidal encodings PE and X + PE. Raises MissingGiven where nothing says how many and how wide."""
    if case.settings.positions != "sinusoidal" or "X+PE" in case.given:
        return ()
    if "PE" in case.given:
        return (Line("X+PE", Add(), ("X", "PE")),)
    if "n_q" not in sizes or "d_model" not in sizes:
        raise MissingGiven(
            Bilingual(
                "positions are asked for, but neither X nor tokens and a width say how many and how wide",
                "要求使用位置编码，但既没有 X，也没有 tokens 和 d_model，个数和维数无从得知",
            ),
            Bilingual(
                "give X, or tokens and d_model under [attention]",
                "请给出 X，或者 tokens 以及 [attention] 下的 d_model",
            ),
        ).at(**case.at("attention.positions"))
    op = _encoding(case, sizes["n_q"], sizes["d_model"])
    return (Line("PE", op, ()), Line("X+PE", Add(), ("X", "PE")))


def _encoding(case: Case, n: int, d: int) -> Sinusoidal:
    """The encoding of n positions, d wide. Raises ShapeMismatch where it needs whole pairs and d is odd."""
    settings = case.settings
    op = Sinusoidal(n, d, settings.start, settings.pairs == "interleaved", EXPONENTS[settings.exponents])
    wanted = [key for key in ("pairs", "exponents") if getattr(settings, key) in ("half", "full-range")]
    if wanted and d % 2:
        key = f"attention.{wanted[0]}"
        raise ShapeMismatch(
            oriented(
                f"sines and cosines in pairs, in {Count(d):[column|row]}", f"{d} [列|行]不能让正弦和余弦成对"
            ),
            Bilingual("an even d_model", "d_model 应为偶数"),
        ).at(**case.at(key))
    return op


def embedded(case: Case) -> str:
    """The name of the inputs, with their positions where these are added."""
    return "X+PE" if case.settings.positions == "sinusoidal" else "X"


def inputs(case: Case) -> str:
    """The name of what is projected: the inputs, or their norm where it comes first."""
    return "norm_1" if case.settings.layer == "pre-norm" else embedded(case)


def bias(case: Case, before: int, head: int) -> tuple[Operation, tuple[str, ...]] | None:
    """The bias of one head's scores (from 0) with the names of its further arguments, if there is one.

    `before` keys stand before the first query.
    """
    match case.settings.positions:
        case "alibi":
            return Alibi(_slope(case, head), before), ()
        case "relative":
            return RelativeBias(before), ("relative",)
    return None


def _slope(case: Case, head: int) -> Exact:
    """The slope of head h of H (from 0): as given, or 2^(-8 (h + 1) / H), the paper's sequence."""
    slopes, heads = case.settings.slopes, case.settings.heads
    if slopes is None:
        return power(Exact.of(2), Exact.of(Fraction(-8 * (head + 1), heads)))
    if slopes.shape[1] != heads:
        raise ShapeMismatch(
            Bilingual(
                f"{Count(slopes.shape[1]):slope} for {Count(heads):head}",
                f"{heads} 个头有 {slopes.shape[1]} 个斜率",
            ),
            Bilingual("one slope for each head", "每个头需要一个斜率"),
        ).at(**case.at("attention.slopes"))
    return slopes.values[0, head]
