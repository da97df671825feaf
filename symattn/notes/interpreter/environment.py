"""What the document has printed and defined so far, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter import values
from symattn.notes.interpreter.values import Value
from symattn.notes.names.words import row_index

MOST_FORMULAS: Final = 3
MOST_PARTS: Final = 4
SIZE_NAMES: Final = ("d", "dk", "head", "dim")
_LETTERS = "ijkmnrt"
_WIDE = ("k", "q", "w_k", "w_q")
"""What tells d_k by its number of columns."""


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """A print under a name. `mended` is the same with its wrong numbers put right, for an author who went
    on from
    the right ones."""

    order: int
    value: Value
    node: Node
    labels: tuple[str, ...] = ()
    mended: Value | None = None

    def values(self) -> list[Value]:
        return [self.value] if self.mended is None else [self.value, self.mended]


@dataclass(slots=True)
class Environment:
    """Names to printed values and to formulas; the nearest earlier one comes first."""

    bound: dict[str, list[Binding]] = field(default_factory=dict)
    formulas: dict[str, list[tuple[int, Node]]] = field(default_factory=dict)

    def bind(self, key: str, node: Node, order: int, mended: Value | None = None) -> None:
        """Binds a print."""
        binding = Binding(order, values.printed(node), node, node.labels, mended)
        self.bound.setdefault(key, []).append(binding)

    def define(self, key: str, formula: Node, order: int) -> None:
        """Notes the formula of a name."""
        self.formulas.setdefault(key, []).append((order, formula))

    def definitions(self, key: str, order: int) -> list[Node]:
        """The formulas given for a name, nearest first."""
        found = [formula for at, formula in reversed(self.formulas.get(key, ())) if at <= order]
        if not found and "_" in key:
            base, *index = key.split("_")
            for general, formulas in self.formulas.items():
                name, *letters = general.split("_")
                if name == base and len(letters) == len(index) and all(x in _LETTERS for x in letters):
                    names = dict(zip(letters, index, strict=True))
                    found += [_renamed(formula, names) for at, formula in reversed(formulas) if at <= order]
        return found[:MOST_FORMULAS]

    def nearest(self, key: str, order: int, most: int = 2) -> list[Binding]:
        """Different values printed under a name before a place, nearest first."""
        found: list[Binding] = []
        for binding in reversed(self.bound.get(key, ())):
            if binding.order < order and not any(_alike(b.value, binding.value) for b in found):
                found.append(binding)
                if len(found) == most:
                    break
        return found

    def lookup(self, node: Node, order: int) -> list[Value]:
        """Values that a name may stand for.

        They were printed under it, are a row or entry of a printed matrix, or rows that were printed one by
        one.
        """
        found = self.nearest(node.key(), order)
        if found:
            return [b.value for b in found] + [b.mended for b in found if b.mended is not None]
        if node.index:
            made = self._part(node, order)
        elif node.name == "d":
            made = self._width(order)
        else:
            made = self._rows(node.name, order)
        return self._width(order) if not made and node.name == "d" else made

    def sizes(self) -> list[int]:
        """The whole numbers that sizes were given as: d_k = 512."""
        found = [
            binding.value.mid
            for key, bindings in self.bound.items()
            if key.partition("_")[0] in SIZE_NAMES
            for binding in bindings
        ]
        return sorted({int(mid) for mid in found if mid.ndim == 0 and 1 < mid < 1e5 and mid == int(mid)})[:6]

    def _part(self, node: Node, order: int) -> list[Value]:
        found: list[Value] = []
        for cut in range(len(node.index)):
            key, rest = "_".join((node.name, *node.index[:cut])), node.index[cut:]
            if len(rest) == 1 and len(rest[0]) == 2 and rest[0].isdigit():
                rest = tuple(rest[0])
            for binding in self.nearest(key, order):
                for whole in binding.values():
                    found += parts(whole, rest, binding.labels)
            if found:
                break
        return found[:MOST_PARTS]

    def _rows(self, name: str, order: int) -> list[Value]:
        rows = {}
        for key, bindings in self.bound.items():
            base, _, index = key.partition("_")
            last = bindings[-1]
            if (
                base == name
                and index
                and "_" not in index
                and last.order < order
                and len(last.value.shape) == 1
            ):
                rows[index] = last.value
        made = values.together(list(rows.values())) if len(rows) > 1 else self._entries(name, order)
        return [made] if made is not None else []

    def _entries(self, name: str, order: int) -> Value | None:
        """A matrix of which every entry was printed by itself, row by row."""
        found: dict[str, dict[str, Value]] = {}
        for key, bindings in self.bound.items():
            base, *index = key.split("_")
            if len(index) == 1 and len(index[0]) == 2 and index[0].isdigit():
                index = list(index[0])
            if (
                base == name
                and len(index) == 2
                and bindings[-1].order < order
                and not bindings[-1].value.shape
            ):
                found.setdefault(index[0], {})[index[1]] = bindings[-1].value
        columns = [tuple(row) for row in found.values()]
        if not columns or any(row != columns[0] for row in columns):
            return None
        rows = [values.together(list(row.values())) for row in found.values()]
        return values.together([row for row in rows if row is not None])

    def _width(self, order: int) -> list[Value]:
        for key in _WIDE:
            found = [b.value for b in self.nearest(key, order, 1) if b.value.shape] or self._rows(key, order)
            if found:
                return [values.constant(found[0].shape[-1])]
        return []


def _alike(a: Value, b: Value) -> bool:
    return a.shape == b.shape and bool((a.mid == b.mid).all())


def parts(whole: Value, rest: Sequence[str], labels: Sequence[str]) -> list[Value]:
    """Rows and entries that an index may mean: by label, counted from 1, counted from 0."""
    if len(rest) == 1 and rest[0] in labels:
        return [values.row(whole, labels.index(rest[0]))]
    numbers = [row_index(index) for index in rest]
    if len(numbers) > len(whole.shape):
        return []
    found = []
    for base in (1, 0):
        part: Value | None = whole
        for n in numbers:
            if n is None:
                return []
            inside = part is not None and 0 <= n - base < part.shape[0]
            part = values.row(part, n - base) if part is not None and inside else None
        if part is not None:
            found.append(part)
    return found


def _renamed(node: Node, index: dict[str, str]) -> Node:
    """A formula for any index as the formula for one."""
    args = [_renamed(a, index) for a in node.args]
    return replace(node, args=args, index=tuple(index.get(i, i) for i in node.index))
