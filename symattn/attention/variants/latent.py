"""Multi-head latent attention: low-rank queries, keys and values, and RoPE on columns apart.

DeepSeek-V2 (2024), section 2.1, eq. (9) to (19): c_KV = X W_DKV, and c_Q = X W_DQ or, without W_DQ, X itself;
keys [c_KV W_UK | RoPE(X W_KR)], the rotary part one for all heads; queries [c_Q W_UQ | RoPE(c_Q W_QR)] and
values c_KV W_UV. Without W_QR and W_KR nothing is rotated. `latent_norm = "rms"` puts the latents through an
RMSNorm (section 3.1.2), with the gains `gamma_Q` and `gamma_KV` where they are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symattn.attention.case import Case
from symattn.attention.expressions import epsilons
from symattn.attention.keys import Key
from symattn.attention.projection import projection
from symattn.attention.quantities import Quantity
from symattn.attention.sizes import Sizes, evenly, width
from symattn.attention.variant import Clause, Head, Spell, Variant
from symattn.attention.variants.rope import rotations
from symattn.exact.matrix import Matrix
from symattn.plans.operation import Slip, slip
from symattn.plans.ops.blocks import Columns, Concatenate, ReversedHeads
from symattn.plans.ops.rms_norm import RMSNorm
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import Bilingual, oriented
from symattn.text.notation import named


class ContentAndRotary(Concatenate, frozen=True):
    """[C | R]: the part without and the part with positions of queries or keys (n, d_h) and (n, d_R)."""

    def slips(self) -> tuple[Slip, ...]:
        return (
            slip(
                "rotary-part-first",
                "put the rotary part first",
                "把旋转部分放在了前面",
                ReversedHeads(),
            ),
        )


def _rotary(case: Case) -> bool:
    return "W_KR" in case.given or "W_QR" in case.given


def _weights(after: str, name: str, shape: tuple[str, str], meaning: str) -> Quantity:
    return Quantity(
        name,
        shape,
        gradient=Bilingual(f"Gradient of {name}", f"{name} 的梯度"),
        given=f"{meaning} of latent attention ({', '.join(shape)})",
        kind="vector" if shape[0] == "1" else "matrix",
        after=after,
    )


_WEIGHTS = (
    _weights("memory", "W_DQ", ("d_model", "d_c"), "the weights from the inputs to c_Q"),
    _weights("W_DQ", "W_UQ", ("d_c", "heads d_h"), "the weights from c_Q to the queries"),
    _weights("W_UQ", "W_QR", ("d_c", "heads d_R"), "the weights from c_Q to the rotary part of the queries"),
    _weights("W_QR", "W_DKV", ("d_model", "d_c"), "the weights from the inputs to c_KV"),
    _weights("W_DKV", "W_UK", ("d_c", "heads d_h"), "the weights from c_KV to the keys"),
    _weights(
        "W_UK", "W_KR", ("d_model", "d_R"), "the weights from the inputs to the rotary part of the keys"
    ),
    _weights("W_KR", "W_UV", ("d_c", "heads d_v"), "the weights from c_KV to the values"),
    _weights("W_UV", "gamma_Q", ("1", "d_c"), "the gain of the normalised c_Q"),
    _weights("gamma_Q", "gamma_KV", ("1", "d_c"), "the gain of the normalised c_KV"),
)


_OF_HEADS = tuple(weights.name for weights in _WEIGHTS if weights.shape[1].startswith("heads"))


def _made(after: str, name: str, shape: tuple[str, str], en: str, zh: str, **more: Any) -> Quantity:
    return Quantity(
        name,
        shape,
        heading=oriented(f"{en[0].upper()}{en[1:]}", zh),
        index=name.partition("_")[2],
        after=after,
        **more,
    )


_LATENTS = (
    _made(
        "gamma_KV",
        "c_Q",
        ("n_q", "d_c"),
        "latent of the queries",
        "查询的潜向量",
        meaning=Bilingual(
            "Compresses each token to a few numbers for its queries.", "把每个词元压缩成几个数，供查询使用。"
        ),
        letter="c",
        part="Q",
        given="the latent of the queries (n_q, d_c), given instead of computed",
    ),
    _made(
        "c_Q",
        "unit_Q",
        ("n_q", "d_c"),
        "normalised latent of the queries, before its gain",
        "查询的归一化潜向量（乘增益之前）",
        meaning=Bilingual(
            "Brings the entries of each latent to a common scale.", "使每个潜向量的各分量尺度一致。"
        ),
        letter="u",
        worked="rule",
    ),
    _made(
        "unit_Q",
        "norm_Q",
        ("n_q", "d_c"),
        "normalised latent of the queries",
        "查询的归一化潜向量",
        meaning=Bilingual("Scales the latents by a gain for each entry.", "给潜向量的各分量乘以增益。"),
        letter="c'",
        worked="rule",
    ),
    _made(
        "norm_Q",
        "c_KV",
        ("n_k", "d_c"),
        "latent of keys and values",
        "键和值的潜向量",
        meaning=Bilingual(
            "Compresses each token to a few numbers for its keys and values.",
            "把每个词元压缩成几个数，供键和值使用。",
        ),
        letter="c",
        part="KV",
        given="the latent of keys and values (n_k, d_c), given instead of computed",
    ),
    _made(
        "c_KV",
        "unit_KV",
        ("n_k", "d_c"),
        "normalised latent of keys and values, before its gain",
        "键和值的归一化潜向量（乘增益之前）",
        meaning=Bilingual(
            "Brings the entries of each latent to a common scale.", "使每个潜向量的各分量尺度一致。"
        ),
        letter="u",
        worked="rule",
    ),
    _made(
        "unit_KV",
        "norm_KV",
        ("n_k", "d_c"),
        "normalised latent of keys and values",
        "键和值的归一化潜向量",
        meaning=Bilingual("Scales the latents by a gain for each entry.", "给潜向量的各分量乘以增益。"),
        letter="c'",
        worked="rule",
    ),
    _made(
        "norm_KV",
        "Q_C",
        ("n_q", "d_h"),
        "queries without positions",
        "不含位置的查询",
        meaning=Bilingual("The part of the queries that asks for content.", "查询中询问内容的部分。"),
        letter="Q",
        part="QC",
    ),
    _made(
        "Q_C",
        "Q_P",
        ("n_q", "d_R"),
        "rotary part of the queries",
        "查询的旋转部分",
        meaning=Bilingual(
            "The part of the queries that will depend on the position.", "查询中将随位置变化的部分。"
        ),
        letter="Q",
        part="QR",
    ),
    _made(
        "Q_P",
        "K_C",
        ("n_k", "d_h"),
        "keys without positions",
        "不含位置的键",
        meaning=Bilingual("The part of the keys that offers content.", "键中提供内容的部分。"),
        letter="K",
        part="KC",
    ),
    _made(
        "K_C",
        "K_P",
        ("n_k", "d_R"),
        "rotary part of the keys",
        "键的旋转部分",
        meaning=Bilingual(
            "The part of the keys that will depend on the position.", "键中将随位置变化的部分。"
        ),
        letter="K",
        part="KR",
    ),
)


class Latent(Variant):
    """`W_DKV` under `[given]`."""

    name = "latent"
    text = Bilingual("latent attention", "潜注意力")
    operations = (ContentAndRotary,)
    keys = (
        Key(
            "latent_norm",
            "choice",
            "of latent attention: RMSNorm of c_Q and c_KV",
            ("none", "rms"),
            default="none",
        ),
    )
    quantities = (
        *_WEIGHTS,
        *_LATENTS,
    )
    instead_of = frozenset({"rope"})
    goes_without = frozenset({"kv_heads", "linear", "cached"})

    def applies(self, case: Case) -> bool:
        return "W_DKV" in case.given or "c_KV" in case.given

    def sizes(self, case: Case, given: Mapping[str, Matrix]) -> Sizes:
        heads = case.settings.heads
        for name in _OF_HEADS:
            columns = width(case, given, name.removeprefix("W_"))
            if columns is not None:
                evenly(case, name, columns, heads)
        content, rotary = (width(case, given, name) for name in ("UK", "KR"))
        if content is None:
            return {}
        own = content // heads
        return {"d_h": own, "d_R": rotary or 0, "d_k": own + (rotary or 0)}

    def projections(self, case: Case, x: str, memory: str) -> Plan:
        given, plain = case.given, projection(case.settings)
        lines: list[Line] = []

        def latent(name: str, weights: str, source: str, gain: str) -> str:
            lines.append(Line(name, plain, (source, weights)))
            if case.settings.latent_norm == "none":
                return name
            normed = name.replace("c_", "norm_")
            lines.append(Line(normed, RMSNorm(*epsilons(case)), (name, gain) if gain in given else (name,)))
            return normed

        low = "W_DQ" in given or "c_Q" in given
        queries = latent("c_Q", "W_DQ", x, "gamma_Q") if low else x
        pairs = latent("c_KV", "W_DKV", memory, "gamma_KV")
        if _rotary(case):
            lines += Line("Q_C", plain, (queries, "W_UQ")), Line("Q_P", plain, (queries, "W_QR"))
            lines += Line("K_C", plain, (pairs, "W_UK")), Line("K_P", plain, (memory, "W_KR"))
        else:
            lines += Line("Q", plain, (queries, "W_UQ")), Line("K", plain, (pairs, "W_UK"))
        return (*lines, Line("V", plain, (pairs, "W_UV")))

    def shared(self, case: Case, sizes: Sizes) -> Plan:
        if case.settings.positions != "rope" or not _rotary(case) or not sizes.get("d_R"):
            return ()
        return (Line("K_R", rotations(case, sizes, sizes["d_R"])[1], ("K_P",)),)

    def head_inputs(self, head: Head) -> Plan:
        case, tag = head.case, head.tag
        rotary = _rotary(case)
        lines: list[Line] = []
        for line in self.projections(case, "X", "memory") if case.settings.heads > 1 else ():
            if line.args[-1] in _OF_HEADS:
                columns = width(case, head.given, line.args[-1].removeprefix("W_")) or 1
                part = columns // case.settings.heads or 1
                op = Columns(head.number * part, (head.number + 1) * part)
                lines.append(Line(f"{tag}{line.name}", op, (line.name,)))
        if not rotary:
            return tuple(lines)
        of_query, of_key = f"{tag}Q_P", "K_P"
        if case.settings.positions == "rope" and head.sizes.get("d_R"):
            lines.append(Line(f"{tag}Q_R", rotations(case, head.sizes, head.sizes["d_R"])[0], (of_query,)))
            of_query, of_key = f"{tag}Q_R", "K_R"
        return (
            *lines,
            Line(f"{tag}Q", ContentAndRotary(), (f"{tag}Q_C", of_query)),
            Line(f"{tag}K", ContentAndRotary(), (f"{tag}K_C", of_key)),
        )

    def clauses(self, case: Case, plan: Plan, spell: Spell) -> Iterator[Clause]:
        if any(line.name.endswith("c_KV") for line in plan) or "c_KV" in case.given:
            yield Clause(
                Bilingual(
                    "the keys and values of all heads are computed from one latent {latent}",
                    "各头的键和值都由同一个潜向量 {latent} 得到",
                ),
                {"latent": named("c_KV")},
            )


VARIANT = Latent()
