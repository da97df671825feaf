"""SA3xx: numbers that follow correctly from wrong ones."""

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Rule
from symattn.text.bilingual import Bilingual

CARRIED = (
    Rule(
        Finding.CARRIED_FORWARD,
        "warning",
        "always",
        Bilingual("carried forward", "连带错误"),
        Bilingual(
            "The number is wrong, but it follows from the printed numbers before it: the mistake was made "
            "earlier.",
            "这个数不对，但由前面印出的数确实得到它：错在前面。",
        ),
        Bilingual(
            "The step itself is right; once the first slip is corrected, this number is corrected with it.",
            "这一步本身没有错；改正最初的差错，这个数也随之改正。",
        ),
        Bilingual(
            "Q row 1 is printed as 1.14 instead of 1.09; every score of row 1 that is computed "
            "from it is carried forward.",
            "Q 第 1 行写成 1.14 而不是 1.09；第 1 行由它算出的各个得分都是连带错误。",
        ),
        Bilingual(
            "Correct the first slip, then recompute the steps after it.",
            "先改正最初的差错，再重算其后各步。",
        ),
        Bilingual(
            "{cell}: {printed} follows from the numbers before it, but those go back to {root}; "
            "{right}{size}",
            "{cell}：{printed} 与前面的数相符，但错误源于 {root}；{right}{size}",
        ),
    ),
)
