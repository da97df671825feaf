"""From paths to audited files: what a file says, one outcome at a time."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from symattn.casefile.given_files import Access
from symattn.cli.baseline import Baseline, Quieted
from symattn.cli.boundary import explained
from symattn.cli.habits import Said, baseline_for, conventions_for
from symattn.cli.many import LOST, free
from symattn.many.machines import HERE, Machines, results
from symattn.reports import Judge, judge_of
from symattn.text.bilingual import placed
from symattn.text.errors import OutOfMemory, SymattnError
from symattn.text.file_names import shown

if TYPE_CHECKING:
    from symattn.auditor.formats.items import Options
    from symattn.auditor.formats.stream import Outcome
    from symattn.cli.fixing import Fixed, Fixing

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


def outcomes(
    files: Sequence[str],
    form: str,
    options: Options,
    where: Machines = HERE,
    asked: int | None = None,
    fixing: Fixing | None = None,
    given: Sequence[str] = (),
    said: Said | None = None,
    baseline: Baseline | None = None,
    writing: bool = False,
    allow_files: bool = False,
) -> Iterator[Outcome]:
    """The outcome of each file, in the order of the files.

    Where one process works alone, those that were asked for share the examples of one file after the other.
    """
    from symattn.auditor.formats.stream import Outcome

    work = partial(
        outcome_of,
        form=form,
        options=options,
        fixing=fixing,
        given=given,
        jobs=asked or free() if where == HERE else 1,
        said=said,
        baseline=baseline,
        writing=writing,
        allow_files=allow_files,
    )
    for path, outcome in zip(files, results(work, files, where), strict=True):
        yield outcome or Outcome(path, problem=OutOfMemory(LOST).at(file=path).message)
