"""What other evaluations of one head have besides: a cache, keys in blocks, linear attention."""

from __future__ import annotations

from symattn.attention.quantities.quantity import Quantity
from symattn.text.bilingual import Bilingual, oriented

CACHED = (
    Quantity("k", ("1", "d_k"), heading=Bilingual("The new key", "新的键")),
    Quantity("v", ("1", "d_v"), heading=Bilingual("The new value", "新的值")),
)

ONLINE = (
    Quantity("S", ("n_q", "block"), heading=Bilingual("Scores of the block", "本块的得分")),
    Quantity("m", ("n_q", "1"), heading=Bilingual("Running maximum", "累计最大值"), worked="rule"),
    Quantity(
        "P",
        ("n_q", "block"),
        heading=Bilingual("Exponentials relative to the maximum", "相对于最大值的指数"),
        worked="rule",
    ),
    Quantity("r", ("n_q", "1"), heading=Bilingual("Rescaling", "重新缩放的因子"), worked="rule"),
    Quantity("l", ("n_q", "1"), heading=Bilingual("Running sum", "累计和")),
    Quantity("O", ("n_q", "d_v"), heading=Bilingual("Running output", "累计输出")),
)

LINEAR = (
    Quantity(
        "Q_F",
        ("n_q", "d_k"),
        heading=Bilingual("Features of the queries", "查询的特征"),
        gradient=Bilingual("Gradient of the features of the queries", "查询特征的梯度"),
        worked="rule",
    ),
    Quantity(
        "K_F",
        ("n_k", "d_k"),
        heading=Bilingual("Features of the keys", "键的特征"),
        gradient=Bilingual("Gradient of the features of the keys", "键特征的梯度"),
        worked="rule",
    ),
    Quantity("KV", ("d_k", "d_v"), heading=Bilingual("Keys times values", "键与值之积")),
    Quantity("keys", ("1", "d_k"), letter="kappa", heading=Bilingual("Sum of the keys", "键之和")),
    Quantity(
        "mixed",
        ("n_q", "d_v"),
        letter="N",
        heading=Bilingual("Values mixed by the query", "按查询混合的值"),
        gradient=Bilingual("Gradient of the values mixed by the query", "按查询混合的值的梯度"),
    ),
    Quantity("total", ("n_q", "1"), letter="D", heading=oriented("[Row|Column] sums", "[行|列]和")),
)
