"""A case: what a source gives, the conventions in force, and what it printed. Plain immutable values.

A case knows nothing of TOML or of notes; `symattn.reading` makes cases from files, `symattn.recipes`
makes plans from cases.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from symattn.exact.matrix import Matrix
from symattn.immutable import immutable


@immutable(frozen=True, slots=True, order=True)
class Place:
    """Where something stands in the file that was read; line and column count from 1, in characters.

    Of two places the one above is the smaller one.
    """

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Given:
    """A given matrix: the characters of every entry as they were typed, and their exact values.

    `typed` and `values` have the same shape; `typed[i][j]` is what a page prints for an input.
    """

    typed: tuple[tuple[str, ...], ...]
    values: Matrix

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape

    @property
    def T(self) -> Given:
        """The transpose."""
        return Given(tuple(zip(*self.typed, strict=True)), self.values.T)


UNDECLARED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "none": frozenset(),
        "scale": frozenset(("scale",)),
        "base": frozenset(("base",)),
        "both": frozenset(("scale", "base")),
    }
)
"""Which of the conventions that numbers may overrule a source leaves open, by the word for it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The `[attention]` table: the conventions of the walk. Expressions are kept as typed."""

    tokens_as: str = "rows"  # rows: Q = X W_Q; columns: every matrix transposed, Q = W_Q X
    weights: str = "right"  # right: X W; transposed: X W^T; left: W x for each token
    scale: str = "1/sqrt(d_k)"  # any exact expression in d_k, d_model, n
    mask: str | Given = "none"  # none, causal, or a matrix (0/1 or additive entries)
    heads: int = 1
    positions: str = "none"  # none, sinusoidal, rope, alibi, relative
    start: int = 0  # the position of the first token, for encodings
    base: str = "e"  # the base of the softmax, an exact expression
    d_model: int | None = None  # the width of an encoding where no X is given to take it from
    temperature: str | None = None  # the logits are divided by it, an exact expression
    softcap: str | None = None  # c of c tanh(s / c), an exact expression
    align: str | None = None  # top-left or bottom-right, where queries and keys differ in number
    window_left: int | None = None  # how many keys before its own position a query sees
    window_right: int | None = None  # and how many after it
    padding: Given | None = None  # one row: 1 for a real key, 0 for padding
    kv_heads: int | None = None  # heads of K and V, where several heads share them
    qk_norm: str = "none"  # none, unit, rms: what is done to the rows of Q and K
    pairs: str = "interleaved"  # of rotary positions: interleaved or half
    rotary: int | None = None  # how many columns of a head are turned; all unless given
    rotary_base: str = "10000"  # the base of the angles, an exact expression
    angles: Given | None = None  # one row: the angle of each pair for one position
    evaluation: str = "direct"  # direct, cached (token by token), online (block by block), linear
    block: int = 1  # the number of keys in a block of the online softmax
    kernel: str = "softmax"  # softmax, relu (linear attention with ReLU features)
    layer: str = "none"  # none, residual, post-norm, pre-norm: what stands around the attention
    layers: int = 1  # how many of them; what is given as layer2.W_Q is that of layer 2 alone
    norm: str = "layer"  # layer, rms
    epsilon: str | None = None  # of the norm, an exact expression; 0 unless given
    activation: str = "relu"  # relu, gelu: of the feed-forward layer
    jacobians: str = "none"  # none, rows (of weights and outputs), all (by keys and values too)
    loss: str = "none"  # none, sum, squared, cross-entropy: of what the walk makes last
    slopes: Given | None = None  # one row: the ALiBi slope of each head
    undeclared: str = "none"  # none, scale, base, both: what the source leaves open
    unread: Given | None = None  # one row: numbers that it prints, and nobody knows of what

    def leaving_open(self, conventions: Collection[str]) -> Settings:
        """The same where the source leaves these of scale and base open, beside what is open already."""
        wanted = UNDECLARED[self.undeclared] | (UNDECLARED["both"] & frozenset(conventions))
        return replace(self, undeclared=next(word for word, names in UNDECLARED.items() if names == wanted))

    @property
    def turns_weights(self) -> bool:
        """Whether the rows of X meet W^T: the weights stand as for a vector on their right."""
        return self.weights in ("transposed", "left")


@dataclass(frozen=True, slots=True)
class Claim:
    """One `[[stated]]` table: numbers that the source printed for the quantity `name`, verbatim.

    `values` are the typed characters, always two-dimensional; `row`/`col` (from 0) say where their
    upper left entry belongs in the quantity. `work` is the working printed beside a single value,
    `line` the line of the source, `place` where the table's values begin in the audited file and
    `places` where each numeral stands. `work_places` says where the operands of the working stand, in
    their order (`symattn.auditor.working.operands`), or is empty where that is not known.
    """

    name: str
    values: tuple[tuple[str, ...], ...]
    row: int = 0
    col: int = 0
    work: str | None = None
    line: int | None = None
    key: int | None = None  # of a `Z.term`: the key j whose weighted value vector A[row][j] V[j] it is
    example: bool = False  # the source calls the numbers an example without working them out
    place: Place | None = None
    places: tuple[tuple[Place | None, ...], ...] = ()
    work_places: tuple[Place, ...] = ()
    loose: bool = False  # which row it is was told by nothing but what stands above it


@dataclass(frozen=True, slots=True)
class Word:
    """One part of the value of a statement as its source says it: where, in which characters.

    `form` is how another one would be said in its place: `"{}"` for a token where `itself` stands.
    """

    place: Place
    said: str
    form: str = "{}"


@dataclass(frozen=True, slots=True)
class Statement:
    """One `[[statement]]` table: what the source says in words, where it can be decided.

    kind is order, argmax, equal-rows, equal-columns, sums-to-one, shape or equal; the meaning of `value`
    depends on it: order: token labels (or numbers from 0), largest first, along a row or down a col; argmax:
    one of them; equal-rows and equal-columns: their numbers; sums-to-one: nothing (of a row, a col, or the
    tokens); shape: [rows, columns]; equal: an exact expression (with row and col). `words` are the parts of
    the value where they stand, as many as there are or none; of a sum the one that a denial would change, of
    a product its second factor, wherever the source writes it.
    """

    kind: str
    name: str
    value: tuple[str, ...] = ()
    row: int | None = None
    col: int | None = None
    line: int | None = None
    place: Place | None = None
    words: tuple[Word, ...] = ()


def _no_places() -> Mapping[str, Place]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that one TOML case says."""

    title: str
    given: Mapping[str, Given]
    lang: str = "en"
    source: str | None = None
    tokens: tuple[str, ...] = ()
    memory_tokens: tuple[str, ...] = ()  # labels of the keys, where they are not those of the queries
    symbols: tuple[str, ...] = ()
    settings: Settings = Settings()
    stated: tuple[Claim, ...] = ()
    statements: tuple[Statement, ...] = ()
    file: str | None = None
    places: Mapping[str, Place] = field(default_factory=_no_places)
    """Where each key stands: `given.X`, `given.X[0][1]`, `attention.scale`, ..."""
