"""Operations: one file an operation. The contract test walks this tuple; a new one is added here."""

from symattn.ops.add import Add
from symattn.ops.exponential import Exponential
from symattn.ops.heads import Columns, Concatenate
from symattn.ops.mask import Mask
from symattn.ops.normalise import Normalise
from symattn.ops.positions import Sinusoidal
from symattn.ops.project import Project
from symattn.ops.row_sums import RowSums
from symattn.ops.scale import Scale
from symattn.ops.scores import Scores
from symattn.ops.weigh import Weigh

OPERATIONS = (
    Sinusoidal,
    Add,
    Project,
    Columns,
    Scores,
    Scale,
    Mask,
    Exponential,
    RowSums,
    Normalise,
    Weigh,
    Concatenate,
)

__all__ = [*(operation.__name__ for operation in OPERATIONS), "OPERATIONS"]
