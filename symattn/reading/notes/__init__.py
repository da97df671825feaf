"""Notes become cases: `read_notes(text, "notes.md", "markdown")`.

    text -> formulas/ -> layout/ -> linking/ -> cases/ -> Reading

Each folder imports only from those before it, and `reader.py` is the table of contents; nothing is evaluated
here except to decide between conventions.
"""

from symattn.reading.notes.reader import read_notes
from symattn.reading.notes.result import Reading

__all__ = ["Reading", "read_notes"]
