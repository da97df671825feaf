"""Workings of single numbers: what a number follows from, written out in the expression language of a case.

This is how arithmetic is judged that is complete on the page, and what no operation of the package makes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symattn.attention.case import Place
from symattn.notes.claims.numerals import characters, place
from symattn.notes.hypotheses.lines import STRUCTURE, NoOperation, array_of
from symattn.notes.interpreter.reading import Reading
from symattn.notes.interpreter.values import Value

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token

LONGEST: Final = 4000
"""The most characters of a working; a longer one is not judged."""


class Equation(Struct, frozen=True):
    """A printed number and its working: `exp(2.1)` and `8.17`.

    `work` is in the expression language of a case. `rounded` lists the numerals of the working that the
    document itself printed as results, so that they may stand for more digits. `place` is the number's;
    `work_places` says where the operands of the working stand, in their order.
    """

    work: str
    printed: str
    relation: str
    place: Place
    rounded: frozenset[str] = frozenset()
    work_places: tuple[Place, ...] = ()


class Written(Struct, frozen=True, eq=False):
    """An expression as text, with its numerals in their order; `tight` needs no parentheses."""

    text: str
    tokens: tuple[Token, ...] = ()
    tight: bool = True

    @property
    def factor(self) -> str:
        return self.text if self.tight else f"({self.text})"


Entries = NDArray[np.object_]


def equations(reading: Reading, tokens: frozenset[Token], sign: str) -> Iterator[Equation]:
    """The working of each of these numerals. Raises NoOperation for what no case can say."""
    node = reading.node
    entries = np.atleast_1d(written(reading.found.value)).ravel()
    for token, negative, entry in zip(node.tokens, node.signs, entries, strict=True):
        if token not in tokens or len(entry.text) > LONGEST:
            continue
        rounded = frozenset(characters(t) for t in entry.tokens if t.unit and not t.given)
        places = tuple(place(t) for t in entry.tokens)
        yield Equation(entry.text, characters(token, negative), sign, place(token), rounded, places)


def written(value: Value) -> Entries:
    """The working of each entry, in the shape of the value."""
    made = value.made
    if made.step == "print" and made.literal is not None:
        literal = made.literal
        pairs = zip(literal.tokens, literal.signs, strict=True)
        found = array_of([Written(characters(t, s), (t,), s > 0) for t, s in pairs])
        return found.reshape(literal.shape)
    if made.step == "constant":
        return np.array(Written(f"{made.option:g}"), dtype=object)
    args = [written(arg) for arg in made.args]
    if made.step in STRUCTURE:
        return STRUCTURE[made.step](args, made.option, value.shape)
    if made.step in _INFIX:
        sign, tight = _INFIX[made.step]
        return np.asarray(np.frompyfunc(lambda a, b: _joined(a, sign, b, tight), 2, 1)(*args))
    if made.step in _EACH:
        return np.asarray(np.frompyfunc(_EACH[made.step], 1, 1)(args[0]))
    if made.step == "logarithm":
        by = f"/log({made.option})" if made.option else ""
        return np.asarray(
            np.frompyfunc(lambda a: Written(f"log({a.text}){by}", a.tokens, not by), 1, 1)(args[0])
        )
    if made.step == "matmul":
        return _product(*args)
    if made.step in _ROWS:
        return _rowwise(_ROWS[made.step], args[0])
    raise NoOperation(made.step)


_INFIX: Mapping[str, tuple[str, bool]] = MappingProxyType(
    {
        "add": (" + ", False),
        "subtract": (" - ", False),
        "times": ("*", True),
        "over": ("/", True),
        "power": ("^", True),
    }
)


def _joined(a: Written, sign: str, b: Written, tight: bool) -> Written:
    left = a.text if not tight and not a.text.startswith("-") else a.factor
    right = b.factor if sign != " + " else (b.text if b.tight or not b.text.startswith("-") else b.factor)
    return Written(f"{left}{sign}{right}", a.tokens + b.tokens, False)


_EACH: Mapping[str, Callable[[Written], Written]] = MappingProxyType(
    {
        "negative": lambda a: Written(f"-{a.factor}", a.tokens, False),
        "root": lambda a: Written(f"sqrt({a.text})", a.tokens),
        "exponential": lambda a: _exponential(a),
        "sin": lambda a: Written(f"sin({a.text})", a.tokens),
        "cos": lambda a: Written(f"cos({a.text})", a.tokens),
        "sigmoid": lambda a: Written(f"1/(1 + exp(-{a.factor}))", a.tokens, False),
    }
)
HIDDEN: Final = "-oo"
"""A score that is hidden."""


def _exponential(a: Written) -> Written:
    return Written("0", a.tokens) if a.text == HIDDEN else Written(f"exp({a.text})", a.tokens)


def _sum(terms: list[Written]) -> Written:
    whole = terms[0]
    for term in terms[1:]:
        whole = _joined(whole, " + ", term, False)
    return whole


def _mean(row: list[Written]) -> Written:
    whole = _sum(row)
    return Written(f"{whole.factor}/{len(row)}", whole.tokens, False)


def _softmax(row: list[Written]) -> list[Written]:
    """1/(1 + e^(b - a) + ...), so that each score moves the whole in one direction."""
    shown = [x for x in row if x.text != HIDDEN]

    def share(own: Written) -> Written:
        if own.text == HIDDEN or not shown:
            return Written("0", own.tokens)
        others = [_exponential(_joined(x, " - ", own, False)) for x in shown if x is not own]
        whole = _sum([Written("1"), *others])
        return Written(f"1/({whole.text})", whole.tokens or own.tokens, False)

    return [share(own) for own in row]


_ROWS: Mapping[str, Callable[[list[Written]], Any]] = MappingProxyType(
    {"summed": _sum, "mean": _mean, "softmax": _softmax}
)


def _rowwise(function: Callable[[list[Written]], Any], a: Entries) -> Entries:
    if a.ndim == 1:
        made = function(list(a))
        return array_of(made) if isinstance(made, list) else np.array(made, dtype=object)
    if a.ndim > 2:
        raise NoOperation("tensor")
    rows = [function(list(row)) for row in a]
    return np.stack([array_of(row) for row in rows]) if isinstance(rows[0], list) else array_of(rows)


def _product(a: Entries, b: Entries) -> Entries:
    left, right = np.atleast_2d(a), b if b.ndim > 1 else b[:, None]
    found = np.empty((left.shape[0], right.shape[1]), dtype=object)
    for i in range(left.shape[0]):
        for j in range(right.shape[1]):
            pairs = zip(left[i], right[:, j], strict=True)
            found[i, j] = _sum([_joined(x, "*", y, True) for x, y in pairs])
    shape = (a.shape[:-1] if a.ndim > 1 else ()) + (b.shape[1:] if b.ndim > 1 else ())
    return found.reshape(shape)
