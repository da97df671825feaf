"""The backward pass of attention: gradients of a loss from its gradient in the output.

Rumelhart, Hinton and Williams 1986 for the chain rule; Dao et al. 2022 (FlashAttention), appendix B.2,
for the formulas of attention.
"""

from __future__ import annotations

from symattn.case import Case
from symattn.errors import UnusableValue
from symattn.operation import Operation
from symattn.ops.add import Add
from symattn.ops.gather import Gather
from symattn.ops.heads import Columns, Concatenate
from symattn.ops.project import Project
from symattn.ops.row_sums import RowSums
from symattn.ops.scores import Scores
from symattn.ops.softmax_backward import SoftmaxBackward
from symattn.ops.weigh import Weigh
from symattn.plan import Line, Plan
from symattn.recipes.positions import embedded
from symattn.recipes.sizes import place


def backward(case: Case, scale: Operation, joined: str, widths: tuple[int, int, int] | None) -> Plan:
    """From `dZ`, `dconcat` or `doutput` back to the inputs and weights; nothing where none is given.

    `joined` is what the heads make together, `widths` those of Q, K and V. Raises UnusableValue for a
    forward walk other than scaled dot-product attention, masked or not, with any number of heads.
    """
    if not {"dZ", "dconcat", "doutput"} & set(case.given):
        return ()
    _supported(case)
    heads, start = case.settings.heads, f"d{joined}"
    lines: list[Line] = []
    if "doutput" in case.given:
        lines.append(Line(start, _back(case), ("doutput", "W_O")))
        lines.append(Line("dW_O", Gather(), _pair(case, joined, "doutput")))
        if "b_O" in case.given:
            lines.append(Line("db_O", RowSums(over="columns"), ("doutput",)))
    if heads == 1:
        lines += _core(scale, "")
    elif widths is not None:
        part = widths[2] // heads
        for head in range(heads):
            tag = f"head{head + 1}."
            lines.append(Line(f"{tag}dZ", Columns(head * part, (head + 1) * part), (start,)))
            lines += _core(scale, tag)
        for name in ("dQ", "dK", "dV"):
            parts = tuple(f"head{head + 1}.{name}" for head in range(heads))
            lines.append(Line(name, Concatenate(), parts))
    return (*lines, *_projections(case))


def _core(scale: Operation, tag: str) -> Plan:
    """One head: through Z = A V, the softmax, the scaling and Q K^T."""

    def of(*names: str) -> tuple[str, ...]:
        return tuple(tag + name for name in names)

    return (
        Line(f"{tag}dV", Gather(), of("A", "dZ")),
        Line(f"{tag}dA", Scores(), of("dZ", "V")),
        Line(f"{tag}dscaled", SoftmaxBackward(), of("A", "dA")),
        Line(f"{tag}dscores", scale, of("dscaled")),
        Line(f"{tag}dQ", Weigh(), of("dscores", "K")),
        Line(f"{tag}dK", Gather(), of("dscores", "Q")),
    )


def _projections(case: Case) -> Plan:
    """Through Q = X W_Q and its like: gradients of weights, biases and inputs."""
    x = embedded(case)
    memory = "memory" if "memory" in case.given else x
    lines: list[Line] = []
    parts: dict[str, list[str]] = {}
    for name, source in (("Q", x), ("K", memory), ("V", memory)):
        if f"W_{name}" not in case.given:
            continue
        lines.append(Line(f"dW_{name}", Gather(), _pair(case, source, f"d{name}")))
        if f"b_{name}" in case.given:
            lines.append(Line(f"db_{name}", RowSums(over="columns"), (f"d{name}",)))
        lines.append(Line(f"dX_{name}", _back(case), (f"d{name}", f"W_{name}")))
        parts.setdefault("X" if source == x else source, []).append(f"dX_{name}")
    for source, names in parts.items():
        whole = names[0]
        for k, name in enumerate(names[1:], 2):
            made = f"d{source}" if k == len(names) else f"dX_{whole[3:]}{name[3:]}"
            lines.append(Line(made, Add(), (whole, name)))
            whole = made
    return tuple(lines)


def _back(case: Case) -> Project:
    """The gradient of X in X W is the gradient times W^T, that of X W^T the gradient times W."""
    return Project(not case.settings.turns_weights, 0)


def _pair(case: Case, source: str, slope: str) -> tuple[str, str]:
    """dW = X^T dQ for Q = X W, and dW = dQ^T X for Q = X W^T."""
    return (slope, source) if case.settings.turns_weights else (source, slope)


def _supported(case: Case) -> None:
    settings = case.settings
    plain = (
        settings.positions in ("none", "sinusoidal")
        and settings.softcap is None
        and settings.temperature is None
        and settings.qk_norm == "none"
        and settings.kernel == "softmax"
        and settings.evaluation == "direct"
        and settings.layer == "none"
        and settings.kv_heads in (None, settings.heads)
        and settings.base == "e"
        and "sink" not in case.given
    )
    if not plain:
        raise UnusableValue(
            "a backward pass through more than scaled dot-product attention",
            "projections, masks, biases and heads are differentiated; leave the other conventions out",
        ).at(file=case.file, key="given", **place(case, "given"))
