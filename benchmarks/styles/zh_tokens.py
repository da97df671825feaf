"""Chinese with tokens in front: functions of tokens, in one language or two, and one word's query."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE, SHORT
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import NEWLINE, block, paragraphs


def bilingual(s: Sheet) -> str:
    """Headings in two languages, functions of tokens in lists: Score(我→爱) = ..."""
    name, arrow = s.pick("Score", "score", "Attention Score"), s.pick("→", "->", "，", ",")
    pairs = [(i, j, f"({a}{arrow}{b})") for i, a in enumerate(s.tokens) for j, b in enumerate(s.tokens)]

    def each(said: str, quantity: str) -> str:
        return NEWLINE.join(f"* {said}({token}) = {s.v(quantity, i)}" for i, token in enumerate(s.tokens))

    scores = [
        f"* {name}{pair} = Query({s.tokens[i]}) · Key({s.tokens[j]}) = {s.r('scores', i, j)}"
        for i, j, pair in pairs
    ]
    return paragraphs(
        "# Self-Attention 详解（附数值例子 worked example）",
        "## Input Embedding 输入嵌入",
        each("Embedding", "X"),
        "## 权重 Weight Matrices",
        *(f"$W^{n} = {s.tex(f'W_{n}')}$" for n in "QKV"),
        "## 得到 Query / Key / Value",
        *(each(said, n) for n, said in zip("QKV", ("Query", "Key", "Value"), strict=True)),
        f"## {name} 打分",
        NEWLINE.join(scores),
        "## Scale 缩放",
        rf"除以 $\sqrt{{d_k}}=\sqrt{{{s.d_k}}}$：",
        NEWLINE.join(f"* {name}{pair} / √{s.d_k} ≈ {s.r('scaled', i, j)}" for i, j, pair in pairs),
        "## Softmax 归一化",
        NEWLINE.join(f"* Weight{pair} ≈ {s.r('A', i, j)}" for i, j, pair in pairs),
        "## Output 输出",
        each("Output", "Z"),
    )


def token_functions(s: Sheet) -> str:
    """A dictionary of embeddings, then Q("我") or 我的Q on lines of their own or after each other."""
    quote, comma = s.pick("'", '"'), s.pick(", ", ",")
    form = s.pick(f"{{0}}({quote}{{1}}{quote})", "{1}的{0}", "{0}_{1}", f"{{0}}[{quote}{{1}}{quote}]")
    pair = s.pick("score({0}, {1})", "{0}→{1}", "得分({0},{1})", "{0}对{1}的得分")
    between = s.pick("\n\n", "\n", "，")

    def v(name: str, i: int) -> str:
        return s.v(name, i, comma=comma)

    def of(n: str, i: int) -> str:
        return form.format(n, s.tokens[i])

    def each(name: str) -> str:
        return NEWLINE.join(f"- {token}：{v(name, i)}" for i, token in enumerate(s.tokens))

    tokens = range(s.n)
    scores = [
        f"- {pair.format(s.tokens[i], s.tokens[j])} = {of('Q', i)}·{of('K', j)} = {s.r('scores', i, j)}"
        for i in tokens
        for j in tokens
    ]
    outputs = []
    for i, token in enumerate(s.tokens):
        summed = "+".join(f"{a}×{of('V', j)}" for j, a in enumerate(s.row("A", i, True)))
        outputs.append(f"- {token}：{summed} = {v('Z', i)}")
    embeddings = [f"    {quote}{token}{quote}: {s.v('X', i)}," for i, token in enumerate(s.tokens)]
    return paragraphs(
        f"分词结果：{list(s.tokens)}",
        "词向量：",
        block("```python", "embedding = {", *embeddings, "}", "```"),
        "参数：",
        *(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV"),
        "乘上参数矩阵得到：",
        *(between.join(f"{of(n, i)} = {v(n, i)}" for i in tokens) for n in "QKV"),
        "注意力得分：",
        NEWLINE.join(scores),
        f"缩放（÷√{s.d_k}）：",
        each("scaled"),
        "softmax：",
        each("A"),
        "上下文向量：",
        NEWLINE.join(outputs),
    )


def one_word(s: Sheet) -> str:
    """One word's query in plain words, its shares as quotients with ÷."""
    me, query = s.pick(*s.tokens), 0
    about = s.pick("约为", "约等于", "大约是", "≈", "约")
    tokens = list(enumerate(s.tokens))
    matched = [
        f"- “{me}”和“{token}”的匹配度是 {s.dot('Q', query, 'K', j)} = {s.r('scores', query, j)}"
        for j, token in tokens
    ]
    exps = "、".join(s.row("exp", query))
    total, divisor = s.r("sum", query, 0), s.o("sum", query, 0)
    shares = zip(s.tokens, s.row("exp", query, True), s.row("A", query), strict=True)
    return paragraphs(
        "# 用大白话讲注意力",
        f"就拿“{s.said('')}”里的“{me}”来说吧。",
        f"“{me}”要发出自己的提问，它的查询向量是 {s.v('Q', query, '()')}。",
        "每个词手里都有一把钥匙："
        + "，".join(f"“{token}”的键向量是 {s.v('K', j, '()')}" for j, token in tokens)
        + "。",
        "还有自己的内容："
        + "，".join(f"“{token}”的值向量是 {s.v('V', j, '()')}" for j, token in tokens)
        + "。",
        "把提问和钥匙一一配对：",
        NEWLINE.join(matched),
        f"除以根号{s.d_k}，得到 {'、'.join(s.row('scaled', query))}。",
        f"取指数得到 {exps}，加起来是 {total}。",
        "于是注意力分配就出来了：",
        NEWLINE.join(f"- 给“{token}”：{e} ÷ {divisor} ≈ {a}" for token, e, a in shares),
        f"最后，“{me}”的新向量{about} {s.v('Z', query, '()')}。",
    )


ONE = replace(CHINESE, steps=("one query",), n=(3,), exp=(True,), places=(2, 3))


STYLES = (
    Style(bilingual, SHORT, lang="zh"),
    Style(token_functions, SHORT, lang="zh"),
    Style(one_word, ONE, lang="zh"),
)
