"""The commands of TeX that notes use, and what each stands for; those of a document's own too."""

from __future__ import annotations

import re
from collections.abc import Mapping

MATRICES = frozenset(
    ["matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "array"]
)
"""Environments that hold a matrix."""

SKIPPED = frozenset(
    {
        *("left", "right", "middle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "limits"),
        *("mathbf", "mathrm", "mathsf", "mathit", "mathbb", "mathcal", "boldsymbol", "bm", "phantom"),
        *("vec", "hat", "bar", "tilde", "underline", "boxed", "color", "protect", "item", "noindent"),
        *("displaystyle", "textstyle", "small", "large", "tiny", "normalsize", "centering", "hline"),
        *("nonumber", "notag"),
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
    **dict.fromkeys(
        ("le", "leq", "ge", "geq", "ne", "neq", "in", "propto", "equiv", "gg", "ll"), ("rel", "≠")
    ),
    **dict.fromkeys(("vdots", "cdots", "ldots", "dots", "ddots", "dotsc", "dotsb"), ("dots", "...")),
    **dict.fromkeys(("quad", "qquad", "hspace", "vspace", "newline", "par"), ("mark", " ")),
    **dict.fromkeys(("top", "intercal", "mathsf{T}"), ("word", "T")),
    **dict.fromkeys(("prime",), ("op", "'")),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), ("command", "frac")),
    "sqrt": ("command", "sqrt"),
    "underset": ("command", "underset"),
    "overset": ("command", "overset"),
    "stackrel": ("command", "overset"),
    "overline": ("command", "overline"),
    "infty": ("op", "∞"),
    "{": ("open", "("),
    "}": ("close", ")"),
    "[": ("mark", "["),
    "]": ("mark", "]"),
    "(": ("mark", "("),
    ")": ("mark", ")"),
    "%": ("percent", "%"),
    "|": ("other", "|"),
    "&": ("other", "&"),
    "_": ("op", "_"),
    "#": ("other", "#"),
    "$": ("other", "$"),
    "sum": ("word", "sum"),
    "exp": ("word", "exp"),
    "lbrack": ("open", "["),
    "rbrack": ("close", "]"),
    "langle": ("open", "("),
    "rangle": ("close", ")"),
}
"""The kind and the text of the token that a command stands for."""

_MACRO = re.compile(
    r"\\(?:re)?newcommand\*?\ *\{?\\([A-Za-z]+)\}?(?!\s*\[)\s*\{"
    r"|\\DeclareMathOperator\*?\{\\([A-Za-z]+)\}\{|\\def\\([A-Za-z]+)\{"
)

GREEK: Mapping[str, str] = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "sigma": "σ",
    "mu": "μ",
    "epsilon": "ε",
    "varepsilon": "ε",
    "Sigma": "Σ",
}


def macros_of(text: str) -> Mapping[str, tuple[int, int]]:
    """The document's own commands without arguments: where the body of each stands."""
    macros: dict[str, tuple[int, int]] = {}
    for found in _MACRO.finditer(text):
        depth, at = 1, found.end()
        while at < min(len(text), found.end() + 400) and depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        if not depth:
            macros[found[1] or found[2] or found[3]] = (found.end(), at - 1)
    return macros
