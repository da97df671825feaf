"""Whether something that nobody could read stands directly before a formula."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.reading.notes.formulas.stream import Token

LONGEST_FRACTION = 40
"""Tokens of a fraction before a name that are looked through for its beginning."""
_COUNTS = re.compile(
    r"(?:第|头|步骤?|层|\b(?:head|step|layer|row|token|query|word|position))$", re.IGNORECASE
)
"""Before a number that only says which one: `头 1 的输出`, `Head 1 output`."""


def is_broken(tokens: Sequence[Token], i: int) -> bool:
    """Whether an operator, an unread bracket or a factor stands before token i, or `n, ` of `n, d_k = 3`."""
    at = i - 1
    while at >= 0 and tokens[at].kind == "mark" and tokens[at].text != "quiet":
        at -= 1
    if at < 0:
        return False
    before = tokens[at]
    if before.kind in ("num", "percent"):
        if (
            at
            and before.text.isdigit()
            and tokens[i].kind in ("cjk", "word")
            and _COUNTS.search(tokens[at - 1].text)
        ):
            return False
        return all(mark.text == "thin" for mark in tokens[at + 1 : i]) and tokens[i].kind != "open"
    if before.kind == "comma":
        return [token.kind for token in tokens[max(at - 2, 0) : at]] in (["nl", "word"], ["mark", "word"])
    if before.kind == "word" and tokens[i].kind == "word":
        return at + 1 < i and all(mark.text == "thin" for mark in tokens[at + 1 : i])
    if before.kind == "close":
        return before.text == "}" and tokens[i].kind == "word" and _ends_fraction(tokens, at)
    if before.kind == "op" and before.text in "/÷":
        return at > 0 and tokens[at - 1].kind not in ("nl", "open")  # `(÷ √2 = 1.414)`: of all that is above
    return (before.kind == "op" and before.text not in "'-") or before.kind == "dots"


def _ends_fraction(tokens: Sequence[Token], i: int) -> bool:
    r"""Whether the brace at token i closes a fraction that nobody could read, `\frac{\partial L}{..}`."""
    depth = 0
    for at in range(i, max(i - LONGEST_FRACTION, 0), -1):
        depth += (tokens[at].kind == "close") - (tokens[at].kind == "open")
        if not depth and tokens[at - 1].kind != "close":
            return tokens[at - 1].kind == "command" and tokens[at - 1].text == "frac"
    return False
