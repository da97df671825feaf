"""How fast notes are read and audited: seconds per megabyte, and beside a trivial regular expression.

    python benchmarks/notes_speed.py [--sizes 0.25 0.5 1 2] [--seed 7] [--read]
    python benchmarks/notes_speed.py --growth 40 [--shapes slips softmax]

The documents of the renderer (`benchmarks/notes.py`) are joined up to each size, so that a text has hundreds
of worked examples. The trivial reading finds every numeral with one pattern. Times are those of the
processor; with `--read` the audit is left out. With `--growth` texts of many shapes, so many kilobytes long
and then twice and four times, are read and audited: a ratio of 2 is linear time.
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, pairwise
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.notes.documents import documents
from benchmarks.notes.shapes import SHAPES
from symattn.cli.sources import RARELY
from symattn.reading.documents import document_reports
from symattn.reading.notes import read_notes

NUMERAL = re.compile(r"\d+(?:\.\d+)?")
MOST_DOCUMENTS = 400


def usual(size: int, seed: int) -> list[str]:
    """Documents of the renderer in Markdown, as many as fill so many characters or are made at the most."""
    texts: list[str] = []
    length = 0
    for made in documents(MOST_DOCUMENTS, seed):
        if made.kind == "markdown":
            texts.append(made.text)
            length += len(made.text)
        if length >= size:
            break
    return texts


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


def growth(kilobytes: int, texts: list[str], among: Sequence[str]) -> None:
    """Print by what factor the time grows when a text of each shape doubles in length, and again.

    Only those are tried whose names have one of some words in them, where such are given.
    """
    shapes = {"usual documents": (partial(joined, texts=texts), "markdown"), **SHAPES}
    print("| shape | s/MB | twice as long | four times |")
    print("|---|---:|---:|---:|")
    for name, (shape, kind) in shapes.items():
        if among and not any(word in name for word in among):
            continue
        written = [shape(kilobytes * 1000 * times) for times in (1, 2, 4)]
        times = [seconds(partial(document_reports, text, None, kind)) for text in written]
        lengths = [len(text) for text in written]
        ratios = [
            2 * (after / before) / (long / short)
            for (before, after), (short, long) in zip(pairwise(times), pairwise(lengths), strict=True)
        ]
        row = (f"{times[-1] / lengths[-1] * 1e6:.0f}", *(f"{ratio:.1f}" for ratio in ratios))
        print(f"| {name} | {' | '.join(row)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how fast notes are read and audited.")
    parser.add_argument("--sizes", type=float, nargs="+", default=[0.25, 0.5, 1, 2])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--read", action="store_true", help="only read, without the audit")
    parser.add_argument("--growth", type=int, metavar="KILOBYTES", help="how the time grows, shape by shape")
    parser.add_argument("--shapes", nargs="+", default=[], metavar="WORD", help="only those of such names")
    options = parser.parse_args()
    gc.set_threshold(RARELY)  # as `symattn audit` does
    longest = 4000 * options.growth if options.growth else int(max(options.sizes) * 1e6)
    texts = usual(longest, options.seed)
    read_notes(texts[0])  # what is imported on first use is no part of the reading
    if options.growth:
        document_reports(texts[0], None, "markdown")
        growth(options.growth, texts, options.shapes)
        return
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
