"""What a comma, a point and an apostrophe mean in the numerals of a document, read from all of it."""

from __future__ import annotations

import re

from msgspec import Struct

_GAP = r"(?:['’\u00a0\u202f\u2009]|\\[,;:! ])"
"""What separates groups of three digits in any document, other than a point, a comma or a blank."""
_COMMA = r"(?:,|\{,\})"
_BEFORE, _AFTER = r"(?<![\d.,'’])", r"(?![\d'’]|[.,]\d)"

_GROUPED_WITH_COMMA = re.compile(rf"{_BEFORE}\d{{1,3}}(?:(?:\.| |{_GAP})\d{{3}})+{_COMMA}\d+{_AFTER}")
_GROUPED_WITH_POINT = re.compile(rf"{_BEFORE}\d{{1,3}}(?:(?:{_COMMA}| |{_GAP})\d{{3}})+\.\d+{_AFTER}")
_LATEX_COMMA = re.compile(r"\d\{,\}\d")
_PAIR = re.compile(r"\(\d+,\d+\)")
_ZERO_COMMA = re.compile(r"(?<![\d.,])0,\d\d+(?![\d,])")
_COMMA_DECIMALS = re.compile(r"(?<![\d.,])\d+,\d\d+(?![\d,])")
_POINT_DECIMALS = re.compile(r"\d\.\d")
_UNGROUPED = re.compile(rf"{_BEFORE}\d{{4,}}[.,]\d")


class Writing(Struct, frozen=True):
    """How numerals are written; `numeral` finds those that the usual rule would not read as one."""

    comma: bool
    """Whether a comma is the decimal sign."""
    numeral: re.Pattern[str] | None

    def canonical(self, raw: str) -> str:
        """A numeral with a decimal point and nothing between its groups of digits."""
        marks = re.sub(r"[^\d.,]", "", raw.replace("\\,", "").replace("\\", ""))
        decimal, group = (",", ".") if self.comma else (".", ",")
        return marks.replace(group, "").replace(decimal, ".")


def writing(text: str) -> Writing:
    """How the numerals of a text are written."""
    with_comma = len(_GROUPED_WITH_COMMA.findall(text))
    with_point = len(_GROUPED_WITH_POINT.findall(text))
    points = len(_POINT_DECIMALS.findall(_GROUPED_WITH_COMMA.sub("", text)))
    single = _PAIR.sub("", text)  # (0,12) is a vector
    commas = len(_COMMA_DECIMALS.findall(single))
    sure = (
        with_comma + len(_ZERO_COMMA.findall(single)) + (len(_LATEX_COMMA.findall(text)) if not points else 0)
    )
    comma = commas > 2 + 2 * points or (not points and sure > 0 and not with_point)
    patterns: list[str] = []
    if comma:
        blank = "" if _UNGROUPED.search(text) else "| "
        patterns.append(rf"[1-9]\d{{0,2}}(?:(?:\.{blank}|{_GAP})\d{{3}})+{_COMMA}\d+")
        patterns.append(rf"\d{{1,3}}(?:{_GAP}\d{{3}})+" + (r"|\d{1,3}(?:\.\d{3})+" if not points else ""))
        patterns.append(r"\d+(?:\{,\}|,)\d+")
    elif re.search(r"\d(?:\{,\}|['’,\u00a0\u202f\u2009]|\\[,;:! ])\d{3}", text):
        patterns.append(rf"[1-9]\d{{0,2}}(?:(?:{_COMMA}|{_GAP})\d{{3}})+\.\d+")
        patterns.append(rf"\d{{1,3}}(?:(?:{_GAP}|\{{,\}})\d{{3}})+")
    if not patterns:
        return Writing(comma, None)
    return Writing(comma, re.compile(rf"(?P<NUM>{_BEFORE}(?:{'|'.join(patterns)}){_AFTER})"))
