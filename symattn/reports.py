"""The text of a file audited: a case as one report, a document as one for each worked example in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from symattn.casefile.file_kinds import KINDS, STANDARD_INPUT, kind_of
from symattn.casefile.given_files import NO_FILES, Access
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnreadableFile, UnusableValue
from symattn.text.file_names import shown

if TYPE_CHECKING:
    from symattn.auditor.report import Report
    from symattn.casefile.overrides import Overrides
    from symattn.many.workers import Each

NO_CONVENTION = Bilingual(
    "--set with notes or [[step]] tables, where every line says what it does",
    "讲义和 [[step]] 的每一行都已写明怎样算，不能用 --set",
)
EDIT = Bilingual(
    "edit the steps; `symattn extract` writes those of notes as a case",
    "请修改各步；`symattn extract` 把讲义写成这样的算例",
)
STATED = Bilingual(
    "--explain-reading is for notes; a case says itself what everything is",
    "--explain-reading 只用于讲义；算例自己已写明每一项是什么",
)
LONG = 50_000
"""From how many characters on the examples of one file are worth several processes."""

Judge = Callable[[str, str], Sequence["Report"]]
"""From the text of a file and its path to its reports."""
Reader = Callable[[str, str, "Overrides", "Each", bool, "Access"], Sequence["Report"]]
"""The same, under the conventions that options give, with how the examples of a file are audited, whether
its reading is to be explained, and which files a case may read."""


def _case(
    text: str, path: str, given: Overrides, each: Each, explain: bool, access: Access
) -> Sequence[Report]:
    from symattn.auditor.audit import audit
    from symattn.auditor.suppressions import suppressed
    from symattn.casefile.case_file import parsed
    from symattn.casefile.idle import refuse_idle
    from symattn.casefile.overrides import by_option

    if explain:
        raise UnusableValue(STATED).at(file=path)
    case = parsed(text, path, access)
    refuse_idle(case)
    if given.asked and case.program is not None:
        raise UnusableValue(NO_CONVENTION, EDIT).at(file=path)
    given = given.for_case(case)
    report = audit(replace(case, settings=given.over(case.settings)))
    remarks = (*report.remarks, *by_option(given))
    return suppressed(text, "case", (replace(report, remarks=remarks, text=text),))


def _document(
    text: str, path: str, given: Overrides, each: Each, explain: bool, access: Access
) -> Sequence[Report]:
    from symattn.notes.documents import document_reports

    if given.asked:
        raise UnusableValue(NO_CONVENTION, EDIT).at(file=path)
    return document_reports(text, path, kind_of(path), each, explain)


READERS: Mapping[str, Reader] = {
    ".toml": _case,
    **dict.fromkeys(KINDS, _document),
}
"""How files of each kind become reports, by the end of their name."""


def _piped_case(text: str) -> bool:
    """Whether text without a file name is a case, and not notes that show one."""
    from symattn.casefile.toml_file import is_case

    return "```" not in text and is_case(text)


def judge_of(
    path: str,
    given: Sequence[str] = (),
    jobs: int = 1,
    usual: Sequence[str] = (),
    explain: bool = False,
    access: Access = NO_FILES,
) -> Judge:
    """What reads a file of this name, under the conventions that options give (`--set`), and the usual ones.

    Standard input is a case where it names `[given]` or `[attention]`, else notes in Markdown.
    The examples of a long text are shared by `jobs` processes. With `explain` reports on notes say how these
    were read. Raises UnreadableFile for a kind that audit
    does not read.
    """
    from symattn.casefile.overrides import overrides
    from symattn.many.workers import in_turn, shared

    reader, over = READERS.get(Path(path).suffix.lower()), overrides(given, usual)
    if reader is None and Path(path).is_file():
        raise UnreadableFile(
            Bilingual("not of a kind that audit reads", "不能审校这种文件"),
            Bilingual(
                f"name files that end in {', '.join(READERS)}", f"请指定后缀为 {'、'.join(READERS)} 的文件"
            ),
        )

    def judge(text: str, file: str) -> Sequence[Report]:
        read = reader or (_document if path == STANDARD_INPUT and not _piped_case(text) else _case)
        return read(text, file, over, shared(jobs) if len(text) >= LONG else in_turn, explain, access)

    return judge


def reports_of(
    path: str,
    given: Sequence[str] = (),
    jobs: int = 1,
    usual: Sequence[str] = (),
    allow_files: bool = False,
) -> Sequence[Report]:
    """The reports of one file. Raises SymattnError for one that cannot be used."""
    from symattn.casefile.toml_file import text_of

    access = Access(Path(path).parent, allow_files)
    return judge_of(path, given, jobs, usual, access=access)(text_of(Path(path)), shown(path))
