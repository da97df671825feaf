"""Posts: a step by step blog, an answer in a forum, a story in sentences, an example of one query."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, paragraphs


def md_blog(s: Sheet) -> str:
    """Headings for every step, displays for matrices, the softmax token by token."""
    around = s.pick("bmatrix", "pmatrix")

    def display(left: str, name: str) -> str:
        return f"$$\n{left} = {s.tex(name, around, NEWLINE)}\n$$"

    def softmax(i: int) -> str:
        logits, weights = s.row("scaled" if s.scaled else "scores", i, True), s.v("A", i)
        if not s.prints("exp"):
            return f"- **{s.tokens[i]}**: softmax([{', '.join(logits)}]) = {weights}"
        exps = ", ".join(f"$e^{{{x}}} = {e}$" for x, e in zip(logits, s.row("exp", i), strict=True))
        summed = f"{' + '.join(s.row('exp', i, True))} = {s.r('sum', i, 0)}"
        head = f"**Row {i + 1} ({s.tokens[i]})**\n\n"
        return f"{head}- Exponentials: {exps}\n- Sum: ${summed}$\n- Weights: {weights}\n"

    def output(i: int) -> str:
        values = [s.v("V", j, used=True) for j in range(s.n)]
        return f"- **{s.tokens[i]}**: {s.weighed(i, values, ' · ')} = **{s.v('Z', i)}**"

    parts = [
        "# Self-attention, step by step",
        f'*A tiny worked example with the sentence "{s.said(" ")}".*',
        "## Step 1: Embeddings",
        "\n".join(f"- **{token}** → {s.v('X', i)}" for i, token in enumerate(s.tokens)),
        "## Step 2: Weight matrices",
        *(display(f"W_{a}", f"W_{a}") for a in "QKV"),
        "## Step 3: Queries, keys, values",
        *(display(f"{a} = X W_{a}", a) for a in "QKV"),
        "## Step 4: Scores",
        "Every query is compared to every key:",
        display("QK^T", "scores"),
    ]
    if s.scaled:
        parts += [
            rf"We scale by $\sqrt{{d_k}} = \sqrt{{{s.d_k}}} \approx {s.root()}$:",
            display(r"\frac{QK^T}{\sqrt{d_k}}", "scaled"),
        ]
    parts += ["## Step 5: Softmax", "\n".join(softmax(i) for i in range(s.n))]
    parts += ["## Step 6: Weighted sum of values", "\n".join(output(i) for i in range(s.n))]
    return paragraphs(*parts)


STYLES = (Style(md_blog, Task(exp=(True, False, False), root=(True,), scaled=(True, True, False))),)
