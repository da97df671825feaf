"""The keys of a case, in one frozen table: the reader, the JSON Schema and the messages follow it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from symattn.case import UNDECLARED
from symattn.recipes.limits import MOST

Kind = Literal[
    "words",  # a string on one line
    "name",  # the same, not empty and without spaces around it
    "lines",  # a string, on several lines too
    "choice",  # one of `choices`
    "integer",  # a whole number from `least` to `most`
    "switch",  # true or false
    "expression",  # a number, or a string with an exact expression
    "matrix",  # a list of rows of expressions
    "vector",  # one flat row, or a matrix of one row (of one column with tokens as columns)
    "row",  # one flat row, or a matrix of one row
    "flags",  # a row in which true and false stand for 1 and 0
    "mask",  # one of `choices`, or a matrix of 0/1, true/false or additive entries
    "printed",  # an expression, a row of them or a matrix
    "labels",  # a list of strings
    "names",  # a list of names for free symbols
    "picks",  # a label, number or expression, or a list of them
    "table",
    "tables",
]


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a table: what it holds and what that means."""

    name: str
    kind: Kind
    meaning: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 2**31 - 1
    infinite: bool = False  # whether an entry may be minus infinity
    required: bool = False


CASE = (
    Key("title", "words", "the heading of the derivation"),
    Key("lang", "choice", "the language of the narration", ("en", "zh")),
    Key("source", "lines", "where the numbers come from"),
    Key("tokens", "labels", "the labels of the rows, one for each row of X"),
    Key("memory_tokens", "labels", "the labels of the keys, where they are not those of the queries"),
    Key("symbols", "names", "free symbols that the expressions may use"),
    Key("given", "table", "the matrices to start from"),
    Key("attention", "table", "the conventions in force"),
    Key("stated", "tables", "numbers that the source printed, verbatim"),
    Key("statement", "tables", "what the source says in words, where it can be decided"),
)

GIVEN = (
    Key("X", "matrix", "the inputs (n, d_model), one row a token"),
    Key("W_Q", "matrix", "the weights of the queries (d_model, d_k)"),
    Key("W_K", "matrix", "the weights of the keys (d_model, d_k)"),
    Key("W_V", "matrix", "the weights of the values (d_model, d_v)"),
    Key("W_O", "matrix", "the weights of the output (heads d_v, d_model)"),
    Key("b_Q", "vector", "the bias of the queries, one row of d_k"),
    Key("b_K", "vector", "the bias of the keys, one row of d_k"),
    Key("b_V", "vector", "the bias of the values, one row of d_v"),
    Key("b_O", "vector", "the bias of the output, one row of d_model"),
    Key("memory", "matrix", "the inputs of keys and values, where they are not X (cross-attention)"),
    Key("Q", "matrix", "the queries (n_q, d_k), given instead of computed"),
    Key("K", "matrix", "the keys (n_k, d_k), given instead of computed"),
    Key("V", "matrix", "the values (n_k, d_v), given instead of computed"),
    Key("past_K", "matrix", "keys of earlier tokens (n_past, d_k), before those of X, as a cache holds them"),
    Key("past_V", "matrix", "values of earlier tokens (n_past, d_v), before those of X"),
    Key("scores", "matrix", "Q K^T (n_q, n_k), given instead of computed", infinite=True),
    Key("scaled", "matrix", "the scaled scores (n_q, n_k), given instead of computed", infinite=True),
    Key("masked", "matrix", "the masked scores (n_q, n_k), given instead of computed", infinite=True),
    Key("exp", "matrix", "the exponentials of the scores (n_q, n_k), given instead of computed"),
    Key("sum", "matrix", "their row sums (n_q, 1), given instead of computed"),
    Key("A", "matrix", "the attention weights (n_q, n_k), given instead of computed"),
    Key("Z", "matrix", "the attention outputs (n_q, d_v), given instead of computed"),
    Key("PE", "matrix", "the positional encodings (n, d_model), given instead of computed"),
    Key("X+PE", "matrix", "the inputs with their positions (n, d_model), given instead of computed"),
    Key(
        "concat",
        "matrix",
        "the outputs of the heads side by side (n_q, heads d_v), given instead of computed",
    ),
    Key("W_1", "matrix", "the first weights of the feed-forward layer (d_model, d_ff)"),
    Key("W_2", "matrix", "the second weights of the feed-forward layer (d_ff, d_model)"),
    Key("b_1", "vector", "the first bias of the feed-forward layer, one row of d_ff"),
    Key("b_2", "vector", "the second bias of the feed-forward layer, one row of d_model"),
    Key("gamma_1", "vector", "the gain of the first norm, one row of d_model"),
    Key("beta_1", "vector", "the shift of the first norm, one row of d_model"),
    Key("gamma_2", "vector", "the gain of the second norm, one row of d_model"),
    Key("beta_2", "vector", "the shift of the second norm, one row of d_model"),
    Key("dZ", "matrix", "the gradient of a loss in Z (n_q, d_v), for the backward pass of one head"),
    Key("dconcat", "matrix", "the gradient of a loss in concat (n_q, heads d_v), for the backward pass"),
    Key("doutput", "matrix", "the gradient of a loss in the output (n_q, d_model), for the backward pass"),
    Key("dresidual_1", "matrix", "the gradient of a loss in residual_1, for the backward pass of a layer"),
    Key("dresidual_2", "matrix", "the gradient of a loss in residual_2, for the backward pass of a layer"),
    Key("dnorm_2", "matrix", "the gradient of a loss in norm_2, for the backward pass of a layer"),
    Key("target", "matrix", "what a loss compares the last value with, of its shape"),
    Key("sink", "vector", "attention sinks, one logit a head or one for all; 0 is the softmax plus one"),
    Key("relative", "vector", "relative biases, one row of 2 k + 1 for the distances -k to k"),
)

OF_A_HEAD = ("Q", "K", "V", "scores", "scaled", "masked", "exp", "sum", "A", "Z")
"""What may be given for one head, as `"head1.A"`."""


OF_ALL_LAYERS = ("X", "PE", "X+PE", "memory", "target")
"""What no layer has of its own."""


def given_keys(heads: int, layers: int) -> tuple[Key, ...]:
    """The keys of `[given]` for a case with so many heads and layers."""
    known = {key.name: key for key in GIVEN}
    found: tuple[Key, ...] = GIVEN
    if heads > 1:
        found += tuple(
            replace(
                known[name],
                name=f"head{head}.{name}",
                meaning=f"{name} of head {head}, given instead of computed",
            )
            for head in range(1, heads + 1)
            for name in OF_A_HEAD
        )
    if layers > 1:
        found += tuple(
            replace(key, name=f"layer{layer}.{key.name}", meaning=f"{key.meaning}, of layer {layer} alone")
            for layer in range(1, layers + 1)
            for key in found
            if key.name not in OF_ALL_LAYERS
        )
    return found


_CONVENTIONS = (
    Key(
        "tokens_as",
        "choice",
        "rows: X (n, d_model) and Q = X W_Q; columns: every matrix transposed, X (d_model, n) and Q = W_Q X",
        ("rows", "columns"),
    ),
    Key(
        "weights",
        "choice",
        "right: X W; transposed: X W^T; left: W x for each token (W X with tokens as columns)",
        ("right", "transposed", "left"),
    ),
    Key("scale", "expression", "the factor of the scores, in d_k, d_model and n: 1/sqrt(d_k) unless given"),
    Key("mask", "mask", "which keys a query may see", ("none", "causal"), infinite=True),
    Key("heads", "integer", "the number of heads", least=1),
    Key(
        "positions",
        "choice",
        "sinusoidal: added to X; rope: turns Q and K; alibi and relative: a bias of the scores",
        ("none", "sinusoidal", "rope", "alibi", "relative"),
    ),
    Key("start", "integer", "the position of the first token, for the encoding", least=0),
    Key("d_model", "integer", "the width of an encoding where no X is given to take it from", least=1),
    Key("base", "expression", "the base of the softmax: e unless given"),
    Key("temperature", "expression", "what the logits are divided by before the softmax"),
    Key("softcap", "expression", "c of c tanh(s / c), which squeezes the scaled scores before the mask"),
    Key(
        "align",
        "choice",
        "which query and key stand side by side, where they differ in number",
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
    ),
    Key("pairs", "choice", "the columns that rope turns together", ("interleaved", "half")),
    Key("rotary", "integer", "how many columns of a head rope turns: all unless given", least=2),
    Key("rotary_base", "expression", "the base of the angles of rope: 10000 unless given"),
    Key("angles", "row", "the angle of each pair for one position, such as pi/3, instead of a base"),
    Key(
        "evaluation",
        "choice",
        "how one head is walked: direct, cached (a token a step), online (keys in blocks), linear",
        ("direct", "cached", "online", "linear"),
    ),
    Key("block", "integer", "the number of keys in a block of the online softmax", least=1),
    Key("kernel", "choice", "relu: linear attention with ReLU features for a softmax", ("softmax", "relu")),
    Key(
        "layer",
        "choice",
        "what stands around the attention: a residual, or norms and a feed-forward layer too",
        ("none", "residual", "post-norm", "pre-norm"),
    ),
    Key(
        "layers",
        "integer",
        "how many layers, one after the other; [given.layer2] has what is not shared",
        least=1,
    ),
    Key("norm", "choice", "the norm of a layer", ("layer", "rms")),
    Key("epsilon", "expression", "what the norm adds to the variance: 0 unless given"),
    Key("activation", "choice", "the activation of the feed-forward layer", ("relu", "gelu")),
    Key(
        "jacobians",
        "choice",
        "rows: the Jacobian of the softmax of every row, and of its output by logits and query; "
        "all: by every key and value too",
        ("none", "rows", "all"),
    ),
    Key(
        "loss",
        "choice",
        "a loss of what the walk makes last, differentiated: its sum, 1/2 ||Z - target||^2, or the "
        "cross-entropy of its softmax and the target",
        ("none", "sum", "squared", "cross-entropy"),
    ),
    Key("slopes", "row", "the slope of each head for alibi: 2^(-8 h / heads) unless given"),
    Key(
        "undeclared",
        "choice",
        "what the source leaves open of scale and base, so that no printed number overrules it here",
        tuple(UNDECLARED),
    ),
    Key(
        "unread",
        "row",
        "numbers of the source that are stated of nothing: what seems not to be printed may be among them",
    ),
)

ATTENTION = tuple(replace(key, most=MOST.get(key.name, key.most)) for key in _CONVENTIONS)

STATED = (
    Key("name", "name", "the quantity, as derive --json names it: Q, scores, A, head1.A, ...", required=True),
    Key("values", "printed", "the printed numbers, verbatim", infinite=True, required=True),
    Key("row", "integer", "the row of the upper left number, from 0", least=0),
    Key("col", "integer", "the column of the upper left number, from 0", least=0),
    Key("work", "words", "the working printed beside a single value"),
    Key("line", "integer", "the line of the source", least=1),
    Key("key", "integer", "of Z.term: the key j, from 0, whose weighted value A[row][j] V[j] it is", least=0),
    Key("example", "switch", "whether the source calls the numbers an example and does not work them out"),
)

STATEMENT = (
    Key(
        "kind",
        "choice",
        "what is stated",
        ("order", "argmax", "equal-rows", "equal-columns", "sums-to-one", "shape", "equal"),
        required=True,
    ),
    Key("name", "name", "the quantity, as derive --json names it", required=True),
    Key(
        "value",
        "picks",
        "labels or numbers for order and argmax, rows for equal-rows, [rows, columns] for shape",
    ),
    Key("row", "integer", "the row that is meant, from 0", least=0),
    Key("col", "integer", "the column that is meant, from 0", least=0),
    Key("line", "integer", "the line of the source", least=1),
)

SIZES = ("d_k", "d_model", "n")
"""The names that a scale may use beside the declared symbols."""
