"""LaTeX: an article, an exam with its solutions, slides, and a derivation that writes out each softmax."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import CDOT, NEWLINE, aligned, article, block, display, heading, lines, tex


def latex_article(s: Sheet) -> str:
    """Bold letters, aligned projections, the softmax as one matrix and now and then as a table."""
    around, about = s.pick("pmatrix", "bmatrix"), s.pick(r"\approx", "=")
    bold = s.pick(r"\mathbf{%s}", "%s", r"\boldsymbol{%s}")
    x, z, a, q, k, v = (bold % letter for letter in ("X", "Z", "A", "Q", "K", "V"))
    weights = {letter: f"{bold % 'W'}_{letter}" for letter in "QKV"}

    def big(name: str) -> str:
        return s.tex(name, around, NEWLINE)

    scaling = f"scaled dot-product attention with $d_k = {s.d_k}$" if s.scaled else "unscaled attention"
    quotient = rf"\frac{{{q}{k}^\top}}{{\sqrt{{d_k}}}}" if s.scaled else rf"{q}{k}^\top"
    parts = [
        "\\section{Self-attention by hand}",
        f"We work through {scaling} for the sentence ``{s.said(' ')}''.",
        "\\subsection{Inputs}",
        "The embeddings are stacked row by row:",
        display(f"{x} = {s.tex('X', around)}.", "tex"),
        "The projection matrices are",
        aligned(*(f"{weights[n]} &= {s.tex(f'W_{n}', around)}" for n in "QKV")),
        "\\subsection{Queries, keys and values}",
        aligned(*(f"{bold % n} &= {x}{weights[n]} = {big(n)}" for n in "QKV")),
        "\\subsection{Scores}",
        f"\\begin{{equation*}}\n{q}{k}^\\top = {big('scores')}\n\\end{{equation*}}",
    ]
    if s.scaled:
        factor = rf"\frac{{1}}{{\sqrt{{{s.d_k}}}}}{s.tex('scores', around, used=True)}"
        parts += [
            rf"Dividing by $\sqrt{{d_k}} = \sqrt{{{s.d_k}}}$ gives",
            display(f"{quotient} = {factor} {about} {big('scaled')}", "tex"),
        ]
    parts += [
        "\\subsection{Attention weights}",
        "Applying the softmax to each row,",
        display(rf"{a} = \operatorname{{softmax}}\left({quotient}\right) {about} {big('A')}.", "tex"),
    ]
    if s.maybe(0.4):
        rows = [f"{token} & {' & '.join(s.row('A', i))} \\\\" for i, token in enumerate(s.tokens)]
        head = f"\\begin{{tabular}}{{l{'c' * s.n}}}\n\\hline\n & {s.said(' & ')} \\\\ \\hline\n"
        parts.append(
            f"\\begin{{center}}\n{head}{NEWLINE.join(rows)}\n\\hline\n\\end{{tabular}}\n\\end{{center}}"
        )
    result = s.pick(z, r"\operatorname{Attention}(Q,K,V)", bold % "O")
    parts += ["\\subsection{Output}", display(f"\\boxed{{{result} = {a}{v} {about} {big('Z')}}}", "tex")]
    return article(parts)


def latex_exam(s: Sheet) -> str:
    """A problem in parts whose solutions follow the first token alone."""

    def vectors(letter: str, name: str) -> str:
        return (
            "$" + ", \\quad ".join(rf"\vec {letter}_{i + 1} = {s.v(name, i, '()')}" for i in range(s.n)) + "$"
        )

    def solution(*parts: str) -> str:
        return block("\\begin{solution}", *parts, "\\end{solution}")

    root = rf"\sqrt{{{s.d_k}}}"
    scores = [
        rf"s_{{1{j + 1}}} &= \frac{{\vec q_1\cdot \vec k_{j + 1}}}{{{root}}}"
        rf" = \frac{{{s.r('scores', 0, j)}}}{{{root}}} \approx {s.r('scaled', 0, j)}"
        for j in range(s.n)
    ]
    weights = (
        rf"\[ \alpha_1 = \mathrm{{softmax}}{s.v('scaled', 0, '()', used=True)} \approx {s.v('A', 0, '()')} \]"
    )
    named = [rf"\,\vec v_{j + 1}" for j in range(s.n)]
    values = [tex([s.row("V", j, True)]) for j in range(s.n)]
    output = [
        rf"\vec z_1 &= {s.weighed(0, named, '')} \\",
        rf"&= {s.weighed(0, values, '')} \\",
        rf"&\approx {tex([s.row('Z', 0)])}",
    ]
    return article(
        [
            r"\textbf{Problem 3.} (12 points) Consider single-head attention with tokens",
            vectors("x", "X"),
            "and weights",
            display(r",\quad ".join(f"W^{n} = {s.tex(f'W_{n}')}" for n in "QKV"), "tex"),
            "\\begin{enumerate}\n\\item[(a)] Compute all queries, keys and values.",
            solution(
                r"With $\vec q_i = \vec x_i W^Q$ and so on:", *(vectors(n.lower(), n) + r"\\" for n in "QKV")
            ),
            rf"\item[(b)] Compute the scaled scores of token 1, with $d_k={s.d_k}$.",
            solution("\\begin{align*}", " \\\\\n".join(scores), "\\end{align*}"),
            "\\item[(c)] Compute the attention weights of token 1.",
            solution(weights),
            r"\item[(d)] What is the output $\vec z_1$?",
            solution("\\begin{align*}", *output, "\\end{align*}") + "\n\\end{enumerate}",
        ],
        kind="exam",
    )


def beamer(s: Sheet) -> str:
    """Slides: vectors as matrices of one row, scores and their quotients side by side."""

    def frame(title: str, *body: str) -> str:
        return block(f"\\begin{{frame}}{{{title}}}", *body, "\\end{frame}")

    def one(name: str, i: int, used: bool = False) -> str:
        return tex([s.row(name, i, used)])

    items = [
        rf"\item ``{token}'': $\mathbf x_{i + 1} = {one('X', i)}$ \pause" for i, token in enumerate(s.tokens)
    ]
    weights = r",\; ".join(f"W^{n} = {s.tex(f'W_{n}')}" for n in "QKV")
    parts = [frame("The input", "\\begin{itemize}", *items, "\\end{itemize}", display(weights, "tex"))]
    for n, title in zip("QKV", ("Queries", "Keys", "Values"), strict=True):
        rows = [
            rf"\mathbf {n.lower()}_{i + 1} &= \mathbf x_{i + 1} W^{n}"
            f" = {one('X', i, True)} {s.tex(f'W_{n}', used=True)} = {one(n, i)}"
            for i in range(s.n)
        ]
        parts.append(frame(title, aligned(*rows)))
    scores = [
        rf"\mathbf q_{i + 1}\cdot\mathbf k_{j + 1} &= {s.r('scores', i, j)} &"
        rf" \frac{{{s.o('scores', i, j)}}}{{\sqrt {s.d_k}}} &\approx {s.r('scaled', i, j)}"
        for i in range(s.n)
        for j in range(s.n)
    ]
    softmax = [
        rf"\boldsymbol\alpha_{i + 1} &= \operatorname{{softmax}}{s.v('scaled', i, '()', used=True)}"
        f" = {s.v('A', i, '()')}"
        for i in range(s.n)
    ]
    values = [rf"\,\mathbf v_{j + 1}" for j in range(s.n)]
    outputs = [rf"\mathbf z_{i + 1} &= {s.weighed(i, values, '')} = {one('Z', i)}" for i in range(s.n)]
    parts += [frame("Scores", aligned(*scores)), frame("Weights and output", aligned(*softmax, *outputs))]
    return lines("\\documentclass{beamer}", "\\begin{document}", *parts, "\\end{document}")


def fractions(s: Sheet) -> str:
    """Every weight as a fraction of exponentials, in LaTeX or Markdown."""

    def show(formula: str) -> str:
        return display(formula, s.ending)

    def weight(i: int, j: int) -> str:
        below = " + ".join(f"e^{{{x}}}" for x in s.row("scaled", i, True))
        above = f"e^{{{s.o('scaled', i, j)}}}"
        return show(rf"\alpha_{{{i + 1}{j + 1}}} = \frac{{{above}}}{{{below}}} \approx {s.r('A', i, j)}")

    def output(i: int) -> str:
        values = [tex([s.row("V", j, True)], "pmatrix") for j in range(s.n)]
        return show(
            f"z_{{{i + 1}}} = {s.weighed(i, values, CDOT)} \\approx {tex([s.row('Z', i)], 'pmatrix')}"
        )

    half = rf"\frac{{1}}{{\sqrt {s.d_k}}}"
    inputs = [f"X = {s.tex('X', 'pmatrix')}", *(f"W_{n} = {s.tex(f'W_{n}', 'pmatrix')}" for n in "QKV")]
    return article(
        [
            heading("Attention with exact fractions", s.ending),
            f"Let the rows of $X$ be the tokens {s.said()}.",
            show(r", \qquad ".join(inputs)),
            "Then",
            show(r", \quad ".join(f"{n} = XW_{n} = {s.tex(n, 'pmatrix')}" for n in "QKV")),
            "and",
            show(
                rf"S = {half} QK^T = {half}{s.tex('scores', 'pmatrix')} \approx {s.tex('scaled', 'pmatrix')}"
            ),
            "For the softmax, row by row:",
            *(weight(i, j) for i in range(s.n) for j in range(s.n)),
            "Hence the outputs",
            *(output(i) for i in range(s.n)),
        ],
        s.ending,
    )


STYLES = (
    Style(latex_article, Task(scaled=(True, True, True, False)), ("tex",)),
    Style(latex_exam, Task(n=(2, 3), d_model=(2,), d_k=(2,)), ("tex",)),
    Style(beamer, Task(n=(2,), d_model=(2,), d_k=(2,)), ("tex",)),
    Style(fractions, Task(n=(2, 3), d_k=(2, 3)), ("tex", "md")),
)
