"""SA1xx: numbers that differ from the exact ones by rounding only."""

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Rule
from symattn.text.bilingual import Bilingual

ROUNDING = (
    Rule(
        Finding.INTERMEDIATE_ROUNDING,
        "note",
        "strict",
        Bilingual("intermediate rounding", "中间舍入"),
        Bilingual(
            "The number is not the exact value rounded, but it does follow from the rounded "
            "numbers that are printed before it; or it is a weight changed by one unit of the "
            "last place so that its printed row adds up to 1.",
            "这个数不是精确值的舍入结果，但由前面印出的（已舍入的）数可以算得；或者是一个权重，"
            "为使印出的一行之和为 1 而在末位调整了一个单位。",
        ),
        Bilingual(
            "The author rounded at every step. That is no mistake, but the last digit is less "
            "certain than it looks.",
            "作者逐步舍入，并无差错；只是末位数字没有看上去那么可靠。",
        ),
        Bilingual(
            "4.11 + 8.34 = 12.45 is right as written, while exp(√2) + exp(3/√2) is 12.4554..., "
            "which rounds to 12.46.",
            "4.11 + 8.34 = 12.45 与本行相符；而 exp(√2) + exp(3/√2) = 12.4554…，应舍入为 12.46。",
        ),
        Bilingual(
            "Nothing has to change. To print the digits of the exact value, keep more digits in "
            "the steps before it.",
            "无需改动。若要印出精确值的各位数字，请在中间步骤多保留几位。",
        ),
        Bilingual(
            "{cell}: {printed} follows from the rounded numbers before it; {right}",
            "{cell}：{printed} 由前面已舍入的数算得；{right}",
        ),
    ),
    Rule(
        Finding.HIDDEN_DIGITS,
        "note",
        "strict",
        Bilingual("hidden digits", "未印出的数位"),
        Bilingual(
            "The number follows neither from the exact values nor from the printed ones, but it "
            "does follow from some values that round to the printed ones.",
            "这个数既不由精确值、也不由印出的数得到，但可以由舍入后正是印出各数的某些值得到。",
        ),
        Bilingual(
            "The author kept more digits than the page shows, yet not all of them. A reader who recomputes "
            "from the page gets another last digit.",
            "作者保留的位数比印出的多，但并非全部。读者按印出的数重算，末位会有出入。",
        ),
        Bilingual(
            "5/3 printed as 1.7 and five times it as 8.4: that is 5 × 1.67, while 5 × 1.7 is 8.5 and the "
            "exact value rounds to 8.3.",
            "5/3 写成 1.7，其五倍写成 8.4：这是 5 × 1.67；而 5 × 1.7 是 8.5，精确值应舍入为 8.3。",
        ),
        Bilingual(
            "Nothing has to change; printing one more digit in the steps before it would settle the matter.",
            "无需改动；前面各步多印一位即可看清。",
        ),
        Bilingual(
            "{cell}: {printed} fits the numbers before it only with digits that they do not show; {right}",
            "{cell}：只有考虑前面各数未印出的数位，{printed} 才相符；{right}",
        ),
    ),
    Rule(
        Finding.TRUNCATED,
        "note",
        "strict",
        Bilingual("cut off instead of rounded", "截断而未舍入"),
        Bilingual(
            "The digits are those of the right value, cut off after the last printed place. An integer is "
            "cut off only in a document that truncates; elsewhere 1 for 1.6 is a slip.",
            "各位数字与正确值相同，但末位之后被直接截去。整数只有在全文采用截断时才算截断；"
            "否则把 1.6 写成 1 就是差错。",
        ),
        Bilingual(
            "Truncation is one-sided: its error is up to one unit of the last place, and it adds up over a "
            "sum.",
            "截断的误差总偏向一侧，可达末位一个单位，在求和时会累积。",
        ),
        Bilingual("2/3 printed as 0.66.", "2/3 印成了 0.66。"),
        Bilingual("Round to nearest: 0.67.", "改为四舍五入：0.67。"),
        Bilingual(
            "{cell}: {printed} is cut off, not rounded; {right}",
            "{cell}：{printed} 是截断而不是舍入的结果；{right}",
        ),
    ),
    Rule(
        Finding.DOCUMENT_TRUNCATES,
        "note",
        "strict",
        Bilingual("the document truncates", "全文采用截断"),
        Bilingual(
            "Rounding to nearest leaves three or more numbers wrong, and cutting off explains "
            "nine in ten of them. So the whole document is judged as one that truncates.",
            "按四舍五入有三个以上的数不符，而其中九成可用截断解释，因此全文按截断来判断。",
        ),
        Bilingual(
            "This is one convention, not many slips, so it is reported once.",
            "这是一种约定，而不是许多差错，所以只报告一次。",
        ),
        Bilingual(
            "0.33 and 0.66 for 1/3 and 2/3, throughout.",
            "全文把 1/3、2/3 写成 0.33、0.66。",
        ),
        Bilingual(
            "Say so in the text, or round to nearest.",
            "在文中说明，或改为四舍五入。",
        ),
        Bilingual(
            "the document truncates its decimals instead of rounding them, which explains {count:number}",
            "全文的小数是截断而不是舍入的：由此可解释 {count} 个数",
        ),
    ),
    Rule(
        Finding.EXACT_TIE,
        "note",
        "never",
        Bilingual("an exact tie", "恰在正中"),
        Bilingual(
            "The exact value lies exactly half-way between two printable numbers; either is a correct "
            "rounding.",
            "精确值恰好在两个可印出的数的正中间；取哪一个都正确。",
        ),
        Bilingual(
            "Readers who round ties the other way (to even, say) get another last digit; both are right.",
            "采用另一种规则（如“四舍六入五成双”）的读者会得到不同的末位；两者都没有错。",
        ),
        Bilingual("0.125 printed as 0.12 or as 0.13.", "0.125 写成 0.12 或 0.13。"),
        Bilingual("Nothing has to change.", "无需改动。"),
        Bilingual(
            "{cell}: {printed} rounds an exact tie; {right}",
            "{cell}：精确值恰在正中，{printed} 是其中一种舍入；{right}",
        ),
    ),
    Rule(
        Finding.ROOT_ROUNDED_FIRST,
        "note",
        "strict",
        Bilingual("a root that was rounded before use", "先舍入平方根再使用"),
        Bilingual(
            "The scores were divided by a rounded root of d_k (or multiplied by its rounded "
            "inverse) that is not printed itself. The numbers after it are judged with this "
            "rounded value.",
            "得分除以的是舍入过的 d_k 的平方根（或乘以它舍入过的倒数），而这个数本身没有印出。"
            "其后各数按这个舍入值判断。",
        ),
        Bilingual(
            "This is one choice, not many slips, so it is reported once. With one decimal place, "
            "every scaled score is off by up to a few percent.",
            "这是一种取法，而不是许多差错，所以只报告一次。若只取一位小数，"
            "每个缩放后的得分都会偏离百分之几。",
        ),
        Bilingual(
            "Scores 5 and 2 with d_k = 2, scaled to 3.57 and 1.43: these are 5/1.4 and 2/1.4; 5/√2 is 3.54.",
            "d_k = 2，得分 5、2 缩放后写成 3.57、1.43：那是 5/1.4 和 2/1.4，而 5/√2 是 3.54。",
        ),
        Bilingual(
            "State the number that was used, or keep more digits of the root.",
            "写明所用的数，或多保留几位。",
        ),
        Bilingual(
            "{where}: the scores were {way} {used}, and the declared divisor is {root}; that explains "
            "{count:number}",
            "{where}：得分{way}了 {used}，而声明的除数是 {root}；由此可解释 {count} 个数",
        ),
    ),
    Rule(
        Finding.TOO_WIDE_TO_DECIDE,
        "note",
        "never",
        Bilingual("too uncertain to decide", "范围太宽，无法判定"),
        Bilingual(
            "The rounding of the numbers before it leaves a range of more than twenty units of "
            "the last place. The number lies in that range, which proves little.",
            "前面各数的舍入使这个数可能的范围超过末位的二十个单位；它落在其中，但说明不了什么。",
        ),
        Bilingual(
            "Calling it right would be a guess, and so would calling it wrong.",
            "说它对是猜测，说它错也是猜测。",
        ),
        Bilingual(
            "exp(9.2) printed as 9900, where 9.2 is itself rounded: from exp(9.15) to exp(9.25) it is 990 "
            "units.",
            "exp(9.2) 写成 9900，而 9.2 本身是舍入的：从 exp(9.15) 到 exp(9.25) 相差 990 个单位。",
        ),
        Bilingual(
            "Print more digits in the steps before it.",
            "前面各步多印几位。",
        ),
        Bilingual(
            "{cell}: {printed} cannot be judged, the printed digits before it leave too wide a range; "
            "{right}",
            "{cell}：无法判定 {printed}，前面印出的数位留下的范围太宽；{right}",
        ),
    ),
)
