"""Every sentence of a page, in English and in Chinese, side by side: equals in what they say.

`{name}` marks where a formula or a word goes; both languages have the same marks. `[row|column]` marks what
reads differently where tokens are columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symattn.text.bilingual import Bilingual, oriented


def _oriented(texts: Mapping[str, tuple[str, str]]) -> Mapping[str, Bilingual]:
    return MappingProxyType({key: oriented(*text) for key, text in texts.items()})


SENTENCES: Mapping[str, Bilingual] = _oriented(
    {
        # headings
        "givens": ("Givens", "已知"),
        "softmax": ("Weights", "注意力权重"),
        "result": ("Result", "结果"),
        "weights-of": ("Weights {name}", "权重 {name}"),
        "attends": ("[a row attends to columns|a column attends to rows]", "[行关注列|列关注行]"),
        "proved-and-checked": ("Proved and cross-checked", "已证明与已核对"),
        "steps": ("The steps, and what they mean", "各步骤及其含义"),
        "overview-number": ("", ""),
        "overview-step": ("Step", "步骤"),
        "overview-formula": ("Formula", "公式"),
        "overview-shape": ("Shape", "形状"),
        "overview-meaning": ("Meaning", "含义"),
        "one-entry": (
            "One entry of each step is worked out; the others follow by the same rule. "
            "[Rows|Columns] without names are the tokens in order.",
            "每一步写出一个元素的计算过程，其余元素算法相同。没有标名的[行|列]依次对应各词元。",
        ),
        # a loss, gradients and Jacobians
        "gradients-agree": (
            "As derivatives of the loss, entry by entry: {names}. Each is what the forward computation gives "
            "with {t} added to the entry and differentiated by {t} at 0.",
            "逐项等于损失的导数：{names}。在前向计算的该元素上加 {t}，对 {t} 在 0 处求导，所得即为此值。",
        ),
        "gradients-checked": (
            "; the gradients agree with derivatives of the forward computation, taken by complex steps",
            "；各梯度与用复步法求得的前向计算的导数一致",
        ),
        "gradients-checked-some": (
            "; the other gradients agree with derivatives of the forward computation, taken by complex steps",
            "；其余各梯度与用复步法求得的前向计算的导数一致",
        ),
        "gradient-undecided": (
            "Undecided as derivatives of the computation, entry by entry: {names}{why}",
            "是否逐项等于计算过程的导数，未能判定：{names}{why}",
        ),
        "gradient-differs": (
            "{name} is not the derivative of the loss: {entry} has {pair}.",
            "{name} 不等于损失的导数：{entry} 处 {pair}。",
        ),
        "jacobians-agree": (
            "As derivatives of the computation, entry by entry: {names}.",
            "逐项等于计算过程的导数：{names}。",
        ),
        "loss-sum": ("the loss is the sum of all entries of the output", "损失为输出所有元素之和"),
        "loss-squared": (
            "the loss is half the squared distance of output and target",
            "损失为输出与目标之差的平方和的一半",
        ),
        "loss-cross-entropy": (
            "the loss is the cross-entropy of the softmax of the output and the target",
            "损失为输出经 softmax 后与目标的交叉熵",
        ),
        "in-part": ("{what}, in part", "{what}（部分）"),
        "gradients-direct": (
            "gradients are those of the direct evaluation, which makes the same output",
            "梯度按直接计算求得，两种算法的输出相等",
        ),
        "layer-residual": ("the input is added to the output of the attention", "注意力的输出加上输入"),
        "layer-post": ("a norm follows each residual", "归一化在每个残差连接之后"),
        "layer-pre": ("a norm precedes each part", "归一化在每一部分之前"),
        "layer-parts": (
            "the norm is {norm}, the activation {activation}",
            "归一化为 {norm}，激活为 {activation}",
        ),
        "epsilon-outside": (
            "a norm adds epsilon to the root that it divides by",
            "归一化把 ε 加到所除的根上",
        ),
        "layer-count": ("{count} layers with the same weights", "{count} 层，权重相同"),
        "layer-count-own": ("{count} layers with weights of their own", "{count} 层，各有权重"),
        "by-linearity": ("with the keys and values multiplied first", "先算键与值之积"),
        "share": ("Its [columns|rows] of", "它所取的[列|行]："),
        # the head of the page
        "source": ("Source: {source}.", "出处：{source}。"),
        "conventions": ("Conventions: {clauses}.", "约定：{clauses}。"),
        "row-vectors": (
            "vectors are [rows|columns], one for each token",
            "向量为[行|列]向量，每[行|列]一个词元",
        ),
        "softmax-line": (
            "the softmax runs [along each row|down each column]",
            "softmax 沿每一[行|列]计算",
        ),
        "projected": ("projections are {product}", "投影为 {product}"),
        "projected-vectors": (
            "projections are {product} for the vector {x} of each token, written as a [column|row]",
            "对每个词元的[列|行]向量 {x} 作投影 {product}",
        ),
        "scale": ("scores are divided by {divisor}", "得分除以 {divisor}"),
        "factor": ("scores are multiplied by {factor}", "得分乘以 {factor}"),
        "no-divisor": ("No scaling", "不缩放"),
        "unscaled": ("scores are not scaled", "得分不缩放"),
        "one-head": ("one head", "单头"),
        "heads": ("{h} heads", "{h} 个头"),
        "no-mask": ("no mask", "无掩码"),
        "causal": ("causal mask: a query sees no later key", "因果掩码：查询看不到其后的键"),
        "given-mask": ("the given mask {mask} is added to the scores", "得分加上给定的掩码 {mask}"),
        "no-positions": ("no positional encoding", "无位置编码"),
        "sinusoidal": (
            "sinusoidal positions, the first [row|column] being position {start}",
            "正弦位置编码，首[行|列]为位置 {start}",
        ),
        "sinusoidal-half": (
            "sinusoidal positions, all sines before all cosines, the first [row|column] being "
            "position {start}",
            "正弦位置编码，先排全部正弦，再排全部余弦，首[行|列]为位置 {start}",
        ),
        "exponents-pair": (
            "pair {i} of sine and cosine, counted from 0, has the exponent {exponent}",
            "第 {i} 对正弦和余弦（从 0 数起）的指数为 {exponent}",
        ),
        "exponents-column": (
            "[column|row] {j} of the encoding, counted from 0, has the exponent {exponent}",
            "编码的第 {j} [列|行]（从 0 数起）的指数为 {exponent}",
        ),
        "aligned-left": (
            "the first query is aligned with the first key",
            "第一个查询与第一个键对齐",
        ),
        "aligned-right": ("the last query is aligned with the last key", "最后一个查询与最后一个键对齐"),
        "window-left": ("a query sees {left} keys before its own", "查询只看它前面的 {left} 个键"),
        "window-right": ("a query sees {right} keys after its own", "查询只看它后面的 {right} 个键"),
        "padding": ("padded keys are hidden", "填充的键被遮住"),
        "kv-heads": (
            "runs of {run} heads share keys and values",
            "每 {run} 个相邻的头共用键和值",
        ),
        "qk-unit": ("queries and keys have length 1", "查询和键的长度归一为 1"),
        "qk-rms": (
            "queries and keys are divided by their root mean square",
            "查询和键除以各自的均方根",
        ),
        "rope-interleaved": (
            "rotary positions turn neighbouring [columns|rows], the first [row|column] being "
            "position {start}",
            "旋转位置编码，相邻两[列|行]配对，首[行|列]为位置 {start}",
        ),
        "rope-half": (
            "rotary positions turn [columns|rows] half a width apart, the first [row|column] being "
            "position {start}",
            "旋转位置编码，相隔一半宽度的两[列|行]配对，首[行|列]为位置 {start}",
        ),
        "alibi": (
            "ALiBi: the distance of query and key, times a slope {m}, is subtracted",
            "ALiBi：减去查询与键的距离乘以斜率 {m}",
        ),
        "relative-bias": (
            "a relative bias {r} of the distance {distance} is added",
            "加上相对位置偏置 {r}，它取决于距离 {distance}",
        ),
        "sinks": ("the denominator includes a sink {z}", "分母中有汇点 {z}"),
        "base": ("softmax to the base {base}", "softmax 以 {base} 为底"),
        "cross": ("keys and values come from {memory}", "键和值取自 {memory}"),
        "cross-keys": ("keys come from {memory}", "键取自 {memory}"),
        "own-values": ("values come from {inputs}", "值取自 {inputs}"),
        "bias": ("a bias is added to every [row|column]", "偏置加到每一[行|列]"),
        "decimals": (
            "The sign = precedes exact values, ≈ decimals correctly rounded to {digits} places, "
            "ties away from zero.",
            "等号之后是精确值；约等号之后是近似值，按四舍五入取到小数点后 {digits} 位，每一位都经过证明。",
        ),
        "one-decimal": (
            "The sign = precedes exact values, ≈ decimals correctly rounded to 1 place, ties away from zero.",
            "等号之后是精确值；约等号之后是近似值，按四舍五入取到小数点后 1 位，每一位都经过证明。",
        ),
        "significant": (
            "The sign = precedes exact values, ≈ decimals correctly rounded to {digits} significant "
            "digits, ties away from zero.",
            "等号之后是精确值；约等号之后是近似值，按四舍五入取 {digits} 位有效数字，每一位都经过证明。",
        ),
        "by-names": (
            "An entry with a long closed form is defined where it is worked out, and named in what follows.",
            "封闭形式较长的元素在算出之处定义，其后以其名称书写。",
        ),
        "no-decimals": (
            "Every value is exact and in closed form; with free symbols there are no decimals.",
            "式中含有自由符号，因此所有值都以精确的封闭形式给出，不取小数。",
        ),
        "symbols": (
            "What has the free symbols {names} in it stays in closed form, without a decimal.",
            "含有自由符号 {names} 的值只写封闭形式，不取小数。",
        ),
        # steps
        "others": (
            "The other entries follow by the same rule.",
            "其余各元素同理可得。",
        ),
        "shape": (
            "{name} is {rows} × {cols}; its first [rows and columns|columns and rows] and the last "
            "are shown.",
            "{name} 是 {rows} × {cols} 的矩阵，这里写出前几[行|列]、前几[列|行]和最后一[行|列]、"
            "最后一[列|行]。",
        ),
        "not-scaled": ("{divisor}: the scores stay as they are.", "{divisor}：得分保持不变。"),
        "hidden": (
            "A hidden key gets the score {infinity} and the weight 0.",
            "被遮住的键得分为 {infinity}，权重为 0。",
        ),
        "columns": ("[columns|rows] {first} to {last}", "第 {first} 至 {last} [列|行]"),
        "column": ("[column|row] {first}", "第 {first} [列|行]"),
        "encoding": (
            "Position {p}, width {d}: sines in the odd [columns|rows], cosines in the even ones, {i} "
            "= 0, 1, 2, …",
            "位置 {p}，维数 {d}：奇数[列|行]取正弦，偶数[列|行]取余弦，{i} = 0, 1, 2, …",
        ),
        "encoding-half": (
            "Position {p}, width {d}: sines in the first half of the [columns|rows], cosines in the second, "
            "{i} = 0, 1, 2, …",
            "位置 {p}，维数 {d}：前一半[列|行]取正弦，后一半[列|行]取余弦，{i} = 0, 1, 2, …",
        ),
        "as-rows": (
            "These vectors are the [rows|columns] of {name}:",
            "这些向量依次是 {name} 的各[行|列]：",
        ),
        # softmax
        "row": ("[Row|Column] {i}", "第 {i} [行|列]"),
        "this-row": ("[row|column] {i}", "第 {i} [行|列]"),
        "this-token": ("{token}", "“{token}”"),
        "row-of": ("[Row|Column] {i}, {token}", "第 {i} [行|列]，{token}"),
        "together": ("All weights together:", "全部权重写成矩阵："),
        # facts
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
            "Every [row|column] of {name} sums to exactly 0: the same number added to all scores of a "
            "[row|column] changes no weight.",
            "{name} 的每一[行|列]之和恰为 0：同一[行|列]的得分都加上同一个数，权重不变。",
        ),
        "equal-rows": (
            "[Rows|Columns] {rows} of {name} are identical",
            "{name} 的第 {rows} [行|列]完全相同",
        ),
        "because-shift": (
            ": their scores differ by the same {shift} at every key, and a common summand leaves a softmax "
            "as it is.",
            "：这两[行|列]得分在每个键上都相差 {shift}，而 softmax 不受公共加数影响。",
        ),
        "because-constant-shift": (
            ": their scores differ by a constant, and a common summand leaves a softmax as it is.",
            "：这些[行|列]的得分只差一个常数，而 softmax 不受公共加数影响。",
        ),
        "because-same-scores": (": their scores are the same.", "：它们的得分相同。"),
        "because-rows": (": the same [rows|columns] of {of} are.", "：{of} 的这几[行|列]相同。"),
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
        "unused": ("Given, and used by nothing: {names}.", "已给出但未被使用：{names}。"),
        "hidden-whatever-base": (
            "A hidden key, with the score {infinity}, has no power: its weight is 0 because it is hidden, "
            "whatever the base.",
            "被遮住的键（得分为 {infinity}）不取幂：它的权重为 0 是因为被遮住，与底数无关。",
        ),
        "hidden-whatever-maximum": (
            "Where a score or maximum is {infinity} no key is seen, and the entry is 0, whatever the base.",
            "得分或最大值为 {infinity} 之处没有可见的键，该元素为 0，与底数无关。",
        ),
        "orders-reversed": (
            "The base is below 1, so that weights have the opposite order of their scores. From the largest "
            "down: {orders}.",
            "底数小于 1，权重与得分的大小次序相反。从大到小：{orders}。",
        ),
        "orders-of-weights": (
            "The weights of each [row|column], from the largest down: {orders}.",
            "各[行|列]权重从大到小：{orders}。",
        ),
        "orders": (
            "Weights have the order of their scores. From the largest down: {orders}.",
            "权重与得分的大小次序相同。从大到小：{orders}。",
        ),
        "alike": ("all alike", "各键相同"),
        "ordered": ("for {query}, {order}", "对{query}，{order}"),
        "undecided-order": (
            "Which weight of [row|column] {i} is larger could not be decided.",
            "第 {i} [行|列]权重的大小次序未能判定。",
        ),
        "undecided-sums": (
            "Whether the [rows|columns] of {names} have one sum would take too many steps to decide.",
            "{names} 各[行|列]之和是否相等，判定所需步骤过多。",
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
            "How {entries} round could not be decided; the exact form is shown.",
            "{entries} 如何舍入未能判定；以精确形式为准。",
        ),
        # measures of a softmax
        "measures": (
            "Of each [row|column], {d} is the log-sum-exp of the scores and {h} the entropy of the "
            "weights, in nats:",
            "对每一[行|列]，{d} 是得分的 log-sum-exp，{h} 是权重的熵（单位为奈特）：",
        ),
        "measures-shifted": (
            "Of each [row|column], {d} is the log-sum-exp of the scores below the largest, and {h} "
            "the entropy of the "
            "weights, in nats:",
            "对每一[行|列]，{d} 是减去最大值后的得分的 log-sum-exp，{h} 是权重的熵（单位为奈特）：",
        ),
        "measured": ("[row|column]", "[行|列]"),
        "log-sum-exp": ("log-sum-exp", "log-sum-exp"),
        "entropy": ("entropy", "熵"),
        # two computations of one result
        "by-cache": ("token by token with a cache", "借助缓存逐词元计算"),
        "by-blocks": ("block by block", "逐块计算"),
        # the other way round than the page itself
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
        # cross-check
        "agrees": (
            "NumPy float64 agrees in all {steps} steps",
            "NumPy float64 的独立计算与全部 {steps} 步一致",
        ),
        "agrees-one": ("NumPy float64 agrees", "NumPy float64 的独立计算与此一致"),
        "disagrees": (
            "NumPy float64 disagrees in {names}: please report this as a defect",
            "NumPy float64 的独立计算在 {names} 处不一致：这是缺陷，请报告",
        ),
        "second-all": (
            "A second computation, from the textbook formulas alone, agrees in all {steps} steps",
            "另外只按教科书公式计算一遍，全部 {steps} 步也一致",
        ),
        "second-one": (
            "A second computation, from the textbook formula alone, agrees",
            "另外只按教科书公式计算一遍，结果也一致",
        ),
        "second-some": (
            "A second computation, from the textbook formulas alone, agrees in {count} of {steps} steps; "
            "not compared: {names}",
            "另外只按教科书公式计算一遍，{steps} 步中有 {count} 步与此一致，未比较：{names}",
        ),
        "second-foreign": (
            "A second computation, from the textbook formulas alone, was not made: it does not know {keys}",
            "没有另外只按教科书公式计算一遍：其中没有 {keys} 的公式",
        ),
        "largest-error": (
            "; largest error {ulps} ulp in {name}",
            "；最大误差为 {ulps} ulp，出现在 {name}",
        ),
        "no-error": (", to the last bit", "，且逐位相同"),
        "agrees-some": (
            "NumPy float64 agrees wherever it was compared, in {steps} of {all} steps",
            "NumPy float64 的独立计算在能够比较之处一致（{all} 步中的 {steps} 步）",
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
