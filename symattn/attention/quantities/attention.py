"""Attention itself: from queries, keys and values to the output."""

from __future__ import annotations

from symattn.attention.quantities.quantity import Quantity
from symattn.text.bilingual import Bilingual, oriented

PROJECTIONS = (
    Quantity(
        "Q",
        ("n_q", "d_k"),
        heading=Bilingual("Queries", "查询"),
        meaning=oriented(
            "What each token looks for: one [row|column] for each token.",
            "每个词元所询问的内容：每个词元一[行|列]。",
        ),
        title=Bilingual("queries", "查询"),
        given="the queries (n_q, d_k), given instead of computed",
        of_a_head=True,
        weights="W_Q",
    ),
    Quantity(
        "K",
        ("n_k", "d_k"),
        heading=Bilingual("Keys", "键"),
        meaning=Bilingual("What each token offers for queries to match.", "每个词元供查询匹配的内容。"),
        title=Bilingual("keys", "键"),
        given="the keys (n_k, d_k), given instead of computed",
        of_a_head=True,
        weights="W_K",
    ),
    Quantity(
        "V",
        ("n_k", "d_v"),
        heading=Bilingual("Values", "值"),
        meaning=Bilingual("What each token passes on when it is attended to.", "词元被关注时所提供的内容。"),
        title=Bilingual("values", "值"),
        given="the values (n_k, d_v), given instead of computed",
        of_a_head=True,
        weights="W_V",
    ),
    Quantity(
        "Q_N",
        ("n_q", "d_k"),
        heading=Bilingual("Normalised queries", "归一化的查询"),
        meaning=Bilingual(
            "Brings the entries of each query to a common scale.", "使每个查询的各分量尺度一致。"
        ),
        worked="rule",
    ),
    Quantity(
        "K_N",
        ("n_k", "d_k"),
        heading=Bilingual("Normalised keys", "归一化的键"),
        meaning=Bilingual("Brings the entries of each key to a common scale.", "使每个键的各分量尺度一致。"),
        worked="rule",
    ),
)

SCORES = (
    Quantity(
        "scores",
        ("n_q", "n_k"),
        letter="S",
        heading=Bilingual("Scores", "得分"),
        meaning=Bilingual(
            "How well query i fits key j: a dot product of two vectors.",
            "查询 i 与键 j 的匹配程度：两个向量的点积。",
        ),
        title=Bilingual("scores", "得分"),
        given="Q K^T (n_q, n_k), given instead of computed",
        infinite=True,
        of_a_head=True,
        made_of=("Q", "K"),
        logit=True,
    ),
    Quantity(
        "scaled",
        ("n_q", "n_k"),
        letter="S'",
        heading=Bilingual("Scaled scores", "缩放后的得分"),
        meaning=Bilingual(
            "Keeps the scores from growing with the length of the vectors.", "避免得分随向量长度增大。"
        ),
        title=Bilingual("scaled scores", "缩放后的得分"),
        given="the scaled scores (n_q, n_k), given instead of computed",
        infinite=True,
        of_a_head=True,
        made_of=("scores",),
        logit=True,
        tap="raw",
        worked="scaling",
    ),
    Quantity(
        "relative",
        ("1", "2 k + 1"),
        letter="r",
        gradient=Bilingual("Gradient of the relative biases", "相对位置偏置的梯度"),
        given="relative biases, one row of 2 k + 1 for the distances -k to k",
        kind="vector",
    ),
    Quantity(
        "biased",
        ("n_q", "n_k"),
        letter="B",
        heading=Bilingual("Scores with a position bias", "加上位置偏置的得分"),
        meaning=Bilingual(
            "Adds a bias that depends on the positions of query and key.", "加上由查询和键的位置决定的偏置。"
        ),
        logit=True,
    ),
    Quantity(
        "masked",
        ("n_q", "n_k"),
        letter="S''",
        heading=Bilingual("Masked scores", "加掩码的得分"),
        meaning=Bilingual(
            "Hides keys: the score of a hidden key becomes minus infinity.",
            "遮住部分键：被遮住的键得分变为负无穷。",
        ),
        title=Bilingual("masked scores", "加掩码的得分"),
        given="the masked scores (n_q, n_k), given instead of computed",
        infinite=True,
        of_a_head=True,
        logit=True,
        tap="biased",
        worked="mask",
    ),
)

SOFTMAX = (
    Quantity(
        "exp",
        ("n_q", "n_k"),
        letter="E",
        title=Bilingual("exponentials", "指数"),
        given="the exponentials of the scores (n_q, n_k), given instead of computed",
        of_a_head=True,
        worked="softmax",
    ),
    Quantity(
        "sink",
        ("1", "heads"),
        letter="z",
        heading=Bilingual("The sink of the head", "该头的汇点"),
        gradient=Bilingual("Gradient of the sinks", "汇点的梯度"),
        given="attention sinks, one logit a head or one for all; 0 is the softmax plus one",
        kind="vector",
    ),
    Quantity(
        "sum",
        ("n_q", "1"),
        letter="D",
        title=Bilingual("sums of the exponentials", "指数之和"),
        given="their row sums (n_q, 1), given instead of computed",
        of_a_head=True,
        worked="softmax",
    ),
    Quantity(
        "A",
        ("n_q", "n_k"),
        also=("P",),
        heading=Bilingual("Weights", "注意力权重"),
        meaning=oriented("How much each query attends to each key.", "每个查询对各个键的关注程度。"),
        title=Bilingual("attention weights", "注意力权重"),
        given="the attention weights (n_q, n_k), given instead of computed",
        of_a_head=True,
        tap="probabilities",
        worked="softmax",
        searched=True,
    ),
)

OUTPUTS = (
    Quantity(
        "Z",
        ("n_q", "d_v"),
        also=("O",),
        heading=Bilingual("Output", "输出"),
        meaning=Bilingual("Adds up the values, each multiplied by its weight.", "按权重对各个值加权求和。"),
        gradient=Bilingual("Gradient of the output of the head", "头的输出的梯度"),
        title=Bilingual("output", "输出"),
        given="the attention outputs (n_q, d_v), given instead of computed",
        seed="the gradient of a loss in Z (n_q, d_v), for the backward pass of one head",
        of_a_head=True,
        searched=True,
    ),
    Quantity(
        "concat",
        ("n_q", "heads d_v"),
        letter="C",
        heading=Bilingual("Concatenated heads", "拼接各头"),
        meaning=oriented(
            "The outputs of the heads [side by side|one below the other].", "各头的输出[左右|上下]相接。"
        ),
        gradient=Bilingual("Gradient of the concatenated heads", "拼接结果的梯度"),
        title=Bilingual("concatenated heads", "拼接各头"),
        given="the outputs of the heads side by side (n_q, heads d_v), given instead of computed",
        seed="the gradient of a loss in concat (n_q, heads d_v), for the backward pass",
        searched=True,
    ),
    Quantity(
        "output",
        ("n_q", "d_model"),
        letter="O",
        heading=Bilingual("Output projection", "输出投影"),
        meaning=Bilingual(
            "Combines the outputs of all heads by a linear map.", "用线性变换把各头的输出合在一起。"
        ),
        gradient=Bilingual("Gradient of the output", "输出的梯度"),
        title=Bilingual("output projection", "输出投影"),
        seed="the gradient of a loss in the output (n_q, d_model), for the backward pass",
        searched=True,
    ),
)
