"""`symattn new NAME`: a commented case to start from."""

from __future__ import annotations

import click

from symattn.cli.output import emit
from symattn.file_names import shown


@click.command("new")
@click.argument("name")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", help="The language of the case.")
@click.option("-o", "--output", type=click.Path(), help="Write to this file instead of standard output.")
def command(name: str, lang: str, output: str | None) -> None:
    """Print a commented case titled NAME that derives as it stands."""
    from symattn.reading.template import template

    emit(template(shown(name), lang), output, document=True)
