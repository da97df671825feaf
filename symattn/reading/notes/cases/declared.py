"""What a document declares of its conventions, in formulas (`Q = X W_Q`) and in words ("to base 2")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Binary, Name, Transpose, binaries
from symattn.reading.notes.formulas.names import PROJECTIONS, resolve
from symattn.reading.notes.layout.context import Context
from symattn.reading.notes.layout.heard import PADDING

_BASE = re.compile(
    r"\bbase[- ](?P<a>2|10|two|ten)\b|以 ?(?P<b>2|10|二|十) ?为底|\bpowers of (?P<c>2|10|two|ten)\b"
)
_SOFTMAX = re.compile("softmax", re.IGNORECASE)
_NATURAL = re.compile(r"(?<![A-Za-z])(?:exps?(?![A-Za-z])|exponentials?\b|e ?\^|e\*\*)|自然指数")
_NUMBERS = MappingProxyType({"two": "2", "二": "2", "ten": "10", "十": "10"})


@dataclass(frozen=True, slots=True)
class Declaration:
    """A convention that the text declares; `start` is the offset of its words, `of` the weights meant.

    `factors` is where the weights stand in the products that declare it.
    """

    value: str
    start: int
    of: str = ""
    factors: tuple[range, ...] = ()


Declared = Mapping[str, Declaration]


_MASKED = re.compile(r"(?<!no )(?<!without )\bmask(?:s|ed|ing)?\b|掩码|屏蔽|遮罩", re.IGNORECASE)
LAST = "W_O"
MASKED = "masked"
"""What is declared where a text speaks of a mask and does not say which scores it hides."""


def declared(items: Sequence[Item], context: Context) -> Declared:
    """The conventions that a document declares, by their keys; what it declares in two ways is left open."""
    products = [node for item in items for node in binaries(item.node)]
    found = {
        "weights": [each for node in products for each in _product(node)]
        or [each for node in products for each in _last_product(node)],
        "base": list(_bases(context.told)),
    }
    found["positions"] = [each for item in items for node in binaries(item.node) for each in _added(node)]
    scale = context.declares_scale()
    if scale is not None:
        found["scale"] = [Declaration(scale, 0 if scale == "1" else context.root)]
    if context.causal:
        found["mask"] = [Declaration("causal", 0)]
    masked = _MASKED.search(context.told)
    if masked is not None:
        found["masked"] = [Declaration(MASKED, masked.start())]
    if context.temperature is not None:
        found["temperature"] = [Declaration(context.temperature, context.warm)]
    found["padding"] = [Declaration(said[1], said.start(1)) for said in PADDING.finditer(context.told)]
    return {
        key: replace(said[0], factors=tuple(factor for each in said for factor in each.factors))
        for key, said in found.items()
        if len({each.value for each in said}) == 1
    }


def _product(node: Binary) -> Iterator[Declaration]:
    """X W, X W^T or W x, between names."""
    match node:
        case Binary(op="*", left=Name() as x, right=Name() as w) if _is(x, "X") and (of := _weights(w)):
            yield Declaration("right", x.start, of, (range(w.start, w.end),))
        case Binary(op="*", left=Name() as x, right=Transpose(of=Name() as w)) if _is(x, "X") and (
            of := _weights(w)
        ):
            yield Declaration("transposed", x.start, of)
        case Binary(op="*", left=Name() as w, right=Name() as x) if _is(x, "X") and (of := _weights(w)):
            yield Declaration("transposed", w.start, of)


def _last_product(node: Binary) -> Iterator[Declaration]:
    """Z W_O or Z W_O^T, whatever Z is called."""
    match node:
        case Binary(op="*", left=Name() as z, right=Name() as w) if _is(w, LAST):
            yield Declaration("right", z.start, LAST, (range(w.start, w.end),))
        case Binary(op="*", left=Name() as z, right=Transpose(of=Name() as w)) if _is(w, LAST):
            yield Declaration("transposed", z.start, LAST)


def _added(node: Binary) -> Iterator[Declaration]:
    """X + PE."""
    match node:
        case Binary(op="+", left=Name() as x, right=Name() as encoding) if _is(x, "X") and _is(
            encoding, "PE"
        ):
            yield Declaration("sinusoidal", x.start)


def _is(name: Name, wanted: str) -> bool:
    ref = resolve(name)
    return ref is not None and ref.name == wanted


def _weights(name: Name) -> str | None:
    """Which weights a name means; `W` alone means all of them."""
    if name.text == "W" and not name.subs:
        return "W"
    ref = resolve(name)
    return ref.name if ref is not None and ref.name in PROJECTIONS else None


def _bases(text: str) -> Iterator[Declaration]:
    """The bases that are named; who writes exp, e^x or softmax, and no base, means e."""
    others = list(_BASE.finditer(text))
    natural = _NATURAL.search(text) or (None if others else _SOFTMAX.search(text))
    if natural is not None:
        yield Declaration("e", natural.start())
    for said in others:
        number = said["a"] or said["b"] or said["c"]
        yield Declaration(_NUMBERS.get(number, number), said.start())
