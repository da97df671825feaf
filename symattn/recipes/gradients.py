"""What each operation hands back: the gradients of its arguments from the gradient of its result.

Rumelhart, Hinton and Williams 1986 for the chain rule; the operations name the sources of their formulas.
A rule is all that a new forward operation needs to be differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from symattn.errors import UnusableValue
from symattn.exact.matrix import Shape
from symattn.operation import Operation
from symattn.ops.activation import Gelu, Relu
from symattn.ops.activation_backward import GeluBackward, ReluBackward
from symattn.ops.add import Add
from symattn.ops.alibi import Alibi
from symattn.ops.diagonal_sums import DiagonalSums
from symattn.ops.exponential import Exponential
from symattn.ops.gain import ColumnDots, Gained
from symattn.ops.gather import Gather
from symattn.ops.heads import Columns, Concatenate, SharedColumns
from symattn.ops.layer_norm import LayerNorm
from symattn.ops.mask import Mask
from symattn.ops.norm_backward import NormBackward
from symattn.ops.normalise import Normalise
from symattn.ops.normalise_backward import NormaliseBackward
from symattn.ops.pass_on import PassOn
from symattn.ops.project import Project, ProjectVectors
from symattn.ops.relative import RelativeBias
from symattn.ops.rms_norm import RMSNorm
from symattn.ops.rotate import Rotate
from symattn.ops.row_sums import RowSums
from symattn.ops.rows import Rows, Stack
from symattn.ops.scale import Scale
from symattn.ops.scores import Scores
from symattn.ops.sink import SinkSums
from symattn.ops.sink_backward import SinkBackward
from symattn.ops.softcap import Softcap
from symattn.ops.softcap_backward import SoftcapBackward
from symattn.ops.softmax_backward import SoftmaxBackward
from symattn.ops.temper import Temper
from symattn.ops.unit_rows import UnitRows
from symattn.ops.weigh import Weigh
from symattn.plan import Line, Plan, base_name, downstream, head_of
from symattn.turned import on_rows


@dataclass(frozen=True, slots=True)
class Share:
    """What one line contributes to the gradient of `of`: `op(args)`, after the lines of `before`.

    Shares with a `piece` are gradients of some of the columns, from the column `piece` on; the others
    are gradients of the whole. Without `op` the gradient of the line itself is the share.
    """

    of: str
    op: Operation | None
    args: tuple[str, ...] = ()
    piece: int | None = None
    before: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Forward:
    """The forward walk, as far as a rule looks at it: its lines by name, and the shapes of all values."""

    lines: Mapping[str, Line]
    shapes: Mapping[str, Shape]


Shares = tuple[Share, ...]
Rule = Callable[[Line, str, Forward], Shares]
"""From a line, the name of the gradient of its result, and the forward walk."""


def slope(name: str) -> str:
    """The name of a gradient: `head1.dQ` for `head1.Q`; that of X + PE is the gradient of X."""
    tag, base = head_of(name), "X" if base_name(name) == "X+PE" else base_name(name)
    return f"{tag}.d{base}" if tag else f"d{base}"


def differentiated(plan: Plan, given: Collection[str]) -> str | None:
    """The name of what is differentiated: the loss, or the value whose gradient is given."""
    starts = [line.name for line in plan if line.name == "loss" or slope(line.name) in given]
    return starts[-1] if starts else None


def past_givens(plan: Plan, given: Collection[str]) -> frozenset[str]:
    """The gradients behind weights, exponentials or sums that are given and not computed from scores.

    The backward pass takes what is given for the softmax of the scores; the forward computation does not.
    """
    behind = (SoftmaxBackward, NormaliseBackward, SinkBackward)
    starts = set()
    for line in plan:
        if isinstance(on_rows(line.op), behind):
            weights = line.args[0]
            tag = weights.removesuffix(base_name(weights))
            if any(name in given for quantity in ("A", "exp", "sum") for name in (quantity, tag + quantity)):
                starts.add(line.name)
    return downstream(plan, starts)


def shares(line: Line, forward: Forward) -> Shares:
    """What a line hands back. Raises UnusableValue for an operation that is not differentiated."""
    rule = RULES.get(type(line.op))
    if rule is None:
        raise _refused(line)
    return rule(line, slope(line.name), forward)


def _refused(line: Line) -> UnusableValue:
    return UnusableValue(
        f"a backward pass through {line.name}, which is not differentiated",
        f"give {line.name} itself, and its gradient goes no further back",
    )


def _project(line: Line, g: str, _: Forward) -> Shares:
    """dW = X^T g and dX = g W^T for X W; dW = g^T X and dX = g W for X W^T."""
    assert isinstance(line.op, Project)
    (x, w, *bias), turned = line.args, line.op.transposed
    return (
        Share(w, Gather(), (g, x) if turned else (x, g)),
        *(Share(b, RowSums(over="columns"), (g,)) for b in bias),
        Share(x, Project(not turned, 0), (g, w)),
    )


def _scores(line: Line, g: str, _: Forward) -> Shares:
    q, k = line.args
    return Share(q, Weigh(), (g, k)), Share(k, Gather(), (g, q))


def _weigh(line: Line, g: str, _: Forward) -> Shares:
    a, v = line.args
    return Share(v, Gather(), (a, g)), Share(a, Scores(), (g, v))


def _weights(line: Line, g: str, forward: Forward) -> Shares:
    """From the weights to what was divided by its row sums, at once; past the exponentials of a softmax."""
    power, sums = (forward.lines.get(name) for name in line.args)
    if power is None or sums is None:
        raise _refused(line)
    if not isinstance(power.op, Exponential):
        return (Share(power.name, NormaliseBackward(), (line.name, g, sums.name)),)
    base = power.op.base
    shares = [Share(power.args[0], SoftmaxBackward(base), (line.name, g))]
    if isinstance(sums.op, SinkSums):
        sink = sums.args[1]
        piece = sums.op.head if forward.shapes[sink][1] > 1 else None
        shares.append(Share(sink, SinkBackward(base), (line.name, g), piece))
    return tuple(shares)


def _summand(line: Line, g: str, _: Forward) -> Shares:
    """The scores below a mask or a bias."""
    return (Share(line.args[0], PassOn(), (g,)),)


def _add(line: Line, g: str, _: Forward) -> Shares:
    """Both summands; positions that are added to X have no gradient of their own."""
    return () if base_name(line.name) == "X+PE" else tuple(Share(x, PassOn(), (g,)) for x in line.args)


def _relative(line: Line, g: str, forward: Forward) -> Shares:
    assert isinstance(line.op, RelativeBias)
    table = line.args[1]
    sums = DiagonalSums(forward.shapes[table][1], line.op.offset)
    return *_summand(line, g, forward), Share(table, sums, (g,))


def _same(line: Line, g: str, _: Forward) -> Shares:
    """A multiple: the gradient is multiplied likewise."""
    return (Share(line.args[0], line.op, (g,)),)


def _softcap(line: Line, g: str, _: Forward) -> Shares:
    assert isinstance(line.op, Softcap)
    return (Share(line.args[0], SoftcapBackward(line.op.cap), (line.name, g)),)


def _rotate(line: Line, g: str, _: Forward) -> Shares:
    """A rotation transposed is the rotation the other way."""
    assert isinstance(line.op, Rotate)
    return (Share(line.args[0], replace(line.op, sense=-line.op.sense), (g,)),)


def _concatenate(line: Line, g: str, forward: Forward) -> Shares:
    shares, start = [], 0
    for name in line.args:
        stop = start + forward.shapes[name][1]
        shares.append(Share(name, Columns(start, stop), (g,)))
        start = stop
    return tuple(shares)


def _columns(line: Line, g: str, _: Forward) -> Shares:
    assert isinstance(line.op, Columns)
    return (Share(line.args[0], None, (), line.op.start),)


def _stack(line: Line, g: str, forward: Forward) -> Shares:
    """Rows one below the other: each part has its rows of the gradient."""
    shares, start = [], 0
    for name in line.args:
        stop = start + forward.shapes[name][0]
        shares.append(Share(name, Rows(start, stop), (g,)))
        start = stop
    return tuple(shares)


def _unit(line: Line, g: str, _: Forward) -> Shares:
    return (Share(line.args[0], NormBackward("unit"), (line.args[0], line.name, g)),)


def _norm(line: Line, g: str, _: Forward) -> Shares:
    """A norm of rows; with a gain, the rows before it come first, and their gradient."""
    assert isinstance(line.op, LayerNorm | RMSNorm)
    x, *scales = line.args
    back = NormBackward("layer" if isinstance(line.op, LayerNorm) else "rms", line.op.epsilon)
    if not scales:
        return (Share(x, back, (x, line.name, g)),)
    rows = line.name.replace("norm_", "unit_")
    before = (Line(rows, line.op, (x,)), Line(slope(rows), Gained(), (g, scales[0])))
    return (
        Share(scales[0], ColumnDots(), (g, rows), before=before),
        *(Share(shift, RowSums(over="columns"), (g,)) for shift in scales[1:]),
        Share(x, back, (x, rows, slope(rows))),
    )


def _entrywise(op: Operation) -> Rule:
    """An activation, whose slope is taken at its argument."""
    return lambda line, g, _: (Share(line.args[0], op, (line.args[0], g)),)


RULES: Mapping[type[Operation], Rule] = MappingProxyType(
    {
        Project: _project,
        ProjectVectors: _project,
        Scores: _scores,
        Weigh: _weigh,
        Normalise: _weights,
        Mask: _summand,
        Alibi: _summand,
        RelativeBias: _relative,
        Add: _add,
        Scale: _same,
        Temper: _same,
        Softcap: _softcap,
        Rotate: _rotate,
        Concatenate: _concatenate,
        Stack: _stack,
        Columns: _columns,
        SharedColumns: _columns,
        UnitRows: _unit,
        LayerNorm: _norm,
        RMSNorm: _norm,
        Relu: _entrywise(ReluBackward()),
        Gelu: _entrywise(GeluBackward()),
    }
)
"""The operations that are differentiated."""
