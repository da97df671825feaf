"""SA5xx: sentences that state something which can be decided, and is false."""

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Rule
from symattn.text.bilingual import Bilingual, oriented

_DECIDED = Bilingual(
    "The statement is judged by the exact values, not by their decimals.",
    "判定依据精确值，而不是它们的小数。",
)

STATEMENTS = (
    Rule(
        Finding.FALSE_ORDER,
        "error",
        "always",
        Bilingual("a false order", "次序说错"),
        Bilingual(
            "The sentence orders several entries by size, but the exact values are in a different order.",
            "这句话说了几项的大小次序，而精确值的次序不同。",
        ),
        _DECIDED,
        Bilingual(
            "“a looks at c most, then b, then a”, where the weights are 0.2, 0.5 and 0.3.",
            "“a 最关注 c，其次 b，再次 a”，而权重是 0.2、0.5、0.3。",
        ),
        Bilingual("Correct the order.", "改正次序。"),
        Bilingual(
            "{where}: the order is {actual}, not {stated}",
            "{where}：次序是 {actual}，而不是 {stated}",
        ),
    ),
    Rule(
        Finding.FALSE_ARGMAX,
        "error",
        "always",
        Bilingual("a false maximum", "最大者说错"),
        Bilingual(
            "The sentence names the largest entry of a row, and another one is larger.",
            "这句话指出一行中最大的一项，而另有更大的。",
        ),
        _DECIDED,
        Bilingual(
            "“it attends most to 猫”, where the largest weight is that of 坐在.",
            "“它最关注‘猫’”，而最大的权重属于‘坐在’。",
        ),
        Bilingual("Name the entry that is largest.", "改为真正最大的一项。"),
        Bilingual(
            "{where}: the largest entry is {largest}, not {stated}",
            "{where}：最大的是 {largest}，而不是 {stated}",
        ),
    ),
    Rule(
        Finding.ROWS_DIFFER,
        "error",
        "always",
        Bilingual("rows that are not equal", "所谓相同的行并不相同"),
        Bilingual(
            "The sentence says that rows are the same, and they are not.",
            "这句话说几行相同，而它们不同。",
        ),
        Bilingual(
            "Rows that agree to the printed digits need not be equal; whether they are is decided exactly.",
            "印出的数位相同的行未必相等；是否相等按精确值判定。",
        ),
        Bilingual(
            "“rows 1 and 2 of A are the same”, where their scores differ by 1 and by 2.",
            "“A 的第 1、2 行相同”，而两行得分之差分别是 1 和 2。",
        ),
        Bilingual(
            "Say “nearly the same”, or leave the sentence out.",
            "改说“相近”，或删去这句话。",
        ),
        oriented(
            "[rows|columns] {stated} of {name} are not equal: in [column|row] {col}, {actual}",
            "{name} 的第 {stated} [行|列]并不相等：第 {col} [列|行] {actual}",
        ),
    ),
    Rule(
        Finding.DOES_NOT_SUM_TO_ONE,
        "error",
        "always",
        Bilingual("a row that does not sum to 1", "一行之和不为 1"),
        Bilingual(
            "The sentence says that the rows sum to 1 (or to 100 %), and they do not.",
            "这句话说各行之和为 1（或 100%），而并非如此。",
        ),
        _DECIDED,
        Bilingual(
            "“each row of the scores sums to 1”: that holds after the softmax and not before it.",
            "“得分的每行之和为 1”：softmax 之后才成立。",
        ),
        Bilingual(
            "Make the statement about the weights, or normalise the row.",
            "改为对权重这样说，或把该行归一化。",
        ),
        Bilingual(
            "{where} does not sum to 1",
            "{where}之和不为 1",
        ),
    ),
    Rule(
        Finding.FALSE_SHAPE,
        "error",
        "always",
        Bilingual("a false shape", "形状说错"),
        Bilingual(
            "The sentence gives a matrix a shape that it does not have.",
            "这句话所说的矩阵形状与矩阵不符。",
        ),
        Bilingual(
            "Readers use shapes to check which product is meant.",
            "读者靠形状来确认是哪个乘积。",
        ),
        Bilingual("“W_Q is 4×2”, where it is printed as 2×4.", "“W_Q 是 4×2”，而印出的是 2×4。"),
        Bilingual("Correct the shape.", "改正形状。"),
        Bilingual("{name} is {actual}, not {stated}", "{name} 是 {actual}，而不是 {stated}"),
    ),
    Rule(
        Finding.FALSE_EQUALITY,
        "error",
        "always",
        Bilingual("a false equality", "等式不成立"),
        Bilingual(
            "The sentence says that a quantity equals an expression exactly, and it does not.",
            "这句话说某个量恰好等于一个式子，而并不相等。",
        ),
        _DECIDED,
        Bilingual(
            "“A₁₁ = 0.38”, where it is 1/(1 + √e) = 0.37754...; 0.38 is only that value rounded.",
            "“A₁₁ = 0.38”，而它是 1/(1 + √e) = 0.37754…，0.38 只是它的舍入。",
        ),
        Bilingual(
            "Print the right value, or ≈ instead of =.",
            "改为正确值，或把 = 改为 ≈。",
        ),
        Bilingual(
            "{where}, column {col}, is {actual}, which is not {stated}",
            "{where}第 {col} 列是 {actual}，不等于 {stated}",
        ),
    ),
    Rule(
        Finding.UNDECIDED_STATEMENT,
        "note",
        "never",
        Bilingual("a statement that cannot be decided", "无法判定的陈述"),
        Bilingual(
            "The values that the sentence compares have free symbols, or higher precision does "
            "not separate them.",
            "这句话所比较的值含有自由符号，或者提高精度仍不能区分它们。",
        ),
        Bilingual(
            "Calling it true would be a guess.",
            "说它为真只是猜测。",
        ),
        Bilingual("“a looks at b most”, where the score of b is 2·t.", "“a 最关注 b”，而 b 的得分是 2·t。"),
        Bilingual(
            "Give the symbols values, or state the conditions under which it holds.",
            "给符号赋值，或写明成立的条件。",
        ),
        Bilingual(
            "{where}: whether {stated} holds cannot be decided",
            "{where}：{stated} 是否成立无法判定",
        ),
    ),
    Rule(
        Finding.WRONG_WORD,
        "error",
        "always",
        Bilingual("the largest weight is on the wrong word", "最大的权重落在了错误的词上"),
        Bilingual(
            "The largest printed weight of a row is in another column than the largest exact weight.",
            "一行中印出的最大权重，与精确值中最大的权重不在同一列。",
        ),
        Bilingual(
            "Readers look to an example for its conclusion, and this one does not follow from the inputs.",
            "读者看例子正是看结论，而这个结论与输入不符。",
        ),
        Bilingual(
            "The weights 0.7 and 0.3 are printed, where the scores are 1 and 2.",
            "权重写成 0.7 与 0.3，而得分是 1 与 2。",
        ),
        Bilingual("Correct the slip before it and restate the conclusion.", "改正前面的差错，重写结论。"),
        Bilingual(
            "{where}: the largest printed weight is that of {stated}; the largest exact weight "
            "is that of {actual}",
            "{where}：印出的最大权重属于 {stated}；精确的最大权重属于 {actual}",
        ),
    ),
)
