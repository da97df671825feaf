"""A sink whose logit z is no rational multiple of the factor f of the scores: one more power in each row.

Relative to the largest score t of a row it is e^(z - f t), an exponential of a ball for each row. Other sinks
are scores as those of keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from flint import arb, ctx
from msgspec import Struct

from symattn.exact.certified.power_tables import TABLE_BITS, VANISHING, as_pairs


class ApartSink(Struct, frozen=True):
    """z and f, both algebraic, at the precision of `flint.ctx`."""

    logit: Callable[[], arb]
    factor: Callable[[], arb]

    def power(self, top: int) -> arb:
        """e^(z - f t) at the precision of `flint.ctx`."""
        return (self.logit() - self.factor() * top).exp()

    def powers(self, tops: Sequence[int]) -> tuple[Any, Any, Any]:
        """(h, l, over): the powers (n, 1) as pairs, 0 where they vanish; and the rows (n) all but the sink's.

        In these all powers of keys vanish beside that of the sink, for which 1 stands. Raises Imprecise.
        """
        with ctx.workprec(TABLE_BITS + max(top.bit_length() for top in tops)):
            logit, factor = self.logit(), self.factor()
            exponents = [logit - factor * top for top in tops]
            over = np.array([x > VANISHING for x in exponents])
            gone = np.array([x < -VANISHING for x in exponents])
            plain = [
                arb(1) if skipped else x.exp() for x, skipped in zip(exponents, over | gone, strict=True)
            ]
            h, low = as_pairs(plain)
        h[gone] = low[gone] = 0.0
        return h[:, None], low[:, None], over
