"""The conventions of the variants of attention: windows, shared heads, rotations, biases, caps, sinks."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.attention.registry import applying
from symattn.narrate.names import symbol
from symattn.narrate.page import Page
from symattn.plans.kinds import DistanceBias, Rotation
from symattn.text.document import Maths, Prose
from symattn.text.notation import Negative, Sum, Symbol, equation

LOSSES = {"sum": "loss-sum", "squared": "loss-squared", "cross-entropy": "loss-cross-entropy"}
ACTIVATIONS = {"relu": "ReLU", "gelu": "GELU"}


def variants(page: Page) -> Iterator[Prose]:
    """A clause for every convention beyond plain attention that the computation follows."""
    yield from _masks(page)
    yield from _layers(page)
    if page.case.settings.epsilon_added_to == "deviation":
        yield page.voice.say("epsilon-outside")
    yield from _heads(page)
    yield from _positions(page)
    yield from _scores(page)
    if page.case.settings.loss != "none":
        yield page.voice.say(LOSSES[page.case.settings.loss])


def _masks(page: Page) -> Iterator[Prose]:
    say, settings = page.voice.say, page.case.settings
    if settings.align is not None:
        yield say("aligned-left" if settings.align == "top-left" else "aligned-right")
    if settings.window_left is not None:
        yield say("window-left", left=settings.window_left)
    if settings.window_right is not None:
        yield say("window-right", right=settings.window_right)
    if settings.padding is not None:
        yield say("padding")


def _layers(page: Page) -> Iterator[Prose]:
    say, settings = page.voice.say, page.case.settings
    if settings.layer == "none":
        return
    yield say(
        {"residual": "layer-residual", "post-norm": "layer-post", "pre-norm": "layer-pre"}[settings.layer]
    )
    if settings.layer != "residual":
        norm = "RMSNorm" if settings.norm == "rms" else "LayerNorm"
        yield say("layer-parts", norm=norm, activation=ACTIVATIONS[settings.activation])
    if settings.layers > 1:
        own = any(name.startswith("layer") for name in page.case.given)
        yield say("layer-count-own" if own else "layer-count", count=settings.layers)


def _heads(page: Page) -> Iterator[Prose]:
    settings = page.case.settings
    if settings.kv_heads is not None and settings.kv_heads != settings.heads:
        yield page.voice.say("kv-heads", run=settings.heads // settings.kv_heads)
    if settings.qk_norm != "none":
        yield page.voice.say({"unit": "qk-unit", "rms": "qk-rms"}[settings.qk_norm])


def _positions(page: Page) -> Iterator[Prose]:
    say = page.voice.say
    for line in page.by_rows:
        match line.op:
            case Rotation(interleaved=interleaved, start=start):
                yield say("rope-interleaved" if interleaved else "rope-half", start=start)
                return
            case DistanceBias(slope=slope):
                m = Symbol("m")
                one = page.case.settings.heads == 1
                yield say("alibi", m=Maths(equation(m, page.numbers.exact(slope)) if one else m))
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
