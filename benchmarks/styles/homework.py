"""Homework and teaching: solutions with macros, theorems, a textbook, exams with blanks, keys with points."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import block, display, lines, paragraphs, shown, tex


def homework(s: Sheet) -> str:
    r"""A matrix macro of its own, numbers in \num, under-braces and boxes."""
    number = s.pick(r"\num{%s}", r"\num{%s}", "%s")
    n, d_model = s.shape("X")
    root = rf"\sqrt{{{s.d_k}}}"

    def matrix(rows: list[list[str]], form: str = "%s") -> str:
        return r"\mat{" + r" \\ ".join(" & ".join(form % cell for cell in row) for row in rows) + "}"

    def result(name: str) -> str:
        return matrix(s.rows(name), number)

    preamble = [
        r"\documentclass[12pt]{article}",
        r"\usepackage{amsmath,siunitx,fullpage}",
        r"\newcommand{\mat}[1]{\begin{bmatrix} #1 \end{bmatrix}}",
        r"\newcommand{\R}{\mathbb{R}}",
        r"\DeclareMathOperator{\softmax}{softmax}",
        r"\title{CS 7643 -- Homework 4}",
        r"\date{Due: Nov 12, 2023}",
        r"\begin{document}",
        r"\maketitle",
    ]
    return lines(
        *preamble,
        r"\section*{Problem 2: Attention (15 points)}",
        r"\subsection*{(a)}",
        rf"We are given $X \in \R^{{{n}\times {d_model}}}$ and three projections in"
        rf" $\R^{{{d_model} \times {s.d_k}}}$:",
        r"\begin{gather*}",
        rf"X = {matrix(s.rows('X'))} \\",
        r" \quad ".join(f"W_{a} = {matrix(s.rows(f'W_{a}'))}" for a in "QKV"),
        r"\end{gather*}",
        r"\subsection*{(b)}",
        r"\begin{align*}",
        " \\\\\n".join(f"{a} &= X W_{a} = {result(a)}" for a in "QKV"),
        r"\end{align*}",
        r"\subsection*{(c)}",
        f"Since $d_k = {s.d_k}$,",
        r"\begin{align*}",
        rf"\underbrace{{Q K^\top}}_{{\text{{raw scores}}}} &= {result('scores')} \\",
        rf"\frac{{Q K^\top}}{{{root}}} &\approx {result('scaled')} \\",
        rf"A = \softmax\!\left(\frac{{Q K^\top}}{{{root}}}\right) &\approx {result('A')}",
        r"\end{align*}",
        r"\subsection*{(d)}",
        "Therefore",
        r"\begin{equation*}",
        rf"\boxed{{\; Y = A V \approx {result('Z')} \;}}",
        r"\end{equation*}",
        r"\hfill$\blacksquare$",
        r"\end{document}",
    )


def phantoms(s: Sheet) -> str:
    r"""Columns made straight by \phantom{-}, definitions with := and text between aligned lines."""
    equals = s.pick(r"\overset{\text{def}}{=}", "=", r":=")

    def matrix(name: str) -> str:
        rows = [
            [c if shown(c).startswith("-") else rf"\phantom{{-}}{c}" for c in row] for row in s.rows(name)
        ]
        return tex(rows, "pmatrix")

    def weights(i: int) -> str:
        row = tex([s.row("A", i)], "pmatrix")
        return rf"P_{{{i + 1},:}} &= \operatorname{{softmax}}(\hat S_{{{i + 1},:}}) \approx {row},"

    inputs = [f"X {equals} {matrix('X')}", *(f"W_{a} {equals} {matrix(f'W_{a}')}" for a in "QKV")]
    return lines(
        r"\documentclass{scrartcl}",
        r"\usepackage{mathtools}",
        r"\begin{document}",
        r"\section*{Solution to exercise 5.2}",
        r"\[ " + r", \qquad ".join(inputs) + r". \]",
        "First we find",
        r"\begin{align*}",
        ", & ".join(f"{a} &= X W_{a} = {matrix(a)}" for a in "QKV") + ".",
        r"\end{align*}",
        "The similarity matrix is",
        r"\begin{align*}",
        rf"S &= Q K^{{\mathsf T}} = {matrix('scores')},\\",
        rf"\intertext{{and after scaling by $1/\sqrt{{{s.d_k}}}$}}",
        rf"\hat S &= \tfrac{{1}}{{\sqrt {s.d_k}}}\, S \overset{{\cdot}}{{=}} {matrix('scaled')}.",
        r"\end{align*}",
        "The softmax is taken along the rows,",
        r"\begin{align*}",
        " \\\\\n".join(map(weights, range(s.n))),
        r"\end{align*}",
        "so that the output is",
        rf"\[ P V \approx {matrix('Z')}. \qedhere \]",
        r"\end{document}",
    )


def theorem(s: Sheet) -> str:
    """A proof: projections as cases, scores and quotients in numbered lines, macros for letters."""
    tokens = range(s.n)
    macros = {"Q": r"\q", "K": r"\kk", "V": r"\vv"}

    def row(name: str, i: int) -> str:
        return tex([s.row(name, i)], "pmatrix")

    def cases(n: str) -> str:
        told = [rf"{macros[n]}_{i + 1} = \x_{i + 1} W^{{{n}}} = {row(n, i)}" for i in tokens]
        return block(r"\[", r"\begin{cases}", ", \\\\\n".join(told) + ".", r"\end{cases}", r"\]")

    def score(i: int, j: int) -> str:
        name = f"s_{{{i + 1}{j + 1}}}"
        quotient = rf"{name}/\sqrt{{{s.d_k}}} &= {s.r('scaled', i, j)}"
        return rf"{name} &= \q_{i + 1} \cdot \kk_{j + 1} = {s.r('scores', i, j)}, & {quotient}"

    def weights(i: int) -> str:
        return rf"(a_{{{i + 1}1}}, a_{{{i + 1}2}}) &= {s.v('A', i, '()')}"

    def output(i: int) -> str:
        values = [rf" \vv_{j + 1}" for j in tokens]
        return rf"\mathbf{{z}}_{i + 1} &= {s.weighed(i, values, '')} = {row('Z', i)}"

    def aligned(*told: str, skip: str = "") -> str:
        return block(r"\begin{align}", f"{skip} \\\\\n".join(told) + ".", r"\end{align}")

    weighted = r",\qquad ".join(f"W^{{{n}}} = {s.tex(f'W_{n}', 'pmatrix')}" for n in "QKV")
    return lines(
        r"\documentclass{amsart}",
        r"\newcommand{\q}{\mathbf{q}}\newcommand{\kk}{\mathbf{k}}\newcommand{\vv}{\mathbf{v}}"
        r"\newcommand{\x}{\mathbf{x}}",
        r"\begin{document}",
        r"\begin{proof}[Solution]",
        rf"The inputs are $\x_1 = {row('X', 0)}$ and $\x_2 = {row('X', 1)}$, and",
        rf"\[ {weighted}. \]",
        "Therefore,",
        *map(cases, "QKV"),
        "The score matrix has the entries",
        aligned(*(score(i, j) for i in tokens for j in tokens), skip=r" \nonumber"),
        "Softmax along the rows yields",
        aligned(*map(weights, tokens)),
        "and thus",
        aligned(*map(output, tokens)),
        r"\end{proof}",
        r"\end{document}",
    )


def textbook(s: Sheet) -> str:
    """Every formula in an equation with a number of its own, tagged or labelled, and cross-references."""
    chapter, around, tagged = s.rng.randrange(2, 12), s.pick("pmatrix", "bmatrix"), s.maybe(0.5)
    count = 0

    def equation(formula: str, name: str) -> str:
        nonlocal count
        count += 1
        mark = rf" \tag{{{chapter}.{count}}}" if tagged else rf"\label{{eq:{count}}}"
        body = f"{formula} = {s.tex(name, around)}{mark}"
        return block(r"\begin{equation}", body, r"\end{equation}")

    def bold(letter: str) -> str:
        return rf"\mathbf{{{letter}}}"

    scaled = rf"\frac{{{bold('S')}}}{{\sqrt{{d_k}}}}"
    return lines(
        r"\chapter{The Transformer}",
        r"\section{A numerical example}",
        rf"\begin{{example}}[Example {chapter}.2]",
        rf"Let the sequence be \emph{{{s.said(' ')}}}, with embeddings",
        equation(bold("X"), "X"),
        "and parameters",
        *(equation(f"{bold('W')}_{n.lower()}", f"W_{n}") for n in "QKV"),
        rf"By Eq.~({chapter}.1) the projections of the {s.n} tokens are",
        *(equation(f"{bold(n)} = {bold('X')}{bold('W')}_{n.lower()}", n) for n in "QKV"),
        rf"The scores~({chapter}.4) follow as",
        equation(rf"{bold('S')} = {bold('Q')}{bold('K')}^\top", "scores"),
        f"With $d_k = {s.d_k}$, the scaled scores become",
        equation(scaled, "scaled"),
        "and the attention matrix is",
        equation(rf"{bold('A')} = \mathrm{{softmax}}\!\left({scaled}\right)", "A"),
        rf"from which the output is obtained (cf.\ Figure~{chapter}.3 on p.~{s.rng.randrange(100, 300)}):",
        equation(f"{bold('Y')} = {bold('A')}{bold('V')}", "Z"),
        r"\end{example}",
        rf"\begin{{exercise}}[{chapter}.7] Repeat the example with $d_k = 64$ and 12 heads. \end{{exercise}}",
    )


def alignment(s: Sheet) -> str:
    """Hidden states, alignment scores, context vectors, all in formulas within sentences."""
    tokens = range(s.n)

    def states(i: int) -> str:
        told = [f"{n.lower()}_{i + 1} = h_{i + 1} W_{n.lower()} = {s.v(n, i, '()')}" for n in "QKV"]
        return "$" + r",\; ".join(told) + "$;"

    def scores(i: int) -> str:
        root = rf"\sqrt{{{s.d_k}}}"
        told = [
            rf"e_{{{i + 1}{j + 1}}} = \frac{{{s.r('scores', i, j)}}}{{{root}}} = {s.r('scaled', i, j)}"
            for j in tokens
        ]
        return "$" + ", ".join(told) + "$;"

    def weights(i: int) -> str:
        return "$" + ", ".join(rf"\alpha_{{{i + 1}{j + 1}}} = {s.r('A', i, j)}" for j in tokens) + "$;"

    hidden = ", ".join(f"$h_{i + 1} = {s.v('X', i, '()')}$" for i in tokens)
    given = r" \qquad ".join(f"W_{n.lower()} = {s.tex(f'W_{n}', 'pmatrix')}" for n in "QKV")
    body = paragraphs(
        f"Let the hidden states be {hidden} for the words {s.said()}. With",
        display(given, s.ending),
        "we obtain",
        *map(states, tokens),
        rf"The alignment scores $e_{{ij}} = q_i \cdot k_j / \sqrt{{{s.d_k}}}$ are",
        *map(scores, tokens),
        r"The attention weights $\alpha_{ij} = \exp(e_{ij}) / \sum_k \exp(e_{ik})$ are",
        *map(weights, tokens),
        r"and the context vectors $c_i = \sum_j \alpha_{ij} v_j$ are",
        *(f"$c_{i + 1} = {s.v('Z', i, '()')}${'.' if i == s.n - 1 else ';'}" for i in tokens),
    )
    if s.ending != "tex":
        return body
    return "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n" + body + "\\end{document}\n"


TWO = Task(n=(2,), d_model=(2, 3), d_k=(2,))


STYLES = (
    Style(homework, Task(n=(2, 3)), ("tex",)),
    Style(phantoms, Task(n=(2,), d_model=(2,), d_k=(2,), inputs=(0, 1)), ("tex",)),
    Style(theorem, TWO, ("tex",)),
    Style(textbook, endings=("tex",)),
    Style(alignment, Task(n=(2, 3), d_k=(2, 3), places=(2, 3)), ("tex", "md")),
)
