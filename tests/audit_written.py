"""An audit written in one of its formats, for the tests of the formats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reports import report

from symattn.auditor.formats.items import Options
from symattn.auditor.formats.stream import Outcome
from symattn.auditor.formats.table import format_named
from symattn.auditor.report import Report

PATH = "notes/cat.toml"


def written(form: str, reports: Iterable[Report] | None = None, **options: Any) -> str:
    """One file in a format, whole."""
    chosen = Options(**options)
    found = tuple(reports or (report(),))
    chosen_format = format_named(form)
    outcome = Outcome(PATH, chosen_format.piece(PATH, found, chosen), found[0].counts, found[0].printed, 1)
    return "".join(chosen_format.joined([outcome], chosen))
