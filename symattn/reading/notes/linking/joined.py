"""The accounts of several heads put side by side, as one walk with several heads has them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.formulas.names import BIASES, PROJECTIONS, WEIGHTS
from symattn.reading.notes.linking.denote import ROOT
from symattn.reading.notes.linking.ledger import Ledger, Print, value

LAST = sys.maxsize
Cells = dict[tuple[int, int], Num]


def side_by_side(shared: Ledger, heads: Sequence[Ledger], *, transposed: bool = False) -> Ledger:
    """The account of all heads: weights side by side, prints under the names `head1.Q`, `head2.Q`, ...

    `transposed` says that the document declares X W^T.
    """
    if not heads:
        return shared
    whole = Ledger()
    whole.given |= shared.given
    whole.prints += _outputs_together(shared, heads)
    turned = _turned(shared, heads, transposed)
    for name in (*WEIGHTS, *BIASES):
        tables = [head.given[name] for head in heads if name in head.given]
        if len(tables) == len(heads):
            whole.given[name] = _joined(tables, turned and name in WEIGHTS)
        elif tables and name in PROJECTIONS:
            whole.beside = _completed(shared, heads, turned)
    computed = {name for name in "QKV" if _computed(whole, name)}
    for name in computed & whole.given.keys():
        if whole.given[name] == whole.given.get("X"):  # `Q = K = V = X` is what each head projects
            del whole.given[name]
    shown = {name for name in "QKV" if all(name in head.given or name in head.widths for head in heads)}
    for name in {"Q", "K", "V"} - computed:
        tables = [head.given[name] for head in heads if name in head.given]
        if len(tables) == len(heads):  # said to be another quantity of their head, and not printed again
            whole.given[name] = _joined(tables, False)
    for number, head in enumerate(heads, start=1):
        for made in head.prints:
            width = head.shape(made.name)[1]
            if made.name in shown - computed:
                whole.prints.append(replace(made, col=made.col + (number - 1) * width))
            elif made.name == ROOT or (whole.beside and not PROJECTIONS & head.given.keys()):
                whole.prints.append(
                    made
                )  # a head with the weights of the single one before is that one again
            else:
                whole.prints.append(replace(made, name=f"head{number}.{made.name}"))
    for made in whole.prints:
        if made.key is None:
            whole.first.setdefault(made.name, {}).setdefault((made.row, made.col), made)
    return whole


def _outputs_together(shared: Ledger, heads: Sequence[Ledger]) -> list[Print]:
    """What was printed of no single head: an output behind those of all heads, as wide, is these together.

    With W_O it may be what that makes of them.
    """
    ends = [last[0] for head in heads if (last := head.last_before("Z", LAST)) is not None]
    width = sum(head.shape("Z")[1] for head in heads)
    if len(ends) < len(heads) or "W_O" in shared.given:
        return shared.prints
    return [
        replace(made, name="concat")
        if made.name in ("Z", "output") and made.num.start > max(ends) and shared.shape(made.name)[1] == width
        else made
        for made in shared.prints
    ]


def _completed(shared: Ledger, heads: Sequence[Ledger], turned: bool) -> dict[str, Cells]:
    """The weights of all heads where those of a single one before them are of the heads without their own."""
    joined: dict[str, Cells] = {}
    for name in sorted(PROJECTIONS):
        tables = [head.given.get(name) or shared.given.get(name) for head in heads]
        known = [table for table in tables if table]
        if len(known) < len(heads) or len({max(table) for table in known}) > 1:
            return {}
        joined[name] = _joined(known, turned)
    return joined


def _computed(whole: Ledger, name: str) -> bool:
    """Whether Q, K or V as a whole can be computed or was printed."""
    return ("X" in whole.given and f"W_{name}" in whole.given) or any(
        made.name == name for made in whole.prints
    )


def _turned(shared: Ledger, heads: Sequence[Ledger], transposed: bool) -> bool:
    """Whether weights multiply as X W^T, so that those of all heads stand below one another.

    Square weights say so only by what was printed of their products, or by what is declared.
    """
    width = shared.shape("X")[1]
    shapes = [head.shape(name) for head in heads for name in WEIGHTS if name in head.given]
    right, turned = (all(shape[side] == width for shape in shapes) for side in (0, 1))
    if right != turned:
        return turned
    explained = [sum(_explained(shared, head, way) for head in heads) for way in (False, True)]
    return explained[1] > explained[0] or (transposed and explained[1] == explained[0])


def _explained(shared: Ledger, head: Ledger, turned: bool) -> int:
    """How many printed entries of Q, K and V the products, one way or the other, come near."""
    x = shared.given.get("X", {})
    count = 0
    for made in head.prints:
        weights = head.given.get(f"W_{made.name}")
        if weights is None:
            continue
        terms = [
            (value(num), value(weights[(made.col, k) if turned else (k, made.col)]))
            for (row, k), num in x.items()
            if row == made.row and ((made.col, k) if turned else (k, made.col)) in weights
        ]
        bias = head.given.get(f"b_{made.name}", {}).get((0, made.col))
        shift = value(bias) if bias is not None else None
        total = sum((a * b for a, b in terms if a is not None and b is not None), shift or Fraction(0))
        printed = value(made.num)
        _, _, decimals = made.num.text.partition(".")
        count += printed is not None and abs(total - printed) <= Fraction(1, 10 ** len(decimals))
    return count


def _joined(tables: Sequence[Cells], below: bool) -> Cells:
    """Tables beside one another, or one below the other."""
    joined: Cells = {}
    across = 0
    for table in tables:
        for (row, col), num in table.items():
            joined[(row + across, col) if below else (row, col + across)] = num
        across += max(at[0 if below else 1] for at in table) + 1
    return joined
