"""What `symattn golden` makes of one input: the results, and the file that holds them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from symattn.cli.language import language
from symattn.cli.many import Made
from symattn.cli.progress import Progress
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnusableValue

if TYPE_CHECKING:
    from symattn.golden.attention import Rounded, Target
    from symattn.golden.inputs import Array, Inputs

ARRAYS = ("q", "k", "v", "mask", "past_k", "past_v", "nonpad_kv_seqlen", "sinks")
LONG = 10.0
"""Seconds; a longer time is said before it passes."""


class Asked(Struct, frozen=True):
    """Which results, by the options of the command."""

    format_name: str | None
    causal: bool
    scale: str | None
    softcap: float | None
    window: int | None
    heads: int | None
    kv_heads: int | None
    saturate: bool
    grad: str | None
    renamed: Mapping[str, str]
    """The names of arrays in files, where they are others than here."""


class Answer(Struct, frozen=True, eq=False):
    """The results for one input."""

    inputs: Inputs
    target: Target
    results: Mapping[str, Rounded]
    seeded: Mapping[str, Array]
    """The arrays that are in no file yet."""
    settings: Mapping[str, str]

    def file(self, name: str, renamed: Mapping[str, str]) -> bytes:
        """A file of that name with the results, what a seed made, and the settings."""
        from symattn.golden import files
        from symattn.golden.inputs import Array

        results = {renamed.get(key, key): Array(x.values, x.format) for key, x in self.results.items()}
        return files.spelled(name, {**self.seeded, **results}, self.settings)


def answer(source: str, asked: Asked, progress: Progress | None = None) -> Answer:
    """The results for a file or a seed. Raises SymattnError."""
    from symattn.exact.rounding import Undecided
    from symattn.golden import files
    from symattn.golden.attention import Target, golden
    from symattn.golden.formats import FORMATS as KNOWN
    from symattn.golden.gradients import gradients
    from symattn.golden.inputs import inputs
    from symattn.golden.options import Options

    dO: dict[str, Array] = {}
    made = files.seeded(source, KNOWN[asked.format_name or "float32"])
    arrays = made or read(source, ARRAYS, asked.renamed)
    if asked.grad is not None:
        seeded = files.seeded(asked.grad, KNOWN[asked.format_name or "float32"])
        dO = {"dO": seeded["q"]} if seeded else read(asked.grad, ("dO",), asked.renamed)
        if not dO:
            raise UnusableValue(_NO_GRADIENT).at(file=asked.grad)
    try:
        options = Options(asked.causal, asked.scale, asked.softcap, asked.heads, asked.kv_heads, asked.window)
        some = inputs({**arrays, **dO}, options)
    except SymattnError as error:
        raise error.at(file=source) from None
    target = Target(KNOWN[asked.format_name] if asked.format_name else some.format, asked.saturate)
    try:
        found = dict(golden(some, target, _Clock(progress).watch))
        if asked.grad is not None:
            found |= gradients(some, target, _Clock(progress, _LONG).watch)
    except Undecided as error:
        raise UnusableValue(_UNDECIDED.format(what=error)).at(file=source) from None
    settings = {
        "format": target.format.name,
        "causal": str(asked.causal).lower(),
        "scale": asked.scale or "exact",
        "softcap": str(asked.softcap or "none"),
        "window": str(asked.window or "none"),
        "saturate": str(asked.saturate).lower(),
        "input": source,
    }
    return Answer(some, target, found, {**made, **dO} if made else {}, settings)


def made_of(source: str, asked: Asked) -> Made:
    """The file with the results for one of several inputs. Raises SymattnError."""
    return Made(answer(source, asked).file(name_of(source), asked.renamed))


def name_of(source: str) -> str:
    """`seed-7-8x64.npz` for `seed:7:8x64`; a file keeps its name."""
    return (
        f"{source.replace(':', '-').replace(',', '-')}.npz"
        if source.startswith("seed:")
        else Path(source).name
    )


class _Clock:
    """Says how much is done and how long the rest takes at this pace; what is long is said beforehand."""

    def __init__(self, progress: Progress | None, beforehand: Bilingual | None = None) -> None:
        self.progress, self.start, self.beforehand = progress, time.monotonic(), beforehand

    def watch(self, share: float) -> None:
        if self.progress is None:
            return
        left = (time.monotonic() - self.start) * (1 - share) / share
        if self.beforehand is not None and left > LONG:
            click.echo(self.beforehand.format(seconds=f"{left:.0f}")[language()], err=True)
        self.beforehand = None
        self.progress.say(
            Bilingual(f"{share:.0%} done, {left:.0f} s left", f"已完成 {share:.0%}，还需约 {left:.0f} 秒")
        )


def read(path: str, wanted: tuple[str, ...], renamed: Mapping[str, str]) -> dict[str, Array]:
    """The arrays of a file by their names here."""
    from symattn.golden import files

    found = files.read(path, [renamed.get(name, name) for name in wanted])
    return {name: found[renamed.get(name, name)] for name in wanted if renamed.get(name, name) in found}


_NO_GRADIENT = Bilingual("there is no array `dO`", "没有数组 `dO`")
_LONG = Bilingual("symattn: the gradients take about {seconds} s", "symattn：计算梯度约需 {seconds} 秒")
_UNDECIDED = Bilingual("not decided: {what} (--effort)", "未能判定：{what}（--effort）")
