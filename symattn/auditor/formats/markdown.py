"""The report as Markdown tables, for a pull request or an issue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symattn.auditor.formats.items import Options
from symattn.auditor.formats.listing import listing
from symattn.auditor.formats.stream import Outcome
from symattn.auditor.report import Report
from symattn.typeset.markdown import markdown


def piece(path: str, reports: Sequence[Report], options: Options) -> str:
    """One file's findings and its count."""
    return markdown(listing(path, reports, options))


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """The files one after the other."""
    first = True
    for outcome in outcomes:
        if outcome.problem is None:
            yield ("" if first else "\n") + outcome.piece
            first = False
