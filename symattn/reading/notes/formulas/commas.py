"""Decimal commas: `0,67` is 67/100 in a document that writes its numbers so, and two numbers in others.

A comma is only read so where the document leaves no doubt: numerals such as `0,67` or `12,55` that are no
pair in brackets stand in it, and next to no decimal point. The exchange is one for one, so that every
offset stays true.
"""

from __future__ import annotations

import re

_BETWEEN_DIGITS = re.compile(r"\d(?:,|\{,\})\d")
"""A text without this has no comma but between things that stand apart."""
_INDEX = r"_\{?\(?|PE\(|[A-Za-zᵀ\])]\["
_WRITTEN = re.compile(
    rf"(?P<index>{_INDEX})?(?<![\d.,])(?P<whole>\d+)(?P<comma>,|\{{,\}})(?P<decimals>\d+)(?!\d|,\d)"
)
_POINT = re.compile(r"(?<![\d.,])\d+\.\d+(?![\d.]|,\d)")
_PART = re.compile(r"^[ #*>]*\d{1,2}\.\d{1,2}(?=[.)]?[ *]+[^\W\d])", re.MULTILINE)
"""The number of a part of the document, `### 3.1 Scores`, in which no decimal stands."""
_LIST = re.compile(r"(?<![\d.,])\d+(?:,\d+){2,}")
_GROUPED = re.compile(r"(?<![\d.,\[(])\d{1,3}(?:,\d{3})+(?=\.\d+(?!,?\d))")
_THOUSANDS = re.compile(
    r"(?<![\w.,\[({])[1-9]\d{0,2}(?:,\d{3})+(?![\d.]|,\d|[\])}])"
    r"|(?<=\()[1-9]\d{0,2}(?:,\d{3})+(?= ?(?:[-+*/×·÷=≈]|\\(?:times|cdot|div|approx)\b))"
    r"|(?<=[-+*/×·÷=≈] )[1-9]\d{0,2}(?:,\d{3})+(?=\))"
    r"|(?<![\w.,])[1-9]\d{0,2}(?:\{,\}\d{3})+(?![\d.{])"
)
"""Within brackets they may be a pair, but where they are counted with."""
_PAIR = {"[": "]", "(": ")"}
FEWEST = 3
"""Numerals that can be nothing else before a document is taken to write decimal commas."""
SHARE = 4
"""How many of them, and of those that elsewhere might be thousands, there are at least for every numeral with
a point, and every list without blanks."""


def with_points(text: str) -> str:
    """The text with a point for every decimal comma, `{,}` as `{.}`; as it is where commas only separate.

    Commas between thousands are underscores, where a point behind them says what they are, `162_754.79`, or
    where the text writes decimal points and no decimal commas: `84×84 = 7_056`.
    """
    if not _BETWEEN_DIGITS.search(text):
        return text
    pointed = _with_points(text)
    certain = any(_certain(text, found) for found in _WRITTEN.finditer(text))
    if pointed is text and not certain and _writes_points(text):
        pointed = _THOUSANDS.sub(_ungrouped, text)
    return _GROUPED.sub(_ungrouped, pointed)


def _ungrouped(found: re.Match[str]) -> str:
    return found[0].replace("{,}", "___").replace(",", "_")


def _writes_points(text: str) -> bool:
    """Whether a decimal point stands in a text: the number of a part has none."""
    parts = {found.end() for found in _PART.finditer(text)}
    return any(found.end() not in parts for found in _POINT.finditer(text))


def _with_points(text: str) -> str:
    written = [found for found in _WRITTEN.finditer(text) if not found["index"]]
    certain = sum(_certain(text, found) for found in written)
    if certain < FEWEST:
        return text
    others = sum(len(pattern.findall(text)) for pattern in (_POINT, _LIST)) - len(_PART.findall(text))
    three = sum(len(found["decimals"]) == 3 and found["whole"] != "0" for found in written)
    if certain + three < SHARE * others:
        return text
    pieces, done = [], 0
    for found in written:
        if _is_pair(text, found):
            continue
        pieces += [text[done : found.start("comma")], found["comma"].replace(",", ".")]
        done = found.end("comma")
    return "".join((*pieces, text[done:]))


def _is_pair(text: str, found: re.Match[str]) -> bool:
    """Whether `[1,2]` is two numbers in a document of decimal commas: it stands there as `[1, 2]` too."""
    before, after = text[: found.start("whole")][-1:], text[found.end() : found.end() + 1]
    apart = f"{before}{found['whole']}, {found['decimals']}{after}"
    return found["comma"] == "," and before in _PAIR and _PAIR[before] == after and apart in text


def _certain(text: str, found: re.Match[str]) -> bool:
    """Whether `0,67` can only be a decimal: two digits or more, no thousands, no pair in brackets."""
    whole, decimals = found["whole"], found["decimals"]
    if len(decimals) < 2 or (len(decimals) == 3 and whole != "0"):
        return False
    before, after = text[: found.start("whole")][-1:], text[found.end() : found.end() + 1]
    return found["comma"] != "," or _PAIR.get(before) != after
