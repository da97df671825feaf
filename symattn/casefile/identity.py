"""`W_Q = "identity"`: weights that leave their inputs as they are, of the width of these."""

from __future__ import annotations

from collections.abc import Mapping

from symattn.attention.case import Given, Settings
from symattn.attention.quantities import QUANTITIES
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual
from symattn.text.errors import MissingGiven

IDENTITY = "identity"


def identity(name: str, path: str, given: Mapping[str, Given], settings: Settings) -> Given:
    """The identity (d, d), for inputs of d columns. Raises MissingGiven where d is not known."""
    made = base_name(name).removeprefix("W_")
    of_all = [each.name for each in QUANTITIES.givens if each.source and each.shape[:1] == ("n",)]
    sources = (f"X_{made}", *(("memory",) if QUANTITIES[made].per_key else ()), *of_all)
    source = next((given[each] for each in sources if each in given), None)
    width = settings.d_model if source is None else source.shape[settings.tokens_as == "rows"]
    if width is None:
        raise MissingGiven(
            Bilingual("an identity of a size that nothing says", "单位矩阵的大小无从得知"),
            Bilingual("give X, or write the matrix", "请给出 X，或写出矩阵"),
        ).at(key=path)
    rows = [[int(i == j) for j in range(width)] for i in range(width)]
    typed = tuple(tuple(map(str, row)) for row in rows)
    return Given(typed, Matrix.of([[Exact.of(entry) for entry in row] for row in rows]))
