"""What to write instead of an unknown word: the few known ones that are near, and what lists the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from symattn.text.bilingual import Bilingual, both

MOST = 5
"""How many known words a message lists."""
NEAR = 0.6
"""How similar a word is at least that may have been meant, as a ratio of `difflib`."""
MARGIN = 0.15
"""How much less similar than the nearest word another one may be."""
LONGEST = 100
"""Words with more characters resemble none: nobody mistypes a page."""


def instead(word: str, known: Iterable[str], listing: Bilingual, close: Sequence[str] = ()) -> Bilingual:
    """The remedy for an unknown word; `listing` says where all known ones are listed, if they are many.

    `close` are words that are near by their meaning; by default the near ones are those spelled like it.

    >>> listing = Bilingual("`symattn schema` lists all keys", "`symattn schema` 列出全部键")
    >>> instead("WQ", ("X", "W_Q", "W_K", "W_V", "Q", "K", "V"), listing)["en"]
    'did you mean W_Q? (`symattn schema` lists all keys)'
    """
    words = tuple(dict.fromkeys(known))
    if not words:
        return listing
    close = tuple(close[:MOST]) or near(word, words)
    if len(words) <= MOST:
        rest = whole = Bilingual(f"one of: {', '.join(words)}", f"可用：{'、'.join(words)}")
    else:
        few = Bilingual(", ".join(words[:MOST]), "、".join(words[:MOST]))
        rest, whole = (
            listing,
            Bilingual("such as {few}; {all}", "例如 {few}；{all}").format(few=few, all=listing),
        )
    if not close:
        return whole
    meant = Bilingual("did you mean {words}? ({rest})", "是不是 {words}？（{rest}）")
    return meant.format(words=alternatives(close), rest=rest)


def near(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """At most `MOST` known words that may have been meant, the nearest first.

    Where only capitals, spaces, hyphens or underscores differ, these alone are meant.
    """
    words = tuple(known)
    same = tuple(each for each in words if _bare(each) == _bare(word))
    if same or len(word) > LONGEST:
        return same[:MOST]
    ratios = [(_ratio(word, each), each) for each in words]
    least = max(NEAR, max((ratio for ratio, _ in ratios), default=0) - MARGIN)
    ranked = sorted((each for each in ratios if each[0] >= least), key=lambda each: -each[0])
    return tuple(each for _, each in ranked[:MOST])


def _bare(word: str) -> str:
    return re.sub(r"[\s_-]", "", word).lower()


def _ratio(word: str, known: str) -> float:
    """The similarity of two words, in either case; 0 where it is below `NEAR`."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, word.lower(), known.lower())
    if matcher.real_quick_ratio() < NEAR or matcher.quick_ratio() < NEAR:
        return 0
    return matcher.ratio()


def alternatives(words: Sequence[str]) -> Bilingual:
    """Words of which one is meant: "a, b or c"."""
    return _joined(words, " or ", " 或 ")


def listed(words: Sequence[str]) -> Bilingual:
    """Words that are all meant: "a, b and c"."""
    return _joined(words, " and ", " 和 ")


def _joined(words: Sequence[str], en: str, zh: str) -> Bilingual:
    if len(words) < 2:
        return both("".join(words))
    return Bilingual(f"{', '.join(words[:-1])}{en}{words[-1]}", f"{'、'.join(words[:-1])}{zh}{words[-1]}")
