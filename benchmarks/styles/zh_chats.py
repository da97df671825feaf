"""Chinese answers of chat assistants: formulas between backslashes, lists in lists, fences of tokens."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE, KINDS, NUMERALS, SHORT
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import NEWLINE, TIMES, block, display, labelled, paragraphs, pipes, vector


def bracketed(s: Sheet) -> str:
    r"""Formulas between \( and \), every product written out, the result in a box."""
    times = s.pick(TIMES, r"\cdot ")
    root = rf"\sqrt{{{s.d_k}}}"
    tokens = range(s.n)

    def show(formula: str) -> str:
        return display(formula, "tex")

    def projected(n: str, i: int) -> str:
        made = f"{n.lower()}_{i + 1} = x_{i + 1} W_{n}"
        if s.maybe(0.6):
            made += " = " + vector([s.down("X", i, f"W_{n}", j, times) for j in range(s.shape(n)[1])])
        return show(f"{made} = {s.v(n, i)}")

    def score(i: int, j: int) -> str:
        product = (
            rf"\frac{{{s.dot('Q', i, 'K', j, times)}}}{{{root}}} = \frac{{{s.r('scores', i, j)}}}{{{root}}}"
        )
        head = rf"\text{{score}}_{{{i + 1}{j + 1}}} = \frac{{q_{i + 1} \cdot k_{j + 1}}}{{{root}}}"
        return rf"- \( {head} = {product} \approx {s.r('scaled', i, j)} \)"

    def softmax(i: int) -> list[str]:
        powers = " + ".join(f"e^{{{x}}}" for x in s.row("scaled", i, True))
        total = rf"{powers} \approx {' + '.join(s.row('exp', i))} = {s.r('sum', i, 0)}"
        divisor = s.o("sum", i, 0)
        shares = zip(s.row("exp", i, True), s.row("A", i), strict=True)
        weights = [
            rf"\alpha_{{{i + 1}{j + 1}}} = \frac{{{e}}}{{{divisor}}} \approx {a}"
            for j, (e, a) in enumerate(shares)
        ]
        return [rf"第 {i + 1} 行：\( {total} \)", show(r", \quad ".join(weights))]

    def output(i: int) -> str:
        values = [f"{times}{s.v('V', j, used=True)}" for j in tokens]
        return show(rf"z_{i + 1} = {s.weighed(i, values, ' ')} \approx {s.v('Z', i)}")

    parts = []
    for i in tokens:
        parts += [rf"**对于 \( x_{i + 1} \)：**", *(projected(n, i) for n in "QKV")]
    return paragraphs(
        f"好的，我们来手动计算一个简单的自注意力。为了便于计算，序列长度取 {s.n}，维度取 {s.shape('X')[1]}。",
        "## 1. 设定",
        "输入序列：\n"
        + NEWLINE.join(rf"- \( x_{i + 1} = {s.v('X', i)} \)（{token}）" for i, token in enumerate(s.tokens)),
        "权重矩阵：",
        *(show(f"W_{n} = {s.tex(f'W_{n}', 'pmatrix')}") for n in "QKV"),
        "## 2. 计算 q、k、v",
        *parts,
        "## 3. 计算注意力分数",
        rf"\( d_k = {s.d_k} \)，缩放因子 \( {root} \approx {s.root()} \)。",
        NEWLINE.join(score(i, j) for i in tokens for j in tokens),
        "## 4. Softmax",
        *(part for i in tokens for part in softmax(i)),
        "## 5. 输出",
        *map(output, tokens),
        "最终输出为：",
        show(rf"\boxed{{{s.tex('Z', 'pmatrix')}}}"),
    )


def worded(s: Sheet) -> str:
    """Numbered tokens with lists below them; every number is named in words."""
    form = s.pick("“{}”", "「{}」", "“{}”", "'{}'", "{}")
    comma, around, be = (
        s.pick(", ", ", ", "，"),
        s.pick("[]", "[]", "()", "［］"),
        s.pick("为", "：", " = ", "是"),
    )
    tokens = [form.format(token) for token in s.tokens]

    def v(name: str, i: int) -> str:
        return s.v(name, i, around, comma)

    def vectors(i: int) -> str:
        told = [f"\t* {said}向量{be}{v(n, i)}" for n, said in KINDS.items()]
        return block(f"{i + 1}. 对于{tokens[i]}：", *told)

    def scores(i: int) -> str:
        told = [
            f"\t* {tokens[i]}{s.pick('与', '对', '和')}{other}的{s.pick('得分', '点积')}{be}{score}"
            for other, score in zip(tokens, s.row("scores", i), strict=True)
        ]
        return block(f"{i + 1}. {tokens[i]}的得分：", *told)

    def softmax(i: int) -> str:
        return f"* {tokens[i]}的缩放得分{be}{v('scaled', i)}，注意力权重{be}{v('A', i)}"

    return paragraphs(
        "为了详细解释自注意力机制的计算过程，我们以一个简单的例子来说明。",
        "**一、输入**",
        f"假设我们有一个包含{NUMERALS[s.n - 1]}个词的句子：{'、'.join(tokens)}。每个词的嵌入向量如下：",
        NEWLINE.join(f"* {token}的词向量{be}{v('X', i)}" for i, token in enumerate(tokens)),
        "**二、权重矩阵**",
        NEWLINE.join(f"* {said}权重矩阵W_{n}{be}{s.m(f'W_{n}')}" for n, said in KINDS.items()),
        "**三、计算查询、键、值向量**",
        NEWLINE.join(map(vectors, range(s.n))),
        "**四、计算注意力得分**",
        NEWLINE.join(map(scores, range(s.n))),
        "**五、缩放与归一化**",
        f"键向量的维度为{s.d_k}，因此将得分除以√{s.d_k}，再通过softmax函数：",
        NEWLINE.join(map(softmax, range(s.n))),
        "**六、加权求和**",
        NEWLINE.join(f"* {token}的输出向量{be}{v('Z', i)}" for i, token in enumerate(tokens)),
        "综上所述，自注意力机制能够捕捉词与词之间的关系。以上仅为示例，实际应用中维度通常为512或768。",
    )


def token_fences(s: Sheet) -> str:
    """Fences with a line for each token, which is called by its number."""
    said, first = s.pick("Token ", "token ", "词", "位置"), s.pick(0, 1)
    tokens = [f"{said}{i + first}" for i in range(s.n)]

    def fence(*told: str) -> str:
        return block("```", *told, "```")

    def each(name: str) -> str:
        return fence(*(f"{token}: {s.v(name, i)}" for i, token in enumerate(tokens)))

    def weights(n: str) -> str:
        rows = ",\n".join(f"  {vector(row)}" for row in s.rows(f"W_{n}"))
        return f"W_{n.lower()} = [\n{rows}\n]"

    def projected(n: str) -> str:
        return fence(*(f"{n}[{i}] = {s.v(n, i)}" for i in range(s.n))) if s.maybe(0.5) else each(n)

    scores = [
        f"{token} → "
        + ", ".join(f"{other}: {a}" for other, a in zip(tokens, s.row("scores", i), strict=True))
        for i, token in enumerate(tokens)
    ]
    titles = {"Q": "查询 (Query)", "K": "键 (Key)", "V": "值 (Value)"}
    return paragraphs(
        f"我们用 {s.n} 个 token：{'、'.join(f'`{token}`' for token in s.tokens)}。",
        "#### 1. 嵌入",
        fence(
            *(
                f"{token} ({word}): {s.v('X', i)}"
                for i, (token, word) in enumerate(zip(tokens, s.tokens, strict=True))
            )
        ),
        "#### 2. 权重",
        fence(*map(weights, "QKV")),
        "#### 3. 投影",
        *(part for n, title in titles.items() for part in (f"**{title}**：", projected(n))),
        "#### 4. 注意力分数",
        fence(*scores),
        f"除以 √d_k = √{s.d_k}：",
        each("scaled"),
        "#### 5. 注意力权重 (softmax)",
        each("A"),
        "#### 6. 输出",
        each("Z"),
    )


def emoji(s: Sheet) -> str:
    r"""Emoji before headings, displays with dollars or \[, scores in a table whose heads are K_猫."""
    tick, hand = s.pick("✅", "🔹", "🚀"), s.pick("👉", "📌", "✨", "➡️")
    dollars = s.maybe(0.5)

    def show(formula: str) -> str:
        return display(formula, "md" if dollars else "tex")

    def inline(formula: str) -> str:
        return f"${formula}$" if dollars else rf"\({formula}\)"

    def softmax(i: int, token: str) -> list[str]:
        head = f"**第 {i + 1} 行（{token}）**："
        if not s.prints("exp"):
            return [head, show(rf"\text{{softmax}}({s.v('scaled', i, used=True)}) \approx {s.v('A', i)}")]
        exps = zip(s.row("scaled", i, True), s.row("exp", i), strict=True)
        told = ["- " + inline(rf"e^{{{x}}} \approx {e}") for x, e in exps]
        told += [f"- 总和：{inline(s.r('sum', i, 0))}", f"- 归一化后：{inline(s.v('A', i))}"]
        return [head, NEWLINE.join(told)]

    root = inline(rf"\sqrt{{d_k}} = \sqrt{{{s.d_k}}}")
    table = pipes(
        ["", *(f"K_{token}" for token in s.tokens)],
        labelled([f"**Q_{token}**" for token in s.tokens], s.rows("scores")),
    )
    return paragraphs(
        "当然可以！下面我用一个**最小可算例子**带你完整走一遍 Self-Attention 👇",
        "---",
        f"### {tick} 第一步：准备输入",
        f"假设句子是 **“{s.said(' ')}”**，嵌入维度 {inline('d = ' + str(s.shape('X')[1]))}：",
        show(f"X = {s.tex('X')}"),
        f"### {tick} 第二步：定义权重矩阵",
        *(show(f"W_{n} = {s.tex(f'W_{n}')}") for n in "QKV"),
        "---",
        f"### {tick} 第三步：计算 Q、K、V",
        *(part for n in "QKV" for part in (f"{hand} **{n} = X·W_{n}**", show(f"{n} = {s.tex(n)}"))),
        f"### {tick} 第四步：计算注意力分数（缩放点积）",
        table,
        f"{hand} 然后除以 {root}：",
        show(rf"\text{{scaled scores}} = {s.tex('scaled')}"),
        f"### {tick} 第五步：Softmax",
        *(part for i, token in enumerate(s.tokens) for part in softmax(i, token)),
        f"### {tick} 第六步：加权求和得到输出",
        show(rf"\text{{Output}} = AV \approx {s.tex('Z')}"),
        "---",
        "如果你愿意，我还可以帮你写成 **Python 代码** 😊",
    )


STYLES = (
    Style(bracketed, replace(SHORT, exp=(True,), root=(True,)), lang="zh"),
    Style(worded, SHORT, lang="zh"),
    Style(token_fences, SHORT, lang="zh"),
    Style(emoji, replace(CHINESE, exp=(True, False)), lang="zh"),
)
