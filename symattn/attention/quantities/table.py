"""The table of quantities: in the order of the computation, and open for those of a variant."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from types import MappingProxyType

from symattn.attention.quantities.quantity import Quantity
from symattn.text.bilingual import Bilingual


class Table(Mapping[str, Quantity]):
    """Quantities by name, in the order in which a computation has them."""

    projected: tuple[Quantity, ...]
    """Q, K and V: the projections of the inputs that the heads share out."""
    seeds: Mapping[str, Quantity]
    """What may have its gradient given, by the name of the gradient."""

    def __init__(self, *parts: tuple[Quantity, ...]) -> None:
        self._known: dict[str, Quantity] = {}
        for part in parts:
            self.join(part)

    def __getitem__(self, name: str) -> Quantity:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def values(self) -> ValuesView[Quantity]:
        return self._known.values()

    def items(self) -> ItemsView[str, Quantity]:
        return self._known.items()

    def join(self, declared: tuple[Quantity, ...]) -> None:
        """Adds the quantities of a variant, each `after` the one that it names, or at the end.

        Raises ValueError for a name that is there already, and for an `after` that is not.
        """
        order = list(self._known.values())
        for quantity in declared:
            names = [known.name for known in order]
            if quantity.name in names:
                raise ValueError(f"two quantities are named {quantity.name}")
            if quantity.after and quantity.after not in names:
                raise ValueError(f"{quantity.name} follows {quantity.after}, which is no quantity")
            order.insert(names.index(quantity.after) + 1 if quantity.after else len(order), quantity)
        self._known = {quantity.name: quantity for quantity in order}
        self.projected = tuple(quantity for quantity in order if quantity.weights)
        self.seeds = MappingProxyType({f"d{quantity.name}": quantity for quantity in order if quantity.seed})

    def of(self, name: str) -> Quantity | None:
        """The quantity of a name of a plan: A for `head2.A`; None for a gradient or an unknown name."""
        return self._known.get(name.rpartition(".")[2])

    def subject(self, base: str) -> str:
        """What a gradient is the gradient of: `X` for `dX` and for its part `dX_QK`; "" for anything else."""
        if not base.startswith("d"):
            return ""
        whole = base[1:]
        while whole and whole not in self._known:
            whole = whole.rpartition("_")[0]
        return whole or base[1:]

    def heading(self, base: str) -> tuple[Bilingual, bool]:
        """The heading of a step, and whether it is all of what that names: `dX_12` is a part of `dX`.

        Raises KeyError for what has none.
        """
        quantity = self._known.get(base)
        if quantity is not None and quantity.heading is not None:
            return quantity.heading, True
        of = self.subject(base)
        gradient = self._known[of].heading_of_gradient if of in self._known else None
        if gradient is None:
            raise KeyError(base)
        return gradient, base == f"d{of}"

    def counted(self, name: str) -> Quantity | None:
        """The quantity that has rows and columns for the same tokens: of a gradient the one it is of."""
        return self.of(name) or self._known.get(self.subject(name.rpartition(".")[2]))

    @property
    def weights(self) -> tuple[str, ...]:
        """The weights of these projections."""
        return tuple(quantity.weights for quantity in self.projected)

    @property
    def softmax(self) -> tuple[str, ...]:
        """What a softmax computes, from the exponentials to the weights."""
        return tuple(name for name, quantity in self.items() if quantity.worked == "softmax")

    @property
    def givens(self) -> tuple[Quantity, ...]:
        """What may be given."""
        return tuple(quantity for quantity in self.values() if quantity.given)

    def may_be_given(self, name: str) -> bool:
        """Whether a case may give what a plan calls by this name: `head2.Q`, `dZ`."""
        quantity = self.of(name)
        return bool(quantity.given) if quantity else name.rpartition(".")[2] in self.seeds

    def ancestors(self, name: str) -> frozenset[str]:
        """Beside which of the givens a quantity was computed, and is no input."""
        quantity = self.of(name)
        if quantity is None:
            return frozenset()
        nearest = {*quantity.made_of, quantity.weights} - {""}
        return frozenset(nearest).union(*map(self.ancestors, nearest))

    @property
    def taps(self) -> Mapping[str, tuple[str, ...]]:
        """The taps of ONNX Attention, each with the steps that it may show, the likeliest first.

        Where a step is left out its tap shows the one before it.
        """
        tapped = [quantity for quantity in self.values() if quantity.tap]
        return {
            quantity.tap: tuple(
                earlier.name
                for earlier in reversed(tapped[: at + 1])
                if earlier is quantity or (earlier.logit and quantity.logit)
            )
            for at, quantity in enumerate(tapped)
        }
