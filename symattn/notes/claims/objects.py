"""What each printed object was taken for: the readings and the decision of the gate as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from symattn.auditor.objects import Explanation, Operand, PrintedObject
from symattn.notes.claims.names import quantity
from symattn.notes.claims.numerals import characters, place
from symattn.notes.claims.program import Accepted, accepted
from symattn.notes.grammar.syntax import Node
from symattn.notes.interpreter.describe import described
from symattn.notes.interpreter.match import ROUNDING
from symattn.notes.interpreter.reading import Rank, Reading
from symattn.notes.interpreter.values import Made, Value
from symattn.notes.reader import Understood

if TYPE_CHECKING:
    from symattn.notes.grammar.tokens import Token


def objects(understood: Understood) -> tuple[PrintedObject, ...]:
    """Every printed object, the sure ones first, each in the order of the page."""
    found = [*_explained(understood), *_others(understood)]
    return tuple(sorted(found, key=lambda each: (not each.sure, each.reading is None, each.first)))


def _explained(understood: Understood) -> Iterator[PrintedObject]:
    names = _Names(understood)
    for node, best in accepted(understood).items():
        chosen = best.reading
        rival = _runner_up(understood, best, names)
        verdicts = {understood.verdicts[token][0] for token in best.tokens}
        verdict = next(each for each in ("slip", "right", "undecided") if each in verdicts)
        yield PrintedObject(
            names.of(node) or ("" if chosen.rank in (Rank.STEP, Rank.OUTRIGHT) else _shown(chosen.name)),
            node.shape,
            min(map(place, best.tokens)),
            max(map(place, best.tokens)),
            sure=understood.gate.sure(chosen),
            reading=_explanation(understood, chosen, names),
            runner_up=_explanation(understood, rival, names) if rival is not None else None,
            lost=understood.gate.lost(rival, chosen, verdict) if rival is not None else None,
        )


def _others(understood: Understood) -> Iterator[PrintedObject]:
    """Named or shaped prints that nothing before them explains; of a matrix and its rows the matrix."""
    used = {token for _, claim in understood.verdicts.values() for token in claim.reading.found.value.tokens}
    seen: set[Token] = set()
    for printed in sorted(understood.prints, key=lambda each: -len(each.node.tokens)):
        tokens = printed.node.tokens
        if not (printed.name or printed.node.shape) or not seen.isdisjoint(tokens):
            continue
        if any(token in understood.verdicts for token in tokens):
            continue
        seen.update(tokens)
        given = not used.isdisjoint(tokens)
        ends = place(tokens[0]), place(tokens[-1])
        yield PrintedObject(_shown(printed.name), printed.node.shape, *ends, given=given)


def _runner_up(understood: Understood, best: Accepted, names: _Names) -> Reading | None:
    """The other formula for these numerals for which most bits speak."""
    formula = _formula(best.reading.found.value, names)
    claims = (claim for token in best.tokens for claim in understood.interpreter.claims[token])
    others = {claim.reading for claim in claims if claim.reading is not best.reading}
    different = [each for each in others if _formula(each.found.value, names) != formula]
    return max(different, key=lambda each: (each.found.gained, each.rank), default=None)


def _explanation(understood: Understood, reading: Reading, names: _Names) -> Explanation:
    found = reading.found
    hints = sorted(understood.gate.hints(reading).items(), key=lambda hint: -hint[1])
    return Explanation(
        reading.rank.name.lower(),
        _formula(found.value, names),
        tuple(Operand(names.of(each), place(each.tokens[0])) for each in _literals(found.value)),
        {name: round(bits, 1) for name, bits in hints if bits > 0},
        found.status.size,
        int((found.status >= ROUNDING).sum()),
        found.wrong + found.far,
    )


def _formula(value: Value, names: _Names) -> str:
    formula = described(value, names.label)
    return formula[1:-1] if value.made.step in ("add", "subtract") else formula


def _literals(value: Value) -> Iterable[Node]:
    """The printed objects that a value is made of, each once."""
    made = value.made
    found = [made.literal] if made.literal is not None else []
    found += [each for arg in made.args for each in _literals(arg)]
    return dict.fromkeys(found)


def _shown(key: str) -> str:
    """`W_Q` for w_q, `A_1` for a_1; nothing for an expression, or a term of one."""
    if "(" in key or " " in key:
        return ""
    base, _, index = key.partition("_")
    whole, part = quantity(key), quantity(base)
    return whole or (f"{part}_{index}" if part is not None and index else key)


class _Names:
    """What the document calls its literals."""

    def __init__(self, understood: Understood) -> None:
        self._names = {_key(each.node): _shown(each.name) for each in understood.prints if each.name}

    def of(self, literal: Node) -> str:
        return self._names.get(_key(literal), "")

    def label(self, made: Made) -> str:
        """A literal in a formula: by its name, a number by its digits, else by its line."""
        literal = made.literal
        assert literal is not None
        if literal.shape:
            return self.of(literal) or f"({literal.tokens[0].line}:{literal.tokens[0].column})"
        return characters(literal.tokens[0], literal.signs[0])


def _key(literal: Node) -> tuple[Token, int]:
    return literal.tokens[0], len(literal.tokens)
