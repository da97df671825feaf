"""Chapters that work an example each are read each for itself; what needs another one is read with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from symattn.auditor.claims import entry_name
from symattn.plan import base_name
from symattn.reading.notes.formulas.names import WEIGHTS
from symattn.reading.notes.result import Reading
from symattn.reading.workers import Each, within

Span = tuple[int, int]
INPUTS = frozenset({"X"}), frozenset({"Q", "K"})
"""With what a walk begins."""
LEAST = 2
"""So many chapters of their own make a document of chapters."""
RESULTS = frozenset({"exp", "sum", "A", "Z", "output"})
"""What an example comes to that was worked to its end."""


def read_chapters(spans: Sequence[Span], read: Callable[..., Reading], each: Each) -> Reading:
    """The reading of a document by chapters, where two of these or more have their inputs and come to an end.

    What has not is read with the chapter before it, or the first one with the next, if that leaves less
    unread. A document without such chapters is read as a whole. `read` reads a stretch, and takes how it
    shares its examples.
    """
    whole = spans[0][0], spans[-1][1]
    if len(spans) == 1:
        return read(*whole, each)
    inner = within(each, spans)
    parts = dict(zip(spans, each(lambda span: read(*span, inner), spans), strict=True))
    if sum(map(_is_whole, parts.values())) < LEAST:
        return read(*whole, each)
    found: list[Reading] = []
    for group in _groups(spans, parts):
        apart = [parts[span] for span in group]
        if len(group) > 1:
            together = read(group[0][0], group[-1][1], each)
            if _is_whole(together) and len(together.unread) <= sum(len(part.unread) for part in apart):
                apart = [together]
        found += apart
    return Reading.joined(found) if sum(map(_is_whole, found)) >= LEAST else read(*whole, each)


def _groups(spans: Sequence[Span], parts: Mapping[Span, Reading]) -> list[list[Span]]:
    """The chapters, each with those behind it that are no example of their own."""
    groups: list[list[Span]] = []
    weights = ended = False
    for span in spans:
        given = {base_name(name) for case in parts[span].cases for name in case.given}
        own = not given.isdisjoint(WEIGHTS)
        apart = _is_whole(parts[span]) and (own or not weights or "X" not in given)
        if groups and not (apart and ended):
            groups[-1].append(span)
        else:
            groups.append([span])
        weights, ended = weights or own, ended or apart
    return groups


def _is_whole(reading: Reading) -> bool:
    """Whether a chapter has an example that begins with its inputs and is worked to its end."""
    for case in reading.cases:
        given, printed = set(map(base_name, case.given)), map(base_name, map(entry_name, case.stated))
        if any(inputs <= given for inputs in INPUTS) and not RESULTS.isdisjoint(printed):
            return True
    return False
