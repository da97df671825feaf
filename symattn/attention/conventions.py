"""The keys under `[attention]` that no variant brings along."""

from __future__ import annotations

from symattn.attention.keys import Key

CONVENTIONS = (
    Key(
        "tokens_as",
        "choice",
        "rows: X (n, d_model) and Q = X W_Q; columns: every matrix transposed, X (d_model, n) and Q = W_Q X",
        ("rows", "columns"),
        default="rows",
    ),
    Key(
        "weights",
        "choice",
        "right: X W; transposed: X W^T; left: W x for each token (W X with tokens as columns)",
        ("right", "transposed", "left"),
        default="right",
    ),
    Key(
        "scale",
        "expression",
        "the factor of the scores, in d_k, d_model and n: 1/sqrt(d_k) unless given",
        default="1/sqrt(d_k)",
    ),
    Key(
        "mask",
        "mask",
        "which keys a query may see: a matrix of 1 (seen) and 0 (hidden), or, without a 1, added to scores",
        ("none", "causal"),
        infinite=True,
        default="none",
    ),
    Key(
        "mask_ones",
        "choice",
        "what a mask matrix of 0 and 1 means: a 1 marks a visible key or a hidden one, or entries are added",
        ("visible", "hidden", "added"),
    ),
    Key("heads", "integer", "the number of heads", least=1, default=1),
    Key(
        "positions",
        "choice",
        "sinusoidal: added to X; alibi and relative: a bias of the scores",
        ("none", "sinusoidal", "alibi", "relative"),
        default="none",
    ),
    Key(
        "pairs",
        "choice",
        "sinusoidal: sines and cosines in turn (interleaved), or all sines before all cosines (half)",
        ("interleaved", "half"),
        default="interleaved",
    ),
    Key(
        "exponents",
        "choice",
        "sinusoidal: 2i/d for both columns of pair i, j/d or 2j/d for column j, or i/(d/2 - 1) for pair i "
        "(full-range); all count from 0",
        ("pair", "column", "twice-column", "full-range"),
        default="pair",
    ),
    Key("start", "integer", "the position of the first token, for the encoding", least=0, default=0),
    Key("d_model", "integer", "the width of an encoding where no X is given to take it from", least=1),
    Key("base", "expression", "the base of the softmax: e unless given", default="e"),
    Key(
        "align",
        "choice",
        "which query is aligned with which key, where they differ in number",
        ("top-left", "bottom-right"),
    ),
    Key("window_left", "integer", "how many keys before its own position a query sees"),
    Key("window_right", "integer", "how many keys after its own position a query sees"),
    Key("padding", "flags", "one entry a key: 1 (or true) for a real key, 0 (or false) for padding"),
    Key("kv_heads", "integer", "the heads of K and V, shared by runs of heads; 1 is multi-query", least=1),
    Key(
        "qk_norm",
        "choice",
        "the rows of Q and K to length one (unit), or over their root mean square (rms)",
        ("none", "unit", "rms"),
        default="none",
    ),
    Key(
        "evaluation",
        "choice",
        "how one head is evaluated: direct, cached (a token a step), online (keys in blocks), linear",
        ("direct", "cached", "online", "linear"),
        default="direct",
    ),
    Key("block", "integer", "the number of keys in a block of the online softmax", least=1, default=1),
    Key(
        "layer",
        "choice",
        "what surrounds the attention: a residual, or norms and a feed-forward layer too",
        ("none", "residual", "post-norm", "pre-norm"),
        default="none",
    ),
    Key(
        "layers",
        "integer",
        "how many layers, one after the other; [given.layer2] has what is not shared",
        least=1,
        default=1,
    ),
    Key("norm", "choice", "the norm of a layer", ("layer", "rms"), default="layer"),
    Key("epsilon", "expression", "what the norm adds to the variance: 0 unless given"),
    Key(
        "epsilon_added_to",
        "choice",
        "variance: a norm divides by sqrt(variance + epsilon); deviation: by sqrt(variance) + epsilon",
        ("variance", "deviation"),
        default="variance",
    ),
    Key("activation", "choice", "the activation of the feed-forward layer", ("relu", "gelu"), default="relu"),
    Key(
        "jacobians",
        "choice",
        "rows: the Jacobian of the softmax of every row, and of its output by logits and query; "
        "all: by every key and value too",
        ("none", "rows", "all"),
        default="none",
    ),
    Key(
        "loss",
        "choice",
        "a loss of the last value that is computed, differentiated: its sum, 1/2 ||Z - target||^2, or the "
        "cross-entropy of its softmax and the target",
        ("none", "sum", "squared", "cross-entropy"),
        default="none",
    ),
    Key("slopes", "row", "the slope of each head for alibi: 2^(-8 h / heads) unless given"),
    Key(
        "undeclared",
        "choice",
        "what the source leaves open of scale and base, so that no printed number overrules it here",
        ("none", "scale", "base", "both"),
        default="none",
    ),
)
