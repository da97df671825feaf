"""Mistakes that explain a print: the formula that stands there, with one operation or operand replaced.

Where a written formula makes a matrix wrong throughout, and one of the usual mistakes makes all of it
right, the formula is what was meant and the matrix is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.recipes.named import operation
from symattn.notes.grammar.syntax import Node
from symattn.notes.hypotheses.gate import SHARE
from symattn.notes.hypotheses.lines import Cells, Lines, NoOperation
from symattn.notes.interpreter import values
from symattn.notes.interpreter.interpreter import Interpreter
from symattn.notes.interpreter.match import ROUNDING, Match, match
from symattn.notes.interpreter.prints import Printed
from symattn.notes.interpreter.reading import Rank, Reading
from symattn.notes.interpreter.values import Value
from symattn.plans.plan import Line, Plan
from symattn.text.errors import SymattnError

NEED: Final = 9.0
"""The bits that a mistake needs, besides those for the number of mistakes tried."""
NEED_WITHOUT_FORMULA: Final = 14.0
MOST: Final = 400
"""The most mistakes tried for one print."""
WITHIN: Final = 200
"""Of how many prints before one an operand may be another."""
KINDS: Final = {"w": "weights", "q": "token", "k": "token", "v": "token"}
"""{name: kind}: what is put by mistake in the place of what."""
ROOM, LOST = 2.0, 1.5
"""How much wider the ranges are, for authors who cut digits off, and the bits that a number loses."""
CONVENTIONS: Final = ("scale", "mask", "temperature", "positions", "exponent")
"""How the codes of mistakes begin that another convention explains where no formula is written."""


class Computation(Struct, frozen=True, eq=False):
    """A value as a plan over the literals that it is made of."""

    plan: Plan
    given: Mapping[str, Value]

    def result(self) -> Value | None:
        """What it comes to in floats, with ranges; None where the shapes do not fit."""
        known = dict(self.given)
        try:
            for line in self.plan:
                known[line.name] = values.operated(line.op, *(known[name] for name in line.args))
        except (SymattnError, ValueError, IndexError, KeyError):
            return None
        return known[self.plan[-1].name]


def mistakes_in(interpreter: Interpreter) -> None:
    """Claims what a mistake explains, for every formula that makes most of its print wrong."""
    prints = interpreter.prints.order
    places = {p.node.tokens[-1]: place for place, p in reversed([*enumerate(prints)])}
    for reading in list(interpreter.readings):
        found, written = reading.found, reading.rank in (Rank.WRITTEN, Rank.DEFINED) and reading.clear
        if not (written or reading.rank == Rank.USUAL) or found.matched >= SHARE * found.informative:
            continue
        if any(
            _right(interpreter, reading, token_at, written) for token_at in range(len(reading.node.tokens))
        ):
            continue
        if _worked_out(interpreter, reading):
            continue
        place = places.get(reading.node.tokens[-1], 0)
        before = prints[max(0, place - WITHIN) : place]
        mistake = _mistake(reading, before, written)
        if mistake is not None:
            why = f"{reading.why}, with a mistake: {mistake}"
            interpreter.claim(replace(reading, rank=Rank.MISTAKEN, why=why, clear=True))


def _right(interpreter: Interpreter, reading: Reading, at: int, written: bool) -> bool:
    """Whether another formula makes a number right; where none is written, a step on earlier prints may."""
    least = reading.rank if written else Rank.STEP
    claims = interpreter.claims.get(reading.node.tokens[at], ())
    others = (c.reading for c in claims if c.status >= ROUNDING and c.reading is not reading)
    return any(other.rank >= least and other.found.wrong == 0 for other in others)


def _worked_out(interpreter: Interpreter, reading: Reading) -> bool:
    """Whether an entry that the reading calls wrong was worked out before, as it is printed, under its own
    name: then the formula of the whole is not what was meant."""
    node, base, *whole = reading.node, *reading.name.split("_")
    if len(node.shape) != 2:
        return False
    wrong = {
        f"{1 + at // node.shape[1]}{1 + at % node.shape[1]}": token
        for at, token in enumerate(node.tokens)
        if reading.found.status.flat[at] < ROUNDING and token.unit
    }
    for key in interpreter.env.indexed.get(base, ()):
        index = key.split("_")[1:]
        token = wrong.get("".join(each for each in index if each not in whole))
        for binding in interpreter.env.nearest(key, 1 << 30) if token else ():
            entry = binding.node.tokens[0]
            claims = interpreter.claims.get(entry, ())
            right = any(c.status >= ROUNDING and c.reading.rank >= Rank.WRITTEN for c in claims)
            if right and not binding.node.shape and token is not None and entry.value == token.value:
                return True
    return False


def _mistake(reading: Reading, before: Sequence[Printed], written: bool) -> str | None:
    """The name of the first mistake that makes all of the print right, by bits that chance does not give."""
    made = computation(reading.found.value)
    if made is None:
        return None
    need = NEED if written else NEED_WITHOUT_FORMULA
    for tried, (name, value) in enumerate(_mistaken(made, before, written), 1):
        if tried > MOST:
            return None
        found = _compared(reading.node, value)
        lost = LOST * len(reading.node.tokens)
        if found is not None and found.wrong == 0 and found.gained - lost > need + math.log2(tried):
            return name
    return None


def _compared(node: Node, value: Value | None) -> Match | None:
    if value is None:
        return None
    if len(node.shape) == 1 and value.shape == (node.shape[0], 1):
        value = values.transposed(value)
    unit = node.units().max(initial=0.0)
    low, high = (
        value.mid - ROOM * (value.mid - value.low) - unit,
        value.mid + ROOM * (value.high - value.mid) + unit,
    )
    return match(node, replace(value, low=low, high=high))


def computation(value: Value) -> Computation | None:
    """The plan of a value, or None where no operations make it."""
    given: dict[str, Value] = {}

    def resolve(literal: Node) -> Cells:
        name = f"literal {len(given)}"
        whole = values.printed(literal)
        given[name] = replace(
            whole, mid=np.atleast_2d(whole.mid), low=np.atleast_2d(whole.low), high=np.atleast_2d(whole.high)
        )
        n, m = given[name].shape[-2:]
        lines.shapes[name] = (n, m)
        return lines.whole(name).reshape(literal.shape)

    lines = Lines(resolve)
    try:
        lines.cells(value, "result")
    except (NoOperation, SymattnError, ValueError):
        return None
    return Computation(tuple(lines.plan), given) if lines.plan and lines.plan[-1].name == "result" else None


def _mistaken(
    made: Computation, before: Sequence[Printed], written: bool
) -> Iterator[tuple[str, Value | None]]:
    """The computation with one operation replaced, and with one operand replaced.

    To divide all rows by one number is a scale, which is a convention too.
    """
    stack = operation("stack")
    scales = {line.name for line in made.plan if line.op == stack and len(set(line.args)) == 1}
    for at, line in enumerate(made.plan):
        for slip in line.op.slips():
            if written or not (slip.code.startswith(CONVENTIONS) or scales.intersection(line.args)):
                yield slip.code, _with(made, at, replace(line, op=slip.instead)).result()
    yield from _other_operands(made, before)


def _with(made: Computation, at: int, line: Line) -> Computation:
    return replace(made, plan=(*made.plan[:at], line, *made.plan[at + 1 :]))


def _other_operands(made: Computation, before: Sequence[Printed]) -> Iterator[tuple[str, Value | None]]:
    """Another matrix of the same kind and shape for an operand: W_Q for W_K, K for V."""
    named = {p.name: p for p in before if p.base in KINDS and len(p.node.shape) == 2}
    for name, value in made.given.items():
        kinds = {KINDS[p.base] for p in named.values() if values.same(p.value, value)}
        for other, p in named.items():
            if p.value.shape == value.shape and KINDS[p.base] in kinds and not values.same(p.value, value):
                yield f"{other} for another", replace(made, given={**made.given, name: p.value}).result()
