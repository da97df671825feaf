"""`symattn derive CASE.toml`: the exact derivation on a page."""

from __future__ import annotations

import shutil
from typing import Any

import click

from symattn.cli.boundary import FINDINGS
from symattn.cli.effort import effort_option
from symattn.cli.memory import need_memory
from symattn.cli.output import colourful, emit, encoding, say
from symattn.cli.progress import Progress
from symattn.cli.warnings import warn
from symattn.errors import UnusableValue

FORMATS = ("latex", "markdown", "html", "text", "json")


@click.command("derive")
@click.argument("case", type=click.Path())
@click.option("--latex", "form", flag_value="latex", help="LaTeX to paste into lecture notes.")
@click.option(
    "--markdown", "form", flag_value="markdown", help="Markdown with $$ for GitHub, Obsidian, KaTeX."
)
@click.option("--html", "form", flag_value="html", help="A self-contained page with MathML.")
@click.option("--text", "form", flag_value="text", help="For the terminal (the default).")
@click.option("--json", "form", flag_value="json", help="Data: the contract symattn/derivation/1.")
@click.option("--standalone", is_flag=True, help="With --latex: a whole document that xelatex compiles.")
@click.option("-o", "--output", type=click.Path(), help="Write to this file instead of standard output.")
@click.option("--digits", type=click.IntRange(0, 200), default=4, show_default=True, help="Decimal places.")
@click.option(
    "--significant", type=click.IntRange(1, 200), help="Significant digits instead of decimal places."
)
@click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="The language of the narration; the case's by default."
)
@click.option(
    "--only",
    metavar="NAME,...",
    help="Only these steps, by name: Q, A, head1.A, ... (`symattn check` lists them).",
)
@click.option(
    "--steps", type=click.Choice(["some", "all"]), default="some", help="Work every entry of large matrices."
)
@effort_option
def command(
    case: str,
    form: str | None,
    standalone: bool,
    output: str | None,
    digits: int,
    significant: int | None,
    lang: str | None,
    only: str | None,
    steps: str,
) -> None:
    """Work CASE out exactly: every matrix in closed form, every product written out.

    Decimals are correctly rounded, with a proof. Every derivation is cross-checked in NumPy floats;
    a disagreement is exit status 1.
    """
    need_memory()
    from symattn.typeset.cjk import laid_out_for
    from symattn.worked import work

    if standalone and form != "latex":
        raise UnusableValue(
            f"it makes a whole document of LaTeX, and not of {form or 'text'}",
            "write --latex --standalone; --html is a whole page as it is",
        ).at(key="--standalone")
    names = tuple(name.strip() for name in (only or "").split(",") if name.strip())
    if only is not None and not names:
        raise UnusableValue("no step is named", "name some: --only Q,A (`symattn check` lists them)").at(
            key="--only"
        )
    with Progress() as progress:
        worked = work(case, progress.steps)
        for done, what in (("facts", "facts"), ("check", "cross-check"), ("proofs", "proofs")):
            progress.say(what)
            getattr(worked, done)
        progress.say("page")
        page: dict[str, Any] = {
            "digits": digits,
            "significant": significant,
            "lang": lang,
            "only": names,
            "every_entry": steps == "all",
        }
        match form or "text":
            case "latex":
                printed = worked.latex(standalone=standalone, **page)
            case "markdown":
                printed = worked.markdown(**page)
            case "html":
                printed = worked.html(**page)
            case "json":
                printed = worked.json(digits=digits, significant=significant, only=names)
            case _:
                width = shutil.get_terminal_size((100, 24)).columns
                with laid_out_for(encoding(output)):
                    printed = worked.text(width=width, colour=output is None and colourful(), **page)
    warn(worked)
    emit(printed, output, document=form not in (None, "text"))
    if not worked.check.agrees:
        wrong = ", ".join(worked.check.wrong)
        say(f"symattn: the NumPy walk disagrees in {wrong}")
        raise click.exceptions.Exit(FINDINGS)
