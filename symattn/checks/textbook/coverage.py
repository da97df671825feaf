"""Which cases the textbook formulas are written for: keys and givens that it knows, and their values.

What a new variant brings along is not understood until it is written here, so that nothing is called wrong
because this computation does not know it.
"""

from __future__ import annotations

from symattn.attention.case import Case, Settings

KEYS = {
    "tokens_as": {"rows", "columns"},
    "weights": {"right", "transposed", "left"},
    "mask_ones": {"visible", "hidden", "added"},
    "positions": {"none", "sinusoidal", "rope", "alibi", "relative"},
    "align": {"top-left", "bottom-right"},
    "qk_norm": {"none", "unit", "rms"},
    "evaluation": {"direct", "cached", "online", "linear"},
    "layer": {"none", "residual", "post-norm", "pre-norm"},
    "norm": {"layer", "rms"},
    "activation": {"relu", "gelu"},
    "kernel": {"softmax", "relu"},
    "pairs": {"interleaved", "half"},
    "exponents": {"pair", "column", "twice-column", "full-range"},
    "past_keys": {"rotated", "unrotated"},
    "epsilon_added_to": {"variance", "deviation"},
    "shift": {"none", "max"},
    "normaliser": {"softmax", "relu", "sparsemax", "sigmoid"},
    "head_norm": {"none", "rms"},
    "latent_norm": {"none", "rms"},
}
"""The values of each key that is a choice."""

OTHER_KEYS = frozenset(
    """
    scale mask heads start d_model base window_left window_right padding kv_heads block layers epsilon
    jacobians loss slopes undeclared rotary rotary_base angles softcap top_k temperature
    sigmoid_bias lambda_init
    """.split()  # noqa: SIM905
)

GIVENS = frozenset(
    """
    X memory PE X+PE past_K past_V Q K V scores scaled masked exp sum A Z concat output sink relative target
    X_V W_Q W_K W_V W_O b_Q b_K b_V b_O W_G b_G W_1 b_1 W_2 b_2 gamma_1 beta_1 gamma_2 beta_2
    P_l P_w lambda lambda_q1 lambda_k1 lambda_q2 lambda_k2
    W_DQ W_UQ W_QR W_DKV W_UK W_UV W_KR c_Q c_KV gamma_Q gamma_KV
    """.split()  # noqa: SIM905
)


def not_understood(case: Case) -> tuple[str, ...]:
    """The keys and givens of a case for which no formula is written here, as `attention.x` and `given.X`."""
    if case.program is not None:
        return ("[[step]]",)
    usual = Settings()
    found = []
    for name in case.settings.__struct_fields__:
        value = getattr(case.settings, name)
        known = name in OTHER_KEYS or value in KEYS.get(name, ())
        if value != getattr(usual, name) and not known:
            found.append(f"attention.{name}")
    for name in case.given:
        base = name.rpartition(".")[2]
        if base not in GIVENS and not base.startswith("d"):  # a given gradient changes no step before it
            found.append(f"given.{name}")
    return tuple(found)
