"""Chinese notes on what stands around attention: a mask, two heads, residual and norm, positions."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE, NUMERALS
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import NEWLINE, labelled, paragraphs, pipes, tex, vector


def masked(s: Sheet) -> str:
    """A causal mask: every quantity as a display, in a fence, or as a table."""
    form = s.pick("tex", "fence", "table")
    hidden = {"tex": r"-\infty", "fence": s.pick("-inf", "-1e9", "-∞"), "table": "−∞"}[form]

    def rows(name: str) -> list[list[str]]:
        if name != "masked":
            return s.rows(name)
        hides, n = s.draft.world.hides, range(s.n)
        return [[hidden if hides(i, j) else s.r("scaled", i, j) for j in n] for i in n]

    def show(name: str, said: str) -> str:
        told = rows(name)
        if form == "tex":
            return f"$$\n{said} = {tex(told, newline=NEWLINE)}\n$$"
        if form == "fence":
            return f"```\n{said} = [" + ",\n    ".join(vector(row) for row in told) + "]\n```"
        square = name in ("scores", "scaled", "masked", "A")
        heads = s.tokens if square else [f"d{j + 1}" for j in range(len(told[0]))]
        names = [str(i + 1) for i in range(len(told))] if name[0] == "W" else s.tokens
        return pipes([said, *heads], labelled(names, told))

    scaled = {"tex": "S'", "fence": "S'", "table": "缩放后"}[form]
    mask = {"tex": r"S_{masked}", "fence": "masked", "table": "M"}[form]
    return paragraphs(
        "# 解码器里的掩码自注意力（Masked Self-Attention）",
        f"解码的时候不能偷看后面的词，所以要加因果掩码。例句：{s.said(' ')}。",
        "输入：",
        show("X", "X"),
        "参数：",
        *(show(f"W_{n}", f"W_{n}") for n in "QKV"),
        "计算 Q、K、V：",
        *(show(n, n) for n in "QKV"),
        "得分矩阵：",
        show("scores", "S"),
        rf"除以 $\sqrt{{{s.d_k}}}$，缩放后：",
        show("scaled", scaled),
        "加上掩码（上三角置为负无穷）后：",
        show("masked", mask),
        "softmax 之后，被掩盖的位置权重为 0：",
        show("A", "A"),
        "输出：",
        show("Z", "Z"),
        f"可以看到，“{s.tokens[0]}”只能关注自己，权重为 1。",
    )


def heads(s: Sheet) -> str:
    """Two heads, named in three ways, with their numbers below, above, or above in parentheses."""
    head = s.pick("头{0}", "第{1}个头", "Head {0}")
    above = s.pick("{0}_{1}", "{0}^{{({1})}}", "{0}^{1}")
    weight = s.pick("W_{0}^{1}", "W^{0}_{1}", "W_{0}^{{({1})}}")

    def show(formula: str, name: str) -> str:
        return f"$${formula} = {s.tex(name, newline=NEWLINE)}$$"

    def named(h: int) -> str:
        return head.format(h, NUMERALS[h - 1])

    parts = [
        "# 多头注意力手算示例",
        f"句子“{s.said('')}”，$h=2$，每个头的维度 $d_k={s.d_k}$。",
        "## 输入",
        show("X", "X"),
    ]
    for h in (1, 2):
        tag = f"head{h}."
        parts += [
            f"## {named(h)}",
            "参数：",
            *(show(weight.format(n, h), f"{tag}W_{n}") for n in "QKV"),
            *(show(f"{above.format(n, h)} = X{weight.format(n, h)}", tag + n) for n in "QKV"),
            "得分：",
            show(f"{above.format('Q', h)}({above.format('K', h)})^T", f"{tag}scores"),
            rf"缩放后（除以 $\sqrt{{{s.d_k}}}$）：",
            show(f"S_{h}", f"{tag}scaled"),
            "注意力权重：",
            show(f"A_{h}", f"{tag}A"),
            f"{named(h)}的输出：",
            show(f"head_{h} = A_{h}V_{h}", f"{tag}Z"),
        ]
    return paragraphs(
        *parts,
        "## 拼接",
        show("Concat(head_1, head_2)", "concat"),
        "## 线性变换",
        show("W_O", "W_O"),
        show("Output = Concat(head_1, head_2)W_O", "output"),
        f"因此，“{s.tokens[0]}”的输出为 ${s.v('output', 0)}$。",
    )


def block(s: Sheet) -> str:
    """An encoder's layer in lists: residuals added token by token, mean and variance worked out."""
    d_model = s.shape("X")[1]

    def residual(i: int) -> str:
        return f"{s.tokens[i]}：{s.v('X', i, used=True)} + {s.v('Z', i, used=True)} = {s.v('residual_1', i)}"

    def norm(i: int) -> str:
        mean = f"({' + '.join(s.row('residual_1', i, True))}) / {d_model} = {s.r('norm_1.mean', i, 0)}"
        told = [
            f"- 均值 μ = {mean}",
            f"- 方差 σ² = {s.r('norm_1.variance', i, 0)}",
            f"- 归一化后 = {s.v('norm_1', i)}",
        ]
        return f"{s.tokens[i]}：\n\n{NEWLINE.join(told)}"

    return paragraphs(
        "## Transformer 编码器一层的完整计算",
        f"输入（{s.said('、')}）：",
        f"X = {s.m('X')}",
        "权重：",
        *(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV"),
        "### 自注意力",
        *(f"{n} = X·W_{n} = {s.m(n)}" for n in "QKV"),
        f"QK^T = {s.m('scores')}",
        f"缩放（√{s.d_k}≈{s.root()}）：",
        f"QK^T/√d_k = {s.m('scaled')}",
        f"A = softmax(QK^T/√d_k) = {s.m('A')}",
        f"Z = A·V = {s.m('Z')}",
        "### 残差连接（Add）",
        *map(residual, range(s.n)),
        "### 层归一化（LayerNorm）",
        "取 γ=1，β=0，忽略 ε。",
        *map(norm, range(s.n)),
    )


def positions(s: Sheet) -> str:
    """Encodings of positions in five notations, and the sum with the embeddings as a rule."""
    n, d = s.shape("PE")
    start = next(step.facts["start"] for step in s.draft.world.steps if step.name == "PE")
    form = s.pick("subscripts", "function", "table", "keywords", "vectors")

    def entry(i: int, j: int) -> str:
        position, wave, value = i + start, ("sin", "cos")[j % 2], s.r("PE", i, j)
        over = f"{j // 2 * 2}/{d}"
        if form == "subscripts":
            return rf"$PE_{{({position},{j})}} = \{wave}({position}/10000^{{{over}}}) = {value}$"
        if form == "function":
            return f"- PE({position},{j}) = {wave}({position}/10000^({over})) ≈ {value}"
        return f"- PE(pos={position}, i={j}) ≈ {value}"

    told = [
        "# 位置编码怎么算",
        "公式：",
        r"$$PE_{(pos,2i)} = \sin(pos/10000^{2i/d_{model}})$$",
        r"$$PE_{(pos,2i+1)} = \cos(pos/10000^{2i/d_{model}})$$",
        f"取 $d_{{model}}={d}$，句子为“{s.said('')}”，位置从 {start} 开始。",
    ]
    if s.maybe(0.25):
        told = ["# 位置编码示例", f"使用正弦余弦位置编码，d_model = {d}。"]
    if form == "table":
        rows = [[str(i + start), token, *s.row("PE", i)] for i, token in enumerate(s.tokens)]
        told.append(pipes(["位置", "词", *(f"维度{j}" for j in range(d))], rows))
    elif form == "vectors":
        told.append(NEWLINE.join(f"- pos={i + start}：PE = {s.v('PE', i)}" for i in range(n)))
    else:
        between = "\n\n" if form == "subscripts" else "\n"
        for i, token in enumerate(s.tokens):
            told += [f"位置 {i + start}（{token}）：", between.join(entry(i, j) for j in range(d))]
    if s.maybe(0.7):
        for words, formula, name in (
            ("词嵌入为", "X", "X"),
            ("位置编码矩阵为", "PE", "PE"),
            ("相加得到", "X + PE", "X+PE"),
        ):
            told += [words, f"$${formula} = {s.tex(name, newline=NEWLINE)}$$"]
    return paragraphs(*told)


STYLES = (
    Style(masked, replace(CHINESE, causal=True), lang="zh"),
    Style(heads, replace(CHINESE, steps=("two heads",), n=(2, 3), d_k=(2,), d_v=(1, 2, 2)), lang="zh"),
    Style(
        block,
        replace(
            CHINESE,
            steps=("sublayer",),
            d_model=(2, 3),
            inputs=(1,),
            root=(True,),
            silent=("norm_1.deviation",),
        ),
        lang="zh",
    ),
    Style(positions, replace(CHINESE, steps=("encoding",), d_model=(2, 4, 4), places=(2, 3, 4)), lang="zh"),
)
