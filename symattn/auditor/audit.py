"""`audit(case)`: plan, judge, settle the conventions, diagnose, decide the statements: one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import UNDECLARED, Case
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.attention import attention, values
from symattn.attention.recipes.columns import as_columns
from symattn.auditor.causes.conventions import Reading, settle
from symattn.auditor.causes.diagnose import diagnose, unexcused
from symattn.auditor.causes.divisors import with_rounded_root
from symattn.auditor.causes.misprints import with_misprints
from symattn.auditor.causes.precision import with_single_precision
from symattn.auditor.causes.rows import no_scale, wrong_word
from symattn.auditor.causes.shift import with_maximum
from symattn.auditor.causes.unshown import with_rounded_steps
from symattn.auditor.claims import Ways, entry_name, extended, printed_numbers
from symattn.auditor.findings.codes import Finding
from symattn.auditor.fixing.fixes import with_fixes
from symattn.auditor.judging.baseline import Baseline
from symattn.auditor.judging.judge import Hopeless, Judged, judge
from symattn.auditor.judging.supposed import Meant
from symattn.auditor.known_names import with_known_names
from symattn.auditor.report import Remark, Report, Unread
from symattn.auditor.statements import judge_statements, shown_labels
from symattn.exact.matrix import Matrix
from symattn.exact.shapes import spelled
from symattn.plans.derive import Derivation, Values, defined, derive, shapes
from symattn.plans.plan import Plan
from symattn.text.bilingual import Bilingual
from symattn.text.errors import ShapeMismatch, SymattnError, UndefinedValue

PRODUCTS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("rows", "right"): "X W",
        ("rows", "transposed"): "X W^T",
        ("rows", "left"): "W X^T",
        ("columns", "left"): "W X",
        ("columns", "transposed"): "W^T X",
    }
)
"""What a projection multiplies, by `tokens_as` and `weights`."""


def audit(case: Case) -> Report:
    """Judge every number that the case's source printed.

    Raises SymattnError for an unusable case, and TypeError for what is none, such as the path of one.
    """
    if not isinstance(case, Case):
        raise TypeError(
            f"audit takes a Case, not {type(case).__name__}: symattn.audit_file(path) audits the file of a "
            "case or of notes, symattn.audit_text their text"
        )
    return Audit.of(case).report()


class Audit(Struct, frozen=True, dict=True):
    """A case whose numbers are judged, whatever conventions they follow, and not yet diagnosed.

    `declared` is the report by what is declared, where the numbers follow another convention.
    """

    case: Case
    given: Values
    derivation: Derivation
    ways: Ways
    reading: Reading
    judged: Judged
    unread: Sequence[Unread]
    remarks: tuple[Remark, ...]
    truncation: tuple[Remark, ...]
    declared: Report | None

    @staticmethod
    def of(case: Case) -> Audit:
        """Plan, judge, settle the conventions. Raises SymattnError for an unusable case."""
        given = values(case)
        try:
            case, plan, remarks = _readable(case, given)
            case = with_known_names(case, (*given, *(line.name for line in plan)))
            plan, ways = extended(case, plan)
            derivation, undefined = _derived(case, plan, given)
            plan = derivation.plan
        except SymattnError as error:
            raise error.at(file=case.file) from None
        sizes = {name: matrix.shape for name, matrix in _known(derivation).items()}
        printed, unread = printed_numbers(case, sizes, undefined)

        def judging(told: Plan) -> Judged:
            known = _known(derivation if told is plan else derive(told, given))
            return judge(Baseline.of(told, ways, given, known, printed))

        shifted = with_maximum(plan, judging(plan), judging)
        if shifted.plan is not plan:
            plan, derivation = shifted.plan, derive(shifted.plan, given)
        first = shifted.judged
        reading = settle(plan, first, judging, UNDECLARED[case.settings.undeclared])
        remarks += shifted.remarks
        declared = None
        if reading.plan is not plan:
            meant = with_fixes(first.completed().judgements, (*plan, *ways.values()), _known(derivation))
            declared = Report(case, derivation, meant, seen=reading.judged.evaluations.seen)
            derivation = derive(reading.plan, given)
        judged, truncation = with_rounded_root(with_single_precision(reading.judged))
        judged, more = with_rounded_steps(judged)
        truncation += more
        return Audit(case, given, derivation, ways, reading, judged, unread, remarks, truncation, declared)

    def rounded(self) -> Report | None:
        """The report where steps that are not shown were rounded as those that are; None unless that
        explains more."""
        judged, _ = with_rounded_steps(self.judged)
        return replace(self, judged=judged).report() if judged is not self.judged else None

    def report(self) -> Report:
        """Find misprints and causes, say what to fix, and decide the statements."""
        case, given, plan = self.case, self.given, self.reading.plan
        baseline, supposed = self.judged.evaluations.baseline, self.judged.evaluations.supposed

        def with_typos(typos: Meant, hopeless: Hopeless, before: Judged) -> Judged:
            return judge(baseline, replace(supposed, typos=typos), hopeless, before)

        judged = with_misprints(self.judged, with_typos, plan, given).completed()
        judgements, causes = diagnose(plan, judged, given)
        hidden = unexcused(judged, causes)
        if hidden:
            accused = replace(supposed, typos=judged.evaluations.supposed.typos, wrong=hidden)
            judged = judge(baseline, accused, before=judged).completed()
            judgements, causes = diagnose(plan, judged, given)
        known = _known(self.derivation)
        judgements = with_fixes(judgements, (*plan, *self.ways.values()), known)
        keys = {name: matrix.shape[0 if as_columns(case) else 1] for name, matrix in known.items()}
        labels = {name: shown_labels(case, count) for name, count in keys.items()}
        try:
            said = judge_statements(case, self.derivation)
        except SymattnError as error:
            raise error.at(file=case.file) from None
        notes = (
            *self.remarks,
            *self.reading.remarks,
            *self.truncation,
            *said,
            *no_scale(judged, plan),
            *wrong_word(judged, plan, known, labels),
        )
        return Report(
            case,
            self.derivation,
            judgements,
            notes,
            causes,
            tuple(self.unread),
            declared=self.declared,
            seen=judged.evaluations.seen,
        )


def _derived(case: Case, plan: Plan, given: Values) -> tuple[Derivation, Mapping[str, Bilingual]]:
    """The evaluation as far as it is defined, and why what is left out of it has no value.

    The norm of a constant row divides by zero; what is printed before it can be judged all the same.
    Raises UndefinedValue where nothing that is printed has a value.
    """
    try:
        return derive(plan, given), {}
    except UndefinedValue:
        derivation, undefined = defined(plan, given)
        asked = {entry_name(claim) for claim in case.stated} | {said.name for said in case.statements}
        if asked <= undefined.keys():
            raise
        return derivation, undefined


def _known(derivation: Derivation) -> Mapping[str, Matrix]:
    return {**derivation.given, **derivation.values}


def _readable(case: Case, given: Values) -> tuple[Case, Plan, tuple[Remark, ...]]:
    """The case and its plan, with X W^T for an undefined X W where that fits, and a remark that says so."""
    try:
        plan = attention(case)
        shapes(plan, given)
        return case, plan, ()
    except ShapeMismatch:
        settings = case.settings
        other = "transposed" if settings.weights != "transposed" else "left" if as_columns(case) else "right"
        turned = replace(case, settings=replace(settings, weights=other))
        try:
            plan = attention(turned)
            shapes(plan, given)
        except SymattnError:
            return case, attention(case), ()
        x = given.get("X")
        w = next((given[name] for name in QUANTITIES.weights if name in given), None)
        if x is None or w is None:
            return turned, plan, ()
        said = {
            "written": PRODUCTS[settings.tokens_as, settings.weights],
            "fits": PRODUCTS[settings.tokens_as, other],
            "x": spelled((w if as_columns(case) else x).shape),
            "w": spelled((x if as_columns(case) else w).shape),
        }
        return turned, plan, (Remark(Finding.UNDEFINED_PRODUCT, "shape", said),)
    except SymattnError:
        return case, attention(case), ()
