"""Derivations of printed matrices and vectors that have no formula beside them.

The steps of attention are tried on what stands before; the numbers decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from msgspec import Struct, field

from symattn.notes.hypotheses.groups import exponentials
from symattn.notes.hypotheses.steps import COPIES, NEAR, PASSIVE_STEPS, Steps
from symattn.notes.interpreter import values
from symattn.notes.interpreter.describe import described
from symattn.notes.interpreter.evaluate import evaluate
from symattn.notes.interpreter.interpreter import Interpreter
from symattn.notes.interpreter.match import FAR, LIVE, ROUNDING, WRONG, Match, best, exactly, match
from symattn.notes.interpreter.prints import Printed
from symattn.notes.interpreter.reading import Rank, Reading
from symattn.notes.interpreter.usual import usual
from symattn.notes.interpreter.values import Made, Value

if TYPE_CHECKING:
    from symattn.notes.grammar.syntax import Node
    from symattn.notes.grammar.tokens import Token

NEED: Final = 9.0
"""The bits that a step needs, and those for it to accuse."""
NEED_SURE: Final = 10.0
RELENT: Final = 6.0
NEARLY_ALL: Final = 0.7
"""The share of a print that must be close to what makes all of it right."""
AGAINST: Final = 5
MOST_RIGHT: Final = 0.6
RIVALS: Final = 6
RECENT, WITHIN = 14, 60
"""How many prints before one are tried, of how many."""
MOST_NUMBERS, MOST_OF_OPERAND = 256, 1024
MOST_NEAR: Final = 150
"""How many steps that come near a print are compared with it, those on the nearest prints first."""
INPUTS: Final = ("x", "w", "e", "b")


class _Tried(NamedTuple):
    kind: str
    value: Value
    found: Match


class Tries(Struct):
    """The steps that come near each print, and how many were tried.

    From run to run they are kept as long as neither the print nor those before it change.
    """

    _known: dict[tuple[object, ...], tuple[list[object], list[_Tried], int]] = field(default_factory=dict)

    def of(
        self, prints: Sequence[Printed], place: int, sizes: Sequence[int], share: float = NEAR
    ) -> tuple[list[_Tried], int]:
        target, operands = prints[place], _operands(prints, place)
        literal, *state = _state(target)
        state += [sizes, *map(_state, operands)]
        before, tried, count = self._known.get((literal, share), (None, [], 0))
        if before != state:
            steps = Steps(target, sizes, share)
            tried = [*islice(_tried(steps, operands, target), MOST_NEAR)]
            count = len(tried) + steps.passed
            self._known[literal, share] = state, tried, count
        return tried, count


def _state(printed: Printed) -> tuple[object, ...]:
    """What steps on a print, and to it, depend on."""
    node, mended = printed.node, printed.mended
    given = [t.given for t in node.tokens]
    return (*node.tokens, node.shape), given, None if mended is None else mended.mid.tolist()


def suppose(interpreter: Interpreter, prints: Sequence[Printed], tries: Tries) -> None:
    """Tries the steps on every print that nothing explains, first to last, and claims those that hold."""
    sizes = interpreter.env.sizes()
    for place, target in enumerate(prints):
        given = target.base in INPUTS
        if (given and target.base != "x") or not _sized(target) or target.node.bits().sum() < NEED:
            continue
        if 2 * sum(_settled(interpreter, t) for t in target.node.tokens) > len(target.node.tokens):
            continue
        good = list[tuple[float, _Tried]]()
        steps, count = tries.of(prints, place, sizes)
        for tried in steps:
            if given and tried.kind != "sum":
                continue
            score = tried.found.gained - AGAINST * tried.found.wrong
            if score > NEED and tried.found.right >= MOST_RIGHT:
                good.append((score, tried))
        doubt = math.log2(count) if count else 0.0
        good = sorted((g for g in good if g[0] > NEED + doubt), key=lambda g: -g[0])
        if good:
            _claim(interpreter, target, good, NEED_SURE + doubt, prints[max(0, place - WITHIN) : place])


def _claim(
    interpreter: Interpreter,
    target: Printed,
    good: Sequence[tuple[float, _Tried]],
    needed: float,
    prints: Sequence[Printed],
) -> None:
    """The readings of a print by the steps that explain it, the best one first."""
    top, first = good[0]
    if _other_weight(interpreter, target, first.value):
        formulas = [
            v for formula in usual(target.name) for v in evaluate(formula, interpreter.env, target.order)
        ]
        meant = best(target.node, formulas)
        if meant is not None and first.found.wrong == 0:
            why = f"what {target.name} usually is; printed is {_said(first.value, prints)}"
            interpreter.claim(Reading(Rank.OUTRIGHT, target.node, meant, target.name, why, (), True))
        return
    for score, (kind, value, found) in good[:RIVALS]:
        if score > top - LIVE:
            passive = kind in PASSIVE_STEPS or not _scattered(found) or found.gained < needed
            passive = passive or _copies(target.node, value, found)
            rank = Rank.PASSIVE if passive else Rank.STEP
            name = target.name or "printed"
            interpreter.claim(Reading(rank, target.node, found, name, _said(value, prints)))


def relent(interpreter: Interpreter, prints: Sequence[Printed], tries: Tries) -> None:
    """Where a formula accuses a matrix that another step makes right, the accusation falls.

    Another mask, another scale, another operand was meant.
    """
    sizes = interpreter.env.sizes()
    for place, target in enumerate(prints):
        claims = (c for t in target.node.tokens for c in interpreter.claims.get(t, ()))
        if not _sized(target) or not any(c.status <= FAR for c in claims):
            continue
        before = prints[max(0, place - WITHIN) : place]
        for kind, value, found in tries.of(prints, place, sizes, NEARLY_ALL)[0]:
            holds = found.wrong == 0 and found.gained > RELENT and kind not in COPIES
            holds = holds and not _copies(target.node, value, found)
            if holds and not _other_weight(interpreter, target, value):
                name = target.name or "printed"
                interpreter.claim(Reading(Rank.STEP, target.node, found, name, _said(value, before)))
                break


def _sized(target: Printed) -> bool:
    return 2 <= len(target.node.tokens) <= MOST_NUMBERS and len(target.node.shape) < 3


def _tried(steps: Steps, operands: Sequence[Printed], target: Printed) -> Iterator[_Tried]:
    """The comparison of a print with every step on the prints before it; a copy must agree to the digit."""
    for kind, value in steps.all(operands):
        found = match(target.node, value)
        if found is not None:
            yield _Tried(kind, value, exactly(target.node, found) if kind in COPIES else found)


def _said(value: Value, prints: Sequence[Printed]) -> str:
    def label(made: Made) -> str:
        assert made.literal is not None
        name = next((p.name for p in prints if p.node.tokens == made.literal.tokens and p.name), "")
        return name or f"line {made.literal.tokens[0].line}"

    return described(value, label)


def _settled(interpreter: Interpreter, token: Token) -> bool:
    """Whether a formula explains a number already, or the working beside it judges it."""
    claims = interpreter.claims.get(token, ())
    return any(c.status >= ROUNDING or c.reading.rank >= Rank.WORKING for c in claims)


def _other_weight(interpreter: Interpreter, target: Printed, value: Value) -> bool:
    """A query from the weights of the keys and the like: a slip that explains the numbers."""
    if target.base not in ("q", "k", "v"):
        return False
    used = {
        key[2]
        for key in ("w_q", "w_k", "w_v")
        for b in interpreter.env.nearest(key, target.order)
        if b.node.tokens[0] in value.tokens
    }
    return bool(used) and target.base not in used


def _scattered(found: Match) -> bool:
    """No row is wrong for the most part: such a row was made in another way."""
    rows = np.atleast_2d(found.status) == WRONG
    return len(rows) == 1 or bool(np.all(rows.sum(axis=1) * 2 <= rows.shape[1]))


def _copies(node: Node, value: Value, found: Match) -> bool:
    """Whether all that a step makes right is in its operand already, as where GELU changes no digit."""
    same = (match(node, arg) for arg in value.made.args if arg.shape == value.shape)
    return any(
        m is not None and bool(np.all((m.status >= ROUNDING) | (found.status < ROUNDING))) for m in same
    )


def _operands(prints: Sequence[Printed], place: int) -> list[Printed]:
    """The prints before a place, nearest first, each value once."""
    before = prints[max(0, place - WITHIN) : place]
    row = exponentials(before, prints[place].node.shape)
    found, seen, matrices = [], set[tuple[object, ...]](), 0
    for other in reversed(before) if row is None else (row, *reversed(before)):
        if not 1 <= len(other.node.tokens) <= MOST_OF_OPERAND or len(other.node.shape) > 2:
            continue
        digits = values.digits(other.value)
        if digits in seen:
            continue
        seen.add(digits)
        found.append(other)
        matrices += len(other.node.tokens) > 1
        if matrices == RECENT:
            break
    return found
