"""Operations: one file an operation. The contract test covers this tuple; a new one is added here."""

from symattn.ops.activation import Gelu, Relu
from symattn.ops.activation_backward import GeluBackward, ReluBackward
from symattn.ops.add import Add
from symattn.ops.alibi import Alibi
from symattn.ops.diagonal_sums import DiagonalSums
from symattn.ops.exponential import Exponential
from symattn.ops.gain import ColumnDots, Gained
from symattn.ops.heads import Columns, Concatenate, SharedColumns
from symattn.ops.key_jacobian import KeyJacobian
from symattn.ops.layer_norm import LayerNorm
from symattn.ops.loss import CrossEntropy, Difference, HalfSquares, Ones, Probabilities
from symattn.ops.mask import Mask
from symattn.ops.norm_backward import NormBackward
from symattn.ops.normalise import Normalise
from symattn.ops.normalise_backward import NormaliseBackward
from symattn.ops.pass_on import PassOn
from symattn.ops.positions import Sinusoidal
from symattn.ops.products import Scores, TransposedProduct, WeightedSum
from symattn.ops.project import Project, ProjectVectors
from symattn.ops.relative import RelativeBias
from symattn.ops.rms_norm import RMSNorm
from symattn.ops.rotate import Rotate
from symattn.ops.row_sums import RowSums
from symattn.ops.rows import Rows, Stack
from symattn.ops.running import RunningOutput, RunningSum
from symattn.ops.running_maximum import RunningMaximum
from symattn.ops.running_sink import RunningSink
from symattn.ops.scale import Scale
from symattn.ops.shifted import Shifted
from symattn.ops.sigmoid import Hadamard, Sigmoid, SigmoidBackward
from symattn.ops.sink import SinkSums
from symattn.ops.sink_backward import SinkBackward
from symattn.ops.softmax_backward import SoftmaxBackward
from symattn.ops.softmax_jacobian import SoftmaxJacobian
from symattn.ops.unit_rows import UnitRows
from symattn.ops.value_jacobian import ValueJacobian

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
