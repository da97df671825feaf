"""What goes wrong by hand where no operation is another one: a summand left out, the sum of another row.

Each is a line carried out in a way that only a slip would; it is tried beside the slips of the operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from symattn.exact.matrix import Matrix
from symattn.ops.exponential import Exponential
from symattn.ops.mask import Mask
from symattn.ops.normalise import Normalise
from symattn.ops.products import WeightedSum
from symattn.ops.row_sums import RowSums
from symattn.plan import Line, Plan
from symattn.turned import Turned, on_rows, turned
from symattn.turned_words import turned_words

AFTER_SOFTMAX = (
    "put zeros into the weights for the mask without normalising them again",
    "遮住权重之后没有重新归一化",
)
Told = tuple[str, str, str, Line]
"""A code, its words in two languages, and the line that was carried out instead, on rows."""


@dataclass(frozen=True, slots=True)
class _WeighAllBut(WeightedSum):
    """A V without the summands of one key: weights (n_q, n_k), values (n_k, d_v); result (n_q, d_v)."""

    key: int = 0

    def exact(self, *arguments: Matrix) -> Matrix:
        a, v = arguments
        others = [k for k in range(v.shape[0]) if k != self.key]
        return WeightedSum().exact(a.taken(range(a.shape[0]), others), v.taken(others, range(v.shape[1])))


@dataclass(frozen=True, slots=True)
class _BySumOf(Normalise):
    """E over the sum of one of its rows: exponentials (n_q, n_k), sums (n_q, 1); result (n_q, n_k)."""

    row: int = 0

    def exact(self, *arguments: Matrix) -> Matrix:
        powers, sums = arguments
        return powers.scaled(sums[self.row, 0].inverse())


@dataclass(frozen=True, slots=True)
class _SumsOfAll(RowSums):
    """The sums of the exponentials of all scores (n_q, n_k), of hidden keys as well: (n_q, 1)."""

    def exact(self, *arguments: Matrix) -> Matrix:
        return RowSums().exact(Exponential().exact(arguments[0]))


@dataclass(frozen=True, slots=True)
class _BySumsOfAll(Normalise):
    """E over the sums of all exponentials: exponentials and scores (n_q, n_k); result (n_q, n_k)."""

    def exact(self, *arguments: Matrix) -> Matrix:
        powers, scores = arguments
        return Normalise().exact(powers, _SumsOfAll().exact(scores))


def by_hand(line: Line, plan: Plan, seen: Mapping[str, Matrix]) -> Iterator[Told]:
    """The ways to carry a line out that are slips, with tokens as they stand in the plan."""
    columns = isinstance(line.op, Turned)
    for code, because, zh, told in _on_rows(line, plan, seen, columns):
        if columns:
            because, zh, told = turned_words(because), turned_words(zh), replace(told, op=turned(told.op))
        yield code, because, zh, told


def _on_rows(line: Line, plan: Plan, seen: Mapping[str, Matrix], columns: bool) -> Iterator[Told]:
    match on_rows(line.op):
        case WeightedSum():
            count = seen[line.args[1]].shape[1 if columns else 0]
            for key in range(count if count > 1 else 0):
                words = f"left row {key + 1} of V out", f"漏掉了 V 的第 {key + 1} 行"
                yield f"value-left-out-{key + 1}", *words, replace(line, op=_WeighAllBut(key=key))
        case Normalise():
            count = seen[line.args[1]].shape[1 if columns else 0]
            for row in range(count if count > 1 else 0):
                words = f"divided by the sum of row {row + 1}", f"除以了第 {row + 1} 行的总和"
                yield "sum-of-neighbour", *words, replace(line, op=_BySumOf(row=row))
            scores = _hidden(line.args[0], plan)
            if scores is not None:
                told = replace(line, op=_BySumsOfAll(), args=(line.args[0], scores))
                yield "mask-after-softmax", *AFTER_SOFTMAX, told
        case RowSums(axis=1, without=None):
            scores = _hidden(line.args[0], plan)
            if scores is not None:
                told = replace(line, op=_SumsOfAll(), args=(scores,))
                yield "mask-after-softmax", *AFTER_SOFTMAX, told


def _hidden(powers: str, plan: Plan) -> str | None:
    """The scores that a mask hides some of before their exponentials are taken, if one does."""
    lines = {line.name: line for line in plan}
    of = lines[powers].args[0] if powers in lines else ""
    masked = lines.get(of)
    return masked.args[0] if masked is not None and isinstance(masked.op, Mask) else None
