"""What passes between auditing a file and printing it: one outcome a file, so that memory stays bounded.

A format is two functions: `piece` says one file (it may run in another process, so a piece is plain
data), `joined` makes the pieces one output as they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from symattn.auditor.baselined import Known
from symattn.auditor.formats.items import Options
from symattn.auditor.report import VERDICTS, Report
from symattn.text.bilingual import Bilingual


class Outcome(Struct, frozen=True):
    """One audited file: its piece of the output, its counts, and how many of its findings fail it.

    `problem` is the message of a file that could not be used; its piece is None. `fixed` counts the numbers
    that were written anew in the file, or with a `diff` would be; beside a diff without them, `unsafe` counts
    what --unsafe-fixes would write anew. `lang` is the language of its report. `known` is the content of its
    findings, where a baseline is written; `gone` are the findings of a baseline that it no longer has.
    """

    path: str
    piece: Any = None
    counts: Mapping[str, int] | None = None
    printed: int = 0
    unread: int = 0
    failing: int = 0
    problem: Bilingual | None = None
    fixed: int = 0
    unsafe: int = 0
    diff: str | None = None
    lang: str = "en"
    known: tuple[Known, ...] = ()
    gone: tuple[Known, ...] = ()


Piece = Callable[[str, Sequence[Report], Options], Any]
Joined = Callable[[Iterable[Outcome], Options], Iterator[str | bytes]]


class Format(Struct, frozen=True):
    """An output format of `symattn audit`."""

    piece: Piece
    joined: Joined


def total(counts: Mapping[str, int], more: Mapping[str, int] | None) -> dict[str, int]:
    """The counts of two sets of verdicts added up, every verdict named, and what was suppressed."""
    more = more or {}
    names = [*VERDICTS, *(["suppressed"] if "suppressed" in counts or "suppressed" in more else [])]
    return {name: counts.get(name, 0) + more.get(name, 0) for name in names}
