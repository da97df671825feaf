"""Coverage-guided fuzzing of the reader of notes: no crash, no hang, every numeral accounted for.

    pip install atheris
    python tests/fuzz/notes.py -max_total_time=300 -timeout=20 [FOLDER OF DOCUMENTS]

The first byte chooses how the text is written. Documents to start from: `benchmarks/notes.py --write FOLDER`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

with atheris.instrument_imports(include=["symattn.reading", "symattn.auditor"]):
    from symattn.errors import SymattnError
    from symattn.reading.documents import document_reports
    from symattn.reading.notes import read_notes
    from symattn.reading.notes.extract import extract

KINDS = ("markdown", "latex", "text", "notebook")


def read(data: bytes) -> None:
    """Read, extract and audit one text; only a SymattnError may come out of it."""
    kind = KINDS[data[0] % len(KINDS)] if data else "markdown"
    text = data[1:].decode("utf-8", "replace")
    reading = read_notes(text, None, kind)  # type: ignore[arg-type]
    assert reading.numerals >= reading.printed >= 0
    for walk in range(len(reading.cases)):
        extract(reading, walk)
    try:
        document_reports(text, None, kind)  # type: ignore[arg-type]
    except SymattnError:
        assert kind == "notebook", "only a notebook can be unreadable"


if __name__ == "__main__":
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
