"""What was found about a result: proofs, orders, two ways to one result, the cross-check."""

from __future__ import annotations

from symattn.narrate.words.table import table

FINDINGS = table(
    {
        "gradients-agree": (
            "{names} are the derivatives of the loss, proved entry by entry: if {t} is added to an "
            "entry of the input, the derivative of the loss with respect to {t} at {t} = 0 is the "
            "corresponding entry of the gradient.",
            "{names} 就是损失的导数，已逐项证明：给输入的任一元素加上 {t}，损失对 {t} 在 "
            "{t} = 0 处的导数等于梯度的相应元素。",
        ),
        "gradients-checked": (
            "; the gradients agree with numerical derivatives (complex steps)",
            "；各梯度与数值导数（复步法）一致",
        ),
        "gradients-checked-some": (
            "; the other gradients agree with numerical derivatives (complex steps)",
            "；其余各梯度与数值导数（复步法）一致",
        ),
        "gradient-undecided": (
            "Whether {names} are the derivatives, entry by entry, could not be decided{why}",
            "{names} 是否逐项等于导数，未能判定{why}",
        ),
        "gradient-differs": (
            "{name} is not the derivative of the loss: {entry} has {pair}.",
            "{name} 不等于损失的导数：{entry} 处 {pair}。",
        ),
        "jacobians-agree": (
            "{names} are the derivatives of the output, proved entry by entry.",
            "{names} 就是输出的导数，已逐项证明。",
        ),
        "by-linearity": (
            "with the products of keys and values first",
            "先算键与值之积",
        ),
        "proved": ("Proved", "已证"),
        "order": ("Order", "次序"),
        "note": ("Note", "说明"),
        "warning": ("Warning", "警告"),
        "check": ("Cross-check", "交叉核对"),
        "sums-to-one-decided": (
            "Every [row|column] of {name} sums to exactly 1, decided [row|column] by [row|column].",
            "{name} 的每一[行|列]之和恰为 1（逐[行|列]判定）。",
        ),
        "sums-to-one": (
            "Every [row|column] of {name} sums to exactly 1: its numerators add up to its denominator.",
            "{name} 的每一[行|列]之和恰为 1：各分子之和就是分母。",
        ),
        "row-sums": (
            "Every [row|column] of {name} sums to exactly {total}.",
            "{name} 的每一[行|列]之和恰为 {total}。",
        ),
        "row-sums-zero": (
            "Every [row|column] of {name} sums to exactly 0: adding the same number to all scores "
            "of a [row|column] changes no weight.",
            "{name} 的每一[行|列]之和恰为 0：同一[行|列]的得分都加上同一个数，权重不变。",
        ),
        "relative-positions": (
            "{name} depends on the position {m} of a query and the position {n} of a key only through "
            "{difference}: with {R} for the rotation by {m} positions, {turned}.",
            "{name} 只通过 {difference} 依赖查询的位置 {m} 和键的位置 {n}："
            "以 {R} 记转过 {m} 个位置的旋转，{turned}。",
        ),
        "equal-rows": ("[Rows|Columns] {rows} of {name} are identical", "{name} 的第 {rows} [行|列]完全相同"),
        "because-shift": (
            ": their scores differ by the same {shift} at every key, and adding one number to all "
            "scores changes no weight.",
            "：这两[行|列]的得分在每个键上都相差 {shift}，而所有得分加上同一个数，权重不变。",
        ),
        "because-constant-shift": (
            ": their scores differ by a constant, and adding one number to all scores changes no weight.",
            "：这些[行|列]的得分只差一个常数，而所有得分加上同一个数，权重不变。",
        ),
        "because-same-scores": (": their scores are the same.", "：它们的得分相同。"),
        "because-rows": (": so are these [rows|columns] of {of}.", "：{of} 的这几[行|列]相同。"),
        "because-decided": (", decided entry by entry.", "（逐项判定）。"),
        "constant": ("{entries} exactly", "{entries} 精确成立"),
        "because-constant-column": (
            ": {count} of {of} is constant there, and the weights of a [row|column] sum to 1.",
            "：{of} 的{count}为常数，而每[行|列]权重之和为 1。",
        ),
        "nth-column": ("[column|row] {k}", "第 {k} [列|行]"),
        "because-rational-row": (
            ": [row|column] {i} of {of} is rational.",
            "：{of} 的第 {i} [行|列]全是有理数。",
        ),
        "because-tie": (
            ": the scores of [row|column] {i} are all equal.",
            "：第 {i} [行|列]的得分全都相等。",
        ),
        "masked-row": (
            "No key is visible in {where} of {name}: the weights there are 0, as ONNX "
            "Attention defines them.",
            "{name} 的{where}没有可见的键：其权重为 0，依 ONNX Attention 的定义。",
        ),
        "empty-row": (
            "Every visible key has the score 0 in {where} of {name}: the weights there are taken to be 0.",
            "{name} 的{where}中，可见的键得分全为 0：其权重取为 0。",
        ),
        "because-alone": (": no other key is visible.", "：没有别的键可见。"),
        "not-computed": (
            "{name} was not computed: that would need {needs}.",
            "未计算 {name}：还需要给出 {needs}。",
        ),
        "unused": (
            "Given but not used: {names}.",
            "已给出但未被使用：{names}。",
        ),
        "hidden-whatever-base": (
            "A hidden key has weight 0 whatever the base: its score {infinity} is not used as an exponent.",
            "被遮住的键权重为 0，与底数无关：它的得分 {infinity} 不作为指数。",
        ),
        "hidden-whatever-maximum": (
            "Where a score or maximum is {infinity}, no key is visible and the entry is 0, "
            "whatever the base.",
            "得分或最大值为 {infinity} 之处没有可见的键，该元素为 0，与底数无关。",
        ),
        "orders-reversed": (
            "{orders}. The base is below 1, so the weights are in the reverse order of the scores.",
            "{orders}。底数小于 1，权重的大小次序与得分相反。",
        ),
        "orders-of-weights": ("{orders}.", "{orders}。"),
        "orders": (
            "{orders}. The weights are in the order of the scores.",
            "{orders}。权重的大小次序与得分相同。",
        ),
        "attends-most": ("{query} attends most to {largest} ({order})", "{query}最关注{largest}（{order}）"),
        "attends-most-of-two": ("{query} attends most to {largest}", "{query}最关注{largest}"),
        "itself": ("itself", "自己"),
        "alike": ("{query} attends to all keys equally", "{query}对各键的权重相等"),
        "alike-visible": (
            "{query} attends to all visible keys equally",
            "{query}对可见的各键权重相等",
        ),
        "ordered": (
            "in {query}, {order}",
            "{query}中 {order}",
        ),
        "undecided-order": (
            "The order of the weights in [row|column] {i} could not be decided.",
            "第 {i} [行|列]权重的大小次序未能判定。",
        ),
        "undecided-sums": (
            "Whether all [rows|columns] of {names} have the same sum would take too many steps to decide.",
            "{names} 各[行|列]之和是否相等，判定所需步骤过多。",
        ),
        "undecided-positions": (
            "Whether the entries of {names} depend on positions only by their difference would take too many "
            "steps to decide.",
            "{names} 的元素是否只通过位置之差依赖于位置，判定所需步骤过多。",
        ),
        "condition-nonzero": (
            "This holds if {x} is not 0, which could not be decided.",
            "以上成立的前提是 {x} 不等于 0，这一点未能判定。",
        ),
        "condition-positive": (
            "This holds if {x} is positive, which could not be decided.",
            "以上成立的前提是 {x} 为正数，这一点未能判定。",
        ),
        "undecided": (
            "The rounding of {entries} could not be decided; the exact form is shown instead.",
            "{entries} 的舍入未能判定，因此写出精确形式。",
        ),
        "by-cache": ("token by token with a cache", "借助缓存逐词元计算"),
        "by-blocks": ("block by block", "逐块计算"),
        "by-columns": ("with tokens as [rows|columns]", "按词元为[行|列]"),
        "the-direct": ("the direct result", "直接计算的结果"),
        "the-transpose": (
            "the transpose of the computation with tokens as [columns|rows]",
            "按词元为[列|行]计算所得的转置",
        ),
        "walks-agree": (
            "{name}, computed {walk}, equals {other}, entry by entry.",
            "{walk}得到的 {name} 与{other}逐项相等。",
        ),
        "walks-undecided": (
            "Whether {names}, computed {walk}, equals {other} could not be decided{why}",
            "{walk}得到的 {names} 与{other}是否相等，未能判定{why}",
        ),
        "because": ("; reason: ", "，原因是："),
        "walks-differ": (
            "{name}, computed {walk}, differs from {other}: {entry} has {pair}.",
            "{walk}得到的 {name} 与{other}不同：{entry} 处 {pair}。",
        ),
        "agrees": (
            "An independent computation in floating point (NumPy) agrees in every step",
            "用浮点数（NumPy）独立计算，每一步都一致",
        ),
        "agrees-one": (
            "An independent computation in floating point (NumPy) agrees",
            "用浮点数（NumPy）独立计算，结果一致",
        ),
        "disagrees": (
            "An independent computation in floating point (NumPy) disagrees in {names}: please "
            "report this as a bug",
            "用浮点数（NumPy）独立计算，{names} 不一致：这是程序缺陷，请报告",
        ),
        "second-all": (
            "A second computation, from the textbook formulas alone, agrees too",
            "只按教科书公式再算一遍，也都一致",
        ),
        "second-one": (
            "A second computation, from the textbook formula alone, agrees too",
            "只按教科书公式再算一遍，结果也一致",
        ),
        "second-some": (
            "A second computation, from the textbook formulas alone, covers {count} of {steps} "
            "quantities and agrees in all of them; it does not cover {names}",
            "只按教科书公式再算一遍，{steps} 个量中算了 {count} 个，都一致；未算 {names}",
        ),
        "second-foreign": (
            "There is no second computation from the textbook formulas alone: none is known for {keys}",
            "没有只按教科书公式再算一遍：其中没有 {keys} 的公式",
        ),
        "largest-error": (
            "; the largest relative difference, in {name}, is below {bound}",
            "；最大的相对误差在 {name} 中，小于 {bound}",
        ),
        "no-error": (
            ", to the last bit",
            "，且逐位相同",
        ),
        "agrees-some": (
            "An independent computation in floating point (NumPy) agrees in the {steps} of {all} "
            "quantities that could be compared",
            "用浮点数（NumPy）独立计算，{all} 个量中能够比较的 {steps} 个都一致",
        ),
        "not-compared": (
            "; not compared: {names} ({why})",
            "；未比较：{names}（{why}）",
        ),
        "no-derivative-compared": (
            "; not compared with a derivative: {names} ({why})",
            "；未与导数比较：{names}（{why}）",
        ),
        "at-point": (", at {values}", "（取 {values}）"),
    }
)
