"""A comparison as JSON has it. These types are its JSON Schema too (`symattn schema golden`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from symattn.golden.compare import Comparison, Entry
from symattn.golden.showing import Showing
from symattn.golden.tolerance import Shown, Tolerance

NAME = "symattn/golden/1"
Number = float | Annotated[str, Meta(pattern="^(-?inf|nan)$")]
Result = Annotated[str, Meta(pattern="^(o|lse|d[qkv]|dsinks)$")]


class Bin(Struct, frozen=True):
    """How many errors are at most `upto` ulps, and more than that of the bin before."""

    upto: Number
    count: int


class Score(Struct, frozen=True):
    """The score of a key."""

    key: int
    score: Number


class Worst(Struct, frozen=True):
    """An entry with a large error; `exact` is the exact value in float64, `golden` that in the format."""

    position: list[int]
    actual: Number
    golden: Number
    exact: Number
    ulps: Number
    scores: list[Score]


class Errors(Struct, frozen=True):
    """The errors of one result."""

    name: Result
    format: str
    entries: int
    correctly_rounded: int
    not_finite: int
    largest_ulps: Number
    mean_ulps: Number
    histogram: list[Bin]
    worst: list[Worst]


class Sound(Struct, frozen=True):
    """A sound way of computing: its largest error, and the largest part of what is allowed."""

    name: str
    largest_ulps: Number
    share_of_allowed: Number


class Mistaken(Struct, frozen=True):
    """A mistake: its largest error, and how many entries it moves by more than twice what is allowed."""

    name: str
    largest_ulps: Number
    entries_beyond: int


class Judged(Struct, frozen=True):
    """The tolerance of one result; with a comparison, how many entries are beyond, and what explains them."""

    name: Result
    sound: list[Sound]
    mistakes: list[Mistaken]
    beyond: int | UnsetType = UNSET
    mistake: str | UnsetType | None = UNSET


class ShownBy(Struct, frozen=True):
    """Other inputs that show mistakes which these hide, and those that stay hidden, with their results."""

    command: str
    hidden: list[tuple[Result, str]]


class Report(Struct, frozen=True):
    """What `symattn golden INPUT --compare OUT --tolerance --json` prints."""

    schema: Annotated[str, Meta(pattern=f"^{NAME}$")]
    settings: dict[str, str]
    results: list[Errors]
    tolerances: list[Judged] | UnsetType = UNSET
    shown_by: ShownBy | UnsetType | None = UNSET


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a report."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Report)}


def report(
    comparisons: Sequence[Comparison],
    settings: Mapping[str, str],
    tolerances: Sequence[Judged] | UnsetType = UNSET,
    shown: Showing | UnsetType | None = UNSET,
) -> dict[str, Any]:
    """The data of a report."""
    listed = tolerances if isinstance(tolerances, UnsetType) else list(tolerances)
    by = ShownBy(shown.command, list(shown.left)) if isinstance(shown, Showing) else shown
    found: dict[str, Any] = msgspec.to_builtins(
        Report(NAME, dict(settings), [_errors(each) for each in comparisons], listed, by)
    )
    return found


def judged(name: str, found: Tolerance, beyond: int | None = None, mistake: Shown | None = None) -> Judged:
    """The data of a tolerance."""
    sound = [Sound(way.name.en, number(way.ulps), number(way.share)) for way in found.ways]
    mistakes = [Mistaken(each.name.en, number(each.ulps), each.beyond) for each in found.mistakes]
    if beyond is None:
        return Judged(name, sound, mistakes)
    return Judged(name, sound, mistakes, beyond, None if mistake is None else mistake.name.en)


def number(x: float) -> Number:
    """What is not finite is a string."""
    return x if math.isfinite(x) else str(x)


def _errors(each: Comparison) -> Errors:
    return Errors(
        each.name,
        each.format,
        each.entries,
        each.correctly_rounded,
        each.not_finite,
        number(each.largest),
        number(each.mean),
        [Bin(number(edge), count) for edge, count in each.histogram],
        [_worst(entry) for entry in each.worst],
    )


def _worst(entry: Entry) -> Worst:
    return Worst(
        list(entry.position),
        number(entry.actual),
        number(entry.rounded),
        number(entry.exact),
        number(entry.ulps),
        [Score(key, number(score)) for key, score in entry.scores],
    )
