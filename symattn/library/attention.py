"""`symattn.attention`: made by `python tools/generate.py` from the table of keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Literal

from symattn.library.inputs import Flags, Floats, MaskLike, MatrixLike, Quantity, Scalar, VectorLike, tables
from symattn.library.worked import Worked, solved


def attention(
    *,
    X: MatrixLike | None = None,
    W_Q: MatrixLike | None = None,
    W_K: MatrixLike | None = None,
    W_V: MatrixLike | None = None,
    W_O: MatrixLike | None = None,
    W_G: MatrixLike | None = None,
    b_Q: VectorLike | None = None,
    b_K: VectorLike | None = None,
    b_V: VectorLike | None = None,
    b_O: VectorLike | None = None,
    b_G: VectorLike | None = None,
    memory: MatrixLike | None = None,
    W_DQ: MatrixLike | None = None,
    W_UQ: MatrixLike | None = None,
    W_QR: MatrixLike | None = None,
    W_DKV: MatrixLike | None = None,
    W_UK: MatrixLike | None = None,
    W_KR: MatrixLike | None = None,
    W_UV: MatrixLike | None = None,
    gamma_Q: VectorLike | None = None,
    gamma_KV: VectorLike | None = None,
    c_Q: MatrixLike | None = None,
    c_KV: MatrixLike | None = None,
    P_l: MatrixLike | None = None,
    P_w: MatrixLike | None = None,
    X_V: MatrixLike | None = None,
    PE: MatrixLike | None = None,
    X_PE: MatrixLike | None = None,
    past_K: MatrixLike | None = None,
    past_V: MatrixLike | None = None,
    Q: MatrixLike | None = None,
    K: MatrixLike | None = None,
    V: MatrixLike | None = None,
    scores: MatrixLike | None = None,
    scaled: MatrixLike | None = None,
    relative: VectorLike | None = None,
    lambda_q1: VectorLike | None = None,
    lambda_k1: VectorLike | None = None,
    lambda_q2: VectorLike | None = None,
    lambda_k2: VectorLike | None = None,
    lambda_: Scalar | None = None,
    masked: MatrixLike | None = None,
    exp: MatrixLike | None = None,
    sink: VectorLike | None = None,
    sum: MatrixLike | None = None,
    A: MatrixLike | None = None,
    Z: MatrixLike | None = None,
    concat: MatrixLike | None = None,
    W_1: MatrixLike | None = None,
    W_2: MatrixLike | None = None,
    b_1: VectorLike | None = None,
    b_2: VectorLike | None = None,
    gamma_1: VectorLike | None = None,
    beta_1: VectorLike | None = None,
    gamma_2: VectorLike | None = None,
    beta_2: VectorLike | None = None,
    target: MatrixLike | None = None,
    dZ: MatrixLike | None = None,
    dconcat: MatrixLike | None = None,
    dgated: MatrixLike | None = None,
    doutput: MatrixLike | None = None,
    dresidual_1: MatrixLike | None = None,
    dresidual_2: MatrixLike | None = None,
    dnorm_2: MatrixLike | None = None,
    tokens_as: Literal["rows", "columns"] | None = None,
    weights: Literal["right", "transposed", "left"] | None = None,
    scale: Scalar | None = None,
    mask: MaskLike | None = None,
    mask_ones: Literal["visible", "hidden", "added"] | None = None,
    heads: int | None = None,
    positions: Literal["none", "sinusoidal", "alibi", "relative", "rope"] | None = None,
    pairs: Literal["interleaved", "half"] | None = None,
    exponents: Literal["pair", "column", "twice-column", "full-range"] | None = None,
    start: int | None = None,
    d_model: int | None = None,
    base: Scalar | None = None,
    align: Literal["top-left", "bottom-right"] | None = None,
    window_left: int | None = None,
    window_right: int | None = None,
    padding: Flags | None = None,
    kv_heads: int | None = None,
    qk_norm: Literal["none", "unit", "rms"] | None = None,
    evaluation: Literal["direct", "cached", "online", "linear"] | None = None,
    block: int | None = None,
    layer: Literal["none", "residual", "post-norm", "pre-norm"] | None = None,
    layers: int | None = None,
    norm: Literal["layer", "rms"] | None = None,
    epsilon: Scalar | None = None,
    epsilon_added_to: Literal["variance", "deviation"] | None = None,
    activation: Literal["relu", "gelu"] | None = None,
    jacobians: Literal["none", "rows", "all"] | None = None,
    loss: Literal["none", "sum", "squared", "cross-entropy"] | None = None,
    slopes: VectorLike | None = None,
    undeclared: Literal["none", "scale", "base", "both"] | None = None,
    kernel: Literal["softmax", "relu"] | None = None,
    rotary: int | None = None,
    rotary_base: Scalar | None = None,
    past_keys: Literal["rotated", "unrotated"] | None = None,
    angles: VectorLike | None = None,
    softcap: Scalar | None = None,
    top_k: int | None = None,
    temperature: Scalar | VectorLike | None = None,
    shift: Literal["none", "max"] | None = None,
    normaliser: Literal["softmax", "relu", "sparsemax", "sigmoid"] | None = None,
    sigmoid_bias: Scalar | None = None,
    lambda_init: Scalar | None = None,
    head_norm: Literal["none", "rms"] | None = None,
    latent_norm: Literal["none", "rms"] | None = None,
    title: str | None = None,
    lang: Literal["en", "zh"] | None = None,
    source: str | None = None,
    author: str | None = None,
    date: str | None = None,
    note: str | None = None,
    tokens: Sequence[str] | None = None,
    memory_tokens: Sequence[str] | None = None,
    symbols: Sequence[str] | None = None,
    given: Mapping[str, Quantity] | None = None,
    floats: Floats | None = None,
    folder: str | PathLike[str] | None = None,
) -> Worked:
    """Derive attention exactly from matrices: what `work` returns for a case with these keys.

    >>> import symattn
    >>> symattn.attention(Q=[[1, 0]], K=[[1, 0], [0, 1]], V=[[1], [2]], scale=1)["A"]
    Matrix([[1/(1 + exp(-1)), 1/(1 + exp(1))]])

    Matrices are nested lists, arrays or matrices of SymPy and of this package; entries are `int`, `Fraction`,
    `Decimal`, SymPy numbers, or strings with exact expressions such as "1/3" and "sqrt(2)". Floats need
    `floats="printed"` (the shortest decimal that prints them) or `floats="exact"` (the binary numbers).
    A matrix in a file of the `folder` is named, "x.csv" or "w.npz:W_Q".
    `given` takes what one head or layer has of its own, by name: `given={"head1.A": ...}`. Raises
    SymattnError for what cannot be used, with the name of the argument.

    - `X`: the inputs (n, d_model), one row a token
    - `W_Q`: the weights of the queries (d_model, d_k)
    - `W_K`: the weights of the keys (d_model, d_k)
    - `W_V`: the weights of the values (d_model, d_v)
    - `W_O`: the weights of the output (heads d_v, d_model)
    - `W_G`: the weights of the output gate (d_model, heads d_v)
    - `b_Q`: the bias of the queries, one row of d_k
    - `b_K`: the bias of the keys, one row of d_k
    - `b_V`: the bias of the values, one row of d_v
    - `b_O`: the bias of the output, one row of d_model
    - `b_G`: the bias of the output gate, one row of heads d_v
    - `memory`: the inputs of keys and values, where they are not X (cross-attention)
    - `W_DQ`: the weights from the inputs to c_Q of latent attention (d_model, d_c)
    - `W_UQ`: the weights from c_Q to the queries of latent attention (d_c, heads d_h)
    - `W_QR`: the weights from c_Q to the rotary part of the queries of latent attention (d_c, heads d_R)
    - `W_DKV`: the weights from the inputs to c_KV of latent attention (d_model, d_c)
    - `W_UK`: the weights from c_KV to the keys of latent attention (d_c, heads d_h)
    - `W_KR`: the weights from the inputs to the rotary part of the keys of latent attention (d_model,
      d_R)
    - `W_UV`: the weights from c_KV to the values of latent attention (d_c, heads d_v)
    - `gamma_Q`: the gain of the normalised c_Q of latent attention (1, d_c)
    - `gamma_KV`: the gain of the normalised c_KV of latent attention (1, d_c)
    - `c_Q`: the latent of the queries (n_q, d_c), given instead of computed
    - `c_KV`: the latent of keys and values (n_k, d_c), given instead of computed
    - `P_l`: the matrix (heads, heads) of talking-heads attention that mixes the scaled scores
    - `P_w`: the matrix (heads, heads) of talking-heads attention that mixes the weights
    - `X_V`: the inputs of the values, where they are not those of the keys (n_k, d_model)
    - `PE`: the positional encodings (n, d_model), given instead of computed
    - `X_PE`: the inputs with their positions (n, d_model), given instead of computed
    - `past_K`: keys of earlier tokens (n_past, d_k), before those of X, as a cache holds them
    - `past_V`: values of earlier tokens (n_past, d_v), before those of X
    - `Q`: the queries (n_q, d_k), given instead of computed
    - `K`: the keys (n_k, d_k), given instead of computed
    - `V`: the values (n_k, d_v), given instead of computed
    - `scores`: Q K^T (n_q, n_k), given instead of computed
    - `scaled`: the scaled scores (n_q, n_k), given instead of computed
    - `relative`: relative biases, one row of 2 k + 1 for the distances -k to k
    - `lambda_q1`: one of the four vectors from which lambda of differential attention is made: lambda_q1
    - `lambda_k1`: one of the four vectors from which lambda of differential attention is made: lambda_k1
    - `lambda_q2`: one of the four vectors from which lambda of differential attention is made: lambda_q2
    - `lambda_k2`: one of the four vectors from which lambda of differential attention is made: lambda_k2
    - `lambda_`: the factor of the second map of differential attention, a single number
    - `masked`: the masked scores (n_q, n_k), given instead of computed
    - `exp`: the exponentials of the scores (n_q, n_k), given instead of computed
    - `sink`: attention sinks, one logit a head or one for all; 0 is the softmax plus one
    - `sum`: their row sums (n_q, 1), given instead of computed
    - `A`: the attention weights (n_q, n_k), given instead of computed
    - `Z`: the attention outputs (n_q, d_v), given instead of computed
    - `concat`: the outputs of the heads side by side (n_q, heads d_v), given instead of computed
    - `W_1`: the first weights of the feed-forward layer (d_model, d_ff)
    - `W_2`: the second weights of the feed-forward layer (d_ff, d_model)
    - `b_1`: the first bias of the feed-forward layer, one row of d_ff
    - `b_2`: the second bias of the feed-forward layer, one row of d_model
    - `gamma_1`: the gain of the first norm, one row of d_model
    - `beta_1`: the shift of the first norm, one row of d_model
    - `gamma_2`: the gain of the second norm, one row of d_model
    - `beta_2`: the shift of the second norm, one row of d_model
    - `target`: what a loss compares the last value with, of its shape
    - `dZ`: the gradient of a loss in Z (n_q, d_v), for the backward pass of one head
    - `dconcat`: the gradient of a loss in concat (n_q, heads d_v), for the backward pass
    - `dgated`: the gradient of a loss in the gated outputs (n_q, heads d_v), for the backward pass
    - `doutput`: the gradient of a loss in the output (n_q, d_model), for the backward pass
    - `dresidual_1`: the gradient of a loss in residual_1, for the backward pass of a layer
    - `dresidual_2`: the gradient of a loss in residual_2, for the backward pass of a layer
    - `dnorm_2`: the gradient of a loss in norm_2, for the backward pass of a layer
    - `tokens_as`: rows: X (n, d_model) and Q = X W_Q; columns: every matrix transposed, X (d_model, n)
      and Q = W_Q X (default: rows)
    - `weights`: right: X W; transposed: X W^T; left: W x for each token (W X with tokens as columns)
      (default: right)
    - `scale`: the factor of the scores, in d_k, d_model and n: 1/sqrt(d_k) unless given (default:
      1/sqrt(d_k))
    - `mask`: which keys a query may see: a matrix of 1 (seen) and 0 (hidden), or, without a 1, added to
      scores (default: none)
    - `mask_ones`: what a mask matrix of 0 and 1 means: a 1 marks a visible key or a hidden one, or
      entries are added
    - `heads`: the number of heads (default: 1)
    - `positions`: sinusoidal: added to X; alibi and relative: a bias of the scores; rope: turns Q and K
      (default: none)
    - `pairs`: sinusoidal: sines and cosines in turn (interleaved), or all sines before all cosines
      (half); rope: the columns that are turned together (default: interleaved)
    - `exponents`: sinusoidal: 2i/d for both columns of pair i, j/d or 2j/d for column j, or i/(d/2 - 1)
      for pair i (full-range); all count from 0 (default: pair)
    - `start`: the position of the first token, for the encoding (default: 0)
    - `d_model`: the width of an encoding where no X is given to take it from
    - `base`: the base of the softmax: e unless given (default: e)
    - `align`: which query is aligned with which key, where they differ in number
    - `window_left`: how many keys before its own position a query sees
    - `window_right`: how many keys after its own position a query sees
    - `padding`: one entry a key: 1 (or true) for a real key, 0 (or false) for padding
    - `kv_heads`: the heads of K and V, shared by runs of heads; 1 is multi-query
    - `qk_norm`: the rows of Q and K to length one (unit), or over their root mean square (rms) (default:
      none)
    - `evaluation`: how one head is evaluated: direct, cached (a token a step), online (keys in blocks),
      linear (default: direct)
    - `block`: the number of keys in a block of the online softmax (default: 1)
    - `layer`: what surrounds the attention: a residual, or norms and a feed-forward layer too (default:
      none)
    - `layers`: how many layers, one after the other; [given.layer2] has what is not shared (default: 1)
    - `norm`: the norm of a layer (default: layer)
    - `epsilon`: what the norm adds to the variance: 0 unless given
    - `epsilon_added_to`: variance: a norm divides by sqrt(variance + epsilon); deviation: by
      sqrt(variance) + epsilon (default: variance)
    - `activation`: the activation of the feed-forward layer (default: relu)
    - `jacobians`: rows: the Jacobian of the softmax of every row, and of its output by logits and query;
      all: by every key and value too (default: none)
    - `loss`: a loss of the last value that is computed, differentiated: its sum, 1/2 ||Z - target||^2, or
      the cross-entropy of its softmax and the target (default: none)
    - `slopes`: the slope of each head for alibi: 2^(-8 h / heads) unless given
    - `undeclared`: what the source leaves open of scale and base, so that no printed number overrules it
      here (default: none)
    - `kernel`: relu: linear attention with ReLU features for a softmax (default: softmax)
    - `rotary`: how many columns of a head rope turns: all unless given
    - `rotary_base`: the base of the angles of rope: 10000 unless given (default: 10000)
    - `past_keys`: whether past_K holds keys that rope has turned already, as the caches of common
      libraries do (default: rotated)
    - `angles`: the angle of each pair for one position, such as pi/3, instead of a base
    - `softcap`: c of c tanh(s / c), which squeezes the scaled scores before the mask
    - `top_k`: how many of the largest scores of each row are kept
    - `temperature`: what the logits are divided by before the softmax: one number, or a list of one for
      each head
    - `shift`: max: the exponentials are those of the scores minus the row maximum, exp(s - max) (default:
      none)
    - `normaliser`: relu: max(s, 0) over the number of keys in place of the softmax; sparsemax: the
      nearest point of the simplex, in which far keys have the weight 0; sigmoid: sigma(s + b) in place of
      the softmax (default: softmax)
    - `sigmoid_bias`: b of sigma(s + b) in sigmoid attention: minus the logarithm of the number of keys
      unless given
    - `lambda_init`: of differential attention: what is added to lambda; 0.8 - 0.6*exp(-0.3*(l - 1)) in
      layer l (default: 0.2)
    - `head_norm`: of differential attention: RMSNorm of the output of each head, times 1 - lambda_init
      (default: none)
    - `latent_norm`: of latent attention: RMSNorm of c_Q and c_KV (default: none)
    - `title`: the heading of the derivation
    - `lang`: the language of the narration
    - `source`: where the numbers come from
    - `author`: who wrote the case, for the page
    - `date`: its date, for the page: in quotes, as it is to be printed
    - `note`: a remark for the page
    - `tokens`: the labels of the rows, one for each row of X
    - `memory_tokens`: the labels of the keys, where they are not those of the queries
    - `symbols`: free symbols that the expressions may use
    """
    return solved(tables(locals()), folder=folder)


attention.__name__ = "symattn.attention"  # so `import symattn.attention.case as case` finds the folder
