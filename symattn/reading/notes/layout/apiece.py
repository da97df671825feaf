"""Numbers told token by token in a sentence: `cat 0.2, dog 0.8`, `20% for cat and 80% for dog`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Num, Row
from symattn.reading.notes.formulas.names import Bases
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.sentences import last_clause

_NUMBER = r"[`$]?(?P<number>[-−]?(?:\d+(?:\.\d+)?|\.\d+)(?: ?\\?%)?)(?![\d.]*\d)[`$]?"
_LINK = r" ?(?:[=:≈(]|is|gets|为|是|占)? ?"
_BEHIND = rf"(?:[与对和跟同] ?)?{{token}}{_LINK}{_NUMBER}\)?"
"""`cat 0.2`, `cat: 0.2`, `cat (0.2)`, `与猫：0.2`."""
_TO = r" ?(?:for|on|to|from|给|在)? ?(?:the (?:word |token )?)?"
_BEFORE = rf"{_NUMBER}{_TO}{{token}}"
"""`20% for cat`."""
_JOINT = re.compile(r" ?(?:[,;，；、]|and|和|与)(?: ?(?:and|和))? ?")
_DRESS = r"[\"“”'‘’「」*_`]{0,3}"


def with_amounts(found: Sequence[Item], context: Context, bases: Bases) -> list[Item]:
    """The items, with a list for each sentence that names a quantity and a number for every token in turn.

    What was read of such a sentence before is left out.
    """
    made = list(_lists(context, bases)) if len(set(context.tokens)) == len(context.tokens) > 1 else []
    if not made:
        return list(found)
    kept = [
        item for item in found if not any(each.start < item.end and item.start < each.end for each in made)
    ]
    return sorted([*kept, *made], key=lambda item: item.start)


def _lists(context: Context, bases: Bases) -> Iterator[Item]:
    for form in (_BEHIND, _BEFORE):
        at, (head, *others) = 0, context.tokens
        if _sign(form, head).search(context.text) is None:
            continue
        while (first := _way(form, head).search(context.text, at)) is not None:
            at = first.end()
            told = _in_turn(first, form, others, context.text)
            if told is not None:
                at = told[-1].end()
                numbers = tuple(_number(each) for each in told)
                start = first.start() if form is _BEHIND else numbers[0].start
                if named(last_clause(context.before(start)), bases) is not None:
                    yield Item(Row(numbers, start, at), start, at)


@lru_cache(64)
def _sign(form: str, token: str) -> re.Pattern[str]:
    """What is found wherever a token and its number are, and faster: most documents have none."""
    said = re.escape(token)
    behind, before = said + _DRESS + _LINK + r"[`$]?[-−]?[\d.]", r"[\d%][`$]?" + _TO + _DRESS + said
    return re.compile(behind if form is _BEHIND else before)


@lru_cache(64)
def _way(form: str, token: str) -> re.Pattern[str]:
    """What finds a token and its number, made where it is looked for: most documents need the first alone."""
    return re.compile(form.format(token=_said(token)))


def _said(token: str) -> str:
    """A token as words of a sentence have it."""
    edge = r"(?<![\w-]){}(?![\w-])" if token.isascii() else "{}"
    return _DRESS + edge.format(re.escape(token)) + _DRESS + "(?: itself| ?自[己身])?"


def _in_turn(first: re.Match[str], form: str, others: Sequence[str], text: str) -> list[re.Match[str]] | None:
    """What is told of every token, from the first on and with nothing else between them."""
    told = [first]
    for token in others:
        joint = _JOINT.match(text, told[-1].end())
        then = _way(form, token).match(text, joint.end()) if joint is not None else None
        if then is None:
            return None
        told.append(then)
    return told


def _number(told: re.Match[str]) -> Num:
    text = told["number"].replace("−", "-").replace(" ", "").replace("\\", "")
    return Num(text, *told.span("number"))
