"""SA6xx: what the text declares and its numbers do not follow. One finding each, not one a number."""

from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Rule
from symattn.text.bilingual import Bilingual

CONVENTIONS = (
    Rule(
        Finding.STEP_NOT_AS_DECLARED,
        "error",
        "always",
        Bilingual("a step that contradicts the text", "步骤与说明不符"),
        Bilingual(
            "The text says that a step is skipped, but the numbers include it; or it announces a "
            "step that the numbers do not include.",
            "文中说省略某一步，数字却包含了它；或者说做了某一步，数字里却没有。",
        ),
        Bilingual(
            "Text and numbers describe two different calculations; a reader can follow only one of them.",
            "文字与数字说的是两种不同的计算，读者只能跟从其一。",
        ),
        Bilingual(
            'scale = "1", with weights [0.33, 0.67] of the scores 2 and 3: unscaled they '
            "would be [0.27, 0.73], and divided by √2 they are [0.33, 0.67].",
            'scale = "1"，而得分 2、3 的权重写成 [0.33, 0.67]：不缩放应是 [0.27, 0.73]，除以 √2 才是 '
            "[0.33, 0.67]。",
        ),
        Bilingual(
            "State the calculation that was done, or compute the stated one: `--unsafe-fixes` "
            "does the latter.",
            "照所做的写，或照所写的算；后者可由 `--unsafe-fixes` 完成。",
        ),
        Bilingual(
            "the text declares {declared}, but {count} printed numbers do not follow from it; "
            "they do if {followed}{factors}; change the text, or let --unsafe-fixes compute the numbers as "
            "declared",
            "文中声明的是{declared}，印出的数中有 {count} 个与之不符；若{followed}，则全部相符{factors}；"
            "可改文字，也可用 --unsafe-fixes 按声明重算",
        ),
    ),
    Rule(
        Finding.NO_SCALE_EXPLAINS,
        "error",
        "always",
        Bilingual("weights that no scale explains", "任何缩放都解释不了的权重"),
        Bilingual(
            "The printed weights of a row do not follow from the printed scores, whatever number "
            "the scores are multiplied by before the softmax.",
            "无论 softmax 之前把得分乘以多少，都得不到这一行印出的权重。",
        ),
        Bilingual(
            "The row was therefore not computed from these scores; no scale makes it right.",
            "可见这一行不是由这些得分算出的；改换缩放也无济于事。",
        ),
        Bilingual(
            "Scores 1, 2, 3 with weights 0.20, 0.30, 0.50: the first pair needs the factor 0.41, the second "
            "0.51.",
            "得分 1、2、3，权重 0.20、0.30、0.50：前两项要求因子为 0.41，后两项要求 0.51。",
        ),
        Bilingual("Recompute the row from its scores.", "由得分重算这一行。"),
        Bilingual(
            "{where}: the printed weights do not follow from the scores before them under any scale",
            "{where}：无论怎样缩放，由前面的得分都得不到印出的权重",
        ),
    ),
    Rule(
        Finding.CONVENTION_INFERRED,
        "note",
        "never",
        Bilingual("conventions inferred from the numbers", "由数字推断的约定"),
        Bilingual(
            "The text leaves a convention open; the audit adopts the convention that explains "
            "most of the printed numbers.",
            "原文没有说明某项约定，审校取能解释最多数字的约定。",
        ),
        Bilingual(
            "Every verdict depends on the conventions, so readers should know them.",
            "所有结论都以约定为前提，读者应当知道是哪些约定。",
        ),
        Bilingual(
            "Scores 1, 2, 3 with exponentials 0.14, 0.37, 1.00: the largest score was subtracted first.",
            "得分 1、2、3 的指数写成 0.14、0.37、1.00：这是减去最大得分之后的指数。",
        ),
        Bilingual("State the convention in the text.", "在文中写明所用的约定。"),
        Bilingual("inferred from the printed numbers: {conventions}", "由印出的数推断：{conventions}"),
    ),
    Rule(
        Finding.CONVENTION_GIVEN,
        "note",
        "never",
        Bilingual("conventions given by option", "由选项给定的约定"),
        Bilingual(
            "A convention was given with `--set`; it takes precedence over the text and its numbers.",
            "某项约定由 `--set` 给定；不论文中怎样说、数字怎样算，都以它为准。",
        ),
        Bilingual(
            "Every verdict depends on the conventions, so readers should know them.",
            "所有结论都以约定为前提，读者应当知道是哪些约定。",
        ),
        Bilingual(
            "`--set scale=1` for a case that does not state that its scores are unscaled.",
            "算例应写明得分不缩放而没有写，用 `--set scale=1`。",
        ),
        Bilingual("Nothing, if this is what the author intended.", "若确是作者的本意，无须处理。"),
        Bilingual("given by option: {conventions}", "由选项给定：{conventions}"),
    ),
)
