"""What notes call the quantities of attention, in English and Chinese, and which entry a subscript means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from symattn.reading.notes.formulas.formula import Name


@dataclass(frozen=True, slots=True)
class Ref:
    """A quantity of the walk, or a part of it: indices from 0. `key` is the summand of a weighted sum."""

    name: str
    row: int | None = None
    col: int | None = None
    key: int | None = None
    transposed: bool = False
    running: bool = False  # a subscript i or j that stands for every row


@dataclass(frozen=True, slots=True)
class Bases:
    """The first index of subscripts (q_1) and of brackets (Q[0]) in a document, and its tokens."""

    subscript: int = 1
    bracket: int = 0
    position: int | None = None  # the first that an encoding is said to be of
    tokens: tuple[str, ...] = ()
    single: bool = False  # whether q without an index is the only query


_ALIASES: Mapping[str, str] = {
    alias: name
    for name, aliases in {
        "Q": "query, queries, 查询, query向量",
        "K": "key, keys, 键",
        "V": "value, values, 值向量, 值矩阵",
        "X": (
            "inputs, embedding, embeddings, input embeddings, input embedding, input matrix, 输入矩阵, "
            "词向量, 词嵌入, 嵌入矩阵, 输入向量, 词嵌入矩阵, 输入表示, 嵌入向量"
        ),
        "scores": (
            "score, scores, attention scores, attention score, raw scores, raw attention scores, "
            "dot products, dot product, logits, 分数, 得分, 注意力分数, 原始分数, 注意力得分, "
            "点积, 打分, attn_scores, attention_scores, raw score, 原始注意力分数, similarity, "
            "similarities, 相似度, 匹配分, attention logits, alignment score, alignment scores, "
            "similarity scores, compatibility scores"
        ),
        "scaled": (
            "scaled, scaled scores, scaled score, scaled attention scores, scaled_scores, "
            "scaled_attention_scores, 缩放后, 缩放之后, 缩放分数, 缩放后分数, 缩放后的分数, 缩放后得分, "
            "缩放得分, 缩放, 缩放后的得分, 缩放后的注意力分数, scaled logits, 缩放结果, scaled qk^t, "
            "scaled attention logits, scaled dot products, scaled similarities"
        ),
        "A": (
            "attention_weights, attention weights, attention weight, weights, attn_weights, "
            "attention_probs, softmax, softmax weights, attention probabilities, probabilities, "
            "attention distribution, attention matrix, 注意力权重, 权重, 注意力分布, 注意力矩阵, "
            "概率, attn, softmax output, softmax scores, 注意力概率, 归一化权重"
        ),
        "Z": (
            "output, outputs, context, context vector, context_vector, attention output, "
            "attention_output, out, 输出, 最终输出, 上下文, 加权和, weighted sum, attention, "
            "final output, 注意力输出, 加权求和, 上下文向量, 输出向量, context vectors, attention outputs, "
            "new representation, new representations, contextual embeddings"
        ),
        **{
            f"W_{word[0].upper()}": (
                f"{word} weight, {word} weights, {word} weight matrix, {word} projection, "
                f"{word} projection matrix"
            )
            for word in ("query", "key", "value")
        },
        "masked": "masked, masked scores, masked_scores, masked logits, 掩码后, 掩码后的分数, 掩码后分数",
        "exp": "exp, exps, exponentials, exponential, exponentiating, numerators, 分子, 指数, exp_scores",
        "sum": (
            "sum, total, 总和, 求和, sum of exponentials, sum_exp, exp_sum, denominator, 分母, 合计, "
            "summe, suma, somme, soma, somma, сумма, 合計, 합, 합계"
        ),
        "PE": "pe, positional encoding, positional encodings, position encoding, 位置编码",
        "concat": "concat, concatenated, concatenation, 拼接",
        "output": "multihead, multi-head output",
        "memory": "encoder output, encoder outputs, encoder hidden states, memory, 编码器输出, 编码器的输出",
        "past_K": "k_cache, k_past, past_k, cached keys, k_cached, k_prev, past keys, key cache",
        "past_V": "v_cache, v_past, past_v, cached values, v_cached, v_prev, past values, value cache",
        "T": "temperature, 温度",
        "norm.mean": "mean, 均值, 平均值, μ",
        "norm.variance": "variance, 方差",
        "norm.deviation": "std, standard deviation, 标准差, σ",
        "norm.normalised": "归一化后, 归一化结果, x\u0302, h\u0302, z\u0302, r\u0302, \u0125, \u1e91",
    }.items()
    for alias in (part.strip() for part in aliases.split(","))
}
_LETTERS: Mapping[str, str] = {
    **{letter: letter.upper() for letter in "xqkvzXQKVZ"},
    "A": "A",
    "S": "scores",
    "P": "A",
    "O": "Z",
    "T": "T",
    "τ": "T",
}
_ONLY_WITH_INDEX: Mapping[str, str] = {
    "a": "A",
    "α": "A",
    "s": "scores",
    "o": "Z",
    "p": "A",
    "w": "A",
    "score": "scores",
    "token": "X",
    "word": "X",
}
_TAIL = re.compile(r"(?:的?(?:结果|值|矩阵|向量)|[_ ]?(?:matrix|vector|vectors|results?|values?))$")
_CHINESE = tuple(sorted((alias for alias in _ALIASES if not alias.isascii()), key=len, reverse=True))
_WEIGHTS = re.compile(r"[Ww][_^]?\{?([QKVOqkvo])(?:uery|ey|alue|ut|utput)?\}?")
_BIAS = re.compile(r"b[_^]?([QKVOqkvo])")
_WITH_INDEX = re.compile(r"([^\W\d_]+?)_?(\d{1,3})")
_OF_ONE_QUERY = frozenset("xqz")
RUNNING = frozenset("ijmnt")
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O")
BIASES = ("b_Q", "b_K", "b_V", "b_O")
WIDENING = ("W_1", "W_2")
ROWS = frozenset({*BIASES, "b_1", "b_2", "gamma_1", "beta_1", "gamma_2", "beta_2"})
"""Inputs of a single row."""
INPUTS = frozenset({"X", "memory", "past_K", "past_V", *WEIGHTS, *WIDENING, *ROWS})
_OF_LAYERS: Mapping[str, str] = {
    **{f"{letter}{mark}{k}": f"{letter}_{k}" for letter in "Wb" for mark in ("", "_") for k in (1, 2)},
    **{
        f"{written}{tail}": f"{name}_{tail[-1:] or 1}"
        for name, written in (("gamma", "γ"), ("beta", "β"), ("gamma", "gamma"), ("beta", "beta"))
        for tail in ("", "_1", "_2")
    },
}
"""The inputs of what follows attention in a layer, as they are written."""
NOT_A = re.compile(
    r"(?:query|key|value|查询|键|值|Query|Key|Value|投影|参数|[QKV])的?(?:权重|weight)", re.IGNORECASE
)


@lru_cache(maxsize=1 << 12)
def alias(words: str) -> str | None:
    """The quantity that words name, or None."""
    plain = " ".join(words.lower().split())
    for said in (plain, plain.replace("_", " ")):
        if said in _ALIASES:
            return _ALIASES[said]
    softmaxed, _, last = plain.rpartition("_")
    if last == "softmax" and softmaxed and alias(softmaxed) is not None:
        return "A"
    stripped = _TAIL.sub("", plain).strip()
    if stripped in _ALIASES and stripped:
        return _ALIASES[stripped]
    if not plain.isascii() and not NOT_A.search(plain):
        return next((_ALIASES[known] for known in _CHINESE if stripped.endswith(known)), None)
    return None


def quantity(letter: str) -> str | None:
    """The quantity that a letter or a word means where indices follow."""
    return _LETTERS.get(letter) or _ONLY_WITH_INDEX.get(letter) or alias(letter)


def known_words(texts: Sequence[str]) -> tuple[int, str]:
    """How many of the first words (three at most) name a quantity together, and these words; 0 for none."""
    for count in (4, 3, 2, 1):
        if count <= len(texts):
            joint = ("" if any(not text.isascii() for text in texts[1:count]) else " ").join(texts[:count])
            if len(joint) < 60 and alias(joint) is not None:
                return count, joint
    return 0, ""


def resolve(name: Name, bases: Bases, *, indexed: bool = False) -> Ref | None:
    """The quantity, row and column that a written name means, or None where it means none of ours.

    Some letters mean one of ours only with an index, which may stand behind the name in brackets (`indexed`).
    """
    return _meaning(name.text.replace("'", ""), name.subs, name.aside, bases, indexed)


@lru_cache(maxsize=1 << 12)
def _meaning(text: str, said: tuple[str, ...], aside: str, bases: Bases, indexed: bool) -> Ref | None:
    subs = list(said)
    if text in ("W", "w", "b") and subs and subs[0].upper() in ("Q", "K", "V", "O"):
        return Ref(f"{'b' if text == 'b' else 'W'}_{subs[0].upper()}")
    for pattern, kind in ((_WEIGHTS, "W"), (_BIAS, "b")):
        found = pattern.fullmatch(text)
        if found is not None and not subs:
            return Ref(f"{kind}_{found[1].upper()}")
    whole = "_".join((text, *subs))
    known = _OF_LAYERS.get(whole) or (alias(whole) if subs and not subs[0].isdigit() else None)
    if known is not None:
        return Ref(known)
    if text in ("d_k", "dk") or (text == "d" and subs == ["k"]):
        return Ref("d_k")
    canonical = _LETTERS.get(text) or alias(text) or (_ONLY_WITH_INDEX.get(text) if indexed else None)
    if canonical is None:
        stem, _, last = text.rpartition("_")
        head, _, tail = (stem, "", last) if last.isdigit() and alias(stem) else text.partition("_")
        digits = _WITH_INDEX.fullmatch(text)
        if digits is not None:
            head, tail = digits[1], digits[2]
        subs = [tail, *subs] if tail else subs
        canonical = _LETTERS.get(head) or (_ONLY_WITH_INDEX.get(head) if subs else None) or alias(head)
    if canonical is None:
        return None
    if aside and not subs:
        owner = max((token for token in bases.tokens if aside.endswith(token)), key=len, default=None)
        subs = [] if owner is None else [owner]
    if bases.single and not subs and text in _OF_ONE_QUERY:
        return Ref(canonical, 0)
    return entry_of(canonical, subs, bases)


def entry_of(canonical: str, subs: list[str], bases: Bases) -> Ref | None:
    """The entry of a quantity that subscripts mean."""
    if not subs:
        return Ref(canonical)
    if canonical == "scores" and subs[0] in ("scaled", "masked"):
        return entry_of(subs[0], subs[1:], bases)
    at: list[int] = []
    for sub in subs:
        if sub in bases.tokens:
            at.append(bases.tokens.index(sub))
        elif sub.isdigit() and len(sub) < 4:
            base = (bases.position or 0 if not at else 0) if canonical == "PE" else bases.subscript
            if len(sub) == 2 and len(subs) == 1 and canonical != "X":
                at += [int(sub[0]) - base, int(sub[1]) - base]
            else:
                at.append(int(sub) - base)
        elif sub in RUNNING and bases.single and not at and canonical in ("Q", "scores", "A", "Z"):
            at.append(0)
        elif sub in RUNNING:
            return Ref(canonical, running=True)
        else:
            return None
    if len(at) > 2 or min(at) < 0:
        return None
    return Ref(canonical, at[0], at[1] if len(at) == 2 else None)
