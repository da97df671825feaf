"""What authors call things and say between the numbers, in English and in Chinese."""

from __future__ import annotations

SYMBOLS = {
    "scores": ("S", "S", "QK^T", "QK^T", "E"),
    "scaled": ("S'", r"\hat{S}", "S_scaled", "QK^T/√d_k", "QK^T/√d_k"),
    "masked": ("S_masked", "M'"),
    "exp": ("exp", "P"),
    "sum": ("D", "L"),
    "A": ("A", "A", "A", "α", "P", "W"),
    "Z": ("Z", "Z", "O", "Y"),
    "concat": ("C", "H"),
    "output": ("O", "MHA"),
    "residual": ("R", "X'", "X + Z"),
    "norm": ("N", "LN"),
}
"""Formulas for what bears a letter; what is not listed goes by its own."""
WORDS = {
    "X": (("Input", "embeddings"), ("输入矩阵", "词嵌入")),
    "Q": (("Queries", "Query", "Q matrix"), ("查询矩阵", "Query", "Q 矩阵")),
    "K": (("Keys", "Key", "K matrix"), ("键矩阵", "Key", "K 矩阵")),
    "V": (("Values", "Value", "V matrix"), ("值矩阵", "Value", "V 矩阵")),
    "scores": (("Scores", "scores", "Raw scores", "Attention scores"), ("注意力分数", "分数", "打分矩阵")),
    "scaled": (("Scaled scores", "scaled_scores", "Scaled"), ("缩放后的分数", "缩放分数", "缩放后")),
    "masked": (("Masked scores", "masked"), ("掩码后的分数",)),
    "exp": (("Exponentials", "exp"), ("指数", "exp 值")),
    "sum": (("Row sums", "Sum", "Denominator"), ("每行之和", "分母", "总和")),
    "A": (("Attention weights", "weights", "Attention", "Softmax"), ("注意力权重", "权重", "权重矩阵")),
    "Z": (("Output", "output", "Context", "Attention output"), ("输出", "注意力输出", "上下文向量")),
    "concat": (("Concat", "Concatenated"), ("拼接",)),
    "output": (("Final output", "Multi-head output"), ("最终输出", "多头输出")),
    "PE": (("Positional encoding", "PE"), ("位置编码", "PE")),
    "residual": (("Residual", "Add"), ("残差",)),
    "norm": (("LayerNorm", "Normalized"), ("层归一化",)),
}
HEADINGS = {
    "given": (("Inputs", "Setup", "Given"), ("输入", "已知", "设置")),
    "Q": (("Compute Q, K, V", "Projections", "Queries, keys and values"), ("计算 Q、K、V", "线性投影")),
    "scores": (("Attention scores", "Dot products", "Compute QK^T"), ("计算注意力分数", "点积打分")),
    "scaled": (("Scaling", "Divide by √d_k"), ("缩放", "除以 √d_k")),
    "A": (("Softmax", "Attention weights", "Apply softmax"), ("Softmax", "Softmax 归一化", "注意力权重")),
    "Z": (("Output", "Weighted sum of the values"), ("加权求和", "计算输出")),
    "output": (("Output projection",), ("输出投影",)),
    "PE": (("Positional encoding",), ("位置编码",)),
    "residual": (("Add & Norm", "Residual connection"), ("残差与归一化", "Add & Norm")),
    "end": (("Summary", "What does it mean?"), ("小结", "总结")),
}
SAYINGS = {
    "heads": (
        ("The columns are split into 2 heads of width {}.", "Two heads; each takes {} columns."),
        ("把列分成 2 个头，每个头宽 {}。", "共两个头，每个头取 {} 列。"),
    ),
    "hence": (("This gives {}.", "We get {}.", "Hence {}, as expected."), ("得到 {}。", "结果是 {}。")),
    "row": (("Row {} ({}):", 'For "{1}":'), ("第 {} 行（{}）：", "“{1}”：")),
    "title": (
        ("Self-attention by hand", "A worked example of attention"),
        ("自注意力手算示例", "注意力机制计算过程"),
    ),
    "start": (
        (
            "Let us work the whole thing out.",
            "BERT-base has 12 heads and d_model = 768; here everything is tiny.",
            "This follows Vaswani et al. (2017), section 3.2.1.",
            "The figures are rounded.",
        ),
        (
            "下面一步一步来计算。",
            "BERT-base 有 12 个头，d_model = 768；这里用很小的例子。",
            "参考 Vaswani 等 (2017) 第 3.2.1 节。",
        ),
    ),
    "scores": (
        ("Every query is compared with every key.", "The larger the dot product, the better the match."),
        ("每个查询和每个键做点积。",),
    ),
    "A": (
        ("Each row sums to 1.", "Softmax turns scores into probabilities."),
        ("每一行之和为 1。", "对每一行做 softmax。"),
    ),
    "Z": (("Finally the values are averaged with these weights.",), ("最后用权重对 V 加权求和。",)),
    "no scale": (
        ("We leave out the scaling by √d_k.", "There is no scaling here."),
        ("这里不做缩放。", "为简单起见省略缩放。"),
    ),
    "causal": (
        (
            "A causal mask hides later tokens.",
            "With causal masking each token sees only itself and earlier tokens.",
        ),
        ("使用因果掩码：每个词只能看到自己和之前的词。",),
    ),
    "turned": (("The weights are stored as rows, hence the transpose.",), ("权重按行存放，所以要转置。",)),
    "position": (
        ("Positions count from {}, and the model has {} dimensions.",),
        ("位置从 {} 开始，模型维度为 {}。",),
    ),
    "most": (
        ("“{}” attends most to “{}” ({}).", "The largest weight of “{}” is on “{}”: {}."),
        ("“{}”最关注“{}”（{}）。",),
    ),
    "again": (("So the result is", "In short:"), ("所以最终结果为", "综上：")),
}
TOKENS = (("cat", "sat", "mat", "river", "bank", "loves", "dogs"), ("我", "爱", "猫", "坐在", "垫子", "学习"))
