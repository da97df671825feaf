"""SA4xx: shapes and notation."""

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Rule
from symattn.text.bilingual import Bilingual

SHAPES = (
    Rule(
        Finding.UNDEFINED_PRODUCT,
        "error",
        "always",
        Bilingual("a product that is undefined as written", "所写的乘积没有定义"),
        Bilingual(
            "As written, the shapes of the factors do not match; another reading is possible, "
            "and the audit continues with it.",
            "按所写的次序，各因子的形状不合；换一种读法可行，审校按那种读法继续。",
        ),
        Bilingual(
            "A reader cannot compute the line as printed, and has to guess what was meant.",
            "照原式无法计算，读者只能猜测本意。",
        ),
        Bilingual(
            "X · W_Q with X of shape 4×4 and W_Q of shape 2×4: only X · W_Q^T is defined.",
            "X · W_Q，其中 X 是 4×4，W_Q 是 2×4：只有 X · W_Q^T 有定义。",
        ),
        Bilingual(
            'Write the transpose, or transpose the printed matrix; in the case, weights = "transposed".',
            '补上转置，或把矩阵转过来印；在算例中写 weights = "transposed"。',
        ),
        Bilingual(
            "{written} is undefined, {x} times {w}{reading}",
            "{written} 没有定义：{x} 乘 {w}{reading}",
        ),
    ),
)
