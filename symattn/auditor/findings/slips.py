"""SA2xx: slips, numbers that no honest way of rounding explains."""

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Rule
from symattn.text.bilingual import Bilingual

SLIPS = (
    Rule(
        Finding.SLIP,
        "error",
        "always",
        Bilingual("slip", "计算差错"),
        Bilingual(
            "The number is neither the exact value nor what follows from the printed numbers before it, "
            "and their rounding does not explain it.",
            "这个数既不是精确值，也不能由前面印出的数得到，那些数的舍入也解释不了它。",
        ),
        Bilingual(
            "Every result that uses it is wrong too, and readers cannot reproduce it.",
            "凡是用到它的结果都会跟着出错，读者也无法重算出它。",
        ),
        Bilingual(
            "Q row 1 = [1.17, ...] where 1.0·1.0 + 0.5·0.1 + 0.2·0.2 + 0.1·0.0 is 1.09.",
            "Q 第 1 行写成 [1.17, …]，而 1.0·1.0 + 0.5·0.1 + 0.2·0.2 + 0.1·0.0 = 1.09。",
        ),
        Bilingual(
            "Print the right value and recompute what follows from it.",
            "改为正确值，并由它重算后面各步。",
        ),
        Bilingual(
            "{cell}: printed {printed}, {right}{size}{again}",
            "{cell}：原文为 {printed}，{right}{size}{again}",
        ),
    ),
    Rule(
        Finding.SLIP_WITH_CAUSE,
        "error",
        "always",
        Bilingual("slip with a known cause", "原因已明的差错"),
        Bilingual(
            "A known mistake explains the slip: made alone, it reproduces all the numbers "
            "concerned to their last digit; chance is ruled out, and no other known mistake does "
            "the same.",
            "一种已知的错误可以解释这个差错：单犯此错，就能逐位得出所涉及的全部数；巧合已排除，"
            "别的已知错误都做不到。",
        ),
        Bilingual(
            "One mistake causes many wrong numbers; correcting it corrects them all.",
            "许多错数背后只有一个错误；改正它，它们就都对了。",
        ),
        Bilingual(
            "Q = [[1, 2], [3, 4]] and K = [[5, 6], [7, 8]] with scores [[19, 22], [43, 50]]: that is Q K "
            "and not Q K^T.",
            "Q = [[1, 2], [3, 4]]，K = [[5, 6], [7, 8]]，得分写成 [[19, 22], [43, 50]]：这是 Q K，不是 Q "
            "K^T。",
        ),
        Bilingual(
            "Carry out the step as defined: here Q K^T = [[17, 23], [39, 53]].",
            "按定义计算这一步：此处 Q K^T = [[17, 23], [39, 53]]。",
        ),
        Bilingual(
            "{cell}: printed {printed}, {right}{size}{again}; {because}",
            "{cell}：原文为 {printed}，{right}{size}{again}；{because}",
        ),
    ),
    Rule(
        Finding.WRONG_WORKING,
        "error",
        "always",
        Bilingual("right value, wrong working", "结果正确，算式不符"),
        Bilingual(
            "The printed result is right, but the working printed with it gives another value.",
            "印出的结果是对的，但旁边的算式算出来不是它。",
        ),
        Bilingual(
            "Readers who follow the working get another value, and doubt the right result.",
            "照着算式算的读者会得到别的数，反而怀疑正确的结果。",
        ),
        Bilingual(
            "2·3 + 1·4 = 11, where the factors are 2, 3, 1 and 5: the result is right, one factor is not.",
            "2·3 + 1·4 = 11，而因子应为 2、3、1、5：结果对，有一个因子错了。",
        ),
        Bilingual("Correct the working, keep the result.", "改正算式，保留结果。"),
        Bilingual(
            "{cell}: {printed} is right, but its working {work} does not give it",
            "{cell}：{printed} 正确，但算式 {work} 得不出它",
        ),
    ),
    Rule(
        Finding.TYPO,
        "error",
        "always",
        Bilingual("typo: what follows uses the right value", "笔误：后文用的是正确值"),
        Bilingual(
            "The number is wrong, but every step after it uses the right value: it was computed "
            "correctly and printed incorrectly.",
            "这个数印错了，但后面用到它的每一步用的都是正确值：算对了，印错了。",
        ),
        Bilingual(
            "Only this number has to change; a reader who copies it goes wrong where the author did not.",
            "只需改这一个数；照抄它的读者会错，而作者并没有错。",
        ),
        Bilingual(
            "K = [2, 1] printed as [2, 7], with the score [1, 1]·[2, 1] = 3 right after it.",
            "K = [2, 1] 印成 [2, 7]，紧接着的得分 [1, 1]·[2, 1] = 3 却是对的。",
        ),
        Bilingual("Print the right value; nothing else changes.", "改为正确值，其余不变。"),
        Bilingual(
            "{cell}: printed {printed}, {right}{size}; what follows uses the right value, so this is a typo",
            "{cell}：原文为 {printed}，{right}{size}；后文用的是正确值，这里只是笔误",
        ),
    ),
    Rule(
        Finding.NOT_ITS_WORKING,
        "error",
        "always",
        Bilingual("does not equal its own working", "与本行算式不符"),
        Bilingual(
            "The working on the line does not give the number printed after it.",
            "这一行印出的算式，算出来不是后面印的数。",
        ),
        Bilingual(
            "No other line is needed to see the slip: the line contradicts itself.",
            "不看别的行就能发现：这一行自相矛盾。",
        ),
        Bilingual(
            "1.14×0.93 + 0.57×0.58 + 1.04×0.55 + 0.31×0.31 = 2.29, though it is 2.0589.",
            "1.14×0.93 + 0.57×0.58 + 1.04×0.55 + 0.31×0.31 = 2.29，而它等于 2.0589。",
        ),
        Bilingual(
            "Recompute the line; if its operands are right, only its result has to change.",
            "重算这一行；若各操作数正确，只需改结果。",
        ),
        Bilingual(
            "{cell}: printed {printed}, but its own working {work} gives {gives}; {right}{size}",
            "{cell}：原文为 {printed}，但本行算式 {work} 得到的是 {gives}；{right}{size}",
        ),
    ),
    Rule(
        Finding.DIFFERING_COPY,
        "error",
        "always",
        Bilingual("a copy that differs", "重复印出时前后不一"),
        Bilingual(
            "The same quantity is printed twice, with different numbers.",
            "同一个量印了两次，两次的数不同。",
        ),
        Bilingual(
            "The text contradicts itself; readers cannot know which of the two the later steps use.",
            "前后矛盾，读者不知道后文用的是哪一个。",
        ),
        Bilingual(
            "0.67 in the softmax and 0.76 in the product with V.",
            "softmax 处是 0.67，与 V 相乘处是 0.76。",
        ),
        Bilingual("If the first value is right, repeat it.", "若第一次的值正确，照它改。"),
        Bilingual(
            "{cell}: printed again as {printed}, first as {root}; {right}{size}",
            "{cell}：再次出现时为 {printed}，先前是 {root}；{right}{size}",
        ),
    ),
    Rule(
        Finding.ODD_ONE_OUT,
        "error",
        "always",
        Bilingual("the odd one out", "唯一不合约定的数"),
        Bilingual(
            "All other numbers of the matrix follow one convention (all come from the exact "
            "values, or all from the printed ones); this one alone does not, although rounding "
            "could excuse it.",
            "矩阵中其余各数都遵循同一约定（都由精确值得到，或都由印出的数得到），唯独这个数不合，"
            "尽管单看舍入尚可解释。",
        ),
        Bilingual(
            "Rounding can hide a slip of one unit of the last place.",
            "舍入会掩盖末位差一个单位的错误。",
        ),
        Bilingual(
            "Five of six scores are the exact values rounded, the sixth is 7.5 where that would be 7.9.",
            "六个得分中五个是精确值的舍入，第六个写成 7.5，而应为 7.9。",
        ),
        Bilingual(
            "Print the value that follows from the convention of the others.", "按其余各数的约定改正。"
        ),
        Bilingual(
            "{cell}: printed {printed}, {right}{size}; every other number of the matrix is rounded from "
            "its right value",
            "{cell}：原文为 {printed}，{right}{size}；矩阵中其余各数都由各自的正确值舍入而来",
        ),
    ),
)
