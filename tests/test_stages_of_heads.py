"""Heads are planned one after the other, and in stages where a line mixes them."""

from __future__ import annotations

from symattn.attention.recipes.heads import by_stage
from symattn.plans.ops.add import Add
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.plan import Line

APART = tuple(
    Line(f"head{h}.{name}", Unchanged(), (source,))
    for h in (1, 2)
    for name, source in (("step1.K", "K"), ("S", f"head{h}.step1.K"), ("A", f"head{h}.S"))
)


def test_heads_that_are_not_mixed_keep_the_order_of_their_lines() -> None:
    assert by_stage(APART) == APART


def test_what_is_mixed_is_made_before_and_what_is_made_of_it_comes_after() -> None:
    mixed = tuple(
        Line(line.name, Add(), ("head1.S", "head2.S")) if line.name.endswith("A") else line for line in APART
    )
    names = [line.name for line in by_stage(mixed)]
    assert names == ["head1.step1.K", "head1.S", "head2.step1.K", "head2.S", "head1.A", "head2.A"]
