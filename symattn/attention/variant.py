"""A variant of attention: one value that brings along all that concerns it.

A variant is a file in `symattn/attention/variants/`: its operations, with their gradients and mistakes, its
keys, its quantities, its lines of the plan, what it does not go with, and what a page says about it.
`symattn.attention.registry` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import ClassVar

from msgspec import Struct, field

from symattn.attention.case import Case
from symattn.attention.keys import Key
from symattn.attention.quantities import Quantity
from symattn.attention.sizes import Sizes
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.operation import Operation
from symattn.plans.ops.products import WeightedSum
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Formula

Spell = Callable[[Exact], Formula]
"""How a page writes a number in closed form."""


class Clause(Struct, frozen=True):
    """A clause of the list of conventions, with formulas (or numbers) for the marks of its text."""

    text: Bilingual
    parts: Mapping[str, Formula | int] = field(default_factory=lambda: MappingProxyType({}))


class Head(Struct, frozen=True):
    """One head while its plan is made: `number` counts from 0, `tag` stands before its names (`head1.`).

    `variants` are those of the case; `before` keys stand before the first query.
    """

    case: Case
    variants: tuple[Variant, ...]
    given: Mapping[str, Matrix]
    sizes: Sizes
    tag: str = ""
    number: int = 0
    before: int = 0


class Variant:
    """What the package asks a variant; a variant overrides what it has an answer to.

    The hooks that return lines are called in the order of the computation, those of one place in the order of
    the registry. Each returns no lines where the variant has nothing to do there.
    """

    name: ClassVar[str]
    """The name of its file."""
    text: ClassVar[Bilingual]
    """How messages call it: `a softcap`."""
    operations: ClassVar[tuple[type[Operation], ...]] = ()
    """Its operations, which the contract test holds to what all operations promise."""
    keys: ClassVar[tuple[Key, ...]] = ()
    """Its keys under `[attention]`."""
    quantities: ClassVar[tuple[Quantity, ...]] = ()
    """What its lines compute, each placed `after` another quantity."""
    instead_of: ClassVar[frozenset[str]] = frozenset()
    """The names of variants whose part it takes over: their hooks are not asked where it applies."""
    goes_without: ClassVar[frozenset[str]] = frozenset()
    """The names of the variants and features that it does not go with (`attention/compatibility.py`)."""

    def applies(self, case: Case) -> bool:
        """Whether the case has the variant; by default where its first key is not the usual one."""
        key = self.keys[0]
        value = getattr(case.settings, key.name)
        return value != key.default and (not key.choices or value in key.choices)

    def sizes(self, case: Case, given: Mapping[str, Matrix]) -> Sizes:
        """The sizes that its own givens tell, such as d_k where no W_Q does."""
        return {}

    def projections(self, case: Case, x: str, memory: str) -> Plan | None:
        """The lines from `x`, and from `memory` for keys and values, in place of the usual projections.

        None for the usual ones. They end in Q, K and V, unless `head_inputs` makes these.
        """
        return None

    def head_inputs(self, head: Head) -> Plan | None:
        """The lines that make Q, K and V of one head, or None for its columns of Q, K and V."""
        return None

    def shared(self, case: Case, sizes: Sizes) -> Plan:
        """Lines that come before the heads, which all of them may use."""
        return ()

    def maps(self, head: Head, attend: Callable[[Head], Plan]) -> Plan | None:
        """For a head with several attention maps the lines from its Q, K and V to its Z, or None.

        `attend` makes the lines of one map, from Q and K to A, with the tag of the head that it is given.
        """
        return None

    def queries_and_keys(self, head: Head, q: str, k: str) -> Plan:
        """Two lines that make the queries and the keys of one head anew, from those named `q` and `k`."""
        return ()

    def attended(self, head: Head, q: str, k: str) -> Plan | None:
        """The lines from the queries `q` and keys `k` to the weights A (to Z where they are not evaluated
        directly) in place of the usual ones, or None."""
        return None

    def before_mask(self, head: Head, scores: str) -> Plan:
        """Lines from the scaled scores named `scores` to those that bias and mask are added to."""
        return ()

    def after_mask(self, head: Head, scores: str) -> Plan:
        """Lines from the masked scores to the logits."""
        return ()

    def weights(self, head: Head, logits: str) -> Plan | None:
        """The lines from the logits to the weights A in place of the softmax, or None for the softmax."""
        return None

    def after_weights(self, head: Head, weights: str) -> Plan:
        """Lines from the weights A of one head, named `weights`, to those that V is multiplied by."""
        return ()

    def before_projection(self, case: Case, joined: str, x: str) -> Plan:
        """Lines from the outputs of all heads, `joined`, and the inputs `x` to what W_O is applied to."""
        return ()

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        """What the list of conventions says about it."""
        yield from ()


class Normaliser(Variant):
    """What makes weights of the logits in place of the softmax, by a choice of the key `normaliser`."""

    goes_without = frozenset({"sink", "base", "linear", "online", "jacobians", "shift"})


def normaliser(choice: str, meaning: str) -> Key:
    """The key `normaliser` with one more choice than the softmax."""
    return Key("normaliser", "choice", f"{choice}: {meaning}", ("softmax", choice), default="softmax")


def most_nodes_after(line: Line | None, terms: int = 1) -> int | None:
    """How long an entry of the result of a line is seen in closed form where so many are added up.

    As `Line.most_nodes` of the next line.
    """
    return 0 if line is not None and line.op.most_in_sums < terms else None


def valued(head: Head, weights: Plan, name: str) -> Plan:
    """The lines that make the weights of a head, and its `name`, these weights times V."""
    most_nodes = most_nodes_after(weights[-1], head.sizes.get("n", 0))
    args = weights[-1].name, f"{head.tag}V"
    return (*weights, Line(f"{head.tag}{name}", WeightedSum(), args, most_nodes))
