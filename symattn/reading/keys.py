"""The keys of a case, in one frozen table: the reader, the JSON Schema and the messages follow it."""

from __future__ import annotations

from dataclasses import replace

from symattn.keys import Key
from symattn.recipes.limits import MOST
from symattn.registry import CONVENTION_KEYS

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


ATTENTION = tuple(replace(key, most=MOST.get(key.name, key.most)) for key in CONVENTION_KEYS)

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
