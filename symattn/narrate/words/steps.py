"""The steps of a page: headings, shapes, the rows of a softmax and their measures."""

from __future__ import annotations

from symattn.narrate.words.table import table

STEPS = table(
    {
        "givens": ("Givens", "已知"),
        "softmax": ("Weights", "注意力权重"),
        "result": ("Result", "结果"),
        "weights-of": ("Weights {name}", "权重 {name}"),
        "attends": (
            "[rows attend to columns|columns attend to rows]",
            "[行关注列|列关注行]",
        ),
        "proved-and-checked": ("Proved and cross-checked", "已证明与已核对"),
        "steps": ("The steps and their meaning", "各步骤及其含义"),
        "overview-number": ("", ""),
        "overview-step": ("Step", "步骤"),
        "overview-formula": ("Formula", "公式"),
        "overview-shape": ("Shape", "形状"),
        "overview-meaning": ("Meaning", "含义"),
        "meaning-of-gradient": ("How the loss changes with {name}.", "损失如何随 {name} 变化。"),
        "meaning-of-part": (
            "A part of {name}, which is the sum of its parts.",
            "{name} 的一部分，各部分之和为 {name}。",
        ),
        "meaning-not-scaled": ("Leaves the scores as they are.", "得分保持不变。"),
        "one-entry": (
            "One entry of each step is worked out; the others follow by the same rule. "
            "[Rows|Columns] without labels are the tokens in order.",
            "每一步写出一个元素的计算过程，其余元素算法相同。没有标名的[行|列]依次对应各词元。",
        ),
        "share": ("[columns|rows] {which} of {names}", "{names} 的第 {which} [列|行]"),
        "share-one": ("[column|row] {which} of {names}", "{names} 的第 {which} [列|行]"),
        "part": ("{what}: {parts}", "{what}：{parts}"),
        "in-part": ("Part of the {what}", "{what}（部分）"),
        "others": (
            "The other entries follow by the same rule.",
            "其余各元素同理可得。",
        ),
        "shape": (
            "{name} is {rows} × {cols}; its first [rows and columns|columns and rows] and the last "
            "are shown.",
            "{name} 是 {rows} × {cols} 的矩阵，这里写出前几[行|列]、前几[列|行]和最后一[行|列]、"
            "最后一[列|行]。",
        ),
        "not-scaled": ("{divisor}: the scores stay as they are.", "{divisor}：得分保持不变。"),
        "hidden": (
            "A hidden key gets the score {infinity} and the weight 0.",
            "被遮住的键得分为 {infinity}，权重为 0。",
        ),
        "columns": ("[columns|rows] {first}–{last}", "第 {first}–{last} [列|行]"),
        "column": ("[column|row] {first}", "第 {first} [列|行]"),
        "rotation": (
            "At position {m} the entries {a} and {b} of each [row|column] are multiplied by a rotation "
            "matrix:",
            "在位置 {m}，每[行|列]的第 {a} 个和第 {b} 个元素乘以旋转矩阵：",
        ),
        "rotation-pairs": (
            "At position {m} the entries {a} and {b} of each [row|column] are multiplied by a rotation "
            "matrix, for {p} from 1 to {k}:",
            "在位置 {m}，每[行|列]的第 {a} 个和第 {b} 个元素乘以旋转矩阵，{p} 取 1 至 {k}：",
        ),
        "encoding": (
            "Position {p}, width {d}: sines in the odd [columns|rows], cosines in the even ones, {i} "
            "= 0, 1, 2, …",
            "位置 {p}，维数 {d}：奇数[列|行]取正弦，偶数[列|行]取余弦，{i} = 0, 1, 2, …",
        ),
        "encoding-half": (
            "Position {p}, width {d}: sines in the first half of the [columns|rows], cosines in the second, "
            "{i} = 0, 1, 2, …",
            "位置 {p}，维数 {d}：前一半[列|行]取正弦，后一半[列|行]取余弦，{i} = 0, 1, 2, …",
        ),
        "as-rows": (
            "These vectors are the [rows|columns] of {name}:",
            "这些向量依次是 {name} 的各[行|列]：",
        ),
        "row": ("[Row|Column] {i}", "第 {i} [行|列]"),
        "this-row": ("[row|column] {i}", "第 {i} [行|列]"),
        "this-token": ("{token}", "“{token}”"),
        "row-of": ("[Row|Column] {i}, {token}", "第 {i} [行|列]，{token}"),
        "together": ("All weights together:", "全部权重写成矩阵："),
        "measures": (
            "{d} is the log-sum-exp of the scores and {h} is the entropy of the weights, in nats",
            "{d} 是得分的 log-sum-exp，{h} 是权重的熵（单位为奈特）",
        ),
        "measures-shifted": (
            "{d} is the log-sum-exp of the scores after the maximum is subtracted, and {h} is the "
            "entropy of the weights, in nats",
            "{d} 是减去最大值后的得分的 log-sum-exp，{h} 是权重的熵（单位为奈特）",
        ),
        "measures-of-each": ("For each [row|column] {i}, {what}:", "对第 {i} [行|列]，{what}："),
        "measured": ("[row|column]", "[行|列]"),
        "log-sum-exp": ("log-sum-exp", "log-sum-exp"),
        "entropy": ("entropy", "熵"),
        "why-entry": (
            "{entry} is the entry of {name} in [row|column] {i}{token}, [column|row] {j}{other}; "
            "[rows and columns|columns and rows] count from 1.",
            "{entry} 是 {name} 第 {i} [行|列]{token}、第 {j} [列|行]{other}的元素；"
            "[行与列|列与行]从 1 数起。",
        ),
        "why-single": ("{entry} is a single number.", "{entry} 是单个数。"),
        "why-given": ("It is given.", "它是已知量。"),
        "why-main": (
            "Traced back to the givens, each step through its most important operand:",
            "由此追溯到已知量，每一步取最重要的一项：",
        ),
        "why-others": ("The other entries used above:", "上面用到的其他元素："),
        "why-left": (
            "Not worked out here: {names}. The first of them is shown by {command}.",
            "此处未展开：{names}。其中第一个可用 {command} 查看。",
        ),
        "why-more": (", and {n} more", "，另有 {n} 个"),
        "why-givens": ("Given: {names}.", "已知量：{names}。"),
        "why-numbers": (
            "The numbers in the formula:",
            "公式中的数：",
        ),
        "why-hint": (
            "The result is not shown here; leave out --hint to see it.",
            "这里不给出结果；去掉 --hint 即可看到。",
        ),
    }
)
