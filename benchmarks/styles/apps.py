"""Note-taking programs: callouts, outlines, toggles, flash cards, a cheat sheet, a lab report."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import (
    NEWLINE,
    SUBSCRIPTS,
    Cells,
    Rows,
    block,
    labelled,
    lines,
    paragraphs,
    pipes,
    vector,
)


def callouts(s: Sheet) -> str:
    """Displays in callouts, or below headings, with links and tags around them."""
    around, quoted = s.pick("bmatrix", "pmatrix"), s.maybe(0.6)

    def call(kind: str, title: str, *parts: str) -> str:
        body = "\n\n".join(parts)
        if not quoted:
            return f"### {title}\n\n{body}"
        inside = [f"> {line}" if line else ">" for line in body.split("\n")]
        return block(f"> [!{kind}] {title}", *inside)

    def show(formula: str, name: str) -> str:
        return f"$${formula} = {s.tex(name, around)}$$"

    def exps(i: int) -> str:
        told = rf"$e^{{\tilde S_{{{i + 1}}}}} = {s.v('exp', i, '()')}$"
        return f"- row {i + 1}: {told}, sum $= {s.r('sum', i, 0)}$"

    weights = [show(f"W_{n}", f"W_{n}") for n in "QKV"]
    softmax = [NEWLINE.join(map(exps, range(s.n)))] if s.prints("exp") else []
    return paragraphs(
        "---\ntags: [ml/transformers, attention]\ncreated: 2024-11-02\n---",
        "Part of [[Transformers MOC]] · see also [[Softmax]], [[202411021530 Scaling]]",
        call("info", "Setup", f"Sentence: *{s.said(' ')}*, $d_k = {s.d_k}$", show("X", "X"), *weights),
        call("example", "Q, K, V", *(show(f"{n} = XW_{n}", n) for n in "QKV")),
        call(
            "note",
            "Scores",
            show(r"S = QK^\top", "scores"),
            rf"scaled by $\sqrt{{{s.d_k}}}$:",
            show(r"\tilde S = \frac{S}{\sqrt{d_k}}", "scaled") + " ^scaled",
        ),
        call("tip", "Softmax (row-wise)", *softmax, show(r"A = \mathrm{softmax}(\tilde S)", "A")),
        call("success", "Output", show("O = AV", "Z")),
        "#todo check against [[PyTorch]] #attention",
    )


def outline(s: Sheet) -> str:
    """One outline of bullets, with `::` behind names or not."""
    sign, around = s.pick(":: ", ": "), s.pick("[]", "()")

    def each(name: str) -> list[str]:
        return [f"    - {token}{sign}{s.v(name, i, around)}" for i, token in enumerate(s.tokens)]

    told = [f'- [[Self-attention]] worked example for "{s.said(" ")}"', "  - **Inputs** #toy", *each("X")]
    told += [f"    - W_{n}{sign}{s.m(f'W_{n}')}" for n in "QKV"]
    told.append("  - **Projections**")
    for i, token in enumerate(s.tokens):
        told.append(f"    - {token}")
        told += [
            f"      - {said}{sign}{s.v(n, i, around)}"
            for said, n in zip(("query", "key", "value"), "QKV", strict=True)
        ]
    told.append("  - **Scores** (dot products)")
    for i, token in enumerate(s.tokens):
        told.append(f"    - {token}")
        told += [f"      - with {other}{sign}{s.r('scores', i, j)}" for j, other in enumerate(s.tokens)]
    told += [f"  - **Scaled** (÷√{s.d_k})", *each("scaled")]
    return lines(*told, "  - **Softmax**", *each("A"), "  - **Output**", *each("Z"))


def toggles(s: Sheet) -> str:
    """A page with emoji, an aside, a table of pairs, nested bullets for each token."""
    equals = s.pick(" = ", ": ")
    tokens = range(s.n)
    weight = s.pick("W_{}", "W^{}", "W{}").format
    beside = s.maybe(0.4)

    def fenced(n: str) -> str:
        rows = [f"    {vector(row, comma='  ')}" for row in s.rows(f"W_{n}")]
        return block(f"- {weight(n)}", "", "    ```", *rows, "    ```")

    def vectors(i: int) -> str:
        told = [f"    - {n.lower()}{SUBSCRIPTS[i]}{equals}{s.v(n, i)}" for n in "QKV"]
        return block(f"- **{s.tokens[i]}**", *told)

    def weights(i: int) -> str:
        told = [f"α{SUBSCRIPTS[i]}{SUBSCRIPTS[j]} = {s.r('A', i, j)}" for j in tokens]
        return f"- **{s.tokens[i]}**: {', '.join(told)}"

    def output(i: int) -> str:
        values = [f"v{SUBSCRIPTS[j]}" for j in tokens]
        return f"- z{SUBSCRIPTS[i]} = {s.weighed(i, values, '·')} = **{s.v('Z', i)}**"

    if beside:
        columns = [[s.v(f"W_{n}", row) for n in "QKV"] for row in range(s.shape("X")[1])]
        matrices = [pipes([weight(n) for n in "QKV"], columns)]
    else:
        matrices = [fenced(n) for n in "QKV"]
    pairs = [
        [f"q{SUBSCRIPTS[i]} · k{SUBSCRIPTS[j]}", s.r("scores", i, j), s.r("scaled", i, j)]
        for i in tokens
        for j in tokens
    ]
    embeddings = [[f"x{SUBSCRIPTS[i]} ({s.tokens[i]})", s.v("X", i)] for i in tokens]
    return paragraphs(
        "# 🧠 Self-Attention — worked example",
        "Created: March 3, 2024 9:41 AM\nStatus: In progress",
        f"<aside>\n💡 Goal: compute the attention output of “{s.said(' ')}” fully by hand.\n\n</aside>",
        "## 1️⃣ Tokens",
        pipes(["Token", "Vector"], embeddings),
        "## 2️⃣ Weights",
        *matrices,
        "## 3️⃣ Q, K, V",
        NEWLINE.join(map(vectors, tokens)),
        "## 4️⃣ Scores",
        f"> q · k, divided by √{s.d_k}",
        pipes(["pair", "dot product", "scaled"], pairs),
        "## 5️⃣ Attention weights",
        NEWLINE.join(map(weights, tokens)),
        "## 6️⃣ Output",
        NEWLINE.join(map(output, tokens)),
    )


def flash_cards(s: Sheet) -> str:
    """Questions and answers, a card for every vector and every row."""
    front, back = s.pick(("Q: ", "A: "), ("**Front:** ", "**Back:** "), ("", ">>"))
    cards: list[str] = []

    def card(question: str, answer: str) -> None:
        cards.append(f"### Card {len(cards) + 1}\n\n{front}{question}\n\n{back}{answer}")

    for i, token in enumerate(s.tokens):
        for n, said in zip("QKV", ("query", "key", "value"), strict=True):
            card(f'What is the {said} of "{token}"?', f"{n.lower()}{SUBSCRIPTS[i]} = {s.v(n, i)}")
    for i, token in enumerate(s.tokens):
        query = f"q{SUBSCRIPTS[i]}"
        a, b = s.row("scores", i)
        card(f"Raw scores of {query} against k₁ and k₂?", f"{query}·k₁ = {a} and {query}·k₂ = {b}")
        quotients = zip(s.row("scores", i, True), s.row("scaled", i), strict=True)
        card(f"Scaled (d_k = {s.d_k})?", ", ".join(f"{over}/√{s.d_k} = {made}" for over, made in quotients))
        card(f'Attention weights of "{token}"?', f"softmax({s.v('scaled', i, used=True)}) = {s.v('A', i)}")
        card(f"Output z{SUBSCRIPTS[i]}?", f"{s.weighed(i, ['v₁', 'v₂'], '·')} = {s.v('Z', i)}")
    embeddings = [f"x{SUBSCRIPTS[i]} = {s.v('X', i)} ({token})" for i, token in enumerate(s.tokens)]
    return paragraphs(
        "# Anki deck: attention by hand",
        f"Setup for all cards: {', '.join(embeddings)}.",
        NEWLINE.join(f"- W_{n} = {s.m(f'W_{n}')}" for n in "QKV"),
        *cards,
    )


def cheat_sheet(s: Sheet) -> str:
    """Matrices on one line with semicolons between their rows, steps that begin with an operation."""
    comma = s.pick(" ", ", ")

    def row(said: str, name: str) -> str:
        matrix = vector([comma.join(cells) for cells in s.rows(name)], comma="; ")
        return f"{said} {matrix}{'  ' if s.ending == 'md' else ''}"

    return lines(
        "ATTENTION CHEAT SHEET",
        "",
        "Att(Q,K,V) = softmax(QKᵀ/√dₖ)·V",
        "",
        row("X  =", "X"),
        *(row(f"W{n.lower()} =", f"W_{n}") for n in "QKV"),
        "",
        "1) project",
        *(row(f"   {n} = X·W{n.lower()} =", n) for n in "QKV"),
        row("2) QKᵀ =", "scores"),
        row(f"3) /√{s.d_k} →", "scaled"),
        row("4) softmax →", "A"),
        row("5) ·V →", "Z"),
        "",
        "Complexity O(n²d). BERT-base: 12 heads, d_model=768, d_k=64.",
    )


def lab_report(s: Sheet) -> str:
    """Tables with numbers and captions, in numbered sections."""
    count = 0

    def table(caption: str, heads: Cells, rows: Rows) -> str:
        nonlocal count
        count += 1
        return f"**Table {count}.** {caption}\n\n{pipes(heads, rows)}"

    def vectors(caption: str, name: str, letter: str) -> str:
        heads = [f"{letter}{j + 1}" for j in range(s.shape(name)[1])]
        return table(caption, ["Token", *heads], labelled(s.tokens, s.rows(name)))

    def square(caption: str, name: str) -> str:
        return table(caption, ["Token", *s.tokens], labelled(s.tokens, s.rows(name)))

    projected = {"Q": "Queries Q", "K": "Keys K", "V": "Values V"}
    return paragraphs(
        "# Lab 6: Self-attention",
        "**Date:** 12 October 2023 **Group:** 14 **Station:** 3",
        "## 1. Introduction",
        "The aim of this lab was to compute one attention head manually and compare with PyTorch 2.1.",
        "## 2. Materials",
        f"n = {s.n} tokens, d_model = {s.shape('X')[1]}, d_k = {s.d_k}. Calculator: Casio fx-991.",
        vectors("Input embeddings X", "X", "x"),
        *(table(f"Weight matrix W_{n}", [" "] * s.shape(f"W_{n}")[1], s.rows(f"W_{n}")) for n in "QKV"),
        "## 3. Results",
        "### 3.1 Projections",
        *(vectors(f"{said} = X·W_{n}", n, n.lower()) for n, said in projected.items()),
        "### 3.2 Scores",
        square("Raw scores QKᵀ", "scores"),
        square(f"Scaled scores QKᵀ/√{s.d_k}", "scaled"),
        "### 3.3 Weights and output",
        square(f"Attention weights (softmax of Table {count})", "A"),
        vectors("Output Z", "Z", "z"),
        "## 4. Discussion",
        "The maximum deviation from PyTorch was below 0.005. The measurement took 45 minutes.",
    )


STYLES = (
    Style(callouts, Task(exp=(True, False, False))),
    Style(outline, Task(n=(2, 3))),
    Style(toggles),
    Style(flash_cards, Task(n=(2,), d_k=(2,), places=(2, 3))),
    Style(cheat_sheet, Task(n=(2, 3)), ("md", "txt")),
    Style(lab_report),
)
