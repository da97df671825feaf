"""More answers of assistants, and explanations side by side: boxed results, aligned fences, bold headings."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import (
    CDOT,
    NEWLINE,
    SUBSCRIPTS,
    block,
    display,
    left,
    paragraphs,
    pipes,
    right,
    vector,
    width,
)


def boxed(s: Sheet) -> str:
    r"""Displays between \[ and \] in Markdown, results in boxes, rules between the steps."""
    tokens = range(s.n)

    def show(formula: str) -> str:
        return display(formula, "tex")

    def big(name: str) -> str:
        return s.tex(name, newline=NEWLINE)

    def softmax(i: int) -> list[str]:
        if not s.prints("exp"):
            row = s.v("scaled", i, comma=",", used=True)
            return [f"### Row {i + 1}", show(rf"\text{{softmax}}({row})\approx\boxed{{{s.v('A', i)}}}")]
        exps = zip(s.row("scaled", i, True), s.row("exp", i), strict=True)
        total = f"{'+'.join(s.row('exp', i, True))}={s.r('sum', i, 0)}"
        divisor = s.o("sum", i, 0)
        quotients = ", ".join(rf"\frac{{{e}}}{{{divisor}}}" for e in s.row("exp", i, True))
        return [
            f"### Row {i + 1}",
            show(r",\quad ".join(rf"e^{{{x}}}\approx {e}" for x, e in exps)),
            "Sum:",
            show(total),
            show(rf"\left[{quotients}\right]\approx\boxed{{{s.v('A', i)}}}"),
        ]

    def output(i: int) -> str:
        values = [s.v("V", j, comma=",", used=True) for j in tokens]
        summed = s.weighed(i, values, "").replace(" + ", "+")
        return show(rf"z_{i + 1}={summed}\approx\boxed{{{s.v('Z', i)}}}")

    scores = [
        rf"* \(q_{i + 1}\cdot k_{j + 1} = {s.dot('Q', i, 'K', j, '⋅')} = {s.r('scores', i, j)}\)"
        for i in tokens
        for j in tokens
    ]
    return paragraphs(
        f"Great question! Let’s compute **self-attention** for **“{s.said(' ')}”** completely by hand. 🚀",
        "---",
        "## ✅ 1. Inputs",
        show(f"X={big('X')}"),
        *(show(f"W_{n}={big(f'W_{n}')}") for n in "QKV"),
        "---",
        "## ✅ 2. Compute Q, K, V",
        *(show(f"{n}=XW_{n}={big(n)}") for n in "QKV"),
        "---",
        r"## ✅ 3. Raw scores \(QK^T\)",
        NEWLINE.join(scores),
        show(f"QK^T={big('scores')}"),
        "---",
        "## ✅ 4. Scale",
        rf"Since \(d_k={s.d_k}\), \(\sqrt{{{s.d_k}}}\approx {s.root()}\):",
        show(rf"\frac{{QK^T}}{{\sqrt{{{s.d_k}}}}}\approx{big('scaled')}"),
        "---",
        "## ✅ 5. Softmax",
        *(part for i in tokens for part in softmax(i)),
        "---",
        "## ✅ 6. Output",
        *map(output, tokens),
        "---",
        "### 🎯 Final answer",
        pipes(["Token", "Output"], [[token, s.v("Z", i)] for i, token in enumerate(s.tokens)]),
        "Would you like me to do the **multi-head** version next?",
    )


def aligned(s: Sheet) -> str:
    """Fences whose equals signs stand below each other, scores as a grid with the names of keys above."""
    tokens = list(enumerate(s.tokens))

    def fence(*told: str) -> str:
        return block("```", *told, "```")

    def weights(n: str) -> str:
        rows = s.rows(f"W_{n}")
        wide = width(rows)
        told = [vector([right(cell, wide) for cell in row]) for row in rows]
        return "\n".join(f"W_{n} = {row}" if k == 0 else f"      {row}" for k, row in enumerate(told))

    def projected(n: str) -> str:
        told = []
        for i, token in tokens:
            told.append(f"{n.lower()}_{token} = {s.v('X', i, used=True)} × W_{n}")
            told.append(f"{' ' * (len(token) + 2)} = {s.v(n, i)}")
        return fence(*told)

    def grid(name: str) -> str:
        head = " " * 10 + "  ".join(f"k_{token:6}" for token in s.tokens)
        rows = [
            f"q_{left(token, 8)}" + "  ".join(right(cell, 6) for cell in s.row(name, i))
            for i, token in tokens
        ]
        return fence(head, *rows)

    def output(i: int, token: str) -> str:
        values = [s.v("V", j, used=True) for j, _ in tokens]
        return f"output_{token} = {s.weighed(i, values, ' × ')}\n{' ' * (len(token) + 7)} = {s.v('Z', i)}\n"

    softmax = [
        f"{token}: softmax({s.v('scaled', i, used=True)}) = {s.v('A', i)}   (sum ≈ 1.0 ✓)"
        for i, token in tokens
    ]
    titles = {"Q": "Queries", "K": "Keys", "V": "Values"}
    return paragraphs(
        f'I\'ll work through a complete self-attention calculation for "{s.said(" ")}" ({s.n} tokens).',
        "## Step 1: Input Embeddings",
        fence(*(f"{token:8}: {s.v('X', i)}" for i, token in tokens)),
        "## Step 2: Weight Matrices",
        fence("\n\n".join(map(weights, "QKV"))),
        "## Step 3: Compute Q, K, V",
        *(part for n, said in titles.items() for part in (f"**{said} ({n} = X × W_{n}):**", projected(n))),
        "## Step 4: Attention Scores",
        grid("scores"),
        f"## Step 5: Scale by √d_k = √{s.d_k}",
        grid("scaled"),
        "## Step 6: Softmax",
        fence(*softmax),
        "## Step 7: Weighted Sum of Values",
        fence(*(output(i, token) for i, token in tokens)),
        "**Key insight:** the weights show which tokens attend to which.",
    )


def starred(s: Sheet) -> str:
    """Bullets with wide gaps, bold headings, results in bold letters inside formulas, a share in percent."""
    tokens = list(enumerate(s.tokens))

    def bullets(*told: str) -> str:
        return NEWLINE.join(f"*   {line}" for line in told)

    def vectors(i: int) -> str:
        titles = {"Q": "Query", "K": "Key", "V": "Value"}
        told = [
            rf"**{said} (${n.lower()}_{i + 1}$):** $x_{i + 1} \times W_{n} = {s.v(n, i)}$"
            for n, said in titles.items()
        ]
        return bullets(*told)

    scores = [
        rf'**"{a}" attending to "{b}":** $q_{i + 1} \cdot k_{j + 1} = {s.dot("Q", i, "K", j, CDOT)}'
        rf" = \mathbf{{{s.r('scores', i, j)}}}$"
        for i, a in tokens
        for j, b in tokens
    ]
    root = s.root()
    quotients = [
        f'**"{token}":** ${s.v("scores", i, used=True)} / {root} = {s.v("scaled", i)}$' for i, token in tokens
    ]
    softmax = [
        rf'**"{token}":** $\text{{softmax}}({s.v("scaled", i, used=True)}) = {s.v("A", i)}$'
        for i, token in tokens
    ]
    share = s.percents("A", 0)[0]

    def output(i: int) -> str:
        terms = [rf"({a} \times {s.v('V', j, used=True)})" for j, a in enumerate(s.row("A", i, True))]
        return rf"**$z_{i + 1}$:** ${' + '.join(terms)} = \mathbf{{{s.v('Z', i)}}}$"

    return paragraphs(
        "Of course. Here is a **step-by-step numerical example** of self-attention.",
        "### **The Setup**",
        bullets(
            f'**Sentence:** "{s.said(" ")}"',
            f"**Embedding dimension ($d_{{model}}$):** {s.shape('X')[1]}",
            f"**Key dimension ($d_k$):** {s.d_k}",
        ),
        bullets(*(f'**$x_{i + 1}$ ("{token}"):** `{s.v("X", i)}`' for i, token in tokens)),
        "### **Step 1: Weight Matrices**",
        bullets(*(f"$W_{n} = {s.tex(f'W_{n}')}$" for n in "QKV")),
        "### **Step 2: Query, Key and Value Vectors**",
        *(part for i, token in tokens for part in (f'**For "{token}":**', vectors(i))),
        "### **Step 3: Attention Scores**",
        bullets(*scores),
        "### **Step 4: Scaling**",
        rf"We divide by $\sqrt{{{s.d_k}}} \approx {root}$:",
        bullets(*quotients),
        "### **Step 5: Softmax**",
        bullets(*softmax),
        f'> **Interpretation:** "{s.tokens[0]}" pays **{share}** of its attention to itself.',
        "### **Step 6: Final Output**",
        bullets(*(output(i) for i, _ in tokens)),
    )


def side_by_side(s: Sheet) -> str:
    """One table with a column for each word: vectors, scores, quotients and weights in its rows."""
    bullet = s.pick("•", "·", ".")

    def vectors(said: str, name: str) -> list[str]:
        letter = name.lower()
        return [said, *(f"{letter}{SUBSCRIPTS[i]} = {s.v(name, i)}" for i in range(s.n))]

    def attended(i: int) -> list[list[str]]:
        query, output = f"q{SUBSCRIPTS[i]}", f"z{SUBSCRIPTS[i]} = {s.v('Z', i)}"
        scores = [f"{query} {bullet} k{SUBSCRIPTS[j]} = {s.r('scores', i, j)}" for j in range(s.n)]
        return [
            ["Score", *scores],
            [f"Divide by √{s.d_k} (√d_k)", *s.row("scaled", i)],
            ["Softmax", *s.row("A", i)],
            ["Sum", *(output if j == i else "" for j in range(s.n))],
        ]

    projected = [vectors(said, n) for n, said in zip("QKV", ("Queries", "Keys", "Values"), strict=True)]
    return paragraphs(
        "# Attention, illustrated with numbers",
        f'Say we\'re calculating the self-attention for the words "{s.said(" ")}".',
        pipes(["Input", *s.tokens], [vectors("Embedding", "X")]),
        *(f"W^{n} = {s.m(f'W_{n}')}" for n in "QKV"),
        "The whole calculation, side by side:",
        pipes(["", *s.tokens], [*projected, *attended(0)]),
        "The same for the second word:",
        pipes(["", *s.tokens], attended(1)),
    )


STYLES = (
    Style(boxed, Task(n=(2,), d_k=(2,), places=(2, 3), exp=(True, True, False), root=(True,))),
    Style(aligned, Task(n=(2, 3), places=(2, 3))),
    Style(starred, Task(n=(2,), d_k=(2,), places=(2, 3, 4), root=(True,))),
    Style(side_by_side, Task(n=(2,), d_k=(2, 3), places=(2,))),
)
