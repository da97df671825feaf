"""The tags before the names of a plan, such as `head1` in `head1.A`, and the chapters that they head."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symattn.text.bilingual import Bilingual, oriented

CHAPTERS: Mapping[str, Bilingual] = MappingProxyType(
    {
        "head": Bilingual("Head {h}", "第 {h} 个头"),
        "map": Bilingual("Map {h}", "第 {h} 张注意力图"),
        "layer": Bilingual("Layer {h}", "第 {h} 层"),
        "step": Bilingual("Step {h}", "第 {h} 步"),
        "block": Bilingual("Block {h}", "第 {h} 块"),
        "group": Bilingual("Heads of group {h}", "第 {h} 组的头"),
        "row": oriented("[Row|Column] {h}", "第 {h} [行|列]"),
        "key": Bilingual("Key {h}", "第 {h} 个键"),
    }
)
