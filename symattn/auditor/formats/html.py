"""The annotated derivation as a page for a browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symattn.auditor.formats.document import merged, piece
from symattn.auditor.formats.items import Options
from symattn.auditor.formats.stream import Outcome
from symattn.typeset.html import html

__all__ = ["joined", "piece"]


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """One self-contained page."""
    yield html(merged(outcomes, options))
