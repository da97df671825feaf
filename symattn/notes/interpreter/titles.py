"""What a title makes of the matrix under it: its name, and the formula that the title says."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from symattn.notes.grammar.syntax import Node
from symattn.notes.grammar.titles import SOURCES, Title
from symattn.notes.interpreter.environment import Environment
from symattn.notes.interpreter.evaluate import evaluate
from symattn.notes.interpreter.match import best
from symattn.notes.interpreter.usual import usual

SUM: Final = 0.02
"""How far from 1 weights may add up."""


class Titles(Struct, eq=False):
    """The titles that have named a matrix so far."""

    _used: set[Title] = field(default_factory=set)

    def names(self, title: Title | None, literal: Node, env: Environment, order: int) -> bool:
        """Whether a title names a matrix that has no name, the first one under it.

        A title that says what was done is a formula; any other must be borne out by the numbers.
        """
        if title is None or len(literal.shape) != 2 or title in self._used:
            return False
        if title.key == "a" and not _shares(literal):
            return False
        if title.key in SOURCES and env.nearest(title.key, order):
            return False
        if not _says(title, env, order):
            formulas = [*env.definitions(title.key, order), *usual(title.key)]
            tried = (best(literal, evaluate(formula, env, order)) for formula in formulas)
            found = max((m for m in tried if m is not None), key=lambda m: m.score, default=None)
            if found is not None and 2 * found.matched < found.informative:
                return False
        self._used.add(title)
        return True


def _says(title: Title, env: Environment, order: int) -> bool:
    """Notes the formula that a title says, if any: scores by a root, or the softmax of scaled scores."""
    scores = Node("name", name="s")
    if not env.lookup(scores, order):
        scores = Node("mul", [Node("name", name="q"), Node("T", [Node("name", name="k")])], mark="·")
    if title.root is not None:
        env.define("scaled", Node("div", [scores, title.root], mark="/"), order)
    elif title.softmax and env.nearest("scaled", order):
        env.define("a", Node("call", [Node("name", name="scaled")], name="softmax"), order)
    else:
        return False
    return True


def _shares(literal: Node) -> bool:
    """Whether at least half of the rows, or of the columns, add up to 1 as weights do."""
    printed = literal.printed()
    return any(
        2 * int((abs(printed.sum(axis=axis) - 1) < SUM).sum()) >= printed.shape[1 - axis] for axis in (0, 1)
    )
