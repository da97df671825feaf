"""Other markup: reStructuredText, AsciiDoc, MediaWiki, Org, HTML in Markdown, MathJax in HTML, slides."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, Cells, Rows, block, labelled, left, paragraphs, pipes, shown


def restructured(s: Sheet) -> str:
    """Math directives and simple tables with rules of equals signs."""

    def heading(words: str, rule: str) -> str:
        return f"{words}\n{rule * len(words)}"

    def math(formula: str, name: str) -> str:
        rows = " \\\\\n   ".join(" & ".join(row) for row in s.rows(name))
        return f".. math::\n\n   {formula} = \\begin{{bmatrix}}\n   {rows}\n   \\end{{bmatrix}}"

    def table(corner: str, name: str) -> str:
        rows = [[corner, *s.tokens], *labelled(s.tokens, s.rows(name))]
        wide = [max(len(shown(row[j])) for row in rows) for j in range(len(rows[0]))]
        bar = "  ".join("=" * columns for columns in wide)
        told = [
            "  ".join(left(cell, columns) for cell, columns in zip(row, wide, strict=True)) for row in rows
        ]
        return block(bar, told[0], bar, *told[1:], bar)

    return paragraphs(
        heading("Scaled dot-product attention", "="),
        ".. contents::\n   :local:",
        f"We use the sentence *{s.said(' ')}* and :math:`d_k = {s.d_k}`.",
        heading("Inputs", "-"),
        math("X", "X"),
        *(math(f"W_{n}", f"W_{n}") for n in "QKV"),
        heading("Projections", "-"),
        *(math(f"{n} = X W_{n}", n) for n in "QKV"),
        heading("Scores", "-"),
        "The raw scores :math:`S = Q K^T`:",
        math("S", "scores") if s.maybe(0.5) else table("S", "scores"),
        rf"The scaled scores, :math:`S / \sqrt{{{s.d_k}}}`:",
        table("scaled", "scaled"),
        heading("Attention weights", "-"),
        table("weights", "A"),
        heading("Output", "-"),
        math("Z = A V", "Z"),
    )


def asciidoc(s: Sheet) -> str:
    """AsciiMath between plus signs, the weights in a table with a title."""

    def stem(formula: str, name: str) -> str:
        rows = ",".join(f"[{','.join(row)}]" for row in s.rows(name))
        return f"[stem]\n++++\n{formula} = [{rows}]\n++++"

    rows = [f"| {' | '.join(row)}" for row in labelled(s.tokens, s.rows("A"))]
    columns = ",".join("1" for _ in range(s.n + 1))
    table = [".Attention weights", f'[cols="{columns}", options="header"]', "|==="]
    return paragraphs(
        "= Attention by Hand\n:stem: asciimath\n:toc:",
        f"The sentence is _{s.said(' ')}_, with stem:[d_k = {s.d_k}].",
        "== Inputs",
        stem("X", "X"),
        *(stem(f"W_{n}", f"W_{n}") for n in "QKV"),
        "== Projections",
        *(stem(f"{n} = X W_{n}", n) for n in "QKV"),
        "== Scores",
        stem("Q K^T", "scores"),
        stem("(Q K^T) / sqrt(d_k)", "scaled"),
        "== Weights",
        block(*table, f"| Query | {s.said(' | ')}", "", *rows, "|==="),
        "== Output",
        stem("Z = A V", "Z"),
        "NOTE: Softmax is applied to each row.",
    )


def wiki(s: Sheet) -> str:
    """Math tags behind colons, and a table of class wikitable."""

    def math(formula: str, name: str) -> str:
        return f":<math>{formula} = {s.tex(name)}</math>"

    rows = [
        line
        for token, row in zip(s.tokens, s.rows("A"), strict=True)
        for line in ("|-", f"! {token}", f"| {' || '.join(row)}")
    ]
    table = [
        '{| class="wikitable"',
        "|+ Attention weights",
        "|-",
        f"! Token !! {s.said(' !! ')}",
        *rows,
        "|}",
    ]
    return paragraphs(
        "== Worked example ==\n"
        f"Consider the sentence ''{s.said(' ')}'' and <math>d_k = {s.d_k}</math>."
        "<ref>Vaswani et al. (2017), p. 4.</ref> The embeddings are",
        math("X", "X"),
        "and the weights",
        *(math(f"W_{n}", f"W_{n}") for n in "QKV"),
        "=== Queries, keys and values ===",
        *(math(f"{n} = XW_{n}", n) for n in "QKV"),
        "=== Scores ===",
        math(r"QK^\mathsf{T}", "scores"),
        rf"Dividing by <math>\sqrt{{d_k}} = \sqrt{{{s.d_k}}}</math>:",
        math(r"\frac{QK^\mathsf{T}}{\sqrt{d_k}}", "scaled"),
        "=== Softmax ===",
        block(*table),
        "=== Output ===",
        math(r"\text{Attention}(Q, K, V) = AV", "Z"),
        "[[Category:Machine learning]]",
    )


def org(s: Sheet) -> str:
    """Org mode: named tables, an example block, LaTeX between backslashed brackets."""

    def table(name: str, heads: Cells, rows: Rows) -> str:
        body = [f"| {' | '.join(row)} |" for row in (heads, *rows)]
        rule = "|" + "+".join("---" for _ in heads) + "|"
        return block(f"#+NAME: {name}", body[0], rule, *body[1:])

    inputs = [f"X = {s.m('X')}", *(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV")]
    projections = [
        f"** {title}\n{table(n, ['token', *s.widths(n)], labelled(s.tokens, s.rows(n)))}"
        for n, title in zip("QKV", ("Queries", "Keys", "Values"), strict=True)
    ]
    square = {
        name: table(name, ["q\\k", *s.tokens], labelled(s.tokens, s.rows(name)))
        for name in ("scores", "scaled")
    }
    return paragraphs(
        "#+TITLE: Attention notes\n#+OPTIONS: tex:t toc:2",
        f"* Inputs\nSentence: /{s.said(' ')}/, \\(d_k = {s.d_k}\\).\n"
        f"#+begin_example\n{NEWLINE.join(inputs)}\n#+end_example",
        "* Projections",
        *projections,
        f"* Scores\n{square['scores']}",
        rf"Divide by \(\sqrt{{{s.d_k}}}\):",
        square["scaled"],
        rf"* Softmax{NEWLINE}\[ A = {s.tex('A')} \]",
        rf"* Output{NEWLINE}\[ Z = AV = {s.tex('Z')} \]",
        "* TODO Compare with PyTorch",
    )


def slides(s: Sheet) -> str:
    """Markdown slides between rules, colours in formulas, tokens in backticks."""
    quoted = [f"`{token}`" for token in s.tokens]
    pages = [
        "---\nmarp: true\ntheme: gaia\npaginate: true\n---\n\n# Attention\n\nWeek 9, slides 12–20",
        f"## Input\n\n`{s.said(' ')}`\n\n$X = {s.tex('X')}$\n\n<!-- presenter notes: 2 minutes -->",
        "## Weights\n\n" + NEWLINE.join(f"$W_{n} = {s.tex(f'W_{n}')}$ " for n in "QKV"),
        "## Q, K, V\n\n"
        + NEWLINE.join(rf"- $\textcolor{{blue}}{{{n}}} = X W_{n} = {s.tex(n)}$" for n in "QKV"),
        f"## Scores\n\n$QK^T = {s.tex('scores')}$\n\n"
        rf"$\dfrac{{QK^T}}{{\sqrt{{{s.d_k}}}}} = {s.tex('scaled')}$",
        "## Softmax\n\n" + pipes(["$A$", *quoted], labelled(quoted, s.rows("A"))),
        rf"## Result{NEWLINE}{NEWLINE}$Z = \textcolor{{red}}{{A}}V = {s.tex('Z')}$",
        "# Questions?",
    ]
    return "\n\n---\n\n".join(pages) + "\n"


SHORT = Task(n=(2, 3))


STYLES = (
    Style(restructured, endings=("txt", "md")),
    Style(asciidoc, SHORT, ("txt", "md")),
    Style(wiki, endings=("txt", "md")),
    Style(org, SHORT, ("txt", "md")),
    Style(slides, SHORT),
)
