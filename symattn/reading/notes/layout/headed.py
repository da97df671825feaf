"""Names in a line of their own above matrices that stand side by side.

W_Q (query)      W_K (key)            Q = X W_Q     K = X W_K
[[1, 0],         [[0, 1],             [ 1  2 ]      [ 0  1 ]
 [0, 1]]          [1, 1]]             [ 3  4 ]      [ 2  1 ]
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.reading.notes.formulas.formula import Chain, Node, names
from symattn.reading.notes.formulas.names import resolve
from symattn.reading.notes.layout.page import APART, Page

_ASIDE = re.compile(r"\w+ \([^()\d]{2,40}\)")
"""A name and what is said of it: `W_Q (query)`."""


def names_above(columns: Sequence[int], page: Page, i: int, farthest: int) -> list[list[Node]]:
    """What the line above line i, or a blank one, calls the matrices that begin in its columns.

    It has as many names, each above one, and at most so far beside its bracket; nothing otherwise.
    """
    above = i - 1 if i and page.lines[i - 1].strip() else i - 2
    said = list(APART.finditer(page.lines[above])) if above >= 0 else []
    if len(said) < 2 or len(columns) != len(said):
        return []
    found: list[list[Node]] = []
    for words, column in zip(said, columns, strict=True):
        members = _members(words, page, page.starts[above])
        if abs(words.start() - column) > farthest or not members:
            return []
        found.append(members)
    return found


def _members(words: re.Match[str], page: Page, start: int) -> list[Node]:
    """The members of `Q = X W_Q`, in which something is of the walk."""
    at = page.token(start + words.start())
    read = page.parser.chain(at) or page.parser.formula(at)
    if read is None:
        return []
    node, _ = read
    if _ASIDE.fullmatch(words[0]):
        node = next(iter(names(node)), node)
    members = node.members if isinstance(node, Chain) else (node,)
    known = any(name.text == "QK" or resolve(name) for member in members for name in names(member))
    return list(members) if known else []
