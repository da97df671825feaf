"""`audit(case)`: plan, judge, settle the conventions, diagnose, decide the statements: one report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symattn.auditor.claims import extended, printed_numbers
from symattn.auditor.conventions import Reading, no_scale, settle, wrong_word
from symattn.auditor.diagnose import diagnose
from symattn.auditor.judge import Judged, judge
from symattn.auditor.report import Printed, Remark, Report
from symattn.auditor.statements import judge_statements, shown_labels
from symattn.case import Case
from symattn.derive import Derivation, derive, shapes
from symattn.errors import ShapeMismatch, SymattnError
from symattn.exact.matrix import Matrix, spelled
from symattn.plan import Plan
from symattn.recipes.attention import attention, values

LEAST_TRUNCATED = 3


def audit(case: Case) -> Report:
    """Judge every number that the case's source printed. Raises SymattnError for an unusable case."""
    case, remarks = _readable(case)
    given = values(case)
    try:
        plan, ways = extended(case, attention(case))
        derivation = derive(plan, given)
    except SymattnError as error:
        raise error.at(file=case.file) from None
    printed, unread = printed_numbers(
        case, {name: matrix.shape for name, matrix in _known(derivation).items()}
    )

    def judging(told: Plan, truncates: bool = False) -> Judged:
        walked = derivation if told is plan else derive(told, given)
        return judge(told, ways, given, _known(walked), printed, truncates=truncates)

    reading = settle(plan, judging(plan), judging)
    judged, truncation = _truncating(reading, judging, printed)
    if reading.plan is not plan:
        derivation = derive(reading.plan, given)
    judgements, causes = diagnose(reading.plan, judged, given)
    known = _known(derivation)
    labels = {name: shown_labels(case, matrix.shape[1]) for name, matrix in known.items()}
    try:
        said = judge_statements(case, known)
    except SymattnError as error:
        raise error.at(file=case.file) from None
    notes = (
        *remarks,
        *reading.remarks,
        *truncation,
        *said,
        *no_scale(judged, reading.plan),
        *wrong_word(judged, known, labels),
    )
    return Report(case, derivation, judgements, notes, causes, tuple(unread))


def _known(derivation: Derivation) -> Mapping[str, Matrix]:
    return {**derivation.given, **derivation.values}


def _readable(case: Case) -> tuple[Case, tuple[Remark, ...]]:
    """The case, with X W^T for an undefined X W where that fits, and a remark that says so."""
    given = values(case)
    try:
        shapes(attention(case), given)
    except ShapeMismatch:
        other = "transposed" if case.settings.weights == "right" else "right"
        turned = replace(case, settings=replace(case.settings, weights=other))
        try:
            shapes(attention(turned), given)
        except SymattnError:
            return case, ()
        x = given.get("X")
        w = next((given[name] for name in ("W_Q", "W_K", "W_V") if name in given), None)
        written, fits = ("X W", "X W^T") if other == "transposed" else ("X W^T", "X W")
        said = {
            "written": written,
            "fits": fits,
            "x": spelled(x.shape) if x else "",
            "w": spelled(w.shape) if w else "",
        }
        return turned, (Remark("SA401", "shape", said),)
    except SymattnError:
        pass
    return case, ()


def _truncating(reading: Reading, judging, printed: list[Printed]) -> tuple[Judged, tuple[Remark, ...]]:  # type: ignore[no-untyped-def]
    """Read the document as one that truncates where that explains nine in ten of the numbers left wrong."""
    judged = reading.judged
    cut = [j for j in judged.judgements if j.code == "SA103"]
    wrong = [j for j in judged.judgements if j.verdict == "slip"]
    if len(cut) < LEAST_TRUNCATED or len(cut) < 9 * len(wrong):
        return judged, ()
    again: Judged = judging(reading.plan, truncates=True)
    if sum(j.verdict == "slip" for j in again.judgements) > len(wrong):
        return judged, ()
    first = cut[0].printed
    remark = Remark(
        "SA104",
        "rounding",
        {"count": str(len(cut))},
        None,
        None,
        tuple(j.printed.index for j in cut),
        first.source_line,
        first.place,
    )
    return again, (remark,)
