"""What authors call things and say between the numbers, in English and Chinese."""

from __future__ import annotations

from random import Random

HEADINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "title": {
        "en": ("Self-attention by hand", "A worked example of self-attention", "Attention step by step"),
        "zh": ("自注意力手算示例", "Attention 机制完整计算过程", "一步步计算自注意力"),
    },
    "inputs": {
        "en": ("Input embeddings", "The input matrix", "Setup"),
        "zh": ("输入词嵌入矩阵X", "输入向量", "设置"),
    },
    "weights": {
        "en": ("Weight matrices", "Projection matrices"),
        "zh": ("定义权重矩阵", "权重矩阵"),
    },
    "QKV": {
        "en": ("Compute Q, K and V", "Queries, keys and values", "Linear projections"),
        "zh": ("计算 Q、K、V 矩阵", "生成Query、Key、Value", "计算 Q, K, V"),
    },
    "given": {
        "en": ("Suppose the queries, keys and values are", "Queries, keys and values (given)"),
        "zh": ("假设已有 Q、K、V", "给定的 Q、K、V"),
    },
    "scores": {
        "en": ("Attention scores", "Compute the scores QK^T", "Dot products"),
        "zh": ("计算注意力分数", "计算注意力分数 QK^T", "点积打分"),
    },
    "scaled": {
        "en": ("Scale by √d_k", "Scaling", "Divide by sqrt(d_k)"),
        "zh": ("缩放 (除以√d_k)", "缩放", "缩放 (Scale)"),
    },
    "A": {
        "en": ("Apply softmax", "Softmax", "Attention weights"),
        "zh": ("应用Softmax", "Softmax 归一化", "注意力权重"),
    },
    "Z": {
        "en": ("Weighted sum of the values", "The output", "Compute the output"),
        "zh": ("计算最终输出", "加权求和", "加权聚合Value"),
    },
    "output": {"en": ("Output projection",), "zh": ("输出投影",)},
    "concat": {
        "en": ("Concatenate the heads", "Concatenation"),
        "zh": ("拼接各个头", "多头拼接"),
    },
    **{
        f"head {n}": {
            "en": (f"Head {n}", f"Attention head {n}", f"Head #{n}"),
            "zh": (f"头 {n}", f"第{'一二三四'[n - 1]}个头", f"注意力头 {n}"),
        }
        for n in range(1, 5)
    },
    **{
        f"example {n}": {
            "en": (f"Example {n}", f"Worked example {n}", ("A first example", "A second example")[n - 1]),
            "zh": (f"例 {n}", f"示例{'一二'[n - 1]}", f"例子{n}"),
        }
        for n in range(1, 3)
    },
    "residual_1": {
        "en": ("Residual connection", "Add the input back", "Add & Norm"),
        "zh": ("残差连接", "加上输入（残差）", "Add & Norm"),
    },
    "norm_1": {
        "en": ("Layer normalisation", "LayerNorm", "Layer Norm"),
        "zh": ("层归一化 LayerNorm", "LayerNorm", "层归一化"),
    },
    "widened": {
        "en": ("Feed-forward network", "The feed-forward layer", "FFN"),
        "zh": ("前馈网络", "前馈层 FFN", "前馈神经网络"),
    },
    "residual_2": {"en": ("Second residual connection",), "zh": ("第二个残差连接",)},
    "norm_2": {"en": ("Second LayerNorm",), "zh": ("第二个 LayerNorm",)},
    "memory": {"en": ("Encoder output", "The memory"), "zh": ("编码器输出", "编码器的输出（memory）")},
    "cache": {"en": ("KV cache", "The cache so far"), "zh": ("KV 缓存", "已有的 KV cache")},
    "tempered": {"en": ("Temperature", "Divide by the temperature"), "zh": ("温度", "除以温度")},
    "X+PE": {"en": ("Add the positions", "Input with positions"), "zh": ("加上位置编码", "输入加位置编码")},
    "PE": {
        "en": ("Positional encoding", "Sinusoidal positional encoding"),
        "zh": ("位置编码", "正弦位置编码"),
    },
}

SAYINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "no scale": {
        "en": ("We skip the scaling step here.", "For simplicity there is no scaling in this example.", ""),
        "zh": ("这里忽略缩放步骤。", "为简单起见，不做缩放。", ""),
    },
    "causal": {
        "en": ("We apply a causal mask: a token only sees itself and earlier tokens (−∞ elsewhere).",),
        "zh": ("使用因果掩码（causal mask）：每个词只能看到自己和之前的词。",),
    },
    "mask": {
        "en": ("Some pairs are masked (−∞).", "Where the mask is −∞ nothing is seen."),
        "zh": ("部分位置被屏蔽（−∞）。", "掩码为 −∞ 的位置看不到。"),
    },
    "padding": {
        "en": (
            "Padding is masked: the padding mask is {}.",
            "The [PAD] tokens are hidden, padding mask = {}.",
        ),
        "zh": ("填充位置被屏蔽：padding mask = {}。", "[PAD] 是填充，填充掩码 = {}。"),
    },
    "temperature": {
        "en": ("We use a temperature of {}.", "With temperature {}:"),
        "zh": ("温度 {}。", "使用温度参数 {}："),
    },
    "appended": {
        "en": ("We append them to the cache:", "With the cache, all keys and values so far are"),
        "zh": ("把它们追加到缓存中：", "与缓存拼接后得到"),
    },
    "transposed": {
        "en": ("The weights are stored as rows, so we compute X W^T.",),
        "zh": ("权重按行存放，所以计算 X W^T。",),
    },
    "columns": {
        "en": (
            "Every token is a column: S = K^T Q and Z = V A.",
            "We write vectors as columns, a column for each token, S = K^T Q, and the softmax goes down.",
        ),
        "zh": ("每个词是一列：S = K^T Q，Z = V A。", "向量都写成列，每个词一列，S = K^T Q，按列做 softmax。"),
    },
    "story": {
        "en": (
            "Let us work the whole thing out.",
            "No magic, only sums and products.",
            "Nothing but arithmetic.",
        ),
        "zh": ("下面一步一步来计算。", "全部都可以手算。", "没有魔法，只有加法和乘法。"),
    },
    "row sums": {
        "en": ("Each row sums to one.", "The softmax is taken row by row."),
        "zh": ("每一行之和为一。", "对每一行做 softmax。"),
    },
}


def say(rng: Random, what: str, lang: str) -> str:
    """A heading or a sentence."""
    return rng.choice((HEADINGS.get(what) or SAYINGS[what])[lang])


def row_heading(rng: Random, lang: str, i: int, token: str) -> str:
    """How the row that is being worked is announced."""
    if lang == "zh":
        return rng.choice((f"第{i + 1}行 ({token})：", f"**第 {i + 1} 行：**", f"对于“{token}”："))
    return rng.choice((f"Row {i + 1} ({token}):", f"**Row {i + 1}**", f'For "{token}":'))
