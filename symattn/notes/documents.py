"""From a document of notes to reports: read it, audit what it computes, judge what is complete on the page.

text -> Program -> Understood -> Cases and Equations -> Reports
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Case, Place
from symattn.auditor.audit import audit
from symattn.auditor.findings.codes import Finding
from symattn.auditor.judging.equations import judge_equations
from symattn.auditor.report import Report, Unread
from symattn.auditor.suppressions import blanked, comments, suppressed
from symattn.casefile.file_kinds import Kind, kind_of
from symattn.casefile.toml_file import text_of
from symattn.many.workers import Each, in_turn
from symattn.notes.claims.doubt import NOT_SURE, Said, as_printed, gated
from symattn.notes.claims.examples import examples
from symattn.notes.claims.numerals import characters, place
from symattn.notes.claims.objects import objects
from symattn.notes.claims.program import Program, program
from symattn.notes.claims.repeats import with_repeats
from symattn.notes.claims.sentences import with_statements
from symattn.notes.claims.workings import Equation, equations
from symattn.notes.hypotheses.lines import NoOperation
from symattn.notes.interpreter.interpreter import INPUTS
from symattn.notes.interpreter.reading import Rank
from symattn.notes.reader import Understood, parsed, understood
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnreadableFile
from symattn.text.file_names import shown

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token

FINE: Final = 0.001
"""Numbers with so many decimals are known again."""
NOT_EXPLAINED = Bilingual("no computation before it leads to it", "前文没有得出它的计算")


class Reading(Struct, frozen=True, eq=False):
    """A document as cases with their programs, its stray workings, and what was said of each numeral."""

    cases: tuple[Case, ...]
    equations: tuple[Equation, ...]
    understood: Understood
    said: Mapping[Place, Said]
    results: tuple[Token, ...]
    title: str
    lang: str
    file: str | None


def reading_of(path: str) -> Reading:
    """What is understood of a file. Raises UnreadableFile, with its name."""
    try:
        text, kind = text_of(Path(path)), kind_of(path)
        return read_notes(blanked(text.removeprefix("\ufeff"), kind), shown(path), kind)
    except SymattnError as problem:
        raise problem.at(file=path) from None


def read_notes(text: str, file: str | None, kind: Kind) -> Reading:
    """What a document is taken for. Raises UnreadableFile for a notebook that is none."""
    if kind == "notebook":
        _check_notebook(text)
    found = understood(parsed(text, kind))
    made = program(found)
    title = (file or "notes").replace("\\", "/").rpartition("/")[2]
    lang = _language(text)
    bare = Case(title, {}, lang=lang, file=file)
    cases = with_statements(
        [
            replace(bare, given=each.given, tokens=each.tokens, stated=each.claims, program=each.plan)
            for each in examples(made)
        ],
        found,
    )
    said = _said(found)
    return Reading(
        cases, tuple(_workings(made)), found, said, tuple(_results(found, made)), title, lang, file
    )


def _said(found: Understood) -> dict[Place, Said]:
    """What was said of each numeral; one that a working on the page led to is not wrong in a matrix."""
    worked: set[tuple[float, float]] = set()
    said: dict[Place, Said] = {}
    for token in found.program.numerals:
        if token not in found.verdicts:
            continue
        verdict, claim = found.verdicts[token]
        digits = token.value, token.unit
        if claim.reading.rank == Rank.WORKING and verdict == "right" and 0 < token.unit <= FINE:
            worked.add(digits)
        elif verdict == "slip" and claim.reading.rank < Rank.WORKING and digits in worked:
            verdict = "right"
        said[place(token)] = Said.of(verdict, claim)
    return said


def _results(found: Understood, made: Program) -> Iterator[Token]:
    """The numerals that are printed as results: what a reading explains, and decimals that nothing uses."""
    operands = {token for each in made.workings for token in each.reading.found.value.tokens}
    yield from found.verdicts
    for printed in found.interpreter.prints.order:
        for token in printed.node.tokens:
            used = token in made.placed or token in operands or token in found.verdicts
            if token.unit and not used and printed.base not in INPUTS:
                yield token


def document_reports(
    text: str, file: str | None, kind: Kind, each: Each = in_turn, explain: bool = False
) -> tuple[Report, ...]:
    """One report for each worked example of a document, and one for what stands outside all of them.

    Lines and columns are those of the document; a byte order mark takes no column. `each` says how its
    examples are audited. With `explain` the last report holds what each printed object was taken for.
    Raises UnreadableFile for a notebook that is none.
    """
    text = text.removeprefix("\ufeff")
    reading = read_notes(blanked(text, kind), file, kind)
    reports = _reports(reading, text, each)
    if explain:
        reports = (*reports[:-1], replace(reports[-1], objects=objects(reading.understood)))
    off = [c.lines for c in comments(text, kind) if c.verb == "off" and c.problem is None]
    unseen = _findings_in(off, _reports(read_notes(text, file, kind), text, each)) if off else 0
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


def _language(text: str) -> str:
    chinese = sum("\u4e00" <= c <= "\u9fff" for c in text)
    return "zh" if 20 * chinese > len(text) else "en"


def _workings(made: Program) -> Iterator[Equation]:
    """The workings of what no operation makes, and of arithmetic that is complete on the page."""
    for found in made.workings:
        try:
            yield from equations(found.reading, found.tokens, found.reading.sign)
        except NoOperation:
            continue


def _reports(reading: Reading, text: str, each: Each) -> tuple[Report, ...]:
    audited = each(partial(_audited, said=reading.said), reading.cases)
    reports = [report for report in audited if report is not None]
    nothing = Case(reading.title, {}, lang=reading.lang, file=reading.file)
    outside = gated(judge_equations(reading.equations, nothing, reports), reading.said)
    reports = with_repeats([*reports, outside], reading.understood)
    left = tuple(_unread(reading, reports))
    reports[-1] = replace(reports[-1], unread=(*reports[-1].unread, *left))
    raw = {place(token): token.raw for token in reading.understood.program.numerals if token.raw}
    reports = [as_printed(report, raw) for report in reports if report.printed or report.remarks] or reports[
        -1:
    ]
    return tuple(replace(report, text=text, document=True) for report in reports)


def _audited(case: Case, said: Mapping[Place, Said]) -> Report | None:
    """The report on an example; None where its computation cannot be carried out."""
    try:
        return gated(audit(case), said)
    except SymattnError:
        return None


def _unread(reading: Reading, reports: Sequence[Report]) -> Iterator[Unread]:
    """The numerals that something was said of, and that got no verdict."""
    judged = {one.printed.place for report in reports for one in report.judgements}
    judged |= {one.place for report in reports for one in report.unread}
    for token in dict.fromkeys(reading.results):
        at = place(token)
        if at not in judged:
            known = token in reading.understood.verdicts
            code = Finding.CANNOT_BE_RECOMPUTED if known else Finding.NO_SUCH_QUANTITY
            yield Unread(characters(token), code, NOT_SURE if known else NOT_EXPLAINED, place=at)


def _findings_in(regions: Sequence[range], reports: Sequence[Report]) -> int:
    """How many findings stand on these lines."""
    found = (one.printed.place for report in reports for one in report.judgements if one.code is not None)
    return sum(at is not None and any(at.line in region for region in regions) for at in found)
