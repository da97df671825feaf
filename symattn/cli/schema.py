"""`symattn schema`: the JSON Schema of the case format, or of what a command prints."""

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
        "Print the JSON Schema (2020-12) of a case, for editors, or of what `symattn golden --json` or "
        "`symattn mark --json` prints.",
        "打印算例的 JSON Schema（2020-12），供编辑器使用；"
        "或 `symattn golden --json`、`symattn mark --json` 输出的 JSON Schema。",
    ),
)
@click.argument(
    "of", metavar="[case|golden|marks]", type=click.Choice(["case", "golden", "marks"]), default="case"
)
@message_lang
def command(of: str) -> None:
    """`symattn schema [case|golden|marks]`."""
    if of == "golden":
        from symattn.golden.data import schema
    elif of == "marks":
        from symattn.classroom.marks import schema
    else:
        from symattn.casefile.schema import schema

    emit(json.dumps(schema(), ensure_ascii=False, indent=2) + "\n", None, document=True)
