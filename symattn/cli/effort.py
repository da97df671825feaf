"""The option `--effort`: how much precision a proof of equality may take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

LEAST, MOST = 64, 10_000_000


def _set(context: click.Context, parameter: click.Parameter, bits: int | None) -> None:
    if bits is not None:
        from symattn.exact.algebraic import set_effort

        set_effort(bits)


def effort_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--effort BITS` to a verb that decides on exact numbers."""
    return click.option(
        "--effort",
        type=click.IntRange(LEAST, MOST),
        metavar="BITS",
        expose_value=False,
        callback=_set,
        help="Precision that a proof of equality may take (default 100000).",
    )(command)
