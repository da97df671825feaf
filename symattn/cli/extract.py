"""`symattn extract NOTES`: what the auditor understood of a document, as an editable case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symattn.bilingual import Bilingual
from symattn.cli.commands import Command, message_lang, option, output_option
from symattn.cli.language import language
from symattn.cli.memory import need_memory
from symattn.cli.output import emit, say
from symattn.cli.setting import set_option

if TYPE_CHECKING:
    from symattn.reading.notes import Reading


@click.command(
    "extract",
    cls=Command,
    help=Bilingual(
        "Write what is understood of NOTES as a case.\n\n"
        "NOTES are Markdown (.md, .markdown, .rmd, .qmd), LaTeX (.tex), a notebook (.ipynb) or plain text "
        "(.txt, .rst, .org, .adoc, .typ).\n\n"
        "Inputs, conventions and every printed number with its line: correct what was misread, then derive "
        "and audit the case.",
        "把从讲义 NOTES 中读懂的内容写成算例。\n\n"
        "NOTES 可以是 Markdown（.md、.markdown、.rmd、.qmd）、LaTeX（.tex）、notebook（.ipynb）"
        "或纯文本（.txt、.rst、.org、.adoc、.typ）。\n\n"
        "其中有输入、约定，以及每个印出的数和它的行号：改正读错的地方，然后推导并审校这个算例。",
    ),
)
@click.argument("notes", type=click.Path())
@output_option
@option(
    "--walk",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help=Bilingual("Which worked example of the document.", "文中的第几个算例。"),
)
@set_option
@message_lang
def command(notes: str, output: str | None, walk: int, given: tuple[str, ...]) -> None:
    """`symattn extract NOTES`."""
    need_memory()
    from symattn.reading.documents import reading_of
    from symattn.reading.notes.cases.extract import extract
    from symattn.reading.overrides import overrides

    reading = reading_of(notes, overrides(given))
    emit(extract(reading, walk - 1), output, document=True)
    say(f"symattn: {_told(reading)}")


def _told(reading: Reading) -> str:
    """How much of a document was read, by default in the language of the document."""
    unread = len(reading.unread)
    if language("zh" if any(case.lang == "zh" for case in reading.cases) else "en") == "zh":
        found = f"印出的 {reading.printed} 个数读出 {reading.linked} 个"
        return found + (f"，{unread} 个未读" if unread else "")
    found = f"{reading.linked} of {reading.printed} printed numbers read"
    return found + (f", {unread} not read" if unread else "")
