"""From paths to audited files: what a file says, one outcome at a time."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from symattn.casefile.file_kinds import STANDARD_INPUT
from symattn.casefile.given_files import Access
from symattn.cli.baseline import Baseline, Quieted
from symattn.cli.boundary import explained
from symattn.cli.habits import Said, baseline_for, conventions_for
from symattn.reports import Judge, judge_of
from symattn.text.bilingual import Bilingual, placed
from symattn.text.errors import OutOfMemory, SymattnError
from symattn.text.file_names import shown

if TYPE_CHECKING:
    from symattn.auditor.formats.items import Options
    from symattn.auditor.formats.stream import Outcome
    from symattn.cli.fixing import Fixed, Fixing

LOST = Bilingual("the process that audited it ended before it was done", "审校它的进程没有做完就结束了")
FEWEST_FILES = 8
"""For how many files a process pays that has to begin first."""
RARELY = 500_000
"""How many more objects than before make Python look for cycles: what an audit makes are trees, which go
without that, and looking through a long document again and again took a sixth of the time."""


def outcome_of(
    path: str,
    form: str,
    options: Options,
    fixing: Fixing | None = None,
    given: Sequence[str] = (),
    jobs: int = 1,
    said: Said | None = None,
    baseline: Baseline | None = None,
    writing: bool = False,
    allow_files: bool = False,
) -> Outcome:
    """One file audited and put into its piece of the output; bad input becomes the outcome's problem.

    With `fixing` its fixes are written first, and the outcome is that of the fixed file; of a mere diff it
    is that of the file as it stands. `jobs` processes share the examples of a long one.
    With `said` what the command line leaves open follows the habits for the file. What a baseline knows is
    kept quiet, and not fixed; `writing` one, the outcome holds what belongs there. `allow_files`
    lets the givens of a case be in files outside its folder.
    """
    from symattn.auditor.baselined import failing_content
    from symattn.auditor.formats.items import count_failing
    from symattn.auditor.formats.stream import Outcome, total
    from symattn.auditor.formats.table import format_named
    from symattn.casefile.toml_file import text_of
    from symattn.typeset.cjk import laid_out_for

    gc.set_threshold(RARELY)
    done, diff = None, None
    try:
        usual = conventions_for(path) if said is not None else ()
        options = said.options(options, path) if said is not None else options
        if baseline is None and said is not None and not writing:
            baseline = baseline_for(path)
        access = Access(Path(path).parent, allow_files)
        judge = judge_of(path, given, jobs, usual, options.explain, access)
        quiet = Quieted(judge, baseline.of(path)) if baseline is not None else None
        judge = quiet or judge
        if fixing is None:
            reports = judge(text_of(Path(path)), shown(path))
        else:
            done, diff = _fix(path, fixing, options, judge)
            reports = done.reports
        with laid_out_for(options.encoding):
            piece = format_named(form).piece(path, reports, options)
    except SymattnError as error:
        return Outcome(path, problem=error.at(file=path).message)
    except Exception as error:  # a defect, or no memory left: the other files are audited all the same
        return Outcome(path, problem=placed(shown(path), explained(error)))
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
        fixed=done.numbers if done else 0,
        unsafe=done.unsafe if done else 0,
        diff=diff,
        lang=next(map(options.language, reports), options.lang or "en"),
        known=tuple(failing_content(reports, options.chosen)) if writing else (),
        gone=quiet.gone(reports) if quiet is not None else (),
    )


def _fix(path: str, fixing: Fixing, options: Options, judge: Judge) -> tuple[Fixed, str | None]:
    """Fix a file, or with `diff` only find what would change: the reports are then on the file as it is."""
    from symattn.casefile.toml_file import text_of
    from symattn.cli.fixing import fixed, write
    from symattn.cli.patch import difference

    text = text_of(Path(path))
    found = fixed(text, lambda said: judge(said, shown(path)), fixing, options)
    if fixing.diff:
        changes = difference(path, text, found.text, fixing.base)
        return replace(found, reports=judge(text, shown(path))), changes
    if found.text != text:
        write(path, text, found.text)
    return found, None


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
    said: Said | None = None,
    baseline: Baseline | None = None,
    writing: bool = False,
    allow_files: bool = False,
) -> Iterator[Outcome]:
    """The outcome of each file, in the order of the files, on as many processes as were asked for or pay.

    They share the files, or the examples of one file after the other.
    """
    from symattn.auditor.formats.stream import Outcome

    jobs = 1 if STANDARD_INPUT in files else processes(len(files), asked)
    work = partial(
        outcome_of,
        form=form,
        options=options,
        fixing=fixing,
        given=given,
        said=said,
        baseline=baseline,
        writing=writing,
        allow_files=allow_files,
    )
    if jobs == 1:
        yield from map(partial(work, jobs=asked or _free()), files)
        return
    from symattn.casefile.processes import by_processes

    for path, outcome in zip(files, by_processes(work, files, jobs), strict=True):
        yield outcome or Outcome(path, problem=OutOfMemory(LOST).at(file=path).message)
