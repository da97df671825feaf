"""Chinese pages: formulas as plain lines, bare grids, matrices drawn with bars, slides, notes by hand."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE, SHORT
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import NEWLINE, block, lines, nested, paragraphs, right, vector, width

CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"


def shared_document(s: Sheet) -> str:
    """Formulas as plain lines with numbers or circled numbers before them."""
    around, comma = s.pick("[]", "[]", "()"), s.pick(", ", "，", ",")
    form, lower = s.pick("W_{}", "W{}", "W^{}"), s.maybe(0.5)
    times = s.pick("×", "*", "·", " @ ")

    def weight(n: str) -> str:
        return form.format(n.lower() if lower else n)

    def m(name: str) -> str:
        return nested(s.rows(name), around, comma)

    weights = [f"{k}. {weight(n)} = {m(f'W_{n}')}" for k, n in enumerate("QKV", start=3)]
    projected = [f"{CIRCLED[k]} {n} = X{times}{weight(n)} = {m(n)}" for k, n in enumerate("QKV")]
    return paragraphs(
        "Self-Attention 计算示例",
        "一、已知条件",
        f"1. 序列：{s.said(' ')}（长度 {s.n}）",
        f"2. 输入 X = {m('X')}",
        *weights,
        "二、计算 QKV",
        *projected,
        "三、注意力得分",
        f"{s.pick('Q', 'score = Q')}{times}K^T = {m('scores')}",
        f"缩放：除以 √{s.d_k}，得到 {m('scaled')}",
        "四、Softmax",
        f"对每一行做 softmax：{s.pick('', 'A = ', '权重 = ')}{m('A')}",
        "五、输出",
        f"Z = A{times}V = {m('Z')}",
    )


def grids(s: Sheet) -> str:
    """A post whose matrices became grids of numbers below their names."""
    blank, colon = s.pick(" ", "  ", "\t", "   "), s.pick("：", " =", "为：")

    def grid(name: str) -> str:
        return NEWLINE.join(blank.join(row) for row in s.rows(name))

    parts = ["01 输入矩阵", f"X{colon}", grid("X"), "02 三个权重矩阵"]
    for n in "QKV":
        parts += [f"W{n.lower()}{colon}", grid(f"W_{n}")]
    parts.append("03 生成 Q K V")
    for n, said in zip("QKV", ("查询", "键", "值"), strict=True):
        parts += [s.pick(f"{n} = X × W{n.lower()}{colon}", f"{said}矩阵 {n}{colon}"), grid(n)]
    return paragraphs(
        "点击上方蓝字关注我们",
        f"今天用小学算术算一遍 Attention。句子是“{s.said('')}”。",
        *parts,
        "04 打分",
        f"Q 乘以 K 的转置{colon}",
        grid("scores"),
        f"再除以根号{s.d_k}{colon}",
        grid("scaled"),
        "05 Softmax",
        f"每一行变成概率{colon}",
        grid("A"),
        "06 加权",
        f"权重乘以 V，输出 Z{colon}",
        grid("Z"),
        "— END —",
        "长按二维码，回复“注意力”领取资料",
    )


def bars(s: Sheet) -> str:
    """Matrices between bars over several lines, the name before the middle one, in 【】 sections."""
    around = s.pick("||", "││", "[]", "()")

    def drawn(said: str, name: str) -> str:
        rows = s.rows(name)
        wide = [width([[row[j]] for row in rows]) for j in range(len(rows[0]))]
        told = [f"{around[0]} {'  '.join(map(right, row, wide))} {around[1]}" for row in rows]
        blank = " " * (sum(2 if ord(c) > 0x2E80 else 1 for c in said) + 3)
        body = NEWLINE.join(
            (f"{said} = " if k == len(told) // 2 else blank) + row for k, row in enumerate(told)
        )
        return f"```\n{body}\n```" if s.ending == "md" else body

    return paragraphs(
        f"【例 {s.rng.randrange(1, 9)}】设句子为“{s.said('')}”，词向量及权重如下，求自注意力的输出。",
        drawn("X", "X"),
        *(drawn(f"W{n}", f"W_{n}") for n in "QKV"),
        "【分析】依次计算 Q、K、V，再求得分、缩放、softmax、加权和。",
        "【解】",
        "第一步，线性变换。",
        *(drawn(n, n) for n in "QKV"),
        "第二步，得分矩阵。",
        drawn("QKᵀ", "scores"),
        f"第三步，除以 √{s.d_k}。",
        drawn(f"QKᵀ/√{s.d_k}", "scaled"),
        "第四步，按行做 softmax。",
        drawn("A", "A"),
        "第五步，加权求和。",
        drawn(s.pick("Z = AV", "Z"), "Z"),
        "【评注】注意转置。",
    )


def slide_text(s: Sheet) -> str:
    """The text of slides: page numbers, titles, bullets with arrows or colons."""
    bullet = s.pick("- ", "* ") if s.ending == "md" else s.pick("• ", "● ", "- ", "➢ ", "◆ ")
    arrow, between = s.pick(" → ", " => ", " ⇒ "), s.pick("  ", "；", "，")
    tokens = list(enumerate(s.tokens))

    def page(number: int, title: str, *told: str) -> str:
        return block(f"第 {number} 页", title, *(bullet + line for line in told))

    def softmax(i: int, token: str) -> str:
        if not s.prints("exp"):
            return f"{token}{arrow}{s.v('A', i)}"
        return f"{token}：exp = {s.v('exp', i)}，和 = {s.r('sum', i, 0)}，权重 = {s.v('A', i)}"

    vectors = [
        f"{token}：" + between.join(f"{n.lower()} = {s.v(n, i)}" for n in "QKV") for i, token in tokens
    ]
    scores = [f"{a} · {b}{arrow}{s.r('scores', i, j)}" for i, a in tokens for j, b in tokens]
    return paragraphs(
        "自注意力机制",
        page(2, "输入", *(f"{token}{arrow}{s.v('X', i)}" for i, token in tokens)),
        page(3, "权重矩阵", *(f"W{n}：{s.m(f'W_{n}')}" for n in "QKV")),
        page(4, "Q / K / V", *vectors),
        page(5, "打分（点积）", *scores),
        page(6, f"除以√{s.d_k}", *(f"{token}：{s.v('scaled', i)}" for i, token in tokens)),
        page(7, "Softmax", *(softmax(i, token) for i, token in tokens)),
        page(8, "输出", *(f"{token}{arrow}{s.v('Z', i)}" for i, token in tokens)),
        "第 9 页\n谢谢！",
    )


def by_hand(s: Sheet) -> str:
    """Notes without a blank too many: `q1=x1WQ=(1,2)`, one block for each token."""
    times, power, over = s.pick("*", "×", "·"), s.pick("e^{}", "exp({})"), s.pick("÷", "/")
    semicolons = s.maybe(0.5)

    def v(name: str, i: int, used: bool = False) -> str:
        return s.v(name, i, "()", ",", used)

    def weights(n: str) -> str:
        rows = s.rows(f"W_{n}")
        return vector([",".join(row) for row in rows], comma="; ") if semicolons else nested(rows, comma=",")

    def attended(i: int) -> list[str]:
        exps = zip(s.row("scaled", i, True), s.row("exp", i), strict=True)
        summed = "+".join(f"{a}{times}{v('V', j, True)}" for j, a in enumerate(s.row("A", i, True)))
        products = [f"q{i + 1}·k{j + 1}={s.dot('Q', i, 'K', j, times, '+')}" for j in range(s.n)]
        return [
            f"{CIRCLED[i]} {s.tokens[i]}",
            *(f"{product}={s.r('scores', i, j)}" for j, product in enumerate(products)),
            f"{over}√{s.d_k}: {', '.join(s.row('scaled', i))}",
            ", ".join(f"{power.format(x)}={e}" for x, e in exps),
            f"和={s.r('sum', i, 0)}",
            f"权重: {', '.join(s.row('A', i))}",
            f"z{i + 1}={summed}={v('Z', i)}",
        ]

    told = [f"手算 attention（{s.rng.randrange(1, 12)}月{s.rng.randrange(1, 28)}日）"]
    told += [f"x{i + 1}={v('X', i)}  {token}" for i, token in enumerate(s.tokens)]
    told += [f"W{n}={weights(n)}" for n in "QKV"]
    told += [f"{n.lower()}{i + 1}=x{i + 1}W{n}={v(n, i)}" for n in "QKV" for i in range(s.n)]
    told += [line for i in range(s.n) for line in attended(i)]
    return paragraphs(*told) if s.ending == "md" else lines(*told)


STYLES = (
    Style(shared_document, CHINESE, ("txt", "md"), "zh"),
    Style(grids, CHINESE, ("md", "txt"), "zh"),
    Style(bars, SHORT, ("md", "txt"), "zh"),
    Style(slide_text, replace(SHORT, exp=(True, False)), ("txt", "md"), "zh"),
    Style(by_hand, replace(SHORT, d_model=(2,), exp=(True,)), ("txt", "md"), "zh"),
)
