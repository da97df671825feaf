"""Slips that were only printed wrongly: the author went on from the right value.

Where every number behind a slip goes on from the right value, `judge` sees it by itself. Behind two
slips, one carried on and one not, no single walk fits; then each slip in front of a fresh one is taken
for a typo in turn, and stays one where fewer slips are left to explain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from symattn.auditor.judging.judge import GivenUp, Hopeless, Judged, more_slips_than

MOST_TRIED = 6


def with_typos(judged: Judged, judging: Callable[[frozenset[int], Hopeless], Judged]) -> Judged:
    """The judgements with as few slips as taking some of them for typos leaves."""
    known: frozenset[int] = frozenset()
    tried: set[int] = set()
    while len(tried) < MOST_TRIED:
        suspect = next((index for index in _suspects(judged) if index not in tried), None)
        if suspect is None:
            break
        tried.add(suspect)
        try:
            again = judging(known | {suspect}, more_slips_than(judged.slips - 1))
        except GivenUp:
            continue
        if again.slips < judged.slips:
            judged, known = again, known | {suspect}
    return judged


def _suspects(judged: Judged) -> list[int]:
    """The slips right in front of fresh ones, those in front of most first."""
    verdicts = {judgement.printed.index: judgement.verdict for judgement in judged.judgements}
    found: Counter[int] = Counter()
    for judgement in judged.judgements:
        if judgement.verdict == "slip" and judgement.note == "second":
            number = judgement.printed
            for index in judged.walks.printed_before(number.name, number.row, number.col):
                if verdicts[index] == "slip":
                    found[index] += 1
    return [index for index, _ in found.most_common()]
