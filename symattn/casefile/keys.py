"""The keys of a case, in one frozen table: the reader, the JSON Schema and the messages follow it."""

from __future__ import annotations

from msgspec.structs import replace

from symattn.attention.keys import Key
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.limits import MOST
from symattn.attention.registry import CONVENTION_KEYS

CASE = (
    Key("title", "words", "the heading of the derivation"),
    Key("lang", "choice", "the language of the narration", ("en", "zh")),
    Key("source", "lines", "where the numbers come from"),
    Key("author", "words", "who wrote the case, for the page"),
    Key("date", "words", "its date, for the page: in quotes, as it is to be printed"),
    Key("note", "lines", "a remark for the page"),
    Key("tokens", "labels", "the labels of the rows, one for each row of X"),
    Key("memory_tokens", "labels", "the labels of the keys, where they are not those of the queries"),
    Key("symbols", "names", "free symbols that the expressions may use"),
    Key(
        "floats",
        "choice",
        "what floats in the files of [given] are: the shortest decimals, or the binary numbers",
        ("printed", "exact"),
    ),
    Key("given", "table", "the matrices to start from"),
    Key("attention", "table", "the conventions in force"),
    Key("step", "tables", "the lines of a computation that no convention makes"),
    Key("stated", "tables", "numbers that the source printed, verbatim"),
    Key("statement", "tables", "what the source says in words, where it can be decided"),
)

STEP = (
    Key("name", "name", "what the step computes", required=True),
    Key("operation", "name", "how: scores, scale, exponential, row-sums, normalise, ...", required=True),
    Key("of", "labels", "what it is computed from, given or computed before", required=True),
    Key("with", "table", "the parameters of the operation"),
)

GIVEN = (
    *(Key(each.name, each.kind, each.given, infinite=each.infinite) for each in QUANTITIES.givens),
    *(Key(name, "matrix", each.seed) for name, each in QUANTITIES.seeds.items()),
)
WEIGHTS = tuple(each.weights for each in QUANTITIES.projected if each.weights)
"""What may be given as "identity"."""
OF_A_HEAD = tuple(each.name for each in QUANTITIES.givens if each.of_a_head)
"""What may be given for one head, as `"head1.A"`."""
OF_ALL_LAYERS = tuple(each.name for each in QUANTITIES.givens if each.of_all_layers)
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
    Key(
        "name",
        "name",
        "the quantity, as derive --json names it or pages print it: Q, scores or S, head1.A",
        required=True,
    ),
    Key("values", "printed", "the printed numbers, verbatim", infinite=True, required=True),
    Key("row", "integer", "the row of the upper left number, from 0", least=0),
    Key("col", "integer", "the column of the upper left number, from 0", least=0),
    Key("work", "words", "the working printed with a single value"),
    Key("line", "integer", "the line of the source", least=1),
    Key("key", "integer", "of Z.term: the key j, from 0, of the weighted value A[row][j] V[j]", least=0),
    Key("points", "integer", "what right numbers here are worth where answers are marked", least=0),
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
    Key("name", "name", "the quantity, as derive --json names it or pages print it", required=True),
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
