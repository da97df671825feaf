"""How quantities are called: words of several languages, letters, indices, functions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from symattn.notes.names.vocabulary import vocabulary

Letter = tuple[str, tuple[str, ...]]
"""A base and its index: ("w", ("q",))."""

_COMPUTED = "softmax exp sqrt sin cos tanh relu sigmoid log sum mean max concat norm layernorm"
_NOT_COMPUTED = ["gelu", "var", "std", "softplus", "tan", "rope", "σ", "Σ"]
_MAKERS = ["eye", "zeros", "ones", "rand", "randn", "randint", "full"]
"""Functions of array libraries that make a matrix of sizes alone."""
FUNCTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {name: name for name in _COMPUTED.split()}
    | {"ln": "log"}
    | dict.fromkeys(_NOT_COMPUTED + _MAKERS, "unknown")
)
"""{what a function is called: the operation}; `unknown` for a function that nobody here can compute."""

_PRODUCT = re.compile(r"[QKVXAWSPZEHRBY]{2,3}$")
_WEIGHT = re.compile(r"([XEHAxzZ]?)([Ww])[_]?([qkvoQKVO])$")


def function(word: str) -> str | None:
    """The operation that a word names, or None."""
    return FUNCTIONS.get(word.lower() if len(word) > 1 else word)


@lru_cache(maxsize=1 << 12)
def letters(word: str) -> tuple[Letter, ...]:
    """What a word names: several quantities for a product such as QK, which is written without a sign."""
    found = _WEIGHT.match(word)
    if found:
        factor: tuple[Letter, ...] = ((found[1].lower(), ()),) if found[1] else ()
        return (*factor, ("w", (found[3].lower(),)))
    if _PRODUCT.match(word) and word != "PE":
        return tuple((letter.lower(), ()) for letter in word)
    base = vocabulary().quantities.get(word.lower())
    if base is None and word and not word[0].isascii():
        base = _at_end(word)
    return ((base or word.lower(), ()),)


def _at_end(word: str) -> str | None:
    """The quantity that a word without blanks ends in: `所以权重` is about weights."""
    known = vocabulary().quantities
    first = max(1, len(word) - _longest())
    return next((known[word[i:]] for i in range(first, len(word) - 1) if word[i:] in known), None)


@cache
def _longest() -> int:
    return max(map(len, vocabulary().quantities))


def speaks_of_scores(word: str) -> bool:
    """Whether a word is about scores, scaled or not."""
    lower = word.lower()
    return letters(word)[0][0] in ("s", "scaled") or any(
        part in lower for part in vocabulary().speak_of_scores
    )


def is_quantity(word: str) -> bool:
    """Whether a word or letter is what a quantity is called."""
    base = letters(word)[0][0]
    return (len(base) == 1 and base.isascii() and base.isalpha()) or base in vocabulary().quantities.values()


def is_copula(word: str) -> bool:
    """Whether a word means `is`."""
    return word.lower() in vocabulary().copulas


def is_head(word: str) -> bool:
    """Whether a word is a head of attention."""
    return word.lower() in vocabulary().heads


def is_size(word: str) -> bool:
    """Whether a word announces a shape."""
    return word.lower() in vocabulary().sizes


def stem(word: str) -> str:
    """A word without the copula at its end, in a language without blanks: `权重是` names the weights."""
    return next((word[: -len(c)] for c in _unspaced_copulas() if word.endswith(c)), word)


@cache
def _unspaced_copulas() -> tuple[str, ...]:
    found = (c for c in vocabulary().copulas if c[0] >= "\u2e80")
    return tuple(sorted(found, key=len, reverse=True))


def indices(index: Sequence[str]) -> tuple[str, ...]:
    """Row and column: the 11 of s_11 are two indices."""
    two = len(index) == 1 and len(index[0]) == 2 and index[0].isdigit()
    return tuple(index[0] if two else index)


def row_index(index: str) -> int | None:
    """The number of a row that an index counts, or None for letters and words, which are labels."""
    return int(index) if index.isascii() and index.isdigit() and len(index) < 3 else None
