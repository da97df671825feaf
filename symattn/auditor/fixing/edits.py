"""Replacing numbers and words in a text: at their place, numbers in their notation, and nothing else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

_WIDE = str.maketrans("0123456789.-+%", "０１２３４５６７８９．－＋％")
_SAME_SIGN = {"-": "[-−﹣－‐‑‒–]", "+": "[+＋]", ".": r"(?:\. ?|[．,]|\{,\})", "%": r"[ ]?\\{0,2}[%％]"}
_SUPERSCRIPTS = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_TEN = r"\s*(?:[×·⋅∙∗*xX]|\\{1,2}(?:times|cdot))\s*10"
_POWER = re.compile(rf"(?:[eE]|{_TEN}\s*\^?\s*[{{(]?\s*)(?P<exponent>[-+−⁻⁺]?[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*[)}}]?$")
"""The power of ten at the end of a number, `e-3`, `×10⁻³` or `\\times 10^{-3}`."""
_BEFORE = ('"', "'", "-", "−")


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in the audited file: at line and column (from 1, in characters), `old` by `new`."""

    line: int
    column: int
    old: str
    new: str


def applied(text: str, wanted: Sequence[Edit]) -> tuple[str, int]:
    """The text with the edits made, and how many were: an edit whose place holds something else is left out.

    A place that points at an opening quotation mark, or at the minus of a number without one, means what
    stands behind it. A byte order mark belongs to no line.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff")
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
    pieces: dict[tuple[int, int], str] = {}
    for edit in wanted:
        if not 1 <= edit.line <= len(starts):
            continue
        offset = starts[edit.line - 1] + edit.column - 1
        found = _standing(edit.old).match(text, offset)
        if found is None and text[offset : offset + 1] in _BEFORE:
            found = _standing(edit.old).match(text, offset + 1)
        if found is not None and bisect_right(starts, found.end()) == edit.line:
            new = in_notation(edit.new, found[0]) if re.search(r"\d", edit.old) else edit.new
            pieces.setdefault(found.span(), new)
    done, end, result = 0, 0, [mark]
    for (start, stop), new in sorted(pieces.items()):
        if start >= end and text[start:stop] != new:
            result += [text[end:start], new]
            end, done = stop, done + 1
    return "".join((*result, text[end:])), done


@cache
def _standing(old: str) -> re.Pattern[str]:
    """The number as it may stand in the text: with its own minus or comma, in full width, `\\%` for `%`.

    For 2.5e-3 there may be 2.5 × 10^{-3}. The JSON of a notebook doubles the backslash. No digit may go on
    before or behind a number.
    """
    power = re.fullmatch(r"(.*\d)e([-+]?\d+)", old)
    said = _written(power[1] if power else old)
    if power:
        exponent, raised = _written(power[2]), re.escape(power[2].translate(_SUPERSCRIPTS))
        said += rf"(?:e{exponent}|{_TEN}\s*(?:\^\s*[{{(]?\s*{exponent}\s*[)}}]?|{raised}))"
    before = r"(?<![0-9０-９])" if old[:1].isdigit() else ""
    behind = r"(?![0-9０-９])" if re.search(r"\d", old) else ""
    return re.compile(f"{before}{said}{behind}")


def _written(said: str) -> str:
    """A pattern for these characters as they may stand in a text."""
    return "".join(
        f"[{c}{c.translate(_WIDE)}]" if c in "0123456789" else _SAME_SIGN.get(c, re.escape(c)) for c in said
    )


def in_notation(expected: str, printed: str) -> str:
    """The right number in the notation of the printed one.

    Its signs, width, comma, leading zero or last point, power of ten and percent sign stay as they are.
    """
    core = printed.strip()
    power = _POWER.search(core)
    if power and "/" not in expected:
        own = _POWER.search(expected)
        exponent = int((own or power)["exponent"].translate(_PLAIN))
        mantissa = Decimal(expected).scaleb(-exponent)
        decimals = len(re.sub(r"^[^.．,]*[.．,]?", "", core[: power.start()]))
        mantissa = mantissa.quantize(Decimal(1).scaleb(-decimals))
        start, stop = (at - power.start() for at in power.span("exponent"))
        raised = _exponent(exponent, power["exponent"])
        expected = f"{mantissa:f}{power[0][:start]}{raised}{power[0][stop:]}"
    tail = re.search(r"\s*\\{0,2}[%％]$", core)
    if tail:
        expected = re.sub("%$", lambda _: tail[0], expected)
    if core.startswith("+") and not expected.startswith("-"):
        expected = f"+{expected}"
    if core.endswith((".", "．")) and "." not in expected:
        expected += "."
    comma = re.search(r"\{,\}|,", core)
    if comma:
        expected = expected.replace(".", comma[0])
    if any(character in core for character in "０１２３４５６７８９"):
        end = tail[0] if tail else ""
        return expected.removesuffix(end).translate(_WIDE) + end
    if core.lstrip("+-−").startswith(".") and expected.lstrip("+-").startswith("0."):
        expected = expected.replace("0.", ".", 1)
    return expected.replace("-", "−") if "−" in core else expected


def _exponent(exponent: int, printed: str) -> str:
    """An exponent as the printed one is written: with its plus, zeros before it and raised digits."""
    digits = printed.translate(_PLAIN).lstrip("+-")
    plus = "+" if printed[0] in "+⁺" or (printed[0] in "-−⁻" and digits.startswith("0")) else ""
    sign = "-" if exponent < 0 else plus
    said = f"{sign}{abs(exponent):0{len(digits)}d}"
    return said.translate(_SUPERSCRIPTS) if set(printed) & set("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺") else said
