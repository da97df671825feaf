"""`symattn schema`: the JSON Schema of the case format."""

from __future__ import annotations

import json

import click

from symattn.cli.output import emit


@click.command("schema")
def command() -> None:
    """Print the JSON Schema (2020-12) of a case, for editors."""
    from symattn.reading.schema import schema

    emit(json.dumps(schema(), ensure_ascii=False, indent=2) + "\n", None, document=True)
