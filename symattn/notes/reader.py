"""A document is read as a program with its printout: the numbers say what its statements mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from symattn.casefile.file_kinds import Kind
from symattn.notes.grammar.chains import Statement, statements
from symattn.notes.grammar.copulas import with_signs
from symattn.notes.grammar.drawing import draw
from symattn.notes.grammar.lexer import tokens as lexed
from symattn.notes.grammar.lines import joined
from symattn.notes.grammar.lists import with_lists
from symattn.notes.grammar.pieces import pieced
from symattn.notes.grammar.sessions import echoed
from symattn.notes.grammar.strokes import barred
from symattn.notes.hypotheses.gate import Gate, Verdict
from symattn.notes.hypotheses.groups import grouped
from symattn.notes.hypotheses.mistaken import mistakes_in
from symattn.notes.hypotheses.suppose import Tries, relent, suppose
from symattn.notes.hypotheses.weights import Spoken, weigh
from symattn.notes.interpreter.environment import Environment
from symattn.notes.interpreter.interpreter import Interpreter
from symattn.notes.interpreter.match import ROUNDING, WRONG, cuts
from symattn.notes.interpreter.prints import Printed
from symattn.notes.interpreter.reading import Claim, Rank
from symattn.notes.names.words import speaks_of_scores
from symattn.notes.source.places import Source
from symattn.notes.source.text import read_source

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token

CUT: Final = 3
"""How many numbers with digits cut off show that an author does so."""
RUNS: Final = 3
"""How often a document is run: what was wrong in one run is tried put right in the next."""


class Program(Struct, frozen=True, eq=False):
    """A document's text, statements and numerals, and the lines that speak of softmax and scores."""

    source: Source
    statements: tuple[Statement, ...]
    numerals: tuple[Token, ...]
    spoken: Spoken


class Understood(Struct, frozen=True, eq=False):
    """What a document was taken for, what decided, and what was said of each numeral."""

    program: Program
    interpreter: Interpreter
    prints: tuple[Printed, ...]
    gate: Gate
    verdicts: dict[Token, tuple[Verdict, Claim]]


def parsed(text: str, kind: Kind) -> Program:
    """The program of a document."""
    source = read_source(text, kind)
    lexemes = with_signs(echoed(lexed(source)))
    raw = barred(pieced(lexemes))
    run = joined(draw(with_lists(raw)))
    names = [t for t in raw if t.kind == "NAME"]
    spoken = {
        "softmax": {t.line for t in names if "softmax" in t.text.lower()},
        "s": {t.line for t in names if speaks_of_scores(t.text)},
    }
    numerals = tuple(t for t in lexemes if t.kind == "NUM")
    return Program(source, tuple(statements(run)), numerals, spoken)


def understood(program: Program) -> Understood:
    """Runs a program, and says which of its numbers are right, wrong, or neither."""
    wrong: dict[Token, float] = {}
    made: set[Token] = set()
    tries, cut = Tries(), False
    heads = tuple(sorted({s.head for s in program.statements if s.head}, key=int))
    with np.errstate(all="ignore"):
        for _ in range(RUNS):
            interpreter = Interpreter(wrong, made, Environment(heads=heads))
            for order, statement in enumerate(program.statements):
                interpreter.run(order, statement)
            alone = set(interpreter.prints.order)
            prints = [p if p in alone else interpreter.entitle(p) for p in grouped(interpreter.prints.order)]
            suppose(interpreter, prints, tries)
            weigh(interpreter, prints, program.spoken)
            relent(interpreter, prints, tries)
            mistakes_in(interpreter)
            before, wrong = wrong, _wrong(interpreter)
            results = {token for token in _explained(interpreter) if token.given}
            if not cut and _cuts(interpreter):
                cut, tries = True, Tries()
                for token in program.numerals:
                    token.cut = True
            elif wrong.keys() <= before.keys() and results <= made:
                break
            made |= results
        gate = Gate(interpreter.readings, interpreter.prints.copies)
        verdicts = {token: gate.verdict(claims) for token, claims in interpreter.claims.items()}
    return Understood(program, interpreter, tuple(prints), gate, verdicts)


def _cuts(interpreter: Interpreter) -> bool:
    """Whether the author cuts digits off: some results of formulas are right only so."""
    good = (
        r for r in interpreter.readings if r.rank >= Rank.USUAL and 2 * r.found.wrong <= r.found.status.size
    )
    return len({token for r in good for token in cuts(r.node, r.found)}) >= CUT


def _explained(interpreter: Interpreter) -> Iterator[Token]:
    """The numerals that a step makes, in a print that it makes as a whole."""
    for reading in interpreter.readings:
        if reading.rank == Rank.STEP and not reading.found.wrong:
            yield from reading.node.tokens


def _wrong(interpreter: Interpreter) -> dict[Token, float]:
    """The numerals that are wrong, or may be, with what was expected."""
    out = {}
    for token, claims in interpreter.claims.items():
        wrong = [c for c in claims if c.status == WRONG]
        if wrong and not any(c.status >= ROUNDING for c in claims):
            out[token] = max(wrong, key=lambda c: (c.reading.rank, c.reading.found.gained)).expected
    return out
