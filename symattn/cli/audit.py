"""`symattn audit PATH...`: every printed number judged."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from symattn.cli.boundary import FAILED, FINDINGS
from symattn.cli.effort import effort_option
from symattn.cli.memory import need_memory
from symattn.cli.output import colourful, encoding, say, stream
from symattn.cli.setting import set_option

if TYPE_CHECKING:
    from symattn.auditor.formats.stream import Outcome
    from symattn.cli.files import Found

FORMATS = ("text", "json", "sarif", "github", "markdown", "latex", "html")
MANY_FILES = 20
MOST_NAMED = 5
"""So many files that are passed over are named."""


@click.command("audit")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="The form of the report.",
)
@click.option("--fix", is_flag=True, help="Write the safe fixes, then judge the fixed files.")
@click.option("--unsafe-fixes", is_flag=True, help="Recompute whole chains too, as one group.")
@click.option("--diff", is_flag=True, help="Print what would be fixed as a diff, and write nothing.")
@click.option("--strict", is_flag=True, help="Fail on rounding differences too.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 although there are findings.")
@click.option("--select", metavar="CODES", multiple=True, help="Only these findings: SA2, SA301, ...")
@click.option(
    "--ignore", metavar="CODES", multiple=True, help="Without these findings; the longer code wins."
)
@click.option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help="Leave out files and folders of this name or path (drafts, *_old.md, ...). Of a folder are left "
    "out anyway: hidden folders, node_modules, virtual environments, _build.",
)
@click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="The language of the report; each case's by default."
)
@click.option("-o", "--output", type=click.Path(), help="Write to this file instead of standard output.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes at a time; by default as many as pay.")
@set_option
@effort_option
def command(
    paths: tuple[str, ...],
    form: str,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    strict: bool,
    exit_zero: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    exclude: tuple[str, ...],
    lang: str | None,
    output: str | None,
    jobs: int | None,
    given: tuple[str, ...],
) -> None:
    """Judge every number that the files at PATH printed: right, off by rounding, carried forward, a slip.

    Cases (.toml) and notes are read: Markdown (.md, .markdown, .rmd, .qmd), LaTeX (.tex), notebooks
    (.ipynb) and plain text (.txt, .rst, .org, .adoc, .typ). A directory means all of these files in it.

    Exit status 1 where there is a finding (with --strict also where a number is off by rounding), 2 where a
    file cannot be used; the others are audited all the same.
    """
    need_memory()
    from symattn.auditor.catalogue import checked_selectors
    from symattn.auditor.formats.items import Options
    from symattn.auditor.formats.stream import Outcome
    from symattn.auditor.formats.table import format_named
    from symattn.cli.files import find
    from symattn.cli.fixing import Fixing
    from symattn.cli.patch import folder_of, from_folder
    from symattn.cli.sources import outcomes
    from symattn.reading.overrides import overrides

    options = Options(
        lang="zh" if lang == "zh" else "en" if lang == "en" else None,
        select=checked_selectors(select, "--select", needed=True),
        ignore=checked_selectors(ignore, "--ignore"),
        strict=strict,
        colour=form == "text" and output is None and colourful(),
        width=shutil.get_terminal_size((100, 24)).columns,
        encoding=encoding(output) if form == "text" else "utf-8",
        fixed=None if diff else "unsafe" if unsafe_fixes else "safe" if fix else None,
    )
    overrides(given)  # a mistake in them is told once, and not file by file
    found = find(paths, exclude)
    _say_passed_over(found, options.lang)
    base = folder_of(found.files) if diff else ""
    fixing = Fixing(unsafe_fixes, diff, base) if fix or unsafe_fixes or diff else None
    tally = Tally()
    unlisted = (Outcome(folder, problem=f"{folder}: {why}") for folder, why in found.unlisted)
    each = chain(unlisted, outcomes(found.files, form, options, jobs, fixing, given))
    audited = tally.watch(_with_progress(each, len(found.files), output))
    if diff:
        stream(from_folder(base, (outcome.diff or "" for outcome in audited)), output, document=True)
    else:
        stream(format_named(form).joined(audited, options), output, document=form != "text")
    raise click.exceptions.Exit(tally.status(exit_zero=exit_zero))


def _say_passed_over(found: Found, lang: str | None) -> None:
    """Which files of the folders were left out since they are none to audit."""
    for files, why, why_zh in (
        (found.no_case, "no [given], so no case", "没有 [given]，不是算例"),
        (found.no_file, "no regular file", "不是普通文件"),
    ):
        if files:
            zh = lang == "zh"
            named = ("、" if zh else ", ").join(files[:MOST_NAMED])
            more = len(files) - MOST_NAMED
            if more > 0:
                named += f" 等 {len(files)} 个" if zh else f" and {more} more"
            say(f"symattn：略过（{why_zh}）：{named}" if zh else f"symattn: passed over ({why}): {named}")


class Tally:
    """What the exit status is made of: failing findings and files that could not be used."""

    def __init__(self) -> None:
        self.failing = 0
        self.unusable = 0

    def watch(self, audited: Iterable[Outcome]) -> Iterator[Outcome]:
        """The outcomes unchanged, while they are counted and their problems told on standard error."""
        for outcome in audited:
            self.failing += outcome.failing
            if outcome.problem is not None:
                self.unusable += 1
                say(f"symattn: {outcome.problem}")
            if outcome.fixed:
                say(_told(outcome))
            if outcome.unsafe:
                say(_left(outcome))
            yield outcome

    def status(self, *, exit_zero: bool) -> int:
        """2 where a file could not be used, else 1 where there is a finding."""
        return FAILED if self.unusable else FINDINGS if self.failing and not exit_zero else 0


def _told(outcome: Outcome) -> str:
    """At how many places something was written anew, in the language of the report."""
    if outcome.lang == "zh":
        done = "已改正" if outcome.diff is None else "将改正"
        return f"{outcome.path}：{done} {outcome.fixed} 处"
    places = "1 place" if outcome.fixed == 1 else f"{outcome.fixed} places"
    return f"{'fixed' if outcome.diff is None else 'would fix'} {places} in {outcome.path}"


def _left(outcome: Outcome) -> str:
    """At how many places --unsafe-fixes would write something anew, in the language of the report."""
    if outcome.lang == "zh":
        return (
            f"{outcome.path}：加上 --unsafe-fixes {'还' if outcome.fixed else ''}可改正 {outcome.unsafe} 处"
        )
    places = f"{outcome.unsafe}{' more' if outcome.fixed else ''} place{'' if outcome.unsafe == 1 else 's'}"
    return f"--unsafe-fixes would fix {places} in {outcome.path}"


def _with_progress(audited: Iterator[Outcome], count: int, output: str | None) -> Iterator[Outcome]:
    """The outcomes with a progress bar on standard error, unless the results scroll by there anyway."""
    scrolling = output is None and sys.stdout.isatty()
    if count <= MANY_FILES or scrolling or sys.stderr is None or not sys.stderr.isatty():
        yield from audited
        return
    with click.progressbar(audited, length=count, label="symattn audit", file=sys.stderr) as bar:
        yield from bar
