"""What could have gone wrong on the way to one printed quantity, with every slip worked out.

A hypothesis exchanges one operation (or one argument) of the lines between what was printed before and
the quantity itself, and computes it from the printed numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from symattn.attention.quantities import QUANTITIES
from symattn.auditor.causes.by_hand import by_hand
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names
from symattn.exact.number import Exact
from symattn.plans.derive import computed
from symattn.plans.kinds import Mixture, Powers, Projection
from symattn.plans.plan import Line, Plan, base_name, downstream, leading_to
from symattn.plans.transposed import TransposedOperation, on_rows
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.errors import SymattnError


class Hypothesis(Struct, frozen=True):
    """A slip made in the step `name`, and the matrix that it leads to in the quantity examined.

    `rows` and `columns` say which row or column of that matrix was written in the place of another.
    """

    slip: str
    because: Bilingual
    name: str
    leads_to: Matrix
    rows: Mapping[int, int] = field(default_factory=dict)
    columns: Mapping[int, int] = field(default_factory=dict)

    def value(self, i: int, j: int) -> Exact:
        """What stands in entry (i, j) after the slip."""
        return self.leads_to[self.rows.get(i, i), self.columns.get(j, j)]


def hypotheses(
    name: str, plan: Plan, seen: Mapping[str, Matrix], printed: Collection[str], given: Mapping[str, Matrix]
) -> Iterator[Hypothesis]:
    """Every slip between the numbers printed before `name` and `name` itself, worked out."""
    segment = leading_to(plan, {name}, printed)
    for line in segment:
        for slip in line.op.slips():
            told = replace(line, op=slip.instead)
            yield from _computed(name, segment, told, seen, slip.code, slip.because)
        for code, because, told in (*_exchanged(line, seen, given), *by_hand(line, plan, seen)):
            yield from _computed(name, segment, told, seen, code, because)


def _computed(
    name: str, segment: Plan, told: Line, seen: Mapping[str, Matrix], code: str, because: Bilingual
) -> Iterator[Hypothesis]:
    values, names = dict(seen), Names()
    changed = downstream(segment, {told.name})
    try:
        for line in segment:
            chosen = told if line.name == told.name else line
            if line.name in changed:
                values[line.name] = computed(chosen.for_comparing(), values, names)[1]
        result = values[name]
    except (SymattnError, ArithmeticError):
        return
    if result.shape == segment[-1].op.shape(*(seen[argument].shape for argument in segment[-1].args)):
        yield Hypothesis(code, because, told.name, result)


def _exchanged(
    line: Line, seen: Mapping[str, Matrix], given: Mapping[str, Matrix]
) -> Iterator[tuple[str, Bilingual, Line]]:
    """The line with one argument taken for another: the wrong W, K or Q for V, unscaled scores."""

    def swapped(at: int, other: str) -> Line:
        args = (*line.args[:at], other, *line.args[at + 1 :])
        return replace(line, args=args)

    op = on_rows(line.op)
    if isinstance(op, Projection) and base_name(line.args[1]).startswith("W_"):
        own = base_name(line.args[1])
        for other in QUANTITIES.weights:
            taken = line.args[1].removesuffix(own) + other
            if other != own and taken in given and given[taken].shape == given[line.args[1]].shape:
                yield (
                    f"weights-{other[2:].lower()}-for-{own[2:].lower()}",
                    Bilingual(f"multiplied by {other} instead of {own}", f"乘的是 {other}，而不是 {own}"),
                    swapped(1, taken),
                )
    if isinstance(op, Mixture):
        tag = line.name[: -len(base_name(line.name))]
        for other in (q.name for q in reversed(QUANTITIES.projected) if q.name != "V"):
            if tag + other in seen and seen[tag + other].shape == seen[line.args[1]].shape:
                code = f"{'keys' if other == 'K' else 'queries'}-for-values"
                because = oriented(
                    f"weighted the [rows|columns] of {other} instead of V",
                    f"加权的是 {other} 的[行|列]，而不是 V 的[行|列]",
                )
                because = because.transposed if isinstance(line.op, TransposedOperation) else because
                yield code, because, swapped(1, tag + other)
    if isinstance(op, Powers) and base_name(line.args[0]) == "scaled":
        scores = line.args[0].replace("scaled", "scores")
        if scores in seen:
            yield (
                "scores-for-scaled",
                Bilingual("taken the exponentials of the unscaled scores", "对未缩放的得分取了指数"),
                swapped(0, scores),
            )
