"""Attacks on the exact core: gradients, equality and order against oracles that share no code with it.

    python benchmarks/attack.py [--seed 1] [--cases 100]

Gradients of random cases are compared at 30 decimals with a reverse-mode tape in mpmath; pairs of numbers
that are equal by construction, or 10^-40 apart, and rows of near numbers are ordered. The package is used as
`symattn.parse_case` and `symattn.work` alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.attack import decisions, gradients

ATTACKS = (gradients.judged, decisions.judged, decisions.judged_rows)
VERDICTS = ("right", "undecided", "refused", "WRONG")


def main() -> None:
    parser = argparse.ArgumentParser(description="Attack gradients, equality and order.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=100, help="of each of the three attacks")
    options = parser.parse_args()
    start, found = time.perf_counter(), Counter[tuple[str, str]]()
    for attack in ATTACKS:
        found.update(attack(options.seed, options.cases))
    print(f"{'':22}{'  '.join(VERDICTS)}")
    for kind in dict.fromkeys(kind for kind, _ in found):
        print(f"{kind:22}{'  '.join(f'{found[kind, each]:{len(each)}}' for each in VERDICTS)}")
    print(f"{sum(found.values())} in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
