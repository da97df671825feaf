"""Roots whose number stands behind them: `√2 (≈ 1.414)`, `√2, which is about 1.414`, 根号2（约 1.414）."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from symattn.reading.notes.formulas.stream import Token

_SAID = "根号"
_SIGNS = ("√", "sqrt")
_ENDS = ("close", "mark")
_BETWEEN = frozenset({*_ENDS, "comma", "open", "word", "cjk", "stop", "rel"})
LONG = 5
"""So many characters of a root are hardly those of another number, in another order."""
_FARTHEST = 9
"""How many tokens stand between the number under a root and the number that the root is."""


def told_roots(found: Sequence[Token]) -> list[Token]:
    """The tokens, with one relation in the place of what stands between a root and its number."""
    told = _signed(found)
    relations: dict[int, Token] = {}
    dropped: set[int] = set()
    for at in range(1, len(told)):
        value = _value(told, at) if told[at].kind == "num" else None
        if value is None:
            continue
        if [token.text for token in told[value - 1 : value + 2 : 2]] == ["$", ","]:
            continue  # the first of several: `除以 √2 得 $1.41, 0.71$`
        behind = next(k for k in range(at + 1, value + 1) if told[k].kind not in _ENDS)
        between = told[behind:value]
        if all(token.kind == "rel" for token in between):
            continue
        if any(token.kind == "open" for token in between):
            ended = next((k for k in range(value + 1, len(told)) if told[k].kind != "mark"), None)
            if ended is None or told[ended].kind != "close":
                continue  # the first of several numbers: `(2, 0) / √2 = (1.41, 0.00)`
            dropped.add(ended)
        dropped |= set(range(behind + 1, value))
        relations[behind] = Token("rel", "≈", between[0].start, between[-1].end)
    return [relations.get(k, token) for k, token in enumerate(told) if k not in dropped]


def _signed(found: Sequence[Token]) -> list[Token]:
    """The tokens with √ for 根号 before a number."""
    told: list[Token] = []
    for token, after in zip(found, [*found[1:], None], strict=False):  # there may be none
        if token.kind != "cjk" or not token.text.endswith(_SAID) or after is None or after.kind != "num":
            told.append(token)
            continue
        start = token.end - len(_SAID)
        if start > token.start:
            told.append(Token("cjk", token.text[: -len(_SAID)], token.start, start, token.tight))
        told.append(Token("op", "√", start, token.end, start > token.start or token.tight))
    return told


def _value(told: Sequence[Token], at: int) -> int | None:
    """Where the number stands that the root of the numeral `at` is; None where there is none."""
    enclosed = told[at - 1].kind == "open"
    sign = told[at - 1 - enclosed] if at > enclosed else None
    under = told[at].text
    if not under.isdigit() or len(under) > 5 or sign is None or sign.text not in _SIGNS:
        return None
    if enclosed and (at + 1 == len(told) or told[at + 1].kind != "close"):
        return None
    about = False
    for k in range(at + 1, min(at + 1 + _FARTHEST, len(told))):
        about = about or told[k].kind == "rel"
        signed = about and (told[k].kind, told[k].text) == ("op", "-") and k + 1 < len(told)
        if signed and is_root(told[k + 1].text, int(under)):
            return k  # with a sign that it should not have
        if told[k].kind == "num":
            plain = is_root(told[k].text, int(under))
            return k if plain or (about and _is_misprint(told[k].text, int(under))) else None
        if told[k].kind not in _BETWEEN:
            return None
    return None


def _is_misprint(text: str, under: int) -> bool:
    """Whether decimals are a root but for two neighbouring digits that were exchanged."""
    swapped = (f"{text[:k]}{text[k + 1]}{text[k]}{text[k + 2 :]}" for k in range(len(text) - 1))
    return len(text) >= LONG and any(each != text and is_root(each, under) for each in swapped)


def is_root(text: str, under: int) -> bool:
    """Whether decimals are the root of a whole number, rounded or cut off."""
    whole, point, places = text.partition(".")
    if not (point and whole.isdigit() and places.isdigit()):
        return False
    cut = isqrt(under * 10 ** (2 * len(places)))
    rounded = isqrt(4 * under * 10 ** (2 * len(places))) + 1 >> 1
    return int(whole + places) in (cut, rounded)
