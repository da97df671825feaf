"""`symattn derive CASE.toml...`: the exact derivation on a page."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import click
from msgspec.structs import replace

from symattn.cli.commands import Command, allow_files_option, lang_option, option, output_option
from symattn.cli.effort import effort_option
from symattn.cli.engine import engine_option, ready_for_pdf
from symattn.cli.fitting import need_fitting
from symattn.cli.many import all_of, machines, many_options, several, write_each
from symattn.cli.memory import need_memory
from symattn.cli.output import colourful, emit, encoding
from symattn.cli.page import Page, page_of
from symattn.cli.page_options import digits_option, standalone_option, text_option
from symattn.cli.progress import Progress
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.typeset.engines import Engine


@click.command(
    "derive",
    cls=Command,
    help=Bilingual(
        "Work CASE out exactly: every matrix in closed form, every product written out.\n\n"
        "Decimals are correctly rounded, with a proof. Every derivation is cross-checked in NumPy floats; "
        "a disagreement, or a result that a proof refutes, is exit status 1.\n\n"
        "Several cases, or folders of them, are written to -o FOLDER, one file each. Where one fails, the "
        "others are finished, and the exit status is 2.",
        "精确计算 CASE：每个矩阵都写成封闭形式，每个乘积都逐项写出。\n\n"
        "小数的舍入都经过证明。每份推导都用 NumPy 浮点数核对；不一致，或结果被证明否定时，退出状态为 1。\n\n"
        "多个算例（或文件夹中的算例）写入 -o FOLDER，每个算例一个文件。某个算例出错时会报告，其余照常完成，"
        "退出状态为 2。",
    ),
)
@click.argument("cases", metavar="CASE...", nargs=-1, required=True, type=click.Path())
@option(
    "--latex",
    "form",
    flag_value="latex",
    help=Bilingual("LaTeX to paste into lecture notes.", "可贴进讲义的 LaTeX。"),
)
@option(
    "--markdown",
    "form",
    flag_value="markdown",
    help=Bilingual(
        "Markdown with $$ for GitHub, Obsidian, KaTeX.",
        "Markdown，公式写在 $$ 中，适用于 GitHub、Obsidian、KaTeX。",
    ),
)
@option(
    "--html",
    "form",
    flag_value="html",
    help=Bilingual(
        "A self-contained page on which every number shows how it was computed.",
        "单个网页，指到每个数都能看到它的由来。",
    ),
)
@option(
    "--static",
    is_flag=True,
    help=Bilingual(
        "With --html: a page without a script, as also with --detail, --steps or --elide.",
        "与 `--html` 同用：不含脚本的网页；指定 --detail、--steps 或 --elide 时也是如此。",
    ),
)
@option(
    "--typst",
    "form",
    flag_value="typst",
    help=Bilingual("A document for typst, as source.", "typst 文档的源文件。"),
)
@option(
    "--pdf",
    "form",
    flag_value="pdf",
    help=Bilingual("A PDF, to a file or a pipe.", "PDF，写入文件或管道。"),
)
@option(
    "--slides",
    is_flag=True,
    help=Bilingual(
        "Slides, one frame per step: LaTeX (beamer), or with --pdf compiled by xelatex.",
        "幻灯片，每步一帧：LaTeX（beamer）源文件，与 `--pdf` 同用时由 xelatex 编译。",
    ),
)
@engine_option
@text_option
@option(
    "--json",
    "form",
    flag_value="json",
    help=Bilingual("Data: the contract symattn/derivation/1.", "数据，格式为 symattn/derivation/1。"),
)
@standalone_option
@option(
    "--fragment",
    is_flag=True,
    help=Bilingual(
        "With --html: a fragment to put into another page, with its style.",
        "与 `--html` 同用：可放入其他网页的片段，带样式。",
    ),
)
@option(
    "--article",
    is_flag=True,
    help=Bilingual(
        "With --latex: a fragment in the type of the document around it, every equation with a label.",
        "与 `--latex` 同用：字体和颜色随所在文档，每个公式都有标签。",
    ),
)
@option(
    "--label",
    metavar="PREFIX",
    help=Bilingual(
        "With --article: the start of the labels after `eq:`, instead of the title.",
        "与 `--article` 同用：标签在 `eq:` 之后的开头，不写则为标题。",
    ),
)
@option(
    "--width",
    type=click.FloatRange(60, 400),
    default=170.0,
    show_default=True,
    help=Bilingual(
        "With --latex: the width of a line in mm, such as 85 in an article of two columns.",
        "与 `--latex` 同用：一行的宽度（毫米），如双栏文章的一栏为 85。",
    ),
)
@output_option
@digits_option
@option(
    "--significant",
    type=click.IntRange(1, 200),
    help=Bilingual("Significant digits instead of decimal places.", "有效数字的位数，代替小数位数。"),
)
@lang_option(
    Bilingual(
        "The language of the narration, by default that of the case, and of messages.",
        "正文的语言（默认为算例的语言）和提示信息的语言。",
    )
)
@option(
    "--only",
    metavar="NAME,...",
    help=Bilingual(
        "Only these steps, by name: Q, A, head1.A, ... (`symattn check` lists them).",
        "只输出这些步骤：Q、A、head1.A 等（`symattn check` 列出全部名称）。",
    ),
)
@option(
    "--detail",
    type=click.Choice(["result", "steps", "entries"]),
    help=Bilingual(
        "What is worked out: the result alone, one entry of each step (the default), or every entry.",
        "详细程度：`result` 只有结果，`steps` 每步写出一个元素的计算（默认），`entries` 写出每个元素的计算。",
    ),
)
@option(
    "--steps",
    type=click.Choice(["some", "all"]),
    help=Bilingual(
        "all is the same as --detail entries; some works out the first entries of each step.",
        "取值 `all` 等于 `--detail entries`；取值 `some` 写出每步前几个元素的计算过程。",
    ),
)
@option(
    "--no-head",
    is_flag=True,
    help=Bilingual("A page without its title, source and conventions.", "页面不写标题、出处和约定。"),
)
@option(
    "--elide",
    is_flag=True,
    help=Bilingual(
        "Leave zeros and ones out of worked sums: 1·0 + 2·1 is 2.", "算式中略去 0 和 1：1·0 + 2·1 写作 2。"
    ),
)
@option(
    "--watch",
    "watching",
    is_flag=True,
    help=Bilingual(
        "Write the page again whenever CASE, or a file that it reads, is saved; Ctrl-C ends.",
        "每当 CASE 或它读取的文件保存时重新写出页面；按 Ctrl-C 结束。",
    ),
)
@many_options
@allow_files_option
@effort_option
def command(
    cases: tuple[str, ...],
    form: str | None,
    engine: Engine | None,
    slides: bool,
    static: bool,
    standalone: bool,
    fragment: bool,
    article: bool,
    label: str | None,
    width: float,
    output: str | None,
    digits: int,
    significant: int | None,
    lang: str | None,
    only: str | None,
    detail: str | None,
    steps: str | None,
    no_head: bool,
    elide: bool,
    watching: bool,
    jobs: int | None,
    scheduler: str | None,
    allow_files: bool,
) -> None:
    """`symattn derive CASE...`."""
    need_memory()
    names = tuple(name.strip() for name in (only or "").split(",") if name.strip())
    if only is not None and not names:
        raise UnusableValue(
            Bilingual("no step is named", "没有指定任何步骤"),
            Bilingual(
                "name at least one: --only Q,A (`symattn check` lists them)",
                "请写出名称：--only Q,A（`symattn check` 列出全部名称）",
            ),
        ).at(key="--only")

    page = Page(
        form=form or ("slides" if slides else "text"),
        engine=engine,
        slides=slides,
        static=static,
        standalone=standalone,
        fragment=fragment,
        article=article,
        label=label,
        width=width,
        digits=digits,
        significant=significant,
        lang=lang,
        only=names,
        detail=detail or {"all": "entries", "some": "some"}.get(steps or ""),
        headed=not no_head,
        elide=elide,
        allow_files=allow_files,
        columns=shutil.get_terminal_size((100, 24)).columns,
        colour=output is None and colourful(),
        encoding=encoding(output),
    )
    need_fitting(page)
    if slides and form == "pdf":
        page = replace(page, engine="xelatex")
    ready_for_pdf(form == "pdf", "--pdf", page.engine, output)
    into_folder = several(cases, output, jobs, scheduler)
    if into_folder and output is not None:
        if watching:
            raise UnusableValue(
                Bilingual("it writes the page of one case", "它只写出一个算例的页面"),
                Bilingual("name one case, and -o FILE", "请只写一个算例和 -o FILE"),
            ).at(key="--watch")
        write_each(
            partial(page_of, page=page),
            files := all_of(cases, (".toml",)),
            output,
            lambda path: Path(path).stem + page.ending,
            machines(files, jobs, scheduler),
        )
        return

    def render() -> None:
        with Progress() as progress:
            made = page_of(cases[0], page, progress)
        made.tell()
        emit(made.content or "", output, document=page.form != "text")
        if made.status:
            raise click.exceptions.Exit(made.status)

    if watching:
        from symattn.cli.watch import watch

        watch(cases[0], output, render)
    else:
        render()
