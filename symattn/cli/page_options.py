"""Options of pages that several verbs have."""

from __future__ import annotations

import click

from symattn.cli.commands import option
from symattn.text.bilingual import Bilingual

standalone_option = option(
    "--standalone",
    is_flag=True,
    help=Bilingual(
        "With --latex: a whole document that xelatex compiles.",
        "与 --latex 同用：可用 xelatex 编译的完整文档。",
    ),
)
text_option = option(
    "--text",
    "form",
    flag_value="text",
    help=Bilingual("For the terminal (the default).", "用于终端（默认）。"),
)
digits_option = option(
    "--digits",
    type=click.IntRange(0, 200),
    default=4,
    show_default=True,
    help=Bilingual("Decimal places.", "小数位数。"),
)
