"""Text for a stream whose encoding lacks some of its characters: those get an ASCII form.

`S₁₁ ≈ √2·x` is `S_11 ~ sqrt(2)*x` in ASCII. What the encoding has stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from symattn.typeset.greek import GREEK

_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚₛₜₓ", "0123456789+-=()aehijklmnopstx")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵀ⊤ⁿⁱ", "0123456789+-=()TTni")
_SUBSCRIPT = f"[{''.join(map(chr, _SUBSCRIPTS))}]+"
_SUPERSCRIPT = f"[{''.join(map(chr, _SUPERSCRIPTS))}]+"
_ROOT_NAMES = {"√": "sqrt", "∛": "cbrt", "∜": "root_4"}

_SIGNS = {
    **dict.fromkeys("⎡⎢⎣", "["),
    **dict.fromkeys("⎤⎥⎦", "]"),
    **dict.fromkeys("⎛⎜⎝⟨", "("),
    **dict.fromkeys("⎞⎟⎠⟩", ")"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("─━┄‐‑‒–−", "-"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
    **dict.fromkeys("‘’′「」", "'"),
    **dict.fromkeys("“”″„『』《》", '"'),
    **dict.fromkeys("·⋅∙×⊙∗•", "*"),
    **dict.fromkeys("…⋯", "..."),
    **dict(zip("═≈✓✗░▒▓█÷∎∂⋮⋱。、【】⁄", "=~+x.:#@/#d:\\.,[]/", strict=True)),
    **dict(zip("—±≠≤≥→←⇒↪∈", ["--", "+-", "!=", "<=", ">=", "->", "<-", "=>", "<-", "in"], strict=True)),
    **dict(zip("∞∑∏¬", ("inf", "sum", "prod", "not "), strict=True)),
    **{letter: name for name, letter in GREEK.items()},
    **{chr(0x2400 + code): f"\\x{code:02x}" for code in range(0x20)},
}
_UNIT = re.compile(rf"({_SUPERSCRIPT})?([√∛∜])(\w+(?:\.\d+)?)?|{_SUBSCRIPT}|{_SUPERSCRIPT}|[^\x00-\x7f]")


def in_encoding(text: str, encoding: str) -> str:
    """The text with an ASCII form of what `encoding` cannot write; then it can be encoded without errors."""
    return text if _has(text, encoding) else _UNIT.sub(lambda unit: _form(unit, encoding), text)


def _form(unit: re.Match[str], encoding: str) -> str:
    if _has(unit[0], encoding):
        return unit[0]
    if unit[2]:
        name = _ROOT_NAMES[unit[2]] if unit[1] is None else f"root_{unit[1].translate(_SUPERSCRIPTS)}"
        return name if unit[3] is None else f"{name}({in_encoding(unit[3], encoding)})"
    if (below := unit[0].translate(_SUBSCRIPTS)) != unit[0]:
        return f"_{below}"
    if (above := unit[0].translate(_SUPERSCRIPTS)) != unit[0]:
        return f"^{above}"
    return "".join(map(_ascii, unit[0]))


@lru_cache(maxsize=4096)
def _ascii(character: str) -> str:
    """A sign as mathematicians type it, a letter without its accent, else `\\u{732b}`."""
    if character in _SIGNS:
        return _SIGNS[character]
    plain = "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))
    plain = "".join(_SIGNS.get(c, c) for c in plain)
    return plain if plain and plain.isascii() else f"\\u{{{ord(character):x}}}"


def _has(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
