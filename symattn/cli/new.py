"""`symattn new NAME`: a commented case to start from."""

from __future__ import annotations

import os

import click

from symattn.cli.output import emit, is_regular
from symattn.file_names import shown


@click.command("new")
@click.argument("name")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", help="The language of the case.")
@click.option("-o", "--output", type=click.Path(), help="Write to this file instead of standard output.")
@click.option("--force", is_flag=True, help="With -o: replace a file that is there.")
def command(name: str, lang: str, output: str | None, force: bool) -> None:
    """Print a commented case titled NAME that derives as it stands."""
    from symattn.errors import UnusableValue
    from symattn.reading.template import template

    if output is not None and os.path.exists(output) and is_regular(output) and not force:
        raise UnusableValue("the file is there already", "write to another one, or replace it: --force").at(
            file=output
        )

    emit(template(shown(name), lang), output, document=True)
