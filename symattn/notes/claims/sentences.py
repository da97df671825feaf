"""Sentences that can be decided: rows that sum to 1, who attends most to whom, shapes.

Their forms are data of the languages (`words.*.toml`). A sentence is taken where one example alone has the
quantity or the tokens that it names; the auditor decides whether it is true (`auditor/statements.py`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from symattn.attention.case import Case, Place, Statement
from symattn.exact.shapes import Shape
from symattn.notes.claims.names import quantity
from symattn.notes.claims.numerals import shape_of
from symattn.notes.names.vocabulary import vocabulary
from symattn.notes.reader import Understood

WEIGHTS: Final = "A"
"""The quantity of a sentence about rows that names none."""
LONGEST: Final = 2000
"""The most characters of a line that is looked at."""
_MARKS: Final = r"[\s\"'“”‘’「」`*$]{0,4}"
"""Quotes and emphasis around a word, and blanks."""
_FACTOR: Final = r"(?<![A-Z})·*×@+] )(?<!times )(?<!cdot )(?<![A-Za-z_^})·*×@+])"
"""Nothing before a name that it is multiplied by."""
_NAME: Final = _FACTOR + r"(?P<name>[A-Z](?:_\{?[A-Z]\}?)?)(?![A-Za-z_^'])"
_SHAPE: Final = (
    r"\(?(?P<rows>\d{1,4})\s?(?:×|x|\\times)\s?(?P<columns>\d{1,4})\)?(?!\.?\d|\s?(?:[×=^]|\\times))"
)
_MORE: Final = r"(?!\s?(?:,|，|、|/|&|(?:and|or|und|et|y|e|и|và)\b|和|与))"
"""Nothing that goes on with a second token."""


class _Example(Struct, frozen=True):
    """A case with the shapes of its matrices; `square` where it computes weights of each token for each."""

    at: int
    shapes: Mapping[str, Shape]
    tokens: tuple[str, ...]
    computed: frozenset[str]

    @property
    def square(self) -> bool:
        n = len(self.tokens)
        return n > 1 and WEIGHTS in self.computed and self.shapes[WEIGHTS] == (n, n)


def with_statements(cases: Sequence[Case], understood: Understood) -> tuple[Case, ...]:
    """The cases, each with what the document says of it in words."""
    source = understood.program.source
    examples = [_example(at, case) for at, case in enumerate(cases)]
    called = _called(examples, understood)
    tokens = frozenset(token for each in examples if each.square for token in each.tokens)
    found: dict[int, list[Statement]] = {}
    start = 0
    for line in source.text.split("\n") if cases else ():
        for match, rule in _matches(line, tokens) if len(line) <= LONGEST else ():
            place = Place(source.lines[start + match.start()], source.columns[start + match.start()])
            for each in examples:
                said = rule(match, each)
                if said is not None and called[said.name] == {each.shapes[said.name]: 1}:
                    found.setdefault(each.at, []).append(replace(said, place=place))
        start += len(line) + 1
    return tuple(replace(case, statements=tuple(found.get(at, ()))) for at, case in enumerate(cases))


def _called(examples: Sequence[_Example], understood: Understood) -> Mapping[str, Mapping[Shape, int]]:
    """{name: {shape: how many matrices of the examples are called so}}, 0 for what is only printed."""
    found: defaultdict[str, Counter[Shape]] = defaultdict(Counter)
    for example in examples:
        for name, shape in example.shapes.items():
            found[name.partition(" (")[0]][shape] += 1
    for printed in understood.prints:
        known = quantity(printed.name) if printed.name and printed.node.shape else None
        if known is not None:
            found[known][shape_of(printed.node)] += 0
    return found


def _example(at: int, case: Case) -> _Example:
    shapes = {name: given.shape for name, given in case.given.items()}
    for line in case.program or ():
        shapes[line.name] = line.op.shape(*(shapes[arg] for arg in line.args))
    return _Example(at, shapes, case.tokens, frozenset(line.name for line in case.program or ()))


_Rule = Callable[[re.Match[str], _Example], Statement | None]


def _matches(line: str, tokens: frozenset[str]) -> Iterator[tuple[re.Match[str], _Rule]]:
    """The sentences on a line, each once; a question says nothing, and neither does what may be denied."""
    if "?" in line or "？" in line or _negations().search(line):
        return
    for kind, rule in _RULES.items():
        taken: list[re.Match[str]] = []
        for form in _forms(kind, tokens if kind == "attends_most" else frozenset()):
            for match in form.finditer(line):
                if all(match.start() >= other.end() or match.end() <= other.start() for other in taken):
                    yield match, rule
                    taken.append(match)


@cache
def _negations() -> re.Pattern[str]:
    """A word that denies something, in any language."""
    words = (_word(word) for word in vocabulary().sentences["negations"])
    return re.compile("|".join(words), re.IGNORECASE)


@lru_cache(maxsize=32)
def _forms(kind: str, tokens: frozenset[str]) -> tuple[re.Pattern[str], ...]:
    """The forms of a kind of sentence; without tokens there is none about them."""
    if kind == "attends_most" and not tokens:
        return ()
    slots = {"{name}": _NAME, "{shape}": _SHAPE}
    slots |= {"{row}": _one_of("row", tokens), "{key}": f"{_one_of('key', tokens)}{_MARKS}{_MORE}"}
    longest_first = sorted(vocabulary().sentences[kind], key=len, reverse=True)
    return tuple(re.compile(_pattern(form, slots)) for form in longest_first)


def _pattern(form: str, slots: Mapping[str, str]) -> str:
    parts = re.split(r"(\{\w+\})", form)
    said = [
        f"{_MARKS}{slots[part]}{_MARKS}"
        if part in slots
        else f"(?i:{re.escape(part.strip())})".replace(r"\ ", r"\s?")
        for part in parts
        if part
    ]
    return "".join(said) + ("" if parts[-1] == "" else r"(?![\d.]*\d)")


def _one_of(slot: str, tokens: frozenset[str]) -> str:
    words = map(_word, sorted(tokens, key=lambda token: (-len(token), token)))
    return f"(?P<{slot}>(?i:{'|'.join(words)}))"


def _word(word: str) -> str:
    """A word as a pattern: whole, where its letters are written with blanks between words."""
    spaced = word[0] < "\u2e80" and word[0].isalpha() and "'" not in word
    return rf"(?<!\w){re.escape(word)}(?!\w)" if spaced else re.escape(word)


def _sums(match: re.Match[str], example: _Example) -> Statement | None:
    name = quantity(_letters(match)) if "name" in match.re.groupindex else WEIGHTS
    return Statement("sums-to-one", name) if name is not None and name in example.computed else None


def _most(match: re.Match[str], example: _Example) -> Statement | None:
    row, key = match["row"].lower(), match["key"].lower()
    if not example.square or row not in example.tokens or key not in example.tokens:
        return None
    return Statement("argmax", WEIGHTS, (key,), example.tokens.index(row))


def _shape(match: re.Match[str], example: _Example) -> Statement | None:
    """A shape that has a size in common with the matrix; another one is about another model."""
    name = quantity(_letters(match))
    said, actual = (int(match["rows"]), int(match["columns"])), example.shapes.get(name or "")
    if name is None or actual is None or not set(said) & set(actual):
        return None
    return Statement("shape", name, tuple(map(str, said)))


def _letters(match: re.Match[str]) -> str:
    return match["name"].lower().replace("{", "").replace("}", "")


_RULES: Final[Mapping[str, _Rule]] = MappingProxyType(
    {"sums_to_one": _sums, "attends_most": _most, "shape": _shape}
)
