"""How a report shows itself in a notebook: a report is plain data, and its page is attached to it here.

The public names `symattn.audit` and `symattn.Report` come from this module, so that no report which they
make is without its page. The page and its typesetter are imported when a notebook asks.
"""

from __future__ import annotations

from symattn.auditor.audit import audit
from symattn.auditor.report import Report

__all__ = ["Report", "audit"]


def page(report: Report) -> str:
    """The report as a piece of HTML."""
    from symattn.auditor.formats.document import document
    from symattn.typeset.html import html

    return html(document(report), standalone=False)


Report._repr_html_ = page
