"""What can be asked of the formulas of a document: their form, whether they leave a choice, their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from symattn.notes.grammar.syntax import Node, part
from symattn.notes.interpreter.environment import Environment
from symattn.notes.interpreter.match import Match

SIZES: Final = frozenset(
    ["d", "n", "h", "l", "t", "b", "m", "seq", "seq_len", "batch", "head", "heads", "dim", "num"]
)
DEEPEST_DEFINITION: Final = 4


def named(member: Node) -> bool:
    """Whether a member is what a result is called: a name, or its square."""
    squared = member.kind == "pow" and member.args[0].kind == "name" and member.args[1].kind == "lit"
    return member.kind == "name" or squared


def title(members: list[Node]) -> str:
    """What a chain is about."""
    return next((m.key() for m in members if m.kind == "name"), members[0].key()[:40])


def chains(node: Node) -> list[Node]:
    """The chains inside of an expression, innermost first, and itself if it is one.

    An equation among the arguments of an unknown function names a parameter: `fit(order=(1, 0))`.
    """
    found = [chain for arg in node.args for chain in chains(arg)]
    if _calls_unknown(node):
        found = [chain for chain in found if chain.args[0].kind != "name"]
    return [*found, node] if node.kind == "chain" else found


def _calls_unknown(node: Node) -> bool:
    if node.kind == "mul" and not node.mark:
        return node.args[0].kind == "name" and len(node.args[0].name) > 1 and node.args[1].kind == "list"
    return node.kind == "call" and node.name == "unknown"


def elsewhere(node: Node) -> bool:
    """Whether an expression is a function that nobody here can compute, of numbers alone."""
    return _calls_unknown(node) and not any(
        arg.names() for arg in node.args[1 if node.kind == "mul" else 0 :]
    )


def slices(literal: Node) -> list[Node]:
    """A tensor as its matrices, anything else as it is."""
    if len(literal.shape) < 3:
        return [literal]
    step = len(literal.tokens) // literal.shape[0]
    starts = range(0, len(literal.tokens), step)
    return [piece for i in starts for piece in slices(part(literal, slice(i, i + step), literal.shape[1:]))]


def table_columns(literal: Node) -> list[Node]:
    """The columns of a table, each of which may be a quantity by itself."""
    if literal.mark != "table" or literal.shape[0] < 3:
        return []
    width = literal.shape[1]
    return [part(literal, slice(c, None, width), literal.shape[:1]) for c in range(width)]


def leaves(node: Node) -> list[Node]:
    """Every literal in an expression."""
    return [node] if node.kind == "lit" else [leaf for arg in node.args for leaf in leaves(arg)]


def literals(node: Node) -> list[Node]:
    """The literals of two and more numbers inside of an expression."""
    return [leaf for leaf in leaves(node) if len(leaf.tokens) > 1]


def of_integers(node: Node) -> bool:
    """Whether an expression has only whole numbers, and nothing that leaves them but a quotient."""
    if node.kind == "lit":
        return not any(token.unit for token in node.tokens)
    return node.kind in ("add", "sub", "mul", "div", "neg", "list") and all(map(of_integers, node.args))


def summands(node: Node) -> list[tuple[Node, float]]:
    """[(literal, sign)] of a sum of literals, or nothing."""
    if node.kind == "lit":
        return [(node, 1.0)]
    if node.kind not in ("add", "sub") or node.args[1].kind != "lit":
        return []
    left = summands(node.args[0])
    return [*left, (node.args[1], 1.0 if node.kind == "add" else -1.0)] if left else []


def signed(leaf: Node, sign: float) -> Node:
    """A literal, or with the sign of a subtraction in front."""
    if sign > 0:
        return leaf
    return Node("lit", tokens=leaf.tokens, signs=[-s for s in leaf.signs], shape=leaf.shape)


def clear(source: Node, env: Environment, order: int, depth: int = 0) -> bool:
    """Whether a formula leaves no choice of its operands.

    Every name was printed under just that name with one value, or is given by a formula of which that is
    true; sizes alone do not count.
    """
    names = source.names()
    if not names or depth > DEEPEST_DEFINITION or all(n.name in SIZES for n in names):
        return False
    for name in names:
        printed = env.nearest(name.key(), order, 3)
        redefined = printed and any(
            printed[0].order < at <= order for at, _ in env.formulas.get(name.key(), ())
        )
        if len(printed) > 1 or redefined:
            return False
        if not printed and name.name not in SIZES:
            if env.lookup(name, order):
                continue  # its rows or entries were printed one by one, or it is a part of what was printed
            formulas = env.definitions(name.key(), order)
            if len(formulas) != 1 or not clear(formulas[0], env, order, depth + 1):
                return False
    return True


def form(name: str, formula: Node) -> tuple[Any, ...]:
    """A result and its formula without their indices: what is made in one way."""
    base = name.partition("_")[0]
    return "qkv" if base in ("q", "k", "v") else base, _shape(formula)


def _shape(node: Node) -> Any:
    if node.kind == "name":
        return node.name
    return (node.kind, node.name, *map(_shape, node.args)) if node.args else node.kind


def far(member: Node, found: Match) -> bool:
    """Whether a number is per cent without a sign, of another unit, or no result of this working."""
    printed, expected = abs(float(member.printed())), abs(float(found.value.mid))
    if printed and abs(printed - 100 * expected) <= 0.5 * (member.tokens[0].unit or 1.0):
        return True
    much = 100 if printed == round(printed) else 20
    return min(printed, expected) * 5 < max(printed, expected) > much


def sources(members: Sequence[Node], signs: Sequence[str], at: int) -> list[Node]:
    """The expressions before a member that it may be the value of: none before an arrow to another one."""
    arrow = max((k + 1 for k in range(at - 1) if signs[k] == "→"), default=0)
    near = [m for m in members[arrow:at] if m.kind != "lit"]
    return near or [m for m in members[:arrow] if m.kind != "lit"]
