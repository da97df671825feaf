"""`symattn why CASE ENTRY`: how one entry follows from the givens."""

from __future__ import annotations

import re
import shlex
import shutil
from typing import Any

import click
from msgspec.structs import replace

from symattn.cli.commands import Command, allow_files_option, lang_option, option, output_option
from symattn.cli.effort import effort_option
from symattn.cli.memory import need_memory
from symattn.cli.output import colourful, emit, encoding
from symattn.cli.progress import Progress
from symattn.cli.setting import set_option
from symattn.plans.derive import Derivation
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.suggest import instead

_ENTRY = re.compile(r"\s*([^\[\]]*[^\[\]\s])\s*(?:\[\s*(-?\d+)\s*(?:,\s*(-?\d+)\s*)?\]\s*)?")
_STEPS = Bilingual("`symattn check CASE` lists all steps", "`symattn check CASE` 列出全部步骤")


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
@option(
    "--standalone",
    is_flag=True,
    help=Bilingual(
        "With --latex: a whole document that xelatex compiles.",
        "与 --latex 同用：可用 xelatex 编译的完整文档。",
    ),
)
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
@option(
    "--text",
    "form",
    flag_value="text",
    help=Bilingual("For the terminal (the default).", "用于终端（默认）。"),
)
@option(
    "--json",
    "form",
    flag_value="json",
    help=Bilingual("Data: the contract symattn/why/1.", "数据，格式为 symattn/why/1。"),
)
@output_option
@option(
    "--digits",
    type=click.IntRange(0, 200),
    default=4,
    show_default=True,
    help=Bilingual("Decimal places.", "小数位数。"),
)
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
        name, row, col = place_of(worked.derivation, entry)
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


def place_of(derivation: Derivation, entry: str) -> tuple[str, int, int]:
    """The matrix, row and column, from 0, that `Z[1,2]` means, which counts from 1.

    One index is enough for one row or one column, none for a single number. Raises UnusableValue.
    """
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise UnusableValue(
            Bilingual(f'"{entry}" is no entry of a matrix', f"“{entry}”不是矩阵的元素"),
            Bilingual(
                'write a name, a row and a column, such as "Z[1,2]"', '请写出名称、行和列，例如 "Z[1,2]"'
            ),
        ).at(key="ENTRY")
    name = _named(derivation, match[1])
    rows, cols = derivation[name].shape
    at = [int(index) for index in match.groups()[1:] if index is not None]
    if len(at) == 1 and 1 in (rows, cols):
        at = [1, *at] if rows == 1 else [*at, 1]
    if not at and (rows, cols) == (1, 1):
        at = [1, 1]
    if len(at) == 2 and 1 <= at[0] <= rows and 1 <= at[1] <= cols:
        return name, at[0] - 1, at[1] - 1
    raise UnusableValue(
        Bilingual(f"{entry} is not an entry of {name}", f"{entry} 不是 {name} 的元素"),
        Bilingual(
            f'{name} has {rows} rows and {cols} columns, which count from 1: "{match[1]}[1,1]" to '
            f'"{match[1]}[{rows},{cols}]"',
            f'{name} 有 {rows} 行 {cols} 列，从 1 数起：从 "{match[1]}[1,1]" 到 "{match[1]}[{rows},{cols}]"',
        ),
    ).at(key="ENTRY")


def _named(derivation: Derivation, said: str) -> str:
    """The one matrix that a name or a symbol means. Raises UnusableValue."""
    from symattn.attention.symbols import meant

    names = [name for name, _ in derivation.items()]
    found = meant(said, names)
    if len(found) == 1:
        return found[0]
    several = found or tuple(name for name in names if base_name(name) == said)
    many = Bilingual(f'several matrices go by the name "{said}"', f"有几个矩阵都叫“{said}”")
    none = Bilingual(f'the computation has no matrix "{said}"', f"推导中没有矩阵“{said}”")
    raise UnusableValue(many if several else none, instead(said, names, _STEPS, several)).at(key="ENTRY")
