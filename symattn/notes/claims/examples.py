"""The examples of a document: the parts of its plan that have nothing to do with each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Claim, Given
from symattn.notes.claims.program import Program
from symattn.plans.plan import Line, Plan


class Example(Struct, frozen=True, eq=False):
    """One plan over its givens, with the claims about them, and what their rows are called throughout."""

    given: dict[str, Given]
    plan: Plan
    claims: tuple[Claim, ...]
    tokens: tuple[str, ...] = ()

    @property
    def first_line(self) -> int:
        return min((c.place.line for c in self.claims if c.place is not None), default=0)


def examples(program: Program) -> list[Example]:
    """Each part of a plan that no line ties to another, in the order of what is claimed."""
    groups = _Groups()
    for line in program.lines.plan:
        for name in line.args:
            groups.join(line.name, name)
    found: dict[str, list[Line]] = {}
    for line in program.lines.plan:
        found.setdefault(groups.of(line.name), []).append(line)
    claims: dict[str, list[Claim]] = {}
    for claim in program.claims:
        claims.setdefault(groups.of(claim.name), []).append(claim)
    parts = [
        Example(
            {name: given for name, given in program.given.items() if groups.of(name) == group},
            tuple(found.get(group, ())),
            tuple(several),
            _alike(labels for name, labels in program.labels.items() if groups.of(name) == group),
        )
        for group, several in claims.items()
    ]
    return sorted((_plainly_named(part) for part in parts), key=lambda part: part.first_line)


def _alike(several: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The labels of all of them, if they are the same."""
    found = set(several)
    return found.pop() if len(found) == 1 else ()


class _Groups:
    """Names that lines tie together."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def of(self, name: str) -> str:
        while name in self._parent:
            name = self._parent[name]
        return name

    def join(self, a: str, b: str) -> None:
        a, b = self.of(a), self.of(b)
        if a != b:
            self._parent[b] = a


def _plainly_named(example: Example) -> Example:
    """The example with `A` for `A (line 118)`, where it has one A only."""
    names = [*example.given, *(line.name for line in example.plan)]
    plain: dict[str, list[str]] = {}
    for name in names:
        plain.setdefault(name.partition(" (line ")[0], []).append(name)
    new = {several[0]: name for name, several in plain.items() if name not in several}
    return replace(
        example,
        given={new.get(name, name): given for name, given in example.given.items()},
        plan=tuple(_renamed(example.plan, new)),
        claims=tuple(replace(claim, name=new.get(claim.name, claim.name)) for claim in example.claims),
    )


def _renamed(plan: Plan, new: dict[str, str]) -> Iterator[Line]:
    for line in plan:
        args = tuple(new.get(name, name) for name in line.args)
        yield replace(line, name=new.get(line.name, line.name), args=args)
