"""How good the reader of notes is on documents in many styles, each written from scratch in its own way.

    python benchmarks/styles.py [--documents 10] [--seed 1] [--styles NAME ...] [--write FOLDER] [--show]
        [--human]

The forms share nothing with those of benchmarks/notes.py; authors, slips and truth are those of the
injection benchmark, over examples of their own. Intervals are Wilson's at 95%.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.notes.measure import measure
from benchmarks.styles.families import FAMILIES, STYLES, documents


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the reader of notes on documents in many styles.")
    parser.add_argument("--documents", type=int, default=10, help="documents of each style")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--styles",
        nargs="+",
        choices=(*STYLES, *FAMILIES),
        default=tuple(STYLES),
        metavar="NAME",
        help="which styles, or families of styles",
    )
    parser.add_argument("--write", type=Path, help="also write the documents into this folder")
    parser.add_argument("--show", action="store_true", help="list false accusations and the commonest misses")
    parser.add_argument("--human", action="store_true", help="slips as people make them, kind by kind")
    options = parser.parse_args()
    written = documents(options.documents, options.seed, options.styles, by_hand=options.human)
    measure(written, options.seed, folder=options.write, show=options.show, by_hand=options.human)


if __name__ == "__main__":
    main()
