"""The head of a page: where it comes from, the conventions in force, what its decimals are."""

from __future__ import annotations

from symattn.narrate.words.table import table

CONVENTIONS = table(
    {
        "loss=sum": ("the loss is the sum of all entries of the output", "损失为输出所有元素之和"),
        "loss=squared": (
            "the loss is half the squared distance between output and target",
            "损失为输出与目标之差的平方和的一半",
        ),
        "loss=cross-entropy": (
            "the loss is the cross-entropy of the softmax of the output and the target",
            "损失为输出经 softmax 后与目标的交叉熵",
        ),
        "gradients-direct": (
            "gradients are those of the direct computation, which gives the same output",
            "梯度按直接计算求得，两种算法的输出相等",
        ),
        "layer=residual": ("the input is added to the output of the attention", "注意力的输出加上输入"),
        "layer=post-norm": (
            "a norm follows each residual connection (post-norm)",
            "归一化在每个残差连接之后（post-norm）",
        ),
        "layer=pre-norm": (
            "a norm precedes each sublayer (pre-norm)",
            "归一化在每个子层之前（pre-norm）",
        ),
        "layer-parts": (
            "the norm is {norm}, the activation {activation}",
            "归一化为 {norm}，激活为 {activation}",
        ),
        "epsilon_added_to=deviation": (
            "a norm adds ε outside the square root",
            "归一化把 ε 加在根号之外",
        ),
        "layer-count": ("{count} layers with the same weights", "{count} 层，权重相同"),
        "layer-count-own": ("{count} layers, each with its own weights", "{count} 层，各有权重"),
        "source": ("Source: {source}", "出处：{source}"),
        "conventions": ("Conventions: {clauses}.", "约定：{clauses}。"),
        "row-vectors": (
            "each token is a [row|column] vector",
            "每个词元为一个[行|列]向量",
        ),
        "softmax-line": (
            "the softmax is taken [along each row|down each column]",
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
        "align=top-left": (
            "the first query is aligned with the first key",
            "第一个查询与第一个键对齐",
        ),
        "align=bottom-right": ("the last query is aligned with the last key", "最后一个查询与最后一个键对齐"),
        "window-left": (
            "a query sees at most {value:key} before its own",
            "查询在自身的键之前最多看到 {value} 个键",
        ),
        "window-left-none": ("a query sees no key before its own", "查询看不到自身的键之前的键"),
        "window-right": (
            "a query sees at most {value:key} after its own",
            "查询在自身的键之后最多看到 {value} 个键",
        ),
        "window-right-none": ("a query sees no key after its own", "查询看不到自身的键之后的键"),
        "padding": (
            "padding keys are hidden",
            "填充的键被遮住",
        ),
        "kv-heads": (
            "each group of {run} consecutive heads shares keys and values",
            "每 {run} 个相邻的头共用键和值",
        ),
        "qk_norm=unit": (
            "queries and keys are normalised to length 1",
            "查询和键的长度归一为 1",
        ),
        "qk_norm=rms": (
            "queries and keys are divided by their root mean square",
            "查询和键除以各自的均方根",
        ),
        "rope-interleaved": (
            "RoPE rotates {which}, in pairs of neighbours, at position {m} by the angle {angle}, "
            "where {theta}; the first [row|column] is position {start}",
            "RoPE 旋转{which}，相邻两[列|行]为一对，位置 {m} 的旋转角为 {angle}，"
            "其中 {theta}；首[行|列]为位置 {start}",
        ),
        "rope-half": (
            "RoPE rotates {which}, [column|row] {j} paired with [column|row] {other}, at position {m} "
            "by the angle {angle}, where {theta}; the first [row|column] is position {start}",
            "RoPE 旋转{which}，第 {j} [列|行]与第 {other} [列|行]为一对，位置 {m} 的旋转角为 {angle}，"
            "其中 {theta}；首[行|列]为位置 {start}",
        ),
        "rope-base": ("{rule}: {theta}", "{rule}，即 {theta}"),
        "rope-all": ("all {d} [columns|rows]", "全部 {d} [列|行]"),
        "rope-first": ("the first {k} of {d} [columns|rows]", " {d} [列|行]中的前 {k} [列|行]"),
        "alibi": (
            "ALiBi: the distance between query and key, times the slope {m}, is subtracted",
            "ALiBi：减去查询与键的距离与斜率 {m} 之积",
        ),
        "alibi-heads": (
            "ALiBi: the distance between query and key, times the slope {m} of the head "
            "({slopes}), is subtracted",
            "ALiBi：减去查询与键的距离与该头的斜率 {m} 之积（{slopes}）",
        ),
        "relative-bias": (
            "a relative position bias {r} is added, which depends on the distance {distance}",
            "加上相对位置偏置 {r}，它取决于距离 {distance}",
        ),
        "sinks": ("the denominator includes a sink {z}", "分母中有汇点 {z}"),
        "base": ("softmax to the base {base}", "softmax 以 {base} 为底"),
        "cross": ("keys and values come from {memory}", "键和值取自 {memory}"),
        "cross-keys": ("keys come from {memory}", "键取自 {memory}"),
        "own-values": ("values come from {inputs}", "值取自 {inputs}"),
        "bias": ("a bias is added to every [row|column]", "偏置加到每一[行|列]"),
        "decimals": (
            "The sign = precedes exact values, ≈ decimals, which are proved to be correctly "
            "rounded to {digits:place}, ties away from zero.",
            "等号之后是精确值；约等号之后是近似值，按四舍五入取到小数点后 {digits} 位，每一位都经过证明。",
        ),
        "significant": (
            "The sign = precedes exact values, ≈ decimals, which are proved to be correctly "
            "rounded to {digits:significant digit}, ties away from zero.",
            "等号之后是精确值；约等号之后是近似值，按四舍五入取 {digits} 位有效数字，每一位都经过证明。",
        ),
        "by-names": (
            "An entry with a long closed form is defined where it is computed, and referred to by "
            "name from there on.",
            "封闭形式较长的元素在算出之处定义，其后以名称表示。",
        ),
        "labels": ("In labels, {clauses}.", "标签中，{clauses}。"),
        "label-space": ("␣ is a space", "␣ 表示空格"),
        "label-line": (r"\n is a line break", r"\n 表示回车"),
        "label-tab": (r"\t is a tab", r"\t 表示制表符"),
        "label-number": (
            "tokens that look alike or are empty carry the number of their [row|column] in parentheses",
            "看起来相同的词元和空词元用括号注明所在[行|列]的序号",
        ),
        "label-short": ("{label} is {token}", "“{label}”即“{token}”"),
        "no-decimals": (
            "All values contain free symbols, so they are exact and in closed form, without decimals.",
            "式中含有自由符号，因此所有值都以精确的封闭形式给出，不取小数。",
        ),
        "symbols": (
            "Values that contain a free symbol ({names}) stay in closed form, without decimals.",
            "含有自由符号（{names}）的值只写封闭形式，不取小数。",
        ),
    }
)
