"""Tokens as columns: the plan on rows, turned. X is (d_model, n), Q = W_Q X, S = K^T Q, Z = V A.

Phuong and Hutter 2022, "Formal Algorithms for Transformers", write attention so throughout. A case with
tokens as columns gives every matrix transposed, biases as columns and a mask (n_k, n_q) among them.
"""

from __future__ import annotations

from msgspec.structs import replace

from symattn.attention.case import Case, Given
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue


def as_columns(case: Case) -> bool:
    """Whether the tokens of a case are the columns of its matrices."""
    return case.settings.tokens_as == "columns"


def in_rows(case: Case) -> Case:
    """The same case with tokens as rows; a case with tokens as rows is its own.

    Raises UnusableValue for weights on the right of columns.
    """
    settings = case.settings
    if not as_columns(case):
        return case
    if settings.weights == "right":
        raise UnusableValue(
            Bilingual(
                'weights = "right" (X W) with tokens as columns', '词元为列，却写了 weights = "right"（X W）'
            ),
            Bilingual(
                'weights = "left" multiplies W X, "transposed" multiplies W^T X; '
                "or leave the key out for W X",
                'weights = "left" 表示 W X，"transposed" 表示 W^T X；不写这个键就是 W X',
            ),
        ).at(**case.at("attention.weights"))
    mask = settings.mask.T if isinstance(settings.mask, Given) else settings.mask
    weights = "right" if settings.weights == "left" else settings.weights
    return replace(
        case,
        given={name: given.T for name, given in case.given.items()},
        settings=replace(settings, tokens_as="rows", weights=weights, mask=mask),
    )
