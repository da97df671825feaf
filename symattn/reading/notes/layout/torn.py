"""Matrices of which a row could not be read: what is left of them is no matrix."""

from __future__ import annotations

import re
from collections.abc import Sequence

_UNREAD_ROW = re.compile(r"[^\[\]\n]{0,24}\[[^\[\],]*\d[^\[\],]*\]")


def is_torn(rows: Sequence[str], above: str, below: str) -> bool:
    """Whether rows close a bracket that was opened above them, or another drawn row stands beside them.

    `rows` are their lines, `above` and `below` the lines directly beside these.
    """
    said = "".join(rows)
    drawn = rows[0].strip().startswith("[")
    beside = drawn and any(_UNREAD_ROW.fullmatch(line.strip()) for line in (above, below))
    return beside or said.count("[") < said.count("]")
