"""Every decimal of random derivations against mpmath: forward steps, gradients, Jacobians, facts.

    python benchmarks/derivations.py [--cases 100] [--seed 1] [--show]

Each case is evaluated at 400 digits by the textbook's formulas, straight from its TOML text, by a program
that shares no code with the package; gradients are central differences of that program with a step of
10^-133, for intermediate quantities too; what differs is evaluated again at 1600 and 6400 digits.
What `derive --json` prints with 4, 11 and 50 decimals and with 6 significant digits is compared with the
correctly rounded value, ties away from zero.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
from itertools import islice
from pathlib import Path
from types import FrameType

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.derivations.cases import cases
from benchmarks.derivations.comparison import Tally, compared, derived, rows_of
from symattn.text.errors import SymattnError


class TooSlow(Exception):
    """A derivation that takes longer than the limit."""


def stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def judged(text: str, seconds: int) -> Tally:
    """The comparison of one case; a message where it is not derived, or not within so many seconds."""
    printed = []
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        for found in derived(text):
            printed.append(found)
            signal.setitimer(signal.ITIMER_PROF, seconds)
    except SymattnError as refusal:
        return Tally(messages=[f"refused: {refusal}"])
    except TooSlow:
        return Tally(messages=[f"not derived within {seconds} s"])
    except Exception:
        return Tally(messages=[traceback.format_exc(limit=-2)])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return compared(text, printed)


def main() -> None:
    parser = argparse.ArgumentParser(description="Decimals of whole derivations against mpmath.")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seconds", type=int, default=30, help="of processor time for one derivation")
    parser.add_argument("--show", action="store_true", help="print the cases that are wrong or refused")
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, stop)
    whole, start, odd = Tally(), time.perf_counter(), 0
    for k, text in enumerate(islice(cases(options.seed), options.first, options.first + options.cases)):
        found = judged(text, options.seconds)
        whole.add(found)
        if found.messages:
            odd += 1
            print(f"case {options.first + k}:", *found.messages[: None if options.show else 3], sep="\n  ")
            print(text if options.show else "", flush=True)
    print(*rows_of(whole), sep="\n")
    print(f"{options.cases} cases, {odd} with messages, in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
