"""Conventions that a text leaves open, settled by the reading that explains most of its printed numbers.

What an option gives is settled. What the text declares holds, but for the side of the weights: X W is written
without thought, so where the numbers plainly follow X W^T, that is the reading (and a finding). The rest
is open: of the usual readings the one wins that explains most printed numbers, of the rare ones only
one that explains nearly all where no usual one does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from symattn.case import UNDECLARED, Case, Given, Settings
from symattn.exact.matrix import Matrix
from symattn.floats import matrix_to_floats
from symattn.plan import base_name
from symattn.reading.notes.cases.declared import Declared
from symattn.reading.notes.cases.explained import NEAR, ROUNDED, explained
from symattn.reading.notes.linking.ledger import Print, value
from symattn.reading.notes.result import Convention
from symattn.reading.overrides import Overrides
from symattn.recipes.attention import values as matrices
from symattn.recipes.sizes import sizes_of

if TYPE_CHECKING:
    from symattn.operation import Floats

LARGEST = 64
"""Sides beyond which no walk is made just to choose a convention."""
LARGEST_RARE = 16
"""Sides beyond which the many rare readings are not tried."""

USUAL_SCALE = "1/sqrt(d_k)"
PROJECTED = ("Q", "K", "V", "scores")
WEIGHED = ("exp", "sum", "A", "Z")
LOGITS = ("scaled", "masked", "tempered")
SURROUNDING = ("heads", "layer", "positions", "temperature")
PLAIN_SETTINGS = Settings()
NEAR_ONE = Fraction(1, 50)
"""How far the sum of a printed row of weights may be from 1."""
PLAIN = 4
"""How many numbers it takes at least to overrule what is declared or usual."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the reading of an example knows beside its numbers.

    `d_k` is the one that the text speaks of, `divided_by` what stands under the root that it divides scores
    by; `hidden` are the entries of the scores that it prints as minus infinity; `foreign` are the projections
    that it does not make of X.
    """

    declared: Declared
    given: Overrides
    d_k: int | None = None
    divided_by: int | None = None
    hidden: frozenset[tuple[int, int]] = frozenset()
    foreign: frozenset[str] = frozenset()

    def said(self, key: str) -> str | None:
        """What the text declares of a convention, None where it leaves it open."""
        return self.declared[key].value if key in self.declared else None


@dataclass(frozen=True, slots=True)
class Vote:
    """Settings, and how many of the printed numbers that tell they explain."""

    settings: Settings
    explains: int = 0
    of: int = 0

    def counts(self, told: bool = True) -> tuple[int, int]:
        """What the reading explains and of how much, where that is worth telling."""
        return (self.explains, self.of) if told else (0, 0)

    @property
    def plain(self) -> bool:
        """Whether the numbers speak for it by themselves."""
        return self.of >= PLAIN and 10 * self.explains >= 8 * self.of

    def beats(self, other: Vote) -> bool:
        """Whether the numbers plainly follow this reading and not the other."""
        return self.plain and 2 * other.explains <= other.of


def inferred(
    given: Mapping[str, Given], prints: Sequence[Print], evidence: Evidence, base: Settings
) -> tuple[Settings, tuple[Convention, ...]]:
    """The settings of a case, `base` with what is open settled, and what they rest on."""
    numbers = _Numbers(given, prints)
    evidence = replace(evidence, hidden=evidence.hidden | _left_out(numbers))
    settings, weights = _weights(numbers, evidence.given.over(base), evidence)
    settings, softmax = _softmax(numbers, settings, evidence)
    settings, last = _last_weights(numbers, settings, evidence)
    if not given.keys() & {"Q", "K", "W_Q", "W_K"} and "sqrt(d_k)" in settings.scale:
        scaled = evidence.divided_by or numbers.divided_by() if numbers.asked(["scaled"]) else None
        under = evidence.d_k or scaled
        if under:
            settings = replace(settings, scale=settings.scale.replace("d_k", str(under)))
        elif "scale" not in evidence.given:
            settings = replace(settings, scale="1")
    several = [
        Convention(key, str(value), evidence.said(key), inferred=evidence.said(key) is None)
        for key in SURROUNDING
        if (value := getattr(base, key)) != getattr(PLAIN_SETTINGS, key)
    ]
    found = [each for each in (*weights, *softmax, *last, *several) if each.key not in evidence.given]
    given_ones = (Convention(key, value, given=True) for key, value in evidence.given.said.items())
    declared = {each.key for each in found if each.declared == getattr(settings, each.key)}
    return settings.leaving_open(UNDECLARED["both"] - declared), (*found, *given_ones)


class _Numbers:
    """The printed numbers of one example, and which of them a walk under some settings explains."""

    def __init__(self, given: Mapping[str, Given], prints: Sequence[Print]) -> None:
        self.given = given
        self.prints = [made for made in prints if made.key is None]
        self.side = max((max(matrix.shape) for matrix in given.values()), default=0)

    def asked(self, names: Sequence[str]) -> list[Print]:
        return [made for made in self.prints if base_name(made.name) in names]

    def under(self, settings: Settings, names: Sequence[str], units: float = NEAR) -> Vote:
        """How many of the printed numbers of these quantities a walk explains, and of how many.

        Explained is what is not further off than so many `units` of its last place.
        """
        asked = self.asked(names)
        if self.side > LARGEST or not asked:
            return Vote(settings, 0, len(asked))
        scores = [] if "scores" in names else self.asked(["scores"])  # they would explain themselves
        case = Case("", self.given, settings=settings)
        return Vote(settings, explained(case, asked, scores, self.floats, units), len(asked))

    def divided_by(self) -> int | None:
        """What stands under the root that most of the printed scaled scores are the given ones divided by."""
        scores = self.floats.get("scores")
        found: Counter[int] = Counter()
        for made in self.asked(["scaled"]) if scores is not None else ():
            scaled = value(made.num)
            if scores is not None and scaled and made.row < len(scores) and made.col < len(scores[0]):
                found[round((scores[made.row, made.col] / float(scaled)) ** 2)] += 1
        best = next(iter(found.most_common(1)), (0, 0))
        return best[0] if best[0] > 0 and 2 * best[1] > found.total() else None

    @property
    def keys(self) -> int:
        """How many keys there are, 0 where nothing given tells."""
        return self._rows("K", "memory", "X")

    @property
    def queries(self) -> int:
        """How many queries there are, 0 where nothing given tells."""
        return self._rows("Q", "X")

    def _rows(self, *names: str) -> int:
        return next((self.given[name].shape[0] for name in names if name in self.given), 0)

    @cached_property
    def floats(self) -> Mapping[str, Floats]:
        """What the example begins with, in floats."""
        return {name: matrix_to_floats(each.values) for name, each in self.given.items()}


def _weights(
    numbers: _Numbers, settings: Settings, evidence: Evidence
) -> tuple[Settings, tuple[Convention, ...]]:
    """X W or X W^T, where X is given."""
    given = numbers.given
    pairs = [(given["X"].shape, given[w].shape) for w in ("W_Q", "W_K", "W_V") if w in given and "X" in given]
    return _sided(numbers, settings, evidence, pairs, PROJECTED)


def _last_weights(
    numbers: _Numbers, settings: Settings, evidence: Evidence
) -> tuple[Settings, tuple[Convention, ...]]:
    """Z W_O or Z W_O^T, where the walk starts at V and no other weights tell."""
    given = numbers.given
    pairs = [(given["V"].shape, given["W_O"].shape)] if "V" in given and "W_O" in given else []
    return _sided(numbers, settings, evidence, pairs if "X" not in given else [], ("output",))


def _sided(
    numbers: _Numbers,
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
    read = [numbers.under(replace(settings, weights=way), names) for way in ways]
    said = evidence.said("weights")
    best = max(read, key=lambda reading: reading.explains)
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


def _softmax(numbers: _Numbers, settings: Settings, evidence: Evidence) -> tuple[Settings, list[Convention]]:
    """Scale, base and mask together, for the weights follow from all three."""
    scales = _scales(numbers, settings, evidence)
    if settings.mask == "none" and settings.padding is None:
        mask = _mask(numbers, evidence)
        settings = replace(
            settings, **({"mask": mask} if mask != "none" else _printed_mask(numbers, evidence))
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
    masks = _masks(numbers, evidence) if evidence.said("masked") and _unmasked(bare[0], evidence) else ()
    usual = [*bare, *(replace(each, **mask) for each in bare for mask in masks)]
    names = WEIGHED if evidence.said("scale") is None and len(scales) > 1 else (*LOGITS, *WEIGHED)
    if not numbers.asked(names):
        return usual[0], []
    read = [numbers.under(each, names) for each in usual]
    most = max(reading.explains for reading in read)
    tied = [reading for reading in read if reading.explains == most]
    closest = (
        [numbers.under(each.settings, names, ROUNDED).explains for each in tied] if len(tied) > 1 else [0]
    )
    common = best = tied[closest.index(max(closest))]
    if not common.plain and numbers.side <= LARGEST_RARE:
        other = [numbers.under(replace(common.settings, scale=scale), names) for scale in (USUAL_SCALE, "1")]
        rival = max([common, *other], key=lambda each: each.explains)
        rare = [numbers.under(each, names) for each in _rare(numbers, bare, evidence)]
        best = max([common, *(each for each in rare if each.beats(rival))], key=lambda each: each.explains)
    was, now = bare[0], best.settings
    open_scale = evidence.said("scale") != now.scale and len(scales) > 1
    found = [Convention("scale", now.scale, evidence.said("scale"), open_scale, *best.counts(open_scale))]
    if now.base != "e" or evidence.said("base") is not None:
        changed = now.base != common.settings.base
        found.append(Convention("base", now.base, evidence.said("base"), changed, *best.counts(changed)))
    if now.mask != was.mask:
        found.append(Convention("mask", _shown(now.mask), None, True, *best.counts()))
    if now.padding is not None and now.padding is not was.padding:
        found.append(Convention("padding", _shown(now.padding), None, True, *best.counts()))
    return now, found


def _shown(mask: str | Given) -> str:
    """A mask in a sentence: its name, or its rows one after the other."""
    return mask if isinstance(mask, str) else " ".join(f"[{', '.join(row)}]" for row in mask.typed)


def _scales(numbers: _Numbers, settings: Settings, evidence: Evidence) -> tuple[str, ...]:
    """The usual scales, the likeliest first: what is declared, and the d_k of the text if it is another."""
    printed = any(base_name(made.name) in ("scaled", "sqrt(d_k)") for made in numbers.prints)
    declared = evidence.said("scale")
    if declared == "1" and not printed:
        return ("1",)
    case = Case("", numbers.given, settings=settings)
    width = sizes_of(case, matrices(case)).get("d_k")
    said = (f"1/sqrt({evidence.d_k})",) if evidence.d_k not in (None, width) else ()
    if declared is not None or printed:
        return (USUAL_SCALE, *said)
    return (USUAL_SCALE, "1", *said)


def _mask(numbers: _Numbers, evidence: Evidence) -> str:
    """`causal` where that is declared or printed, and queries and keys are equally many.

    It is printed where exactly the scores above the diagonal are minus infinity and no weight stands there,
    or where exactly those weights are left out.
    """
    rows = {numbers.given[name].shape[0] for name in ("X", "Q", "K", "V") if name in numbers.given}
    rows |= {
        side for name in ("scores", "scaled") if name in numbers.given for side in numbers.given[name].shape
    }
    if len(rows) != 1:
        return "none"
    later = {(i, j) for i, j in product(range(min(*rows, LARGEST)), repeat=2) if j > i}
    seen = any(made.col > made.row and value(made.num) for made in numbers.asked(["A"]))
    cells = {(made.row, made.col) for made in numbers.asked(["A"])}
    ragged = bool(later) and cells == set(product(range(min(rows)), repeat=2)) - later
    printed = bool(later) and evidence.hidden == later and not seen
    return "causal" if evidence.said("mask") == "causal" or printed or ragged else "none"


def _left_out(numbers: _Numbers) -> frozenset[tuple[int, int]]:
    """The keys for which a row prints no weight although those that it prints are all of one whole."""
    rows: dict[tuple[str, int], dict[int, Fraction]] = {}
    for made in numbers.asked(["A"]):
        rows.setdefault((made.name, made.row), {})[made.col] = value(made.num) or Fraction(0)
    return frozenset(
        (row, col)
        for (_, row), weights in rows.items()
        if len(weights) < numbers.keys <= LARGEST and abs(sum(weights.values(), Fraction(0)) - 1) <= NEAR_ONE
        for col in range(numbers.keys)
        if col not in weights
    )


def _printed_mask(numbers: _Numbers, evidence: Evidence) -> Mapping[str, Any]:
    """The mask that hides what is printed as hidden: a list where that is whole columns, else a matrix."""
    weights = {(made.row, made.col): value(made.num) for made in numbers.asked(["A"])}
    rows = {row for row, _ in (*evidence.hidden, *weights)} | {made.row for made in numbers.asked(["masked"])}
    keys = max(numbers.keys, *(col + 1 for _, col in (*evidence.hidden, *weights)), 0)
    said = "mask" in evidence.given or "padding" in evidence.given
    if not evidence.hidden or said or any(weights.get(at) for at in evidence.hidden) or keys > LARGEST:
        return {}
    columns = {col for _, col in evidence.hidden}
    if len(columns) * len(rows) == len(evidence.hidden):
        return {"padding": _bits([[col not in columns for col in range(keys)]])}
    return {
        "mask": _bits([[(i, j) not in evidence.hidden for j in range(keys)] for i in range(numbers.queries)])
    }


def _bits(rows: Sequence[Sequence[bool]]) -> Given:
    """A matrix of 1 where a key is seen, and 0 where it is hidden."""
    typed = tuple(tuple("1" if seen else "0" for seen in row) for row in rows)
    return Given(typed, Matrix.rational([[int(seen) for seen in row] for row in rows]))


def _rare(numbers: _Numbers, usual: Sequence[Settings], evidence: Evidence) -> Iterator[Settings]:
    """The usual settings with another base, with a mask that the printed zeros suggest, or with both."""
    open_base = evidence.said("base") is None and "base" not in evidence.given
    masks = _masks(numbers, evidence) if _unmasked(usual[0], evidence) else ()
    for settings, base in product(usual, ("e", "2", "10") if open_base else ("",)):
        based = replace(settings, base=base or settings.base)
        if based != settings:
            yield based
        yield from (replace(based, **mask) for mask in masks)


def _unmasked(settings: Settings, evidence: Evidence) -> bool:
    """Whether it is open which keys are hidden."""
    if evidence.said("mask") is not None or "mask" in evidence.given or "padding" in evidence.given:
        return False
    return settings.mask == "none" and settings.padding is None


def _masks(numbers: _Numbers, evidence: Evidence) -> tuple[Mapping[str, Any], ...]:
    """The masks that hide exactly the keys whose weights are printed as 0, or scores as minus infinity."""
    weights = [made for made in numbers.prints if base_name(made.name) in ("exp", "A")]
    zeros = evidence.hidden | {(made.row, made.col) for made in weights if value(made.num) == 0}
    zeros -= {(made.row, made.col) for made in weights if value(made.num)}  # small, and hidden by no mask
    if not zeros:
        return ()
    rows = {made.row for made in weights} | {row for row, _ in evidence.hidden}
    keys = max(col for _, col in zeros | {(made.row, made.col) for made in weights}) + 1
    columns = [col for col in range(keys) if all((row, col) in zeros for row in rows)]
    found: list[Mapping[str, Any]] = []
    if all(col > row for row, col in zeros):
        found.append({"mask": "causal"})
    if evidence.said("masked") and rows == set(range(len(rows))):
        found.append({"mask": _bits([[(i, j) not in zeros for j in range(keys)] for i in range(len(rows))])})
    if len(columns) * len(rows) == len(zeros):
        found.append({"padding": _bits([[col not in columns for col in range(keys)]])})
    return tuple(found)
