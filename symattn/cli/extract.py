"""`symattn extract NOTES`: what the auditor understood of a document, as an editable case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symattn.cli.commands import Command, message_lang, option, output_option
from symattn.cli.language import language
from symattn.cli.memory import need_memory
from symattn.cli.output import emit, say
from symattn.text.bilingual import Bilingual

if TYPE_CHECKING:
    from symattn.notes.documents import Reading


@click.command(
    "extract",
    cls=Command,
    help=Bilingual(
        "Write what was understood of NOTES as a case.\n\n"
        "NOTES are Markdown (.md, .markdown, .rmd, .qmd), LaTeX (.tex), a notebook (.ipynb), "
        "HTML (.html, .htm) or plain text (.txt, .rst, .org, .adoc, .typ).\n\n"
        "Inputs, the steps of the computation and every printed number with its line: correct what was "
        "misread, then derive and audit the case. Where only inputs are printed, their case derives.",
        "把从讲义 NOTES 中读懂的内容写成算例。\n\n"
        "NOTES 可以是 Markdown（.md、.markdown、.rmd、.qmd）、LaTeX（.tex）、notebook（.ipynb）、"
        "HTML（.html、.htm）或纯文本（.txt、.rst、.org、.adoc、.typ）。\n\n"
        "其中有输入、计算步骤，以及每个印出的数和它的行号：改正读错的地方，然后推导并审校这个算例。"
        "如果只印出了输入，写成的算例可供推导。",
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
@message_lang
def command(notes: str, output: str | None, walk: int) -> None:
    """`symattn extract NOTES`."""
    need_memory()
    from symattn.notes.documents import reading_of
    from symattn.notes.extract import extract

    reading = reading_of(notes)
    emit(extract(reading, walk - 1), output, document=True)
    say(f"symattn: {_coverage(reading)}")


def _coverage(reading: Reading) -> str:
    """How much of a document was read, by default in the language of the document."""
    if not reading.cases:
        from symattn.notes.claims.givens import inputs

        count = sum(len(row) for each in inputs(reading.understood).given.values() for row in each.typed)
        return (
            f"读出 {count} 个输入数" if language(reading.lang) == "zh" else f"{count} numbers of inputs read"
        )
    linked = sum(len(row) for case in reading.cases for claim in case.stated for row in claim.values)
    printed = len(set(reading.results))
    unread = printed - linked - len({each.place for each in reading.equations})
    if language(reading.lang) == "zh":
        found = f"印出的 {printed} 个数读出 {linked} 个"
        return found + (f"，{unread} 个未读" if unread > 0 else "")
    found = f"{linked} of {printed} printed numbers read"
    return found + (f", {unread} not read" if unread > 0 else "")
