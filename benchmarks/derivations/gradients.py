"""What the names of gradients and Jacobians mean, and their values as derivatives of the program.

`head1.dQ` is the derivative with respect to `head1.Q`; `dX_QK` that through Q and K alone; `group1.dK` that
with respect to the columns of K that a group of heads shares; `layer1.dW_Q` that through layer 1 alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.derivations.attention import Settings
from benchmarks.derivations.evaluations import logits_of
from benchmarks.derivations.layers import LOSS
from benchmarks.derivations.numbers import number
from benchmarks.derivations.program import Entry, Program, Rows

LABELS = {
    **dict.fromkeys(("residual_1", "residual_2"), "R"),
    **dict.fromkeys(("norm_1", "norm_2", "unit_1", "unit_2"), "N"),
    "widened": "F",
    "new_K": "K",
    "new_V": "V",
}
INPUTS = ("X+PE", "X", "memory")


@dataclass(frozen=True)
class Target:
    """The value that is differentiated by, through which users, from which column on."""

    value: str
    users: tuple[str, ...] | None = None
    column: int = 0


def is_gradient(name: str) -> bool:
    return name.rpartition(".")[2].startswith("d")


def gradient(p: Program, name: str, shape: tuple[int, int]) -> Rows | None:
    """The gradient of that name; None where the name has no meaning, or there is no loss."""
    target = target_of(p, name, shape[1])
    if target is None or LOSS not in p.values:
        return None
    if not fits(p, target, shape):
        return None
    return [
        [
            p.slopes([LOSS], Entry(target.value, i, target.column + j, target.users))[LOSS][0][0]
            for j in range(shape[1])
        ]
        for i in range(shape[0])
    ]


def fits(p: Program, target: Target, shape: tuple[int, int]) -> bool:
    rows = p.values[target.value]
    return len(rows) == shape[0] and len(rows[0]) >= target.column + shape[1]


def target_of(p: Program, name: str, width: int) -> Target | None:
    """What a gradient of so many columns is taken with respect to."""
    tag, _, base = name.rpartition(".")
    value = base.removeprefix("d")
    group = re.search(r"\bgroup(\d+)\b", tag)
    if group:
        rest = tag.replace(group[0], "").strip(".").replace("..", ".")
        inner = target_of(p, joined(rest, base), width)
        return inner and Target(inner.value, inner.users, (int(group[1]) - 1) * width)
    if joined(tag, value) in p.values:
        return Target(joined(tag, value))
    return through(p, tag, value) or of_one_part(p, tag, value, width)


def through(p: Program, tag: str, value: str) -> Target | None:
    """A value and some of its users, by their labels: X and Q for X_Q, K and heads 1 and 2 for K_12."""
    base, _, labels = value.rpartition("_")
    for name in INPUTS if base == "X" else (base,):
        whole = joined(tag, name)
        if whole not in p.values:
            continue
        for said in (label, digits):
            for users in runs(p.users(whole)):
                if "".join(map(said, users)) == labels:
                    return Target(whole, users)
    return None


def of_one_part(p: Program, tag: str, value: str, width: int) -> Target | None:
    """What one head or layer adds to the gradient of a value that several of them use."""
    outer = tag
    while outer:
        outer = outer.rpartition(".")[0]
        whole = joined(outer, value)
        users = tuple(user for user in p.users(whole) if user.rpartition(".")[0] == tag)
        if whole in p.values and users:
            narrow = width < len(p.values[whole][0])
            head = re.search(r"head(\d+)$", tag)
            return Target(whole, users, int(head[1]) - 1 if narrow and head else 0)
    return None


def runs(users: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(len(users)):
        for stop in range(start + 1, len(users) + 1):
            yield tuple(users[start:stop])


def label(user: str) -> str:
    base = user.rpartition(".")[2]
    return LABELS.get(base, base)


def digits(user: str) -> str:
    return "".join(filter(str.isdigit, user.rpartition(".")[0].rpartition(".")[2]))


def joined(tag: str, name: str) -> str:
    return f"{tag}.{name}" if tag else name


JACOBIAN = re.compile(
    r"((?:layer\d+\.)?(?:head\d+\.)?)(?:step(\d+)\.)?row(\d+)\.(?:key(\d+)\.)?(J(?:_[A-Z]+)?)"
)


def jacobian(p: Program, name: str, shape: tuple[int, int], settings: Settings) -> Rows | None:
    """Row i of A or Z differentiated by its logits, its query, a key or a value; None for another name.

    `J_SK` is the derivative by the query without the scale. Step t of a cache is row t, for the keys so far.
    """
    found = JACOBIAN.fullmatch(name)
    if found is None:
        return None
    tag, row, key, kind = found[1], int(found[2] or found[3]) - 1, int(found[4] or 1) - 1, found[5]
    of = tag + ("A" if kind == "J" else "Z")
    by, at = {
        "J": (logits_of(p, tag), row),
        "J_S": (logits_of(p, tag), row),
        "J_SK": (f"{tag}Q", row),
        "J_Q": (f"{tag}Q", row),
        "J_K": (f"{tag}K", key),
        "J_V": (f"{tag}V", key),
    }[kind]
    columns = [p.slopes([of], Entry(by, at, j))[of][row] for j in range(len(p.values[by][0]))]
    rows = [list(row) for row in zip(*columns, strict=True)]
    if kind == "J_SK":
        sizes = {"d_k": len(p.values[f"{tag}Q"][0]), "n": len(p.values[f"{tag}K"])}
        sizes["d_model"] = len(p.values["X"][0]) if "X" in p.values else 0
        factor = number(settings.get("scale", "1/sqrt(d_k)"), sizes)
        rows = [[x / factor for x in row] for row in rows]
    return [row[: shape[1]] for row in rows[: shape[0]]]
