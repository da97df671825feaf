"""The conventions of the variants of attention: windows, shared heads, rotations, biases, caps, sinks."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.attention.expressions import positive
from symattn.attention.registry import applying
from symattn.narrate.names import symbol
from symattn.narrate.page import Page
from symattn.narrate.words import SENTENCES
from symattn.plans.kinds import DistanceBias, Rotation
from symattn.text.document import Maths, Prose
from symattn.text.notation import Dots, Negative, Number, Power, Product, Quotient, Sum, Symbol, equation

MOST_ANGLES, MOST_SLOPES = 3, 8
ACTIVATIONS = {"relu": "ReLU", "gelu": "GELU"}


def variants(page: Page) -> Iterator[Prose]:
    """A clause for every convention beyond plain attention that the computation follows."""
    yield from _said(page, "align")
    yield from _window(page)
    yield from _said(page, "padding", "layer")
    yield from _layers(page)
    yield from _said(page, "epsilon_added_to")
    heads, shared = page.case.settings.heads, page.case.settings.kv_heads
    if shared is not None and shared != heads:
        yield page.voice.say("kv-heads", run=heads // shared)
    yield from _said(page, "qk_norm")
    yield from _positions(page)
    yield from _scores(page)
    yield from _said(page, "loss")


def _said(page: Page, *names: str) -> Iterator[Prose]:
    """What there is to say of the values of these keys: of `layer=post-norm`, or of any `padding`."""
    for name in names:
        value = getattr(page.case.settings, name)
        words = f"{name}={value}" if isinstance(value, str) else name
        if value is not None and words in SENTENCES:
            yield page.voice.say(words, value=value)


def _window(page: Page) -> Iterator[Prose]:
    """How many keys a query sees on each side of its own."""
    left, right = page.case.settings.window_left, page.case.settings.window_right
    for value, some, none in (
        (left, "window-left", "window-left-none"),
        (right, "window-right", "window-right-none"),
    ):
        if value is not None:
            yield page.voice.say(some if value else none, value=value)


def _layers(page: Page) -> Iterator[Prose]:
    say, settings = page.voice.say, page.case.settings
    if settings.layer not in ("none", "residual"):
        norm = "RMSNorm" if settings.norm == "rms" else "LayerNorm"
        yield say("layer-parts", norm=norm, activation=ACTIVATIONS[settings.activation])
    if settings.layer != "none" and settings.layers > 1:
        own = any(name.startswith("layer") for name in page.case.given)
        yield say("layer-count-own" if own else "layer-count", count=settings.layers)


def _positions(page: Page) -> Iterator[Prose]:
    say = page.voice.say
    for line in page.by_rows:
        match line.op:
            case Rotation() as rotation:
                yield _rotation(page, rotation, page.by_rows[line.name].shape[1])
                return
            case DistanceBias():
                yield _alibi(page)
                return
    if "relative" in page.derivation.given:
        here, there = (Symbol(index) for index in ("ji" if page.columns else "ij"))
        apart = Sum((there, Negative(here)))
        yield say("relative-bias", r=Maths(symbol("relative")), distance=Maths(apart))


def _scores(page: Page) -> Iterator[Prose]:
    say = page.voice.say
    for variant in applying(page.case):
        for clause in variant.clauses(page.case, page.by_rows.plan, page.numbers.exact):
            parts = {mark: x if isinstance(x, int) else Maths(x) for mark, x in clause.parts.items()}
            yield page.voice.say(clause.text, **parts)
    if "sink" in page.derivation.given:
        yield say("sinks", z=Maths(symbol("sink")))


def _rotation(page: Page, rotation: Rotation, d: int) -> Prose:
    """Which columns are turned, in which pairs, by which angles."""
    say, m = page.voice.say, Symbol("m")
    k = rotation.angles.shape[1]
    which = say("rope-all", d=d) if 2 * k == d else say("rope-first", k=2 * k, d=d)
    theta = theta_of(rotation)
    thetas = [Symbol("theta", sub=Number(str(p + 1))) for p in range(k)] if k > 1 else [theta]
    angles: list[Prose] = [
        (Maths(equation(theta, page.numbers.exact(rotation.angles[0, p]))),)
        for p, theta in enumerate(thetas[:MOST_ANGLES])
    ]
    named = page.voice.listed(angles) if k <= MOST_ANGLES else page.voice.beside([*angles, (Maths(Dots()),)])
    if page.case.settings.angles is None:
        base = page.numbers.exact(positive(page.case, "rotary_base", page.case.settings.rotary_base))
        if k == 1:
            value = page.numbers.exact(rotation.angles[0, 0])
            named = (Maths(equation(theta, Power(base, Number("0")), value)),)
        else:
            apart = Product((Number("2"), Sum((Symbol("p"), Negative(Number("1"))))))
            power = Quotient(Negative(apart), Number(str(2 * k)), flat=True)
            named = say("rope-base", rule=Maths(equation(theta, Power(base, power))), theta=named)
    words = "rope-interleaved" if rotation.interleaved else "rope-half"
    return say(
        words,
        which=which,
        m=Maths(m),
        angle=Maths(Product((m, theta))),
        theta=named,
        start=rotation.start,
        j=Maths(Symbol("j")),
        other=Maths(Sum((Symbol("j"), Number(str(k))))),
    )


def theta_of(rotation: Rotation) -> Symbol:
    """The angle of pair p; of the one pair where there are no more."""
    return Symbol("theta", sub=Symbol("p") if rotation.angles.shape[1] > 1 else None)


def _alibi(page: Page) -> Prose:
    """ALiBi with its slope, or with that of each head."""
    slopes = {
        symbol(line.name).sup: line.op.slope for line in page.by_rows if isinstance(line.op, DistanceBias)
    }
    each: list[Prose] = [
        (Maths(equation(Symbol("m", sup=head), page.numbers.exact(slope))),)
        for head, slope in [*slopes.items()][:MOST_SLOPES]
    ]
    if len(slopes) == 1:
        return page.voice.say("alibi", m=each[0])
    listed = (
        page.voice.listed(each)
        if len(slopes) <= MOST_SLOPES
        else page.voice.beside([*each, (Maths(Dots()),)])
    )
    return page.voice.say("alibi-heads", m=Maths(Symbol("m")), slopes=listed)
