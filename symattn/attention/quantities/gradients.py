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
        meaning=Bilingual(
            "Turns the output into positive numbers that sum to 1.", "使输出变为正数且和为 1。"
        ),
    ),
    Quantity(
        "error",
        ("n_q", "d_model"),
        heading=Bilingual("Error of the output", "输出的误差"),
        meaning=Bilingual("How far the output is from the target.", "输出与目标之差。"),
    ),
    Quantity(
        "loss",
        ("1", "1"),
        heading=Bilingual("Loss", "损失"),
        meaning=Bilingual(
            "A single number that measures how far the output is from the target.",
            "用一个数衡量输出与目标相差多少。",
        ),
    ),
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
    Quantity(
        "J",
        heading=Bilingual("Jacobian of the softmax", "softmax 的雅可比矩阵"),
        meaning=Bilingual("How the weights change with the scores.", "权重如何随得分变化。"),
    ),
    Quantity(
        "J_S",
        heading=Bilingual(
            "Derivative of the output with respect to the logits", "输出对 softmax 之前得分的导数"
        ),
        meaning=Bilingual(
            "How the output changes with the scores before the softmax.",
            "输出如何随 softmax 之前的得分变化。",
        ),
    ),
    Quantity(
        "J_SK",
        heading=Bilingual(
            "Derivative of the output with respect to the logits, times the keys", "输出对得分的导数乘以键"
        ),
        meaning=Bilingual(
            "The chain rule: multiplied by the derivative of the scores with respect to the query.",
            "链式法则：再乘以得分对查询的导数。",
        ),
    ),
    Quantity(
        "J_Q",
        heading=Bilingual("Derivative of the output with respect to the query", "输出对查询的导数"),
        meaning=Bilingual("How the output changes with the query.", "输出如何随查询变化。"),
    ),
    Quantity(
        "J_K",
        heading=Bilingual("Derivative of the output with respect to the key", "输出对该键的导数"),
        meaning=Bilingual("How the output changes with the key.", "输出如何随该键变化。"),
    ),
    Quantity(
        "J_V",
        heading=Bilingual("Derivative of the output with respect to the value", "输出对该值的导数"),
        meaning=Bilingual("How the output changes with the value.", "输出如何随该值变化。"),
    ),
)
