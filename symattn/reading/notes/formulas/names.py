"""Which quantity of attention a written name means, and which entry its subscripts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from symattn.immutable import immutable
from symattn.reading.notes.formulas.formula import Name
from symattn.reading.notes.formulas.words import alias


@immutable(frozen=True, slots=True)
class Ref:
    """A quantity of the walk, or a part of it: indices from 0. `key` is the summand of a weighted sum."""

    name: str
    row: int | None = None
    col: int | None = None
    key: int | None = None
    transposed: bool = False
    running: bool = False  # a subscript i or j that stands for every row


@immutable(frozen=True, slots=True)
class Bases:
    """The first index of subscripts (q_1) and of brackets (Q[0]) in a document, and its tokens."""

    subscript: int = 1
    bracket: int = 0
    position: int | None = None  # the first that an encoding is said to be of
    tokens: tuple[str, ...] = ()
    single: bool = False  # whether q without an index is the only query


USUAL = Bases()
"""Those of a document that says nothing else."""


_LETTERS: Mapping[str, str] = {
    **{letter: letter.upper() for letter in "xqkvzXQKVZ"},
    "A": "A",
    "S": "scores",
    "P": "A",
    "O": "Z",
    "T": "T",
    "τ": "T",
}
_ONLY_WITH_INDEX: Mapping[str, str] = {
    "a": "A",
    "α": "A",
    "α\u0302": "A",
    "a\u0302": "A",
    "s": "scores",
    "o": "Z",
    "p": "A",
    "w": "A",
    "score": "scores",
    "token": "X",
    "word": "X",
    "值": "V",
}
_CHANGED = frozenset("xqkvXQKV")
_WEIGHTS = re.compile(r"[Ww][_^]?\{?([QKVOqkvo])(?:uery|ey|alue|ut|utput)?\}?")
_BIAS = re.compile(r"b[_^]?([QKVOqkvo])")
_WITH_INDEX = re.compile(r"([^\W\d_]+?)_?(\d{1,3})")
_OF_ONE_QUERY = frozenset("xqz")
_OF_KEYS = frozenset({"scores", "scaled", "masked", "exp", "A"})
"""What a single query has one of for each key."""
_MASKS = frozenset({"mask", "masked", "causal"})
"""Indices of what a mask was applied to: `A_mask`."""
RUNNING = frozenset("ijmnt")
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O")
PROJECTIONS = frozenset(WEIGHTS) - {"W_O"}
BIASES = ("b_Q", "b_K", "b_V", "b_O")
WIDENING = ("W_1", "W_2")
ROWS = frozenset({*BIASES, "b_1", "b_2", "gamma_1", "beta_1", "gamma_2", "beta_2"})
"""Inputs of a single row."""
INPUTS = frozenset({"X", "memory", "past_K", "past_V", *WEIGHTS, *WIDENING, *ROWS})
VECTORS = frozenset({"X", "Q", "K", "V"})
"""What has a vector for each token before any attention."""
FACTORS: Mapping[str, tuple[str, str]] = {
    "Q": ("X", "W_Q"),
    "K": ("X", "W_K"),
    "V": ("X", "W_V"),
    "scores": ("Q", "K"),
    "Z": ("A", "V"),
    "output": ("Z", "W_O"),
}
"""What each product of the walk multiplies."""
_OF_LAYERS: Mapping[str, str] = {
    **{f"{letter}{mark}{k}": f"{letter}_{k}" for letter in "Wb" for mark in ("", "_") for k in (1, 2)},
    **{
        f"{written}{tail}": f"{name}_{tail[-1:] or 1}"
        for name, written in (("gamma", "γ"), ("beta", "β"), ("gamma", "gamma"), ("beta", "beta"))
        for tail in ("", "_1", "_2")
    },
}
"""The inputs of what follows attention in a layer, as they are written."""


def quantity(letter: str) -> str | None:
    """The quantity that a letter or a word means where indices follow."""
    return _LETTERS.get(letter) or _ONLY_WITH_INDEX.get(letter) or alias(letter)


def resolve(name: Name, bases: Bases = USUAL, *, indexed: bool = False) -> Ref | None:
    """The quantity, row and column that a written name means, or None where it means none of ours.

    Some letters mean one of ours only with an index, which may stand behind the name in brackets (`indexed`).
    A prime makes another one of what attention begins with: `Q'` is Q turned, or with something added, and
    `S'` the scores that were scaled.
    """
    if "'" in name.text and name.text.rstrip("'") in _CHANGED:
        return None
    if name.text == "S'":
        name = replace(name, text="scaled")
    owner = name.aside or name.text.rpartition("的")[0]
    return _meaning(name.text.replace("'", ""), name.subs, owner, bases, indexed)


def is_whole(name: Name) -> bool:
    """Whether a name means a quantity as a whole."""
    ref = resolve(name)
    return ref is not None and ref.row is None


@lru_cache(maxsize=1 << 12)
def _meaning(text: str, said: tuple[str, ...], aside: str, bases: Bases, indexed: bool) -> Ref | None:
    subs = list(said)
    if text in ("W", "w", "b") and subs and subs[0].upper() in ("Q", "K", "V", "O"):
        return Ref(f"{'b' if text == 'b' else 'W'}_{subs[0].upper()}")
    for pattern, kind in ((_WEIGHTS, "W"), (_BIAS, "b")):
        found = pattern.fullmatch(text)
        if found is not None and not subs:
            return Ref(f"{kind}_{found[1].upper()}")
    whole = "_".join((text, *subs))
    known = _OF_LAYERS.get(whole) or (alias(whole) if subs and not subs[0].isdigit() else None)
    if known is not None:
        return Ref(known)
    if text in ("d_k", "dk") or (text == "d" and subs == ["k"]):
        return Ref("d_k")
    canonical = _LETTERS.get(text) or alias(text) or (_ONLY_WITH_INDEX.get(text) if indexed else None)
    if canonical is None:
        stem, _, last = text.rpartition("_")
        head, _, tail = (stem, "", last) if last.isdigit() and alias(stem) else text.partition("_")
        digits = _WITH_INDEX.fullmatch(text)
        if digits is not None:
            head, tail = digits[1], digits[2]
        subs = [tail, *subs] if tail else subs
        canonical = _LETTERS.get(head) or (_ONLY_WITH_INDEX.get(head) if subs else None) or alias(head)
    if canonical is None:
        return None
    if aside and not subs:
        owner = _owner(aside, bases.tokens)
        if owner is not None and bases.single and canonical in ("Q", "Z"):
            return Ref(canonical, 0)  # whichever token the only query is of
        if owner is None and bases.tokens and is_word(aside) and text.isascii():
            return None  # of a token that nobody knows
        subs = [] if owner is None else [owner]
    if bases.single and not subs and text in _OF_ONE_QUERY:
        return Ref(canonical, 0)
    return entry_of(canonical, subs, bases)


def is_word(said: str) -> bool:
    """Whether an aside is a word, and names no quantity: `out(cat)` and not `softmax(scores)`."""
    return len(said) > 2 and said.isalpha() and alias(said) is None and said not in RUNNING


def _owner(said: str, tokens: Sequence[str]) -> str | None:
    """The token that words end with; none of the two in `深度对学习`, a query and a key."""
    owner = max((token for token in tokens if said.endswith(token)), key=len, default=None)
    two = owner is not None and any(token and token in said[: -len(owner)] for token in tokens)
    return None if two else owner


def entry_of(canonical: str, subs: list[str], bases: Bases) -> Ref | None:
    """The entry of a quantity that subscripts mean."""
    if not subs:
        return Ref(canonical)
    if canonical == "scores" and subs[0] in ("scaled", "masked"):
        return entry_of(subs[0], subs[1:], bases)
    if subs[0] in _MASKS and canonical in ("scores", "scaled", "A", "Z"):
        return entry_of("masked" if canonical in ("scores", "scaled") else canonical, subs[1:], bases)
    at: list[int] = []
    for sub in subs:
        if sub in bases.tokens:
            at.append(bases.tokens.index(sub))
        elif sub.isdecimal() and len(sub) < 4:
            base = (bases.position or 0 if not at else 0) if canonical == "PE" else bases.subscript
            if len(sub) == 2 and len(subs) == 1 and canonical != "X":
                at += [int(sub[0]) - base, int(sub[1]) - base]
            else:
                at.append(int(sub) - base)
        elif sub in RUNNING and bases.single and not at and canonical in ("Q", "scores", "A", "Z"):
            at.append(0)
        elif sub in RUNNING:
            return Ref(canonical, at[0] if at else None, running=True)
        else:
            return None
    if len(at) > 2 or min(at) < 0:
        return None
    if bases.single and len(at) == 1 and canonical in _OF_KEYS:
        return Ref(canonical, 0, at[0])
    return Ref(canonical, at[0], at[1] if len(at) == 2 else None)
