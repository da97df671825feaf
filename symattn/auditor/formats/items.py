"""The findings of a report one by one, as every format lists them: chosen, put into words, placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Place
from symattn.auditor.catalogue import CATALOGUE, selected
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang, Rule
from symattn.auditor.fixing.unfixable import why_unfixed
from symattn.auditor.messages import message, unread_message
from symattn.auditor.report import Judgement, Remark, Report
from symattn.typeset.engines import Engine


class Options(Struct, frozen=True):
    """How findings are chosen and shown. `lang` None follows each case; `width` is a terminal's.

    `encoding` is that of the stream that shows text. With `doubts` these are listed beside the findings.
    With `explain` they follow how each printed object of a document was read.
    `fixed` is set where fixes were made before, the safe ones or all: what is left says why.
    `engine` makes a PDF.
    """

    lang: Lang | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    colour: bool = False
    width: int = 100
    encoding: str = "utf-8"
    doubts: bool = False
    explain: bool = False
    fixed: Literal["safe", "unsafe"] | None = None
    engine: Engine | None = None

    def language(self, report: Report) -> Lang:
        """The language in which a report is written."""
        return self.lang or ("zh" if report.case.lang == "zh" else "en")

    def chosen(self, code: str) -> bool:
        """Whether findings of this code are reported."""
        return selected(code, self.select, self.ignore)

    def fails(self, code: str) -> bool:
        """Whether a finding of this code makes the exit status 1."""
        fails = CATALOGUE[code].fails
        return fails == "always" or (fails == "strict" and self.strict)


class Item(Struct, frozen=True):
    """One finding that is reported: its rule, its sentence, its place in the audited file.

    `twin` counts the findings of the same code at the same entry before it, so that (code, entry, twin)
    names it whatever line it stands on.
    """

    rule: Rule
    message: str
    finding: Judgement | Remark
    twin: int

    @property
    def place(self) -> Place | None:
        return self.finding.place if isinstance(self.finding, Remark) else self.finding.printed.place

    @property
    def length(self) -> int:
        """How many characters the finding is about: those of a printed number, else one."""
        if isinstance(self.finding, Remark):
            return 1
        return max(len(self.finding.printed.numeral.text.strip()), 1)

    @property
    def source_line(self) -> int | None:
        return (
            self.finding.source_line if isinstance(self.finding, Remark) else self.finding.printed.source_line
        )

    @property
    def identity(self) -> str:
        """The step, the entry, the code and the twin: what stays the same when lines move."""
        return "|".join((*map(str, _at(self.finding)), self.rule.code, str(self.twin)))


def items(report: Report, options: Options) -> Iterator[Item]:
    """The findings that `options` selects, in the order of the report."""
    lang = options.language(report)
    seen: Counter[tuple[object, ...]] = Counter()
    for finding in report.findings():
        code = finding.code
        assert code is not None
        at = (*_at(finding), code)
        twin = seen[at]
        seen[at] += 1
        if options.chosen(code):
            said = message(report, finding, lang) + left_because(report, finding, options)
            yield Item(CATALOGUE[code], said, finding, twin)


def doubts(report: Report, options: Options) -> Iterator[Item]:
    """The doubts of a report, which are no findings."""
    lang, rule = options.language(report), CATALOGUE[Finding.DOUBT]
    of = {one.place: one for one in report.unread if one.code == Finding.DOUBT}
    for judged in report.doubts() if options.chosen(Finding.DOUBT) else ():
        unread = of.get(judged.printed.place)
        if unread is not None:
            yield Item(rule, unread_message(unread, lang), replace(judged, code=Finding.DOUBT), 0)


def listed(report: Report, options: Options) -> Iterator[Item]:
    """The findings, and with `--doubts` the doubts."""
    yield from items(report, options)
    if options.doubts:
        yield from doubts(report, options)


def left_because(report: Report, finding: Judgement | Remark, options: Options) -> str:
    """Why a finding is left after fixes: `; no fix: ...`; nothing where none were made or none is owed."""
    if options.fixed is None or finding.code is None or not options.fails(finding.code):
        return ""
    zh = options.language(report) == "zh"
    if finding.fix == "unsafe" and options.fixed == "safe":
        return "；--unsafe-fixes 会改写它" if zh else "; --unsafe-fixes would rewrite it"
    why = why_unfixed(finding)[options.language(report)]
    return f"；无法改正：{why}" if zh else f"; no fix: {why}"


def _at(finding: Judgement | Remark) -> tuple[object, ...]:
    if isinstance(finding, Remark):
        at = "" if finding.row is None else finding.row
        return finding.name or "", *(("", at) if finding.columns else (at, "")), ""
    name, row, col, key = finding.printed.at
    return name, row, col, "" if key is None else key


def failing(report: Report, options: Options) -> Iterator[Judgement | Remark]:
    """The selected findings that make the exit status 1."""
    for finding in report.findings():
        if finding.code is not None and options.chosen(finding.code) and options.fails(finding.code):
            yield finding


def count_failing(report: Report, options: Options) -> int:
    """How many of the selected findings make the exit status 1."""
    return sum(1 for _ in failing(report, options))
