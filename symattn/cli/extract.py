"""`symattn extract NOTES`: what the auditor understood of a document, as an editable case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from symattn.cli.output import emit

if TYPE_CHECKING:
    from symattn.reading.notes.result import Kind

KINDS: dict[str, Kind] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".ipynb": "notebook",
}


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
def command(notes: str, output: str | None, walk: int) -> None:
    """Write what is understood of NOTES (Markdown, LaTeX, a notebook or plain text) as a case.

    Inputs, conventions and every printed number with its line: correct what was misread, then derive and
    audit the case.
    """
    from symattn.reading.notes import read_notes
    from symattn.reading.notes.extract import extract
    from symattn.reading.toml_file import text_of

    path = Path(notes)
    reading = read_notes(text_of(path), notes, KINDS.get(path.suffix.lower(), "text"))
    emit(extract(reading, walk - 1), output)
    found = f"{reading.linked} of {reading.printed} printed numbers read"
    click.echo(
        f"symattn: {found}" + (f", {len(reading.unread)} not read" if reading.unread else ""), err=True
    )
