"""What a computation starts from: tokens, weights, biases, positions, a cache."""

from __future__ import annotations

from symattn.bilingual import Bilingual
from symattn.quantities.quantity import Quantity

INPUTS = (
    Quantity(
        "X",
        ("n", "d_model"),
        title=Bilingual("inputs", "输入"),
        gradient=Bilingual("Gradient of the inputs", "输入的梯度"),
        given="the inputs (n, d_model), one row a token",
        of_all_layers=True,
        source=True,
    ),
    Quantity(
        "W_Q",
        ("d_model", "d_k"),
        gradient=Bilingual("Gradient of the query weights", "查询权重的梯度"),
        given="the weights of the queries (d_model, d_k)",
    ),
    Quantity(
        "W_K",
        ("d_model", "d_k"),
        gradient=Bilingual("Gradient of the key weights", "键权重的梯度"),
        given="the weights of the keys (d_model, d_k)",
    ),
    Quantity(
        "W_V",
        ("d_model", "d_v"),
        gradient=Bilingual("Gradient of the value weights", "值权重的梯度"),
        given="the weights of the values (d_model, d_v)",
    ),
    Quantity(
        "W_O",
        ("heads d_v", "d_model"),
        gradient=Bilingual("Gradient of the output weights", "输出权重的梯度"),
        given="the weights of the output (heads d_v, d_model)",
    ),
    Quantity(
        "b_Q",
        ("1", "d_k"),
        gradient=Bilingual("Gradient of the query bias", "查询偏置的梯度"),
        given="the bias of the queries, one row of d_k",
        kind="vector",
    ),
    Quantity(
        "b_K",
        ("1", "d_k"),
        gradient=Bilingual("Gradient of the key bias", "键偏置的梯度"),
        given="the bias of the keys, one row of d_k",
        kind="vector",
    ),
    Quantity(
        "b_V",
        ("1", "d_v"),
        gradient=Bilingual("Gradient of the value bias", "值偏置的梯度"),
        given="the bias of the values, one row of d_v",
        kind="vector",
    ),
    Quantity(
        "b_O",
        ("1", "d_model"),
        gradient=Bilingual("Gradient of the output bias", "输出偏置的梯度"),
        given="the bias of the output, one row of d_model",
        kind="vector",
    ),
    Quantity(
        "memory",
        ("n_k", "d_model"),
        gradient=Bilingual("Gradient of the memory", "记忆的梯度"),
        given="the inputs of keys and values, where they are not X (cross-attention)",
        of_all_layers=True,
        source=True,
    ),
    Quantity(
        "PE",
        ("n", "d_model"),
        heading=Bilingual("Positional encoding", "位置编码"),
        title=Bilingual("positional encoding", "位置编码"),
        given="the positional encodings (n, d_model), given instead of computed",
        of_all_layers=True,
        worked="sinusoids",
    ),
    Quantity(
        "X+PE",
        ("n", "d_model"),
        letter="X'",
        heading=Bilingual("Embeddings with positions", "加上位置编码的嵌入"),
        given="the inputs with their positions (n, d_model), given instead of computed",
        of_all_layers=True,
        source=True,
    ),
    Quantity(
        "past_K",
        ("n_past", "d_k"),
        letter="K",
        index="past",
        gradient=Bilingual("Gradient of the keys in the cache", "缓存中的键的梯度"),
        given="keys of earlier tokens (n_past, d_k), before those of X, as a cache holds them",
    ),
    Quantity(
        "past_V",
        ("n_past", "d_v"),
        letter="V",
        index="past",
        gradient=Bilingual("Gradient of the values in the cache", "缓存中的值的梯度"),
        given="values of earlier tokens (n_past, d_v), before those of X",
    ),
    Quantity(
        "new_K",
        ("n", "d_k"),
        letter="k",
        heading=Bilingual("Keys of the new tokens", "新词元的键"),
        gradient=Bilingual("Gradient of the keys of the new tokens", "新词元的键的梯度"),
        part="K",
    ),
    Quantity(
        "new_V",
        ("n", "d_v"),
        letter="v",
        heading=Bilingual("Values of the new tokens", "新词元的值"),
        gradient=Bilingual("Gradient of the values of the new tokens", "新词元的值的梯度"),
        part="V",
    ),
)
