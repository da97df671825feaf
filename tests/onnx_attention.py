"""The node tests of ONNX `Attention`, as cases of our own: every float an exact dyadic rational.

The files come with the onnx package. A node test is one case a batch, with all its heads; where its
mask differs from head to head, one case a head. Nothing is computed here but the case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from msgspec.structs import replace
from onnx import numpy_helper

from symattn.attention.case import Case, Given, Settings
from symattn.attention.recipes.attention import attention, values
from symattn.exact.matrix import Matrix
from symattn.exact.number import MINUS_INFINITY, Exact
from symattn.plans.derive import Derivation, derive
from symattn.plans.ops.mask import causal

ROOT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "node"
BITS = 96
MODES = ("scaled", "capped", "masked", "A")
"""What `qk_matmul_output_mode` 0 to 3 shows, by the names of the walk."""

Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class NodeTest:
    """One node test: its attributes, its inputs and expected outputs by name."""

    name: str
    attributes: Arrays
    inputs: Arrays
    outputs: Arrays

    @property
    def dtype(self) -> Any:
        return self.outputs["Y"].dtype

    @property
    def heads(self) -> tuple[int, int]:
        """The heads of the queries, and those of keys and values."""
        q, k = self.inputs["Q"], self.inputs["K"]
        if q.ndim == 4:
            return q.shape[1], k.shape[1]
        return self.attributes["q_num_heads"], self.attributes["kv_num_heads"]

    @property
    def past(self) -> int:
        """How many keys come from the cache."""
        return self.inputs["past_key"].shape[2] if "past_key" in self.inputs else 0


def names() -> list[str]:
    """Every node test whose graph is one `Attention` node."""
    return [
        path.name
        for path in sorted(ROOT.glob("test_attention_*"))
        if [node.op_type for node in onnx.load(path / "model.onnx").graph.node] == ["Attention"]
    ]


def expanded() -> list[str]:
    """The node tests whose graph writes `Attention` out in other operators."""
    return sorted(path.name for path in ROOT.glob("test_attention_*_expanded"))


def load(name: str) -> NodeTest:
    """A node test from its files."""
    (node,) = onnx.load(ROOT / name / "model.onnx").graph.node
    folder = ROOT / name / "test_data_set_0"
    read: dict[str, list[Any]] = {"input": [], "output": []}
    for kind, found in read.items():
        for k in range(len(list(folder.glob(f"{kind}_*.pb")))):
            tensor = onnx.TensorProto()
            tensor.ParseFromString((folder / f"{kind}_{k}.pb").read_bytes())
            found.append(numpy_helper.to_array(tensor))
    return NodeTest(
        name,
        {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute},
        dict(zip([x for x in node.input if x], read["input"], strict=True)),
        dict(zip([x for x in node.output if x], read["output"], strict=True)),
    )


def by_head(array: Any, heads: int) -> Any:
    """(batch, heads, n, d) of a tensor that may be (batch, n, heads d)."""
    if array.ndim == 4:
        return array
    batch, n, width = array.shape
    return array.reshape(batch, n, heads, width // heads).transpose(0, 2, 1, 3)


def side_by_side(array: Any) -> Any:
    """(n, heads d) of (heads, n, d)."""
    return np.concatenate(list(array), axis=1)


def exact(array: Any) -> Matrix:
    """A matrix of floats as what they are: dyadic rationals, or minus infinity."""
    rows = [[float(x) for x in row] for row in array]
    if all(np.isfinite(x) for row in rows for x in row):
        return Matrix.rational([[Fraction(x) for x in row] for row in rows])
    return Matrix.of(
        [[MINUS_INFINITY if x == -np.inf else Exact.of(Fraction(x)) for x in row] for row in rows]
    )


def mask_of(test: NodeTest, n_q: int, n: int) -> Any | None:
    """The additive mask (batch, heads, n_q, n) that the inputs give, without the causal one."""
    mask = test.inputs.get("attn_mask")
    batch, (heads, _) = test.inputs["Q"].shape[0], test.heads
    if mask is None:
        return None
    if mask.dtype == np.bool_:
        mask = np.where(mask, 0.0, -np.inf)
    missing = n - mask.shape[-1]
    mask = np.pad(
        mask.astype(np.float64), [(0, 0)] * (mask.ndim - 1) + [(0, missing)], constant_values=-np.inf
    )
    return np.broadcast_to(mask, (batch, heads, n_q, n))


def cases(test: NodeTest) -> Iterator[tuple[int, slice, Case]]:
    """The batch, the heads and the case of every walk that a node test asks for."""
    heads, shared = test.heads
    q, k, v = (
        by_head(test.inputs[name], count) for name, count in (("Q", heads), ("K", shared), ("V", shared))
    )
    if "past_key" in test.inputs:
        k = np.concatenate((test.inputs["past_key"], k), axis=2)
        v = np.concatenate((test.inputs["past_value"], v), axis=2)
    n_q, n = q.shape[2], k.shape[2]
    mask = mask_of(test, n_q, n)
    run = heads // shared
    for batch in range(q.shape[0]):
        alike = mask is None or bool(np.all(mask[batch] == mask[batch][:1]))
        for part in [slice(0, heads)] if alike else [slice(h, h + 1) for h in range(heads)]:
            keys = slice(0, shared) if alike else slice(part.start // run, part.start // run + 1)
            given = {
                "Q": exact(side_by_side(q[batch][part])),
                "K": exact(side_by_side(k[batch][keys])),
                "V": exact(side_by_side(v[batch][keys])),
            }
            settings = conventions(test, batch, None if mask is None else mask[batch][part][0], (n_q, n))
            count = part.stop - part.start
            settings = replace(settings, heads=count, kv_heads=keys.stop - keys.start if count > 1 else None)
            yield (
                batch,
                part,
                Case(test.name, {name: Given((), m) for name, m in given.items()}, settings=settings),
            )


def conventions(test: NodeTest, batch: int, mask: Any | None, size: tuple[int, int]) -> Settings:
    """Scale, softcap and masks of one batch."""
    n_q, n = size
    settings = Settings()
    if "scale" in test.attributes:
        settings = replace(settings, scale=str(Fraction(test.attributes["scale"])))
    if test.attributes.get("softcap"):
        settings = replace(settings, softcap=str(Fraction(test.attributes["softcap"])))
    if "nonpad_kv_seqlen" in test.inputs:
        real = int(test.inputs["nonpad_kv_seqlen"][batch])
        row = Matrix.rational([[int(k < real) for k in range(n)]])
        settings = replace(settings, padding=Given((), row))
    wanted = bool(test.attributes.get("is_causal"))
    if wanted and mask is None and not test.past:
        return replace(settings, mask="causal", align="top-left")
    added = None if mask is None else exact(mask)
    if wanted:
        later = causal(n_q, n, test.past)
        added = later if added is None else added + later
    return settings if added is None else replace(settings, mask=Given((), added))


def walk(case: Case) -> Derivation:
    """The exact walk of a case."""
    return derive(attention(case), values(case))


def distance(matrix: Matrix, expected: Any, dtype: Any) -> float:
    """How far the exact matrix is from the expected floats: in epsilons of their type, relative to the
    largest expected magnitude of the matrix (at least 1). Infinite where one hides a key and the other not.
    """
    largest = float(np.max(np.abs(expected[np.isfinite(expected)]), initial=0))
    unit = float(np.finfo(dtype).eps) * max(1.0, largest)
    worst = 0.0
    for balls, floats in zip(matrix.enclosures(BITS), expected, strict=True):
        for ball, value in zip(balls, floats, strict=True):
            if not ball.is_finite() or not np.isfinite(value):
                if ball.is_finite() or float(value) != -np.inf:
                    return float("inf")
                continue
            worst = max(worst, float(abs(ball - float(value)).upper()) / unit)
    return worst


def compared(test: NodeTest) -> dict[str, float]:
    """The largest distance of each output of a node test from the exact walk."""
    heads, _ = test.heads
    found = dict.fromkeys(test.outputs, 0.0)
    y = by_head(test.outputs["Y"], heads)
    mode = MODES[test.attributes.get("qk_matmul_output_mode", 0)]
    for batch, part, case in cases(test):
        derivation = walk(case)
        joined = derivation["Z" if case.settings.heads == 1 else "concat"]
        found["Y"] = max(found["Y"], distance(joined, side_by_side(y[batch][part]), test.dtype))
        if "qk_matmul_output" in test.outputs:
            shown = test.outputs["qk_matmul_output"][batch][part]
            for h, expected in enumerate(shown):
                tag = "" if case.settings.heads == 1 else f"head{h + 1}."
                # where a step is left out, its taps show the step before
                at = next(tag + s for s in MODES[: MODES.index(mode) + 1][::-1] if tag + s in derivation)
                far = distance(derivation[at], expected, test.dtype)
                found["qk_matmul_output"] = max(found["qk_matmul_output"], far)
        for name, given in (("present_key", "K"), ("present_value", "V")):
            if name in test.outputs and part.start == 0 and part.stop == heads:
                expected = side_by_side(test.outputs[name][batch])
                found[name] = max(found[name], distance(derivation[given], expected, test.dtype))
    return found
