"""Which lines of a plan a case can compute, and which of them somebody asks for by name."""

from __future__ import annotations

from collections.abc import Collection

from symattn.attention.quantities import QUANTITIES
from symattn.plans.plan import Plan, base_name, distinct
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.suggest import instead


def ordered(plan: Plan, given: Collection[str]) -> Plan:
    """The plan itself. Raises ValueError for a line that could never be computed, whatever else is given.

    Such a line precedes the one that makes its argument, or has an argument that no line makes and no case
    may give. As if only a given were absent, it would be dropped with all that follows from it.
    """
    later = {line.name for line in distinct(plan)} - set(given)
    made = later.union(given)
    for line in plan:
        for name in line.args:
            if name in later:
                raise ValueError(f"the line {line.name} of a plan needs {name}, which is computed later")
            if name not in made and not QUANTITIES.may_be_given(name):
                raise ValueError(f"the line {line.name} of a plan needs {name}, which nothing makes")
        later.discard(line.name)
    return plan


def runnable(plan: Plan, given: Collection[str]) -> Plan:
    """The lines that can be computed from what is given; a given name is not computed again.

    Raises ValueError where two lines have one name, and for a line in the wrong place (`ordered`).
    """
    known = set(given)
    kept = []
    for line in ordered(plan, given):
        if line.name not in known and all(name in known for name in line.args):
            kept.append(line)
            known.add(line.name)
    return tuple(kept)


ALL_STEPS = Bilingual("`symattn check CASE` lists all steps", "`symattn check CASE` 列出全部步骤")


def asked(
    plan: Plan, only: Collection[str], option: str = "--only", listing: Bilingual = ALL_STEPS
) -> tuple[str, ...]:
    """The names of the computation that `only` asks for: `A` means every head's A, `raw` the tap of ONNX.

    Raises UnusableValue, at the option, for a name that the computation does not have; `listing` says what
    lists those that it has.
    """
    names, taps = [line.name for line in plan], QUANTITIES.taps
    found: list[str] = []
    for wanted in only:
        for tap in (wanted, *taps.get(wanted, ())):
            matching = [name for name in names if tap in (name, base_name(name))]
            if matching:
                break
        else:
            raise UnusableValue(
                Bilingual(f'the computation has no step named "{wanted}"', f"推导中没有名为“{wanted}”的步骤"),
                instead(wanted, (*map(base_name, names), *names, *taps), listing),
            ).at(key=option)
        found += matching
    return tuple(found)
