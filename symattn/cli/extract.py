"""`symattn extract NOTES`: what the auditor understood of a document, as an editable case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symattn.cli.memory import need_memory
from symattn.cli.output import emit, say
from symattn.cli.setting import set_option

if TYPE_CHECKING:
    from symattn.reading.notes import Reading


@click.command("extract")
@click.argument("notes", type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="Write to this file instead of standard output.")
@click.option(
    "--walk",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Which worked example of the document.",
)
@set_option
def command(notes: str, output: str | None, walk: int, given: tuple[str, ...]) -> None:
    """Write what is understood of NOTES as a case.

    NOTES are Markdown (.md, .markdown, .rmd, .qmd), LaTeX (.tex), a notebook (.ipynb) or plain text (.txt,
    .rst, .org, .adoc, .typ).

    Inputs, conventions and every printed number with its line: correct what was misread, then derive and
    audit the case.
    """
    need_memory()
    from symattn.reading.documents import reading_of
    from symattn.reading.notes.cases.extract import extract
    from symattn.reading.overrides import overrides

    reading = reading_of(notes, overrides(given))
    emit(extract(reading, walk - 1), output, document=True)
    say(f"symattn: {_told(reading)}")


def _told(reading: Reading) -> str:
    """How much of a document was read, in the language of the document."""
    unread = len(reading.unread)
    if any(case.lang == "zh" for case in reading.cases):
        found = f"印出的 {reading.printed} 个数读出 {reading.linked} 个"
        return found + (f"，{unread} 个未读" if unread else "")
    found = f"{reading.linked} of {reading.printed} printed numbers read"
    return found + (f", {unread} not read" if unread else "")
