"""Decoding with a cache of keys and values: one token a step, each seeing the keys so far.

Shazeer 2019, section 2.4 (incremental multi-head attention); Pope et al. 2022, section 2. That the
rows agree with causal attention over all tokens at once is what `symattn.checks.proofs` proves.
"""

from __future__ import annotations

from msgspec.structs import replace

from symattn.attention.masks import mask
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.logits import logits, weights
from symattn.attention.sizes import offset
from symattn.attention.variant import Head, most_nodes_after
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.operation import Operation
from symattn.plans.ops.blocks import Rows, Stack
from symattn.plans.ops.mask import Mask
from symattn.plans.ops.products import Scores, WeightedSum
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual, Count
from symattn.text.errors import UnusableValue


def cached(head: Head, scale: Operation, q: str, k: str) -> Plan:
    """From one head's queries `q`, keys `k` and V to its Z, token by token.

    Raises UnusableValue unless the mask is causal, for only then a step needs no later key.
    """
    case, sizes, tag = head.case, head.sizes, head.tag
    if case.settings.mask != "causal":
        raise UnusableValue(
            Bilingual(
                "an evaluation with a cache, without a causal mask", "使用缓存逐步计算，却没有因果掩码"
            ),
            Bilingual(
                'mask = "causal": a query that may see later keys has to wait for them',
                '请写 mask = "causal"：能看到后面的键的查询只能等这些键算出',
            ),
        ).at(**case.at("attention.evaluation"))
    if "n_q" not in sizes or "n" not in sizes:
        return ()
    before = offset(case, sizes, Bilingual("a cache", "缓存"))
    seen = mask(case, sizes).additive
    lines: list[Line] = []
    for t in range(sizes["n_q"]):
        last = before + t + 1
        if last > sizes["n"] or last < 1:
            raise UnusableValue(
                Bilingual(
                    f"{Count(sizes['n_q']):query/queries} and {Count(sizes['n']):key}, "
                    f"so that step {t + 1} has no key",
                    f"{sizes['n_q']} 个查询对 {sizes['n']} 个键，第 {t + 1} 步没有对应的键",
                ),
                Bilingual(
                    'align = "bottom-right", with at least as many keys as queries',
                    '请写 align = "bottom-right"，且键不少于查询',
                ),
            ).at(**case.at("attention.align"))
        lines += _step(head, scale, (q, k), t, last, seen)
    steps = tuple(f"{tag}step{t + 1}.Z" for t in range(sizes["n_q"]))
    return (*lines, Line(f"{tag}Z", Stack(), steps))


def _step(head: Head, scale: Operation, names: tuple[str, str], t: int, last: int, seen: Matrix) -> Plan:
    """Step t (from 0): the caches grow to `last` keys, and one query looks at them."""
    tag = head.tag
    here, back = f"{tag}step{t + 1}.", f"{tag}step{t}."
    lines = [Line(f"{here}Q", Rows(t, t + 1), (names[0],))]
    for cache in (quantity.name for quantity in QUANTITIES.projected if quantity.per_key):
        source = names[1] if cache == "K" else tag + cache
        if t == 0:
            lines.append(Line(here + cache, Rows(0, last), (source,)))
            continue
        lines.append(Line(here + cache.lower(), Rows(last - 1, last), (source,)))
        lines.append(Line(here + cache, Stack(), (back + cache, here + cache.lower())))
    lines.append(Line(f"{here}scores", Scores(), (f"{here}Q", f"{here}K")))
    row = seen.taken([t], range(last))
    hides = Mask(row) if any(entry != Exact.of(0) for entry in next(row.rows())) else None
    step = replace(head, tag=here, before=last - 1)
    lines += logits(step, Line(f"{here}scaled", scale, (f"{here}scores",)), hides)
    lines += weights(step, lines[-1])
    most_nodes = most_nodes_after(lines[-1], last)
    lines.append(Line(f"{here}Z", WeightedSum(), (lines[-1].name, f"{here}V"), most_nodes))
    return tuple(lines)
