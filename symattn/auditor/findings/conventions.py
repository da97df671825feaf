"""SA6xx: what the text declares and its numbers do not follow. One finding each, not one a number."""

from symattn.auditor.findings.rule import Rule, Words

CONVENTIONS = (
    Rule(
        "SA601",
        "step-not-as-declared",
        "error",
        "always",
        Words("a step that the text declares otherwise", "步骤与说明不符"),
        Words(
            "The text says that a step is skipped and its numbers carry it all the same, or it announces a "
            "step that its numbers lack.",
            "文中说略去某一步，数字却包含了它；或者说做了某一步，数字里却没有。",
        ),
        Words(
            "Text and numbers describe two different calculations; a reader can follow only one of them.",
            "文字与数字说的是两种不同的计算，读者只能跟从其一。",
        ),
        Words(
            "“we skip the scaling here”, with weights [0.33, 0.67] of the scores 2 and 3: unscaled they "
            "would be [0.27, 0.73], and divided by √2 they are [0.33, 0.67].",
            "“此处省略缩放”，而得分 2、3 的权重印作 [0.33, 0.67]：不缩放应是 [0.27, 0.73]，除以 √2 才是 [0.33, 0.67]。",
        ),
        Words(
            "Say what was done, or compute what was said.",
            "照所做的写，或照所写的算。",
        ),
        Words(
            "{name}: the text says {said}, but the {count} printed numbers need {right}",
            "{name}：文中说 {said}，但印出的 {count} 个数需要 {right}",
        ),
    ),
    Rule(
        "SA602",
        "another-convention",
        "error",
        "always",
        Words("numbers of another convention", "数字遵循另一种约定"),
        Words(
            "The numbers of a step are all right under another convention than the one declared: weights "
            "from the other side, another base of the exponential, positions that start elsewhere.",
            "这一步的数字按另一种约定全部正确，但与所声明的不同：权重在另一侧、指数的底不同、位置从别处起算。",
        ),
        Words(
            "It is one difference and not many slips; the steps after it are judged by what was really done.",
            "这是一处差异，而不是许多差错；其后各步按实际做法判断。",
        ),
        Words(
            "Q = X W_Q is announced and X W_Q^T is what is printed.",
            "文中说 Q = X W_Q，印出的是 X W_Q^T。",
        ),
        Words(
            "Declare the convention that the numbers follow.",
            "声明数字实际遵循的约定。",
        ),
        Words(
            "{name}: the text says {said}, but the {count} printed numbers are those of {right}",
            "{name}：文中说 {said}，但印出的 {count} 个数是按 {right} 得到的",
        ),
    ),
)
