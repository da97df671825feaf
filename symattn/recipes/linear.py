"""Linear attention: a feature map in place of the softmax. Katharopoulos et al. 2020, eq. (5) and (6).

Walked directly, A = phi(Q) phi(K)^T over its row sums; walked linearly, phi(K)^T V comes first and no
matrix of n_q by n_k arises. That both agree is what `symattn.proofs` proves. With ReLU for phi and
rational inputs every number is rational.
"""

from __future__ import annotations

from symattn.bilingual import Bilingual
from symattn.errors import UnusableValue
from symattn.ops.activation import Relu
from symattn.ops.normalise import Normalise
from symattn.ops.products import Scores, TransposedProduct, WeightedSum
from symattn.ops.row_sums import RowSums
from symattn.plan import Line, Plan
from symattn.recipes.masks import masked
from symattn.sizes import place
from symattn.variant import Head


def linear(head: Head, q: str, k: str) -> Plan:
    """From one head's queries `q`, keys `k` and V to its Z.

    Raises UnusableValue for what belongs to scores and a softmax: masks, biases, caps, sinks.
    """
    case, tag = head.case, head.tag
    settings = case.settings
    foreign = {
        Bilingual("a mask", "掩码"): masked(case),
        Bilingual("a bias of the scores", "得分偏置"): settings.positions in ("alibi", "relative"),
        Bilingual("a sink", "汇点"): "sink" in case.given,
        Bilingual("a walk by blocks or with a cache", "分块计算或缓存"): settings.evaluation
        in ("online", "cached"),
    }
    for what, there in foreign.items():
        if there:
            raise UnusableValue(
                Bilingual(f"linear attention with {what.en}", f"线性注意力不能与“{what.zh}”同用"),
                Bilingual('kernel = "softmax", or leave it out', '请写 kernel = "softmax"，或不写 kernel'),
            ).at(file=case.file, key="attention.kernel", **place(case, "attention.kernel"))
    q_f, k_f = f"{tag}Q_F", f"{tag}K_F"
    features = (Line(q_f, Relu(), (q,)), Line(k_f, Relu(), (k,)))
    if settings.evaluation == "linear":
        return (
            *features,
            Line(f"{tag}KV", TransposedProduct(), (k_f, f"{tag}V")),
            Line(f"{tag}keys", RowSums(axis=0), (k_f,)),
            Line(f"{tag}mixed", WeightedSum(), (q_f, f"{tag}KV")),
            Line(f"{tag}total", Scores(), (q_f, f"{tag}keys")),
            Line(f"{tag}Z", Normalise(), (f"{tag}mixed", f"{tag}total")),
        )
    return (
        *features,
        Line(f"{tag}scores", Scores(), (q_f, k_f)),
        Line(f"{tag}total", RowSums(), (f"{tag}scores",)),
        Line(f"{tag}A", Normalise(), (f"{tag}scores", f"{tag}total")),
        Line(f"{tag}Z", WeightedSum(), (f"{tag}A", f"{tag}V")),
    )
