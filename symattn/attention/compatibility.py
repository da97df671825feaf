"""What goes together: the features of a case that are no variants, and the variants among each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

from msgspec import Struct

from symattn.attention.case import Case
from symattn.attention.variant import Variant
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue


class Feature(Struct, frozen=True):
    """What a case may have beside its variants: how messages call it, and whether a case has it."""

    text: Bilingual
    has: Callable[[Case], bool]


FEATURES: Mapping[str, Feature] = MappingProxyType(
    {
        "mask": Feature(Bilingual("a mask", "掩码"), lambda case: case.settings.masked),
        "window": Feature(Bilingual("a window", "窗口"), lambda case: case.settings.windowed),
        "bias": Feature(
            Bilingual("a bias of the scores", "得分偏置"),
            lambda case: case.settings.positions in ("alibi", "relative"),
        ),
        "sink": Feature(Bilingual("a sink", "汇点"), lambda case: "sink" in case.given),
        "base": Feature(Bilingual("another base", "其他底数"), lambda case: case.settings.base != "e"),
        "online": Feature(
            Bilingual("an online evaluation", "在线计算"), lambda case: case.settings.evaluation == "online"
        ),
        "cached": Feature(
            Bilingual("an evaluation with a cache", "缓存逐步计算"),
            lambda case: case.settings.evaluation == "cached",
        ),
        "linear_evaluation": Feature(
            Bilingual("a linear evaluation", "线性算法"), lambda case: case.settings.evaluation == "linear"
        ),
        "jacobians": Feature(
            Bilingual("Jacobians", "雅可比矩阵"), lambda case: case.settings.jacobians != "none"
        ),
        "layers": Feature(
            Bilingual("layers", "多层"),
            lambda case: case.settings.layer != "none" or case.settings.layers > 1,
        ),
        "kv_heads": Feature(
            Bilingual("heads that share keys and values", "共用键和值的头"),
            lambda case: case.settings.kv_heads is not None,
        ),
        "columns": Feature(
            Bilingual("tokens as columns", "词元为列"), lambda case: case.settings.tokens_as == "columns"
        ),
    }
)
"""The features by the names that `Variant.goes_without` uses."""

REPLACED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "projections": frozenset({"projections"}),
        "head_inputs": frozenset({"head_inputs"}),
        "maps": frozenset({"maps"}),
        "weights": frozenset({"weights"}),
        "attended": frozenset({"attended", "before_mask", "after_mask", "weights", "after_weights"}),
    }
)
"""The hooks in whose place only one variant can act, and the hooks that are not called then."""


def refuse_together(case: Case, applying: tuple[Variant, ...]) -> None:
    """Raises UnusableValue for a variant with something that it does not go together with."""
    present = {name: feature.text for name, feature in FEATURES.items() if feature.has(case)}
    present |= {variant.name: variant.text for variant in applying}
    for variant in applying:
        for other in sorted(variant.goes_without & present.keys()):
            key = f"attention.{variant.keys[0].name}" if variant.keys else "attention"
            raise UnusableValue(
                Bilingual("{one} with {other}", "“{one}”不能与“{other}”同用").format(
                    one=variant.text, other=present[other]
                ),
                Bilingual("leave one of the two out", "请去掉其中一个"),
            ).at(**case.at(key))


def consistent(variants: Sequence[Variant]) -> None:
    """Raises ValueError for variants that name what does not exist, or take the same place in a plan."""
    known = [*FEATURES, *(variant.name for variant in variants)]
    repeated = sorted({name for name in known if known.count(name) > 1})
    if repeated:
        raise ValueError(f"two variants or features are named {', '.join(repeated)}")
    for variant in variants:
        unknown = (variant.goes_without | variant.instead_of) - set(known)
        if unknown:
            raise ValueError(
                f"the variant {variant.name} names {', '.join(sorted(unknown))}, "
                f"which is none of {', '.join(sorted(known))}"
            )
    for pair in combinations(variants, 2):
        shared = sorted(set(_replaced_by_both(*pair)))
        if shared and not _apart(*pair):
            raise ValueError(
                f"the variants {pair[0].name} and {pair[1].name} both replace {', '.join(shared)}; "
                "a case could have both, and one would be lost: name the other in goes_without or "
                "instead_of, or make them different choices of the first key of both"
            )


def _replaced_by_both(one: Variant, other: Variant) -> Iterator[str]:
    """The hooks of a variant that the other replaces, and the other way round."""
    for a, b in ((one, other), (other, one)):
        for hook, silent in REPLACED.items():
            if _has(a, hook):
                yield from (name for name in silent if _has(b, name))


def _has(variant: Variant, hook: str) -> bool:
    return getattr(type(variant), hook) is not getattr(Variant, hook)


def _apart(one: Variant, other: Variant) -> bool:
    """Whether no case has both at work: one excludes the other, or they are different choices of one key."""
    for a, b in ((one, other), (other, one)):
        if b.name in a.goes_without | a.instead_of:
            return True
    if not one.keys or not other.keys or one.keys[0].name != other.keys[0].name:
        return False
    return not _chosen(one) & _chosen(other)


def _chosen(variant: Variant) -> frozenset[str]:
    """The choices of its first key with which a variant may apply."""
    key = variant.keys[0]
    return frozenset(key.choices) - {str(key.default)} or frozenset({"any"})
