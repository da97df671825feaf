"""Rotary positions (RoPE): queries and keys rotated by their positions. Su et al. 2021, eq. (34)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symattn.attention.case import Case
from symattn.attention.expressions import positive
from symattn.attention.keys import Key
from symattn.attention.quantities import Quantity
from symattn.attention.sizes import Sizes, offset
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.exact.functions import power
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.ops.rotate import Rotate
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual, Count, oriented
from symattn.text.errors import ShapeMismatch


def rotations(case: Case, sizes: Sizes, width: int) -> tuple[Rotate, Rotate]:
    """The rotations of queries and of keys that have `width` columns.

    Raises ShapeMismatch where more columns are rotated than there are, or an odd number of them.
    """
    angles = _angles(case, width)
    interleaved = case.settings.pairs == "interleaved"
    first = case.settings.start
    later = first + offset(case, sizes, Bilingual("rotary positions", "旋转位置编码"))
    of_keys = Rotate(angles, interleaved, first, past=_past(case), turns_past=int(_turns_past(case)))
    return Rotate(angles, interleaved, later), of_keys


def _past(case: Case) -> int:
    """How many of the keys come from a cache."""
    return case.given["past_K"].shape[0] if "past_K" in case.given and "K" not in case.given else 0


def _turns_past(case: Case) -> bool:
    """Whether keys from a cache have not been rotated yet."""
    return case.settings.past_keys == "unrotated"


def _angles(case: Case, width: int) -> Matrix:
    """theta (1, pairs): as given, or base^(-2p/r) for the r columns that are rotated."""
    settings = case.settings
    rotated = width if settings.rotary is None else settings.rotary
    if settings.angles is not None:
        rotated = 2 * settings.angles.shape[1]
    if rotated % 2 or rotated > width:
        raise ShapeMismatch(
            oriented(
                f"{Count(rotated):[column|row]} to rotate in pairs, of {width} in a head",
                f"要成对旋转 {rotated} [列|行]，而一个头有 {width} [列|行]",
            ),
            Bilingual(f"an even number, at most {width}", f"应为偶数，最大为 {width}"),
        ).at(**case.at("attention.rotary"))
    if settings.angles is not None:
        return settings.angles.values
    base = positive(case, "rotary_base", settings.rotary_base)
    exponents = [Exact.of(Fraction(-2 * p, rotated)) for p in range(rotated // 2)]
    return Matrix.of([[power(base, exponent) for exponent in exponents]])


class Rope(Variant):
    """`positions = "rope"`."""

    name = "rope"
    text = Bilingual("rotary positions", "旋转位置编码")
    keys = (
        Key(
            "positions",
            "choice",
            "rope: turns Q and K",
            ("none", "rope"),
            default="none",
        ),
        Key(
            "pairs",
            "choice",
            "rope: the columns that are turned together",
            ("interleaved", "half"),
            default="interleaved",
        ),
        Key("rotary", "integer", "how many columns of a head rope turns: all unless given", least=2),
        Key(
            "rotary_base", "expression", "the base of the angles of rope: 10000 unless given", default="10000"
        ),
        Key(
            "past_keys",
            "choice",
            "whether past_K holds keys that rope has turned already, as the caches of common libraries do",
            ("rotated", "unrotated"),
            default="rotated",
        ),
        Key("angles", "row", "the angle of each pair for one position, such as pi/3, instead of a base"),
    )
    quantities = (
        Quantity(
            "Q_R",
            ("n_q", "d_k"),
            heading=Bilingual("Rotated queries", "旋转后的查询"),
            meaning=Bilingual(
                "Turns each query by angles that grow with its position.",
                "把每个查询按随位置增大的角度旋转。",
            ),
            worked="rule",
            after="K_N",
        ),
        Quantity(
            "K_R",
            ("n_k", "d_k"),
            heading=Bilingual("Rotated keys", "旋转后的键"),
            meaning=Bilingual(
                "Turns each key by angles that grow with its position.",
                "把每个键按随位置增大的角度旋转。",
            ),
            worked="rule",
            after="Q_R",
        ),
    )

    def queries_and_keys(self, head: Head, q: str, k: str) -> Plan:
        if "d_k" not in head.sizes:
            return ()
        of_queries, of_keys = rotations(head.case, head.sizes, head.sizes["d_k"])
        return Line(f"{head.tag}Q_R", of_queries, (q,)), Line(f"{head.tag}K_R", of_keys, (k,))

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        if not any(isinstance(line.op, Rotate) and line.op.past for line in plan):
            return
        if _turns_past(case):
            yield Clause(Bilingual("the keys in the cache are rotated too", "缓存中的键也要旋转"))
        else:
            yield Clause(
                Bilingual(
                    "the keys in the cache are taken to be rotated already", "缓存中的键视为已旋转，不再旋转"
                )
            )


VARIANT = Rope()
