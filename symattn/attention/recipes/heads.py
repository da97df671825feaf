"""One head or several: each takes its columns of Q, K and V; the outputs are put side by side.

Vaswani et al. 2017, section 3.2.2; several heads may share keys and values, Ainslie et al. 2023.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from symattn.attention.case import Case
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.core import core
from symattn.attention.recipes.projections import of_head
from symattn.attention.sizes import Sizes, evenly, given_to, key_heads, shares, sizes_of_head, width
from symattn.attention.variant import Head, Variant
from symattn.exact.matrix import Matrix
from symattn.plans.ops.blocks import Columns, Concatenate, SharedColumns
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import ShapeMismatch, UnusableValue


def heads(case: Case, given: Mapping[str, Matrix], variants: tuple[Variant, ...]) -> tuple[Plan, str]:
    """The lines from Q, K, V to the outputs of all heads, and the name of what they make together.

    Raises ShapeMismatch where heads do not divide a width or sinks are not one for each head or for all,
    UnusableValue where `kv_heads` does not divide `heads`.
    """
    count = case.settings.heads
    _divisible(case, given)
    _sinks(case, given)
    lines: list[Line] = []
    sizes = with_variants(variants, case, given, sizes_of_head(case, given))
    for number in range(count):
        tag = f"head{number + 1}." if count > 1 else ""
        here = given_to(given, tag)
        own_sizes = sizes
        if here is not given:
            own_sizes = with_variants(variants, case, here, sizes_of_head(case, given, tag))
        head = Head(case, variants, here, own_sizes, tag, number)
        own = (variant.head_inputs(head) for variant in variants)
        shared = _shares(case, given, number) if count > 1 else ()
        lines += next((made for made in own if made is not None), shared)
        lines += core(head)
    if count == 1:
        return tuple(lines), "Z"
    joined = Line("concat", Concatenate(), tuple(f"head{head + 1}.Z" for head in range(count)))
    return (*by_stage(lines), joined), "concat"


def by_stage(plan: Sequence[Line]) -> Plan:
    """The lines of all heads in stages: a line that mixes heads begins the next stage of its head.

    Within a stage they stay head by head, and where no line mixes heads there is one stage.
    """
    stages: dict[str, int] = {}
    for line in plan:
        head = line.name.partition(".")[0]
        mixes = any(argument.partition(".")[0] not in (argument, head) for argument in line.args)
        stages[line.name] = max((stages.get(name, 0) for name in line.args), default=0) + mixes
    return tuple(sorted(plan, key=lambda line: stages[line.name]))


def with_variants(
    variants: Sequence[Variant], case: Case, given: Mapping[str, Matrix], sizes: Sizes
) -> Sizes:
    """Sizes with those that the givens of variants tell, such as d_k of latent attention."""
    found = dict(sizes)
    for variant in variants:
        found |= variant.sizes(case, given)
    return MappingProxyType(found)


def _shares(case: Case, given: Mapping[str, Matrix], head: int) -> Plan:
    """One head's Q, K and V: by weights of its own, or its columns of those of all heads."""
    names = (each.name for each in QUANTITIES.projected)
    made = (of_head(case, name, f"head{head + 1}.") or (_share(case, given, name, head),) for name in names)
    return tuple(line for lines in made for line in lines)


def _share(case: Case, given: Mapping[str, Matrix], name: str, head: int) -> Line:
    """One head's columns of Q, K or V."""
    count, parts = case.settings.heads, shares(case, name)
    part = (width(case, given, name) or parts) // parts
    if parts == count:
        op = Columns(head * part, (head + 1) * part)
    else:
        group, turn = head // (count // parts), head % parts
        op = SharedColumns(group * part, (group + 1) * part, turn * part)
    return Line(f"head{head + 1}.{name}", op, (name,))


def _divisible(case: Case, given: Mapping[str, Matrix]) -> None:
    count, shared = case.settings.heads, key_heads(case)
    if count % shared:
        raise UnusableValue(
            Bilingual(
                f"{count} heads cannot share {shared} heads of keys and values evenly",
                f"{count} 个头无法平均共用 {shared} 组键和值",
            ),
            Bilingual(
                f"kv_heads must divide {count}; 1 is multi-query attention",
                f"kv_heads 必须整除 {count}；1 就是多查询注意力",
            ),
        ).at(**case.at("attention.kv_heads"))
    for name in (quantity.name for quantity in QUANTITIES.projected):
        columns = width(case, given, name)
        if columns is not None:
            evenly(case, name, columns, shares(case, name))


def _sinks(case: Case, given: Mapping[str, Matrix]) -> None:
    count, found = case.settings.heads, given["sink"].shape[1] if "sink" in given else 1
    if found not in (1, count):
        several = Bilingual(
            f"{count} sinks, one for each head, or one for all of them",
            f"应有 {count} 个汇点，每个头一个，或所有头共用一个",
        )
        raise ShapeMismatch(
            Bilingual(
                f"{Count(found):sink} for {Count(count):head}",
                f"{count} 个头有 {found} 个汇点",
            ),
            Bilingual("one sink", "应有一个汇点") if count == 1 else several,
        ).at(**case.at("given.sink"))
