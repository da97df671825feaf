"""`symattn explain [CODE]`: the catalogue of findings."""

from __future__ import annotations

import click

from symattn.cli.output import emit


@click.command("explain")
@click.argument("codes", metavar="[CODE]...", nargs=-1)
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="The language of the catalogue.",
)
def command(codes: tuple[str, ...], lang: str) -> None:
    """Say what a finding means, why it matters and what to do; without a CODE, list all findings."""
    from symattn.auditor.catalogue import Lang, explain, listing

    language: Lang = "zh" if lang == "zh" else "en"
    told = [explain(code, language) for code in codes] or [listing(language)]
    emit("\n".join(told), None, document=False)
