"""The usual ways of computing attention, simulated: sums in float32, rounded as kernels do."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from symattn.golden.formats import Floats, Format
from symattn.golden.inputs import Head
from symattn.text.bilingual import Bilingual


class Sound(Struct, frozen=True):
    """A way of computing. `block`: keys of a block of an online softmax, 0 for all at once."""

    name: Bilingual
    block: int = 0
    stored: bool = False
    """Whether weights are rounded to the format before P V."""
    stored_scale: bool = False
    reverse: bool = False

    def compute(self, head: Head, form: Format) -> tuple[Floats, Floats]:
        """o (n, e), rounded to the format, and the log-sum-exps (n, 1)."""
        kind: Any = np.float64 if form.precision == 53 else np.float32
        rows = slice(0, len(head.q))
        q, k, v = (np.asarray(x, kind) for x in (head.q, head.k, head.v))
        scale = np.array(float(head.scale.ball()))
        s = q @ k.T * (form.rounded(scale) if self.stored_scale else scale).astype(kind)
        if head.softcap is not None:
            s = kind(head.softcap) * np.tanh(s / kind(head.softcap))
        bias = head.bias(rows)
        s = s if bias is None else s + bias.astype(kind)
        s = np.where(head.visible(rows), s, kind(-np.inf))
        if self.reverse:
            s, v = s[:, ::-1], v[::-1]
        o, lse = self._softmax(s, v, form, kind)
        return form.rounded(o.astype(np.float64)), lse.astype(np.float64)

    def _softmax(self, s: Any, v: Any, form: Format, kind: Any) -> tuple[Any, Any]:
        top = np.full((len(s), 1), -np.inf, kind)
        total, mixed = np.zeros((len(s), 1), kind), np.zeros((len(s), v.shape[1]), kind)
        step = self.block or len(v)
        for at in range(0, len(v), step):
            part = s[:, at : at + step]
            new = np.maximum(top, part.max(axis=1, keepdims=True))
            safe = np.where(np.isneginf(new), kind(0), new)
            e, again = np.exp(part - safe), np.exp(top - safe)
            total = total * again + e.sum(axis=1, keepdims=True, dtype=kind)
            used = form.rounded(e.astype(np.float64)).astype(kind) if self.stored else e
            mixed, top = mixed * again + used @ v[at : at + step], new
        return mixed / np.where(total > 0, total, kind(1)), top + np.log(total)


_WHOLE = Sound(Bilingual("whole softmax", "整行 softmax"))
_ONLINE = Sound(
    Bilingual("online softmax, blocks of 64, P rounded", "分块（64）在线 softmax，P 先舍入"), 64, True
)
WAYS = (
    _WHOLE,
    replace(_WHOLE, name=Bilingual("keys in reverse", "键的顺序相反"), reverse=True),
    replace(_WHOLE, name=Bilingual("P rounded to the format", "P 先舍入到该格式"), stored=True),
    Sound(Bilingual("online softmax, blocks of 16", "分块（16）在线 softmax"), 16),
    _ONLINE,
    replace(
        _ONLINE,
        name=Bilingual("online, scale rounded to the format", "在线 softmax，缩放因子先舍入"),
        stored_scale=True,
    ),
)
