"""The annotated derivation as PDF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symattn.auditor.formats.document import merged, piece
from symattn.auditor.formats.items import Options
from symattn.auditor.formats.stream import Outcome
from symattn.typeset.pdf import pdf

__all__ = ["joined", "piece"]


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[bytes]:
    """One PDF of all pages."""
    yield pdf(merged(outcomes, options), options.engine)
