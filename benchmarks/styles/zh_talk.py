"""Chinese explanations in words: an answer in dialogue, percentages, tokens in quotation marks."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import NEWLINE, paragraphs


def dialog(s: Sheet) -> str:
    """Question and answer: one token against all, its query and everybody's keys and values as given."""
    me, query = s.pick(*s.tokens), 0
    keys = list(enumerate(s.tokens))
    given = [f"“{token}”的 k 为 {s.v('K', j, '()')}，v 为 {s.v('V', j, '()')}。" for j, token in keys]
    products = [s.dot("Q", query, "K", j) for j, _ in keys]
    scores = [f"{me}·{token}：{products[j]} = {s.r('scores', query, j)}" for j, token in keys]
    total, divisor = s.r("sum", query, 0), s.o("sum", query, 0)
    quotients = zip(s.row("exp", query, True), s.row("A", query), strict=True)
    weights = "，".join(f"{e}/{divisor}≈{a}" for e, a in quotients)
    values = [s.v("V", j, "()", used=True) for j in range(s.n)]
    return paragraphs(
        "问：能举个例子说明 self-attention 吗？",
        f"答：可以。设句子是“{s.said(' ')}”，只看“{me}”这个词。为了省事，我们直接给出 q、k、v。",
        f"“{me}”的 q 为 {s.v('Q', query, '()')}。",
        *given,
        f"于是“{me}”和各词的得分分别是：",
        *scores,
        f"除以根号{s.d_k}（约等于{s.root()}），分别得到 {'，'.join(s.row('scaled', query))}。",
        f"取指数：{'，'.join(s.row('exp', query))}，它们的和等于 {total}。",
        f"所以权重是 {weights}。",
        f"最后，“{me}”的输出就是 {s.weighed(query, values)} = {s.v('Z', query, '()')}。",
    )


def percent(s: Sheet) -> str:
    """Whole numbers in plain words, the weights told once more in percent, with scaling or without."""
    source = "scaled" if s.scaled else "scores"

    def matched(i: int) -> str:
        told = "；".join(
            f"与“{token}”的得分为 {s.dot('Q', i, 'K', j)} = {s.r('scores', i, j)}"
            for j, token in enumerate(s.tokens)
        )
        return f"“{s.tokens[i]}”拿着自己的 Q 去匹配：{told}。"

    def softmax(i: int) -> str:
        return f"softmax({s.v(source, i, used=True)}) ≈ {s.v('A', i)}，即 {'、'.join(s.percents('A', i))}"

    def mixed(i: int) -> str:
        shares = zip(s.percents("A", i), (s.v("V", j, used=True) for j in range(s.n)), strict=True)
        return f"{s.tokens[i]}的新向量 = {' + '.join(f'{a} × {v}' for a, v in shares)} ≈ {s.v('Z', i)}"

    scaling = ["（为了简单，这里省略缩放。）"]
    if s.scaled:
        rows = [f"- {token}：{'，'.join(s.row('scaled', i))}" for i, token in enumerate(s.tokens)]
        scaling = ["## 缩放", f"再除以 √{s.d_k}，即约 {s.root()}，得到：", NEWLINE.join(rows)]
    return paragraphs(
        f"# 大白话讲注意力：{s.said('')}",
        "先给每个词一个“身份证”（词向量）：",
        NEWLINE.join(f"{i + 1}. **{token}**：`{s.v('X', i)}`" for i, token in enumerate(s.tokens)),
        "三个“转换器”：",
        *(f"`W_{n} = {s.m(f'W_{n}')}`" for n in "QKV"),
        "## 提问、标签和内涵",
        *(
            f"**{token}**的 Q 是 `{s.v('Q', i)}`，K 是 `{s.v('K', i)}`，V 是 `{s.v('V', i)}`。"
            for i, token in enumerate(s.tokens)
        ),
        "## 打分",
        *map(matched, range(s.n)),
        *scaling,
        "## 变成百分比",
        *map(softmax, range(s.n)),
        "## 融合",
        *map(mixed, range(s.n)),
    )


def quoted(s: Sheet) -> str:
    """Functions of quoted tokens, `Q("猫")` or 猫的Q, with colons or equals signs."""
    form = s.pick('{}("{}")', "{}({})", "“{1}”的 {0}", "{1}的{0}")
    full = {"Q": "Query", "K": "Key", "V": "Value"} if s.maybe(0.6) else {n: n for n in "QKV"}
    equals = s.pick(" = ", "：", " = ")

    def of(n: str, i: int) -> str:
        return form.format(full[n], s.tokens[i])

    def projected(n: str, i: int) -> str:
        worked = equals != "：" and s.maybe(0.4)
        work = f" = {s.v('X', i, used=True)} × W_{n}" if worked else ""
        return f"* {of(n, i)}{work}{equals}{s.v(n, i)}"

    def scaled(i: int) -> str:
        return f"* {s.tokens[i]}：{s.v('scores', i, used=True)} / {s.root()} = {s.v('scaled', i)}"

    def softmax(i: int) -> str:
        return (
            f"* “{s.tokens[i]}”：分子分别为 {'、'.join(s.row('exp', i))}，"
            f"分母为 {s.r('sum', i, 0)}，得到 {s.v('A', i)}"
        )

    def output(i: int) -> str:
        values = [s.v("V", j, used=True) for j in range(s.n)]
        return f"* “{s.tokens[i]}”的输出 = {s.weighed(i, values)} = {s.v('Z', i)}"

    tokens = range(s.n)
    parts = [
        "一步一步看 Attention 怎么算\n====",
        f"输入句子：{s.said('')}",
        "1）输入表示",
        NEWLINE.join(f"* {token} → {s.v('X', i)}" for i, token in enumerate(s.tokens)),
        "2）权重",
        *(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV"),
        "3）每个词的 Query、Key、Value",
        *(NEWLINE.join(projected(n, i) for i in tokens) for n in "QKV"),
        "4）注意力得分",
    ]
    for i in tokens:
        scores = [
            f"* {of('Q', i)} · {of('K', j)} = {s.dot('Q', i, 'K', j)} = {s.r('scores', i, j)}" for j in tokens
        ]
        parts += [f"计算“{s.tokens[i]}”对各个词的得分：", NEWLINE.join(scores)]
    return paragraphs(
        *parts,
        f"5）除以 √{s.d_k} 进行缩放",
        NEWLINE.join(map(scaled, tokens)),
        "6）softmax",
        NEWLINE.join(map(softmax, tokens)),
        "7）加权求和",
        NEWLINE.join(map(output, tokens)),
        f"因此，“{s.tokens[-1]}”的最终输出为 {s.v('Z', s.n - 1)}。",
    )


WHOLE = replace(CHINESE, inputs=(0,), places=(2, 3, 4), scaled=(True, False), root=(True,), stripped=(False,))

STYLES = (
    Style(dialog, replace(CHINESE, steps=("one query",), exp=(True,), root=(True,)), ("md", "txt"), "zh"),
    Style(percent, WHOLE, lang="zh"),
    Style(quoted, replace(CHINESE, exp=(True,), root=(True,)), lang="zh"),
)
