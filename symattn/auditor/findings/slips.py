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
            "The number is neither the exact value, nor what the printed numbers before it give, nor within "
            "reach of any digits that they may hide.",
            "这个数既不是精确值，也不是前面印出的数所能得到的，考虑未印出的数位也得不到。",
        ),
        Bilingual(
            "Everything that uses it goes wrong with it, and readers cannot reproduce it.",
            "凡是用到它的结果都会跟着出错，读者也无法重算出它。",
        ),
        Bilingual(
            "Q row 1 = [1.17, ...] where 1.0·1.0 + 0.5·0.1 + 0.2·0.2 + 0.1·0.0 is 1.09.",
            "Q 第 1 行写成 [1.17, …]，而 1.0·1.0 + 0.5·0.1 + 0.2·0.2 + 0.1·0.0 = 1.09。",
        ),
        Bilingual(
            "Print the right value, and work what follows again from it.",
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
            "A slip that belongs to a named mistake: that mistake, made alone, reproduces all the numbers "
            "concerned to their last digit, chance is ruled out, and no other known mistake does as well.",
            "这个差错可归于一种已知的错误：单犯此错，就能逐位得出所涉及的全部数；巧合已排除，"
            "别的已知错误都做不到。",
        ),
        Bilingual(
            "One mistake causes many wrong numbers; correct it and they all come right.",
            "许多错数背后只有一个错误；改正它，它们就都对了。",
        ),
        Bilingual(
            "Q = [[1, 2], [3, 4]] and K = [[5, 6], [7, 8]] with scores [[19, 22], [43, 50]]: that is Q K "
            "and not Q K^T.",
            "Q = [[1, 2], [3, 4]]，K = [[5, 6], [7, 8]]，得分写成 [[19, 22], [43, 50]]：这是 Q K，不是 Q "
            "K^T。",
        ),
        Bilingual(
            "Carry the step out as defined: here Q K^T = [[17, 23], [39, 53]].",
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
            "Whoever follows the working arrives elsewhere, and doubts the right result.",
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
            "The number is wrong, yet every step that uses it went on from the right one: it was worked out "
            "rightly and printed wrongly.",
            "这个数印错了，但后面用到它的每一步用的都是正确值：算得对，印得不对。",
        ),
        Bilingual(
            "Only this one number has to change, and a reader who copies it goes wrong where the author "
            "did not.",
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
            "The working printed on the line gives another number than the one printed after it.",
            "这一行印出的算式，算出来不是后面印的数。",
        ),
        Bilingual(
            "This slip needs no other line to be seen: the line contradicts itself.",
            "不看别的行就能发现：这一行自相矛盾。",
        ),
        Bilingual(
            "1.14×0.93 + 0.57×0.58 + 1.04×0.55 + 0.31×0.31 = 2.29, though it is 2.0589.",
            "1.14×0.93 + 0.57×0.58 + 1.04×0.55 + 0.31×0.31 = 2.29，而它等于 2.0589。",
        ),
        Bilingual(
            "Compute the line again; if its operands are right, only its result has to change.",
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
            "The same quantity is printed twice, and the second time it is another number.",
            "同一个量印了两次，第二次的数与第一次不同。",
        ),
        Bilingual(
            "The text contradicts itself; readers cannot know which of the two it goes on from.",
            "前后矛盾，读者不知道后文用的是哪一个。",
        ),
        Bilingual(
            "0.67 in the softmax and 0.76 in the product with V.",
            "softmax 处是 0.67，与 V 相乘处是 0.76。",
        ),
        Bilingual("Print the first value again, if that one is right.", "若第一次的值正确，照它改。"),
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
            "All other numbers of the matrix keep one convention (all follow the exact values, or all follow "
            "the printed ones); this one alone does not, though a generous reading of rounding would pass "
            "it.",
            "矩阵中其余各数都遵循同一约定（都取自精确值，或都取自印出的数），唯独这个数不合；"
            "仅按舍入宽松地看倒也说得过去。",
        ),
        Bilingual(
            "A slip of one unit of the last place hides in the room that rounding leaves.",
            "差一个末位单位的错误，常藏在舍入留下的余地里。",
        ),
        Bilingual(
            "Five of six scores are the exact values rounded, the sixth is 7.5 where that would be 7.9.",
            "六个得分中五个是精确值的舍入，第六个写成 7.5，而应为 7.9。",
        ),
        Bilingual("Print the value that the convention of the others gives.", "按其余各数的约定改正。"),
        Bilingual(
            "{cell}: printed {printed}, {right}{size}; every other number of the matrix is rounded from "
            "its right value",
            "{cell}：原文为 {printed}，{right}{size}；矩阵中其余各数都由各自的正确值舍入而来",
        ),
    ),
)
