"""What notes call the quantities of attention: in English and Chinese, and in other languages.

Words of several parts are those of a caption without its punctuation: `scores d attention`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache


def _projecting(word: str) -> str:
    kinds = ("weight", "weights", "weight matrix", "projection", "projection matrix")
    return ", ".join(f"{word} {kind}" for kind in kinds)


_SPOKEN: Mapping[str, Mapping[str, str]] = {
    "Q": {
        "en": "query, queries",
        "zh": "查询, query向量",
        "ja": "クエリ, クエリー",
        "ko": "쿼리",
        "de": "abfrage, abfragen, anfrage, anfragen",
        "fr": "requête, requêtes",
        "es pt": "consulta, consultas",
        "ru uk": "запрос, запросы, запит, запити",
    },
    "K": {
        "en": "key, keys, new_k, k_new, new key",
        "zh": "键",
        "ja": "キー",
        "ko": "키",
        "de": "schlüssel",
        "fr": "clé, clés, clef, clefs",
        "es pt it": "clave, claves, chave, chaves, chiave, chiavi",
        "ru uk": "ключ, ключи, ключі",
    },
    "V": {
        "en": "value, values, new_v, v_new, new value",
        "zh": "值向量, 值矩阵",
        "ja": "バリュー, 値ベクトル, 値行列",
        "ko": "밸류, 값 벡터, 값 행렬",
        "fr": "valeur, valeurs",
        "es pt it": "valor, valores, valore, valori",
        "ru uk": "значение, значения, значення",
    },
    "X": {
        "en": (
            "inputs, emb, embedding, embeddings, input embeddings, input embedding, input matrix, "
            "input vectors"
        ),
        "zh": (
            "输入矩阵, 词向量, 词嵌入, 嵌入矩阵, 输入向量, 词嵌入矩阵, 输入表示, 嵌入向量, 词向量矩阵, "
            "输入序列, 输入数据, 输入嵌入, 嵌入, 嵌入表示"
        ),
        "ja": "入力ベクトル, 入力行列, 埋め込み, 単語ベクトル",
        "ko": "입력 벡터, 입력 행렬, 임베딩, 단어 벡터",
        "de": "eingabevektoren, eingabematrix, einbettungen, worteinbettungen",
        "fr": "vecteurs d entrée, matrice d entrée, plongements",
        "es": "vectores de entrada, matriz de entrada, incrustaciones",
        "pt it": "vetores de entrada, vettori di ingresso, vettori di input, matrice di ingresso",
        "ru": "входные векторы, входная матрица, эмбеддинги, эмбеддинг",
        "others": "wektory wejściowe, girdi vektörleri, vector đầu vào, invoervectoren, вхідні вектори",
    },
    "W_Q": {"en": _projecting("query"), "zh": "查询权重, 查询投影, 查询变换"},
    "W_K": {"en": _projecting("key"), "zh": "键权重, 键投影, 键变换"},
    "W_V": {"en": _projecting("value"), "zh": "值权重, 值投影, 值变换"},
    "scores": {
        "en": (
            "score, scores, attention scores, attention score, raw scores, raw attention scores, "
            "dot products, dot product, logits, attn_scores, attention_scores, raw score, similarity, "
            "similarities, attention logits, alignment score, alignment scores, similarity scores, "
            "compatibility scores"
        ),
        "zh": (
            "分数, 得分, 注意力分数, 原始分数, 注意力得分, 点积, 打分, 原始注意力分数, 相似度, 匹配分, 内积, "
            "匹配度, 相关性, 相关度"
        ),
        "ja": "スコア, 内積",
        "ko": "스코어, 점수, 어텐션 스코어, 어텐션 점수, 내적",
        "de": "aufmerksamkeitswerte, punktwerte, skalarprodukt, skalarprodukte, attention scores",
        "fr": "scores d attention, produit scalaire, produits scalaires",
        "es": "puntuaciones, puntuaciones de atención, puntajes, producto escalar, productos escalares",
        "pt": "pontuações, pontuações de atenção, produto escalar, produtos escalares, produto interno",
        "it": "punteggi, punteggi di attenzione, prodotto scalare, prodotti scalari",
        "ru": "оценки, оценки внимания, скоры, скалярное произведение, скалярные произведения",
        "others": "iloczyn skalarny, iç çarpım, tích vô hướng, inproduct, скалярний добуток",
    },
    "tempered": {"en": "tempered, tempered scores, tempered logits"},
    "scaled": {
        "en": (
            "scaled, scaled scores, scaled score, scaled attention scores, scaled_scores, "
            "scaled_attention_scores, scaled logits, scaled qk^t, scaled attention logits, "
            "scaled dot products, scaled similarities, score_scaled, scores_scaled"
        ),
        "zh": (
            "缩放后, 缩放之后, 缩放分数, 缩放后分数, 缩放后的分数, 缩放后得分, 缩放得分, 缩放, 缩放后的得分, "
            "缩放后的注意力分数, 缩放结果"
        ),
        "ja": "スケーリング, スケーリング後, スケール後のスコア",
        "ko": "스케일링, 스케일링된 점수",
        "de fr": "skalierung, skalierte scores, scores mis à l échelle",
        "es pt it": "puntuaciones escaladas, pontuações escaladas, punteggi scalati",
        "ru": "масштабирование, масштабированные оценки",
    },
    "A": {
        "en": (
            "attention_weights, attention weights, attention weight, weights, attn_weights, "
            "attention_probs, softmax, softmax weights, attention probabilities, probabilities, "
            "attention distribution, attention matrix, attn, softmax output, softmax scores, alpha, alphas"
        ),
        "zh": "注意力权重, 权重, 注意力分布, 注意力矩阵, 概率, 注意力概率, 归一化权重, 注意力系数",
        "ja": "重み, 注意の重み, アテンション重み, アテンションの重み, 注意重み, ソフトマックス",
        "ko": "가중치, 어텐션 가중치, 소프트맥스",
        "de": "gewichte, aufmerksamkeitsgewichte, attention gewichte",
        "fr": "poids, poids d attention",
        "es pt it": "pesos, pesos de atención, pesos de atenção, pesi, pesi di attenzione",
        "ru uk": "веса, веса внимания, ваги уваги",
        "others": "wagi uwagi, dikkat ağırlıkları, trọng số chú ý, aandachtsgewichten",
    },
    "Z": {
        "en": (
            "output, outputs, context, context vector, context_vector, attention output, "
            "attention_output, out, weighted sum, attention, final output, output vector, output vectors, "
            "context vectors, attention outputs, new representation, new representations, "
            "contextual embeddings, new vector, new vectors, weighted average, weighted averages, "
            "weighted value, weighted values, blended value, blended values, mixed value, "
            "mixed values, blended vector"
        ),
        "zh": (
            "输出, 最终输出, 上下文, 加权和, 注意力输出, 加权求和, 加权总和, 加权平均, "
            "上下文向量, 上下文表示, 输出向量, 新向量, 新表示"
        ),
        "ja": "出力, 文脈, コンテキスト, 加重和",
        "ko": "출력, 컨텍스트, 가중합",
        "de": "ausgabe, ausgaben, kontextvektor, kontextvektoren",
        "fr": "sortie, sorties, vecteurs de sortie, vecteur de sortie, vecteur de contexte",
        "es": "salida, salidas, vectores de salida, vector de salida, vector de contexto",
        "pt": "saída, saídas, vetores de saída, vetor de saída, vetor de contexto",
        "it": "uscita, uscite, vettori di uscita, vettore di uscita, vettori di output",
        "ru": "выход, выходы, выходные векторы, выходной вектор, контекстный вектор",
        "others": "wektory wyjściowe, çıktı vektörleri, vector đầu ra, uitvoervectoren, вихідні вектори",
    },
    "masked": {
        "en": "masked, masked scores, masked_scores, masked logits",
        "zh": "掩码后, 掩码后的分数, 掩码后分数, 加掩码, 因果掩码",
    },
    "exp": {
        "en": "exp, exps, exponentials, exponential, exponentiating, numerators, exp_scores",
        "zh": "分子, 指数, 指数值",
        "ja ko": "指数関数, 지수",
        "de fr": "exponentialwerte, exponentielles",
        "es pt it": "exponenciales, exponenciais, esponenziali",
        "ru uk": "экспоненты, експоненти",
    },
    "sum": {
        "en": "sum, total, sum of exponentials, sum_exp, exp_sum, denominator, normaliser, normalizer, "
        "normalising constant, normalizing constant, normalisation constant, normalization constant",
        "zh": "总和, 求和, 分母, 合计, 行和, 各行和, 各行之和, 归一化因子, 归一化常数",
        "others": "summe, suma, soma, somma, somme, сумма, сума, 合計, 합, 합계, toplam, tổng, som, nenner, "
        "dénominateur, denominador, denominatore",
    },
    "PE": {
        "en": "pe, positional encoding, positional encodings, position encoding",
        "zh": "位置编码, 位置嵌入, 位置向量",
    },
    "concat": {
        "en": "concat, concatenate, concatenated, concatenation, concatenated output, concatenated outputs",
        "zh": "拼接, 拼接结果",
    },
    "output": {"en": "multihead, multi-head output"},
    "memory": {
        "en": "enc, encoder output, encoder outputs, encoder hidden states, memory",
        "zh": "编码器输出, 编码器的输出",
    },
    "past_K": {"en": "k_cache, k_past, past_k, cached keys, k_cached, k_prev, past keys, key cache"},
    "past_V": {"en": "v_cache, v_past, past_v, cached values, v_cached, v_prev, past values, value cache"},
    "T": {"en": "temperature", "zh": "温度"},
    "norm.mean": {"en": "mean, μ, mu", "zh": "均值, 平均值"},
    "norm.variance": {"en": "variance, var", "zh": "方差"},
    "norm.deviation": {"en": "std, stddev, std_dev, standard deviation, σ, sigma", "zh": "标准差"},
    "norm.normalised": {
        "en": "normalised, normalized, normalised row, normalized row, x_hat, xhat, x_norm, x_normed",
        "zh": "归一化后, 归一化结果, x\u0302, h\u0302, z\u0302, r\u0302, \u0125, \u1e91",
    },
}
"""The words of each quantity, by the languages that have them."""


def _parts(words: str) -> Iterator[str]:
    return (part.strip() for part in words.split(","))


_ALIASES: Mapping[str, str] = {
    word: name for name, spoken in _SPOKEN.items() for words in spoken.values() for word in _parts(words)
}
_TAIL = re.compile(
    r"(?:的?(?:结果|值|矩阵|向量|计算|第[一二三四五六\d]行)|の(?:計算|結果)|ベクトル|行列|は| ?(?:벡터|행렬)"
    r"|[_ ]?(?:matrix|vectors?|results?|values?|vektor(?:en)?))+$"
)
IN_TURN = re.compile(r"分别|依次|各[为是]|それぞれ|각각|respectiv|jeweils")
"""Before several values, one for each."""
_VERB = re.compile(r"(?<=.)(?:(?:大?约|分别|依次|就)*(?:[为是得]|等于|得到|变为)|如下)$")
UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
"""The signs of languages that put no blank between words."""
_WRITTEN_TOGETHER = tuple(sorted((word for word in _ALIASES if not word.isascii()), key=len, reverse=True))
NOT_A = re.compile(
    r"(?:query|key|value|查询|键|值|Query|Key|Value|投影|参数|[QKV])的?(?:权重|weight)", re.IGNORECASE
)


@lru_cache(maxsize=1 << 12)
def alias(words: str) -> str | None:
    """The quantity that words name, or None."""
    plain = _VERB.sub("", " ".join(words.lower().split()))
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
        ends = (known for said in (plain, stripped) for known in _WRITTEN_TOGETHER if said.endswith(known))
        return next((_ALIASES[known] for known in ends), None)
    return None


def known_words(texts: Sequence[str]) -> tuple[int, str]:
    """How many of the first words (three at most) name a quantity together, and these words; 0 for none."""
    for count in (4, 3, 2, 1):
        if count <= len(texts):
            joint = ("" if UNSPACED.search("".join(texts[1:count])) else " ").join(texts[:count])
            if len(joint) < 60 and alias(joint) is not None:
                return count, joint
    return 0, ""
