"""Operations, those that belong together in one file. The contract test covers this tuple; add new ones."""

from symattn.plans.ops.activation import Gelu, GeluBackward, Relu, ReluBackward
from symattn.plans.ops.add import Add, PassOn
from symattn.plans.ops.alibi import Alibi
from symattn.plans.ops.blocks import Columns, Concatenate, Rows, SharedColumns, Stack
from symattn.plans.ops.exponential import Exponential
from symattn.plans.ops.jacobians import KeyJacobian, SoftmaxJacobian, ValueJacobian
from symattn.plans.ops.layer_norm import LayerNorm
from symattn.plans.ops.loss import CrossEntropy, Difference, HalfSquares, Ones, Probabilities
from symattn.plans.ops.mask import Mask
from symattn.plans.ops.norm_backward import ColumnDots, Gained, NormBackward
from symattn.plans.ops.normalise import Normalise
from symattn.plans.ops.positions import Sinusoidal
from symattn.plans.ops.products import Scores, TransposedProduct, WeightedSum
from symattn.plans.ops.project import Project, ProjectVectors
from symattn.plans.ops.relative import DiagonalSums, RelativeBias
from symattn.plans.ops.rms_norm import RMSNorm, UnitRows
from symattn.plans.ops.rotate import Rotate
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.ops.running import RunningMaximum, RunningOutput, RunningSink, RunningSum
from symattn.plans.ops.scale import Scale
from symattn.plans.ops.shifted import Shifted
from symattn.plans.ops.sigmoid import Hadamard, Sigmoid, SigmoidBackward
from symattn.plans.ops.sink import SinkBackward, SinkSums
from symattn.plans.ops.softmax_backward import NormaliseBackward, SoftmaxBackward

OPERATIONS = (
    Sinusoidal,
    Add,
    Project,
    ProjectVectors,
    Columns,
    SharedColumns,
    LayerNorm,
    RMSNorm,
    UnitRows,
    Rotate,
    Scores,
    Scale,
    Alibi,
    RelativeBias,
    Mask,
    Exponential,
    RowSums,
    SinkSums,
    Normalise,
    WeightedSum,
    Rows,
    Stack,
    RunningMaximum,
    Shifted,
    RunningSum,
    RunningOutput,
    RunningSink,
    Concatenate,
    Relu,
    Gelu,
    TransposedProduct,
    SoftmaxBackward,
    NormaliseBackward,
    SoftmaxJacobian,
    KeyJacobian,
    ValueJacobian,
    SinkBackward,
    PassOn,
    DiagonalSums,
    NormBackward,
    Gained,
    ColumnDots,
    ReluBackward,
    GeluBackward,
    Ones,
    Difference,
    HalfSquares,
    Probabilities,
    CrossEntropy,
    Sigmoid,
    SigmoidBackward,
    Hadamard,
)

__all__ = [*(operation.__name__ for operation in OPERATIONS), "OPERATIONS"]
