"""A loss, Jacobians, and the parts of a gradient that have a name of their own."""

from __future__ import annotations

from symattn.attention.quantities.quantity import Quantity
from symattn.text.bilingual import Bilingual

LOSS = (
    Quantity(
        "target",
        ("n_q", "d_model"),
        letter="Y",
        given="what a loss compares the last value with, of its shape",
        of_all_layers=True,
    ),
    Quantity(
        "prediction",
        ("n_q", "d_model"),
        letter="P",
        heading=Bilingual("Probabilities of the output", "输出的概率"),
    ),
    Quantity("error", ("n_q", "d_model"), heading=Bilingual("Error of the output", "输出的误差")),
    Quantity("loss", ("1", "1"), heading=Bilingual("Loss", "损失")),
)

PARTS = (
    Quantity(
        "dX_Q",
        ("n_q", "d_model"),
        heading=Bilingual("Gradient of the inputs, through the queries", "经查询传回的输入梯度"),
    ),
    Quantity(
        "dX_K",
        ("n_k", "d_model"),
        heading=Bilingual("Gradient of the inputs, through the keys", "经键传回的输入梯度"),
    ),
    Quantity(
        "dX_QK",
        ("n", "d_model"),
        heading=Bilingual("Gradient through queries and keys", "经查询和键传回的梯度"),
    ),
    Quantity(
        "dX_V",
        ("n_k", "d_model"),
        heading=Bilingual("Gradient of the inputs, through the values", "经值传回的输入梯度"),
    ),
    Quantity(
        "dX_R",
        ("n", "d_model"),
        heading=Bilingual("Gradient of the inputs, through the residual", "经残差连接传回的输入梯度"),
    ),
    Quantity(
        "dX_N",
        ("n", "d_model"),
        heading=Bilingual("Gradient of the inputs, through the norm", "经归一化传回的输入梯度"),
    ),
)

JACOBIANS = (
    Quantity("J", heading=Bilingual("Jacobian of the softmax", "softmax 的雅可比矩阵")),
    Quantity(
        "J_S", heading=Bilingual("Derivative of the output by the logits", "输出对 softmax 之前得分的导数")
    ),
    Quantity(
        "J_SK",
        heading=Bilingual("Derivative of the output by the logits, times the keys", "输出对得分的导数乘以键"),
    ),
    Quantity("J_Q", heading=Bilingual("Derivative of the output by the query", "输出对查询的导数")),
    Quantity("J_K", heading=Bilingual("Derivative of the output by the key", "输出对该键的导数")),
    Quantity("J_V", heading=Bilingual("Derivative of the output by the value", "输出对该值的导数")),
)
