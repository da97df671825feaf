"""`symattn audit PATH...`: every printed number judged."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from symattn.cli.baseline import gone_words, read, write
from symattn.cli.boundary import FAILED, FINDINGS
from symattn.cli.commands import Command, allow_files_option, lang_option, option, output_option
from symattn.cli.effort import effort_option
from symattn.cli.engine import engine_option, ready_for_pdf
from symattn.cli.language import language
from symattn.cli.many import machines, many_options, say_passed_over
from symattn.cli.memory import need_memory
from symattn.cli.output import colourful, encoding, say, stream
from symattn.cli.progress import Progress
from symattn.cli.setting import set_option
from symattn.cli.usage import Mistake
from symattn.text.bilingual import Bilingual, Count, placed
from symattn.text.errors import UnusableValue
from symattn.typeset.engines import Engine

if TYPE_CHECKING:
    from symattn.auditor.baselined import Known
    from symattn.auditor.formats.stream import Outcome

FORMATS = ("text", "json", "sarif", "github", "markdown", "latex", "html", "pdf")


@click.command(
    "audit",
    cls=Command,
    help=Bilingual(
        "Judge every number that the files at PATH printed: right, off by rounding, carried forward, a "
        "slip.\n\n"
        "Cases (.toml) and notes are read: Markdown (.md, .markdown, .rmd, .qmd), LaTeX (.tex), notebooks "
        "(.ipynb), HTML (.html, .htm) and plain text (.txt, .rst, .org, .adoc, .typ). A directory means "
        "all of these files in it.\n\n"
        "Exit status 1 where there is a finding (with --strict also where a number is off by rounding), 2 "
        "where a file cannot be used; the others are audited all the same.",
        "逐个判断 PATH 处的文件中印出的数：正确、仅有舍入误差、连带错误，或者是差错。\n\n"
        "可读算例（.toml）和讲义：Markdown（.md、.markdown、.rmd、.qmd）、LaTeX（.tex）、notebook（.ipynb）、"
        "HTML（.html、.htm）和纯文本（.txt、.rst、.org、.adoc、.typ）。目录表示其中所有这些文件。\n\n"
        "有差错时退出状态为 1（加上 --strict 时，仅有舍入误差也算），有文件不能用时为 2，其余文件照常审校。",
    ),
)
@click.argument("paths", metavar="PATH...", nargs=-1, type=click.Path())
@option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help=Bilingual("The form of the report.", "报告的格式。"),
)
@engine_option
@option(
    "--fix",
    is_flag=True,
    help=Bilingual(
        "Write the safe fixes, then judge the fixed files.", "写入稳妥的改正，再审校改正后的文件。"
    ),
)
@option(
    "--unsafe-fixes",
    is_flag=True,
    help=Bilingual("Recompute whole chains too, as one group.", "还重算整条推导链，一并改正。"),
)
@option(
    "--diff",
    is_flag=True,
    help=Bilingual(
        "Print what would be fixed as a diff, and write nothing.",
        "以 diff 的形式打印将作的改正，不写入文件。",
    ),
)
@option(
    "--strict/--no-strict",
    default=None,
    help=Bilingual("Fail on rounding differences too.", "仅有舍入误差的也算差错。"),
)
@option(
    "--doubts",
    is_flag=True,
    help=Bilingual(
        "List what only some readings of a document call wrong too; the exit status is the same.",
        "也列出只有部分读法认为有误的数；退出状态不变。",
    ),
)
@option(
    "--explain-reading",
    "explain",
    is_flag=True,
    help=Bilingual(
        "Show for each number, row and matrix of notes which quantity it was read as, by which formula, "
        "and the second-best reading (text and JSON).",
        "写出讲义中的每个数、每一行、每个矩阵被读作哪个量，依据哪个公式，以及次优的读法（文本和 JSON）。",
    ),
)
@option(
    "--exit-zero",
    is_flag=True,
    help=Bilingual("Exit with 0 although there are findings.", "有差错时退出状态也为 0。"),
)
@option(
    "--select",
    metavar="CODES",
    multiple=True,
    help=Bilingual("Only these findings: SA2, SA301, ...", "只要这些结论：SA2、SA301 等。"),
)
@option(
    "--ignore",
    metavar="CODES",
    multiple=True,
    help=Bilingual("Without these findings; the longer code wins.", "不要这些结论；以较长的代码为准。"),
)
@option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help=Bilingual(
        "Leave out files and folders with this name or path (drafts, *_old.md, ...). Hidden folders, "
        "node_modules, virtual environments and _build are always left out.",
        "排除名称或路径相符的文件和文件夹（drafts、*_old.md 等）。"
        "隐藏的文件夹、node_modules、虚拟环境和 _build 总是跳过。",
    ),
)
@option(
    "--write-baseline",
    "new_baseline",
    type=click.Path(),
    metavar="FILE",
    help=Bilingual(
        "Write the present findings to FILE, a baseline, and exit with 0.",
        "把现有的差错写入基线文件 FILE，退出状态为 0。",
    ),
)
@option(
    "--baseline",
    type=click.Path(),
    metavar="FILE",
    help=Bilingual(
        "Keep quiet, and do not fix, what is in the baseline FILE; say what is no longer there.",
        "不报告也不改正基线文件 FILE 中的差错；说明其中哪些已不存在。",
    ),
)
@option(
    "--show-settings",
    is_flag=True,
    help=Bilingual(
        "Print the settings in force and where they come from (symattn.toml, [tool.symattn] in "
        "pyproject.toml), and audit nothing.",
        "打印生效的设置及其来源（symattn.toml、pyproject.toml 的 [tool.symattn]），不审校。",
    ),
)
@lang_option(
    Bilingual(
        "The language of the report, by default that of each case, and of messages.",
        "报告的语言（默认为各算例的语言）和提示信息的语言。",
    )
)
@output_option
@many_options
@set_option
@allow_files_option
@effort_option
def command(
    paths: tuple[str, ...],
    form: str,
    engine: Engine | None,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    strict: bool | None,
    doubts: bool,
    explain: bool,
    exit_zero: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    exclude: tuple[str, ...],
    new_baseline: str | None,
    baseline: str | None,
    show_settings: bool,
    lang: str | None,
    output: str | None,
    jobs: int | None,
    scheduler: str | None,
    given: tuple[str, ...],
    allow_files: bool,
) -> None:
    """`symattn audit PATH...`."""
    need_memory()
    from symattn.auditor.catalogue import checked_selectors
    from symattn.auditor.formats.items import Options
    from symattn.auditor.formats.stream import Outcome
    from symattn.auditor.formats.table import format_named
    from symattn.casefile.file_kinds import STANDARD_INPUT
    from symattn.casefile.overrides import overrides
    from symattn.cli.files import find
    from symattn.cli.fixing import Fixing
    from symattn.cli.habits import Said, shown, usual_paths
    from symattn.cli.patch import folder_of, from_folder
    from symattn.cli.sources import outcomes

    ready_for_pdf(form == "pdf" and not diff, "--format pdf", engine, output)
    options = Options(
        lang="zh" if lang == "zh" else "en" if lang == "en" else None,
        select=checked_selectors(select, "--select", needed=True),
        ignore=checked_selectors(ignore, "--ignore"),
        strict=bool(strict),
        doubts=doubts,
        explain=explain,
        colour=form == "text" and output is None and colourful(),
        width=shutil.get_terminal_size((100, 24)).columns,
        engine=engine,
        encoding=encoding(output) if form == "text" else "utf-8",
        fixed=None if diff else "unsafe" if unsafe_fixes else "safe" if fix else None,
    )
    if explain and (form not in ("text", "json") or diff):
        raise Mistake(
            Bilingual(
                "--explain-reading works only with the formats text and json",
                "--explain-reading 只用于 text 和 json 格式",
            ),
            click.get_current_context(),
        )
    overrides(given)  # a mistake in them is told once, and not file by file
    usual = usual_paths()
    paths = paths or usual
    chosen = {
        "strict": strict is not None,
        "lang": lang,
        "ignore": ignore,
        "exclude": exclude,
        "conventions": given,
        "baseline": baseline,
    }
    said = Said(frozenset(name for name, value in chosen.items() if value))
    if show_settings:
        stream([shown(said, options, given, paths, exclude, baseline)], output, document=True)
        return
    if not paths:
        ctx = click.get_current_context()
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    found = find(paths, exclude)
    found.files = said.left(found.files)
    say_passed_over(found)
    if new_baseline is not None and baseline is not None:
        raise Mistake(
            Bilingual(
                "--write-baseline and --baseline exclude each other",
                "--write-baseline 与 --baseline 不能同时使用",
            ),
            click.get_current_context(),
        )
    old = read(baseline) if baseline is not None else None
    if (fix or unsafe_fixes or diff) and STANDARD_INPUT in found.files:
        raise UnusableValue(
            Bilingual("standard input cannot be fixed in place", "标准输入不能就地改正"),
            Bilingual("name the file", "请写出文件名"),
        ).at(key="--diff" if diff else "--fix")
    where = machines(found.files, jobs, scheduler)
    if (fix or unsafe_fixes) and scheduler is not None and not diff:
        raise UnusableValue(
            Bilingual("files are fixed only on this machine", "只在本机改正文件"),
            Bilingual("leave out --scheduler, or add --diff", "请去掉 --scheduler，或加上 --diff"),
        ).at(key="--fix")
    base = folder_of(found.files) if diff else ""
    fixing = Fixing(unsafe_fixes, diff, base) if fix or unsafe_fixes or diff else None
    tally = Tally()
    unlisted = (Outcome(folder, problem=placed(folder, why)) for folder, why in found.unlisted)
    each = chain(
        unlisted,
        outcomes(
            found.files,
            form,
            options,
            where,
            jobs,
            fixing,
            given,
            said,
            old,
            new_baseline is not None,
            allow_files,
        ),
    )
    with Progress() as progress:
        audited = tally.watch(progress.over(each, len(found.unlisted) + len(found.files)))
        if diff:
            stream(from_folder(base, (outcome.diff or "" for outcome in audited)), output, document=True)
        else:
            stream(format_named(form).joined(audited, options), output, document=form != "text")
    if new_baseline is not None:
        count = write(new_baseline, tally.known)
        say(
            Bilingual(
                f"symattn: {Count(count):finding} written to {new_baseline}",
                f"symattn: 已把 {count} 处写入 {new_baseline}",
            )
        )
    raise click.exceptions.Exit(tally.status(exit_zero=exit_zero or new_baseline is not None))


class Tally:
    """What the exit status is made of: failing findings and files that could not be used."""

    def __init__(self) -> None:
        self.failing = 0
        self.unusable = 0
        self.known: dict[str, Sequence[Known]] = {}

    def watch(self, audited: Iterable[Outcome]) -> Iterator[Outcome]:
        """The outcomes unchanged, while they are counted and their problems told on standard error."""
        for outcome in audited:
            self.failing += outcome.failing
            if outcome.problem is not None:
                self.unusable += 1
                say(f"symattn: {outcome.problem[language()]}")
            self.known[outcome.path] = outcome.known
            if outcome.gone:
                words = gone_words(outcome.path, outcome.gone)
                say(Bilingual(f"symattn: {words.en}", f"symattn: {words.zh}"))
            if outcome.fixed:
                say(_fixed(outcome))
            if outcome.unsafe:
                say(_left(outcome))
            yield outcome

    def status(self, *, exit_zero: bool) -> int:
        """2 where a file could not be used, else 1 where there is a finding."""
        return FAILED if self.unusable else FINDINGS if self.failing and not exit_zero else 0


def _fixed(outcome: Outcome) -> str:
    """At how many places something was written anew, by default in the language of the report."""
    if language(outcome.lang) == "zh":
        done = "已改正" if outcome.diff is None else "将改正"
        return f"{outcome.path}：{done} {outcome.fixed} 处"
    return (
        f"{'fixed' if outcome.diff is None else 'would fix'} {Count(outcome.fixed):place} in {outcome.path}"
    )


def _left(outcome: Outcome) -> str:
    """At how many places --unsafe-fixes would write something anew, like `_fixed`."""
    if language(outcome.lang) == "zh":
        return (
            f"{outcome.path}：加上 --unsafe-fixes {'还' if outcome.fixed else ''}可改正 {outcome.unsafe} 处"
        )
    more = "more place" if outcome.fixed else "place"
    return f"--unsafe-fixes would fix {Count(outcome.unsafe):{more}} in {outcome.path}"
