"""What every form of document can do: headings, sentences, groups of formulas, vectors and matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from benchmarks.notes.draft import Draft
from benchmarks.notes.dress import Dress, random_dress
from benchmarks.notes.paper import Block, Mark, Num, Paper, Piece, Pieces, joined
from benchmarks.notes.words import row_heading, say
from symattn.reading.kinds import Kind

Row = Sequence[Num | str]


class Writer:
    """A form of document; subclasses say how a formula stands and how a matrix is written."""

    kind: Kind = "markdown"
    tex = False
    beside: str | None = None  # what stands between matrices on the same line
    workings = ("cells", "lines")

    def __init__(self, draft: Draft, rng: Random) -> None:
        self.draft, self.rng, self.paper = draft, rng, Paper()
        self.dress: Dress = random_dress(rng, draft.lang, self.tex)
        self.more: tuple[Draft, ...] = ()  # the further examples of the document
        self.masks = False  # whether masks are printed, and added
        self.columns = False  # whether tokens are the columns of matrices
        self.later: frozenset[str] = frozenset()  # inputs that are told only where they are used
        self.step = 0
        self.inner = False  # whether headings stand below one that says which head
        self.bracketed = not self.tex and rng.random() < 0.4  # rows are Q[0], not q_1: one way in a document
        self.begin()

    def begin(self) -> None:
        """Draw what is constant in this document."""

    def document(self) -> tuple[str, list[Mark]]:
        """The text of the file and its numerals."""
        return self.paper.text, self.paper.marks()

    # sentences ----------------------------------------------------------------------------------------

    def heading(self, what: str) -> None:
        self.step += not self.inner
        words = say(self.rng, what, self.draft.lang)
        if what == "title":
            self.paper.write(f"# {words}\n\n")
            return
        if what.startswith("example"):
            self.step = 1
            self.paper.write(f"# {words}\n\n")
            return
        if self.inner:
            self.paper.write(f"#### {words}\n\n")
            return
        number = {"zh": f"步骤{self.step - 1}：", "en": f"Step {self.step - 1}: "}[self.draft.lang]
        self.paper.write(f"{'##' if self.rng.random() < 0.7 else '###'} {number}{words}\n\n")

    def sentence(self, words: str) -> None:
        if words:
            self.paper.write(words, "\n\n")

    def announce(self, i: int) -> None:
        """The row that is being worked."""
        shift = self.dress.shift or 0
        self.sentence(row_heading(self.rng, self.draft.lang, i + shift, self.draft.tokens[i]))

    def spoken(self, pieces: Pieces) -> None:
        """A sentence with numbers in it."""
        self.paper.write(*self.flat(pieces, 0), "\n\n")

    # formulas -----------------------------------------------------------------------------------------

    def group(self, formulas: Sequence[Pieces]) -> None:
        """Formulas that stand together, each on a line of its own."""
        raise NotImplementedError

    def vector(self, nums: Row) -> Pieces:
        """A row vector."""
        left, right = self.dress.brackets
        return [left, *joined(", ", [[num] for num in nums]), right]

    def matrix(self, block: Block, column: int) -> list[str | Num]:
        """A matrix that begins at a column (from 0)."""
        raise NotImplementedError

    def flat(self, pieces: Pieces, column: int) -> list[str | Num]:
        """Matrices laid out, minus signs as this author writes them."""
        told: list[str | Num] = []
        for piece in pieces:
            if isinstance(piece, Block):
                laid = self.matrix(piece, column)
                said = "".join(part.text if isinstance(part, Num) else part for part in laid)
                column = len(said.rpartition("\n")[2]) + (0 if "\n" in said else column)
                told += laid
                continue
            told.append(piece)
            column += len(piece.text if isinstance(piece, Num) else piece)
        if self.dress.minus == "-":
            return told
        return [replace(p, text=p.text.replace("-", "−")) if isinstance(p, Num) else p for p in told]

    # small formulas -----------------------------------------------------------------------------------

    def block(self, name: str, labelled: bool = False) -> Block:
        """A quantity as it is printed."""
        count = self.draft.world.shapes[name][0]
        known = self.draft.keys if name in ("K", "V", "memory") else self.draft.tokens
        labels = known if labelled and count == len(known) else ()
        rows = tuple(tuple(row) for row in self.draft.grid(name))
        if self.columns and not name.startswith("W_"):
            return Block(tuple(zip(*rows, strict=True)))
        return Block(rows, labels)

    def operands(self, name: str, turned: bool = False) -> Block:
        """A matrix inside a working."""
        rows = [self.draft.operands(name, i) for i in range(self.draft.world.shapes[name][0])]
        return Block(tuple(zip(*rows, strict=True)) if turned else tuple(tuple(row) for row in rows))

    def factor(self, num: Num) -> Pieces:
        """A numeral in a product: in parentheses where it is negative."""
        return ["(", num, ")"] if num.text.startswith("-") else [num]

    def products(self, left: Sequence[Num], right: Sequence[Num]) -> Pieces:
        """`a×b + c×d`."""
        pairs = zip(left, right, strict=True)
        return joined(" + ", [[*self.factor(a), self.dress.times, *self.factor(b)] for a, b in pairs])

    def equals(self, *, about: bool = False) -> str:
        return f" {self.dress.about} " if about else " = "

    def power(self, num: Num) -> Pieces:
        """e to a numeral."""
        if self.tex:
            return self.rng.choice((["e^{", num, "}"], [r"\exp(", num, ")"]))
        return self.rng.choice((["exp(", num, ")"], ["e^", num], ["e^(", num, ")"]))

    def quotient(self, over: Piece, under: Piece) -> Pieces:
        if self.tex and self.rng.random() < 0.6:
            return [r"\frac{", over, "}{", under, "}"]
        return [over, self.rng.choice((" / ", "/")), under]

    def root(self) -> str:
        """The root of d_k with its number, `√2`."""
        d_k = self.draft.world.shapes["Q"][1]
        return rf"\sqrt{{{d_k}}}" if self.tex else self.rng.choice((f"√{d_k}", f"sqrt({d_k})"))
