"""The line of the cross-check: whether NumPy agrees, and how far it is from exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor, log10
from typing import TYPE_CHECKING

from symattn.checks.doubt import Doubt
from symattn.exact.forms.tree import spell_name
from symattn.narrate.names import symbol
from symattn.narrate.page import Page
from symattn.plans.plan import base_name
from symattn.text.document import Block, Maths, Prose, Remark
from symattn.text.notation import Dots, Formula, Number, Quotient, equation

if TYPE_CHECKING:
    from symattn.checks.crosscheck import CrossCheck, TextbookCheck

ULP = 2.0**-52
"""The largest part of a number that a unit in the last place of float64 can be."""
LONGEST_POINT = LONGEST_LIST = 4


def checked(page: Page, check: CrossCheck) -> Iterator[Block]:
    """One sentence; a warning where the computations disagree."""
    say = page.voice.say
    wrong: list[Prose] = [(Maths(_quantity(page, name)),) for name in check.wrong]
    label = str(say("check")[0])
    if wrong:
        yield Remark(label, page.voice.sentence(say("disagrees", names=page.voice.listed(wrong))), "warning")
        return
    compared = sum(step.doubt is None for step in check.steps)
    if compared == len(check.steps):
        parts = [say("agrees-one" if compared == 1 else "agrees")]
    else:
        parts = [say("agrees-some", steps=compared, all=len(check.steps))]
    if check.symbols:
        parts.append(say("at-point", values=_point(page, check)))
    largest = check.largest
    if largest is not None and largest.max_ulp:
        bound = Maths(Number(_above(largest.max_ulp * ULP)))
        parts.append(say("largest-error", bound=bound, name=Maths(_quantity(page, largest.name))))
    elif largest is not None:
        parts.append(say("no-error"))
    doubts = {step.name: step.doubt for step in check.steps if step.doubt is not None}
    parts += _uncompared(page, "not-compared", doubts)
    derived = {each.name: each.doubt for each in check.gradients if each.doubt is not None}
    if len(derived) < len(check.gradients):
        parts.append(say("gradients-checked-some" if derived else "gradients-checked"))
    more = {name: doubt for name, doubt in derived.items() if name not in doubts}
    parts += _uncompared(page, "no-derivative-compared", more)
    said = page.voice.sentence(*parts)
    if check.textbook is not None:
        gap = "" if page.voice.lang == "zh" else " "
        said = (*said, gap, *page.voice.sentence(_second(page, check.textbook)))
    yield Remark(label, said, "check")


def _above(x: float) -> str:
    """The next number above x with one digit and a power of ten, 4e-16."""
    power = floor(log10(x))
    digit = floor(x / 10.0**power) + 1
    return f"1e{power + 1}" if digit > 9 else f"{digit}e{power}"


def _second(page: Page, textbook: TextbookCheck) -> Prose:
    """What the second computation covers."""
    say = page.voice.say
    if textbook.not_understood:
        return say("second-foreign", keys=", ".join(textbook.not_understood))
    count = len(page.derivation.plan)
    covered = frozenset(textbook.covers)
    others = [line.name for line in page.derivation if line.name not in covered]
    if not others:
        return say("second-one" if count == 1 else "second-all")
    names: list[Prose] = [(Maths(_quantity(page, name)),) for name in others[:LONGEST_LIST]]
    few = len(others) == len(names)
    listed = page.voice.listed(names) if few else page.voice.beside([*names, (Maths(Dots()),)])
    return say("second-some", count=len(covered), steps=count, names=listed)


def _uncompared(page: Page, said: str, doubts: Mapping[str, Doubt]) -> Iterator[Prose]:
    """What was not compared, and why: what has one reason together."""
    alike: dict[Doubt, list[Prose]] = {}
    for name, doubt in doubts.items():
        alike.setdefault(doubt, []).append((Maths(_quantity(page, name)),))
    for doubt, names in alike.items():
        why = page.voice.say(doubt.phrase, name=Maths(_quantity(page, doubt.name)))
        yield page.voice.say(said, names=page.voice.listed(names), why=why)


def _quantity(page: Page, name: str) -> Formula:
    """The name of a step; the exponentials, which have none, as powers."""
    line = page.derivation.line(name)
    if line is not None and base_name(name) == "exp":
        return line.op.formula(*map(symbol, line.args))
    return symbol(name)


def _point(page: Page, check: CrossCheck) -> Prose:
    values: list[Prose] = []
    for name, value in list(check.symbols.items())[:LONGEST_POINT]:
        over, _, under = value.partition("/")
        number = Quotient(Number(over), Number(under), flat=True) if under else Number(over)
        values.append((Maths(equation(spell_name(name), number)),))
    if len(check.symbols) > LONGEST_POINT:
        values.append((Maths(Dots()),))
    return page.voice.beside(values)
