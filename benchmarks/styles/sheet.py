"""What a style writes with: the numerals of an example, each of which knows its truth wherever it lands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from benchmarks.injection.world import Entry
from benchmarks.notes.draft import ROOT, Draft
from benchmarks.notes.paper import Mark, Num, Paper
from benchmarks.styles.text import END, OPEN, SHUT, TOKEN, nested, products, tex, vector

T = TypeVar("T")


class Sheet:
    """An example and the document that it becomes, which ends in `ending`; rows and columns from 0.

    `spell` is how this author writes a numeral, with a decimal comma for instance.
    """

    def __init__(self, draft: Draft, rng: Random, ending: str) -> None:
        self.draft, self.rng, self.ending = draft, rng, ending
        self.tokens = draft.tokens
        self.spell: Callable[[str], str] = str
        self._copies = rng.random() < 0.5  # a misprint that is told again is misprinted again
        self._told: set[Entry] = set()
        self._nums: list[Num] = []

    @property
    def n(self) -> int:
        """The number of tokens."""
        return len(self.tokens)

    @property
    def d_k(self) -> int:
        name = next(step.args[0] for step in self.draft.world.steps if step.kind == "scores")
        return self.draft.world.shapes[name][1]

    @property
    def scaled(self) -> bool:
        return self.draft.world.scale != "1"

    def pick(self, *options: T) -> T:
        return self.rng.choice(options)

    def maybe(self, chance: float) -> bool:
        return self.rng.random() < chance

    def prints(self, name: str) -> bool:
        """Whether this author prints the results of a step."""
        return name in self.draft.author.places

    def shape(self, name: str) -> tuple[int, int]:
        return self.draft.world.shapes[name]

    def widths(self, name: str, form: str = "d{}", first: int = 1) -> list[str]:
        """Names for the columns of a quantity."""
        return [form.format(j + first) for j in range(self.shape(name)[1])]

    # one numeral --------------------------------------------------------------------------------------

    def put(self, num: Num) -> str:
        """The token of a numeral."""
        spelled = replace(num, text=self.spell(num.text))
        self._nums.append(spelled)
        return f"{OPEN}{len(self._nums) - 1}{SHUT}{spelled.text}{END}"

    def r(self, name: str, i: int, j: int, said: str = "") -> str:
        """An input, or a result; told again it is the same, or what the author went on with.

        `said` is another way to write this number, 0 for 0.00.
        """
        entry, draft = (name, i, j), self.draft
        again = entry in self._told and not self._copies and name not in draft.world.given
        self._told.add(entry)
        num = replace(draft.operand(*entry), role="result") if again else draft.num(*entry)
        return self.put(replace(num, text=said) if said else num)

    def o(self, name: str, i: int, j: int) -> str:
        """An entry as an operand, as the author had it before him."""
        return self.put(self.draft.operand(name, i, j))

    def root(self) -> str:
        """The root of d_k as this author rounded it."""
        return self.r(ROOT, 0, 0)

    # several numerals ---------------------------------------------------------------------------------

    def row(self, name: str, i: int, used: bool = False) -> list[str]:
        """A row of results (or inputs), or of operands."""
        return [(self.o if used else self.r)(name, i, j) for j in range(self.shape(name)[1])]

    def column(self, name: str, j: int, used: bool = False) -> list[str]:
        return [(self.o if used else self.r)(name, i, j) for i in range(self.shape(name)[0])]

    def rows(self, name: str, used: bool = False) -> list[list[str]]:
        return [self.row(name, i, used) for i in range(self.shape(name)[0])]

    def columns(self, name: str, used: bool = False) -> list[list[str]]:
        """The rows of the transpose."""
        return [self.column(name, j, used) for j in range(self.shape(name)[1])]

    def percents(self, name: str, i: int) -> list[str]:
        """A row once more, in percent, with two decimals fewer."""
        told = self.draft.percent(name, i)
        return [self.put(num) for num in told] if told is not None else self.row(name, i)

    def v(self, name: str, i: int, around: str = "[]", comma: str = ", ", used: bool = False) -> str:
        """A row between brackets."""
        return vector(self.row(name, i, used), around, comma)

    def m(self, name: str, around: str = "[]", comma: str = ", ") -> str:
        """A matrix as nested lists on one line."""
        return nested(self.rows(name), around, comma)

    def tex(self, name: str, around: str = "bmatrix", newline: str = " ", used: bool = False) -> str:
        """A matrix in TeX."""
        return tex(self.rows(name, used), around, newline)

    def dot(self, a: str, i: int, b: str, j: int, times: str = "×", plus: str = " + ") -> str:
        """The products of two rows, `1×2 + 0×1`."""
        return products(self.row(a, i, True), self.row(b, j, True), times, plus)

    def down(self, a: str, i: int, b: str, j: int, times: str = "×", plus: str = " + ") -> str:
        """The products of a row and a column."""
        return products(self.row(a, i, True), self.column(b, j, True), times, plus)

    def weighed(self, i: int, values: Sequence[str], times: str = "×") -> str:
        """The weights of row i times the values, added up."""
        return " + ".join(f"{a}{times}{v}" for a, v in zip(self.row("A", i, True), values, strict=True))

    def said(self, comma: str = ", ") -> str:
        """The tokens."""
        return comma.join(self.tokens)

    # the document -------------------------------------------------------------------------------------

    def marked(self, text: str) -> tuple[str, tuple[Mark, ...]]:
        """The text as it stands on paper, and its numerals with their truth for who sees no more than it."""
        paper, at = Paper(), 0
        for found in TOKEN.finditer(text):
            paper.write(text[at : found.start()], self._nums[int(found[1])])
            at = found.end()
        paper.write(text[at:])
        return paper.text, self.draft.seen(paper.marks())
