"""The commands of TeX that notes use, and what each stands for; those of a document's own too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

_DELIMITED = ("", "p", "b", "B", "v", "V")
WITH_COLUMNS: Mapping[str, int] = {
    **dict.fromkeys(("array", "tabular", "longtable", "NiceTabular"), 1),
    **dict.fromkeys((f"{sign}NiceArray" for sign in _DELIMITED), 1),
    **dict.fromkeys(("tabularx", "tabulary", "tabular*", "NiceTabularX", "NiceTabular*"), 2),
}
"""Environments that are told of their columns, and how many groups of braces that takes."""
MATRICES = frozenset(
    [
        *(f"{sign}matrix" for sign in _DELIMITED),
        *(f"{sign}smallmatrix" for sign in _DELIMITED),
        *(f"{sign}NiceMatrix" for sign in _DELIMITED),
        *(name.rstrip("*") for name in WITH_COLUMNS),
    ]
)
"""Environments that hold a matrix, or a table."""

DRESSING = frozenset({"mathbf", "boldsymbol", "bm", "vec"})
"""Commands that dress one letter, however far from it they stand: `0.5\\mathbf v`."""

SKIPPED = frozenset(
    {
        *DRESSING,
        *("left", "right", "middle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "limits"),
        *("mathrm", "mathsf", "mathit", "mathbb", "mathcal", "num", "text", "textbf", "textit", "textrm"),
        *(
            "hat",
            "bar",
            "tilde",
            "underline",
            "boxed",
            "alert",
            "ensuremath",
            "fbox",
            "hl",
            "color",
            "protect",
        ),
        *("item", "noindent"),
        *("displaystyle", "textstyle", "small", "large", "tiny", "normalsize", "centering", "hline"),
        *("nonumber", "notag", "toprule", "midrule", "bottomrule"),
    }
)
"""Commands that only dress what stands behind them."""

COMMANDS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("cdot", "times", "ast", "star", "bullet", "cdotp"), ("op", "*")),
    **dict.fromkeys(("div",), ("op", "/")),
    **dict.fromkeys(("odot", "otimes", "circ"), ("op", "⊙")),
    **dict.fromkeys(("approx", "simeq", "cong", "doteq", "fallingdotseq", "sim"), ("rel", "≈")),
    **dict.fromkeys(
        ("to", "rightarrow", "Rightarrow", "longrightarrow", "implies", "mapsto", "Longrightarrow"),
        ("rel", "→"),
    ),
    **dict.fromkeys(("coloneqq", "coloneq", "colonequals", "triangleq", "eqqcolon"), ("rel", "=")),
    **dict.fromkeys(
        ("le", "leq", "ge", "geq", "ne", "neq", "in", "propto", "equiv", "gg", "ll"), ("rel", "≠")
    ),
    **dict.fromkeys(("vdots", "cdots", "ldots", "dots", "ddots", "dotsc", "dotsb"), ("dots", "...")),
    **dict.fromkeys(("quad", "qquad", "hspace", "vspace", "hfill", "newline", "par"), ("mark", " ")),
    **dict.fromkeys(("top", "intercal", "mathsf{T}"), ("word", "T")),
    **dict.fromkeys(("prime",), ("op", "'")),
    **dict.fromkeys(
        ("frac", "dfrac", "tfrac", "cfrac", "sfrac", "nicefrac", "xfrac", "flatfrac"), ("command", "frac")
    ),
    "sqrt": ("command", "sqrt"),
    "underset": ("command", "underset"),
    "overset": ("command", "overset"),
    "stackrel": ("command", "overset"),
    **dict.fromkeys(("underbrace", "overbrace", "underbracket", "overbracket"), ("command", "braced")),
    "overline": ("command", "overline"),
    "infty": ("op", "∞"),
    "{": ("open", "("),
    "}": ("close", ")"),
    "[": ("open", "["),
    "]": ("close", "]"),
    "*": ("op", "*"),
    "(": ("mark", "("),
    ")": ("mark", ")"),
    "%": ("percent", "%"),
    "|": ("other", "|"),
    "&": ("other", "&"),
    "_": ("op", "_"),
    "#": ("other", "#"),
    "$": ("other", "$"),
    "sum": ("command", "sum"),
    "exp": ("word", "exp"),
    "lbrack": ("open", "["),
    "rbrack": ("close", "]"),
    "langle": ("open", "("),
    "rangle": ("close", ")"),
}
"""The kind and the text of the token that a command stands for."""

_DEFINITION = re.compile(
    r"\\(?:re|provide)?newcommand\*?\ *\{?\\([A-Za-z]+)\}?\ *(?:\[(\d)\])?\ *\{"
    r"|\\DeclareMathOperator\*?\{\\([A-Za-z]+)\}\{|\\def\\([A-Za-z]+)\{"
)
MOST_MACROS = 200
_ARGUMENT = re.compile(r"#(\d)")
LONGEST_BODY = 400
LONGEST_ARGUMENT = 20_000

GREEK: Mapping[str, str] = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "sigma": "σ",
    "mu": "μ",
    "phi": "φ",
    "varphi": "φ",
    "epsilon": "ε",
    "varepsilon": "ε",
    "Sigma": "Σ",
}


@dataclass(frozen=True, slots=True)
class Macro:
    """A command of the document's own: where it is defined, where its body stands, and its arguments."""

    defined: tuple[int, int]
    body: tuple[int, int]
    arity: int = 0


def macros_of(text: str) -> Mapping[str, Macro]:
    """The document's own commands by name."""
    macros: dict[str, Macro] = {}
    for found in islice(_DEFINITION.finditer(text), MOST_MACROS):
        body = group(text, found.end() - 1, found.end() + LONGEST_BODY)
        if body is not None:
            name = found[1] or found[3] or found[4]
            macros[name] = Macro((found.start(), body[1] + 1), body, int(found[2] or 0))
    return macros


ARRAYS = frozenset({"■", "█"})
"""What a word processor writes before the cells of a matrix, and of a column."""
CELLS = ARRAYS | {"\\matrix", "\\pmatrix", "\\bordermatrix"}
"""What stands before cells in brackets of their own, where no environment is."""


def cells_of(said: str, text: str, at: int, end: int) -> tuple[int, int] | None:
    r"""Where the cells of `\pmatrix{1 & 0 \cr 0 & 1}` and `■(1&0@0&1)` stand; heads above them are none."""
    inside = group(text, at, min(end, at + LONGEST_ARGUMENT), "()" if said in ARRAYS else "{}")
    heads = text.find("\\cr", *inside) if inside is not None and said == "\\bordermatrix" else -1
    return inside if inside is None or heads < 0 else (heads + len("\\cr"), inside[1])


def group(text: str, at: int, end: int, signs: str = "{}") -> tuple[int, int] | None:
    """Where the inside of `{...}`, which opens at an offset, begins and ends; None where it does not."""
    if text[at : at + 1] != signs[0]:
        return None
    depth = 1
    for i in range(at + 1, min(end, len(text))):
        depth += (text[i] == signs[0]) - (text[i] == signs[1])
        if not depth:
            return at + 1, i
    return None


def arguments(text: str, at: int, end: int, count: int) -> tuple[list[tuple[int, int]], int] | None:
    """The insides of so many `{...}` behind an offset, and where they end; None where they are not there."""
    found = []
    for _ in range(count):
        while at < end and text[at] in " \n":
            at += 1
        inside = group(text, at, min(end, at + LONGEST_ARGUMENT))
        if inside is None:
            return None
        found.append(inside)
        at = inside[1] + 1
    return found, at


def dressed(said: str, text: str, given: Sequence[tuple[int, int]]) -> str:
    """What stands in `\\text{...}`; in `\\bm{#1}`, the body of a macro, that is what it was given."""
    inner = said[said.index("{") + 1 : -1].strip()
    if given:
        inner = _ARGUMENT.sub(
            lambda found: "".join(text[a:b] for a, b in given[int(found[1]) - 1 :][:1]), inner
        ).strip()
    return GREEK.get(inner[1:], inner) if inner.startswith("\\") else inner


def accented(letter: str, above: str) -> str:
    """A letter with a hat, or with another sign above it as with a prime: another one than without."""
    return GREEK.get(letter.removeprefix("\\"), letter) + ("\u0302" if above == "hat" else "'")


def related(said: str) -> str:
    """The sign that stands below or between words: `\\overset{!}{=}`, `\\xrightarrow{softmax}`."""
    if said.startswith(("\\xright", "\\xmaps")):
        return "→"
    sign = said.rpartition("{")[2] or said
    if any(arrow in sign for arrow in ("arrow", "\\to", "mapsto")):
        return "→"
    return "≈" if "approx" in sign else "="
