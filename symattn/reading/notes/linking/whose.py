"""The words that vectors are said to be of: beside them, above them, in their indices, in tables."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import lines_of
from symattn.reading.notes.formulas.formula import Chain, Name, Node, Row, grid_of
from symattn.reading.notes.formulas.names import RUNNING, USUAL, VECTORS, Ref, quantity, resolve
from symattn.reading.notes.formulas.words import alias

TOKEN = r"(?:[\[<]\w{1,20}[\]>]|[^\"”“」»\n\d,=、，]{1,24}?)"
"""What may be a token in quotes; one with digits stands in brackets of its own: `[PAD1]`."""
_HEAD = re.compile(
    r"[\W_]*(?:(?:for|token|word|对于|对|词|单词)[\W_]+)?([^\W\d_]{1,16})"
    r"(?:的? ?(?:token|词|向量|[QKV、, ]+))?[\W_]*",
    re.I,
)
_OWN_HEAD = re.compile(r"[\W_]*([^\W\d_]{1,16})[*_`\"”」]*[:：]")
HIGHEST = 12
"""How many lines above a vector the word that it belongs to may stand."""
_LINED = re.compile(
    r"^[ >]*(?:[-*+•] +|\d{1,2}[.)] +)?[*_`\"'“‘「]*(?P<word>[^\W\d_](?:[\w'’-]{0,20}\w)?)[*_`\"'”’」]*"
    r"[ *_]*(?:(?:::?|：|→|->|=>|↦|—)[*_`]* *"
    r"(?:(?:[qQxX]_?\d?|query|embedding|查询(?:向量)?|クエリ|쿼리) ?[:=为是]? ?)?"
    r"|(?<=  )[QqXx] ?[:=]? ?|(?<= )[qx] ?[:=] ?)"
    r"[*_`$]*[\[(] ?-?\d",
    re.MULTILINE,
)
"""A line that a word begins and a vector follows: `- cat: [1, 0]`, `cat → q = (1, 0)`."""
_OF = re.compile(
    r"\b(?P<what>embedding|vector|query|key|value|output|score|weights)(?: vector)?s? (?:for|of) "
    r"[*_]*[\"'“‘]?(?P<word>[^\W\d_](?:[\w'’-]{0,20}\w)?)[\"'”’]?[*_]* *(?:is|are|[:=→])",
    re.IGNORECASE,
)
"""`the query for cat is`, `Key of "sat":`."""
_OF_CHINESE = re.compile(
    rf"[\"“「'‘](?P<word>{TOKEN})[\"”」'’]的 ?(?P<what>[^\W\d]{{1,6}}?)(?:向量)? ?[为是:=：]"
)
"""`“猫”的输出 =`."""
_IN_BRACKETS = re.compile(r"[$*_ ]{0,4}[(（][\"“「]?([^\W\d_]{1,16})[\"”」]?[)）]")
_OF_WORDS = re.compile(
    r"^ *\|[ *`]*(?:tokens?|words?|词[语元汇]?|单词|字|トークン|単語|토큰|단어|wort|mot|palabra|слово)[ *`]*"
    r"\|.*\n *\|[-: |]+\n(?P<rows>(?: *\|[ *`\"]*[^\W\d]\w*[ *`\"]*\| *[\[(].*\n?)+)",
    re.MULTILINE | re.IGNORECASE,
)
"""A table whose rows begin with tokens and vectors of them."""
_FIRST = re.compile(r"^ *\|[ *`\"]*([^\W\d]\w*)", re.MULTILINE)


def subscripts(items: Sequence[Item]) -> tuple[str, ...]:
    """The words in `q_cat`, `q_sat` and `Q("cat")`: what two of x, q, k, v have alike, and no matrix."""
    plain = USUAL
    found: dict[str, list[str]] = {}
    for item in items:
        if not isinstance(item.node, Chain) or _has_rows(item.node.members[-1]):
            continue
        name = item.node.members[0]
        if isinstance(name, Name) and (whose := _whose(name)):
            letter = name.text.split("_")[0]
            ref = resolve(replace(name, text=letter, subs=(), aside=""), plain)
            of = ref.name if ref is not None else quantity(letter)
            if of in VECTORS:
                seen = found.setdefault(of, [])
                seen += [whose] if whose not in seen else []
    most = max(found.values(), key=len, default=[])
    others = [words for words in found.values() if words is not most]
    alone = not others and most is found.get("X")
    agreed = alone or any(set(words) <= set(most) for words in others)
    return tuple(most) if len(most) > 1 and agreed else ()


def headed(text: str, items: Sequence[Item]) -> tuple[str, ...]:
    """The words of `**cat:**` and `For dog:`, lines under which each quantity is given as a vector."""
    plain, starts = USUAL, lines_of(text)
    lines = text.split("\n") if items else []
    found: dict[str, list[str]] = {}
    for item in items:
        match item.node:
            case Chain(members=(Name() as name, *_, Row() as row)) if grid_of(row) is None:
                ref = resolve(name, plain)
                if ref is not None and ref == Ref(ref.name) and ref.name in VECTORS:
                    head = _head(lines, bisect_right(starts, name.start) - 1)
                    found.setdefault(ref.name, []).append(head)
    most = max(found.values(), key=len, default=[])
    alike = all(words == most[: len(words)] for words in found.values())
    return tuple(most) if len(most) == len({*most} - {""}) > 1 and len(found) > 1 and alike else ()


def bracketed(text: str, items: Sequence[Item]) -> tuple[str, ...]:
    """The words in brackets behind all numbered inputs, `x_1 = (1, 0) (cat), x_2 = (0, 1) (dog)`."""
    found: dict[int, str] = {}
    for item in items:
        match item.node:
            case Chain(members=(Name() as name, Row() as row)) if grid_of(row) is None:
                ref = resolve(name, USUAL)
                if ref is not None and ref.name == "X" and ref.row == len(found):
                    word = _IN_BRACKETS.match(text, row.end)
                    found[ref.row] = word[1] if word is not None and alias(word[1]) is None else ""
    return tuple(found.values()) if len(found) > 1 and len({*found.values()} - {""}) == len(found) else ()


def _head(lines: Sequence[str], line: int) -> str:
    """The word that a line begins with, `- cat: q = [1, 0]`, or that is all of the next without numbers."""
    own = _OWN_HEAD.match(lines[line])
    if own is not None and alias(own[1]) is None and resolve(Name(own[1])) is None:
        return own[1]
    above = (said for said in reversed(lines[max(line - HIGHEST, 0) : line]) if said.strip())
    said = next((said for said in above if not any(c.isdigit() or c == "=" for c in said)), "")
    word = _HEAD.fullmatch(said)
    return word[1] if word is not None and alias(word[1]) is None else ""


def _whose(name: Name) -> str:
    """The one word beside a letter: of `Q("cat")`, `q_{cat}` or, in code, `q_cat`."""
    letter, *words = name.text.split("_")
    words += name.subs
    word = name.aside or (words[0] if len(words) == 1 and len(letter) == 1 else "")
    return "" if word in RUNNING or word.isdigit() else word


def tabled(text: str) -> tuple[str, ...]:
    """The words of the first column of a table of vectors, whose head says that they are tokens."""
    table = _OF_WORDS.search(text)
    return tuple(_FIRST.findall(table["rows"])) if table is not None else ()


def lined(text: str) -> tuple[str, ...]:
    """The words at the beginning of the first lines that go on with a vector each."""
    words: list[str] = []
    end = None
    for found in _LINED.finditer(text):
        if end is not None and text.count("\n", end, found.start()) > 2:
            break
        word, end = found["word"], found.end()
        if resolve(Name(word)) is not None or word in words:
            break
        words.append(word)
    return tuple(words)


def owners(text: str) -> tuple[str, ...]:
    """The words that one kind of vector is said to be of, in their order."""
    found: dict[str, list[str]] = {}
    for said in chain(_OF.finditer(text), _OF_CHINESE.finditer(text)):
        words = found.setdefault(said["what"].lower(), [])
        words += [said["word"]] if said["word"] not in words else []
    most = max(found.values(), key=len, default=[])
    return tuple(most) if all(resolve(Name(word)) is None for word in most) else ()


def _has_rows(node: Node) -> bool:
    grid = grid_of(node)
    return grid is not None and len(grid.rows) > 1
