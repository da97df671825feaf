"""Equations that stand outside every pipeline; `symattn.auditor.judging.equations` judges them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from symattn.case import Place
from symattn.reading.notes.formulas.formula import Binary, Call, Chain, Negate, Node, Num, numerals, walk
from symattn.reading.notes.formulas.works import entries, is_literal, spell
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.linking.amounts import amount
from symattn.reading.notes.linking.apart import FAR
from symattn.reading.notes.linking.closeness import is_rounded
from symattn.reading.notes.linking.moments import comes_to
from symattn.reading.notes.result import Equation

LONGEST_WORK = 400
EQUAL = 0.005
"""How much of a quotient two ways of writing it may differ by."""
_IN_UNITS = re.compile(
    r"(?:,|\{,\})\d{3}(?!\d)|[*_`~$ ]{0,4}(?:\\(?:text|mathrm|,|;| )[ {]*)*"
    r"(?:(?:[kKMBGTP]i?[bB]|[KMGTP]?FLOP[Ss]?)(?![A-Za-z_\d^])|[kKMBGTP](?![A-Za-z_\d^(])"
    r"|(?:[KkMmGgTt](?:ilo|ega|iga|era)bytes?|hundred|thousand|million|billion|trillion"
    r"|millones|milhões|Millionen|Milliarden|millions?)\b|[万亿千兆億萬])"
)
"""Behind a number: what makes it another one than it seems, its unit or its thousands: `16.8M`, 0.13 亿."""
_CODE = re.compile(r"-?0\d")
"""How addresses, codes and dates begin, and no number that was worked out or with: `0000020:`, 05."""
LONGEST_HEAD = 8
_WITHIN = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,|\{,\})$")
_LAST = re.compile(r"\d{3}(?!\d)")
"""What of 12,288 stands before its comma, and what behind it."""
_ASKED = re.compile(r"[*_`$ ]{0,4}[?？]")
"""Behind a number that is asked for, and not claimed: `72 + (98 - 72) = 104? No.`"""
_MARKER = re.compile(r"\d{1,2}[.)、] *[^\W\d]")
_SIZE = re.compile(r"\d+(?: ?\* ?\d+)+")
_PART = re.compile(r"(\d{1,9}) ?/ ?(\d{1,9})")
_WHOLE_SUM = re.compile(r"\d+(?: ?[-+] ?\d+)+")
_LOWERED = re.compile(r"[1-9]\d*[23]")
"""A whole number that may be one with its exponent, which a copy left on the line: 163 for 16³."""


def equations(
    node: Node, broken: bool, context: Context, rounded: frozenset[str]
) -> Iterator[tuple[Num, Equation]]:
    """Every printed number of a chain beside the working before it, entry by entry and term by term."""
    if not isinstance(node, Chain):
        return
    members = node.members[1:] if broken else node.members
    relations = node.relations[1:] if broken else node.relations
    work = entries(members[0])
    for relation, after in zip(relations, members[1:], strict=False):
        if work is None and after is members[-1]:
            break
        printed = entries(after)
        known, work = work, work if printed is not None and relation != "→" and is_literal(after) else printed
        if relation == ":" or known is None or printed is None or _shape(known) != _shape(printed):
            continue
        for cell, result in zip(chain(*known), chain(*printed), strict=True):
            for written, num in _worked(cell, result):
                worked, said = written, _spelled(written)
                if said is not None and (lifted := _lifted(written, num)) is not written:
                    worked, said = lifted, _spelled(lifted)
                if said is None or _is_of_another(worked, context):
                    continue
                if _is_printed(num, context) and _is_claimed(said, num, relation):
                    place, *operands = (Place(*context.place(n.start)) for n in (num, *numerals(worked)))
                    yield num, Equation(said, num.text, relation, place, rounded, tuple(operands))


def made_of(work: Node, num: Num, context: Context) -> Equation | None:
    """A printed number beside a working that stands elsewhere, None where that is too long.

    An operand that is printed nowhere, as the number of terms of a mean, stands in line 0.
    """
    said = _spelled(work)
    if said is None or not _is_printed(num, context):
        return None
    operands = (Place(*context.place(n.start)) if n.end else Place(0, 0) for n in numerals(work))
    place = Place(*context.place(num.start))
    return Equation(said, num.text, "=", place, work_places=tuple(operands))


def _is_of_another(work: Node, context: Context) -> bool:
    """Whether a working begins within a number, `288 / 96` of `12,288 / 96`, or is a date: 2024-05-01."""
    nums = list(numerals(work))
    if any(_CODE.match(num.text) for num in nums):
        return True
    begin = nums[0].start if nums else 0
    within = _WITHIN.search(context.text[max(begin - LONGEST_HEAD, 0) : begin])
    return within is not None and _LAST.match(nums[0].text) is not None


def _is_printed(num: Num, context: Context) -> bool:
    """Whether a number may be what a working comes to: not infinity, no code, not asked for, in no unit."""
    counted = "inf" not in num.text and not _CODE.match(num.text) and not _is_marker(num, context)
    return counted and not any(behind.match(context.text, num.end) for behind in (_IN_UNITS, _ASKED))


def _is_marker(num: Num, context: Context) -> bool:
    """Whether a number only counts the line that it begins: `4. Then we add`."""
    begin = context.text.rfind("\n", 0, num.start) + 1
    return (
        not context.text[begin : num.start].strip(" >") and _MARKER.match(context.text, num.start) is not None
    )


def _is_claimed(work: str, num: Num, relation: str) -> bool:
    """Whether a number is put down as what a working comes to.

    `7×7 → 16 windows` are a size and what it leads to, and `0 + 1 = 75%` are the shares of two classes; to
    `999/1000 = 99.9` no more than the sign is wanting.
    """
    shares = num.text.endswith("%") and _WHOLE_SUM.fullmatch(work)
    part = _PART.fullmatch(work)
    percent = part is not None and int(part[2]) and is_rounded(num, 100 * int(part[1]) / int(part[2]))
    return not shares and not percent and not (relation == "→" and _SIZE.fullmatch(work))


def _lifted(work: Node, num: Num) -> Node:
    """A working, with exponents that a copy left on the line where it comes to the number by these."""
    if comes_to(num, work):
        return work
    lifted = _with_powers(work)
    return lifted if lifted != work and comes_to(num, lifted) else work


def _with_powers(node: Node) -> Node:
    match node:
        case Num(text=text, start=start, end=end) if _LOWERED.fullmatch(text):
            return Binary("^", Num(text[:-1], start, end - 1), Num(text[-1], end - 1, end))
        case Binary(op=op, left=left, right=right):
            return Binary(op, _with_powers(left), _with_powers(right))
        case Negate(of=inner):
            return Negate(_with_powers(inner))
        case Call(function=function, argument=argument):
            return Call(function, _with_powers(argument))
    return node


def worked_out(node: Node) -> int:
    """How many numbers at the end of a chain the working before them comes to, entry by entry."""
    if not isinstance(node, Chain) or is_literal(node.members[-2]):
        return 0
    works, results = (entries(member) for member in node.members[-2:])
    if works is None or results is None or [*map(len, works)] != [*map(len, results)]:
        return 0
    pairs = zip(chain(*works), chain(*results), strict=True)
    return sum(isinstance(num, Num) and comes_to(num, work) for work, num in pairs)


def _spelled(work: Node) -> str | None:
    """A working in the expression language of a case, None where it says something else or too much."""
    if next(islice(walk(work), LONGEST_WORK, None), None) is not None:
        return None  # each operation is written with a sign, and the sum of a softmax is in all its weights
    said = spell(work)
    return said if len(said) <= LONGEST_WORK and "?" not in said else None


def _shape(table: tuple[tuple[Node, ...], ...]) -> tuple[int, int]:
    return len(table), len(table[0])


def _worked(cell: Node, result: Node) -> Iterator[tuple[Node, Num]]:
    """`2*3 - 4*5` works out -14, each term of 6 - 20, both sides of a quotient, and what a sine is of.

    Infinity, which hides a score, is worked out from nothing.
    """
    match cell, result:
        case Num(), _:
            return
        case _, Num(text=text) if not text.endswith("inf"):
            yield cell, result
        case Call(function=f, argument=a), Call(function=g, argument=b) if f == g:
            yield from _worked(a, b)
        case Binary(op="/", left=over), Binary(op="/") if _is_reduced(cell, over, result):
            return
        case Binary(op="/", left=a, right=b), Binary(op="/", left=c, right=d):
            yield from _worked(a, c)
            yield from _worked(b, d)
        case Binary(op="+" | "-" as sign, left=a, right=b), Binary(op="+" | "-" as op, left=c, right=d):
            works, results = list(_terms(cell)), list(_terms(result))
            if _goes_on(works, results):
                return
            if len(works) == len(results):
                for (minus, work), (less, term) in zip(works, results, strict=True):
                    yield from _worked(work if minus == less else Negate(work), term)
            elif sign == op:
                yield from _worked(a, c)
                yield from _worked(b, d)


def _is_reduced(quotient: Node, over: Node, fraction: Node) -> bool:
    """Whether a fraction is what a quotient comes to, and not term by term: `e/(e + e + e) = 1/3`.

    `over` stands above the line of the quotient.
    """
    before, after = amount(quotient), amount(fraction)
    above, printed = amount(over), amount(fraction.left) if isinstance(fraction, Binary) else None
    if before is None or after is None or above is None or printed is None:
        return False
    return math.isclose(before, after, rel_tol=EQUAL) and not math.isclose(above, printed, rel_tol=FAR)


def _goes_on(works: Sequence[tuple[bool, Node]], results: Sequence[tuple[bool, Node]]) -> bool:
    """Whether a sum begins anew to be added up bit by bit: `1 + 2 + 3 = 1 + 2 = 3 + 3 = 6`."""
    return len(results) < len(works) and all(
        less == minus and isinstance(term, Num) and isinstance(work, Num) and term.text == work.text
        for (minus, work), (less, term) in zip(works, results, strict=False)
    )


def _terms(node: Node, minus: bool = False) -> Iterator[tuple[bool, Node]]:
    """The terms of a sum, each with whether it is subtracted."""
    match node:
        case Binary(op="+" | "-" as sign, left=left, right=right):
            yield from _terms(left, minus)
            yield minus != (sign == "-"), right
        case _:
            yield minus, node
