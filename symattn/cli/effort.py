"""The option `--effort`: how much precision a proof of equality may take."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import click

from symattn.cli.commands import option
from symattn.cli.output import say
from symattn.text.bilingual import Bilingual

LEAST, MOST = 64, 10_000_000


def _set(context: click.Context, parameter: click.Parameter, bits: int | None) -> None:
    if bits is not None:
        from symattn.exact.algebraic import set_effort

        set_effort(bits)
    context.call_on_close(_say_what_is_left)


def _say_what_is_left() -> None:
    """On standard error: an equality was too large to be decided, and which effort would do."""
    if "symattn.exact.algebraic" not in sys.modules:
        return  # nothing was decided
    from symattn.exact.algebraic import effort, wanted_effort

    wanted = wanted_effort()
    if wanted <= effort():
        return
    bits = 1000 * math.ceil(wanted / 1000) if wanted <= MOST else 0
    decides = Bilingual(f"--effort {bits} decides it", f"用 --effort {bits} 即可判定")
    beyond = Bilingual(f"more than --effort takes ({MOST})", f"超过 --effort 的上限（{MOST}）")
    found = Bilingual(
        f"symattn: an equality is undecided: its proof needs {wanted:.3g} bits, and the limit is {effort()}; "
        "{remedy}",
        f"symattn: 有一个等式未能判定：证明需要 {wanted:.3g} 位精度，上限是 {effort()} 位；{{remedy}}",
    )
    say(found.format(remedy=decides if bits else beyond))


def effort_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--effort BITS` to a verb that decides on exact numbers."""
    return option(
        "--effort",
        type=click.IntRange(LEAST, MOST),
        metavar="BITS",
        expose_value=False,
        callback=_set,
        help=Bilingual(
            "Precision in bits that a proof of equality may use (default 100000).",
            "证明相等时最多使用的精度，以二进制位计（默认 100000）。",
        ),
    )(command)
