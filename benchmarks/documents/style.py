"""How one author writes: the kind of file, names, indices, signs and brackets, each drawn by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from benchmarks.documents.words import SYMBOLS, TOKENS, WORDS

FRAMES = ("markdown", "markdown", "markdown", "latex", "text", "notebook")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
TEX = (
    ("QK^T/√d_k", r"\frac{QK^T}{\sqrt{d_k}}"),
    ("√d_k", r"\sqrt{d_k}"),
    ("S_scaled", r"S_{\text{scaled}}"),
    ("S_masked", r"S_{\text{masked}}"),
    ("exp(", r"\exp("),
    ("softmax", r"\text{softmax}"),
    ("α", r"\alpha"),
)
LETTERS = {
    "A": "a",
    "Z": "z",
    "scores": "s",
    "scaled": "s'",
    "masked": "m",
    "sum": "l",
    "output": "o",
    "residual": "r",
    "norm": "n",
    "PE": "p",
}


class Style:
    """What stays the same in a document."""

    def __init__(self, rng: Random, tokens: int) -> None:
        self.zh = rng.random() < 0.4
        self.frame = rng.choice(FRAMES)
        self.tex = self.frame == "latex" or (self.frame != "text" and rng.random() < 0.5)
        self.first = rng.choice((0, 1, 1))
        self.index = rng.choice(
            ("_", "_", "{}" if self.tex else "", "{}" if self.tex else "sub", "[]", "token")
        )
        plain = rng.choice((" × ", "×", " · ", "·", " * ", "*"))
        self.times = rng.choice((r" \times ", r" \cdot ")) if self.tex else plain
        self.about = rng.choice((r"\approx", "=")) if self.tex else rng.choice(("≈", "=", "="))
        self.minus = "-" if self.tex or self.frame == "notebook" else rng.choice("---−")
        self.hidden = r"-\infty" if self.tex else rng.choice(("-∞", "-inf", "−∞"))
        self.left, self.right = rng.choice(("[]", "[]", "()"))
        self.environment = rng.choice(("pmatrix", "bmatrix", "bmatrix", "array"))
        self.display = rng.choice(("each", "inline", "aligned"))
        self.favourites = rng.sample(range(6), 2)
        self.dots = rng.choice(("·", "→", ","))
        self.tokens = tuple(rng.sample(TOKENS[self.zh], tokens))
        self.names = self._names(rng)

    def _names(self, rng: Random) -> dict[str, str]:
        """A name for each quantity, no two alike."""
        names: dict[str, str] = {}
        lettered = rng.random() < 0.6
        for what in dict.fromkeys((*"QKV", *SYMBOLS, *WORDS)):
            options = SYMBOLS.get(what, (what,)) if lettered or what not in WORDS else WORDS[what][self.zh]
            free = [name for name in options if self.typeset(name) not in names.values()]
            names[what] = self.typeset(rng.choice(free or [what]))
        return names

    def typeset(self, name: str) -> str:
        """A name or a formula, in LaTeX where the document is."""
        if not self.tex:
            return name.replace(r"\hat{S}", "Ŝ")
        if re.fullmatch(r"[Wb]_\w", name):
            return f"{name[0]}_{{{name[2]}}}" if self.first else f"{name[0]}^{name[2]}"
        if name == "exp":
            return r"\exp"
        if re.fullmatch(r"[A-Za-z_ -]{3,}|.*[\u4e00-\u9fff].*", name) and not name.startswith("S_"):
            return rf"\text{{{name}}}".replace("_", r"\_")
        for plain, typeset in TEX:
            name = name.replace(plain, typeset)
        return name

    def math(self, text: str) -> str:
        """A formula within a sentence."""
        return f"${text}$" if self.tex else text

    def name(self, what: str) -> str:
        """A quantity as a whole; `head2.Q` bears its head."""
        head, _, base = what.rpartition(".")
        said = self.names.get(base, self.typeset(base))
        if not head:
            return said
        number = head[-1]
        if len(said) == 1:
            return (
                f"{said}_{number}"
                if self.first
                else f"{said}^{{({number})}}"
                if self.tex
                else f"{said}^({number})"
            )
        return said

    def row(self, what: str, i: int) -> str:
        """Row i of a quantity: `q_1`, `q1`, `q₁`, `Q[0]`, `q_cat`."""
        base = what.rpartition(".")[2]
        k = i + self.first
        if self.bracketed(what):
            return f"{self.name(what)}[{k}]"
        letter = LETTERS.get(base, base[0].lower())
        if self.index == "token":
            return rf"{letter}_{{\text{{{self.tokens[i]}}}}}" if self.tex else f"{letter}_{self.tokens[i]}"
        ends = {
            "_": f"_{k}",
            "[]": f"_{k}",
            "{}": f"_{{{k}}}",
            "": str(k),
            "sub": str(k).translate(SUBSCRIPTS),
        }
        return letter + ends[self.index]

    def bracketed(self, what: str) -> bool:
        """Whether a row is `Q[0]`; a long name has no index."""
        return self.index == "[]" and len(self.name(what)) < 4

    def cell(self, what: str, i: int, j: int) -> str:
        """One entry: `q_1·k_2`, `s_{12}`, `S[0][1]`, `score(cat, sat)`."""
        base = what.rpartition(".")[2]
        a, b = i + self.first, j + self.first
        if base == "scores" and not self.bracketed("Q") and self.dots == "·":
            return self.row("Q", i) + (r" \cdot " if self.tex else " · ") + self.row("K", j)
        if self.index == "token" and base in ("scores", "scaled", "A"):
            said = ", ".join((self.tokens[i], self.tokens[j]))
            return rf"\text{{{base}}}(\text{{{said}}})" if self.tex else f"{base}({said})"
        if self.bracketed(what):
            return f"{self.name(what)}[{a}][{b}]" if self.dots == "·" else f"{self.name(what)}[{a},{b}]"
        letter = LETTERS.get(base, base[0].lower())
        if self.tex:
            return f"{letter}_{{{a}{b}}}" if self.dots != "," else f"{letter}_{{{a},{b}}}"
        ends = f"_{a}{b}" if self.index == "_" else f"{a}{b}".translate(SUBSCRIPTS)
        return letter + ends

    def over(self, above: str, below: str) -> str:
        """A quotient."""
        if self.tex:
            return rf"\frac{{{above}}}{{{below}}}"
        return f"({above}) / {below}" if " + " in above else f"{above} / {below}"

    def root(self, under: str) -> str:
        return rf"\sqrt{{{under}}}" if self.tex else f"√{under}"

    def power(self, exponent: str) -> str:
        """e to an exponent."""
        if self.tex:
            return f"e^{{{exponent}}}"
        return {"·": f"exp({exponent})", "→": f"e^{exponent}", ",": f"e^({exponent})"}[self.dots]

    def formula(self, kind: str, a: Sequence[str], *, turned: bool = False) -> str:
        """What a step makes of named arguments, "" where there is nothing to say."""
        t = "^T" if self.tex or self.first else "ᵀ"
        gap = self.times if max(map(len, a), default=0) > 3 else " " if not self.tex else r"\,"
        match kind:
            case "project":
                bias = f" + {a[2]}" if len(a) > 2 else ""
                weights = f"({a[1]})" if turned and "^" in a[1] else a[1]
                return f"{a[0]}{gap}{weights}{t if turned else ''}{bias}"
            case "scores":
                return f"{a[0]}{gap}{a[1]}{t}" if "^" not in a[1] else f"{a[0]}{gap}({a[1]}){t}"
            case "scale":
                return self.over(a[0], self.root("d_k"))
            case "exp":
                return (r"\exp" if self.tex else "exp") + f"({a[0]})"
            case "normalise" | "softmax":
                return (r"\text{softmax}" if self.tex else "softmax") + f"({a[0]})"
            case "weigh":
                return gap.join(a)
            case "add":
                return " + ".join(a)
            case "concat":
                a = a if len(set(a)) > 1 else [self.typeset(f"head_{k + 1}") for k in range(len(a))]
                return (r"\text{Concat}" if self.tex else "Concat") + f"({', '.join(a)})"
            case "norm":
                return (r"\text{LayerNorm}" if self.tex else "LayerNorm") + f"({a[0]})"
        return ""
