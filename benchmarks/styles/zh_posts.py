"""Chinese posts as on blog platforms: displays and lists, or formulas between the words."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE, NUMERALS
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import NEWLINE, TIMES, paragraphs


def csdn(s: Sheet) -> str:
    """Bold headings, displays that may have their brackets around them, exponentials token by token."""
    around = s.pick("bmatrix", "pmatrix", "matrix", "bmatrix")
    about = s.pick("=", r"\approx")

    def matrix(name: str, used: bool = False) -> str:
        told = s.tex(name, around, NEWLINE, used)
        return f"\\left[{told}\\right]" if around == "matrix" else told

    def show(formula: str) -> str:
        return f"$$\n{formula}\n$$"

    def projected(n: str) -> str:
        middle = s.pick("", f" = {matrix('X', True)}{matrix(f'W_{n}', True)}")
        return show(f"{n} = XW_{n}{middle} = {matrix(n)}")

    def softmax(i: int) -> str:
        exps = "，".join(
            rf"$e^{{{x}}} \approx {e}$"
            for x, e in zip(s.row("scaled", i, True), s.row("exp", i), strict=True)
        )
        total = s.o("sum", i, 0)
        weights = r",\ ".join(
            f"{e}/{total} = {a}" for e, a in zip(s.row("exp", i, True), s.row("A", i), strict=True)
        )
        summed = f"{' + '.join(s.row('exp', i, True))} = {s.r('sum', i, 0)}"
        return f"对于“{s.tokens[i]}”这一行：\n\n- exp值：{exps}\n- 总和：${summed}$\n- 权重：${weights}$"

    i, j = s.rng.randrange(s.n), s.rng.randrange(s.n)
    product = s.dot("Q", i, "K", j, s.pick(r"\times ", "×", r"\cdot "))
    example = f"比如第{NUMERALS[i]}行第{NUMERALS[j]}列：${product} = {s.r('scores', i, j)}$。"
    root = rf"$\sqrt{{d_k}}=\sqrt{{{s.d_k}}}$"
    return paragraphs(
        "# 手把手带你算一遍自注意力机制",
        "很多同学看完论文还是不理解，本文用一个**具体的数值例子**来演示。",
        "## **第一步：输入表示**",
        f"假设输入的句子是“{s.said('')}”，分词之后得到{s.n}个词：{s.said('、')}。"
        f"每个词用一个{s.shape('X')[1]}维向量表示：",
        show(f"X = {matrix('X')}"),
        "## **第二步：计算 Q、K、V**",
        "假设三个权重矩阵分别为：",
        *(show(f"W_{n} = {matrix(f'W_{n}')}") for n in "QKV"),
        "那么有：",
        *map(projected, "QKV"),
        "## **第三步：计算得分矩阵**",
        "用每个词的 Query 与所有词的 Key 做点积：",
        show(f"S = QK^T = {matrix('scores')}"),
        *([example] if s.maybe(0.6) else []),
        "## **第四步：缩放**",
        f"因为 $d_k={s.d_k}$，所以除以 {root}，缩放后：",
        show(rf"\frac{{QK^T}}{{\sqrt{{d_k}}}} {about} {matrix('scaled')}"),
        "## **第五步：softmax 归一化**",
        *(map(softmax, range(s.n)) if s.prints("exp") else []),
        "于是注意力权重矩阵为：",
        show(rf"A = \text{{softmax}}\left(\frac{{QK^T}}{{\sqrt{{d_k}}}}\right) {about} {matrix('A')}"),
        "## **第六步：加权求和**",
        show(f"Z = AV = {matrix('A', True)}{matrix('V', True)} = {matrix('Z')}"),
        f"因此，“{s.tokens[0]}”的输出为 ${s.v('Z', 0)}$，它已经融合了上下文的信息。",
        "> 如果觉得有用，欢迎点赞收藏！",
    )


def zhihu(s: Sheet) -> str:
    """Tokens as subscripts in formulas between the words, and prose around them."""
    form = s.pick("{}_{{{}}}", "{}_{{\\text{{{}}}}}", "{}_{}")

    def named(letter: str, i: int) -> str:
        bare = form == "{}_{}" and len(s.tokens[i]) > 1
        return ("{}_{{{}}}" if bare else form).format(letter, s.tokens[i])

    def projected(i: int) -> str:
        told = [f"${named(n.lower(), i)} = {named('x', i)}W^{n} = {s.v(n, i)}$" for n in "QKV"]
        return NEWLINE.join(line + s.pick("", "，", "  ") for line in told)

    def score(i: int, j: int) -> str:
        work = f" = {s.dot('Q', i, 'K', j, TIMES)}" if s.maybe(0.8) else ""
        product = rf"{named('q', i)} \cdot {named('k', j)}{work}"
        return f"$s_{{{s.tokens[i]},{s.tokens[j]}}} = {product} = {s.r('scores', i, j)}$"

    def weights(i: int) -> str:
        more = f"，也就是说它对“{s.tokens[0]}”的关注度是 {s.o('A', i, 0)}。"
        return f"“{s.tokens[i]}”的注意力权重约等于 ${s.v('A', i)}${s.pick('。', more)}"

    def output(i: int) -> str:
        return f"${named('z', i)} = {s.weighed(i, [named('v', j) for j in range(s.n)], '')} = {s.v('Z', i)}$"

    parts = [
        f"先把结论放在前面：自注意力就是**查询、匹配、加权**三件事。下面我们拿“{s.said('/')}”来算。",
        "### 1. 词向量",
        NEWLINE.join(f"- {token}：${named('x', i)} = {s.v('X', i)}$" for i, token in enumerate(s.tokens)),
        "权重矩阵取为",
        NEWLINE.join(f"$$W^{n} = {s.tex(f'W_{n}', newline=NEWLINE)}$$" for n in "QKV"),
        "### 2. 查询、键、值",
    ]
    for i, token in enumerate(s.tokens):
        parts += [f"对于“{token}”：", projected(i)]
    return paragraphs(
        *parts,
        "### 3. 打分",
        rf"把{s.tokens[0]}的查询向量和每个键向量做内积，再除以 $\sqrt{{{s.d_k}}}$：",
        *(score(i, j) for i in range(s.n) for j in range(s.n)),
        "缩放之后：",
        NEWLINE.join(f"- {token}：${s.v('scaled', i)}$" for i, token in enumerate(s.tokens)),
        "### 4. 注意力权重",
        *map(weights, range(s.n)),
        "### 5. 输出",
        *map(output, range(s.n)),
    )


STYLES = (
    Style(csdn, replace(CHINESE, exp=(True, True, False)), lang="zh"),
    Style(zhihu, CHINESE, lang="zh"),
)
