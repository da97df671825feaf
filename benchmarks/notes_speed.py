"""How fast notes are read and audited: seconds per megabyte, and beside a trivial regular expression.

    python benchmarks/notes_speed.py [--sizes 0.25 0.5 1 2] [--seed 7] [--read]

The documents of the renderer (`benchmarks/notes.py`) are joined up to each size, so that a text has hundreds
of worked examples. The trivial reading finds every numeral with one pattern. Times are those of the
processor; with `--read` the audit is left out.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.notes.documents import documents
from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes

NUMERAL = re.compile(r"\d+(?:\.\d+)?")


def joined(size: int, texts: list[str]) -> str:
    """The texts one after the other, from the first again where they end, up to a number of characters."""
    parts: list[str] = []
    length = 0
    for text in cycle(texts):
        if length >= size:
            break
        parts.append(text)
        length += len(text) + 2
    return "\n\n".join(parts)[:size]


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how fast notes are read and audited.")
    parser.add_argument("--sizes", type=float, nargs="+", default=[0.25, 0.5, 1, 2])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--read", action="store_true", help="only read, without the audit")
    options = parser.parse_args()
    texts = [made.text for made in documents(400, options.seed) if made.kind == "markdown"]
    read_notes(texts[0])  # what is imported on first use is no part of the reading
    print("| MB | read, s/MB | read and audited, s/MB | read / regular expression |")
    print("|---:|---:|---:|---:|")
    for size in options.sizes:
        text = joined(int(size * 1e6), texts)
        plain = min(seconds(partial(NUMERAL.findall, text)) for _ in range(5))
        reading = seconds(partial(read_notes, text))
        audited = "-"
        if not options.read:
            audited = f"{seconds(partial(document_reports, text, None, 'markdown')) / size:.1f}"
        print(f"| {size} | {reading / size:.1f} | {audited} | {reading / plain:.0f} |", flush=True)


if __name__ == "__main__":
    main()
