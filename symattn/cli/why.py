"""`symattn why CASE ENTRY`: how one entry follows from the givens."""

from __future__ import annotations

import shlex
import shutil
from typing import Any

import click
from msgspec.structs import replace

from symattn.cli.commands import Command, allow_files_option, lang_option, option, output_option
from symattn.cli.effort import effort_option
from symattn.cli.memory import need_memory
from symattn.cli.output import colourful, emit, encoding
from symattn.cli.page_options import digits_option, standalone_option, text_option
from symattn.cli.progress import Progress
from symattn.cli.setting import set_option
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnusableValue


@click.command(
    "why",
    cls=Command,
    help=Bilingual(
        "Show why ENTRY of CASE has its value: its formula, the numbers put in, the products, the result; "
        "then the entries that it was made of, back to the givens.\n\n"
        'ENTRY is "Z[1,2]", "head1.A[2,3]" or "loss"; rows and columns count from 1.',
        "说明 CASE 中的 ENTRY 为什么是这个数：先写公式，再代入数值、算出各项与结果；"
        "然后依次展开它用到的元素，直到已知量。\n\n"
        'ENTRY 写成 "Z[1,2]"、"head1.A[2,3]" 或 "loss"；行与列从 1 数起。',
    ),
)
@click.argument("case", type=click.Path())
@click.argument("entry")
@option(
    "--hint",
    is_flag=True,
    help=Bilingual(
        "Show the formula and the numbers in it, and keep the result back.",
        "只给出公式和其中的数，不给出结果。",
    ),
)
@option(
    "--steps",
    type=click.IntRange(1, 1000),
    help=Bilingual(
        "Entries that are worked out; by default as many as fit on a screen.",
        "展开的元素个数；默认以一屏为限。",
    ),
)
@option(
    "--latex",
    "form",
    flag_value="latex",
    help=Bilingual("LaTeX to paste into lecture notes.", "可贴进讲义的 LaTeX。"),
)
@standalone_option
@option(
    "--markdown",
    "form",
    flag_value="markdown",
    help=Bilingual("Markdown with $$.", "Markdown，公式写在 $$ 中。"),
)
@option(
    "--html",
    "form",
    flag_value="html",
    help=Bilingual("A self-contained page with MathML.", "单个网页，公式为 MathML。"),
)
@text_option
@option(
    "--json",
    "form",
    flag_value="json",
    help=Bilingual("Data: the contract symattn/why/1.", "数据，格式为 symattn/why/1。"),
)
@output_option
@digits_option
@lang_option(
    Bilingual(
        "The language of the page, by default that of the case, and of messages.",
        "正文的语言（默认为算例的语言）和提示信息的语言。",
    )
)
@set_option
@allow_files_option
@effort_option
def command(
    case: str,
    entry: str,
    hint: bool,
    steps: int | None,
    form: str | None,
    standalone: bool,
    output: str | None,
    digits: int,
    lang: Any,
    given: tuple[str, ...],
    allow_files: bool,
) -> None:
    """`symattn why CASE ENTRY`."""
    need_memory()
    from symattn.attention.entry_names import place_of
    from symattn.casefile.case_file import read_case
    from symattn.casefile.overrides import overrides
    from symattn.result import work
    from symattn.typeset.cjk import laid_out_for

    if standalone and form != "latex":
        raise UnusableValue(
            Bilingual("it makes a whole document of LaTeX", "它生成完整的 LaTeX 文档"),
            Bilingual("write --latex --standalone", "请写 --latex --standalone"),
        ).at(key="--standalone")
    over = overrides(given)
    found = read_case(case, allow_files=allow_files)
    with Progress() as progress:
        worked = work(replace(found, settings=over.over(found.settings)), progress.steps)
        try:
            name, row, col = place_of(worked.derivation, entry)
        except SymattnError as error:
            raise error.at(key="ENTRY") from None
        again = ["symattn", "why", case, *(word for each in given for word in ("--set", each))]
        why = worked.why(name, row, col, steps=steps, hint=hint, command=shlex.join(again))
        page: dict[str, Any] = {"lang": lang, "digits": digits}
        match form:
            case "latex":
                printed = why.latex(standalone=standalone, **page)
            case "markdown":
                printed = why.markdown(**page)
            case "html":
                printed = why.html(**page)
            case "json":
                printed = why.json(digits=digits)
            case _:
                columns = shutil.get_terminal_size((100, 24)).columns
                with laid_out_for(encoding(output)):
                    printed = why.text(width=columns, colour=output is None and colourful(), **page)
    emit(printed, output, document=form not in (None, "text"))
