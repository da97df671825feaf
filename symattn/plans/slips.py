"""The usual mistakes of operations by their code, in the words of `slips.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from symattn.plans.operation import Operation, Slip
from symattn.text.bilingual import Bilingual, oriented


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("slips.toml").read_text("utf-8"))


@cache
def _words(code: str) -> tuple[Bilingual, str]:
    en, zh, *on_columns = _table()[code]
    return oriented(en, zh), "".join(on_columns)


def mistake(code: str, instead: Operation, **parts: object) -> Slip:
    """The mistake of this code: `instead` was carried out; `parts` are put into its words.

    Of a mistake that is made in two ways the words have the way behind a slash; it is no part of the code.
    """
    because, on_columns = _words(code)
    return Slip(code.partition("/")[0], because.format(**parts) if parts else because, instead, on_columns)
