"""`symattn check CASE.toml`: the independent walk in NumPy floats."""

from __future__ import annotations

import json
import sys

import click

from symattn.cli.effort import effort_option
from symattn.cli.warnings import warn


@click.command("check")
@click.argument("case", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print data instead of a table.")
@effort_option
def command(case: str, as_json: bool) -> None:
    """Walk CASE in float64 from its givens and report each step's largest error in ulps.

    Exit status 1 where a step is further from the exact values than rounding explains.
    """
    from symattn.export import check_data
    from symattn.worked import work

    worked = work(case)
    warn(worked)
    check = worked.check
    if as_json:
        click.echo(json.dumps(check_data(check), ensure_ascii=False, indent=1))
    else:
        for step in check.steps:
            error = "beyond float64" if step.max_ulp is None else f"{step.max_ulp:.2f} ulp"
            click.echo(f"{step.name:<14} {error:>16}  {'agrees' if step.agrees else 'DISAGREES'}")
        for gradient in check.gradients:
            error = "not compared" if gradient.error is None else f"{gradient.error:.1e} rel."
            verdict = "agrees" if gradient.agrees else "DISAGREES"
            click.echo(f"{gradient.name:<14} {error:>16}  {verdict} with the derivative by complex steps")
        for name, value in check.symbols.items():
            click.echo(f"with {name} = {value}")
    if not check.agrees:
        sys.exit(1)
