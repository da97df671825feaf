"""Printed numbers audited from Python: what `symattn audit` finds in a case or in notes, as a value."""

from __future__ import annotations

import os
import pickle
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from symattn.auditor import audit as auditor
from symattn.auditor.report import Cause, Judgement, Remark, Unread
from symattn.auditor.report import Report as Example
from symattn.library.case import Case
from symattn.many.workers import packed
from symattn.reports import judge_of, reports_of
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnusableValue

if TYPE_CHECKING:
    from symattn.attention import case as inner
    from symattn.auditor.formats.items import Options
    from symattn.plans.derive import Derivation
    from symattn.text.document import Document
    from symattn.typeset.engines import Engine

Lang = Literal["en", "zh"]


class ReportOptions(TypedDict, total=False):
    """What every format of a report can be asked for; each may be left out."""

    lang: Lang | None
    """The language, by default that of the case or the document."""
    select: Collection[str]
    """Codes of the findings to show, such as "SA2" for all slips."""
    ignore: Collection[str]
    """Codes of the findings to leave out."""
    doubts: bool
    """Whether numbers that only some readings accuse are listed."""


class Report:
    """What was found in a case, or in the worked examples of a document. Immutable.

    >>> import symattn
    >>> report = symattn.audit_text("The scores are 1·3 + 3·0 = 4 and 1·1 + 1·2 = 3.", "notes.md")
    >>> report
    Report(notes.md: 2 printed numbers: 1 right, 1 slip.)
    >>> [(str(one.code), one.printed.numeral.text, one.expected) for one in report.judgements if one.code]
    [('SA205', '4', '3')]

    `text`, `markdown`, `html`, `latex`, `json`, `sarif` and `github` write what `--format` of the command
    `symattn audit` writes.
    """

    __slots__ = ("examples", "path")
    examples: tuple[Example, ...]
    """The reports of the worked examples; one for a case."""
    path: str
    """The name of the file."""

    def __init__(self, examples: Sequence[Example], path: str) -> None:
        object.__setattr__(self, "examples", tuple(examples))
        object.__setattr__(self, "path", path)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Report is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Report is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (packed((self.examples, self.path)),)

    def __eq__(self, other: object) -> bool:
        """Whether two reports say the same about files of one name."""
        if not isinstance(other, Report):
            return NotImplemented
        return self.path == other.path and self.json() == other.json()

    __hash__ = None  # type: ignore[assignment]

    @property
    def _only(self) -> Example:
        if len(self.examples) != 1:
            raise ValueError(f"{self.path} has {len(self.examples)} worked examples: see report.examples")
        return self.examples[0]

    @property
    def case(self) -> Case:
        """The case, where there is a single one."""
        return Case.of(self._only.case)

    @property
    def derivation(self) -> Derivation:
        """The exact evaluation of the only case, under the conventions that its numbers follow."""
        return self._only.derivation

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """Every printed number with its verdict."""
        return tuple(one for example in self.examples for one in example.judgements)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Findings that are not about a single number."""
        return tuple(one for example in self.examples for one in example.remarks)

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Why numbers are wrong, as far as that is known."""
        return tuple(one for example in self.examples for one in example.causes)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Numerals that got no verdict."""
        return tuple(one for example in self.examples for one in example.unread)

    @property
    def printed(self) -> int:
        """How many numerals were taken for computed results."""
        return sum(example.printed for example in self.examples)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many numbers got each verdict."""
        from symattn.auditor.formats.stream import total

        counts = total({}, {})
        for example in self.examples:
            counts = total(counts, example.counts)
        return counts

    def findings(self) -> Iterator[Judgement | Remark]:
        """Everything with a code, example by example: numbers, then remarks."""
        for example in self.examples:
            yield from example.findings()

    def doubts(self) -> Iterator[Judgement]:
        """The numbers that only some readings of a document call wrong."""
        for example in self.examples:
            yield from example.doubts()

    def failing(self, *, strict: bool = False) -> int:
        """How many findings make the exit status of `symattn audit` 1."""
        from symattn.auditor.formats.items import count_failing

        return sum(count_failing(example, self._options({}, strict=strict)) for example in self.examples)

    def text(
        self,
        *,
        width: int = 100,
        colour: bool = False,
        **options: Unpack[ReportOptions],
    ) -> str:
        """The report for a terminal. `select` and `ignore` take codes, such as "SA2" for all slips."""
        return self._written("text", self._options(options, width=width, colour=colour))

    def markdown(
        self,
        **options: Unpack[ReportOptions],
    ) -> str:
        """The report as Markdown."""
        return self._written("markdown", self._options(options))

    def html(
        self,
        *,
        standalone: bool = True,
        **options: Unpack[ReportOptions],
    ) -> str:
        """The report as a page, or as a piece of one: what was audited with the verdicts in place."""
        if standalone:
            return self._written("html", self._options(options))
        from symattn.typeset.html import html

        return html(self._document(options), standalone=False)

    def latex(
        self,
        *,
        standalone: bool = True,
        **options: Unpack[ReportOptions],
    ) -> str:
        """The report as LaTeX: a document that xelatex compiles, or a fragment of one."""
        from symattn.typeset.latex import latex

        return latex(self._document(options), standalone=standalone)

    def pdf(
        self,
        *,
        engine: Engine | None = None,
        **options: Unpack[ReportOptions],
    ) -> bytes:
        """The report as PDF, by `engine` ("xelatex" or "typst"), or by the first of them that is there."""
        from symattn.typeset.pdf import pdf

        return pdf(self._document(options), engine)

    def json(
        self,
        **options: Unpack[ReportOptions],
    ) -> str:
        """The JSON contract of `symattn audit --format json`."""
        return self._written("json", self._options(options))

    def sarif(
        self,
        **options: Unpack[ReportOptions],
    ) -> str:
        """The report as SARIF 2.1.0, for code scanning."""
        return self._written("sarif", self._options(options))

    def github(self, *, lang: Lang | None = None) -> str:
        """The findings as workflow commands of GitHub Actions."""
        return self._written("github", self._options({"lang": lang}))

    def _options(self, options: ReportOptions, **more: Any) -> Options:
        from symattn.auditor.catalogue import checked_selectors
        from symattn.auditor.formats.items import Options

        return Options(
            lang=options.get("lang"),
            select=checked_selectors(tuple(options.get("select", ())), "select"),
            ignore=checked_selectors(tuple(options.get("ignore", ())), "ignore"),
            doubts=options.get("doubts", False),
            **more,
        )

    def _outcome(self, form: str, options: Options) -> Any:
        from symattn.auditor.formats.stream import Outcome
        from symattn.auditor.formats.table import format_named

        piece = format_named(form).piece(self.path, self.examples, options)
        lang = next(map(options.language, self.examples), options.lang or "en")
        return Outcome(self.path, piece, self.counts, self.printed, len(self.unread), lang=lang)

    def _document(self, options: ReportOptions) -> Document:
        from symattn.auditor.formats.document import merged

        chosen = self._options(options)
        return merged([self._outcome("pdf", chosen)], chosen)

    def _written(self, form: str, options: Options) -> str:
        from symattn.auditor.formats.table import format_named

        return "".join(map(str, format_named(form).joined([self._outcome(form, options)], options)))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        from symattn.auditor.formats.labels import summary

        return f"Report({self.path}: {summary(self.printed, len(self.unread), self.counts, 'en')})"

    def _repr_html_(self) -> str:
        return self.html(standalone=False)

    def _repr_latex_(self) -> str:
        return self.latex(standalone=False)

    def _repr_markdown_(self) -> str:
        return self.markdown()


def audit(case: inner.Case) -> Report:
    """Judge the numbers that a case states. Raises SymattnError for an unusable case.

    >>> import symattn
    >>> symattn.audit(symattn.read_case("cases/wo_ai_mao.toml")).counts["slip"]
    125
    """
    report = auditor.audit(case)
    return Report([report], case.file or case.title)


def audit_file(
    path: str | os.PathLike[str],
    *,
    settings: Mapping[str, object] | None = None,
    allow_files: bool = False,
) -> Report:
    """Judge every number that a file printed: a case (.toml) or notes (.md, .tex, .ipynb, .html, .txt, ...).

    >>> import symattn
    >>> symattn.audit_file("cases/wo_ai_mao.toml", settings={"scale": 1}).printed
    226

    `settings` are keys of `[attention]`, for cases, over what the case says; `allow_files` lets its givens
    be in files outside its folder. Raises SymattnError for a file that cannot be used.
    """
    name = os.fspath(path)
    try:
        return Report(reports_of(name, _said(settings), allow_files=allow_files), name)
    except SymattnError as problem:
        raise problem.at(file=name) from None


def audit_text(text: str, name: str = "notes.md", *, settings: Mapping[str, object] | None = None) -> Report:
    """Judge every number in a text, of the kind that the ending of `name` says.

    >>> import symattn
    >>> symattn.audit_text("The score is 1·3 + 3·0 = 4.").counts["slip"]
    1
    """
    from symattn.reports import READERS

    if Path(name).suffix.lower() not in READERS:
        raise UnusableValue(
            Bilingual(f"the name {name}, of no kind that audit reads", f"名称 {name} 不是可以审校的类型"),
            Bilingual(f"names end in {', '.join(READERS)}", f"名称的后缀为 {'、'.join(READERS)}"),
        )
    try:
        return Report(judge_of(name, _said(settings))(text, name), name)
    except SymattnError as problem:
        raise problem.at(file=name) from None


def _said(settings: Mapping[str, object] | None) -> tuple[str, ...]:
    """The settings as `--set` takes them."""
    return tuple(f"{key}={value}" for key, value in (settings or {}).items())


def _unpickled(data: bytes) -> Report:
    return Report(*pickle.loads(data))
