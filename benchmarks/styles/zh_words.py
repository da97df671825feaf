"""Chinese in words: rows by numbers, entry by entry, headings without symbols, traditional characters."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.styles.chinese import CHINESE, KINDS, NUMERALS, SHORT
from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.text import NEWLINE, Rows, labelled, paragraphs, pipes, tex


def read_aloud(s: Sheet) -> str:
    """Matrices as rows 第一行：…, with names in words only."""
    comma, colon, mark = s.pick("，", ", ", "、", " "), s.pick("：", ": "), s.ending == "md"
    bullet = s.pick("", "- ") if mark else s.pick("", "  ")
    form, plain = s.pick("第{1}行", "第{0}行", "第 {0} 行", "{2}"), s.pick("第{1}行", "第{0}行")
    end = "\n" if bullet or not mark else "  \n"

    def rows(name: str) -> str:
        made = plain if name.startswith("W_") else form
        names = [made.format(i + 1, NUMERALS[i], token) for i, token in enumerate((*s.tokens, "", "", ""))]
        told = zip(names, s.rows(name), strict=False)
        return end.join(f"{bullet}{label}{colon}{comma.join(row)}" for label, row in told)

    return paragraphs(
        "朗读版：自注意力计算",
        f"输入矩阵 X{s.pick('：', '如下：')}",
        rows("X"),
        *(part for n, said in KINDS.items() for part in (f"{said}权重矩阵 W{n}：", rows(f"W_{n}"))),
        *(part for n, said in KINDS.items() for part in (f"{said}矩阵 {n}：", rows(n))),
        "注意力得分矩阵（Q 乘 K 转置）：",
        rows("scores"),
        f"缩放后的得分（除以根号 {s.d_k}）：",
        rows("scaled"),
        "注意力权重矩阵：",
        rows("A"),
        "输出矩阵：",
        rows("Z"),
    )


def entry_by_entry(s: Sheet) -> str:
    """Every entry by its row and column, with its products; each matrix once more behind 所以."""
    form = s.pick("第{0}行第{1}列", "第 {0} 行第 {1} 列", "({0},{1})", "第{2}行第{3}列", "[{0},{1}]")
    colon, times = s.pick("：", " = ", ": "), s.pick("×", "*", " × ")
    apart = s.ending == "md" and s.maybe(0.5)
    bullet = "- " if s.ending == "md" and not apart else ""

    def told(name: str, works: list[list[str]]) -> str:
        made = [
            f"{bullet}{form.format(i + 1, j + 1, NUMERALS[i], NUMERALS[j])}{colon}{work}{cell}"
            for i, (row, cells) in enumerate(zip(works, s.rows(name), strict=True))
            for j, (work, cell) in enumerate(zip(row, cells, strict=True))
        ]
        return ("\n\n" if apart else "\n").join(made)

    def products(a: str, b: str, sign: str) -> list[list[str]]:
        return [[s.down(a, i, b, j, times) + sign for j in range(s.shape(b)[1])] for i in range(s.n)]

    tokens = range(s.n)
    scores = [[f"{s.dot('Q', i, 'K', j, times)} = " for j in tokens] for i in tokens]
    quotients = [[f"{s.o('scores', i, j)} / √{s.d_k} ≈ " for j in tokens] for i in tokens]
    parts = []
    for n in "QKV":
        parts += [f"计算 {n} = XW_{n}：", told(n, products("X", f"W_{n}", " = ")), f"所以 {n} = {s.m(n)}"]
    return paragraphs(
        "矩阵乘法逐个元素算（适合初学者）",
        f"X = {s.m('X')}",
        *(f"W_{n} = {s.m(f'W_{n}')}" for n in "QKV"),
        *parts,
        "计算 QK^T：",
        told("scores", scores),
        f"所以 QK^T = {s.m('scores')}",
        f"除以 √{s.d_k}：",
        told("scaled", quotients),
        "Softmax 之后：",
        told("A", [[""] * s.n for _ in tokens]),
        "计算 AV：",
        told("Z", products("A", "V", " ≈ ")),
        f"所以输出为 {s.m('Z')}",
    )


def headings_only(s: Sheet) -> str:
    """Bare matrices in displays: what they are stands in the headings, in words."""
    around = s.pick("bmatrix", "pmatrix", "array")

    def show(name: str) -> str:
        rows: Rows = s.rows(name)
        if around != "array":
            return f"$$\n{tex(rows, around)}\n$$"
        body = r" \\ ".join(" & ".join(row) for row in rows)
        return f"$$\n\\left[\\begin{{array}}{{{'c' * len(rows[0])}}}{body}\\end{{array}}\\right]\n$$"

    parts = ["# 图解注意力（文字版）", "### 输入矩阵", show("X"), "### 查询权重、键权重、值权重"]
    for n, said in KINDS.items():
        parts += [f"{said}权重：", show(f"W_{n}")]
    for n, said in KINDS.items():
        parts += [f"### {said}矩阵", f"输入矩阵与{said}权重相乘：", show(n)]
    parts += ["### 相关性矩阵", "查询矩阵与键矩阵的转置相乘：", show("scores")]
    if s.scaled:
        parts += [
            "### 缩放",
            f"缩放因子为 {s.root()}（即 {s.d_k} 的平方根），每个元素都除以它：",
            show("scaled"),
        ]
    else:
        parts.append("为简单起见，本例不做缩放。")
    return paragraphs(
        *parts,
        "### 注意力权重矩阵",
        "对每一行应用 softmax：",
        show("A"),
        "### 输出矩阵",
        "权重矩阵与值矩阵相乘：",
        show("Z"),
    )


def traditional(s: Sheet) -> str:
    """Traditional characters, tokens in corner brackets, vectors in a table."""
    tokens = [f"「{token}」" for token in s.tokens]

    def softmax(i: int) -> str:
        if not s.prints("exp"):
            return f"- {tokens[i]}的注意力權重：{s.v('A', i)}"
        total = s.r("sum", i, 0)
        exps, weights = ("、".join(s.row(name, i)) for name in ("exp", "A"))
        return f"- {tokens[i]}：指數為 {exps}，總和為 {total}，權重為 {weights}"

    def output(i: int) -> str:
        values = [s.v("V", j, used=True) for j in range(s.n)]
        return f"{tokens[i]}的輸出向量 = {s.weighed(i, values, ' × ')} = {s.v('Z', i)}"

    scores = [
        f"{a}對{b}的分數：{s.dot('Q', i, 'K', j)} = {s.r('scores', i, j)}"
        for i, a in enumerate(tokens)
        for j, b in enumerate(tokens)
    ]
    vectors = labelled(s.tokens, [[s.v(n, i) for n in "QKV"] for i in range(s.n)])
    return paragraphs(
        "# 自注意力機制（Self-Attention）逐步計算",
        f"以句子「{s.said('')}」為例，先做斷詞：{'、'.join(tokens)}。",
        "## 一、詞向量",
        NEWLINE.join(f"- {token}：{s.v('X', i)}" for i, token in enumerate(tokens)),
        "## 二、權重矩陣",
        *(f"$$W_{n} = {s.tex(f'W_{n}')}$$" for n in "QKV"),
        "## 三、查詢、鍵、值",
        pipes(["詞", "查詢 Q", "鍵 K", "值 V"], vectors, ":-:"),
        "## 四、注意力分數",
        *scores,
        rf"縮放（除以 $\sqrt{{{s.d_k}}}$）後的分數矩陣：",
        f"$${s.tex('scaled')}$$",
        "## 五、注意力權重",
        NEWLINE.join(map(softmax, range(s.n))),
        "## 六、輸出",
        *map(output, range(s.n)),
    )


ONE = replace(CHINESE, steps=("one query",), n=(3,), exp=(True,), places=(2, 3))


STYLES = (
    Style(read_aloud, CHINESE, ("md", "txt"), "zh"),
    Style(entry_by_entry, replace(SHORT, d_model=(2,), d_k=(2,)), ("md", "txt"), "zh"),
    Style(headings_only, replace(CHINESE, scaled=(True, True, False), root=(True,)), lang="zh"),
    Style(traditional, replace(SHORT, exp=(True, False)), lang="zh-Hant"),
)
