"""Commands and options with help in both languages, which stand side by side where they are defined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import click

from symattn.cli.language import asked, language
from symattn.cli.usage import Mistake, bad_value, misused, unexpected
from symattn.text.bilingual import Bilingual

F = TypeVar("F", bound=Callable[..., Any])

SHOW_HELP = Bilingual("Show this message and exit.", "显示本说明并退出。")
_USAGE = {"[OPTIONS]": "[选项]", "COMMAND [ARGS]...": "命令 [参数]..."}
_HEADINGS = {"Options": "选项", "Commands": "命令"}
_RECORDS = {
    "INTEGER RANGE": "整数",
    "FLOAT RANGE": "数",
    "PATH": "路径",
    "[default: ": "[默认值：",
    "required]": "必填]",
}
"""What click itself writes on a page of help."""


def _chinese(words: str, known: Mapping[str, str]) -> str:
    for english, chinese in known.items():
        words = words.replace(english, chinese)
    return words


class Formatter(click.HelpFormatter):
    """The layout of a page of help; in Chinese by the columns that characters take in a terminal."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if language() == "en":
            super().write_usage(prog, args, prefix)
        else:
            self.write(f"用法：{prog} {_chinese(args, _USAGE)}\n")

    def write_heading(self, heading: str) -> None:
        if language() == "en":
            super().write_heading(heading)
        else:
            self.write(f"{_chinese(heading, _HEADINGS)}：\n")

    def write_text(self, text: str) -> None:
        if language() == "en":
            super().write_text(text)
            return
        from symattn.typeset.text_words import wrapped

        lead = " " * self.current_indent
        pages = ["\n".join(wrapped(part, self.width, lead, lead)) for part in text.split("\n\n")]
        self.write("\n\n".join(pages) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        if language() == "en":
            super().write_dl(tuple(rows), col_max, col_spacing)
            return
        from symattn.typeset.cjk import display_width, pad
        from symattn.typeset.text_words import wrapped

        lead = " " * self.current_indent
        named = [(_chinese(name, _RECORDS), _chinese(words, _RECORDS)) for name, words in rows]
        first = min(max(display_width(name) for name, _ in named), col_max) + col_spacing
        for name, words in named:
            below = lead + " " * first
            if display_width(name) > first - col_spacing:
                self.write(f"{lead}{name}\n")
                name = ""
            self.write("\n".join(wrapped(words, self.width, lead + pad(name, first), below)) + "\n")


class Context(click.Context):
    """A context whose help is laid out by `Formatter`."""

    formatter_class = Formatter


class Command(click.Command):
    """A command with help in both languages."""

    context_class = Context

    def __init__(self, name: str | None, *, help: Bilingual, **attributes: Any) -> None:
        super().__init__(name, help=help.en, **attributes)
        self.text = help

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.help = self.text[language()]
        super().format_help_text(ctx, formatter)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = SHOW_HELP[language()]
        return option

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        takes_more, ctx.allow_extra_args = ctx.allow_extra_args, True
        try:
            left = super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            raise Mistake(misused(self, error), ctx) from None
        if left and not takes_more and not ctx.resilient_parsing:
            raise Mistake(unexpected(left), ctx)
        return left


class Option(click.Option):
    """An option with help in both languages."""

    def __init__(self, names: Sequence[str], *, help: Bilingual, **attributes: Any) -> None:
        super().__init__(names, help=help.en, **attributes)
        self.text = help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = self.text[language()]
        return super().get_help_record(ctx)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        try:
            return super().type_cast_value(ctx, value)
        except click.BadParameter as error:
            raise Mistake(bad_value(self, value, error), ctx) from None


def option(*names: str, help: Bilingual, **attributes: Any) -> Callable[[F], F]:
    """`click.option` with help in both languages."""
    return click.option(*names, cls=Option, help=help, **attributes)


def lang_option(
    help: Bilingual, otherwise: Callable[[], str | None] = asked, **attributes: Any
) -> Callable[[F], F]:
    """`--lang en|zh`: by default what another `--lang` of the line says, or what `otherwise` says."""
    choice = click.Choice(["en", "zh"])
    return option("--lang", type=choice, default=otherwise, help=help, **attributes)


output_option = option(
    "-o",
    "--output",
    type=click.Path(),
    help=Bilingual("Write to this file instead of standard output.", "写入这个文件，而不是标准输出。"),
)
allow_files_option = option(
    "--allow-files",
    is_flag=True,
    help=Bilingual(
        "Let the case read givens from files outside its folder.",
        "允许算例从其文件夹之外的文件读取给定的量。",
    ),
)
message_lang = lang_option(Bilingual("The language of messages.", "提示信息的语言。"), expose_value=False)
"""`--lang` of a command that prints nothing else in a language."""
