"""`symattn explain [CODE]`: the catalogue of findings."""

from __future__ import annotations

import click

from symattn.cli.commands import Command, lang_option
from symattn.cli.language import language
from symattn.cli.output import emit
from symattn.text.bilingual import Bilingual


@click.command(
    "explain",
    cls=Command,
    help=Bilingual(
        "Say what a finding means, why it matters and what to do; without a CODE, list all findings.",
        "说明一条结论的含义、为什么重要以及怎么办；不写 CODE 就列出全部结论。",
    ),
)
@click.argument("codes", metavar="[CODE]...", nargs=-1)
@lang_option(Bilingual("The language of the catalogue and of messages.", "目录和提示信息的语言。"), language)
def command(codes: tuple[str, ...], lang: str) -> None:
    """`symattn explain [CODE]...`."""
    from symattn.auditor.catalogue import Lang, explain, listing

    chosen: Lang = "zh" if lang == "zh" else "en"
    told = [explain(code, chosen) for code in codes] or [listing(chosen)]
    emit("\n".join(told), None, document=False)
