"""What is around attention in a layer: residuals, norms and the feed-forward layer."""

from __future__ import annotations

from symattn.attention.quantities.quantity import Quantity
from symattn.text.bilingual import Bilingual

LAYERS = (
    Quantity(
        "W_1",
        ("d_model", "d_ff"),
        gradient=Bilingual("Gradient of the first feed-forward weights", "前馈层第一组权重的梯度"),
        given="the first weights of the feed-forward layer (d_model, d_ff)",
    ),
    Quantity(
        "W_2",
        ("d_ff", "d_model"),
        gradient=Bilingual("Gradient of the second feed-forward weights", "前馈层第二组权重的梯度"),
        given="the second weights of the feed-forward layer (d_ff, d_model)",
    ),
    Quantity(
        "b_1",
        ("1", "d_ff"),
        gradient=Bilingual("Gradient of the first feed-forward bias", "前馈层第一个偏置的梯度"),
        given="the first bias of the feed-forward layer, one row of d_ff",
        kind="vector",
    ),
    Quantity(
        "b_2",
        ("1", "d_model"),
        gradient=Bilingual("Gradient of the second feed-forward bias", "前馈层第二个偏置的梯度"),
        given="the second bias of the feed-forward layer, one row of d_model",
        kind="vector",
    ),
    Quantity(
        "gamma_1",
        ("1", "d_model"),
        gradient=Bilingual("Gradient of the gain of the first norm", "第一次归一化的增益的梯度"),
        given="the gain of the first norm, one row of d_model",
        kind="vector",
    ),
    Quantity(
        "beta_1",
        ("1", "d_model"),
        gradient=Bilingual("Gradient of the shift of the first norm", "第一次归一化的平移的梯度"),
        given="the shift of the first norm, one row of d_model",
        kind="vector",
    ),
    Quantity(
        "gamma_2",
        ("1", "d_model"),
        gradient=Bilingual("Gradient of the gain of the second norm", "第二次归一化的增益的梯度"),
        given="the gain of the second norm, one row of d_model",
        kind="vector",
    ),
    Quantity(
        "beta_2",
        ("1", "d_model"),
        gradient=Bilingual("Gradient of the shift of the second norm", "第二次归一化的平移的梯度"),
        given="the shift of the second norm, one row of d_model",
        kind="vector",
    ),
    Quantity(
        "residual_1",
        ("n_q", "d_model"),
        letter="R",
        heading=Bilingual("Residual around the attention", "注意力的残差连接"),
        meaning=Bilingual("Adds the output of the attention to its input.", "把注意力的输出加到它的输入上。"),
        seed="the gradient of a loss in residual_1, for the backward pass of a layer",
        part="R",
    ),
    Quantity(
        "unit_1",
        ("n_q", "d_model"),
        heading=Bilingual("First norm, before its gain", "第一次归一化，乘增益之前"),
        gradient=Bilingual("Gradient of the first norm, before its gain", "第一次归一化（乘增益之前）的梯度"),
    ),
    Quantity(
        "norm_1",
        ("n_q", "d_model"),
        letter="Y",
        heading=Bilingual("First norm", "第一次归一化"),
        meaning=Bilingual(
            "Brings the entries of each token to a common scale.", "使每个词元的各分量尺度一致。"
        ),
        part="N",
        worked="rule",
    ),
    Quantity(
        "widened",
        ("n_q", "d_ff"),
        letter="H",
        heading=Bilingual("Hidden layer", "隐藏层"),
        meaning=Bilingual("Computes the hidden entries of each token.", "算出每个词元的隐藏分量。"),
        part="F",
    ),
    Quantity(
        "active",
        ("n_q", "d_ff"),
        letter="G",
        heading=Bilingual("Activation", "激活"),
        meaning=Bilingual("Makes the layer nonlinear.", "使这一层成为非线性的。"),
        worked="rule",
    ),
    Quantity(
        "ffn",
        ("n_q", "d_model"),
        letter="F",
        heading=Bilingual("Feed-forward output", "前馈层输出"),
        meaning=Bilingual("Combines the hidden entries of each token.", "组合每个词元的隐藏分量。"),
    ),
    Quantity(
        "residual_2",
        ("n_q", "d_model"),
        letter="R'",
        heading=Bilingual("Residual around the feed-forward layer", "前馈层的残差连接"),
        meaning=Bilingual(
            "Adds the output of the feed-forward layer to its input.", "把前馈层的输出加到它的输入上。"
        ),
        seed="the gradient of a loss in residual_2, for the backward pass of a layer",
        part="R",
    ),
    Quantity(
        "unit_2",
        ("n_q", "d_model"),
        heading=Bilingual("Second norm, before its gain", "第二次归一化，乘增益之前"),
        gradient=Bilingual(
            "Gradient of the second norm, before its gain", "第二次归一化（乘增益之前）的梯度"
        ),
    ),
    Quantity(
        "norm_2",
        ("n_q", "d_model"),
        letter="Y'",
        heading=Bilingual("Second norm", "第二次归一化"),
        meaning=Bilingual(
            "Brings the entries of each token to a common scale.", "使每个词元的各分量尺度一致。"
        ),
        seed="the gradient of a loss in norm_2, for the backward pass of a layer",
        part="N",
        worked="rule",
    ),
)
