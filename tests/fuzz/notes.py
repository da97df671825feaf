"""Coverage-guided fuzzing of the reader of notes: no crash, no hang, every numeral accounted for.

    pip install atheris
    python tests/fuzz/notes.py --sow FOLDER
    python tests/fuzz/notes.py -max_total_time=300 FOLDER

The first byte chooses how the text is written. `--sow` fills a folder with paragraphs of the renderer's
documents to start from. Texts are short, since a formula is read alike wherever it stands, and only the
reader is instrumented: thousands of texts a minute instead of hundreds.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import atheris

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from symattn.auditor.audit import audit as _  # noqa: F401  what is imported already stays as it is
from symattn.errors import SymattnError

with atheris.instrument_imports(include=["symattn.reading"]):
    from symattn.reading.documents import document_reports
    from symattn.reading.kinds import Kind
    from symattn.reading.notes import read_notes
    from symattn.reading.notes.cases.extract import extract

KINDS: tuple[Kind, ...] = ("markdown", "latex", "text", "notebook")
LONGEST = 400
DEFAULTS = (f"-max_len={LONGEST}", "-timeout=20")


def read(data: bytes) -> None:
    """Read, extract and audit one text; only a SymattnError may come out of it."""
    kind: Kind = KINDS[data[0] % len(KINDS)] if data else "markdown"
    text = data[1:].decode("utf-8", "replace")
    reading = read_notes(text, None, kind)
    assert reading.numerals >= reading.printed >= 0
    for walk in range(len(reading.cases)):
        extract(reading, walk)
    try:
        document_reports(text, None, kind)
    except SymattnError:
        assert kind == "notebook", "only a notebook can be unreadable"


def sow(folder: Path) -> None:
    """Write paragraphs of the renderer's documents, each with the one before it, as texts to start from."""
    from benchmarks.notes.documents import documents

    folder.mkdir(parents=True, exist_ok=True)
    for document in documents(60, 1):
        kind = bytes([KINDS.index(document.kind)])
        for at, pair in enumerate(pairwise(document.text.split("\n\n"))):
            text = kind + "\n\n".join(pair).encode()
            if len(text) <= LONGEST:
                (folder / f"{document.name}-{at}").write_bytes(text)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--sow"]:
        sow(Path(sys.argv[2]))
    else:
        atheris.Setup([sys.argv[0], *DEFAULTS, *sys.argv[1:]], read)
        atheris.Fuzz()
