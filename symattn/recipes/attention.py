"""Scaled dot-product attention, with one head or several. Vaswani et al. 2017, section 3.2."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from symattn.case import Case, Given
from symattn.errors import MissingGiven, ShapeMismatch, SymattnError, UndefinedSymbol, UnusableValue
from symattn.exact.decision import sign
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact, symbol
from symattn.exact.spell import spell
from symattn.operation import Operation
from symattn.ops.add import Add
from symattn.ops.exponential import Exponential
from symattn.ops.heads import Columns, Concatenate
from symattn.ops.mask import Mask, additive, causal
from symattn.ops.normalise import Normalise
from symattn.ops.positions import Sinusoidal
from symattn.ops.project import Project
from symattn.ops.row_sums import RowSums
from symattn.ops.scale import ROOT_D_K, Scale
from symattn.ops.scores import Scores
from symattn.ops.weigh import Weigh
from symattn.plan import Line, Plan, missing, runnable

Sizes = Mapping[str, int]
DEFAULT_SCALE = "1/sqrt(d_k)"
SIZES = ("d_k", "d_model", "n")


def attention(case: Case) -> Plan:
    """The plan of a case: every line that can be walked from its givens, in the order of the walk.

    Raises MissingGiven where nothing can be computed, UnusableValue for a scale of zero, ShapeMismatch
    where heads do not divide a width.
    """
    given = values(case)
    sizes = _sizes(case, given)
    whole = (*_positions(case, sizes), *_projections(case), *_heads(case, given, sizes))
    plan = runnable(whole, given)
    if not plan:
        wanted = missing(whole, given, "Z" if case.settings.heads == 1 else "concat")
        raise MissingGiven(
            "nothing can be computed from what is given"
            + (f" ({', '.join(given)})" if given else " (the table is empty)"),
            f"add {', '.join(wanted)} under [given], or start later: Q, K and V, or scores and V, or A and V",
        ).at(file=case.file, key="given")
    return plan


def values(case: Case) -> Mapping[str, Matrix]:
    """The exact matrices of a case by name."""
    return MappingProxyType({name: given.values for name, given in case.given.items()})


def _positions(case: Case, sizes: Sizes) -> Plan:
    if case.settings.positions == "none" or "X+PE" in case.given:
        return ()
    if "PE" in case.given:
        return (Line("X+PE", Add(), ("X", "PE")),)
    if "n_q" not in sizes or "d_model" not in sizes:
        raise MissingGiven(
            "positions are asked for, but neither X nor tokens and a width say how many and how wide",
            "give X, or tokens and d_model under [attention]",
        ).at(file=case.file, key="attention.positions", **_place(case, "attention.positions"))
    op = Sinusoidal(sizes["n_q"], sizes["d_model"], case.settings.start)
    return (Line("PE", op, ()), Line("X+PE", Add(), ("X", "PE")))


def _projections(case: Case) -> Plan:
    x = "X" if case.settings.positions == "none" else "X+PE"
    memory = "memory" if "memory" in case.given else x
    op = Project(transposed=case.settings.weights == "transposed")
    lines = []
    for name, source in (("Q", x), ("K", memory), ("V", memory)):
        bias = (f"b_{name}",) if f"b_{name}" in case.given else ()
        lines.append(Line(name, op if bias else Project(op.transposed, 0), (source, f"W_{name}", *bias)))
    return tuple(lines)


def _heads(case: Case, given: Mapping[str, Matrix], sizes: Sizes) -> Plan:
    heads = case.settings.heads
    if heads == 1:
        core = _core(case, given, sizes, "")
        return (*core, *_output(case, "Z"))
    lines: list[Line] = []
    for name in ("Q", "K", "V"):
        width = _width(case, given, name)
        if width is not None and width % heads:
            raise ShapeMismatch(
                f"{name} has {width} columns, which {heads} heads cannot share evenly",
                f"heads must divide {width}",
            ).at(file=case.file, key="attention.heads", **_place(case, "attention.heads"))
    for head in range(heads):
        tag = f"head{head + 1}."
        for name in ("Q", "K", "V"):
            part = (_width(case, given, name) or heads) // heads
            lines.append(Line(tag + name, Columns(head * part, (head + 1) * part), (name,)))
        lines += _core(case, given, sizes, tag)
    lines.append(Line("concat", Concatenate(), tuple(f"head{head + 1}.Z" for head in range(heads))))
    return (*lines, *_output(case, "concat"))


def _core(case: Case, given: Mapping[str, Matrix], sizes: Sizes, tag: str) -> Plan:
    """From one head's Q, K, V to its Z."""
    masked = case.settings.mask != "none"
    logits = f"{tag}masked" if masked else f"{tag}scaled"
    lines = [Line(f"{tag}scores", Scores(), (f"{tag}Q", f"{tag}K"))]
    # without scores the line is not walked, and only says what would have to be given
    scale = _scale(case, sizes) if _scored(case, given) else Scale(Exact.of(1))
    lines.append(Line(f"{tag}scaled", scale, (f"{tag}scores",)))
    if masked:
        lines.append(Line(f"{tag}masked", _mask(case, sizes), (f"{tag}scaled",)))
    lines += [
        Line(f"{tag}exp", _exponential(case), (logits,)),
        Line(f"{tag}sum", RowSums(), (f"{tag}exp",)),
        Line(f"{tag}A", Normalise(), (f"{tag}exp", f"{tag}sum")),
        Line(f"{tag}Z", Weigh(), (f"{tag}A", f"{tag}V")),
    ]
    return tuple(lines)


def _scored(case: Case, given: Mapping[str, Matrix]) -> bool:
    """Whether the walk comes by the scores; where it starts later, no scale is needed."""
    embedded = any(name in given for name in ("X", "X+PE", "memory"))
    return "scores" in given or all(
        name in given or (embedded and f"W_{name}" in given) for name in ("Q", "K")
    )


def _output(case: Case, source: str) -> Plan:
    if "W_O" not in case.given:
        return ()
    transposed = case.settings.weights == "transposed"
    bias = ("b_O",) if "b_O" in case.given else ()
    return (Line("output", Project(transposed, len(bias)), (source, "W_O", *bias)),)


def _scale(case: Case, sizes: Sizes) -> Operation:
    text = case.settings.scale
    place = _place(case, "attention.scale")
    names = {name: Exact.of(size) for name, size in sizes.items()}
    names |= {name: symbol(name) for name in case.symbols}
    try:
        factor = read(text, names)
        if sign(factor) == 0:
            raise UnusableValue("the scale is 0, so every score would vanish", 'use "1" for no scaling')
    except UndefinedSymbol as error:
        unknown = [size for size in SIZES if size not in sizes and re.search(rf"\b{size}\b", text)]
        if not unknown:
            raise error.at(file=case.file, key="attention.scale", **place) from None
        raise UnusableValue(
            f'the scale is "{text}", and nothing given says how large {" or ".join(unknown)} is',
            'write the number itself, scale = "1/sqrt(64)", or "1" for scores that are scaled already',
        ).at(file=case.file, key="attention.scale", **place) from None
    except SymattnError as error:
        raise error.at(file=case.file, key="attention.scale", **place) from None
    triple = (sizes.get("d_k", 0), sizes.get("d_model", 0), sizes.get("n", 0))
    divisor = factor.inverse()
    if "".join(text.split()) == DEFAULT_SCALE and "d_k" in sizes:
        return Scale(divisor, ROOT_D_K, spell(divisor), triple)
    return Scale(divisor, spell(divisor), spell(divisor), triple)


def _mask(case: Case, sizes: Sizes) -> Operation:
    mask = case.settings.mask
    if isinstance(mask, Given):
        return Mask(additive(mask.values))
    # without a known size no scores can be walked to, and the line is left out
    return Mask(causal(sizes.get("n_q", 1), sizes.get("n", 1)))


def _exponential(case: Case) -> Operation:
    if case.settings.base == "e":
        return Exponential()
    place = _place(case, "attention.base")
    try:
        base = read(case.settings.base, {name: symbol(name) for name in case.symbols})
        if sign(base) in (0, -1) or base == Exact.of(1):
            raise UnusableValue(
                f"the base of the softmax is {case.settings.base}", "a base is positive and not 1"
            )
    except SymattnError as error:
        raise error.at(file=case.file, key="attention.base", **place) from None
    return Exponential(base, spell(base))


def _width(case: Case, given: Mapping[str, Matrix], name: str) -> int | None:
    """The number of columns of Q, K or V, from the matrix itself or from its weights."""
    if name in given:
        return given[name].shape[1]
    weights = given.get(f"W_{name}")
    if weights is None:
        return None
    return weights.shape[0 if case.settings.weights == "transposed" else 1]


def _sizes(case: Case, given: Mapping[str, Matrix]) -> Sizes:
    """d_k, d_model, n (keys) and n_q, as far as the givens tell them; d_k is that of one head."""
    sizes: dict[str, int] = {}
    width = _width(case, given, "Q") or _width(case, given, "K")
    if width is not None:
        sizes["d_k"] = max(width // case.settings.heads, 1)
    if "X" in given:
        sizes["d_model"] = given["X"].shape[1]
    elif case.settings.d_model is not None:
        sizes["d_model"] = case.settings.d_model
    for size, sources in (
        ("n", ("memory", "K", "V", "X", "X+PE")),
        ("n_q", ("Q", "X", "X+PE", "scores", "scaled")),
    ):
        known = next((given[name].shape[0] for name in sources if name in given), None)
        if known is not None:
            sizes[size] = known
    for name in ("scores", "scaled", "masked", "A"):
        if name in given:
            sizes["n_q"], sizes["n"] = given[name].shape
    if "n_q" not in sizes and case.tokens:
        sizes["n_q"] = len(case.tokens)
    return MappingProxyType(sizes)


def _place(case: Case, key: str) -> dict[str, int]:
    place = case.places.get(key)
    return {"line": place.line, "column": place.column} if place else {}
