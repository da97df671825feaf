"""Around attention: a residual with its norm, a memory of another length, a cache that a new token joins."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, article, display, heading, nested, paragraphs, vector


def residual_norm(s: Sheet) -> str:
    """An encoder's sub-layer: attention, the residual, mean and deviation of each row, the norm."""
    formulas = {
        **{name: name for name in ("X", "W_Q", "W_K", "W_V")},
        **{n: f"{n} = XW_{n}" for n in "QKV"},
        "scores": r"QK^\top",
        "scaled": rf"QK^\top/\sqrt{{{s.d_k}}}",
        "A": r"A = \mathrm{softmax}(QK^\top/\sqrt{d_k})",
        "Z": "Z = AV",
    }

    def show(name: str, formula: str) -> str:
        return display(f"{formula} = {s.tex(name)}")

    def statistics(i: int) -> str:
        mean, deviation = (s.r(f"norm_1.{which}", i, 0) for which in ("mean", "deviation"))
        row = i + 1
        return f"- Row {row}: mean $\\mu_{row} = {mean}$, standard deviation $\\sigma_{row} = {deviation}$"

    return paragraphs(
        "# One encoder sub-layer: attention, residual, LayerNorm",
        f"Tokens: {s.said()}.",
        *(show(name, formula) for name, formula in formulas.items()),
        "### Residual connection",
        show("residual_1", "X + Z"),
        "### Layer normalization (no learned parameters)",
        NEWLINE.join(map(statistics, range(s.n))),
        show("norm_1", r"\text{LayerNorm}(X + Z)"),
    )


def cross_attention(s: Sheet) -> str:
    """Queries from a decoder, keys and values from an encoder, in LaTeX or Markdown."""
    x, memory = s.pick(("Y", "M"), ("X_{dec}", "X_{enc}"), ("X", "M"), ("D", "E"))
    scaled = rf"\frac{{QK^T}}{{\sqrt{{{s.d_k}}}}}"

    def show(name: str, formula: str) -> str:
        return display(f"{formula} = {s.tex(name)}", s.ending)

    return article(
        [
            heading("Cross-attention", s.ending),
            f"The queries come from the decoder states ${x}$,"
            f" the keys and values from the encoder output (memory) ${memory}$.",
            show("X", x),
            show("memory", memory),
            *(show(f"W_{n}", f"W_{n}") for n in "QKV"),
            "The decoder provides the queries:",
            show("Q", f"Q = {x} W_Q"),
            "The encoder provides keys and values:",
            *(show(n, f"{n} = {memory} W_{n}") for n in "KV"),
            "Scores:",
            show("scores", "QK^T"),
            "Scaled:",
            show("scaled", scaled),
            "Weights over the encoder positions:",
            show("A", rf"\text{{softmax}}\left({scaled}\right)"),
            "Context:",
            show("Z", "AV"),
        ],
        s.ending,
    )


def kv_cache(s: Sheet) -> str:
    """One new token whose key and value are appended to a cache, in fences or displays."""
    fenced, past = s.maybe(0.5), s.n - 1

    def show(name: str, plain: str, formula: str) -> str:
        if not fenced:
            return f"$$ {formula} = {s.tex(name)} $$"
        rows = s.rows(name)
        return f"```\n{plain} = {nested(rows) if len(rows) > 1 else vector(rows[0])}\n```"

    root = s.d_k
    return paragraphs(
        "# Decoding with a KV cache",
        f"We are at step {s.n}. The cache holds the keys and values of the first {past}"
        f" token{'s' if past > 1 else ''}:",
        *(show(f"past_{n}", f"{n}_cache", rf"{n}_{{\text{{cache}}}}") for n in "KV"),
        "The new token has the embedding",
        show("X", "x", f"x_{{{s.n}}}"),
        "and the projection matrices are",
        *(show(f"W_{n}", f"W_{n}", f"W_{n}") for n in "QKV"),
        "Only the new token is projected:",
        *(show(name, letter, letter) for name, letter in (("Q", "q"), ("new_K", "k"), ("new_V", "v"))),
        "Append to the cache:",
        *(show(n, n, n) for n in "KV"),
        "One row of scores:",
        show("scores", "q K^T", "q K^T"),
        f"Scaled by √{root}:",
        show("scaled", "scaled", rf"\frac{{qK^T}}{{\sqrt{{{root}}}}}"),
        "Softmax:",
        show("A", "weights", r"\alpha"),
        "Output:",
        show("Z", "output", "z"),
    )


STYLES = (
    Style(residual_norm, Task(("sublayer",), n=(2, 3), places=(3, 4), silent=("norm_1.variance",))),
    Style(
        cross_attention,
        Task(("cross",), n=(1, 2, 2), d_model=(2, 3), d_k=(2,), places=(2, 3, 4)),
        ("md", "md", "tex"),
    ),
    Style(kv_cache, Task(("cache",), n=(2, 3, 4), d_model=(2,), d_k=(2,), places=(2, 3, 4))),
)
