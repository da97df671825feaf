"""The operations that a computation may be put together of line by line, by plain names.

The `[[step]]` tables of a case and the reader of notes make their lines of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from symattn.attention.variants.linear import Hide
from symattn.attention.variants.sparsemax import Sparsemax
from symattn.plans.operation import Operation
from symattn.plans.ops.activation import Gelu, Relu
from symattn.plans.ops.add import Add
from symattn.plans.ops.blocks import Columns, Concatenate, Rows, Stack
from symattn.plans.ops.exponential import Exponential
from symattn.plans.ops.layer_norm import LayerNorm
from symattn.plans.ops.layernorm_parts import Mean
from symattn.plans.ops.loss import Difference
from symattn.plans.ops.mask import Mask
from symattn.plans.ops.normalise import Normalise
from symattn.plans.ops.positions import Sinusoidal
from symattn.plans.ops.products import MatrixProduct, Scores, TransposedProduct, WeightedSum
from symattn.plans.ops.project import Project
from symattn.plans.ops.rms_norm import RMSNorm, UnitRows
from symattn.plans.ops.row_sums import RowSums
from symattn.plans.ops.scale import Scale
from symattn.plans.ops.sigmoid import Hadamard, Sigmoid

OPERATIONS: Mapping[str, type[Operation]] = MappingProxyType(
    {
        "project": Project,
        "scores": Scores,
        "scale": Scale,
        "mask": Mask,
        "hide": Hide,
        "exponential": Exponential,
        "row-sums": RowSums,
        "normalise": Normalise,
        "sparsemax": Sparsemax,
        "weighted-sum": WeightedSum,
        "product": MatrixProduct,
        "transposed-product": TransposedProduct,
        "add": Add,
        "difference": Difference,
        "hadamard": Hadamard,
        "relu": Relu,
        "gelu": Gelu,
        "sigmoid": Sigmoid,
        "mean": Mean,
        "layer-norm": LayerNorm,
        "rms-norm": RMSNorm,
        "unit-rows": UnitRows,
        "rows": Rows,
        "columns": Columns,
        "stack": Stack,
        "concatenate": Concatenate,
        "sinusoidal": Sinusoidal,
    }
)
NAMES: Mapping[type[Operation], str] = MappingProxyType({kind: name for name, kind in OPERATIONS.items()})


def operation(name: str, *parameters: Any, **named: Any) -> Operation:
    """An operation by its name, with its parameters."""
    return OPERATIONS[name](*parameters, **named)


def is_a(op: Operation, name: str) -> bool:
    """Whether an operation is the one of this name."""
    return type(op) is OPERATIONS[name]
