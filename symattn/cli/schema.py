"""`symattn schema`: the JSON Schema of the case format."""

from __future__ import annotations

import json

import click

from symattn.cli.commands import Command, message_lang
from symattn.cli.output import emit
from symattn.text.bilingual import Bilingual


@click.command(
    "schema",
    cls=Command,
    help=Bilingual(
        "Print the JSON Schema (2020-12) of a case, for editors.",
        "打印算例的 JSON Schema（2020-12），供编辑器使用。",
    ),
)
@message_lang
def command() -> None:
    """`symattn schema`."""
    from symattn.casefile.schema import schema

    emit(json.dumps(schema(), ensure_ascii=False, indent=2) + "\n", None, document=True)
