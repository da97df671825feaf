"""The command line: one file a verb, imported when the verb is used."""

from __future__ import annotations

import importlib
import sys

import click

from symattn.suggest import instead

VERBS = {
    "derive": "work a case out exactly and print it as LaTeX, Markdown, HTML, text or JSON",
    "audit": "judge every number that a source printed",
    "explain": "what a finding of the audit means",
    "check": "walk a case in NumPy floats and compare with the exact values",
    "extract": "write what is understood of Markdown, LaTeX or plain notes as an editable case",
    "new": "print a commented case to start from",
    "schema": "print the JSON Schema of the case format",
}


class Verbs(click.Group):
    """The verbs of the table above, each in its own module."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command = importlib.import_module(f"symattn.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            remedy = instead(name, VERBS, "`symattn --help` lists all commands")
            ctx.fail(f"No such command '{name}'.\n  {remedy}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="symattn", message="symattn %(version)s")
def cli() -> None:
    """The exact calculator and proofreader of attention."""


def main() -> None:
    """The console script: ends with the exit status of the run."""
    from symattn.cli.boundary import run

    sys.exit(run(cli))
