"""From a document of notes to reports: read, audit each worked example, judge what stands alone.

text -> Reading -> Cases and Equations -> Reports
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from symattn.auditor.audit import audit
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.equations import judge_equations
from symattn.auditor.report import WRONG, Printed, Remark, Report, Unread
from symattn.auditor.suppressions import blanked, comments, suppressed
from symattn.bilingual import Bilingual
from symattn.case import Case, Place
from symattn.errors import SymattnError, UnreadableFile
from symattn.file_names import shown
from symattn.plan import base_name
from symattn.reading.kinds import Kind, kind_of
from symattn.reading.notes import Reading, read_notes
from symattn.reading.notes.cases.declared import MASKED
from symattn.reading.notes.formulas.characters import language_of
from symattn.reading.notes.result import Convention, Equation
from symattn.reading.notes.result import Unread as NotRead
from symattn.reading.overrides import NONE, Overrides
from symattn.reading.said_again import AGAIN, rows_again, said_again
from symattn.reading.toml_file import text_of
from symattn.reading.withheld.rounds import ELSEWHERE, ROUNDED, audited, is_of_another
from symattn.reading.withheld.surroundings import Surroundings
from symattn.reading.workers import Each, in_turn, within
from symattn.recipes.projections import transposed_weights

_SAID: Mapping[tuple[str, str], str] = MappingProxyType(
    {("weights", "right"): "X W", ("weights", "transposed"): "X W^T"}
)


def reading_of(path: str, given: Overrides = NONE) -> Reading:
    """What is understood of a document, and not withheld. Raises UnreadableFile, with its name."""
    try:
        text = text_of(Path(path))
        return settled(read_document(text, shown(path), kind_of(path), given), text)
    except SymattnError as problem:
        raise problem.at(file=path) from None


def read_document(
    text: str, file: str | None, kind: Kind, given: Overrides = NONE, each: Each = in_turn
) -> Reading:
    """The reading of a text, without what comments switch off. Raises UnreadableFile for no notebook."""
    text = text.removeprefix("\ufeff")
    if kind == "notebook":
        _check_notebook(text)
    return read_notes(text, file, kind, partial(blanked, kind=kind), given, each)


def document_reports(
    text: str, file: str | None, kind: Kind, given: Overrides = NONE, each: Each = in_turn
) -> tuple[Report, ...]:
    """One report for each worked example of a document, and one for what stands outside all of them.

    Lines and columns are those of the document; a byte order mark takes no column. What `given` says of
    the conventions wins over the document; `each` says how its examples are read and audited. Raises
    UnreadableFile for a notebook that is none.
    """
    text = text.removeprefix("\ufeff")
    reports = _reports(read_document(text, file, kind, given, each), text, file, given, each)
    off = [
        comment.lines for comment in comments(text, kind) if comment.verb == "off" and comment.problem is None
    ]
    unseen = 0
    if off:
        everything = read_notes(text, file, kind, given=given, each=each)
        unseen = _findings_in(off, _reports(everything, text, file, given, each))
    return suppressed(text, kind, reports, unseen)


def _check_notebook(text: str) -> None:
    """Raises UnreadableFile for a text that is no notebook."""
    format_4 = "an .ipynb of format 4 is a JSON file with a list of cells"
    remedy = Bilingual(format_4, "第 4 版格式的 .ipynb 是含有 cells 列表的 JSON 文件")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        line, column = getattr(problem, "lineno", None), getattr(problem, "colno", None)
        said = str(getattr(problem, "msg", "nested too deep"))
        found = Bilingual(f"not a notebook: {said[:1].lower()}{said[1:]}", "不是 notebook：JSON 有误")
        raise UnreadableFile(found, remedy).at(line=line, column=column) from None
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        raise UnreadableFile(Bilingual("a notebook without cells", "notebook 里没有 cells"), remedy)


def _reports(
    reading: Reading, text: str, file: str | None, given: Overrides, each: Each
) -> tuple[Report, ...]:
    """The reports on a document, chapter by chapter."""
    chapters = reading.chapters or (reading,)
    work = partial(_reports_on, page=_Page(text, file), given=given, each=within(each, chapters))
    reported = each(work, chapters)
    found = [replace(report, text=text) for reports in reported for report in reports]
    telling = [report for report in found if report.printed or report.remarks]
    return tuple(telling) or (found[-1],)


def _reports_on(reading: Reading, page: _Page, given: Overrides, each: Each) -> tuple[Report, ...]:
    """The reports on a chapter, without the text of the document."""
    reports: list[Report] = []
    lost: list[Unread] = []
    explained = _Explained(reading, page)
    for report, withheld in each(partial(_report, reading, explained, given), range(len(reading.cases))):
        lost += withheld
        if report is not None:
            reports.append(report)
    unread = tuple(Unread(each.text, each.code, each.why, place=each.place) for each in reading.unread)
    missed = {each.place for each in lost if not is_of_another(each)}
    missed |= {
        each.place for report in reports for each in report.unread if each.code == Finding.OUT_OF_RANGE
    }
    otherwise = {
        equation.place: equation for equation in reversed(reading.otherwise) if equation.place in missed
    }
    rounded = {each.place for each in lost if each.why == ROUNDED}
    lost = [each for each in lost if each.place not in otherwise]
    reports = [
        replace(report, unread=tuple(each for each in report.unread if each.place not in otherwise))
        for report in reports
    ]
    workings = {each.place: each for each in reversed(reading.otherwise) if each.formula is None}
    reports = [replace(report, beside=tuple(_beside(report, workings))) for report in reports]
    equations = (*reading.equations, *otherwise.values())
    if equations or unread or lost or not reports:
        outside = judge_equations(equations, _outside(reading, page), reports)
        aside = {each.printed.place for each in outside.judgements if each.verdict in WRONG}
        again = rows_again(equations, reports) if aside else frozenset[Place]()
        if aside := aside & (reading.disowned | rounded | again):
            lost += [
                Unread(
                    each.printed,
                    Finding.CANNOT_BE_RECOMPUTED,
                    AGAIN if each.place in again else ELSEWHERE,
                    place=each.place,
                )
                for each in equations
                if each.place in aside
            ]
            kept = tuple(each for each in equations if each.place not in aside)
            outside = judge_equations(kept, _outside(reading, page), reports)
        reports.append(outside)
        unread = (*outside.unread, *lost, *unread)
    told, unread = said_again(reports, unread, reading.not_computed, page.lines)
    return (*told[:-1], replace(told[-1], unread=unread)) if unread else told


def _beside(report: Report, workings: Mapping[Place, Equation]) -> Iterator[Printed]:
    """The numbers of a report that is to be fixed with the workings that stand beside them, unjudged."""
    if any(judged.fix for judged in report.judgements):
        for number in (judged.printed for judged in report.judgements):
            work = workings.get(number.place) if number.place is not None and number.work is None else None
            if work is not None:
                yield replace(number, work=work.work, work_places=work.work_places)


def _report(
    reading: Reading, explained: _Explained, given: Overrides, k: int
) -> tuple[Report | None, list[Unread]]:
    """The report of a walk, None where it cannot be walked, and the claims that are none of it."""
    try:
        report, withheld = _judged(reading, k, explained)
    except SymattnError as error:
        return None, list(_lost(reading.cases[k], error))
    declared = _as_declared(report, reading.conventions[k])
    telling = [each for each in reading.conventions[k] if _matters(each, report)]
    said = (*by_option(given), *_said(telling, _told_apart(report, declared)))
    remarks = (*report.remarks, *said)
    return replace(report, remarks=remarks, declared=declared or report.declared), withheld


def settled(reading: Reading, text: str) -> Reading:
    """The reading without the claims that the audit of its document withholds, which are unread in it."""
    page = _Page(text, reading.file)
    return Reading.joined([_settled(chapter, page) for chapter in reading.chapters or (reading,)])


def _settled(reading: Reading, page: _Page) -> Reading:
    """The same of a chapter."""
    explained = _Explained(reading, page)
    cases, lost = list(reading.cases), list(reading.unread)
    for k in range(len(cases)):
        with suppress(SymattnError):
            report, withheld = _judged(reading, k, explained)
            cases[k] = report.case
            lost += [NotRead(each.text, each.code, each.why, each.place) for each in withheld if each.place]
    return replace(reading, cases=tuple(cases), unread=tuple(lost))


@dataclass(frozen=True)
class _Page:
    """A document as it is looked at beside its reading: once, however many chapters it has."""

    text: str
    file: str | None

    @cached_property
    def lines(self) -> Sequence[str]:
        return self.text.split("\n")

    @cached_property
    def blank(self) -> Sequence[int]:
        """The lines in which nothing stands."""
        return [k for k, line in enumerate(self.lines, start=1) if not line.strip()]


@dataclass(frozen=True)
class _Explained:
    """The places of the numbers that a formula of names beside them explains; only a slip is looked up."""

    reading: Reading
    page: _Page

    def __contains__(self, place: object) -> bool:
        return place in self._beside_formulas and place in self._agreeing

    @cached_property
    def apart(self) -> Sequence[Place]:
        """Where the numbers stand that follow from what stands beside them, and are none of a walk."""
        return [equation.place for equation in self.reading.equations]

    @cached_property
    def _formulas(self) -> Sequence[Equation]:
        return [equation for equation in self.reading.otherwise if equation.formula is not None]

    @cached_property
    def _beside_formulas(self) -> Container[Place]:
        return {equation.place for equation in self._formulas}

    @cached_property
    def _agreeing(self) -> Container[Place | None]:
        elsewhere = judge_equations(self._formulas, _outside(self.reading, self.page))
        return {judged.printed.place for judged in elsewhere.judgements if judged.verdict not in WRONG}


def _judged(reading: Reading, k: int, explained: _Explained) -> tuple[Report, list[Unread]]:
    """The report of a walk, and the claims that are withheld from it since they may be something else.

    Raises SymattnError for a case that cannot be walked.
    """
    torn = next((each.place for each in reading.unread if "." in each.text), next(iter(reading.lists), None))
    masked = any(each.declared == MASKED for each in reading.conventions[k])
    around = Surroundings(
        explained,
        reading.lists,
        torn,
        masked,
        reading.unread,
        reading.elsewhere,
        apart=explained.apart,
        blank=explained.page.blank,
    )
    return audited(reading.cases[k], around)


def _outside(reading: Reading, page: _Page) -> Case:
    """A case of nothing, for what belongs to no walk."""
    if reading.cases:
        first = reading.cases[0]
        return Case(first.title, {}, lang=first.lang, file=page.file)
    title = (page.file or "notes").replace("\\", "/").rpartition("/")[2]
    return Case(title, {}, lang=language_of(page.text), file=page.file)


def _lost(case: Case, error: SymattnError) -> Iterator[Unread]:
    """The claims of an example that cannot be walked: they are unread, and said to be."""
    for claim in case.stated:
        for i, row in enumerate(claim.values):
            for j, number in enumerate(row):
                place = claim.places[i][j] if claim.places else claim.place
                yield Unread(number, Finding.CANNOT_BE_RECOMPUTED, error.reason, claim.line, place)


def by_option(given: Overrides) -> Iterator[Remark]:
    """The conventions that options give, as one remark."""
    if given.said:
        said = "; ".join(f"{key} = {value}" for key, value in given.said.items())
        yield Remark(Finding.CONVENTION_GIVEN, "correct", {"conventions": said})


def _as_declared(report: Report, conventions: Sequence[Convention]) -> Report | None:
    """The report by what the text declares, where the numbers of its case follow something else."""
    declared: dict[str, Any] = {each.key: each.declared for each in conventions if each.contradicted}
    if not declared:
        return None
    settings = replace(report.case.settings, undeclared="both", **declared)
    return replace(audit(replace(report.case, settings=settings)), seen=report.seen)


def _told_apart(report: Report, declared: Report | None) -> tuple[int, ...]:
    """The numbers that are wrong by what the text declares, and only by that."""
    pairs = zip(report.judgements, declared.judgements, strict=True) if declared else ()
    return tuple(
        now.printed.index for now, then in pairs if then.verdict in WRONG and now.verdict not in WRONG
    )


def _matters(convention: Convention, report: Report) -> bool:
    """Whether a number was judged by a convention: no scale divides where no scores are."""
    made = {*report.derivation.given, *(base_name(line.name) for line in report.derivation.plan)}
    return bool(report.judgements) and (
        convention.key != "scale" or not made.isdisjoint(("scores", "scaled"))
    )


def _said(conventions: Sequence[Convention], numbers: tuple[int, ...]) -> Iterator[Remark]:
    """What was read off the numbers, as one remark, and what the `numbers` contradict."""
    inferred = [_spelled(each) for each in conventions if each.inferred and not each.contradicted]
    if inferred:
        yield Remark(Finding.CONVENTION_INFERRED, "correct", {"conventions": "; ".join(inferred)})
    for each in conventions:
        if each.contradicted:
            slip = transposed_weights(each.declared == "transposed")
            said = {
                "declared": _SAID[each.key, each.declared or ""],
                "followed": slip.because.en,
                "followed_zh": slip.because.zh,
                "count": str(each.contradicted),
            }
            yield Remark(Finding.STEP_NOT_AS_DECLARED, "claim", said, numbers=numbers, fix="unsafe")


def _spelled(convention: Convention) -> str:
    """`X W^T (40/48)`: the convention, and how many of the numbers that tell it explains."""
    known = _SAID.get((convention.key, convention.value), f"{convention.key} = {convention.value}")
    return f"{known} ({convention.explains}/{convention.of})" if convention.of else known


def _findings_in(regions: Sequence[range], reports: Sequence[Report]) -> int:
    """How many findings stand on these lines."""
    places = [
        finding.place if isinstance(finding, Remark) else finding.printed.place
        for report in reports
        for finding in report.findings()
    ]
    return sum(place is not None and any(place.line in region for region in regions) for place in places)
