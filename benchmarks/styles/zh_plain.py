"""Chinese plain text: without brackets, in full width, cell by cell as from a PDF, flattened by copying."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE, NUMERALS
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import NEWLINE, SUBSCRIPTS, block, lines, paragraphs, products

FULL_WIDTH = str.maketrans("0123456789.-", "０１２３４５６７８９．－")


def bare(s: Sheet) -> str:
    """Vectors without brackets, `q₁ = 1.2, 0.5`."""
    comma = s.pick(", ", "，", " , ", "  ")

    def row(name: str, i: int) -> str:
        return comma.join(s.row(name, i))

    def softmax(i: int) -> str:
        exps = [f"exp({s.o('scaled', i, j)})={s.r('exp', i, j)}" for j in range(s.n)]
        return f"{s.tokens[i]}：{' '.join(exps)} 总和={s.r('sum', i, 0)}\n权重：{row('A', i)}"

    def score(i: int, j: int) -> str:
        product = s.dot("Q", i, "K", j, s.pick("×", "*", "×"))
        return f"q{SUBSCRIPTS[i]}·k{SUBSCRIPTS[j]} = {product} = {s.r('scores', i, j)}"

    def each(words: str, letter: str, name: str) -> str:
        return NEWLINE.join(f"{words}{letter}{SUBSCRIPTS[i]} = {row(name, i)}" for i in tokens)

    tokens = range(s.n)
    return paragraphs(
        "自注意力计算笔记",
        f"句子：{s.said(' ')}，共{s.n}个词\n嵌入维度 d_model = {s.shape('X')[1]}，d_k = {s.d_k}",
        "一、输入",
        NEWLINE.join(f"x{SUBSCRIPTS[i]}（{s.tokens[i]}）= {row('X', i)}" for i in tokens),
        "二、权重矩阵",
        *(f"W_{n}：\n" + NEWLINE.join("  ".join(cells) for cells in s.rows(f"W_{n}")) for n in "QKV"),
        "三、线性变换",
        each("查询向量 ", "q", "Q"),
        each("键向量 ", "k", "K"),
        each("值向量 ", "v", "V"),
        "四、注意力得分",
        NEWLINE.join(score(i, j) for i in tokens for j in tokens),
        f"除以 √{s.d_k}：",
        NEWLINE.join(f"{s.tokens[i]}：{row('scaled', i)}" for i in tokens),
        "五、softmax",
        NEWLINE.join(map(softmax, tokens)),
        "六、输出",
        each("", "z", "Z"),
        "计算完毕。",
    )


def full_width(s: Sheet) -> str:
    """Punctuation of full width, digits too as a rule, brackets of four kinds."""
    if s.maybe(0.7):
        s.spell = lambda number: number.translate(FULL_WIDTH)
    around = s.pick("［］", "（）", "【】", "[]")

    def v(name: str, i: int, used: bool = False) -> str:
        return s.v(name, i, around, "，", used)

    def softmax(i: int) -> str:
        return (
            f"　　第{NUMERALS[i]}行：exp值为{v('exp', i)}，总和为{s.r('sum', i, 0)}，注意力权重为{v('A', i)}"
        )

    def score(i: int, j: int) -> str:
        product = s.dot("Q", i, "K", j, plus="＋")
        return f"　　S{i + 1}{j + 1}＝Q{i + 1}·K{j + 1}＝{product}＝{s.r('scores', i, j)}"

    def output(i: int) -> str:
        terms = [f"{s.o('A', i, j)}×{v('V', j, True)}" for j in tokens]
        return f"　　Z{i + 1}＝{'＋'.join(terms)}＝{v('Z', i)}"

    tokens = range(s.n)
    return paragraphs(
        "自注意力的手工计算",
        f"例：“{s.said('')}”",
        block("一、输入向量", *(f"　　{token}＝{v('X', i)}" for i, token in enumerate(s.tokens))),
        block("二、权重矩阵（按行书写）", *(f"　　W_{n}＝{s.m(f'W_{n}', around, '，')}" for n in "QKV")),
        block(
            "三、求Ｑ、Ｋ、Ｖ", *(f"　　{n}{i + 1}＝X{i + 1}×W_{n}＝{v(n, i)}" for n in "QKV" for i in tokens)
        ),
        block("四、求得分", *(score(i, j) for i in tokens for j in tokens)),
        block(f"五、缩放（除以√{s.d_k}）", *(f"　　第{NUMERALS[i]}行：{v('scaled', i)}" for i in tokens)),
        block("六、求softmax", *map(softmax, tokens)),
        block("七、加权求和", *map(output, tokens)),
    )


def cell_by_cell(s: Sheet) -> str:
    """As copied from a PDF: a line for each entry between brackets, or brackets in pieces."""
    apart = s.maybe(0.5)

    def matrix(said: str, name: str) -> str:
        rows = s.rows(name)
        if apart:
            return block(f"{said} =", "[", *(cell for row in rows for cell in row), "]")
        middle = len(rows) - 2
        sides = zip(f"⎡{'⎢' * middle}⎣", f"⎤{'⎥' * middle}⎦", rows, strict=True)
        return block(f"{said} =", *(f"{a} {' '.join(row)} {b}" for a, b, row in sides))

    def size(name: str) -> str:
        n, m = s.shape(name)
        return f"（{n}×{m}）"

    n, d_model = s.shape("X")
    return lines(
        "自注意力示例讲义",
        "第 3 页",
        f"例 2.1 设输入序列为“{s.said(' ')}”，d_model = {d_model}，d_k = {s.d_k}。",
        f"输入矩阵{size('X')}：",
        matrix("X", "X"),
        *(f"权重矩阵 W{a}{size(f'W_{a}')}：\n{matrix(f'W{a}', f'W_{a}')}" for a in "QKV"),
        *(f"由 {a} = X W{a} 得{size(a)}：\n{matrix(a, a)}" for a in "QKV"),
        f"得分矩阵{size('scores')}：",
        matrix("QKᵀ", "scores"),
        f"缩放后（除以 √{s.d_k}，{n}×{n}）：",
        matrix("QKᵀ/√dₖ", "scaled"),
        f"对每一行做 softmax，得注意力权重{size('A')}：",
        matrix("A", "A"),
        f"输出{size('Z')}：",
        matrix("Z = AV", "Z"),
        "第 4 页",
    )


def flat(s: Sheet) -> str:
    """Matrices that copying flattened, `X=(111001)`, row after row or column after column."""
    by_column = s.maybe(0.4)

    def order(n: int, m: int) -> list[tuple[int, int]]:
        return (
            [(i, j) for j in range(m) for i in range(n)]
            if by_column
            else [(i, j) for i in range(n) for j in range(m)]
        )

    def matrix(name: str, used: bool = False) -> str:
        rows = s.rows(name, used)
        return f"({''.join(rows[i][j] for i, j in order(*s.shape(name)))})"

    def worked(a: str, b: str, turned: bool = False) -> str:
        """The products of every entry, each between parentheses."""
        right = s.rows(b, True) if turned else s.columns(b, True)
        left = s.rows(a, True)
        told = [f"({products(left[i], right[j], '∗', '+')})" for i, j in order(len(left), len(right))]
        return f"({''.join(told)})"

    def projected(n: str) -> str:
        factors = f"{matrix('X', True)}×{matrix(f'W_{n}', True)}"
        return f"计算 {n}:\n\n{n}={factors}={worked('X', f'W_{n}')}={matrix(n)}"

    def weights(n: str) -> str:
        d_model, d = s.shape(f"W_{n}")
        return f"- 权重矩阵 `W_{n}` ({d_model}x{d} 维):\n\n    W{n}={matrix(f'W_{n}')}"

    def softmax(i: int) -> str:
        total = s.o("sum", i, 0)
        quotients = ", ".join(f"{e}/{total}" for e in s.row("exp", i, True))
        return block(
            f"- **第{NUMERALS[i]}行:**",
            *(f"    - `exp({s.o('scaled', i, j)}) ≈ {s.r('exp', i, j)}`" for j in range(s.n)),
            f"    - 总和 = `{' + '.join(s.row('exp', i, True))} = {s.r('sum', i, 0)}`",
            f"    - Softmax 结果: `[{quotients}] = {s.v('A', i)}`",
        )

    def output(i: int) -> str:
        values = [s.v("V", j, used=True) for j in range(s.n)]
        return f"z{i + 1} = {s.weighed(i, values, ' * ')}\n\nz{i + 1} = {s.v('Z', i)}"

    n, d_model = s.shape("X")
    return paragraphs(
        "### 第 0 步：输入嵌入",
        f"输入有{n}个词：{s.said('、')}。词向量：",
        NEWLINE.join(f"- `x{i + 1}` ({token}) = `{s.v('X', i)}`" for i, token in enumerate(s.tokens)),
        f"输入矩阵 X ({n}个词 x {d_model}维)：",
        f"X={matrix('X')}",
        "### 第 1 步：权重矩阵",
        *map(weights, "QKV"),
        *map(projected, "QKV"),
        "### 第 2 步：注意力分数",
        f"Scores=Q×KT={worked('Q', 'K', True)}={matrix('scores')}",
        f"第一行 `{s.v('scores', 0)}` 代表“{s.tokens[0]}”对各个词的关注度。",
        "### 第 3 步：缩放与 Softmax",
        f"`d_k={s.d_k}`，所以除以 `sqrt({s.d_k})`。",
        f"Scaled Scores={matrix('scaled')}",
        NEWLINE.join(map(softmax, range(n))),
        "注意力权重矩阵：",
        f"A={matrix('A')}",
        "### 第 4 步：输出",
        "Z = A * V",
        *map(output, range(n)),
        "最终的输出矩阵 Z 是：",
        f"Z={matrix('Z')}",
    )


FULL = replace(CHINESE, stripped=(False,))

STYLES = (
    Style(bare, replace(CHINESE, exp=(True,)), ("txt",), "zh"),
    Style(full_width, replace(CHINESE, exp=(True,)), ("txt", "md"), "zh"),
    Style(cell_by_cell, FULL, ("txt",), "zh"),
    Style(flat, replace(FULL, exp=(True,), inputs=(0, 0, 1), places=(2, 3)), lang="zh"),
)
