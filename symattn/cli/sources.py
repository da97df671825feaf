"""From paths to audited files: what a directory holds, what a file says, one outcome at a time."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from symattn.errors import SymattnError, UnreadableFile
from symattn.reading.kinds import KINDS, kind_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from symattn.auditor.formats.items import Options
    from symattn.auditor.formats.stream import Outcome
    from symattn.auditor.report import Report
    from symattn.cli.fixing import Fixing
    from symattn.reading.overrides import Overrides
    from symattn.reading.workers import Each

AHEAD = 4
"""How many files each worker may be ahead of what is printed: that bounds the memory."""

NOT_CASES = ("pyproject.toml",)

FEWEST_FILES = 8
"""For how many files a process pays that has to begin first."""
LONG = 50_000
"""From how many characters on the examples of one file are worth several processes."""
RARELY = 500_000
"""How many more objects than before make Python look for cycles: what an audit makes are trees, which go
without that, and looking through a long document again and again took a sixth of the time."""

Judge = Callable[[str, str], Sequence["Report"]]
"""From the text of a file and its path to its reports."""
Reader = Callable[[str, str, "Overrides", "Each"], Sequence["Report"]]
"""The same, under the conventions that options give, and with how the examples of a file are audited."""


def _case(text: str, path: str, given: Overrides, each: Each) -> Sequence[Report]:
    from symattn.auditor.audit import audit
    from symattn.auditor.suppressions import suppressed
    from symattn.reading.case_file import parse_case
    from symattn.reading.documents import by_option

    case = parse_case(text, path)
    report = audit(replace(case, settings=given.over(case.settings)))
    return suppressed(text, "case", (replace(report, remarks=(*report.remarks, *by_option(given))),))


def _document(text: str, path: str, given: Overrides, each: Each) -> Sequence[Report]:
    from symattn.reading.documents import document_reports

    return document_reports(text, path, kind_of(path), given, each)


READERS: Mapping[str, Reader] = {
    ".toml": _case,
    **dict.fromkeys(KINDS, _document),
}
"""How files of each kind become reports, by the end of their name."""


def judge_of(path: str, given: Sequence[str] = (), jobs: int = 1) -> Judge:
    """What reads a file of this name, under the conventions that options give (`--set`).

    The examples of a long text are shared by `jobs` processes. Raises UnreadableFile for a kind that audit
    does not read.
    """
    from symattn.reading.overrides import overrides
    from symattn.reading.workers import in_turn, shared

    reader, over = READERS.get(Path(path).suffix.lower()), overrides(given)
    if reader is None and Path(path).is_file():
        raise UnreadableFile("not of a kind that audit reads", f"name files that end in {', '.join(READERS)}")

    def judge(text: str, file: str) -> Sequence[Report]:
        return (reader or _case)(text, file, over, shared(jobs) if len(text) >= LONG else in_turn)

    return judge


def reports_of(path: str, given: Sequence[str] = (), jobs: int = 1) -> Sequence[Report]:
    """The reports of one file. Raises SymattnError for one that cannot be used."""
    from symattn.reading.toml_file import text_of

    return judge_of(path, given, jobs)(text_of(Path(path)), path)


def files_of(paths: Iterable[str]) -> Iterator[str]:
    """The files to audit, each once: a directory stands for the files in it that audit can read, sorted.

    Raises UnreadableFile for a directory without any.
    """
    seen = set()
    for path in paths:
        for file in _inside(path) if Path(path).is_dir() else (path,):
            if file not in seen:
                seen.add(file)
                yield file


def _inside(directory: str) -> Iterator[str]:
    found = False
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if Path(name).suffix.lower() in READERS and name not in NOT_CASES:
                found = True
                yield os.path.join(folder, name)
    if not found:
        raise UnreadableFile(
            f"there is nothing to audit in {directory}", f"audit reads files that end in {', '.join(READERS)}"
        ).at(file=directory)


def outcome_of(
    path: str,
    form: str,
    options: Options,
    fixing: Fixing | None = None,
    given: Sequence[str] = (),
    jobs: int = 1,
) -> Outcome:
    """One file audited and put into its piece of the output; bad input becomes the outcome's problem.

    With `fixing` its fixes are written first, and the outcome is that of the fixed file; of a mere diff it
    is that of the file as it stands. `jobs` processes share the examples of a long one.
    """
    from symattn.auditor.formats.items import count_failing
    from symattn.auditor.formats.stream import Outcome, total
    from symattn.auditor.formats.table import format_named

    gc.set_threshold(RARELY)
    count, diff = 0, None
    try:
        if fixing is None:
            reports = reports_of(path, given, jobs)
        else:
            reports, count, diff = _fix(path, fixing, options, given, jobs)
        piece = format_named(form).piece(path, reports, options)
    except SymattnError as error:
        return Outcome(path, problem=str(error.at(file=path)))
    counts: dict[str, int] = {}
    for report in reports:
        counts = total(counts, report.counts)
    return Outcome(
        path,
        piece,
        counts,
        sum(report.printed for report in reports),
        sum(len(report.unread) for report in reports),
        sum(count_failing(report, options) for report in reports),
        fixed=count,
        diff=diff,
        lang=next(map(options.language, reports), options.lang or "en"),
    )


def _fix(
    path: str, fixing: Fixing, options: Options, given: Sequence[str], jobs: int
) -> tuple[Sequence[Report], int, str | None]:
    """Fix a file, or with `diff` only find what would change: its reports, how many numbers, the diff."""
    from symattn.cli.fixing import difference, fixed, write
    from symattn.reading.toml_file import text_of

    judge, text = judge_of(path, given, jobs), text_of(Path(path))
    found = fixed(text, lambda said: judge(said, path), fixing, options)
    if fixing.diff:
        return judge(text, path), found.numbers, difference(path, text, found.text)
    if found.text != text:
        write(path, text, found.text)
    return found.reports, found.numbers, None


def processes(files: int, asked: int | None = None) -> int:
    """How many processes audit so many files: as many as were asked for, else as many as pay."""
    return min(asked or max(min(_free(), files // FEWEST_FILES), 1), max(files, 1))


def _free() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def outcomes(
    files: Sequence[str],
    form: str,
    options: Options,
    asked: int | None = None,
    fixing: Fixing | None = None,
    given: Sequence[str] = (),
) -> Iterator[Outcome]:
    """The outcome of each file, in the order of the files, on as many processes as were asked for or pay.

    They share the files, or the examples of one file after the other.
    """
    jobs = processes(len(files), asked)
    if jobs == 1:
        for path in files:
            yield outcome_of(path, form, options, fixing, given, asked or _free())
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        waiting: deque[Future[Outcome]] = deque()
        try:
            for path in files:
                waiting.append(pool.submit(outcome_of, path, form, options, fixing, given))
                if len(waiting) >= AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
