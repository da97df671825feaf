"""What the exercises of each level give and ask; the numbers are drawn until the answers are tidy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from msgspec import Struct, field

from symattn.text.bilingual import Bilingual

Rows = list[list[str]]


class Recipe(Struct, frozen=True):
    """The `[given]` and `[attention]` tables of a case, and the quantities that are asked for, in order."""

    title: Bilingual
    given: Mapping[str, Rows]
    blanks: tuple[str, ...]
    attention: Mapping[str, object] = field(default_factory=dict)


Draw = Callable[[Random], Recipe]
"""Draws one exercise of a level."""


def _matrix(random: Random, rows: int, cols: int, most: int = 2) -> Rows:
    """Small whole numbers, (rows, cols)."""
    return [[str(random.randint(-1, most)) for _ in range(cols)] for _ in range(rows)]


def _one_of(random: Random, *choices: str) -> str:
    return choices[random.randrange(len(choices))]


def _base(random: Random) -> str:
    """A base in which whole scores have rational weights."""
    return _one_of(random, "2", "3")


def _one_product(random: Random) -> Recipe:
    """One query q (1, 2) and two keys, the second of which is zero: one dot product is left."""
    key = [*_matrix(random, 1, 2, 3), ["0", "0"]]
    given = {"Q": _matrix(random, 1, 2, 3), "K": key}
    return Recipe(
        Bilingual("one dot product and its softmax", "一个点积及其 softmax"),
        given,
        ("scores", "A"),
        {"scale": "1", "base": _base(random)},
    )


def _one_query(random: Random) -> Recipe:
    """One query (1, 4) over three keys (3, 4), whose scores are divided by √4 = 2."""
    given = {
        "Q": _matrix(random, 1, 4),
        "K": _matrix(random, 3, 4),
        "V": _matrix(random, 3, 2, 4),
    }
    return Recipe(
        Bilingual("one query over three keys", "一个查询与三个键"),
        given,
        ("scores", "scaled", "A", "Z"),
        {"base": _base(random)},
    )


def _head(random: Random) -> Recipe:
    """X (2, 2), projected to queries and keys (2, 4) and values (2, 2)."""
    given = {
        "X": _matrix(random, 2, 2),
        "W_Q": _matrix(random, 2, 4),
        "W_K": _matrix(random, 2, 4),
        "W_V": _matrix(random, 2, 2, 3),
    }
    return Recipe(
        Bilingual("a whole head", "一个完整的头"),
        given,
        ("Q", "K", "V", "scores", "scaled", "A", "Z"),
        {"base": _base(random)},
    )


def _masked(random: Random) -> Recipe:
    """Three tokens under a causal mask, in half of the exercises with a bias by distance too (ALiBi)."""
    given = {
        "Q": _matrix(random, 3, 2),
        "K": _matrix(random, 3, 2),
        "V": _matrix(random, 3, 2, 3),
    }
    attention: dict[str, object] = {"scale": "1", "base": _base(random), "mask": "causal"}
    if random.randrange(2):
        attention |= {"positions": "alibi", "slopes": [[1]]}
        title = Bilingual("a mask and positions", "掩码与位置")
        return Recipe(title, given, ("scores", "biased", "A", "Z"), attention)
    return Recipe(Bilingual("a mask", "掩码"), given, ("scores", "A", "Z"), attention)


def _two_heads(random: Random) -> Recipe:
    """Q, K, V (2, 4) shared out to two heads, and W_O (4, 2)."""
    given = {name: _matrix(random, 2, 4) for name in ("Q", "K", "V")} | {"W_O": _matrix(random, 4, 2, 1)}
    heads = tuple(f"head{h}.{name}" for h in (1, 2) for name in ("scores", "A", "Z"))
    return Recipe(
        Bilingual("two heads and W_O", "两个头与 W_O"),
        given,
        (*heads, "output"),
        {"scale": "1", "base": _base(random), "heads": 2},
    )


def _backward(random: Random) -> Recipe:
    """Scores (2, 3) that are logarithms, so that weights to the base e are rational, and dZ (2, 2)."""
    logarithms = [[_one_of(random, "0", "log(2)", "log(3)", "log(4)") for _ in range(3)] for _ in range(2)]
    given = {"scores": logarithms, "V": _matrix(random, 3, 2, 3), "dZ": _matrix(random, 2, 2)}
    return Recipe(
        Bilingual("a backward step", "反向一步"), given, ("A", "Z", "dV", "dA", "dscaled"), {"scale": "1"}
    )


def _last(random: Random) -> Recipe:
    return (_two_heads, _backward)[random.randrange(2)](random)


LEVELS: Mapping[int, Draw] = MappingProxyType(
    {1: _one_product, 2: _one_query, 3: _head, 4: _masked, 5: _last}
)
