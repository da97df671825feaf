"""The operands of printed workings, made to show what the fixed document prints.

Where a whole chain is recomputed, `1.14*0.93 + 0.57*0.58` must become `1.09*0.80 + 0.66*0.68`: each operand
is the printed number of an entry that the step uses. The operands correspond to these entries in order
where their counts agree, else by value. Where the working of a number is what is wrong and does not give it
even so, its operands are what the step uses there, in order: `exp(4)` becomes `exp(2)` under a right 7.389.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from flint import fmpq

from symattn.attention.case import Place
from symattn.attention.recipes.attention import attention
from symattn.auditor.claims import extended
from symattn.auditor.dependencies import Entry, dependencies
from symattn.auditor.findings.codes import Finding
from symattn.auditor.fixing.edits import Edit
from symattn.auditor.judging.printing import spelled
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import Numeral, read_numeral
from symattn.auditor.ranges.working import Operand, operands, read_working
from symattn.auditor.report import EQUATION, WRONG, Judgement, Printed, Report
from symattn.exact.number import Exact
from symattn.plans.plan import Line
from symattn.plans.transposed import on_rows
from symattn.text.errors import SymattnError

UNSURE = ("undecided", "rounding")
"""Verdicts on numbers that are not wrong, and may differ from what should have been printed."""
MISTAKEN = (Finding.WRONG_WORKING, Finding.NOT_ITS_WORKING)
"""Findings about a working: here an operand may show a number that was printed nowhere."""

NOTHING, HIDDEN = fmpq(0), fmpq(1, 50)
"""The share by which an operand that is no printed result may be off: its author may have kept the digits."""


class Chain:
    """The entries of the evaluation of a report, what is printed for them, and what will be.

    `changed` picks the numbers that are put right.
    """

    def __init__(self, report: Report, changed: Callable[[Judgement], bool]) -> None:
        self.report = report
        self.whole = all(changed(judged) for judged in report.judgements if judged.verdict in WRONG)
        """Whether every wrong number is put right, so that whatever follows from one is to be changed."""
        self.now: dict[Entry, Numeral] = {}
        self.then: dict[Entry, str] = {}
        for judgement in report.judgements:
            if judgement.printed.first is None:
                at = judgement.printed.at[:3]
                self.now[at] = judgement.printed.numeral
                if changed(judgement) and judgement.expected is not None:
                    self.then[at] = judgement.expected
        self.along = frozenset(self._goes_along()) if self.whole and self.then else frozenset()
        """The numbers that are not wrong beside what was printed before them, and go on from what changes."""

    def _goes_along(self) -> Iterator[int]:
        """Follow the changes down the evaluation; who rounded on the way is left alone."""
        order = {line.name: at for at, line in enumerate(self.report.derivation.plan)}
        computed = (each for each in self.report.judgements if each.printed.name != EQUATION)
        ahead = [each for each in computed if each.verdict in UNSURE and each.expected]
        for judged in sorted(ahead, key=lambda each: order.get(each.printed.name, -1)):
            at, text = judged.printed.at[:3], judged.expected or ""
            if judged.printed.first is not None:
                moved = self.then.get(at) == text
            else:
                below = (entry for line in self.lines.get(at[0], ())[:1] for entry in self._used(line, at))
                moved = any(map(self._follows_a_change, below))
            if (
                moved
                and judged.suppressed is None
                and not _may_be(judged.printed.numeral, self._exact(at), HIDDEN)
            ):
                self.then.setdefault(at, text)
                yield judged.printed.index

    @cached_property
    def lines(self) -> Mapping[str, Sequence[Line]]:
        """The lines by the name that they compute: that of the plan, and the second way to it."""
        _, ways = extended(self.report.case, attention(self.report.case))
        lines: dict[str, list[Line]] = {}
        for line in (*self.report.derivation.plan, *ways.values()):
            lines.setdefault(line.name, []).append(line)
        return lines

    def edits(self) -> Iterator[Edit]:
        """What becomes of the operands of the workings."""
        for judgement in self.report.judgements:
            if judgement.printed.name != EQUATION and judgement.printed.work_places:
                yield from self.operands_of(judgement)

    def shows_prints(self, number: Printed) -> bool:
        """Whether the operands of a working are just what the evaluation prints or gives for the step."""
        shown = operands(number.work or "")
        tied = self._tied(shown, number.work_places, number.at[:3]) if number.work_places else ()
        return 0 < len(shown) == len(tied) and all(self._shows(operand, entry) for operand, _, entry in tied)

    def operands_of(self, judgement: Judgement) -> Iterator[Edit]:
        """The operands of one working that must change."""
        number = judgement.printed
        shown = operands(number.work or "")
        if len(shown) != len(number.work_places):
            return
        work, mistaken = number.work or "", judgement.code in MISTAKEN
        then = {operand: operand.text for operand in shown}
        for operand, _, entry in self._tied(shown, number.work_places, number.at[:3]):
            then[operand] = self._new(operand, entry, mistaken, _subtracted(work, operand)) or operand.text
        right = judgement.expected or number.numeral.text
        if (mistaken or number.at[:3] in self.then) and not gives(work, then, right):
            ways = [{**then, **self._whole(judgement, shown)}]
            ways += self._used_there(judgement, shown) if mistaken else ()
            then = next((told for told in ways if told != then and gives(work, told, right)), then)
        for operand, place in zip(shown, number.work_places, strict=True):
            if then[operand] != operand.text:
                yield Edit(place.line, place.column, operand.text, then[operand])

    def _whole(self, judgement: Judgement, shown: Sequence[Operand]) -> dict[Operand, str]:
        """What whole numbers become that are just what the step had for entries without a print.

        The 1 of `1/(1 + exp(2))` stands for exp(0), and for 0.368 where the 0 becomes -1.
        """
        whole = any(operand.text.isdigit() for operand in shown)
        hidden = self._hidden_below(judgement.printed.at[:3]) if whole else ()
        seen = {entry: self._seen(entry).rational for entry in hidden}
        moved = {value: entry for entry, value in seen.items() if value is not None}
        found: dict[Operand, str] = {}
        for operand in shown:
            entry = moved.get(read_numeral(operand.text).value) if operand.text.isdigit() else None
            if entry is not None and self._follows_a_change(entry):
                new = _as_operand(self._exact(entry), operand, judgement.printed.numeral.places)
                found |= {operand: new} if new else {}
        return found

    def _hidden_below(self, at: Entry) -> Sequence[Entry]:
        """The entries without a print that a step uses, and those that these use."""
        found: dict[Entry, None] = {at: None}
        waiting = [at]
        while waiting:
            entry = waiting.pop()
            below = {used: None for line in self.lines.get(entry[0], ()) for used in self._used(line, entry)}
            fresh = [
                used for used in below if used not in found and used not in self.now and used[0] in self.lines
            ]
            found |= dict.fromkeys(fresh)
            waiting += fresh
        return tuple(found)[1:]

    def _used_there(self, judgement: Judgement, shown: Sequence[Operand]) -> Iterator[dict[Operand, str]]:
        """What a step uses for a number, as its operands: with their decimals, or with as many as it has."""
        places = judgement.printed.numeral.places
        for route in self._routes(judgement.printed.at[:3]):
            if len(route) == len(shown):
                for least in (0, places):
                    texts = [_as_operand(self._exact(x), y, least) for y, x in zip(shown, route, strict=True)]
                    yield {operand: text or operand.text for operand, text in zip(shown, texts, strict=True)}

    def _tied(
        self, shown: Sequence[Operand], places: Sequence[Place], at: Entry
    ) -> Sequence[tuple[Operand, Place, Entry]]:
        """Operands with the entries that they stand for, on the way that ties most of them."""
        best: Sequence[tuple[Operand, Place, Entry]] = ()
        most = 0
        if len(shown) != len(places):  # the working is not spelled as it stands on paper
            return best
        for route in self._routes(at):
            if len(route) == len(shown):
                tied = list(zip(shown, places, route, strict=True))
                agreeing = sum(self._shows(operand, entry) for operand, _, entry in tied)
                if 2 * agreeing < len(tied):
                    continue
            else:
                tied = list(self._by_value(shown, places, route))
                agreeing = len(tied)
            if agreeing > most:
                best, most = tied, agreeing
        return best

    def _by_value(
        self, shown: Sequence[Operand], places: Sequence[Place], route: Sequence[Entry]
    ) -> Iterator[tuple[Operand, Place, Entry]]:
        """Each entry takes the next operand, from left to right, that shows it."""
        free = list(zip(shown, places, strict=True))
        for entry in route:
            for k, (operand, place) in enumerate(free):
                if self._shows(operand, entry):
                    yield operand, place, entry
                    del free[: k + 1]
                    break

    def _routes(self, at: Entry) -> Iterator[Sequence[Entry]]:
        """The entries that a step uses, in order: as they are, and with the unprinted ones worked out.

        The factors of products may stand the other way round: with tokens as columns A V is written for V A.
        """
        for line in self.lines.get(at[0], ()):
            direct = self._used(line, at)
            yield direct
            if on_rows(line.op).is_product and not len(direct) % 2:
                yield [entry for pair in zip(direct[1::2], direct[::2], strict=True) for entry in pair]
            spread = [below for entry in direct for below in self._printed_below(entry)]
            if spread != list(direct):
                yield spread

    def _used(self, line: Line, at: Entry) -> Sequence[Entry]:
        shapes = tuple(self.report.derivation[name].shape for name in line.args)
        return dependencies(line, at[1], at[2], shapes)

    def _printed_below(self, entry: Entry) -> list[Entry]:
        if entry in self.now or entry[0] not in self.lines:
            return [entry]
        below = self._used(self.lines[entry[0]][0], entry)
        return [deeper for each in below for deeper in self._printed_below(each)]

    def _follows_a_change(self, entry: Entry) -> bool:
        """Whether an entry that is printed nowhere is computed from a number that is put right."""
        return any(below in self.then for below in self._printed_below(entry))

    def _exact(self, entry: Entry) -> Exact:
        return self.report.derivation[entry[0]][entry[1], entry[2]]

    def _seen(self, entry: Entry) -> Exact:
        """What follows for an entry from the numbers printed before it, wrong ones included."""
        seen = self.report.seen.get(entry[0])
        return self._exact(entry) if seen is None else seen[entry[1], entry[2]]

    def _shows(self, operand: Operand, entry: Entry) -> bool:
        """Whether an operand is the printed or the given number of an entry, but for its sign."""
        numeral = read_numeral(operand.text)
        if entry in self.now:
            return abs(self.now[entry].value) == abs(numeral.value)
        return _may_be(numeral, self._exact(entry)) or _may_be(numeral, self._seen(entry), HIDDEN)

    def _new(self, operand: Operand, entry: Entry, mistaken: bool, subtracted: bool) -> str | None:
        """What the operand should show, or None where it may stay as it is."""
        numeral = read_numeral(operand.text)
        printed = self.now.get(entry)
        if printed is not None and abs(printed.value) == abs(numeral.value):
            new = spelled(self._exact(entry), numeral) if entry in self.then else None
            return None if new is None else _signed(new, numeral, printed, subtracted)
        moved = printed is None and self.whole and self._follows_a_change(entry)
        if moved and not _may_be(numeral, self._exact(entry)):
            was, new = spelled(self._seen(entry), numeral), spelled(self._exact(entry), numeral)
            if was is not None and new is not None and _may_be(numeral, self._seen(entry), HIDDEN):
                return _signed(new, numeral, read_numeral(was), subtracted)
        if not mistaken:
            return None
        if printed is not None:
            then = read_numeral(self.then.get(entry, printed.text))
            same = _may_be(numeral, Exact.of(then.value))
            return None if same else _signed(then.text.strip(), numeral, then, subtracted)
        if _may_be(numeral, self._exact(entry)):
            return None
        text = spelled(self._exact(entry), numeral)
        if text is None or (text.startswith("-") and not operand.text.startswith("-")):
            return None
        return text


def _as_operand(x: Exact, operand: Operand, least: int) -> str | None:
    """A value in place of an operand, of `least` decimals where it needs them; a minus only where one is."""
    like = read_numeral(operand.text)
    if least > like.places and not like.closed and "%" not in like.text:
        like = read_numeral(f"0.{'0' * least}")
    text = spelled(x, like)
    if text is not None and not operand.text.startswith("-"):
        text = text.removeprefix("-")
    exact = text is not None and x.rational is not None and abs(x.rational) == abs(read_numeral(text).value)
    if text is None or not least or not exact:
        return text
    return re.sub(r"(\.\d*?)0+$", r"\1", text).removesuffix(".")


def gives(work: str, then: Mapping[Operand, str], right: str) -> bool:
    """Whether a working gives a number once its operands are written anew.

    Its decimals may hide digits that were rounded, or cut off.
    """
    for operand, text in sorted(then.items(), key=lambda each: -each[0].column):
        start = operand.column - 1
        work = f"{work[:start]}{text}{work[start + len(operand.text) :]}"
    workings = (read_working(work, lambda text: "." in text, truncates=cuts) for cuts in (False, True))
    return any(each is not None and each.range.meets(*read_numeral(right).nearest()) for each in workings)


def _subtracted(work: str, operand: Operand) -> bool:
    """Whether the term of an operand is taken away: 4 in `2*3 - 1*4`."""
    before = re.sub(r"\([^()]*\)", "", work[: operand.column - 1])
    return re.search(r"-[^+\-]*$", before) is not None


def _may_be(numeral: Numeral, x: Exact, hidden: fmpq = NOTHING) -> bool:
    """Whether x, or minus x where the sign belongs to the working, rounds to the numeral.

    `hidden` is the share by which it may be off.
    """
    low, high = numeral.nearest()
    room = abs(numeral.value) * hidden
    try:
        return any(contains(low - room, high + room, each) for each in (x, -x))
    except SymattnError:
        return False


def _signed(new: str, operand: Numeral, printed: Numeral, subtracted: bool) -> str | None:
    """The new print with the sign that the working gives it: `- 0.5` for an entry of -0.5 stays positive.

    None where only the sign was printed wrongly and the working has it right.
    """
    if (operand.value < 0) == (printed.value < 0):
        return new
    if read_numeral(new).value == operand.value:
        return None
    if not subtracted:
        return new
    return new.removeprefix("-") if new.startswith("-") else f"-{new}"
