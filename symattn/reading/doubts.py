"""Doubtful quantities: what is printed as one, and follows from something else than its walk.

Who slips in one step slips in some of its numbers, or in a way that has a name. Where most numbers of a
quantity disagree with its walk, but agree with the formula beside them, the walk is not the one of the
document; nor probably where they do so for no known cause below a list or a matrix that nobody could read,
nor where any does so behind a mask that is spoken of and shown nowhere; nor where most numbers of two
projections of one input do so below something unread. These numbers, and the wrong ones
that are computed from them, get no verdict by the walk. Nor does a list that is wrong throughout and stands
alone with it (`misplaced`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from symattn.auditor.audit import audit
from symattn.auditor.claims import entry_name
from symattn.auditor.judging.rules import contains
from symattn.auditor.numeral import Numeral
from symattn.auditor.report import WRONG, Judgement, Report, Unread
from symattn.case import Case, Claim, Place
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plan import Plan, base_name, downstream
from symattn.reading.shifted import shifted

LEAST = 2
"""How many numbers of a quantity must be wrong at least."""
STEPS = frozenset({"scores", "scaled", "masked", "exp", "sum", "A"})
"""What follows from the quantity before it and from nothing else, whatever else was not read."""
WEIGHTS = frozenset({"exp", "A"})
"""What shows which scores are hidden, by its zeros or because there are none."""
BY_THE_WALK = frozenset({"SA201", "SA202"})
"""Slips that nothing but the walk tells, the second with a cause that may be no more than possible."""
AGAINST = frozenset({"SA204", "SA206"})
"""What follows a number uses the right one, or it was printed otherwise before."""
PROJECTED = frozenset({"Q", "K", "V"})
"""What weights make of one input."""
OTHERWISE = "SA206"
"""It was printed otherwise before."""
WORKED = frozenset({"exp", "Z", "output"})
"""What is computed from numbers that stand above it, and seldom just put down."""
NEAR = 500
"""A number is about another one within this part of it."""
LARGEST = 1_000
"""More decimals than a number has."""
WHY = "most of these numbers follow from something that was not read"


def doubted(
    report: Report, explained: Container[Place | None], unread: Sequence[Place], *, masked: bool = False
) -> frozenset[str]:
    """The quantities most of whose numbers are wrong only by the walk, and the wrong ones behind them.

    `explained` are the places of numbers that agree with their own formulas; `unread` is where the lists and
    matrices stand that nobody could read; `masked` says that scores are hidden, and nothing which.
    """
    firsts = [judged for judged in report.judgements if judged.printed.first is None]
    numbers = Counter(judged.printed.name for judged in firsts)
    last = {judged.printed.name: judged.printed.place for judged in firsts}
    doubtful = Counter(
        judged.printed.name
        for judged in firsts
        if judged.verdict == "slip"
        and (
            judged.printed.place in explained
            or (
                _is_below(judged, next(iter(unread), None))
                and _without_reason(judged)
                and not _goes_on(report.derivation.plan, judged, last, unread)
            )
        )
    )
    roots = {name for name, count in doubtful.items() if count >= LEAST and 2 * count >= numbers[name]}
    if masked and not any(base_name(name) in WEIGHTS for name in numbers):
        weights = {line.name for line in report.derivation.plan if base_name(line.name) in WEIGHTS}
        wrong = {judged.printed.name for judged in firsts if judged.code in BY_THE_WALK}
        roots |= wrong & downstream(report.derivation.plan, weights)
    roots |= _of_another_input(
        report.derivation.plan, [judged for judged in firsts if _is_below(judged, next(iter(unread), None))]
    )
    roots |= shifted(report)
    accused = {judged.printed.name for judged in firsts if judged.verdict in WRONG}
    return frozenset(roots | (downstream(report.derivation.plan, roots) & accused))


def _of_another_input(plan: Plan, firsts: Sequence[Judgement]) -> frozenset[str]:
    """The projections of one input where most of these numbers are wrong of two: they are of something else.

    All of them stand below something unread, which may be that input: who slips in every product does not
    leave it out.
    """
    wrong: dict[str, set[str]] = {}
    for line in plan:
        if base_name(line.name) in PROJECTED:
            mine = [judged for judged in firsts if judged.printed.name == line.name]
            telling = [judged for judged in mine if judged.printed.numeral.value or judged.verdict in WRONG]
            slips = [judged for judged in telling if judged.code in BY_THE_WALK | AGAINST]
            if len(slips) >= LEAST and 2 * len(slips) > len(telling):
                wrong.setdefault(line.args[0], set()).add(line.name)
    return frozenset(
        name for names in wrong.values() if len(set(map(base_name, names))) > 1 for name in names
    )


def misplaced(report: Report) -> tuple[Claim, ...]:
    """The lists of which no number is right, and which the rest of what is printed speaks against.

    Single numbers that stand below one another are a list too; it is none again where most of it differs.
    Who slips does not slip in all of a list and then go on from the right numbers, or print it right
    elsewhere; nor in everything that is computed from numbers that stand there, without a cause. Such a list
    is probably one of something else, unless other numbers follow from it; so is one that says what was
    printed before with more decimals.
    """
    at = {(judged.printed.name, judged.printed.place): judged for judged in report.judgements}
    elsewhere = tuple(_of_others(report, at))
    if elsewhere:
        return elsewhere
    built_on = {judged.root for judged in report.judgements if judged.verdict == "carried"}
    found = dict[Claim, None]()
    for claims in _lists(report.case.stated):
        name = entry_name(claims[0])
        judged = [each for claim in claims for each in _judged(claim, at)]
        telling = [each for each in judged if each.printed.numeral.value or each.verdict in WRONG]
        slips = [each for each in telling if each.verdict == "slip" and each.printed.index not in built_on]
        if len(judged) > 1 and (
            (
                len(telling) == len(slips) > (name not in report.case.given)
                and _speaks_against(report, name, slips)
            )
            or (len(claims) > 1 and _is_no_copy(telling, slips))
            or (slips and _finer(report, judged))
        ):
            found |= dict.fromkeys(claims)
    return tuple(found)


def _lists(stated: Sequence[Claim]) -> Iterator[tuple[Claim, ...]]:
    """What is printed together: each claim, and single numbers of a quantity that stand below one another."""
    run: list[Claim] = []
    for claim in stated:
        yield (claim,)
        if run and not _stands_below(run[-1], claim):
            yield from [tuple(run)][: len(run) > 1]
            run = []
        run.append(claim)
    yield from [tuple(run)][: len(run) > 1]


def _stands_below(above: Claim, claim: Claim) -> bool:
    """Whether a single number stands on the line below another one of its quantity, as in a table."""
    lone = all(len(each.places) == len(each.places[0]) == 1 for each in (above, claim) if each.places)
    first, then = above.place, claim.place
    if first is None or then is None or not (lone and above.places and claim.places):
        return False
    return entry_name(above) == entry_name(claim) and then.line == first.line + 1


def _is_no_copy(telling: Sequence[Judgement], slips: Sequence[Judgement]) -> bool:
    """Whether most numbers below one another differ from what was printed before: of something else."""
    return 2 * len(slips) > len(telling) and len(slips) > 1 and all(each.code == OTHERWISE for each in slips)


def loosened(report: Report, unread: Place) -> tuple[Claim, ...]:
    """The lists below something `unread` with a slip that is none where what is not shown was rounded.

    What could not be read may be such a step, and the numbers follow from it as it was printed.
    """
    if not any(each.code in BY_THE_WALK and _is_below(each, unread) for each in report.judgements):
        return ()
    rounded = audit(report.case, rounded=True)
    at = {(judged.printed.name, judged.printed.place): judged for judged in report.judgements}
    excused = {
        was.printed.place
        for was, now in zip(report.judgements, rounded.judgements, strict=True)
        if was.verdict in WRONG and now.verdict not in WRONG and _is_below(was, unread)
    }
    return tuple(
        claim
        for claim in report.case.stated
        if any(each.printed.place in excused for each in _judged(claim, at))
    )


def _of_others(report: Report, at: Mapping[tuple[str, Place | None], Judgement]) -> Iterator[Claim]:
    """The lists of another row than they were taken for, and what stands beside them.

    Half of such a list is wrong, all of it right for the other row, and for its own other numbers were
    printed before. So is a single number whose row was told by nothing but what stands above it; of a
    matrix the order of its rows tells. What else its line prints of the row was taken for it with no
    better reason.
    """
    of = [(claim, _judged(claim, at)) for claim in report.case.stated]
    lists: dict[object, list[Judgement]] = {}
    loose: set[object] = set()
    for claim, judged in of:
        for each in judged if claim.key is None and len(claim.values) == 1 else ():
            lists.setdefault((each.printed.name, _line_of(each)), []).append(each)
            loose |= {(each.printed.name, _line_of(each))} if claim.loose else set()
    codes = {key: {each.code for each in judged if each.verdict == "slip"} for key, judged in lists.items()}
    lines = {
        _line_of(judged[0])
        for key, judged in lists.items()
        if 2 * sum(each.verdict == "slip" for each in judged) >= len(judged)
        and (len(judged) > 1 or key in loose)
        and codes[key] == {OTHERWISE}
        and (matrix := report.derivation.values.get(judged[0].printed.name)) is not None
        and _is_another(judged, matrix)
    }
    for claim, judged in of:
        if any(_line_of(each) in lines for each in judged if each.printed.place is not None):
            yield claim


def _judged(claim: Claim, at: Mapping[tuple[str, Place | None], Judgement]) -> list[Judgement]:
    """The judgements on the numbers of a claim."""
    name = entry_name(claim)
    return [at[name, place] for row in claim.places for place in row if (name, place) in at]


def _line_of(judged: Judgement) -> tuple[int, int] | None:
    """The row that a number was taken for, and the line in which it stands."""
    number = judged.printed
    return (number.row, number.place.line) if number.place is not None else None


def _is_another(judged: Sequence[Judgement], matrix: Matrix) -> bool:
    """Whether all numbers of a list are about those that another row should have."""
    here = judged[0].printed.row
    return any(
        all(_is_about(each.printed.numeral, matrix[row, each.printed.col]) for each in judged)
        for row in range(matrix.shape[0])
        if row != here
    )


def _is_about(numeral: Numeral, x: Exact) -> bool:
    """Whether a number is x to the digits that who rounds before has right."""
    room = max(numeral.unit, abs(numeral.value) / NEAR)
    return contains(numeral.value - room, numeral.value + room, x)


def _speaks_against(report: Report, name: str, slips: Sequence[Judgement]) -> bool:
    """Whether a list that is wrong throughout is known otherwise, or would have to be computed so."""
    known = name in report.case.given or all(each.code in AGAINST for each in slips)
    return known or (base_name(name) in WORKED and all(map(_without_reason, slips)))


def _finer(report: Report, judged: Sequence[Judgement]) -> bool:
    """Whether all of a list has more decimals than what stands there already: who copies adds none."""
    name = judged[0].printed.name
    given = report.case.given[name].typed if name in report.case.given else ()
    places: dict[tuple[str, int, int, int | None], int] = {
        (name, i, j, None): len(text.partition(".")[2])
        for i, row in enumerate(given)
        for j, text in enumerate(row)
    }
    places |= {
        earlier.printed.at: earlier.printed.numeral.places
        for earlier in reversed(report.judgements)
        if earlier.verdict == "correct" and earlier.printed.index < judged[0].printed.index
    }
    return all(places.get(each.printed.at, LARGEST) < each.printed.numeral.places for each in judged)


def _is_below(judged: Judgement, place: Place | None) -> bool:
    here = judged.printed.place
    return place is not None and here is not None and (place.line, place.column) < (here.line, here.column)


def _goes_on(
    plan: Plan, judged: Judgement, printed: Mapping[str, Place | None], unread: Sequence[Place]
) -> bool:
    """Whether a quantity is steps from one that is printed, and nothing unread stands between them.

    `printed` is where the last number of each quantity stands.
    """
    lines = {line.name: line for line in plan}
    here = judged.printed.place

    def leads(arg: str) -> bool:
        there = printed.get(arg)
        between = (
            there is not None
            and here is not None
            and any(
                (there.line, there.column) < (place.line, place.column) < (here.line, here.column)
                for place in unread
            )
        )
        return arg in printed and not between

    made = [judged.printed.name]
    while made:
        line = lines.get(made.pop())
        if line is None or base_name(line.name) not in STEPS:
            continue
        if any(leads(arg) or (arg not in lines and base_name(arg) in STEPS) for arg in line.args):
            return True
        made += line.args
    return False


def _without_reason(judged: Judgement) -> bool:
    """Whether neither the working on its line nor a known mistake tells that a number is a slip."""
    return judged.code == "SA201" and (judged.cause is None or not judged.cause.certain)


def claims_of(case: Case, names: Collection[str]) -> tuple[Claim, ...]:
    """The claims of these quantities."""
    return tuple(claim for claim in case.stated if entry_name(claim) in names)


def without(case: Case, claims: Collection[Claim]) -> Case:
    """The case without these claims."""
    return replace(case, stated=tuple(claim for claim in case.stated if claim not in claims))


def unread_claims(claims: Iterable[Claim], why: str = WHY) -> Iterator[Unread]:
    """The numbers of claims, as numbers without a verdict."""
    for claim in claims:
        for i, row in enumerate(claim.values):
            for j, text in enumerate(row):
                place = claim.places[i][j] if claim.places else claim.place
                yield Unread(text, "SA905", why, claim.line, place)
