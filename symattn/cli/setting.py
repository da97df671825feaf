"""The option `--set KEY=VALUE` of the verbs that read documents."""

from __future__ import annotations

import click

set_option = click.option(
    "--set",
    "given",
    metavar="KEY=VALUE",
    multiple=True,
    help="A convention, over what the text says: weights=transposed, scale=1, base=2, mask=causal, ... "
    "(the keys of [attention] in a case), or first_index=0.",
)
