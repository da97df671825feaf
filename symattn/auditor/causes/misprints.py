"""Slips that were only printed wrongly: the author went on from another value than the printed one.

Where every number behind a slip goes on from the right value, `judge` sees it by itself. Behind two
slips, one carried on and one not, no single evaluation fits; then each slip in front of a fresh one is taken
for a misprint in turn: of the right value, or, among numbers that a cause explains, of what that cause
makes of it. It stays one where fewer slips are left to explain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from symattn.auditor.causes.diagnose import explains
from symattn.auditor.causes.divisors import common_divisor
from symattn.auditor.causes.evidence import evidence_of
from symattn.auditor.causes.hypotheses import hypotheses
from symattn.auditor.judging.judge import GivenUp, Hopeless, Judged, MoreSlips
from symattn.auditor.judging.supposed import Meant
from symattn.auditor.report import Printed
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.plan import Plan

MOST_TRIED = 6
"""After so many slips that are none only misprinted the rest is left as it is."""
FEWEST = 3
"""How many neighbours of a misprint a cause has to explain."""


def with_misprints(
    judged: Judged,
    judging: Callable[[Meant, Hopeless, Judged], Judged],
    plan: Plan,
    given: Mapping[str, Matrix],
) -> Judged:
    """The judgements with as few slips as taking some of them for misprints leaves.

    `judging` judges anew where these are meant otherwise, going on from a judgement that supposes less.
    """
    known: dict[int, Exact | None] = {}
    kept: set[int] = set()
    while len(kept) < MOST_TRIED:
        suspect = next((index for index in _suspects(judged) if index not in {*known, *kept}), None)
        if suspect is None:
            break
        for meant in _meant(judged.judgements[suspect].printed, judged, plan, given):
            try:
                again = judging({**known, suspect: meant}, MoreSlips(judged.slips - 1), judged)
            except GivenUp:
                continue
            if again.slips < judged.slips:
                judged = again
                known[suspect] = meant
                break
        else:
            kept.add(suspect)
    return judged


def _meant(
    number: Printed, judged: Judged, plan: Plan, given: Mapping[str, Matrix]
) -> Iterator[Exact | None]:
    """What a misprint may have been meant for: the right value, the same without or with a minus, what all
    was divided by that it divides, then what the causes around it lead to."""
    yield None
    yield Exact.of(-number.numeral.value)
    name, evaluations = number.name, judged.evaluations
    yield from (Exact.of(divisor) for divisor in common_divisor(number, judged))
    around = [
        item
        for judgement in judged.judgements
        if judgement.printed.name == name and judgement.printed.first is None
        if judgement.printed.index != number.index and (item := evidence_of(judgement, evaluations, name))
    ]
    if sum(item.judgement.verdict == "slip" for item in around) < FEWEST:
        return
    printed = {judgement.printed.name for judgement in judged.judgements}
    tried = list(hypotheses(name, plan, evaluations.seen, printed, given))
    for hypothesis in tried:
        if explains(hypothesis, around, len(tried)):
            yield hypothesis.value(number.row, number.col)


def _suspects(judged: Judged) -> list[int]:
    """The slips right in front of fresh ones: those in front of most first, and of these what is nearest."""
    slips = {
        each.printed.index: each.printed.index if each.verdict == "slip" else each.root
        for each in judged.judgements
        if each.verdict in ("slip", "undecided")
    }
    found: Counter[int] = Counter()
    for judgement in judged.judgements:
        if judgement.verdict == "slip" and judgement.note == "second":
            number = judgement.printed
            before = judged.evaluations.baseline.printed_before(number.name, number.row, number.col)
            found.update(slip for slip in {slips.get(index) for index in before} if slip is not None)
    steps = list(judged.evaluations.settled)

    def order(index: int) -> tuple[int, int, int]:
        return -found[index], -steps.index(judged.judgements[index].printed.name), index

    return sorted(found, key=order)
