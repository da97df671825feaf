"""Notes become cases: `read_notes(text, "notes.md", "markdown")`.

    text -> segments -> tokens -> chains -> links -> Reading

Each arrow is a file of this package; nothing is evaluated here except to decide between conventions.
"""

from symattn.reading.notes.reader import read_notes
from symattn.reading.notes.result import Reading

__all__ = ["Reading", "read_notes"]
