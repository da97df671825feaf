"""The values that an expression may have, computed from what the document has printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import isnan
from typing import Final

from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter import values
from symattn.notes.interpreter.environment import Environment, parts
from symattn.notes.interpreter.usual import DERIVED, EXPONENTIALS, usual
from symattn.notes.interpreter.values import RISING, WAVES, Value

MOST: Final = 6
"""How many values of one expression are followed."""
MOST_PARTS, PER_PART = 3, 3
"""Of how many parts of a list several values are followed, and how many."""
DEEPEST: Final = 60
PER_DEFINITION: Final = 10


ROUNDED: Final = 0.05
"""By less than this a print of the number e differs from it."""


def evaluate(node: Node, env: Environment, order: int, depth: int = 0) -> list[Value]:
    """Up to six values, the most literal reading first; none where a name or a function is unknown."""
    if depth > DEEPEST:
        return []
    if node.kind == "lit":
        return [values.printed(node)]
    if node.kind == "name" and node.name in ("e", ""):
        return _of_e(node, env, order)
    as_named = node.kind == "name" and node.key()
    key = (as_named or node, order, env.head, depth and 1 + depth // PER_DEFINITION)
    if key not in env.computed:
        found = (
            _named(node, env, order, depth + PER_DEFINITION) if as_named else _made(node, env, order, depth)
        )
        env.computed[key] = found
    return env.computed[key]


def _of_e(node: Node, env: Environment, order: int) -> list[Value]:
    """The base of the natural logarithm, unless the document calls something else so."""
    euler = values.exponential(values.constant(1.0))
    others = (
        b.value for b in env.nearest("e", order) if b.value.shape or abs(b.value.mid - euler.mid) > ROUNDED
    )
    named = node.index or not node.name or env.definitions("e", order) or any(True for _ in others)
    return [] if named else [euler]


def _made(node: Node, env: Environment, order: int, depth: int) -> list[Value]:
    """The different values of an expression: printed for all of it, then computed from its parts."""
    named = node.kind not in ("list", "chain", "hole") and depth and (node.kind == "sqrt" or node.names())
    known = [b.value for b in env.nearest(node.key(), order)] if named else []
    distinct: list[Value] = []
    for value in known + _computed(node, env, order, depth + 1):
        if value is not None and not any(_same(value, other) for other in distinct):
            distinct.append(value)
    return distinct[:MOST]


def _named(node: Node, env: Environment, order: int, depth: int) -> list[Value]:
    """What a name was printed as, what its formula gives, its part of a matrix, or what it usually is."""
    found = env.lookup(node, order)
    for formula in [] if found else env.definitions(node.key(), order - 1)[:1]:
        found = evaluate(formula, env, order, depth)
    if found or depth > DEEPEST:
        return found
    if node.index:
        formulas = env.definitions(node.name, order - 1)[:1]
        wholes = (whole for formula in formulas for whole in evaluate(formula, env, order, depth))
        found = [piece for whole in wholes for piece in parts(whole, node.index, ())]
    derived = usual(node.key(), env.heads) if not found and node.name in DERIVED else []
    for formula in derived[: 1 if node.name == "z" else None]:
        found = evaluate(formula, env, order, depth)
        if found:
            break
    return found[:MOST]


def complete(node: Node) -> bool:
    """No name in it: the arithmetic stands on the page."""
    return not node.names() and node.kind not in ("lit", "hole")


def terms(node: Node, env: Environment, order: int) -> list[Value] | None:
    """The signed terms of a sum; those of a dot product of two vectors where it stands for a sum."""
    if node.kind in ("add", "sub"):
        left, right = terms(node.args[0], env, order), evaluate(node.args[1], env, order)
        if not right or left is None:
            return None
        return [*left, right[0] if node.kind == "add" else values.negative(right[0])]
    found = evaluate(node, env, order)
    if node.kind == "mul" and len(found) == 2 and found[0].shape == () and len(found[1].shape) == 1:
        return [values.row(found[1], i) for i in range(found[1].shape[0])]
    return [found[0]] if found else None


def _same(a: Value, b: Value) -> bool:
    if a.shape != b.shape:
        return False
    pairs = zip(a.mid.ravel().tolist(), b.mid.ravel().tolist(), strict=True)
    return all(x == y or abs(x - y) <= 1e-12 * (1 + abs(y)) or (isnan(x) and isnan(y)) for x, y in pairs)


def _computed(node: Node, env: Environment, order: int, depth: int) -> list[Value | None]:
    if node.kind == "chain":
        several = (evaluate(member, env, order, depth) for member in reversed(node.args))
        return [*next((found for found in several if found), [])]
    if node.kind == "list":
        return _listed(node.args, env, order, depth, values.together)
    if node.args and node.args[0].kind == "list":
        if node.name == "concat":
            return _listed(node.args[0].args, env, order, depth, values.beside)
        if node.name == "max" and len(node.args[0].args) == 2:
            a, b = (evaluate(arg, env, order, depth)[:1] for arg in node.args[0].args)
            return [values.larger(a[0], b[0])] if a and b and values.fits(a[0], b[0]) else []
    arguments = [evaluate(a, env, order, depth) for a in node.args]
    if not arguments or not all(arguments):
        return []
    if node.name == "softmax":
        made = [v for a in arguments[0] for v in _unary(node, a)]
        return made + _of_exponentials(node.args[0], {v.shape for v in made if v is not None}, env, order)
    if len(arguments) == 1:
        return [v for a in arguments[0] for v in _unary(node, a)]
    return [v for a, b in product(*arguments) for v in _binary(node, a, b)][: 2 * MOST]


def _of_exponentials(
    logits: Node, shapes: set[tuple[int, ...]], env: Environment, order: int
) -> list[Value | None]:
    """A softmax by the exponentials that are printed for it."""
    index = logits.index if logits.kind == "name" else ()
    names = (Node("name", name=name, index=index) for name in EXPONENTIALS)
    printed = (v for name in names for v in env.lookup(name, order))
    return [values.normalised(v, "share") for v in printed if v.shape in shapes]


def _listed(
    args: list[Node],
    env: Environment,
    order: int,
    depth: int,
    join: Callable[[Sequence[Value]], Value | None],
) -> list[Value | None]:
    followed = PER_PART if len(args) <= MOST_PARTS else 1
    parts = [evaluate(a, env, order, depth)[:followed] for a in args]
    return [join([*each]) for each in product(*parts)] if parts and all(parts) else []


def _unary(node: Node, a: Value) -> list[Value | None]:
    if node.kind == "neg":
        squared = node.args[0].kind == "pow" and not a.shape  # -3² may be meant as (-3)²
        return [values.negative(a), a] if squared else [values.negative(a)]
    if node.kind == "T":
        return [values.transposed(a)]
    if node.kind == "sqrt" or node.name == "sqrt":
        return [values.root(a)]
    if node.name == "exp":
        return [values.exponential(a)]
    if node.name in RISING:
        return [values.rising(node.name, a)]
    if node.name in WAVES:
        return [values.wave(node.name, a)]
    if node.name == "log":
        return [values.logarithm(a, base) for base in (0, 2, 10)]
    return _over_rows(node, a) if a.shape else []


def _over_rows(node: Node, a: Value) -> list[Value | None]:
    if node.name == "softmax":
        upright = len(a.shape) > 1 and a.shape[-1] == 1
        return [values.transposed(values.softmax(values.transposed(a))) if upright else values.softmax(a)]
    if node.name == "rowsum":
        return [values.upright(values.summed(a)) if len(a.shape) > 1 else values.summed(a)]
    if node.name == "sum":
        return [values.summed(a)]
    if node.name == "mean":
        return [values.mean(a)]
    if node.name == "norm":
        return [values.root(values.summed(values.times(a, a)))]
    if node.name == "layernorm":
        return [values.normalised(a, "layernorm"), values.normalised(a, "layernorm1")]
    return []


def _binary(node: Node, a: Value, b: Value) -> list[Value | None]:
    if node.kind in ("add", "sub"):
        together = values.add if node.kind == "add" else values.subtract
        return [together(a, b)] if values.fits(a, b) else []
    if node.kind == "div":
        return [values.over(a, b)] if values.fits(a, b) else []
    if node.kind == "pow":
        return [values.power(a, b)] if not a.shape and not b.shape else []
    return _product(node.mark, a, b)


def _product(mark: str, a: Value, b: Value) -> list[Value | None]:
    """A product: by numbers, of matrices, and of entries where the sign leaves that open.

    A weight may be printed either way round.
    """
    if not a.shape or not b.shape:
        return [values.times(a, b)]
    by_entry = a.shape == b.shape and mark and (mark in "*⊙" or len(a.shape) < 2)
    entries: list[Value | None] = [values.times(a, b)] if by_entry else []
    if mark == "⊙":
        return entries
    made = values.matmul(a, b)
    if made is None and a.shape == (b.shape[0], 1):
        entries.append(values.times(a, b))  # a number for each row
    if made is None and len(b.shape) == 2:
        made = values.matmul(a, values.transposed(b))
    if made is None and len(a.shape) == 2:
        made = values.matmul(values.transposed(a), b)
    if len(a.shape) == len(b.shape) == 1 and made is None:
        return []
    return [made, *entries] if made is not None else entries
