"""The command line: one file a verb, imported when the verb is used."""

from __future__ import annotations

import importlib
import os
import sys
from functools import partial
from typing import Any

import click

from symattn.cli.commands import Command, Option, message_lang, option
from symattn.cli.language import language, use_arguments
from symattn.cli.usage import Mistake
from symattn.text.bilingual import Bilingual
from symattn.text.suggest import instead

VERBS = {
    "derive": Bilingual(
        "work a case out exactly and print it as LaTeX, Markdown, HTML, text or JSON",
        "精确计算算例，输出 LaTeX、Markdown、HTML、文本或 JSON",
    ),
    "why": Bilingual(
        "show step by step how one entry follows from the givens",
        "逐步写出某个元素是怎样由已知量算出来的",
    ),
    "audit": Bilingual("judge every number that a source printed", "逐个判断文中印出的数是否正确"),
    "explain": Bilingual("what a finding of the audit means", "审校结论的含义"),
    "check": Bilingual(
        "evaluate a case in NumPy floats and compare with the exact values",
        "用 NumPy 浮点数把算例再算一遍，与精确值比较",
    ),
    "golden": Bilingual(
        "attention on the floats of a file, correctly rounded once, and the errors of an implementation",
        "对文件中的浮点数计算注意力，只舍入一次，并报告某个实现的误差",
    ),
    "extract": Bilingual(
        "write what was understood of Markdown, LaTeX or plain notes as an editable case",
        "把从 Markdown、LaTeX 或纯文本讲义中读懂的内容写成可编辑的算例",
    ),
    "exercise": Bilingual(
        "write an exercise with blanks, and its key, from a seed", "由种子生成带空格的练习及其答案"
    ),
    "mark": Bilingual(
        "mark answers, with full points for right working on wrong inputs",
        "给答案评分，由前面的错误正确推得的结果得满分",
    ),
    "new": Bilingual("print a commented case to start from", "打印一个带注释的算例模板"),
    "schema": Bilingual("print the JSON Schema of the case format", "打印算例格式的 JSON Schema"),
}


class Verbs(Command, click.Group):
    """The verbs of the table above, each in its own module."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        use_arguments(args)
        return super().make_context(info_name, args, parent, **extra)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command = importlib.import_module(f"symattn.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            listing = Bilingual("`symattn --help` lists all commands", "`symattn --help` 列出全部命令")
            found = Bilingual("No such command '{name}'.\n  {remedy}", "没有命令“{name}”。\n  {remedy}")
            raise Mistake(found.format(name=name, remedy=instead(name, VERBS, listing)), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words[language()]) for name, words in VERBS.items()])


EXTENSION = os.path.join(os.path.dirname(os.path.dirname(__file__)), "pandoc")
FILTER = os.path.join(EXTENSION, "_extensions", "symattn", "symattn.lua")


def _print_path(path: str, ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(path)
        ctx.exit()


@click.command(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=Bilingual(
        "The exact calculator and proofreader of attention.", "精确计算注意力的算例，并审校印出的数。"
    ),
)
@click.version_option(
    package_name="symattn",
    message="symattn %(version)s",
    cls=Option,
    help=Bilingual("Show the version and exit.", "显示版本并退出。"),
)
@option(
    "--pandoc-filter",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=partial(_print_path, FILTER),
    help=Bilingual(
        "Print the path of the filter for Pandoc and exit: pandoc -L FILTER.",
        "打印 Pandoc 过滤器的路径并退出：pandoc -L FILTER。",
    ),
)
@option(
    "--quarto-extension",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=partial(_print_path, EXTENSION),
    help=Bilingual(
        "Print the folder of the extension for Quarto and exit: `quarto add FOLDER`.",
        "打印 Quarto 扩展的文件夹并退出：`quarto add FOLDER`。",
    ),
)
@message_lang
def cli() -> None:
    """`symattn VERB ...`."""


def main() -> None:
    """The console script: ends with the exit status of the run."""
    from symattn.cli.boundary import run

    sys.exit(run(cli))
