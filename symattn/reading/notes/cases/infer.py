"""Conventions that a text leaves open, settled by the reading that explains most of its printed numbers.

What an option gives is settled. What the text declares holds, but for the side of the weights: X W is written
without thought, so where the numbers plainly follow X W^T, that is the reading (and a finding). The rest
is open: of the usual readings the one wins that explains most printed numbers, of the rare ones only
one that explains nearly all where no usual one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from symattn.case import UNDECLARED, Case, Given, Settings
from symattn.plan import base_name
from symattn.reading.notes.cases.declared import MASKED, Declared
from symattn.reading.notes.cases.evidence import Evidence, Numbers, Vote
from symattn.reading.notes.cases.masks import left_out, mask_of, masks_of_zeros, printed_mask, shown, unmasked
from symattn.reading.notes.linking.ledger import Print
from symattn.reading.notes.result import Convention
from symattn.recipes.attention import values as matrices
from symattn.sizes import sizes_of

LARGEST_RARE = 16
"""Sides beyond which the many rare readings are not tried."""

PLAINLY = 0.5
"""How many bits nearer the numbers of a row are to one reading that tells it from another."""

USUAL_SCALE = "1/sqrt(d_k)"
PROJECTED = ("Q", "K", "V")
MADE = ("Q", "K", "V", "Z")
WEIGHED = ("exp", "sum", "A", "Z")
LOGITS = ("scaled", "masked", "tempered")
SURROUNDING = ("heads", "layer", "positions", "temperature")
PLAIN_SETTINGS = Settings()


def inferred(
    given: Mapping[str, Given], prints: Sequence[Print], evidence: Evidence, base: Settings
) -> tuple[Settings, tuple[Convention, ...]]:
    """The settings of a case, `base` with what is open settled, and what they rest on."""
    numbers = Numbers(given, prints)
    evidence = replace(evidence, hidden=evidence.hidden | left_out(numbers))
    evidence = replace(evidence, declared=_declared_in_time(numbers, evidence.declared))
    settings, weights = _weights(numbers, evidence.given.over(base), evidence)
    settings, softmax = _softmax(numbers, settings, evidence)
    settings, last = _last_weights(numbers, settings, evidence)
    if not given.keys() & {"Q", "K", "W_Q", "W_K"} and "sqrt(d_k)" in settings.scale:
        unders = filter(None, (evidence.d_k, *sorted(evidence.roots)))
        under = max(unders, key=partial(_explained_under, numbers, settings), default=numbers.divided_by())
        rooted = _rooted(settings, under)
        bare = replace(settings, scale="1")
        asked = numbers.asked(["scaled"]) or evidence.d_k
        if under and (asked or not numbers.under(bare, WEIGHED).beats(numbers.under(rooted, WEIGHED))):
            settings = rooted
        elif "scale" not in evidence.given:
            settings = bare
    several = [
        Convention(key, str(value), evidence.said(key), inferred=evidence.said(key) is None)
        for key in SURROUNDING
        if (value := getattr(base, key)) != getattr(PLAIN_SETTINGS, key)
    ]
    found = [each for each in (*weights, *softmax, *last, *several) if each.key not in evidence.given]
    given_ones = (Convention(key, value, given=True) for key, value in evidence.given.said.items())
    declared = {each.key for each in found if each.declared == getattr(settings, each.key)}
    return settings.leaving_open(UNDECLARED["both"] - declared), (*found, *given_ones)


def _rooted(settings: Settings, under: int | None) -> Settings:
    return replace(settings, scale=settings.scale.replace("d_k", str(under)))


def _explained_under(numbers: Numbers, settings: Settings, under: int) -> int:
    """How many of the printed numbers follow where scores are divided by the root of a number."""
    return numbers.under(_rooted(settings, under), (*LOGITS, *WEIGHED)).explains


def _declared_in_time(numbers: Numbers, declared: Declared) -> Declared:
    """What is declared, without a scale that stands below all the weights, whose example has none itself."""
    scale = declared.get("scale")
    weighed = numbers.asked(WEIGHED)
    if scale is None or not weighed or numbers.asked((*LOGITS, "sqrt(d_k)")):
        return declared
    late = scale.start > max(made.num.start for made in weighed)
    return {key: said for key, said in declared.items() if key != "scale"} if late else declared


def _weights(
    numbers: Numbers, settings: Settings, evidence: Evidence
) -> tuple[Settings, tuple[Convention, ...]]:
    """X W or X W^T, where X is given."""
    given = numbers.given
    pairs = [(given["X"].shape, given[w].shape) for w in ("W_Q", "W_K", "W_V") if w in given and "X" in given]
    return _sided(numbers, settings, evidence, pairs, PROJECTED)


def _last_weights(
    numbers: Numbers, settings: Settings, evidence: Evidence
) -> tuple[Settings, tuple[Convention, ...]]:
    """Z W_O or Z W_O^T, where the walk starts at V and no other weights tell."""
    given = numbers.given
    pairs = [(given["V"].shape, given["W_O"].shape)] if "V" in given and "W_O" in given else []
    return _sided(numbers, settings, evidence, pairs if "X" not in given else [], ("output",))


def _sided(
    numbers: Numbers,
    settings: Settings,
    evidence: Evidence,
    pairs: Sequence[tuple[tuple[int, int], tuple[int, int]]],
    names: Sequence[str],
) -> tuple[Settings, tuple[Convention, ...]]:
    """The side of the weights: the one that is defined, else the declared one, else that explains more."""
    if not pairs or "weights" in evidence.given:
        return settings, ()
    fits = {
        "right": all(x[1] == w[0] for x, w in pairs),
        "transposed": all(x[1] == w[1] for x, w in pairs),
    }
    ways = [way for way, defined in fits.items() if defined] or list(fits)
    once = Numbers(
        numbers.given, list({(p.name, p.row, p.col): p for p in reversed(numbers.prints)}.values())
    )
    read = [_along(once, replace(settings, weights=way), names) for way in ways]
    said = evidence.said("weights")
    best = max(read, key=lambda reading: reading.explains)  # how near the others come is chance
    declared = next((reading for reading in read if reading.settings.weights == said), None)
    if declared is not None and not best.beats(declared):
        best = declared
    way = best.settings.weights
    if len(read) == 1:
        return best.settings, (Convention("weights", way, said, inferred=way not in ("right", said)),)
    contradicted = declared.of - declared.explains if declared is not None and way != said else 0
    return best.settings, (
        Convention("weights", way, said, way != said, best.explains, best.of, contradicted=contradicted),
    )


def _along(numbers: Numbers, settings: Settings, names: Sequence[str]) -> Vote:
    """How well weights explain what they make, and what those make that are not shown at work.

    Where Q and K are both printed, scores tell nothing of how these were made.
    """
    vote = numbers.under(settings, names)
    shown = {base_name(made.name) for made in numbers.asked(MADE)}
    logits = "scores" if numbers.asked(["scores"]) else "scaled"
    behind = ("output",) if shown.issuperset(("Q", "K")) else (logits, "output")
    asked = numbers.asked(behind) if names == PROJECTED else ()
    if not asked:
        return vote
    (explains, near), more = vote.fit if vote.of else (0, 0.0), numbers.behind(settings, MADE, behind)
    return replace(vote, fit=(explains + more, near), of=vote.of + len(asked))


def _softmax(numbers: Numbers, settings: Settings, evidence: Evidence) -> tuple[Settings, list[Convention]]:
    """Scale, base and mask together, for the weights follow from all three."""
    scales = _scales(numbers, settings, evidence)
    if settings.mask == "none" and settings.padding is None:
        mask = mask_of(numbers, evidence)
        settings = replace(
            settings, **({"mask": mask} if mask != "none" else printed_mask(numbers, evidence))
        )
    bare = [
        evidence.given.over(
            replace(
                settings,
                scale=scale,
                base=evidence.said("base") or "e",
            )
        )
        for scale in scales
    ]
    bare += _in_place_of_the_root(numbers, bare[0], evidence)
    masks = (
        masks_of_zeros(numbers, evidence) if evidence.said("masked") and unmasked(bare[0], evidence) else ()
    )
    usual = [*bare, *(replace(each, **mask) for each in bare for mask in masks)]
    names = WEIGHED if evidence.said("scale") is None and len(scales) > 1 else (*LOGITS, *WEIGHED)
    if not numbers.asked(names):
        return usual[0], []
    read = [numbers.under(each, names) for each in usual]
    common = best = max(read, key=lambda each: each.fit)
    if not common.plain and numbers.side <= LARGEST_RARE:
        other = [numbers.under(replace(common.settings, scale=scale), names) for scale in (USUAL_SCALE, "1")]
        rival = max([common, *other], key=lambda each: each.fit)
        rare = [numbers.under(each, names) for each in _rare(numbers, bare, evidence)]
        sure = (each for each in rare if each.beats(rival) and _in_rows(numbers, each, rival, names))
        best = max([common, *sure], key=lambda each: each.fit)
    was, now = bare[0], best.settings
    open_scale = evidence.said("scale") != now.scale and len({each.scale for each in usual}) > 1
    found = [Convention("scale", now.scale, evidence.said("scale"), open_scale, *best.counts(open_scale))]
    if now.base != "e" or evidence.said("base") is not None:
        changed = now.base != common.settings.base
        found.append(Convention("base", now.base, evidence.said("base"), changed, *best.counts(changed)))
    if now.mask != was.mask:
        found.append(Convention("mask", shown(now.mask), None, True, *best.counts()))
    if evidence.said("masked") and unmasked(now, evidence):
        found.append(Convention("mask", shown(now.mask), MASKED))
    if now.padding is not None and now.padding is not was.padding:
        found.append(Convention("padding", shown(now.padding), None, True, *best.counts()))
    return now, found


def _in_rows(numbers: Numbers, rare: Vote, usual: Vote, names: Sequence[str]) -> bool:
    """Whether another base explains more in two rows, where there are several: in one a slip may do it."""
    rows = {made.row for made in numbers.asked(names)}
    if rare.settings.base == usual.settings.base or len(rows) < 2:
        return True
    telling = 0
    for row in rows:
        here = Numbers(numbers.given, [made for made in numbers.prints if made.row == row])
        mine, other = (here.under(vote.settings, names).fit for vote in (rare, usual))
        telling += mine[0] > other[0] or mine[1] > other[1] + PLAINLY
    return telling > 1


def _scales(numbers: Numbers, settings: Settings, evidence: Evidence) -> tuple[str, ...]:
    """The usual scales, the likeliest first: what is declared, and the d_k of the text if it is another."""
    made = {base_name(made.name) for made in numbers.prints}
    printed = not made.isdisjoint(("scaled", "sqrt(d_k)"))
    declared = evidence.said("scale")
    if declared == "1" and "scaled" not in made:
        return ("1", USUAL_SCALE) if printed else ("1",)
    case = Case("", numbers.given, settings=settings)
    width = sizes_of(case, matrices(case)).get("d_k")
    told = evidence.d_k is not None or declared is None
    unders = dict.fromkeys((evidence.d_k, *sorted(evidence.roots))) if told else ()
    said = tuple(f"1/sqrt({under})" for under in unders if under not in (None, width))
    if declared is not None or printed:
        return (USUAL_SCALE, *said)
    return (USUAL_SCALE, "1", *said)


def _in_place_of_the_root(numbers: Numbers, settings: Settings, evidence: Evidence) -> list[Settings]:
    """The settings with the temperature as all that scores are divided by, where a text writes no root.

    Nor may the scaled scores, by their numbers, be divided by it.
    """
    settled = {"scale", "temperature"} & evidence.given.said.keys() or evidence.said("scale") not in (
        None,
        "1",
    )
    if settings.temperature is None or settled or numbers.asked(["tempered"]):
        return []
    if numbers.under(settings, ["scaled"]).plain:
        return []
    return [replace(settings, scale=f"1/({settings.temperature})", temperature=None)]


def _rare(numbers: Numbers, usual: Sequence[Settings], evidence: Evidence) -> Iterator[Settings]:
    """The usual settings with another base, with a mask that the printed zeros suggest, or with both."""
    open_base = evidence.said("base") is None and "base" not in evidence.given
    masks = masks_of_zeros(numbers, evidence) if unmasked(usual[0], evidence) else ()
    for settings, base in product(usual, ("e", "2", "10") if open_base else ("",)):
        based = replace(settings, base=base or settings.base)
        if based != settings:
            yield based
        yield from (replace(based, **mask) for mask in masks)
