"""How an author holds and prints numbers: keeps the digits, rounds at every step, truncates, or mixes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from random import Random

from benchmarks.injection.arithmetic import Grid, Step
from benchmarks.injection.habits import adding_up, in_single_precision
from benchmarks.injection.steps import carried_out
from benchmarks.injection.world import World

NOISE = Decimal(1).scaleb(-40)
"""What the last of the 60 digits that are calculated with leave uncertain."""
ENDING = ("project", "columns", "scores", "stack", "add")
"""Steps that make whole numbers of whole numbers."""
STYLES = ("keeps", "rounds", "truncates", "mixes by quantity", "mixes by number")


@dataclass(frozen=True)
class Author:
    """`places` says how many decimals each printed quantity gets; the rest is drawn from `seed`.

    A `habit` is one of those in `benchmarks.injection.habits`; `coarse` are the decimals to which results
    that are not printed are rounded for one.
    """

    style: str
    seed: int
    places: dict[str, int]
    rounding: str
    stripped: bool
    pocket: int | None
    """Spare digits of results that are not printed; None keeps them all."""
    habit: str = ""
    coarse: Mapping[str, int] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """What this author is counted as."""
        return self.habit or self.style

    def carried_out(self, step: Step, args: list[Grid], slip: str = "") -> Grid:
        """A step as this author carries it out."""
        single = self.habit == "calculates in single precision" and not slip
        return (in_single_precision(step, args) if single else None) or carried_out(step, args, slip)

    def row(self, name: str, values: Sequence[Decimal]) -> list[str]:
        """The characters of a row of results."""
        texts = [self.printed(name, value) for value in values]
        weights = self.habit == "makes weights add up to one" and name.endswith("A")
        return adding_up(texts, values) if weights else texts

    def printed(self, name: str, value: Decimal, places: int | None = None) -> str:
        """The characters of a value as this author prints it."""
        d = self.places[name] if places is None else places
        text = f"{self._kept(value, d):f}"
        if Decimal(text) == 0:
            text = text.lstrip("-")
        if self.stripped and "." in text:
            text = text.rstrip("0").rstrip(".")
        return text

    def held(self, name: str, i: int, j: int, value: Decimal) -> Decimal:
        """What the author goes on with after arriving at `value` for an entry."""
        if not value.is_finite():
            return value
        if name in self.coarse:
            return self._kept(value, self.coarse[name])
        if name not in self.places:
            return (
                value if self.pocket is None else self._kept(value, max(self.places.values()) + self.pocket)
            )
        spare = self._spare(name, i, j)
        return value if spare is None else self._kept(value, self.places[name] + spare)

    def rounds(self, name: str, i: int, j: int) -> bool:
        """Whether the author goes on from just what stands on paper."""
        return self._spare(name, i, j) == 0

    def _kept(self, value: Decimal, places: int) -> Decimal:
        settled = value.quantize(NOISE)  # 1/3 + 1/3 + 1/3 is 1, and not 0.999..., to be cut off
        return settled.quantize(Decimal(1).scaleb(-places), rounding=self.rounding)

    def _spare(self, name: str, i: int, j: int) -> int | None:
        """The digits held beyond the printed ones; None for all."""
        if self.style == "keeps":
            return None
        if self.style == "rounds":
            return 0
        where = f"{self.seed}:{name}" if self.style != "mixes by number" else f"{self.seed}:{name}:{i}:{j}"
        options = (None, 0) if self.style == "truncates" else (None, 0, 0, 1, 2)
        return Random(where).choice(options)


def wholes(world: World, ending: Collection[str] = ENDING) -> set[str]:
    """The quantities that are made of whole numbers, by steps of the kinds `ending`."""
    whole = {name for name, rows in world.given.items() if all("." not in a for row in rows for a in row)}
    for step in world.steps:
        if step.kind in ending and whole.issuperset(step.args):
            whole.add(step.name)
    return whole


def random_author(rng: Random, world: World) -> Author:
    """An author for this world: a style, the decimals of each quantity, which quantities are printed."""
    style = rng.choice(STYLES)
    d = rng.randint(1, 4)
    whole = wholes(world)
    places = {}
    for step in world.steps:
        if step.kind == "mask":
            continue
        if step.kind == "scale" and world.scale == "1":
            continue
        chance = {"columns": 0.5, "root": 0.4, "exp": 0.65, "sum": 0.5, "concat": 0.7}.get(step.kind, 0.9)
        if rng.random() < chance:
            places[step.name] = d + rng.choice((0, 0, 0, 0, 0, 1)) if d < 4 else d
        if step.name in whole and step.name in places:
            places[step.name] = 0
    if not places:
        places[world.steps[-1].name] = d
    return Author(
        style,
        rng.getrandbits(32),
        places,
        ROUND_DOWN if style == "truncates" else rng.choice((ROUND_HALF_UP, ROUND_HALF_UP, ROUND_HALF_EVEN)),
        rng.random() < 0.12,
        None if style in ("keeps", "rounds", "truncates") or rng.random() < 0.6 else 2,
    )
