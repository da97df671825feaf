"""The report for a terminal: grouped by step, the printed number beside the right one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symattn.auditor.formats.excerpts import excerpts
from symattn.auditor.formats.items import Options
from symattn.auditor.formats.labels import summary
from symattn.auditor.formats.listing import listing
from symattn.auditor.formats.stream import Outcome, total
from symattn.auditor.report import Report
from symattn.typeset.text import text


def piece(path: str, reports: Sequence[Report], options: Options) -> str:
    """One file's findings and its count: step by step for a case, line by line for a document."""
    if any(report.document for report in reports):
        return excerpts(path, reports, options)
    return text(listing(path, reports, options), width=options.width, colour=options.colour)


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """The files one after the other; after several, the count of them all."""
    files = printed = unread = 0
    counts: dict[str, int] = {}
    for outcome in outcomes:
        if outcome.problem is not None:
            continue
        yield ("\n" if files else "") + outcome.piece
        files += 1
        printed, unread = printed + outcome.printed, unread + outcome.unread
        counts = total(counts, outcome.counts)
    if files > 1:
        lang = options.lang or "en"
        lead = f"{files} 个文件，" if lang == "zh" else f"{files} files, "
        yield f"\n{lead}{summary(printed, unread, counts, lang)}\n"
