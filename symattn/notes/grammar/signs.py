"""Signs and LaTeX commands, as tables: which kind of token each is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

SUBSCRIPTS: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚₛₜᵥₓ", "0123456789aehijklmnopstvx", strict=True))
SUPERSCRIPTS: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ", "0123456789-+n", strict=True))


def _each(kind: str, *rows: tuple[str, str]) -> dict[str, tuple[str, str]]:
    """{command: (kind, text)} for rows of a text and the commands that write it."""
    return {name: (kind, text) for text, names in rows for name in names.split()}


_UNKNOWN: Final = (
    "prod int oint partial nabla oplus ominus otimes oslash wedge vee cup cap setminus pm mp star "
    "dagger bigoplus bigotimes propto"
)
_LOOKS: Final = (
    "left right big Big bigg Bigg bigl bigr Bigl Bigr displaystyle textstyle mathbf mathbb mathcal "
    "boldsymbol bm vec pmb mathsf mathrm text operatorname rm boxed underbrace overbrace limits nonumber "
    "hline notag mathit underline textcolor color thinspace negthinspace negmedspace negthickspace"
)
COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    _each("MUL", ("·", "cdot bullet"), ("×", "times"), ("*", "ast"), ("⊙", "odot circ"), ("/", "div"))
    | _each("REL", ("≈", "approx simeq doteq"))
    | _each("ODD", ("≡", "equiv"))
    | _each("REL", ("→", "to rightarrow Rightarrow longrightarrow implies"))
    | _each("FRAC", ("", "frac dfrac tfrac cfrac"))
    | _each("SQRT", ("", "sqrt"))
    | _each("TRANS", ("T", "top intercal"))
    | _each("NUM", ("inf", "infty"))
    | _each("OP", ("‖", "| Vert lVert rVert"), ("%", "%"), ("_", "_"))
    | _each("OPEN", ("[", "lbrack"))
    | _each("CLOSE", ("]", "rbrack"))
    | _each("SEP", ("", "quad qquad in ne neq le ge"))
    | _each("ODD", ("…", "dots cdots vdots ldots ddots"), ("Σ", "sum"))
    | _each("ACCENT", ("^", "hat widehat"), ("~", "tilde widetilde"), ("-", "bar"), ("v", "check"))
    | _each("ACCENT", ("'", "prime"))
    | _each("ODD", *((name, name) for name in _UNKNOWN.split()))
    | _each("", ("", _LOOKS))
)
"""LaTeX commands that are signs of mathematics, or of no kind, as they say only how something looks."""

SAME: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys("−–", "-")
    | dict.fromkeys("│┃", "|")
    | dict.fromkeys(("==", ":="), "=")
    | dict.fromkeys("≒≃≅", "≈")
    | dict.fromkeys("⋅∙•", "·")
    | dict.fromkeys("✕✖", "×")
    | {"、": ",", "【": "[", "】": "]", "÷": "/"}
)
"""Signs that mean the same as another."""


class Sign(Struct, frozen=True):
    """A sign as a token, and by how much it makes brackets deeper."""

    kind: str
    text: str
    deeper: int


_ALONE: Final = (("OP", "+−–_,、;&|│┃√%‖}"), ("OPEN", "(⎡⎛【"), ("CLOSE", ")⎤⎞】"))
_DEEPER: Final = {"}": -1} | dict.fromkeys("(⎡⎛【", 1) | dict.fromkeys(")⎤⎞】", -1)
ALONE: Final[Mapping[str, Sign]] = MappingProxyType(
    {sign: Sign(kind, SAME.get(sign, sign), _DEEPER.get(sign, 0)) for kind, signs in _ALONE for sign in signs}
)
"""Signs that begin nothing longer, unless they begin a line."""
