"""`symattn schema`: the JSON Schema of the case format."""

from __future__ import annotations

import json

import click


@click.command("schema")
def command() -> None:
    """Print the JSON Schema (2020-12) of a case, for editors."""
    from symattn.reading.schema import schema

    click.echo(json.dumps(schema(), ensure_ascii=False, indent=2))
