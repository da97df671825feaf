"""What follows attention in an encoder layer: X + Z, its LayerNorm, and the feed-forward part."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.injection.arithmetic import Step
from benchmarks.injection.world import World
from benchmarks.notes.draft import Wanted, usual
from benchmarks.notes.paper import Pieces, joined
from benchmarks.notes.projections import given, quantity
from benchmarks.notes.sections import tell
from benchmarks.notes.writer import Writer

NAMES = {
    "residual_1": ("H", "R", "residual"),
    "norm_1": ("N", "Y", "LN"),
    "widened": ("U", "hidden"),
    "active": ("R_1", "activated"),
    "ffn": ("FFN", "F"),
    "residual_2": ("H_2", "R_2"),
    "norm_2": ("N_2", "Y_2"),
}
STATISTICS = {
    ".mean": (("mean", "μ"), ("均值", "μ"), r"\mu"),
    ".variance": (("variance", "σ²"), ("方差", "σ²"), r"\sigma^2"),
    ".deviation": (("std", "σ"), ("标准差", "σ"), r"\sigma"),
}


def _fits(world: World) -> bool:
    same = world.positions is None and world.shapes[world.steps[-1].name] == world.shapes["X"]
    return usual(world) and same


def _typed(rng: Random, rows: int, columns: int, like: World) -> list[list[str]]:
    """Inputs with as many decimals as those of X."""
    places = max(len(a.partition(".")[2]) for row in like.given["X"] for a in row)
    return [
        [f"{rng.uniform(-1.2, 1.6):.{places}f}".replace("-0.0", "0.0") for _ in range(columns)]
        for _ in range(rows)
    ]


class _Growing:
    """A world to which steps are added one after the other."""

    def __init__(self, world: World, rng: Random) -> None:
        self.rng, self.world = rng, world
        self.given, self.shapes, self.steps = dict(world.given), dict(world.shapes), list(world.steps)
        self.wide = world.shapes["X"]

    def give(self, name: str, rows: int, columns: int) -> str:
        self.given[name] = _typed(self.rng, rows, columns, self.world)
        self.shapes[name] = rows, columns
        return name

    def add(self, name: str, kind: str, *args: str, width: int | None = None) -> None:
        n, d = self.wide
        self.steps.append(Step(name, kind, args, {"transposed": int(self.world.weights == "transposed")}))
        self.shapes[name] = n, d if width is None else width

    def weights(self, name: str, rows: int, columns: int) -> str:
        return self.give(name, *((columns, rows) if self.world.weights == "transposed" else (rows, columns)))

    def norm(self, name: str, source: str, told: bool, scaled: bool) -> None:
        """A norm at once, or with its mean and deviation told; with gain and shift, or without."""
        number, d = name[-1], self.wide[1]
        scales = (self.give(f"gamma_{number}", 1, d), self.give(f"beta_{number}", 1, d)) if scaled else ()
        if not told:
            self.add(name, "norm", source, *scales)
            return
        self.add(f"{name}.mean", "mean", source, width=1)
        self.add(f"{name}.variance", "variance", source, f"{name}.mean", width=1)
        self.add(f"{name}.deviation", "deviation", f"{name}.variance", width=1)
        normalised = f"{name}.normalised" if scaled else name
        self.add(normalised, "centred", source, f"{name}.mean", f"{name}.deviation")
        if scaled:
            self.add(name, "gain", normalised, *scales)

    def done(self, layer: str) -> World:
        return replace(
            self.world,
            given=self.given,
            shapes=self.shapes,
            steps=tuple(self.steps),
            settings={"layer": layer},
        )


def with_norm(rng: Random, world: World) -> World:
    """X + Z, and for two in three its LayerNorm."""
    grown = _Growing(world, rng)
    grown.add("residual_1", "add", "X", world.steps[-1].name)
    if rng.random() < 0.35:
        return grown.done("residual")
    grown.norm("norm_1", "residual_1", rng.random() < 0.6, rng.random() < 0.5)
    return grown.done("post-norm")


def with_feed_forward(rng: Random, world: World) -> World:
    """A whole encoder layer, or its first half and the feed-forward part."""
    grown = _Growing(world, rng)
    d, wide, biased = world.shapes["X"][1], rng.randint(2, 4), rng.random() < 0.6
    grown.add("residual_1", "add", "X", world.steps[-1].name)
    grown.norm("norm_1", "residual_1", rng.random() < 0.3, rng.random() < 0.3)
    one = (grown.give("b_1", 1, wide),) if biased else ()
    grown.add("widened", "project", "norm_1", grown.weights("W_1", d, wide), *one, width=wide)
    grown.add("active", "relu", "widened", width=wide)
    two = (grown.give("b_2", 1, d),) if biased else ()
    grown.add("ffn", "project", "active", grown.weights("W_2", wide, d), *two)
    if rng.random() < 0.6:
        grown.add("residual_2", "add", "norm_1", "ffn")
        grown.norm("norm_2", "residual_2", False, False)
    return grown.done("post-norm")


RESIDUAL = Wanted(fits=_fits, world=with_norm)
FEED_FORWARD = Wanted(fits=_fits, world=with_feed_forward)


LATER = frozenset({"W_1", "b_1", "W_2", "b_2", "gamma_1", "beta_1", "gamma_2", "beta_2"})


def in_a_layer(w: Writer) -> None:
    """The usual walk, and what the layer makes of it."""
    letters = {name: w.rng.choice(kinds) for name, kinds in NAMES.items()}
    if w.rng.random() < 0.3:
        letters["residual_1"] = f"X + {quantity(w, w.draft.steps['residual_1'].args[1])}"
    elif w.tex:
        letters = {name: rf"\text{{{said}}}" if len(said) > 3 else said for name, said in letters.items()}
    letters |= {name: name for name in ("W_1", "W_2")}
    w.dress, w.later = replace(w.dress, names=w.dress.names | letters), LATER
    tell(w)
    world = w.draft.world
    for step in world.steps:
        if step.name in HEADED:
            w.heading(step.name)
        match step.name:
            case "residual_1" | "residual_2":
                _sum(w, step.name, step.args)
            case "norm_1" | "norm_2":
                _norm(w, step.name, next(s.args[0] for s in world.steps if s.name.startswith(step.name)))
            case "widened":
                given(w, [each for each in world.given if each in ("W_1", "b_1", "W_2", "b_2")])
                _projected(w, step.name)
            case "active":
                relu = r"\text{ReLU}" if w.tex else "ReLU"
                _whole(w, step.name, f"{relu}({quantity(w, 'widened')})")
            case "ffn":
                _projected(w, step.name)


HEADED = frozenset({"residual_1", "norm_1", "widened", "residual_2", "norm_2"})


def _row(w: Writer, name: str, i: int) -> str | None:
    """Row i of what goes by a single letter, `h_1`."""
    letter = quantity(w, name)
    return f"{letter.lower()}_{i + 1}" if len(letter) == 1 else None


def _sum(w: Writer, name: str, args: tuple[str, ...]) -> None:
    """`H = X + Z = [[...]]`, or row by row with the summands."""
    d = w.draft
    formula = " + ".join(quantity(w, part) for part in args)
    if name == "residual_1" and d.rows(name) and d.works(name) and w.rng.random() < 0.5:
        for i in d.rows(name):
            start = f"{row} = " if (row := _row(w, name, i)) else ""
            told: Pieces = [f"{start}{w.dress.vector(args[0], i)} + {w.dress.vector(args[1], i)}", " = "]
            told += [*w.vector(d.operands(args[0], i)), " + ", *w.vector(d.operands(args[1], i)), " = "]
            w.group([[*told, *w.vector(d.row(name, i))]])
        if (_row(w, name, 0) or quantity(w, name) == formula) and w.rng.random() < 0.5:
            return
    _whole(w, name, formula)


def _whole(w: Writer, name: str, formula: str) -> None:
    said = quantity(w, name)
    start = said if said == formula else f"{said} = {formula}"
    if w.draft.whole(name):
        w.group([[start, w.equals(), w.block(name, w.rng.random() < 0.3)]])
        return
    w.group([[start]])
    row = _row(w, name, 0)
    if row is not None and w.draft.rows(name):
        w.group([[row, w.equals(), *w.vector(w.draft.row(name, 0))]])


def _projected(w: Writer, name: str) -> None:
    d = w.draft
    source, weights, *bias = d.steps[name].args
    turned = "^T" if d.world.weights == "transposed" else ""
    shift = f" + {quantity(w, bias[0])}" if bias else ""
    short = r" \cdot " if len(quantity(w, source)) > 3 else " "
    sign = short if w.tex else w.dress.times if w.dress.times.strip() else " "
    _whole(w, name, f"{quantity(w, source)}{sign}{quantity(w, weights)}{turned}{shift}")


def _norm(w: Writer, name: str, source: str) -> None:
    d = w.draft
    scaled = f"gamma_{name[-1]}" in d.world.given
    if scaled:
        for letter, key in (("gamma", f"gamma_{name[-1]}"), ("beta", f"beta_{name[-1]}")):
            said = f"\\{letter}" if w.tex else {"gamma": "γ", "beta": "β"}[letter]
            w.group([[said, " = ", *w.vector(d.row(key, 0))]])
    statistics = [each for each in STATISTICS if d.rows(name + each)]
    for i in d.rows(source) or d.rows(name):
        if statistics:
            w.announce(i)
            w.group([_statistic(w, name, each, source, i) for each in statistics])
    plain = f"{name}.normalised"
    if d.rows(plain):
        head = r"\hat{x}" if w.tex else "x̂"
        w.group(
            [[f"{head}_{i + 1}", w.equals(about=True), *w.vector(d.row(plain, i))] for i in d.rows(plain)]
        )
    formula = f"LayerNorm({quantity(w, source)})"
    if w.tex:
        formula = rf"\text{{LayerNorm}}({quantity(w, source)})"
    rows = [row for i in d.rows(name) if (row := _row(w, source, i)) is not None]
    named = _row(w, name, 0) is not None
    if rows and (named or "W_1" not in d.world.given) and w.rng.random() < 0.4:
        told: list[Pieces] = []
        for i, row in enumerate(rows):
            start = f"{_row(w, name, i)} = " if named else ""
            head = start + formula.replace(quantity(w, source), row)
            told.append([head, w.equals(about=True), *w.vector(d.row(name, i))])
        w.group(told)
        return
    _whole(w, name, formula)


def _statistic(w: Writer, name: str, which: str, source: str, i: int) -> Pieces:
    """`μ_1 = (1 + 2 + 3) / 3 = 2`, with its working or without."""
    d, whole = w.draft, name + which
    en, zh, tex = STATISTICS[which]
    said = w.rng.choice(zh if d.zh else en)
    if w.tex:
        said = f"{tex[:-2]}_{i + 1}^2" if which == ".variance" else f"{tex}_{i + 1}"
    told: Pieces = [said, " = "]
    if d.works(whole) and w.rng.random() < 0.7:
        told += [*_worked(w, which, source, name, i), w.equals()]
    return [*told, d.num(whole, i, 0)]


def _worked(w: Writer, which: str, source: str, name: str, i: int) -> Pieces:
    d = w.draft
    if which == ".deviation":
        under = d.operand(f"{name}.variance", i, 0)
        return [r"\sqrt{", under, "}"] if w.tex else w.rng.choice((["√", under], ["sqrt(", under, ")"]))
    row = d.operands(source, i)
    if which == ".mean":
        over = joined(" + ", [w.factor(num) for num in row])
    else:
        mean = d.operand(f"{name}.mean", i, 0)
        square = "^2" if w.tex or w.rng.random() < 0.5 else "²"
        over = joined(" + ", [["(", num, " - ", *w.factor(mean), f"){square}"] for num in row])
    count = str(len(row))
    return [r"\frac{", *over, "}{", count, "}"] if w.tex else ["(", *over, f") / {count}"]
