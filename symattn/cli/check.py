"""`symattn check CASE.toml`: the independent walk in NumPy floats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from symattn.cli.boundary import FINDINGS
from symattn.cli.effort import effort_option
from symattn.cli.memory import need_memory
from symattn.cli.output import emit
from symattn.cli.progress import Progress
from symattn.cli.warnings import warn

if TYPE_CHECKING:
    from symattn.crosscheck import CrossCheck


@click.command("check")
@click.argument("case", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print data instead of a table.")
@effort_option
def command(case: str, as_json: bool) -> None:
    """Walk CASE in float64 from its givens and report each step's largest error in ulps.

    Exit status 1 where a step is further from the exact values than rounding explains.
    """
    need_memory()
    from symattn.export import check_data
    from symattn.worked import work

    with Progress() as progress:
        worked = work(case, progress.steps)
        progress.say("cross-check")
        check = worked.check
    warn(worked)
    if as_json:
        emit(json.dumps(check_data(check), ensure_ascii=False, indent=1) + "\n", None, document=True)
    else:
        emit("".join(f"{line}\n" for line in _table(check)), None, document=False)
    if not check.agrees:
        raise click.exceptions.Exit(FINDINGS)


def _table(check: CrossCheck) -> Iterator[str]:
    for step in check.steps:
        error = "beyond float64" if step.max_ulp is None else f"{step.max_ulp:.2f} ulp"
        yield f"{step.name:<14} {error:>16}  {'agrees' if step.agrees else 'DISAGREES'}"
    for gradient in check.gradients:
        error = "not compared" if gradient.error is None else f"{gradient.error:.1e} rel."
        verdict = "agrees" if gradient.agrees else "DISAGREES"
        yield f"{gradient.name:<14} {error:>16}  {verdict} with the derivative by complex steps"
    for name, value in check.symbols.items():
        yield f"with {name} = {value}"
