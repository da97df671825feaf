"""The annotated derivation as a document that xelatex compiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symattn.auditor.formats.document import merged, piece
from symattn.auditor.formats.items import Options
from symattn.auditor.formats.stream import Outcome
from symattn.typeset.latex import latex

__all__ = ["joined", "piece"]


def joined(outcomes: Iterable[Outcome], options: Options) -> Iterator[str]:
    """One standalone document."""
    yield latex(merged(outcomes, options), standalone=True)
