"""A plan: a flat, named, ordered program. Heads are tags on names, not nesting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from symattn.attention.quantities import QUANTITIES
from symattn.exact.immutable import immutable
from symattn.exact.matrix import Matrix
from symattn.exact.names import Names
from symattn.plans.operation import Operation
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.suggest import instead


@immutable(frozen=True, slots=True)
class Line:
    """One line of a plan: `name = op(args)`.

    It sees the entries of its arguments that have more than `longest` nodes by name and not in closed form
    (`symattn.exact.named`), so that expressions stay short however deep the computation is.
    """

    name: str
    op: Operation
    args: tuple[str, ...]
    longest: int | None = None

    def arguments(self, values: Mapping[str, Matrix], names: Names) -> tuple[Matrix, ...]:
        """The arguments as the line sees them."""
        return tuple(self.seen(name, values[name], names) for name in self.args)

    def seen(self, name: str, matrix: Matrix, names: Names) -> Matrix:
        """One argument as the line sees it."""
        return matrix if self.longest is None else names.seen(name, matrix, self.longest)


Plan = tuple[Line, ...]


def distinct(plan: Plan) -> Plan:
    """The plan itself. Raises ValueError where two of its lines have one name.

    The second would take the place of the first, and what uses it would see one of the two twice.
    """
    if len({line.name for line in plan}) < len(plan):
        repeated = [name for name, count in Counter(line.name for line in plan).items() if count > 1]
        raise ValueError(f"two lines of a plan are named {', '.join(repeated)}")
    return plan


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


def needed(plan: Plan, target: Plan, made: Collection[str]) -> Plan:
    """The lines of `plan` that the lines of `target` need and that are not `made` already."""
    wanted = {name for line in target for name in line.args}
    for line in reversed(plan):
        if line.name in wanted and line.name not in made:
            wanted |= set(line.args)
    return tuple(line for line in plan if line.name in wanted and line.name not in made)


def missing(plan: Plan, given: Collection[str], target: str) -> tuple[str, ...]:
    """The names that would have to be given for the plan to reach `target`."""
    lines = {line.name: line for line in plan}
    wanted: list[str] = []
    seen = set(given)  # a value of a deep plan is reached in many ways

    def visit(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        if name in lines:
            for argument in lines[name].args:
                visit(argument)
        else:
            wanted.append(name)

    visit(target)
    return tuple(wanted)


def asked(plan: Plan, only: Collection[str]) -> tuple[str, ...]:
    """The names of the computation that `only` asks for: `A` means every head's A, `raw` the tap of ONNX.

    Raises UnusableValue for a name that the computation does not have.
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
                instead(
                    wanted,
                    (*map(base_name, names), *names, *taps),
                    Bilingual("`symattn check CASE` lists all steps", "`symattn check CASE` 列出全部步骤"),
                ),
            ).at(key="--only")
        found += matching
    return tuple(found)


def leading_to(plan: Plan, wanted: Collection[str], known: Collection[str] = ()) -> Plan:
    """The lines that make the wanted names from what is known, in order; known ones are not made again."""
    needed = set(wanted)
    kept = []
    for line in reversed(plan):
        if line.name in needed:
            needed.update(name for name in line.args if name not in known)
            kept.append(line)
    return tuple(reversed(kept))


def downstream(plan: Plan, start: Collection[str]) -> frozenset[str]:
    """The names in `start`, and every name that is computed from one of them."""
    reached = set(start)
    for line in plan:
        if any(argument in reached for argument in line.args):
            reached.add(line.name)
    return frozenset(reached)


def base_name(name: str) -> str:
    """The quantity of a name without its head: `head2.A` is A."""
    return name.rpartition(".")[2]


def head_of(name: str) -> str:
    """The tag of a name: `head2` for `head2.A`, empty without one."""
    return name.rpartition(".")[0]
