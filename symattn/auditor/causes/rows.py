"""What a printed row of weights says as a whole: the scales that explain it, and the largest weight in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from flint import arb, ctx
from msgspec.structs import replace

from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.judge import Judged
from symattn.auditor.report import WRONG, Judgement, Printed, Remark
from symattn.exact.enclosure import HasSymbols, enclose
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, Infinite
from symattn.floats.interval import BITS
from symattn.plans.derive import Values
from symattn.plans.plan import Plan, base_name
from symattn.plans.transposed import on_columns


def scale_bounds(judged: Judged, plan: Plan) -> tuple[str, str] | None:
    """The factors of the scores that would explain the printed weights, as two decimals, or None.

    Where p and q are the preimages of two weights of a row whose scores differ by s, the factor lies in
    [ln(p_low/q_high)/s, ln(p_high/q_low)/s]; the bounds are those of all pairs together.
    """
    low, high = arb(0), None
    for _, scores, found in _weights(judged, plan, "scores"):
        for lower, upper in _pairs([j.printed for j in found], scores):
            low = low.max(lower)
            high = upper if high is None else high.min(upper)
    if high is None or low > high:
        return None
    return _decimal(low), _decimal(high)


def no_scale(judged: Judged, plan: Plan) -> tuple[Remark, ...]:
    """A remark for each printed row of weights that no factor of the printed scaled scores explains."""
    remarks = []
    for name, scaled, found in _weights(judged, plan, "scaled"):
        wrong = [j.printed for j in found if j.verdict == "slip"]
        for row in sorted({number.row for number in wrong}):
            numbers = [number for number in wrong if number.row == row]
            low, high = arb(0), arb.pos_inf()
            for lower, upper in _pairs(numbers, scaled):
                low, high = low.max(lower), high.min(upper)
            if len(numbers) > 2 and low > high:
                remarks.append(
                    Remark(
                        Finding.NO_SCALE_EXPLAINS,
                        "slip",
                        {"name": name, "row": str(row + 1)},
                        name,
                        row,
                        tuple(number.index for number in numbers),
                        numbers[0].source_line,
                        numbers[0].place,
                        on_columns(plan),
                    )
                )
    return tuple(remarks)


def _weights(judged: Judged, plan: Plan, before: str) -> Iterator[tuple[str, Matrix, list[Judgement]]]:
    """The weights of each head: their name, the quantity `before` them as evaluated, their judgements.

    Queries are rows. A head that has no such quantity is passed over.
    """
    columns = on_columns(plan)
    for line in plan:
        if base_name(line.name) != "A":
            continue
        seen = judged.evaluations.seen
        values = seen.get(line.name.replace("A", before))
        if values is not None and values.shape == seen[line.name].shape:
            yield line.name, values.T if columns else values, _printed(judged, line.name, columns)


def _printed(judged: Judged, name: str, columns: bool) -> list[Judgement]:
    """The judgements on a matrix of weights as it was printed first, with queries as rows."""
    found = [j for j in judged.judgements if j.printed.name == name and j.printed.first is None]
    return [replace(j, printed=j.printed.transposed()) for j in found] if columns else found


def _pairs(numbers: Sequence[Printed], scores: Matrix) -> list[tuple[arb, arb]]:
    bounds = []
    with ctx.workprec(BITS):
        for a in numbers:
            for b in numbers:
                if a.row != b.row:
                    continue
                s = _difference(scores[a.row, a.col], scores[b.row, b.col])
                p, q = a.numeral.nearest(), b.numeral.nearest()
                if s is None or min(p[0], q[0]) <= 0:
                    continue
                bounds.append(((arb(p[0]) / arb(q[1])).log() / s, (arb(p[1]) / arb(q[0])).log() / s))
    return bounds


def _difference(a: Exact, b: Exact) -> arb | None:
    if isinstance(a, Infinite) or isinstance(b, Infinite):
        return None
    try:
        s = enclose(a, BITS) - enclose(b, BITS)
    except (HasSymbols, ValueError):
        return None
    return s if s > 0 else None


def _decimal(ball: arb) -> str:
    return f"{float(ball.mid()):.4f}"


def wrong_word(
    judged: Judged, plan: Plan, exact: Values, labels: Mapping[str, Sequence[str]]
) -> tuple[Remark, ...]:
    """A remark for each printed row of weights whose largest is another column's than it should be.

    Where no number of the row is wrong, rounding alone has put it first. It stands on the number that is
    wrong, and is a slip where that is one: what follows from a slip ends on another word without a new one.
    """
    from symattn.auditor.statements import order_of

    remarks = []
    columns = on_columns(plan)
    rows: dict[tuple[str, int], list[Judgement]] = {}
    for name in dict.fromkeys(j.printed.name for j in judged.judgements):
        for judgement in _printed(judged, name, columns) if base_name(name) == "A" else ():
            rows.setdefault((name, judgement.printed.row), []).append(judgement)
    for (name, row), found in rows.items():
        numbers = [judgement.printed for judgement in found]
        weights = exact[name].T if columns else exact[name]
        wrong = {judgement.printed: judgement.verdict for judgement in found if judgement.verdict in WRONG}
        if len(numbers) != weights.shape[1] or not wrong:
            continue
        ranked = sorted(numbers, key=lambda number: number.numeral.value, reverse=True)
        order = order_of(weights, row)
        unique = len(ranked) < 2 or ranked[0].numeral.value > ranked[1].numeral.value
        if order is None or not unique or ranked[0].col in order[0]:
            continue
        words = labels[name]
        blamed = next(number for number in (ranked[0], *numbers) if number in wrong)
        remarks.append(
            Remark(
                Finding.WRONG_WORD,
                wrong[blamed],
                {
                    "name": name,
                    "row": str(row + 1),
                    "stated": words[ranked[0].col],
                    "actual": " = ".join(words[k] for k in order[0]),
                },
                name,
                row,
                tuple(number.index for number in numbers),
                blamed.source_line,
                blamed.place,
                columns,
            )
        )
    return tuple(remarks)
