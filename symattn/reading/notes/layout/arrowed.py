r"""Arrows that say what they do: `[1, 0]\xrightarrow{\text{softmax}}[0.73, 0.27]`, `\overset{/\sqrt2}{\to}`.

What stands behind such an arrow becomes an equation of its own, as `softmax([1, 0]) = [0.73, 0.27]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Call, Chain, Grid, Name, Node, Num, Row, last_of
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.context import Context

_ARROW = re.compile(r"arrow|\\to\b|→")
_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)
_DIVIDED = re.compile(
    r"(?:\\div\b|[/÷]|\\frac ?\{? ?1 ?\}?) ?\{? ?(?:\\sqrt|√) ?\{?(?:(?P<number>\d+)|(?P<name>d_?\{?k)\b)"
)
LONGEST_ARROW = 120


def with_arrowed(found: Sequence[Item], context: Context) -> list[Item]:
    """The items, with what stands behind an arrow that says what it does as an equation of its own."""
    made = list(found[:1])
    for item in found[1:]:
        node = _made(made[-1], item, context)
        made.append(replace(item, node=node, label="", broken=False) if node is not None else item)
    return made


def _made(before: Item, item: Item, context: Context) -> Node | None:
    """An equation of the list or matrix behind an arrow, and what the arrow makes of the one before it."""
    node, value = item.node, last_of(before.node)
    if not isinstance(node, Row | Grid) or not isinstance(value, Row | Grid) or item.target is not None:
        return None
    if not 0 < node.start - value.end < LONGEST_ARROW or not is_literal(node) or not is_literal(value):
        return None
    said = context.text[value.end : node.start]
    if _ARROW.search(said) is None:
        return None
    if _SOFTMAX.search(said):
        return Chain((Call("softmax", value), node), ("=",))
    divided = _DIVIDED.search(said)
    if divided is None:
        return None
    kind = "number" if divided["number"] else "name"
    start, end = (value.end + at for at in divided.span(kind))
    under = Num(divided[kind], start, end) if divided["number"] else Name("d_k", (), start, end)
    return Chain((Binary("/", value, Call("sqrt", under)), node), ("=",))
