"""One quantity of a computation: everything that is known about it apart from its values."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from symattn.text.bilingual import Bilingual
from symattn.text.notation import Symbol, Text, named

Worked = Literal[
    "product",  # with matrices put into the formula, then entry by entry
    "rule",  # by a rule for every entry or row, into which no matrices are put
    "scaling",
    "mask",
    "sinusoids",
    "softmax",  # row by row, the exponentials, their sums and the weights together
]


class Quantity(Struct, frozen=True):
    """A quantity that a plan computes or a case gives, by its name without head or layer.

    `shape` has the numbers of rows and columns in symbols: n_q queries, n_k keys, n tokens that are both
    (unless there is a memory), n_past cached keys; it is empty where rows and columns count nothing that a
    page labels. `symbol` is `letter` with the index `index`, or the name itself, `W_Q` as W with the index Q.
    `after` names the quantity that this one follows where it joins a table later.
    """

    name: str
    shape: tuple[str, ...] = ()
    letter: str = ""
    index: str = ""
    also: tuple[str, ...] = ()
    """What else it is called where nothing of the computation has that symbol: P for the weights A."""
    heading: Bilingual | None = None
    """The heading of the step that computes it."""
    meaning: Bilingual | None = None
    """What the step is for, as one sentence of a page."""
    gradient: Bilingual | None = None
    """The heading of the step that computes its gradient, where it does not follow from its own."""
    title: Bilingual | None = None
    """What it is in lower case, as a report calls it beside its name."""
    given: str = ""
    """What it means as a key of `[given]`; empty where it cannot be given."""
    kind: Literal["matrix", "vector", "expression"] = "matrix"
    infinite: bool = False
    """Whether entries that are given may be minus infinity."""
    seed: str = ""
    """What its gradient means as a key of `[given]`; empty where that cannot be given."""
    of_a_head: bool = False
    """Whether one head may be given its own."""
    of_all_layers: bool = False
    """Whether no layer may be given its own."""
    source: bool = False
    """Whether queries, keys or values are projections of it."""
    weights: str = ""
    """The weights that make it from a source, where every head has its share of it: W_Q of Q."""
    made_of: tuple[str, ...] = ()
    """Given beside one of these, it was computed: scores beside Q or K."""
    logit: bool = False
    """Whether it may be what the softmax is taken of, or becomes that."""
    tap: str = ""
    """What ONNX Attention calls it (`qk_matmul_output_mode` 0 to 3)."""
    part: str = ""
    """What the part of a gradient that comes through it is called after: by default the name."""
    worked: Worked = "product"
    searched: bool = False
    """Whether equal rows and rational entries are looked for."""
    after: str = ""

    @property
    def symbol(self) -> Symbol:
        """The symbol in formulas."""
        if not self.letter:
            return named(self.name)
        return Symbol(self.letter, sub=Text(self.index) if self.index else None)

    @property
    def heading_of_gradient(self) -> Bilingual | None:
        """The heading of the step that computes its gradient: as given, or made of its own."""
        if self.gradient is not None or self.heading is None:
            return self.gradient
        return Bilingual("Gradient of the {of}", "{of}的梯度").format(of=self.heading.after_article)

    @property
    def slope(self) -> Symbol:
        """The symbol of its gradient: dQ of Q."""
        return replace(self.symbol, name=f"d{self.symbol.name}")

    @property
    def per_query(self) -> bool:
        """Whether there is one row a query."""
        return self.shape[:1] in (("n",), ("n_q",))

    @property
    def per_key(self) -> bool:
        """Whether there is one row a key."""
        return self.shape[:1] == ("n_k",)

    @property
    def square(self) -> bool:
        """Whether its entries go by query and key."""
        return self.shape == ("n_q", "n_k")

    @property
    def scalar(self) -> bool:
        """Whether it is a single number."""
        return self.shape == ("1", "1")
