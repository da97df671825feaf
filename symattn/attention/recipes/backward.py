"""The backward pass: the forward computation in reverse, from the gradient of a loss in one of its values.

Rumelhart, Hinton and Williams 1986 for the chain rule; Dao et al. 2022 (FlashAttention), appendix B.2,
for the formulas of attention. What one operation hands back is in `symattn.attention.recipes.gradients`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.gradients import for_derivatives
from symattn.attention.runnable import runnable
from symattn.exact.work import SHORT
from symattn.plans.derive import Values, shapes
from symattn.plans.gradient import Forward, Share, gradient_of, joined, shares
from symattn.plans.ops.add import Add, PassOn
from symattn.plans.ops.blocks import Concatenate
from symattn.plans.ops.project import Project
from symattn.plans.plan import Line, Plan, base_name, head_of
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnusableValue
from symattn.text.suggest import alternatives, listed

Users = Mapping[str, Sequence[tuple[Line, Share]]]


def backward(case: Case, plan: Plan, given: Values, made: Collection[str] = ()) -> Plan:
    """The gradients of everything that the value with a known gradient was made of; none without one.

    A gradient is known that is given, or `made` by a loss.

    Raises UnusableValue where more than one is known, where it is that of no value of the computation, and
    for a computation with an operation that is not differentiated.
    """
    known = QUANTITIES.seeds
    seeds = [name for name in given if base_name(name) in known]
    _one_seed(case, seeds)
    if not seeds and not made:
        return ()
    plan = for_derivatives(plan)
    present = {line.name for line in runnable(plan, given)}
    present |= {name for name in given if base_name(name) == "A"}  # the softmax can be gone back through
    lines = {line.name: line for line in plan}
    computed = {name: line for name, line in lines.items() if name in present}
    starts = [line.name for line in plan if gradient_of(line.name) in given or gradient_of(line.name) in made]
    if seeds and not starts:
        raise UnusableValue(
            Bilingual(
                f"{seeds[0]} is given, and the computation has no {_of_slope(seeds[0])}",
                f"给出了 {seeds[0]}，而推导中没有 {_of_slope(seeds[0])}",
            ),
            _possible(plan),
        ).at(**case.at(f"given.{seeds[0]}"))
    starts = [name for name in starts if name in computed]
    if not starts:
        return ()
    try:
        forward = Forward(lines, shapes(runnable(plan, given), given))
    except SymattnError:
        return ()  # the forward computation itself is refused, with its own words
    try:
        most_nodes = None if case.symbols else SHORT  # gradients of free symbols are wanted in closed form
        return tuple(
            replace(line, most_nodes=most_nodes) for line in _reversed(starts[-1], computed, forward)
        )
    except SymattnError as error:
        raise error.at(**case.at("given")) from None


def _one_seed(case: Case, seeds: Sequence[str]) -> None:
    """Refuses a second gradient to start from: which of them the others follow from, nobody can tell."""
    loss = case.settings.loss
    known = [f'loss = "{loss}"', *seeds] if loss != "none" else list(seeds)
    if len(known) > 1:
        key = f"given.{known[-1]}"
        raise UnusableValue(
            Bilingual(
                "{known}: a backward pass starts from only one of them",
                "{known}：反向传播只从其中一个开始",
            ).format(known=listed(known)),
            Bilingual("keep one of them", "请只保留一个"),
        ).at(**case.at(key))


def _of_slope(gradient: str) -> str:
    """The value of a gradient: `layer2.Z` of `layer2.dZ`."""
    return f"{gradient.removesuffix(base_name(gradient))}{base_name(gradient)[1:]}"


def _possible(plan: Plan) -> Bilingual:
    """Which gradients may be given: those of values of the last layer as a whole, and not of one head."""
    last = head_of(plan[-1].name)
    found = [gradient_of(line.name) for line in plan if head_of(line.name) == last]
    seeds = [name for name in found if base_name(name) in QUANTITIES.seeds]
    return Bilingual("give {seeds}", "请给出 {seeds}").format(seeds=alternatives(seeds))


def _reversed(start: str, computed: Mapping[str, Line], forward: Forward) -> Iterator[Line]:
    """The lines of the backward pass: head by head, then the projections, then what is given."""
    users = _users(start, computed, forward)
    waiting = {name: len(found) for name, found in users.items()}
    order = {name: at for at, name in enumerate(computed)}

    def turn(name: str) -> tuple[int, int]:
        if name not in computed:
            return 2, order[users[name][0][0].name]
        return int(isinstance(computed[name].op, Project)), order[name]

    ready, known = [start], set[str]()
    while ready:
        name = min(ready, key=turn)
        ready.remove(name)
        if name != start:
            yield from _total(name, users)
        if name not in computed:
            continue
        for share in shares(computed[name], forward):
            for line in (*share.before, *_contribution(share, computed[name], users)):
                if line.name not in known:
                    known.add(line.name)
                    yield line
            waiting[share.of] -= 1
            ready += [] if waiting[share.of] else [share.of]


def _users(start: str, computed: Mapping[str, Line], forward: Forward) -> Users:
    """The lines through which each value reaches `start`, in their order, with what they hand back."""
    reached, found = {start}, defaultdict[str, list[tuple[Line, Share]]](list)
    for line in reversed(list(computed.values())):
        if line.name in reached:
            for share in shares(line, forward):
                found[share.of].insert(0, (line, share))
                reached.add(share.of)
    return found


def _contribution(share: Share, line: Line, users: Users) -> Plan:
    if share.op is None or _joined(share.of, users):
        return ()
    return (Line(_named(share, line, users), share.op, share.args),)


def _joined(of: str, users: Users) -> Share | None:
    return joined([share for _, share in users[of]])


def _named(share: Share, line: Line, users: Users) -> str:
    """The gradient itself where it comes through one line; else named after its head or layer, and its line.

    No two lines of one head of one layer have the same name, so that no two shares have.
    """
    if share.op is None:
        return gradient_of(line.name)
    whole, others = gradient_of(share.of), users[share.of]
    if _of_several(others):
        tagged = _of_tag(whole, line)
        if sum(head_of(other.name) == head_of(line.name) for other, _ in others) == 1:
            return tagged
        whole = tagged
    elif len(others) == 1 and not _is_source(share.of):
        return whole
    source = f"{whole.removesuffix(base_name(whole))}dX" if _is_source(share.of) else whole
    return f"{source}_{_label(line)}"


def _of_tag(whole: str, line: Line) -> str:
    """A gradient as far as it comes through the head or the layer of a line: `layer1.dmemory`."""
    return f"{head_of(line.name)}.{base_name(whole)}"


def _of_several(users: Sequence[tuple[Line, Share]]) -> bool:
    """Whether a value is used by several heads, or in several layers."""
    return len({head_of(line.name) for line, _ in users}) > 1


def _label(line: Line) -> str:
    """What a contribution is called after: the line that it comes through, or what the table has for it."""
    quantity = QUANTITIES.of(line.name)
    return (quantity.part if quantity is not None else "") or base_name(line.name)


def _is_source(name: str) -> bool:
    """An input: what reaches it through a projection is named after that even where it comes alone."""
    return name in QUANTITIES and QUANTITIES[name].source


def _total(of: str, users: Users) -> Iterator[Line]:
    """The contributions to one gradient put together: added, and their columns side by side."""
    whole_share = _joined(of, users)
    if whole_share is not None and whole_share.op is not None:
        yield Line(gradient_of(of), whole_share.op, whole_share.args)
        return
    whole, several = gradient_of(of), _of_several(users[of])
    pieces: dict[int | None, list[tuple[str, str]]] = defaultdict(list)
    for (piece, tag), ways in _by_tag(users[of]).items():
        named = [(_label(line), _named(share, line, users)) for line, share in ways]
        if several:
            label = "".join(filter(str.isdigit, tag.rpartition(".")[2]))
            if len(named) > 1:
                whole_of_tag = _of_tag(whole, ways[0][0])
                yield from _sum(whole_of_tag, named)
                named = [("", whole_of_tag)]
            named = [(label, named[0][1])]
        pieces[piece] += named
    if len(pieces) == 1:
        yield from _sum(whole, *pieces.values())
        return
    parts = []
    for at, first in enumerate(sorted(pieces, key=lambda k: k or 0), 1):
        shared = pieces[first]
        parts.append(shared[0][1] if len(shared) == 1 else f"group{at}.{whole}")
        if len(shared) > 1:
            yield from _sum(parts[-1], shared)
    yield Line(whole, Concatenate(), tuple(parts))


def _by_tag(users: Sequence[tuple[Line, Share]]) -> Mapping[tuple[int | None, str], list[tuple[Line, Share]]]:
    """The uses of a value by the columns that are used and by the head or layer that uses them."""
    found: dict[tuple[int | None, str], list[tuple[Line, Share]]] = defaultdict(list)
    for line, share in users:
        found[share.piece, head_of(line.name)].append((line, share))
    return found


def _sum(whole: str, parts: Sequence[tuple[str, str]]) -> Iterator[Line]:
    """`dX_QK = dX_Q + dX_K`, then `dX = dX_QK + dX_V`; nothing where the one part is the whole."""
    label, made = parts[0]
    if len(parts) == 1 and made != whole:
        yield Line(whole, PassOn(), (made,))
    for k, (other, name) in enumerate(parts[1:], 2):
        label += other
        total = whole if k == len(parts) else f"{whole}_{label}"
        yield Line(total, Add(), (made, name))
        made = total
