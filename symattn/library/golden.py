"""`symattn.golden`, `symattn.ulp_error` and `symattn.assert_within_ulps` for programs and tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symattn.golden import attention
from symattn.golden.attention import Rounded, Target
from symattn.golden.backward import tolerances
from symattn.golden.compare import compare, ulp_errors
from symattn.golden.files import as_array
from symattn.golden.formats import FORMATS, Floats, Format
from symattn.golden.gradients import gradients
from symattn.golden.inputs import Array, Inputs, inputs
from symattn.golden.options import Options
from symattn.golden.report import judged, lines
from symattn.golden.tolerance import Tolerance, beyond, nearest_mistake
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.suggest import instead


class Golden(Mapping[str, Rounded]):
    """Correctly rounded results of attention: `o`, `lse`, and where dO is given `dq`, `dk`, `dv`, `dsinks`.

    Each is a `Rounded`: `values` in float64, `rest` (exact minus rounded), `format` and `codes` (its bits).
    """

    def __init__(self, results: Mapping[str, Rounded], given: Inputs) -> None:
        self._results, self.inputs = dict(results), given

    def __getitem__(self, name: str) -> Rounded:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    @cached_property
    def tolerance(self) -> Tolerance:
        """How far each entry of o may be off, and what mistakes that shows on these inputs."""
        return self.tolerances["o"]

    @cached_property
    def tolerances(self) -> Mapping[str, Tolerance]:
        """The same for every result by its name."""
        return tolerances(self.inputs, self)

    @property
    def o(self) -> Rounded:
        """The output, in the layout of q."""
        return self["o"]

    @property
    def lse(self) -> Rounded:
        """The log-sum-exp of the scores of each row."""
        return self["lse"]


def golden(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    dO: ArrayLike | None = None,
    past_k: ArrayLike | None = None,
    past_v: ArrayLike | None = None,
    nonpad_kv_seqlen: ArrayLike | None = None,
    sinks: ArrayLike | None = None,
    format: str | None = None,
    causal: bool = False,
    scale: str | float | Fraction | None = None,
    softcap: float | None = None,
    heads: int | None = None,
    kv_heads: int | None = None,
    window: int | None = None,
    saturate: bool = False,
) -> Golden:
    """Attention on arrays of floats, exactly, rounded once to `format` (by default that of q).

    With `dO`, the gradient with respect to the output, also dq, dk, dv, and dsinks where there are sinks.

    q (n, d), (heads, n, d), (batches, heads, n, d), or with `heads` (batches, n, heads d); k and v may have
    fewer heads, which are shared. The options are those of the ONNX operator `Attention`; `scale="float32"`
    is 1/sqrt(d) rounded first. `sinks` (heads) are scores without a key, and under `window` a causal query
    sees only the last keys, so many and its own among them. Arrays of NumPy and `ml_dtypes` and tensors of
    PyTorch are taken.

    >>> import numpy as np, symattn
    >>> half = np.float16([[1, 2]])
    >>> symattn.golden(half, half, half).o
    Rounded(float16, [[1., 2.]])

    Raises SymattnError with the name of the array.
    """
    arrays = {
        "q": q,
        "k": k,
        "v": v,
        "mask": mask,
        "dO": dO,
        "past_k": past_k,
        "past_v": past_v,
        "nonpad_kv_seqlen": nonpad_kv_seqlen,
        "sinks": sinks,
    }
    given = inputs(
        {name: _array(x) for name, x in arrays.items() if x is not None},
        Options(causal, scale, softcap, heads, kv_heads, window),
    )
    target = given.format if format is None else _format(format)
    results = dict(attention.golden(given, Target(target, saturate)))
    if given.grad is not None:
        results |= gradients(given, Target(target, saturate))
    return Golden(results, given)


def ulp_error(actual: ArrayLike, golden: Golden | Rounded) -> Floats:
    """`|actual - exact|` in units in the last place of the exact values, for each entry; o of a `Golden`.

    >>> import numpy as np
    >>> right = golden(np.eye(1), np.eye(1), np.eye(1))
    >>> ulp_error([[1 + 2**-52]], right)
    array([[1.]])
    """
    return ulp_errors(_values(actual), golden.o if isinstance(golden, Golden) else golden)


def assert_within_ulps(
    actual: ArrayLike, golden: Golden, ulps: float | None = None, *, name: str = "o"
) -> None:
    """Fails where an entry is further off; the message lists the worst entries with their scores.

    Without `ulps`: where an entry is further off than any sound implementation may be
    (docs/golden.md); the message then names the mistake that gives such an output, if one does.

    >>> import numpy as np
    >>> assert_within_ulps([[1.0]], golden(np.eye(1), np.eye(1), np.eye(1)), ulps=0.5)
    """
    values = _values(actual)
    found = compare(name, values, golden[name], golden.inputs)
    if ulps is not None:
        wrong, verdict = not found.largest <= ulps, f"{found.largest:.4g} ulp, and {ulps:g} are accepted"
    else:
        allowed = golden.tolerances[name]
        count = beyond(values, golden[name], allowed)
        wrong = count > 0
        verdict = judged(name, count, nearest_mistake(values, golden[name], allowed)).en
    if wrong:
        report = "\n".join(lines([found], "en"))
        raise AssertionError(f"{verdict}\n{report}")


def _format(name: str) -> Format:
    if name in FORMATS:
        return FORMATS[name]
    listing = Bilingual(", ".join(FORMATS), "、".join(FORMATS))
    raise UnusableValue(
        Bilingual(f"the format {name[:40]}", f"格式 {name[:40]}"), instead(name, FORMATS, listing)
    )


def _array(x: Any) -> Array:
    """An array with its format; a tensor of PyTorch is brought to NumPy, which lacks some of its types."""
    if not hasattr(x, "detach"):
        return as_array(np.asarray(x))
    one = FORMATS.get(str(x.dtype).removeprefix("torch."))
    plain = x.detach().cpu()
    return as_array(plain.numpy()) if one is None else Array(plain.double().numpy(), one)


def _values(x: Any) -> NDArray[np.float64]:
    return np.asarray(_array(x).values, np.float64)
