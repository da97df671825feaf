"""How good the reader of notes is: random worked examples written as documents, read, judged, counted.

    python benchmarks/notes.py [--documents 400] [--seed 1] [--write FOLDER] [--show]
    python benchmarks/notes.py --human [KIND ...] --documents 5   # slips as people make them, kind by kind

The numbers, the slips and their truth are those of the injection benchmark; the renderer knows the place
of every numeral. Intervals are Wilson's at 95%.
"""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.injection.human import HUMAN
from benchmarks.notes.documents import by_hand, documents, further, lectures
from benchmarks.notes.judging import judged_by_oracle
from benchmarks.notes.kinds import KINDS
from benchmarks.notes.measure import by_reading, measure


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the reader of notes on documents with known slips.")
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--further", type=int, default=0, help="documents of the further kinds")
    parser.add_argument("--lectures", type=int, default=0, help="documents of several chapters")
    parser.add_argument("--kinds", nargs="+", default=tuple(KINDS), help="which of the further kinds")
    parser.add_argument("--write", type=Path, help="also write the documents into this folder")
    parser.add_argument("--oracle", action="store_true", help="link by the truth, to see the auditor alone")
    parser.add_argument("--show", action="store_true", help="list false accusations and the commonest misses")
    parser.add_argument(
        "--human",
        nargs="*",
        choices=tuple(HUMAN),
        metavar="KIND",
        help="so many documents with one slip of each of these kinds (of all)",
    )
    options = parser.parse_args()
    judge = judged_by_oracle if options.oracle else by_reading
    if options.human is not None:
        slipped = by_hand(options.documents, options.seed, options.human or tuple(HUMAN))
        measure(slipped, options.seed, judge, options.write, options.show, by_hand=True)
        return
    written = chain(
        documents(options.documents, options.seed),
        further(options.further, options.seed, options.kinds),
        lectures(options.lectures, options.seed),
    )
    measure((("", document) for document in written), options.seed, judge, options.write, options.show)


if __name__ == "__main__":
    main()
