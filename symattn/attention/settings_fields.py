"""The settings of a case by name: made by `python tools/generate.py` from the registry."""

from __future__ import annotations

from msgspec import Struct

from symattn.attention.given import Given


class Fields(Struct, frozen=True):
    """The `[attention]` table. Expressions are kept as they were typed."""

    tokens_as: str = "rows"
    weights: str = "right"
    scale: str = "1/sqrt(d_k)"
    mask: str | Given = "none"
    mask_ones: str | None = None
    heads: int = 1
    positions: str = "none"
    pairs: str = "interleaved"
    exponents: str = "pair"
    start: int = 0
    d_model: int | None = None
    base: str = "e"
    align: str | None = None
    window_left: int | None = None
    window_right: int | None = None
    padding: Given | None = None
    kv_heads: int | None = None
    qk_norm: str = "none"
    evaluation: str = "direct"
    block: int = 1
    layer: str = "none"
    layers: int = 1
    norm: str = "layer"
    epsilon: str | None = None
    epsilon_added_to: str = "variance"
    activation: str = "relu"
    jacobians: str = "none"
    loss: str = "none"
    slopes: Given | None = None
    undeclared: str = "none"
    kernel: str = "softmax"
    rotary: int | None = None
    rotary_base: str = "10000"
    past_keys: str = "rotated"
    angles: Given | None = None
    softcap: str | None = None
    top_k: int | None = None
    temperature: str | Given | None = None
    shift: str = "none"
    normaliser: str = "softmax"
    sigmoid_bias: str | None = None
    lambda_init: str = "0.2"
    head_norm: str = "none"
    latent_norm: str = "none"
