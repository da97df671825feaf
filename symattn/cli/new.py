"""`symattn new NAME`: a commented case to start from."""

from __future__ import annotations

import os

import click

from symattn.cli.commands import Command, lang_option, option, output_option
from symattn.cli.output import emit, is_regular
from symattn.text.bilingual import Bilingual
from symattn.text.file_names import shown


@click.command(
    "new",
    cls=Command,
    help=Bilingual(
        "Print a commented case titled NAME that derives without changes.",
        "打印一个带注释、标题为 NAME 的算例，它可以直接推导。",
    ),
)
@click.argument("name")
@lang_option(
    Bilingual("The language of the case (default en) and of messages.", "算例（默认 en）和提示信息的语言。")
)
@output_option
@option(
    "--force",
    is_flag=True,
    help=Bilingual("With -o: replace an existing file.", "与 -o 同用：覆盖已有的文件。"),
)
def command(name: str, lang: str | None, output: str | None, force: bool) -> None:
    """`symattn new NAME`."""
    from symattn.casefile.template import template
    from symattn.text.errors import UnusableValue

    if output is not None and os.path.exists(output) and is_regular(output) and not force:
        raise UnusableValue(
            Bilingual("the file already exists", "文件已经存在"),
            Bilingual(
                "write to another file, or replace this one with --force", "请写到别的文件，或用 --force 覆盖"
            ),
        ).at(file=output)

    emit(template(shown(name), lang or "en"), output, document=True)
