"""SA8xx: comments that suppress findings. They give a reason, and they have something to suppress."""

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Rule
from symattn.text.bilingual import Bilingual

SUPPRESSION = (
    Rule(
        Finding.SUPPRESSION_WITHOUT_REASON,
        "error",
        "always",
        Bilingual("an incomplete suppression", "抑制注释不完整"),
        Bilingual(
            "A comment suppresses a finding without a reason, or names an unknown code. It has no effect.",
            "注释要求不报告，却没有说明理由，或所写代码并不存在；因此不起作用。",
        ),
        Bilingual(
            "Later readers must know why the number may stay as it is.",
            "后来的读者须知道这个数为何可以不改。",
        ),
        Bilingual(
            "`<!-- symattn: ignore[SA201] -->`, with no reason after the bracket.",
            "`<!-- symattn: ignore[SA201] -->`，方括号后没有理由。",
        ),
        Bilingual(
            "Write the codes and a reason: `<!-- symattn: ignore[SA201] quoted from the first edition -->`.",
            "写明代码与理由：`<!-- symattn: ignore[SA201] 引自初版 -->`。",
        ),
        Bilingual("the comment {comment} has no effect: {why}", "注释 {comment} 不起作用：{why}"),
    ),
    Rule(
        Finding.UNUSED_SUPPRESSION,
        "note",
        "never",
        Bilingual("a suppression without a finding", "没有可抑制的内容"),
        Bilingual(
            "There is no such finding on the line of the comment or on the next line.",
            "注释所在行及下一行都没有这种结果。",
        ),
        Bilingual(
            "It would hide the next mistake made there.",
            "以后此处若再出错，会被它遮住。",
        ),
        Bilingual(
            "The number was corrected, but the comment stayed.",
            "数已改正，注释还留着。",
        ),
        Bilingual("Remove the comment.", "删去注释。"),
        Bilingual("the comment {comment} has nothing to suppress", "注释 {comment} 没有可抑制的内容"),
    ),
)
