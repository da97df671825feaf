"""The names that a case gives to what it states: as the computation has them, or as pages print them."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from symattn.attention.case import Case
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.layernorm_parts import PARTS
from symattn.attention.symbols import meant
from symattn.auditor.claims import ROOT, TERM
from symattn.auditor.statements import factors_of
from symattn.exact.literal import quote
from symattn.plans.plan import base_name
from symattn.text.bilingual import Bilingual
from symattn.text.errors import UnusableValue
from symattn.text.suggest import alternatives, instead

LISTING = Bilingual("`symattn check CASE` lists all names", "`symattn check CASE` 列出全部名称")


def with_known_names(case: Case, names: Collection[str]) -> Case:
    """The case with the names of its computation for those under which it states numbers and sentences.

    Raises UnusableValue, at the first of them, for names that mean nothing or more than one thing. What is a
    quantity, and none of this computation, is left as it is.
    """
    stated = tuple(
        replace(claim, name=_known(claim.name, names, case, f"stated[{i}].name"))
        for i, claim in enumerate(case.stated)
    )
    statements = tuple(
        replace(said, name=_factors(said.name, names, case, f"statement[{i}].name"))
        for i, said in enumerate(case.statements)
    )
    return replace(case, stated=stated, statements=statements)


def _known(written: str, names: Collection[str], case: Case, key: str) -> str:
    name = next((written.removesuffix(part) for part in (TERM, *PARTS) if written.endswith(part)), written)
    found = meant(name, names)
    elsewhere = QUANTITIES.counted(name) is not None and base_name(name) not in map(base_name, names)
    if written == ROOT or (not found and elsewhere):
        return written
    if len(found) == 1:
        return found[0] + written.removeprefix(name)
    typed = quote(written)
    if found:
        error = UnusableValue(
            Bilingual(f"{typed}, which may mean several quantities", f"{typed} 可能指几个量"),
            Bilingual("write {names}", "请写 {names}").format(names=alternatives(found)),
        )
    else:
        error = UnusableValue(
            Bilingual(f"the computation has no quantity {typed}", f"推导中没有 {typed} 这个量"),
            instead(name, names, LISTING, [each for each in names if _is_near(name, each)]),
        )
    raise error.at(**case.at(key))


def _factors(written: str, names: Collection[str], case: Case, key: str) -> str:
    """The name of a quantity, or those of a product such as `X W_Q`."""
    factors = factors_of(written)
    known = [_known(factor, names, case, key) for factor in factors]
    return written if known == factors else " ".join(known)


def _is_near(written: str, name: str) -> bool:
    """Whether a name may have been meant: `head1.A` by A, `A` by weights."""
    base, quantity = base_name(name), QUANTITIES.of(name)
    if meant(base_name(written), [base]):
        return True
    titles = filter(None, (quantity.title, quantity.heading) if quantity is not None else ())
    return any(written in (title.zh, title.en) or written == title.en.lower().split()[-1] for title in titles)
