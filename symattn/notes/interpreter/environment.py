"""What the document has printed and defined so far, by name."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from heapq import merge
from itertools import islice
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter import values
from symattn.notes.interpreter.values import Value
from symattn.notes.names.words import indices, row_index

MOST_FORMULAS: Final = 3
MOST_PARTS: Final = 4
SPLIT: Final = ("q", "k", "v", "w")
"""Of what a head has its columns."""
SIZE_NAMES: Final = ("d", "dk", "head", "dim")
_LETTERS = "ijkmnrt"
_WIDE = ("k", "q", "w_k", "w_q")
"""What tells d_k by its number of columns."""


class Binding(Struct, frozen=True, eq=False, gc=False):
    """A print under a name. `mended` is the same with its wrong numbers put right, for an author who went
    on from the right ones. `head` is that in which it is printed."""

    order: int
    value: Value
    node: Node
    labels: tuple[str, ...] = ()
    mended: Value | None = None
    head: str = ""

    def values(self) -> list[Value]:
        return [self.value] if self.mended is None else [self.value, self.mended]


class Environment(Struct):
    """Names to printed values and to formulas; the nearest earlier one comes first.

    A name within a head is what is printed there, then what is printed outside of heads, of which it is the
    columns of that head, then a number that another head prints. `heads` are all heads, in order. Prints are
    kept by name and head; `indexed` are the names of prints and formulas by what stands before their indices.
    `computed` are the values of expressions since the last change.
    """

    bound: dict[str, dict[str, list[Binding]]] = field(default_factory=dict)
    formulas: dict[str, list[tuple[int, Node]]] = field(default_factory=dict)
    indexed: dict[str, dict[str, None]] = field(default_factory=dict)
    computed: dict[tuple[object, ...], list[Value]] = field(default_factory=dict)
    lost: dict[str, list[int]] = field(default_factory=dict)
    heads: tuple[str, ...] = ()
    head: str = ""

    def bind(self, key: str, node: Node, order: int, mended: Value | None = None) -> None:
        """Binds a print."""
        binding = Binding(order, values.printed(node), node, node.labels, mended, self.head)
        self.computed.clear()
        whole = self.without_head(key) if len(node.shape) == 2 and node.shape[0] > 1 else ""
        for name in (key, whole) if whole else (key,):
            insort(self.bound.setdefault(name, {}).setdefault(self.head, []), binding, key=_order)
            self.indexed.setdefault(_base(name), {})[name] = None

    def define(self, key: str, formula: Node, order: int) -> None:
        """Notes the formula of a name."""
        self.computed.clear()
        for name in (key, self.without_head(key)):
            if name:
                self.formulas.setdefault(name, []).append((order, formula))
                self.indexed.setdefault(_base(name), {})[name] = None

    def forget(self, key: str, order: int) -> None:
        """Notes that a name stands for something that is not on the page from here on: `W_Q = np.eye(3)`."""
        self.computed.clear()
        self.lost.setdefault(key, []).append(order)

    def _since(self, key: str, order: int) -> int:
        """Where a name was last given to something else, before a place."""
        return max((at for at in self.lost.get(key, ()) if at <= order), default=-1)

    def without_head(self, key: str) -> str:
        """A name that counts the head that it is in, without that index: `q` for Q^{(1)}; else nothing."""
        whole, _, index = key.rpartition("_")
        return whole if self.head and index == self.head else ""

    def definitions(self, key: str, order: int) -> list[Node]:
        """The formulas given for a name, nearest first."""
        found = self._formulas(key, order)
        if not found and "_" in key:
            base, *index = key.split("_")
            for general in self.indexed.get(base, ()):
                letters = general.split("_")[1:]
                if len(letters) == len(index) and all(x in _LETTERS for x in letters):
                    names = dict(zip(letters, index, strict=True))
                    found += [_renamed(formula, names) for formula in self._formulas(general, order)]
        return found[:MOST_FORMULAS]

    def _formulas(self, key: str, order: int) -> list[Node]:
        since = self._since(key, order)
        earlier = (formula for at, formula in reversed(self.formulas.get(key, ())) if since < at <= order)
        return list(islice(earlier, MOST_FORMULAS))

    def nearest(self, key: str, order: int, most: int = 2) -> list[Binding]:
        """Different values printed under a name before a place, nearest first."""
        found: list[Binding] = []
        for binding in self._scoped(key, order):
            if not any(values.same(b.value, binding.value) for b in found):
                found.append(binding)
                if len(found) == most:
                    break
        return found

    def _scoped(self, key: str, order: int) -> Iterable[Binding]:
        """What is printed under a name before a place, nearest first, in the nearest scope that has any."""
        heads = self.bound.get(key)
        if heads is None:
            return ()
        since = self._since(key, order)
        before = {
            head: [b for b in each[: bisect_left(each, order, key=_order)] if b.order > since][::-1]
            for head, each in heads.items()
        }
        printed = before.get(self.head) or before.get("")
        if printed:
            return printed
        others = merge(*before.values(), key=lambda each: -each.order)
        return (b for b in others if not self.head or not b.value.shape)

    def _values(self, binding: Binding, name: str) -> list[Value]:
        """A print and its mended value, as the head that a statement is in sees them."""
        return self._of_head(binding.values(), binding.head, name)

    def _of_head(self, found: list[Value], printed_in: str, name: str) -> list[Value]:
        """What is printed outside of heads: its columns that belong to the head here, then all of it."""
        if not self.head or printed_in or name not in SPLIT or not found[0].shape:
            return found
        width, rest = divmod(found[0].shape[-1], len(self.heads))
        start = self.heads.index(self.head) * width
        if rest or len(self.heads) < 2:
            return found
        return [values.columns(each, start, start + width) for each in found] + found

    def lookup(self, node: Node, order: int) -> list[Value]:
        """Values that a name may stand for.

        They were printed under it, are a row or entry of a printed matrix, or rows that were printed one by
        one.
        """
        bindings = self.nearest(node.key(), order)
        elsewhere = self.head and not node.index and all(b.head != self.head for b in bindings)
        found = [v for b in bindings for v in self._values(b, node.name)]
        if elsewhere and self._inside(node.name):
            rows = self._rows(node.name, order)
            found = [row for row in rows if not any(values.same(row, v) for v in found)] + found
        if node.index and node.index[-1] in self.heads:
            found += self.within(node.index[-1], replace(node, index=node.index[:-1]), order)
        if found:
            return found
        if node.index:
            made = self._part(node, order)
        elif node.name == "d":
            made = self._width(order)
        else:
            made = self._rows(node.name, order)
        size = node.name == "d" and not any(index.isdigit() for index in node.index)
        return self._width(order) if not made and size else made

    def within(self, head: str, node: Node, order: int) -> list[Value]:
        """Matrices that a name stands for within a head."""
        kept, self.head = self.head, head
        found = [v for v in self.lookup(node, order) if v.shape[1:] and v.shape[0] > 1]
        self.head = kept
        return found

    def sizes(self) -> list[int]:
        """The whole numbers that sizes were given as: d_k = 512."""
        found = [
            binding.value.mid
            for base in SIZE_NAMES
            for key in self.indexed.get(base, ())
            for bindings in self.bound.get(key, {}).values()
            for binding in bindings
        ]
        return sorted({int(mid) for mid in found if mid.ndim == 0 and 1 < mid < 1e5 and mid == int(mid)})[:6]

    def _part(self, node: Node, order: int) -> list[Value]:
        found: list[Value] = []
        for cut in range(len(node.index)):
            key, rest = "_".join((node.name, *node.index[:cut])), indices(node.index[cut:])
            for binding in self.nearest(key, order):
                for whole in self._values(binding, node.name):
                    found += parts(whole, rest, binding.labels)
            if found:
                break
        return found[:MOST_PARTS]

    def _rows(self, name: str, order: int) -> list[Value]:
        """What was printed row by row, or entry by entry, as one matrix."""
        rows: dict[str, Binding] = {}
        entries: dict[str, dict[str, Binding]] = {}
        for key in self.indexed.get(name, ()):
            index = key.split("_")[1:]
            last = next(iter(self._scoped(key, order)), None) if index else None
            if last is None:
                continue
            if len(index) == 1 and last.value.shape[:-1] in ((), (1,)) and last.value.shape:
                rows[index[0]] = last
            place = indices(index)
            if len(place) == 2 and not last.value.shape:
                entries.setdefault(place[0], {})[place[1]] = last
        found = self._of_scope(rows)
        rowwise = _together([[b] for b in found.values()]) if len(found) > 1 else []
        if rowwise:
            return self._of_head(rowwise, next(iter(found.values())).head, name)
        columns = [self._of_scope(each) for each in entries.values()]
        if not columns or any(tuple(each) != tuple(columns[0]) for each in columns):
            return []
        made = _together([[*each.values()] for each in columns])
        return self._of_head(made, next(iter(columns[0].values())).head, name) if made else []

    def _inside(self, name: str) -> bool:
        """Whether rows or entries of a name are printed within the head here."""
        return any(key != name and self.head in self.bound.get(key, ()) for key in self.indexed.get(name, ()))

    def _of_scope(self, printed: dict[str, Binding]) -> dict[str, Binding]:
        """Those prints that are in the nearest scope of any."""
        scopes = [binding.head for binding in printed.values()]
        nearest = next((scope for scope in (self.head, "", *scopes[-1:]) if scope in scopes), "")
        return {index: binding for index, binding in printed.items() if binding.head == nearest}

    def _width(self, order: int) -> list[Value]:
        for key in _WIDE:
            base = key.partition("_")[0]
            printed = [self._values(b, base)[0] for b in self.nearest(key, order, 1) if b.value.shape]
            found = printed or self._rows(key, order)
            if found:
                return [values.constant(found[0].shape[-1])]
        return []


def _order(binding: Binding) -> int:
    return binding.order


def _base(key: str) -> str:
    return key.partition("_")[0]


def _together(rows: Sequence[Sequence[Binding]]) -> list[Value]:
    """Rows, or rows of entries, as one matrix: as it is printed, and with its wrong numbers put right."""
    found: list[Value] = []
    for mended in (False, True) if any(b.mended for row in rows for b in row) else (False,):
        flat: list[Value] = []
        for row in rows:
            several = [(b.mended or b.value) if mended else b.value for b in row]
            one = values.together(several) if not several[0].shape else several[0]
            flat += [values.row(one, 0) if len(one.shape) > 1 else one] if one is not None else []
        made = values.together(flat) if len(flat) == len(rows) else None
        found += [made] if made is not None else []
    return found


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
