"""How the auditor judges variants: honest prints of every step, and the same with one planted slip.

    python benchmarks/variants.py [--cases 5] [--kinds rope sink]

Each case is printed with 2 and 3 decimals, by an author who goes on with 0, 1 or 2 decimals more, and shows
all steps or about six in ten. Counted are verdicts on the honest prints; planted slips that were found; and
other numbers that were called slips beside them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.printed_by_hand import SETTINGS, drawn, entries, printed
from symattn.attention.recipes.attention import attention
from symattn.auditor.audit import audit

COLUMNS = ("correct", "rounding", "slip", "carried", "undecided", "planted", "found", "besides")


def counted(name: str, cases: int) -> Counter[str]:
    """The counts of one kind of case."""
    found: Counter[str] = Counter()
    for places, kept, hidden, k in product((2, 3), (0, 1, 2), (0.0, 0.4), range(cases)):
        rng = Random(f"{name}{k}{hidden}{kept}{places}")
        case = drawn(name, rng)
        omitted = {line.name for line in attention(case) if rng.random() < hidden}
        honest = printed(case, places, kept, omitted)
        choices = entries(honest)
        if not choices:
            continue
        found.update(each.verdict for each in audit(honest).judgements)
        slip = rng.choice(choices)
        report = audit(printed(case, places, kept, omitted, slip))
        slips = [each.printed for each in report.judgements if each.verdict == "slip"]
        right = [x for x in slips if (x.name, x.row, x.col) == slip]
        found.update(planted=1, found=len(right), besides=len(slips) - len(right))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the auditor on variants of attention.")
    parser.add_argument("--cases", type=int, default=5)
    parser.add_argument("--kinds", nargs="+", choices=tuple(SETTINGS), default=tuple(SETTINGS))
    options = parser.parse_args()
    total: Counter[str] = Counter()
    print("| settings | " + " | ".join(COLUMNS) + " |")
    print("|---|" + "---|" * len(COLUMNS))
    for name in options.kinds:
        found = counted(name, options.cases)
        total += found
        print(f"| {name} | " + " | ".join(str(found[key]) for key in COLUMNS) + " |", flush=True)
    print("| all | " + " | ".join(str(total[key]) for key in COLUMNS) + " |")


if __name__ == "__main__":
    main()
