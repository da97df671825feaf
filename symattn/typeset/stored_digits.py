"""Digits that were cut off, rounded to what a page shows; the script `answering/digits.js` does the same."""

from __future__ import annotations

import re

STORED = re.compile(r"(-?)(\d+)(?:\.(\d*))?(…?)(?:e(-?\d+))?")


def rounded(stored: str, places: int, pad: int = 0) -> tuple[str, bool]:
    """Digits that were cut off, rounded to so many places, and whether they are the number itself.

    What would be zeros alone has a power of ten. The script does the same.
    """
    found = STORED.fullmatch(stored)
    assert found is not None
    sign, whole, decimals, cut, power = found[1], found[2], found[3] or "", bool(found[4]), found[5]
    exponent = int(power or 0)
    if power is None:
        if not cut and len(decimals) <= places:
            decimals = decimals.ljust(pad, "0")
            return sign + (f"{whole}.{decimals}" if decimals else whole), True
        text = _half_up(whole, decimals, places)
        if text.strip("0.") or not (whole + decimals).strip("0"):
            return sign + text, False
        exponent = len(decimals.lstrip("0")) - len(decimals) - 1
        decimals = decimals.lstrip("0")
        whole, decimals = decimals[0], decimals[1:]
    kept = min(max(places - 2, 0), len(decimals) - cut) if len(decimals) > cut else 0
    exact = not cut and len(decimals) <= kept
    text = f"{whole}.{decimals}".rstrip(".") if exact else _half_up(whole, decimals, kept)
    if text.startswith("10"):
        text, exponent = f"1.{'0' * kept}".rstrip("."), exponent + 1
    return f"{sign}{text}e{exponent}", exact


def significantly(stored: str, count: int) -> tuple[str, bool]:
    """The same to so many significant digits, with a power of ten where it is shorter."""
    found = STORED.fullmatch(stored)
    assert found is not None
    sign, whole, decimals, cut, power = found[1], found[2], found[3] or "", bool(found[4]), found[5]
    digits = (whole + decimals).lstrip("0")
    bare = digits.rstrip("0")
    if not digits:
        return "0", True
    exact = not cut and len(bare) <= count
    if exact and power is None:
        return sign + (f"{whole}.{decimals}" if decimals else whole), True
    magnitude = len(digits) - len(decimals) - 1 + int(power or 0)
    kept = bare if exact else str(int(digits[:count].ljust(count, "0")) + (digits[count : count + 1] >= "5"))
    if not exact and len(kept) > count:
        kept, magnitude = kept[:count], magnitude + 1
    if not -5 < magnitude < count + 3:
        return f"{sign}{kept[0]}.{kept[1:]}".rstrip(".") + f"e{magnitude}", exact
    if magnitude < 0:
        return f"{sign}0.{'0' * (-magnitude - 1)}{kept}", exact
    kept = kept.ljust(magnitude + 1, "0")
    return f"{sign}{kept[: magnitude + 1]}.{kept[magnitude + 1 :]}".rstrip("."), exact


def _half_up(whole: str, decimals: str, places: int) -> str:
    up = decimals[places : places + 1] >= "5"
    text = str(int(whole + decimals[:places]) + up).zfill(places + 1)
    return f"{text[:-places]}.{text[-places:]}" if places else text
