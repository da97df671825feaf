"""Functions of arrays, for complex numbers as well, whose imaginary part carries a derivative."""

from __future__ import annotations

import numpy as np

from symattn.checks.textbook.steps import Array
from symattn.floats.bounded import erf


def relu(x: Array) -> Array:
    """max(x, 0)."""
    return np.where(np.real(x) > 0, x, 0.0)


def gelu(x: Array) -> Array:
    """x Phi(x). Hendrycks and Gimpel 2016, section 2."""
    return x * (1 + erf(x / np.sqrt(2.0))) / 2


def sigmoid(x: Array) -> Array:
    """1 / (1 + e^-x), both parts over e^above so that neither exceeds 1; 0 for minus infinity."""
    hidden = is_hidden(x)
    plain = np.where(hidden, 0.0, x)
    above = relu(np.real(-plain))
    one = np.exp(-above)
    return np.where(hidden, 0.0, one / (one + np.exp(-plain - above)))


def root_mean_square(x: Array, epsilon: Array) -> Array:
    """Of each row, (n, 1). Zhang and Sennrich 2019, eq. (4)."""
    return np.sqrt(np.mean(x * x, axis=1, keepdims=True) + epsilon)


def is_hidden(scores: Array) -> Array:
    """Where a score is minus infinity."""
    return np.isneginf(np.real(scores))


def softmax(scores: Array, rate: Array, sink: Array | None) -> Array:
    """e^(rate s) over its sum in each row and that of the sink; 0 in a row in which all is hidden.

    The largest exponent of a row is subtracted first, so that nothing overflows.
    """
    logits = multiplied(scores, rate)
    every = logits if sink is None else np.concatenate([logits, column(scores, sink * rate)], axis=1)
    powers = np.exp(every - largest(every))
    total = np.sum(powers, axis=1, keepdims=True)
    weights = quotients(powers, total)
    return weights[:, : scores.shape[1]]


def largest(scores: Array) -> Array:
    """The largest of each row, (n, 1), and 0 where all is hidden."""
    found = np.max(np.real(scores), axis=1, keepdims=True)
    return np.where(np.isneginf(found), 0.0, found)


def multiplied(scores: Array, factor: Array) -> Array:
    """Scores times a number; what is hidden stays minus infinity, whatever its sign."""
    hidden = is_hidden(scores)
    return np.where(hidden, -np.inf, np.where(hidden, 0.0, scores) * factor)


def top_k(scores: Array, count: int) -> Array:
    """The scores of each row that fewer than `count` exceed; the others are hidden.

    Zhao et al. 2019, eq. (5).
    """
    real = np.real(scores)
    others = 1.0 - np.eye(scores.shape[1])
    above = np.sum(np.where(real[:, None, :] > real[:, :, None], 1.0, 0.0) * others, axis=2)
    return np.where(above < count - 0.5, scores, -np.inf)  # a count between bounds is no whole number


def column(scores: Array, value: Array) -> Array:
    """One value in every row, (n_q, 1)."""
    return np.zeros((scores.shape[0], 1)) + value


def quotients(over: Array, under: Array) -> Array:
    """Every row over its sum (n, 1); a row of nothing stays 0."""
    nothing = under == 0
    return np.where(nothing, 0.0, over / np.where(nothing, 1.0, under))


def sparsemax(scores: Array) -> Array:
    """max(s - t, 0) with the t for which each row sums to 1. Martins and Astudillo 2016, eq. (3).

    s_j is above t where the s_i that exceed it do so by less than 1 in all.
    """
    hidden = is_hidden(scores)
    plain = np.where(hidden, 0.0, scores)
    above = np.where(hidden[:, None, :], 0.0, relu(plain[:, None, :] - plain[:, :, None]))
    support = np.isfinite(np.real(scores)) & (np.sum(np.real(above), axis=2) < 1)
    size = np.sum(np.where(support, 1.0, 0.0), axis=1, keepdims=True)
    threshold = (np.sum(np.where(support, plain, 0.0), axis=1, keepdims=True) - 1) / size
    return np.where(support, plain - threshold, 0.0)
