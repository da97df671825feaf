"""The cross-check on random cases: does it agree where all is right, and report a float that was moved?

    python benchmarks/crosscheck.py [--cases 420] [--seed 0] [--seconds 15]

Every case (`random_cases.py`) is derived and checked. Right floats that are called wrong are false alarms.
Then one entry of each step is moved by just more than its bound, up or down; what is not reported then is
missed. Steps in which float64 or its bound overflows are not compared, and counted.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from types import FrameType

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from benchmarks.random_cases import random_case  # noqa: E402
from symattn.attention.recipes.attention import attention, values  # noqa: E402
from symattn.casefile.case_file import parse_case  # noqa: E402
from symattn.checks.crosscheck import CrossCheck, compare, crosscheck, in_floats  # noqa: E402
from symattn.floats.bounded import Bounded  # noqa: E402
from symattn.plans.derive import Derivation, derive, shapes  # noqa: E402
from symattn.text.errors import SymattnError  # noqa: E402


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the cross-check said of a case, how many steps had an entry moved, and which were not reported."""

    check: CrossCheck
    moved: int
    missed: tuple[str, ...]


def outcome(seed: int) -> Outcome | None:
    """The outcome of one random case; None where the tool refuses its combination of settings."""
    try:
        case = parse_case(random_case(seed))  # a setting without an effect does no harm here
        plan, given = attention(case), values(case)
        shapes(plan, given)
        derivation = derive(plan, given)
    except SymattnError:
        return None
    chance = random.Random(seed)
    moved = [
        (name, compare(name, other, derivation[name]).agrees)
        for name, other in _with_one_moved(derivation, chance)
    ]
    return Outcome(crosscheck(derivation, case), len(moved), tuple(name for name, agrees in moved if agrees))


def _with_one_moved(derivation: Derivation, chance: random.Random) -> Iterator[tuple[str, Bounded]]:
    """Each step with one entry that is certainly further from its exact value than its bound."""
    for name, made in in_floats(derivation):
        i, j = (chance.randrange(size) for size in made.shape)
        bound, values = float(made.error[i, j]), made.value.copy()
        if not isfinite(bound):
            continue
        if np.isinf(values[i, j]):
            values[i, j] = 0.0
        else:
            values[i, j] += chance.choice((-1, 1)) * (2.1 * bound + 3 * float(np.spacing(abs(values[i, j]))))
        yield name, Bounded(values, made.error)


class TooLong(BaseException):
    """A derivation took longer than the limit."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=420)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=15, help="the limit of one case")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _stop)
    count: Counter[str] = Counter()
    for seed in range(options.seed, options.seed + options.cases):
        signal.alarm(options.seconds)
        try:
            found = outcome(seed)
        except TooLong:
            count["too long"] += 1
            continue
        finally:
            signal.alarm(0)
        if found is None:
            count["refused"] += 1
            continue
        count["checked"] += 1
        count["steps"] += len(found.check.steps)
        count["not compared"] += sum(step.max_ulp is None for step in found.check.steps)
        count["twice"] += len(found.check.textbook.covers) if found.check.textbook else 0
        count["moved"] += found.moved
        count["missed"] += len(found.missed)
        if not found.check.agrees:
            count["false alarms"] += 1
            print(f"case {seed}: {', '.join(found.check.wrong)} called wrong")
        if found.missed:
            print(f"case {seed}: a moved entry of {', '.join(found.missed)} not reported")
    print(
        f"{options.cases} cases: {count['checked']} checked, {count['refused']} refused, "
        f"{count['too long']} too long\n"
        f"{count['steps']} steps, {count['not compared']} of them not compared: "
        f"{count['false alarms']} cases with a false alarm\n"
        f"{count['twice']} steps computed a second time by the textbook formulas\n"
        f"{count['moved']} moved entries: {count['missed']} not reported"
    )


if __name__ == "__main__":
    main()
