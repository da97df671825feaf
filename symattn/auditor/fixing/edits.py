"""Replacing numbers and words in a text: at their place, numbers in their notation, and nothing else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from unicodedata import decimal

from msgspec import Struct

_WIDE = str.maketrans(".-+%", "．－＋％")
_WIDE_ZERO = "０"
_SAME_SIGN = {"-": "[-−﹣－‐‑‒–]", "+": "[+＋]", ".": r"(?:\. ?|[．,]|\{,\})", "%": r"[ ]?\\{0,2}[%％]"}
_SUPERSCRIPTS = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_TEN = r"\s*(?:[×·⋅∙∗*xX]|\\{1,2}(?:times|cdot))\s*10"
_POWER = re.compile(rf"(?:[eE]|{_TEN}\s*\^?\s*[{{(]?\s*)(?P<exponent>[-+−⁻⁺]?[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*[)}}]?$")
"""The power of ten at the end of a number, `e-3`, `×10⁻³` or `\\times 10^{-3}`."""
_BEFORE = frozenset("\"'-−")
_GAP = r"(?:['’,. \u00a0\u202f\u2009]|\\{1,2}[,;:! ]|\{,\})"
_GROUPED = re.compile(
    rf"[-+−]?\d{{1,3}}(?P<gap>{_GAP})\d{{3}}(?:(?P=gap)\d{{3}})*(?:(?P<point>[.,]|\{{,\}})\d+)?(?!\d)"
)
"""A number with something between its groups of three digits, and its decimal sign."""


class Edit(Struct, frozen=True):
    """One replacement in the audited file: at line and column (from 1, in characters), `old` by `new`."""

    line: int
    column: int
    old: str
    new: str


def applied(text: str, wanted: Sequence[Edit]) -> tuple[str, int]:
    """The text with the edits made, and how many were: an edit whose place holds something else is left out.

    A place that points at an opening quotation mark, or at the minus of a number without one, means what
    stands behind it; one that points at the digits of a negative number means its minus too. A byte order
    mark belongs to no line.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff")
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
    narrow = _narrowed(text)
    pieces: dict[tuple[int, int], str] = {}
    for edit in wanted:
        if not 1 <= edit.line <= len(starts):
            continue
        offset = starts[edit.line - 1] + edit.column - 1
        found, ahead = _standing(edit.old).match(narrow, offset), offset
        while found is None and text[ahead : ahead + 1] in _BEFORE:
            ahead += 1
            found = _standing(edit.old).match(narrow, ahead)
        new = edit.new
        if found is None and edit.old.startswith("-"):
            found, new = _behind_minus(narrow, offset, edit.old, new)
        if found is not None and bisect_right(starts, found.end()) == edit.line:
            start, stop = found.span()
            if re.search(r"\d", edit.old):
                new = in_notation(new, text[start:stop])
            pieces.setdefault((start, stop), new)
    done, end, result = 0, 0, [mark]
    for (start, stop), new in sorted(pieces.items()):
        if start >= end and text[start:stop] != new:
            result += [text[end:start], new]
            end, done = stop, done + 1
    return "".join((*result, text[end:])), done


def _narrowed(text: str) -> str:
    """The text with ASCII digits for those of every script, one for one."""
    wide = {c for c in set(text) if not c.isascii() and c.isdecimal()}
    return text.translate({ord(c): str(decimal(c)) for c in wide})


def _behind_minus(text: str, offset: int, old: str, new: str) -> tuple[re.Match[str] | None, str]:
    """Where a negative number stands of which the place is that of its digits, and what is to stand there.

    The digits alone are replaced where it stays negative; else the minus goes too, if it stands right before.
    """
    if new.startswith("-"):
        return _standing(old.removeprefix("-")).match(text, offset), new.removeprefix("-")
    return _standing(old).match(text, offset - 1) if offset else None, new


@cache
def _standing(old: str) -> re.Pattern[str]:
    """The number as it may stand in the text: with its own minus or comma, in groups, with `\\%` for `%`.

    For 2.5e-3 there may be 2.5 × 10^{-3}. The JSON of a notebook doubles the backslash. No digit may go on
    before or behind a number.
    """
    power = re.fullmatch(r"(.*\d)e([-+]?\d+)", old)
    said = _written(power[1] if power else old)
    if power:
        exponent, raised = _written(power[2]), re.escape(power[2].translate(_SUPERSCRIPTS))
        said += rf"(?:e{exponent}|{_TEN}\s*(?:\^\s*[{{(]?\s*{exponent}\s*[)}}]?|{raised}))"
    before = r"(?<![0-9])" if old[:1].isdigit() else ""
    behind = r"(?![0-9])" if re.search(r"\d", old) else ""
    return re.compile(f"{before}{said}{behind}")


def _written(said: str) -> str:
    """A pattern for these characters as they may stand in a text."""
    whole = re.match(r"[-−]?(\d*)", said)
    end = whole.end() if whole is not None else 0
    return "".join(
        (f"{_GAP}?" if 0 < at < end and (end - at) % 3 == 0 and said[at - 1].isdigit() else "")
        + _SAME_SIGN.get(c, re.escape(c))
        for at, c in enumerate(said)
    )


def in_notation(expected: str, printed: str) -> str:
    """The right number in the notation of the printed one.

    Its signs, width, comma, leading zero or last point, power of ten and percent sign stay as they are.
    """
    core = printed.strip()
    zero = next((ord(c) - decimal(c) for c in core if not c.isascii() and c.isdecimal()), None)
    core = _narrowed(core)
    grouped = _GROUPED.match(core)
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
    if grouped and bool(grouped["point"]) == ("." in expected):
        expected = _in_groups(expected, grouped["gap"], grouped["point"] or "")
    elif comma:
        expected = expected.replace(".", comma[0])
    if zero is not None:
        end = tail[0] if tail else ""
        said = expected.removesuffix(end).translate({ord("0") + k: zero + k for k in range(10)})
        return (said.translate(_WIDE) if zero == ord(_WIDE_ZERO) else said) + end
    if core.lstrip("+-−").startswith(".") and expected.lstrip("+-").startswith("0."):
        expected = expected.replace("0.", ".", 1)
    return expected.replace("-", "−") if "−" in core else expected


def _in_groups(expected: str, gap: str, point: str) -> str:
    """A number with something between its groups of three digits, and another decimal sign."""
    whole, _, decimals = expected.partition(".")
    return re.sub(r"(?<=\d)(?=(?:\d{3})+(?!\d))", lambda _: gap, whole) + point + decimals


def _exponent(exponent: int, printed: str) -> str:
    """An exponent as the printed one is written: with its plus, zeros before it and raised digits."""
    digits = printed.translate(_PLAIN).lstrip("+-")
    plus = "+" if printed[0] in "+⁺" or (printed[0] in "-−⁻" and digits.startswith("0")) else ""
    sign = "-" if exponent < 0 else plus
    said = f"{sign}{abs(exponent):0{len(digits)}d}"
    return said.translate(_SUPERSCRIPTS) if set(printed) & set("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺") else said
