"""What is wrong with a command line, in the language of messages."""

from __future__ import annotations

import io
from collections.abc import Sequence

import click

from symattn.cli.language import language
from symattn.text.bilingual import Bilingual
from symattn.text.suggest import alternatives


class Mistake(click.UsageError):
    """A mistake in a command line, said in both languages."""

    def __init__(self, words: Bilingual, ctx: click.Context) -> None:
        super().__init__(words.en, ctx)
        self.words = words


def complaint(error: click.ClickException) -> str:
    """The usage of the command, where its help is, and what is wrong."""
    is_usage = isinstance(error, click.UsageError) and type(error).show is click.UsageError.show
    if language() == "en" or not is_usage:
        english = io.StringIO()
        error.show(file=english)
        return english.getvalue().rstrip("\n")
    assert isinstance(error, click.UsageError)
    if error.ctx is None:
        return f"错误：{_chinese(error)}"
    usage, path = error.ctx.get_usage(), error.ctx.command_path
    return f"{usage}\n查看帮助：{path} --help\n\n错误：{_chinese(error)}"


def unexpected(left: Sequence[str]) -> Bilingual:
    """Arguments that the command does not take."""
    few = " ".join(left)
    s = "" if len(left) == 1 else "s"
    return Bilingual(f"Got unexpected extra argument{s} ({few})", f"多余的参数：{few}")


def bad_value(option: click.Option, value: object, error: click.BadParameter) -> Bilingual:
    """A value that an option does not take; the English is that of click."""
    wanted = "别的值"
    match option.type:
        case click.Choice(choices=choices):
            wanted = f" {'、'.join(map(str, choices))} 之一"
        case click.IntRange(min=least, max=None):
            wanted = f"不小于 {least} 的整数"
        case click.IntRange(min=least, max=most):
            wanted = f" {least} 到 {most} 的整数"
    return Bilingual(error.format_message(), f"选项 {_longest(option)} 的值应为{wanted}，却是“{value}”")


def _chinese(error: click.UsageError) -> str:
    match error:
        case Mistake(words=words):
            return words.zh
        case click.NoSuchOption(option_name=name, possibilities=near):
            meant = f"是不是 {alternatives(sorted(near)).zh}？" if near else ""
            return f"没有选项 {name}。{meant}"

        case click.MissingParameter(param=click.Argument() as argument):
            return f"缺少参数 {argument.human_readable_name}"
        case click.MissingParameter(param=click.Option() as option):
            return f"缺少选项 {_longest(option)}"
    return error.format_message()


def _longest(option: click.Option) -> str:
    return max(option.opts, key=len)


def misused(command: click.Command, error: click.BadOptionUsage) -> Bilingual:
    """A value missing behind an option, or one where the option takes none; the English is that of click."""
    flags = [each for each in command.params if isinstance(each, click.Option) and each.is_flag]
    is_flag = any(error.option_name in each.opts for each in flags)
    wrong = "不带值" if is_flag else "需要一个值"
    return Bilingual(error.format_message(), f"选项 {error.option_name} {wrong}")
