"""Every decimal of a derivation against the program, digit for digit, counted by kind of step and setting."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import mpmath
from mpmath import mpf

from benchmarks.derivations.attention import Settings
from benchmarks.derivations.evaluations import logits_of
from benchmarks.derivations.gradients import gradient, is_gradient, jacobian, target_of
from benchmarks.derivations.layers import program
from benchmarks.derivations.numbers import fixed, significant
from benchmarks.derivations.program import DIGITS, Program, Rows
from symattn.casefile.case_file import parse_case
from symattn.result import work

PLACES = (4, 11, 50)
SIGNIFICANT = 6
FORWARD, GIVENS, INNER, JACOBIANS, FACTS = (
    "forward steps",
    "gradients of givens",
    "gradients of intermediates",
    "Jacobians",
    "entropies and log-sum-exps",
)
STEPS = (FORWARD, GIVENS, INNER, JACOBIANS, FACTS)


@dataclass
class Tally:
    """By kind: digits compared and wrong, decimals, and decimals not printed; what was odd, in words."""

    digits: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    withheld: Counter[str] = field(default_factory=Counter)
    decimals: Counter[str] = field(default_factory=Counter)
    messages: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.digits += other.digits
        self.wrong += other.wrong
        self.withheld += other.withheld
        self.decimals += other.decimals
        self.messages += other.messages


def features(settings: Settings, given: Any) -> list[str]:
    """The kinds that a case belongs to as a whole."""
    there = {
        "grouped queries": settings.get("kv_heads", settings.get("heads", 1)) < settings.get("heads", 1),
        "windows": "window_left" in settings or "window_right" in settings,
        "caches": "past_K" in given or settings.get("evaluation") == "cached",
        "relative biases": settings.get("positions") == "relative",
        "stacked layers": settings.get("layers", 1) > 1,
    }
    return [kind for kind, holds in there.items() if holds]


@dataclass(frozen=True)
class Printed:
    """What `derive --json` prints, with some decimals or, for None, with significant digits."""

    places: int | None
    data: dict[str, Any]


def derived(text: str) -> Iterator[Printed]:
    """All that is printed of one case. Raises SymattnError for a case that the package refuses."""
    worked = work(parse_case(text))
    for places in PLACES:
        yield Printed(places, worked.data(digits=places))
    yield Printed(None, worked.data(significant=SIGNIFICANT))


def compared(text: str, printed: Sequence[Printed]) -> Tally:
    """The decimals of one case against its program; where they differ, against one with more digits.

    What is 10^-550 counts as zero at 400 digits and not at 1600, what is 10^-828 not at 6400.
    """
    for digits in (DIGITS, 4 * DIGITS, 16 * DIGITS):
        found = compared_at(digits, text, printed)
        if not found.messages:
            break
    return found


def compared_at(digits: int, text: str, printed: Sequence[Printed]) -> Tally:
    """The decimals of one case against its program with so many digits."""
    case = tomllib.loads(text, parse_float=str)
    settings = case.get("attention", {})
    of_case = features(settings, case["given"])
    tally = Tally()
    with mpmath.workdps(digits):
        p = program(text)
        for at, step in enumerate(printed[0].data["steps"]):
            name, shape = step["name"], tuple(step["shape"])
            kind, expected = value_of(p, name, shape, settings)
            if expected is None or (len(expected), len(expected[0])) != shape:
                tally.messages.append(f"{name} {shape}: not in the program")
                continue
            for each in printed:
                decimals = each.data["steps"][at]["decimal"]
                compare(tally, (kind, *of_case), name, decimals, expected, each.places)
        for at, fact in enumerate(printed[0].data["facts"]):
            if "decimal" in fact:
                expected = [[measure(p, fact)]]
                for each in printed:
                    decimals = [[each.data["facts"][at]["decimal"]]]
                    compare(tally, (FACTS, *of_case), fact["kind"], decimals, expected, each.places)
    return tally


def value_of(p: Program, name: str, shape: tuple[int, int], settings: Settings) -> tuple[str, Rows | None]:
    """The kind of a step and its value; None where the program has none of that name."""
    if ".row" in f".{name}":
        return JACOBIANS, jacobian(p, name, shape, settings)
    if is_gradient(name):
        target = target_of(p, name, shape[1])
        made = {step.name for step in p.steps}
        inner = target is not None and (target.value in made or target.users is not None)
        return INNER if inner else GIVENS, gradient(p, name, shape)
    return FORWARD, p.values.get(name)


def measure(p: Program, fact: dict[str, Any]) -> mpf:
    """The log-sum-exp of a row of logits, or the entropy of a row of weights."""
    name, (row,) = fact["name"], fact["rows"]
    if fact["kind"] == "entropy":
        return -mpmath.fsum(x * mpmath.log(x) for x in p.values[name][row] if x)
    tag, whole = name.removesuffix("A"), re.sub(r"step\d+\.A$|A$", "", name)
    logits = p.values[tag + logits_of(p, whole).removeprefix(whole)][row]
    return mpmath.log(mpmath.fsum(map(mpmath.exp, logits)))


def compare(
    tally: Tally,
    kinds: tuple[str, ...],
    name: str,
    decimals: list[list[str | None]],
    expected: Rows,
    places: int | None,
) -> None:
    """One printed matrix: with so many places, or significant digits for None."""
    for i, (row, values) in enumerate(zip(decimals, expected, strict=True)):
        for j, (said, x) in enumerate(zip(row, values, strict=True)):
            right = significant(x, SIGNIFICANT) if places is None else fixed(x, places)
            for kind in kinds:
                tally.decimals[kind] += 1
                tally.withheld[kind] += said is None
                if said is not None:
                    tally.digits[kind] += sum(c.isdigit() for c in right)
                    tally.wrong[kind] += differing(said, right)
            if said != right:
                tally.messages.append(f"{name}[{i}][{j}] is {said}, and {right} is right")


def differing(said: str, right: str) -> int:
    """How many digits of the right decimal are not printed in their places."""
    if len(said) != len(right):
        return sum(c.isdigit() for c in right)
    return sum(a != b for a, b in zip(said, right, strict=True))


def rows_of(tally: Tally) -> Iterator[str]:
    """The table of a tally."""
    for kind, digits in tally.digits.most_common():
        yield (
            f"{kind:27}{tally.decimals[kind]:9} decimals, {tally.withheld[kind]:5} not printed;"
            f"{digits:10} digits, {tally.wrong[kind]:5} wrong"
        )
    digits, wrong = (sum(c[kind] for kind in STEPS) for c in (tally.digits, tally.wrong))
    yield f"{'in all':27}{digits:10} digits, {wrong} wrong"
