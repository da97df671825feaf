"""What other evaluations of one head have besides: a cache, keys in blocks, linear attention."""

from __future__ import annotations

from symattn.attention.quantities.quantity import Quantity
from symattn.text.bilingual import Bilingual, oriented

CACHED = (
    Quantity(
        "k",
        ("1", "d_k"),
        heading=Bilingual("The new key", "新的键"),
        meaning=Bilingual("Computes the key of the new token alone.", "只计算新词元的键。"),
    ),
    Quantity(
        "v",
        ("1", "d_v"),
        heading=Bilingual("The new value", "新的值"),
        meaning=Bilingual("Computes the value of the new token alone.", "只计算新词元的值。"),
    ),
)

ONLINE = (
    Quantity(
        "S",
        ("n_q", "block"),
        heading=Bilingual("Scores of the block", "本块的得分"),
        meaning=Bilingual("The scores of the keys of this block.", "这一块中各键的得分。"),
    ),
    Quantity(
        "m",
        ("n_q", "1"),
        heading=Bilingual("Running maximum", "累计最大值"),
        meaning=Bilingual("The largest score of each query so far.", "到目前为止每个查询最大的得分。"),
        worked="rule",
    ),
    Quantity(
        "P",
        ("n_q", "block"),
        heading=Bilingual("Exponentials relative to the maximum", "相对于最大值的指数"),
        meaning=Bilingual(
            "Exponentials of at most 1, so that none overflows.", "指数都不超过 1，因此不会溢出。"
        ),
        worked="rule",
    ),
    Quantity(
        "r",
        ("n_q", "1"),
        heading=Bilingual("Rescaling", "重新缩放的因子"),
        meaning=Bilingual("Converts earlier sums to the new maximum.", "把先前的和换算到新的最大值。"),
        worked="rule",
    ),
    Quantity(
        "l",
        ("n_q", "1"),
        heading=Bilingual("Running sum", "累计和"),
        meaning=Bilingual("The sum of the exponentials so far.", "到目前为止各指数之和。"),
    ),
    Quantity(
        "O",
        ("n_q", "d_v"),
        heading=Bilingual("Running output", "累计输出"),
        meaning=Bilingual("The weighted sum of the values so far.", "到目前为止各值的加权和。"),
    ),
)

LINEAR = (
    Quantity(
        "Q_F",
        ("n_q", "d_k"),
        heading=Bilingual("Features of the queries", "查询的特征"),
        meaning=Bilingual(
            "Replaces the exponential: weights are products of features.", "代替指数：权重是特征的乘积。"
        ),
        gradient=Bilingual("Gradient of the features of the queries", "查询特征的梯度"),
        worked="rule",
    ),
    Quantity(
        "K_F",
        ("n_k", "d_k"),
        heading=Bilingual("Features of the keys", "键的特征"),
        meaning=Bilingual(
            "Replaces the exponential: weights are products of features.", "代替指数：权重是特征的乘积。"
        ),
        gradient=Bilingual("Gradient of the features of the keys", "键特征的梯度"),
        worked="rule",
    ),
    Quantity(
        "KV",
        ("d_k", "d_v"),
        heading=Bilingual("Keys times values", "键与值之积"),
        meaning=Bilingual(
            "The sum over the tokens of key times value, computed once for all queries.",
            "对各词元的键与值之积求和，供所有查询使用。",
        ),
    ),
    Quantity(
        "keys",
        ("1", "d_k"),
        letter="kappa",
        heading=Bilingual("Sum of the keys", "键之和"),
        meaning=Bilingual(
            "The sum of the keys, from which the sums of the weights are computed.",
            "各键之和，用来求权重之和。",
        ),
    ),
    Quantity(
        "mixed",
        ("n_q", "d_v"),
        letter="N",
        heading=Bilingual("Weighted sum of the values", "值的加权和"),
        meaning=Bilingual(
            "The weighted sum of the values before it is divided by the sum of the weights.",
            "各值的加权和，尚未除以权重之和。",
        ),
    ),
    Quantity(
        "total",
        ("n_q", "1"),
        letter="D",
        heading=oriented("[Row|Column] sums", "[行|列]和"),
        meaning=Bilingual("The sum of the weights of each query.", "每个查询的权重之和。"),
    ),
)
