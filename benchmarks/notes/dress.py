"""How one author writes: signs, names of quantities, how a subscript looks."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

LETTERS = {
    "Q": "q",
    "K": "k",
    "V": "v",
    "Z": "z",
    "X": "x",
    "output": "o",
    "new_K": "k",
    "new_V": "v",
    "memory": "m",
    "X+PE": "x",
}
OF_QUERIES = frozenset({"X", "Q", "Z", "output", "new_K", "new_V"})
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

CODE_NAMES = {
    "scores": ("scores", "Scores", "QK^T", "QKᵀ", "S"),
    "scaled": ("scaled", "Scaled", "scaled_scores", "QK^T / √d_k", "QKᵀ/√dₖ"),
    "masked": ("masked", "masked_scores"),
    "A": ("A", "weights", "Attention_weights", "attention_weights"),
    "Z": ("Z", "Output", "output", "O"),
    "output": ("output",),
}
TEX_NAMES = {
    "scores": (r"QK^T", r"Q K^{\top}", r"S", r"\text{Scores}"),
    "scaled": (r"\frac{QK^T}{\sqrt{d_k}}", r"\text{Scaled Scores}", r"\frac{S}{\sqrt{d_k}}"),
    "masked": (r"\text{Masked}",),
    "A": (r"A", r"\text{Attention weights}", r"A = \text{softmax}(\text{scores})"),
    "Z": (r"Z", r"\text{Output}", r"Z"),
    "output": (r"\text{output}",),
    "sum": (r"\text{sum}",),
    "exp": (r"\exp",),
}


@dataclass(frozen=True)
class Dress:
    """`tex` says whether formulas are LaTeX; `times` multiplies, `about` stands before rounded values."""

    lang: str
    tex: bool
    times: str
    about: str
    names: dict[str, str]
    first: int
    unicode: bool
    brackets: str
    minus: str
    head: int | None = None  # from 1
    shift: int | None = 0  # what the first query counts from 0; None where the only query has no index
    marked: str = ""  # where the head stands in a name: sub, sup, or nowhere but at the weights

    def name(self, name: str) -> str:
        """The quantity as a whole."""
        if self.head is not None and name != "X" and (self.marked or name.startswith(("W_", "b_"))):
            return self._of_head(name)
        plain = name.replace("W_", "W^") if self.tex and self.names["W"] == "sup" else name
        return self.names.get(name, plain)

    def _of_head(self, name: str) -> str:
        """`Q_1`, `Q^{(1)}`, `W_Q^{1}`, `head_1`."""
        letter = {"scores": "S", "A": "A", "Q": "Q", "K": "K", "V": "V"}.get(name)
        word = {"Z": "head", "scaled": "Scaled", "masked": "Masked"}.get(name)
        if name.startswith(("W_", "b_")):
            what, _, which = name.partition("_")
            if self.marked == "sup":
                return f"{what}_{which}^{{({self.head})}}" if self.tex else f"{what}_{which}^({self.head})"
            if self.names["W"] == "sup" and self.tex:
                return f"{what}^{which}_{self.head}"
            return f"{what}_{which}^{self.head}"
        if letter is None:
            return rf"\text{{{word}}}_{self.head}" if self.tex else f"{str(word).lower()}_{self.head}"
        if self.marked == "sub":
            return f"{letter}_{self.head}"
        return f"{letter}^{{({self.head})}}" if self.tex else f"{letter}^({self.head})"

    def product(self, name: str) -> str:
        """The formula of the scores (`QK^T`) or of the output (`A V`), with the head where it is marked."""
        left, right = {"scores": ("Q", "K"), "Z": ("A", "V")}[name]
        a, b = self.name(left), self.name(right)
        if name == "Z":
            return f"{a} {b}"
        if "^" in b:
            b = f"({b})" if not self.tex else rf"\left({b}\right)"
        return f"{a} {b}^T"

    def vector(self, name: str, i: int) -> str:
        """Row i of Q, K, V, Z, X as a vector of its own."""
        letter = LETTERS[name]
        if name in OF_QUERIES:
            if self.shift is None:
                return letter
            i += self.shift
        if self.tex or not self.unicode:
            return f"{letter}_{i + 1}" if self.tex or self.names["joined"] == "no" else f"{letter}{i + 1}"
        return letter + str(i + 1).translate(_SUBSCRIPTS)

    def indexed(self, name: str, i: int) -> str:
        """Row i in brackets, `Q[0]`."""
        return f"{self.name(name)}[{i + self.first + (self.shift or 0) * (name in OF_QUERIES)}]"

    def score(self, i: int, j: int) -> str:
        """One score by its indices."""
        a, b = i + 1 + (self.shift or 0), j + 1
        if self.tex:
            return f"s_{{{a}{b}}}"
        return f"s{a}{b}".translate(_SUBSCRIPTS) if self.unicode else f"s_{a}{b}"


def random_dress(rng: Random, lang: str, tex: bool) -> Dress:
    names = {what: rng.choice(kinds) for what, kinds in (TEX_NAMES if tex else CODE_NAMES).items()}
    if names["Z"].lower() == "output" and names["output"].lower() == "output":
        names["output"] = "MultiHead" if not tex else r"\text{MultiHead}"
    names["concat"] = r"\text{Concat}" if tex else "Concat"
    names["W"] = rng.choice(("sub", "sup"))
    names["joined"] = rng.choice(("yes", "no"))
    return Dress(
        lang,
        tex,
        rng.choice((r" \times ", r" \cdot ")) if tex else rng.choice((" × ", "×", " · ", " * ", "*", " ⋅ ")),
        rng.choice((r"\approx", "=")) if tex else rng.choice(("≈", "=", "=")),
        names,
        rng.choice((0, 0, 1)),
        rng.random() < 0.5,
        rng.choice(("[]", "[]", "()")),
        rng.choice(("-", "-", "-", "−")) if not tex else "-",
    )
