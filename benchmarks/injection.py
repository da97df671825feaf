"""How good the auditor is: random documents with known slips, judged, counted, beside three baselines.

    python benchmarks/injection.py [--cases 400] [--seed 1] [--clean] [--spare N] [--habits [WORD]]

The authors calculate in 60-digit decimals with code of their own; what a printed number truly is is
known from how it came about. Intervals are Wilson's at 95%. With --clean no slip is made; with --spare N
every author rounds the results that are not printed too, to N digits more than the printed ones. With
--habits the authors have honest habits besides: they subtract the maximum, adjust weights, and so on.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.injection.documents import documents
from benchmarks.injection.habits import HABITS
from benchmarks.injection.score import Score, table
from symattn.auditor.audit import audit


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the auditor on documents with known slips.")
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clean", action="store_true")
    parser.add_argument("--spare", type=int)
    parser.add_argument("--habits", nargs="?", const="", metavar="WORD", help="those with this word, or all")
    options = parser.parse_args()
    habits = [] if options.habits is None else [habit for habit in HABITS if options.habits in habit]
    score, printed, seconds = Score(), 0, 0.0
    shape = {"clean": options.clean, "spare": options.spare, "habits": habits}
    for document in documents(options.cases, options.seed, **shape):
        start = time.perf_counter()
        report = audit(document.case)
        seconds += time.perf_counter() - start
        assert not report.unread, report.unread
        printed += report.printed
        score.count(document, report)
    print(f"{options.cases} documents, seed {options.seed}, {printed} printed numbers, ", end="")
    print(f"audited in {seconds:.1f} s\n")
    print("\n".join(table(score)))


if __name__ == "__main__":
    main()
