"""SA9xx: numerals without a verdict. They are listed, never dropped in silence."""

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Rule
from symattn.text.bilingual import Bilingual

_COVERAGE = Bilingual(
    "A number without a verdict is not necessarily right; the report lists them all.",
    "没有结论不等于正确；报告会逐一列出。",
)

UNREAD = (
    Rule(
        Finding.UNREADABLE_NUMERAL,
        "note",
        "never",
        Bilingual("not a printed number", "不是印出的数"),
        Bilingual(
            "The characters are not a decimal, percentage or fraction.",
            "这些字符不是小数、百分数或分数。",
        ),
        _COVERAGE,
        Bilingual("exp(1), or -inf, among stated values.", "所印的值中出现 exp(1) 或 -inf。"),
        Bilingual("State the digits that the source prints.", "写出原文印的数字。"),
        Bilingual("{text} has no verdict: {why}", "{text} 无结论：{why}"),
    ),
    Rule(
        Finding.NO_SUCH_QUANTITY,
        "note",
        "never",
        Bilingual("no such quantity", "没有这个量"),
        Bilingual(
            "The number belongs to no quantity of the computation. In a case, a name without a "
            "meaning is an error.",
            "推导中没有这个数所属的量。算例中没有意义的名字则是错误。",
        ),
        _COVERAGE,
        Bilingual("√d_k where only scores are given.", "只给出得分，却印出 √d_k。"),
        Bilingual(
            "Give the quantities from which the number is computed.",
            "请给出计算这个数所需的量。",
        ),
        Bilingual("{text} has no verdict: {why}", "{text} 无结论：{why}"),
    ),
    Rule(
        Finding.OUT_OF_RANGE,
        "note",
        "never",
        Bilingual("outside the matrix", "超出矩阵范围"),
        Bilingual(
            "The quantity has no such row or column.",
            "这个量没有这一行或这一列。",
        ),
        _COVERAGE,
        Bilingual("A third row stated for a matrix of two.", "两行的矩阵写了第三行。"),
        Bilingual(
            "Rows and columns count from 0 in a case; correct `row` and `col`.",
            "算例中行列从 0 数起；请改正 `row` 与 `col`。",
        ),
        Bilingual("{text} has no verdict: {why}", "{text} 无结论：{why}"),
    ),
    Rule(
        Finding.SYMBOLIC_VALUE,
        "note",
        "never",
        Bilingual("the value has free symbols", "值中含有自由符号"),
        Bilingual(
            "The exact value depends on a symbol without a value, so no decimal can be right or wrong.",
            "精确值依赖于未赋值的符号，小数无所谓对错。",
        ),
        _COVERAGE,
        Bilingual("Q[1,1] = a + 1 printed as 1.50.", "Q 的一项是 a + 1，写成 1.50。"),
        Bilingual("Give the symbol a value.", "给符号一个值。"),
        Bilingual(
            "{cell}: {printed} has no verdict, the exact value has free symbols",
            "{cell}：{printed} 无结论，精确值中含有自由符号",
        ),
    ),
    Rule(
        Finding.CANNOT_BE_RECOMPUTED,
        "note",
        "never",
        Bilingual("cannot be recomputed", "无法重算"),
        Bilingual(
            "The step has no value (it divides by zero, or takes the root of a negative number), "
            "or the document does not determine what the number follows from.",
            "这一步没有值（除以零，或对负数开方），或者文中没有确定这个数由什么得出。",
        ),
        _COVERAGE,
        Bilingual(
            "Scores of the query (0, 0), when queries are divided by their length.",
            "查询要除以其长度，而查询 (0, 0) 也印了得分。",
        ),
        Bilingual(
            "Correct the inputs of the step; in notes, write out the formula that gives the number.",
            "改正这一步的输入；讲义中则写出得到这个数的算式。",
        ),
        Bilingual("{text} has no verdict: {why}", "{text} 无结论：{why}"),
    ),
    Rule(
        Finding.DOUBT,
        "note",
        "never",
        Bilingual("in doubt", "存疑"),
        Bilingual(
            "The document can be read in several ways, and the number is wrong in only some of them.",
            "文档有几种读法，只在其中一部分读法下这个数有误。",
        ),
        Bilingual(
            "A number is reported as wrong only if every plausible reading makes it wrong; "
            "`--doubts` lists the others.",
            "在各种合理读法下都有误的数才算差错；`--doubts` 列出其余的数。",
        ),
        Bilingual(
            "Weights printed without a formula that are close to the softmax of the scores, but "
            "not equal to it.",
            "没有写出算式的权重，与得分的 softmax 相近而不相等。",
        ),
        Bilingual("Write out the formula that gives the number.", "写出得到这个数的算式。"),
        Bilingual("{text} is in doubt: {why}", "{text} 存疑：{why}"),
    ),
)
