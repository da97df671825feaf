"""Chinese documents by their layout: tables, code fences, column vectors, a LaTeX lecture."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE, NUMERALS
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import (
    NEWLINE,
    aligned,
    block,
    display,
    labelled,
    lines,
    paragraphs,
    pipes,
    tex,
    vector,
)


def tables(s: Sheet) -> str:
    """Tables with the tokens before their rows, bold or not, and corners of many kinds."""

    def table(name: str, corner: str, heads: tuple[str, ...] = ()) -> str:
        heads = heads or tuple(f"维度{j + 1}" for j in range(s.shape(name)[1]))
        tokens = [s.pick(token, f"**{token}**") for token in s.tokens]
        return pipes([corner, *heads], labelled(tokens, s.rows(name)), " --- ")

    def projected(n: str) -> tuple[str, str]:
        own = tuple(f"{n.lower()}{j + 1}" for j in range(s.shape(n)[1]))
        title = {"Q": "Query", "K": "Key", "V": "Value"}[n]
        return f"**{title} 矩阵 {n} = X·W_{n}**", table(n, "词", own if s.maybe(0.5) else ())

    exps = []
    if s.prints("exp"):
        rows = [[token, *s.row("exp", i), s.r("sum", i, 0)] for i, token in enumerate(s.tokens)]
        exps = [pipes(["词", *(f"exp({token})" for token in s.tokens), "总和"], rows), "注意力权重："]
    return paragraphs(
        "# Self-Attention 数值示例（表格版）",
        f"输入：{s.said(' ')}",
        "## 1. 词嵌入",
        table("X", "词"),
        "## 2. 参数",
        *(f"$$W_{n}={s.tex(f'W_{n}')}$$" for n in "QKV"),
        "## 3. Query / Key / Value",
        *(part for n in "QKV" for part in projected(n)),
        "## 4. 得分矩阵 QKᵀ",
        table("scores", s.pick("", "Q\\K", "查询＼键", "得分"), s.tokens),
        f"## 5. 缩放（除以 √d_k = √{s.d_k}）",
        table("scaled", s.pick("", "缩放后"), s.tokens),
        "## 6. Softmax",
        *exps,
        table("A", s.pick("", "权重"), s.tokens),
        "## 7. 输出",
        table("Z", s.pick("词", "输出")),
    )


def fences(s: Sheet) -> str:
    """A fence for each step: lists with commas or without, the softmax with comments."""
    comma, language = s.pick(", ", ", ", " "), s.pick("", "python", "text")

    def matrix(name: str, indent: int) -> str:
        glue = comma.rstrip() + "\n" + " " * (indent + 1)
        return "[" + glue.join(vector(row, comma=comma) for row in s.rows(name)) + "]"

    def fence(*told: str) -> str:
        return block(f"```{language}", *told, "```")

    def softmax(i: int) -> str:
        exps, total = s.v("exp", i), s.r("sum", i, 0)
        return f"# {s.tokens[i]}\nexp: {exps}\nsum: {total}\nweights: {s.v('A', i)}"

    def output(i: int) -> str:
        values = [s.v("V", j, used=True) for j in range(s.n)]
        return f"out[{i}] = {s.weighed(i, values, '*')} = {s.v('Z', i)}   # {s.tokens[i]}"

    return paragraphs(
        f"## 例子：{s.said(' ')}",
        "**输入表示**",
        fence(f"X = {matrix('X', 4)}"),
        "**参数矩阵**",
        fence(*(f"W{n.lower()} = {matrix(f'W_{n}', 5)}" for n in "QKV")),
        "**得到 Q、K、V**",
        fence(*(f"{n} = X @ W{n.lower()}\n{n} = {matrix(n, 4)}" for n in "QKV")),
        "**点积得分**",
        fence(f"scores = Q @ K.T\nscores = {matrix('scores', 9)}"),
        f"**缩放**：d_k = {s.d_k}，除以 sqrt({s.d_k})",
        fence(f"scaled = scores / sqrt(d_k)\n       = {matrix('scaled', 9)}"),
        "**Softmax（按行）**",
        fence(*map(softmax, range(s.n))),
        fence(f"attn = {matrix('A', 7)}   # 注意力权重"),
        "**加权求和**",
        fence(*map(output, range(s.n))),
        "最终输出：",
        fence(f"output = {matrix('Z', 9)}"),
    )


def columns(s: Sheet) -> str:
    r"""W x with column vectors, scores and weights as $\alpha_{i,j}$ and $\alpha'_{i,j}$."""
    around = s.pick("pmatrix", "bmatrix")

    def column(name: str, i: int, used: bool = False) -> str:
        return tex([[cell] for cell in s.row(name, i, used)], around)

    def show(*formulas: str) -> str:
        return "$$" + r",\quad ".join(formulas) + "$$"

    def output(i: int) -> str:
        return show(
            f"z_{i + 1} = {s.weighed(i, [column('V', j, True) for j in range(s.n)], '')} = {column('Z', i)}"
        )

    def pairs(letter: str, name: str) -> list[str]:
        return [
            show(*(f"{letter}_{{{i + 1},{j + 1}}} = {s.r(name, i, j)}" for j in range(s.n)))
            for i in range(s.n)
        ]

    parts = [
        "# 李宏毅课程笔记：自注意力",
        "（本文向量都是列向量。）输入为",
        show(*(f"x_{i + 1} = {column('X', i)}" for i in range(s.n))),
        "权重矩阵",
        *(show(f"W_{n} = {s.tex(f'W_{n}', around)}") for n in "QKV"),
    ]
    for n in "QKV":
        letter = n.lower()
        parts += [
            f"由 ${letter}_i = W_{n} x_i$ 得",
            show(*(f"{letter}_{i + 1} = {column(n, i)}" for i in range(s.n))),
        ]
    return paragraphs(
        *parts,
        r"注意力分数 $\alpha_{i,j} = q_i^T k_j$：",
        *pairs(r"\alpha", "scores"),
        rf"除以 $\sqrt{{{s.d_k}}}$ 后：",
        *(f"第{NUMERALS[i]}行：${s.v('scaled', i)}$" for i in range(s.n)),
        "softmax 后：",
        *pairs(r"\alpha'", "A"),
        "输出：",
        *map(output, range(s.n)),
    )


def lecture(s: Sheet) -> str:
    """A LaTeX lecture: two matrices in a display, the first weight worked out as a fraction."""

    def matrix(name: str, newline: str = NEWLINE) -> str:
        return s.tex(name, "pmatrix", newline)

    powers = [f"e^{{{x}}}" for x in s.row("scaled", 0, True)]
    quotient = rf"\frac{{{s.r('exp', 0, 0)}}}{{{s.r('sum', 0, 0)}}}"
    fraction = rf"\frac{{{powers[0]}}}{{{'+'.join(powers)}}}={quotient}\approx {s.r('A', 0, 0)}"
    scaled = rf"\frac{{QK^{{\top}}}}{{\sqrt{{{s.d_k}}}}}\approx{matrix('scaled')}"
    return lines(
        "\\documentclass{ctexart}\n\\usepackage{amsmath}\n\\begin{document}",
        "\\section{自注意力的一个算例}",
        f"设输入序列为“{s.said('')}”，其嵌入矩阵与参数矩阵为",
        display(rf"X={matrix('X')},\qquad W^Q={matrix('W_Q')},", "tex"),
        display(rf"W^K={matrix('W_K')},\qquad W^V={matrix('W_V')}.", "tex"),
        "\\subsection{线性投影}",
        aligned(*(f"{n} &= XW^{n} = {matrix(n, ' ')}" for n in "QKV")),
        "\\subsection{得分与缩放}",
        f"\\begin{{equation}}\nQK^{{\\top}}={matrix('scores')},\\qquad\n{scaled}.\n\\end{{equation}}",
        "\\subsection{归一化}",
        f"以第一个词“{s.tokens[0]}”为例，",
        display(rf"\alpha_{{11}}={fraction}.", "tex"),
        "其余类似，得到注意力矩阵",
        display(f"A={matrix('A')}", "tex"),
        "\\subsection{输出}",
        display(f"Z=AV={matrix('Z')}", "tex"),
        "\\end{document}",
    )


STYLES = (
    Style(tables, replace(CHINESE, exp=(True, False)), lang="zh"),
    Style(fences, replace(CHINESE, exp=(True,)), lang="zh"),
    Style(columns, replace(CHINESE, turned=True), lang="zh"),
    Style(lecture, replace(CHINESE, exp=(True,)), ("tex",), "zh"),
)
