"""How an audit's verdict is shown without colour: the signs that the terminal and HTML share.

A slip is struck out, something carried forward hooks back to an earlier line, a rounding is give or
take, an undecided one is asked. What is right stays quiet inside a formula.
"""

from __future__ import annotations

from msgspec import Struct

from symattn.text.notation import Role


class Sign(Struct, frozen=True):
    """The sign before and after a marked number, and the one that leads a verdict in words."""

    before: str
    after: str
    verdict: str


SIGNS: dict[Role, Sign] = {
    "slip": Sign("~", "~", "✗"),
    "carried": Sign("↪", "", "↪"),
    "rounding": Sign("", "±", "±"),
    "undecided": Sign("", "?", "?"),
    "right": Sign("", "", "✓"),
    "token": Sign("", "", ""),
    "used": Sign("", "", ""),
}
