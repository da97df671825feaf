"""What has no name: exponentials, quotients and lists known by their numbers, and numerals in prose.

A list is tied to a quantity only where its values were printed: a link made here accuses of copies alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Node,
    Num,
    Row,
    grid_of,
    numerals,
)
from symattn.reading.notes.formulas.names import Ref
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.apart import is_contrast
from symattn.reading.notes.linking.arithmetic import worked_out
from symattn.reading.notes.linking.arrows import by_factor, led_to
from symattn.reading.notes.linking.closeness import is_decimal
from symattn.reading.notes.linking.in_order import in_order
from symattn.reading.notes.linking.ledger import value
from symattn.reading.notes.linking.link import Linker
from symattn.reading.notes.linking.nearby import is_root, row_above, row_of_line, sum_of_line, weights_of_line
from symattn.reading.notes.linking.place import table_of
from symattn.reading.notes.linking.terms import flatten, numbers, only_row, weighted

MOST_LISTED = 64
LOGITS = ("tempered", "masked", "scaled", "scores")
_RATED = re.compile(
    r"关注|注意|权重|(?<!自)分|比例|精力|内涵|attend|weight|score|attention|focus|%", re.IGNORECASE
)
_ALONE = re.compile(r"^[\W\d]*\w{1,12}[:： ]*$")
"""No more than a word before a number: 合计 3.72."""
_COUNTED = re.compile(
    r"(?:\b(?:token|word|row|column|query|key|position|head|step|part|line|table)s?|第|位置|トークン|単語|行|列"
    r"|토큰|단어|위치|행)[ ~]?$",
    re.IGNORECASE,
)
"""Words behind which an integer says which one: `the scaled scores of token 1`."""


def recognised(linker: Linker, item: Item) -> bool:
    """Link an unnamed chain by the numbers in it; False where that is not possible for certain."""
    assert isinstance(item.node, Chain)
    if item.broken and (made := by_factor(linker, item.node)) is not None:
        return linker.members(made, item.node.members[1:])
    members = item.node.members[1:] if item.broken else item.node.members
    if is_contrast(members, linker.context, linker.predictor, linker.twins):
        linker.role(item.node, "working")
        return True
    while len(members) > 1 and next(numerals(members[0]), None) is None:
        members = members[1:]
    item = replace(item, start=next((num.start for num in numerals(members[0])), item.start))
    target = linker.quotient_of_scores(members[0]) or _by_numbers(linker, members[0], item)
    target = target or sum_of_line(linker, item)
    return linker.members(target, members) if target is not None else False


def _by_numbers(linker: Linker, node: Node, item: Item) -> Ref | None:
    match node:
        case Call(function="exp", argument=Num() as exponent) if exponent.text != "-inf":
            return _entry(linker, LOGITS, exponent, item, "exp")
        case Call(function="softmax" | "exp" as function, argument=Row() as row) if is_literal(row):
            made = "A" if function == "softmax" else "exp"
            at = _row_of(linker, row, LOGITS, item, made)
            return Ref(made, at) if at is not None else None
        case Binary(op="/", left=Row() as row, right=Num() as divisor) if is_literal(row) and (
            divisor.text == linker.context.temperature
            and (at := _row_of(linker, row, LOGITS[1:], item, "tempered")) is not None
        ):
            return Ref("tempered", at)
        case Binary(op="/", left=Row() as row) if is_literal(row):
            at = _row_of(linker, row, ("scores",), item, "scaled")
            return Ref("scaled", at) if at is not None else None
        case Binary(op="/", left=Num() as score, right=divisor) if linker.is_root(divisor) and (
            ref := in_order(linker, score, item) or _entry(linker, ("scores",), score, item, "scaled")
        ):
            return ref
        case Binary(op="/", left=Num() as over, right=Num() as under):
            return _quotient(linker, over, under, item)
        case Row(items=cells) if cells and all(isinstance(cell, Binary) and cell.op == "/" for cell in cells):
            pairs = [(cell.left, cell.right) for cell in cells if isinstance(cell, Binary)]
            if all(isinstance(a, Num) and isinstance(b, Num) for a, b in pairs):
                rows = {ref.row for a, b in pairs if (ref := _quotient(linker, a, b, item)) is not None}  # type: ignore[arg-type]
                return Ref("A", rows.pop()) if len(rows) == 1 else _of_powers(linker, pairs, item)
        case Binary(op="+", left=Row() as x, right=Row() as encoding) if is_literal(x) and is_literal(
            encoding
        ):
            inputs = [at for name, at in linker.ledger.rows_like(numbers(x)) if name == "X"]
            encoded = [at for name, at in linker.ledger.rows_like(numbers(encoding)) if name == "PE"]
            both = [at for at in inputs if at in encoded]
            return Ref("X+PE", both[0]) if both else None
        case Binary(op="+"):
            entry = linker.dot_product(node)
            return Ref("scores", *entry) if entry is not None else _sum(linker, node, item)
        case Binary(op="*", left=Row() as q, right=Row() as k) if is_literal(q) and is_literal(k):
            qs = [row for name, row in linker.ledger.rows_like(numbers(q)) if name == "Q"]
            ks = [row for name, row in linker.ledger.rows_like(numbers(k)) if name == "K"]
            return Ref("scores", qs[0], ks[0]) if len(qs) == len(ks) == 1 else None
    return None


def _rows(linker: Linker, name: str, item: Item) -> list[int]:
    """The rows that were printed of a quantity, that of the context first."""
    here = linker.query(item.start)
    rows = sorted({row for row, _ in linker.ledger.first.get(name, {})})
    return sorted(rows, key=lambda row: row != here)


def _entry(linker: Linker, sources: Sequence[str], num: Num, item: Item, made: str) -> Ref | None:
    """The one entry with this value: the next of its row, or in the row of the context, or in the only one.

    One that only should have the value gives way where what is `made` of it was printed before.
    """
    known: Ref | None = None
    here = linker.query(item.start)
    if here is None and made == "exp":
        here = row_of_line(linker, item.start)
    done = linker.ledger.first.get(made, {})
    if here is not None:
        before = (row for (row, _), printed in done.items() if printed.num.start < item.start)
        following = here, sum(row == here for row in before)
        latest = next((name for name in sources if name in linker.ledger.first), sources[-1])
        if following in linker.ledger.entries_like(latest, num):
            return Ref(made, *following)
    for name in sources:
        found = linker.predictor.entries_like(name, num) or linker.predictor.misprinted(name, num)
        if here is not None:
            found = [at for at in found if at[0] == here or not linker.ledger.is_below(name, at, item.start)]
        mine = [at for at in found if at[0] == here]
        best = mine if here is not None and mine else found
        fresh = [at for at in best if at not in done]
        if made == "scaled" and here is None and (following := _next(linker, made, item.start)) in fresh:
            return Ref(made, *following)
        if len(best) == 1 or (fresh and len({at[0] for at in best}) == 1):
            ref = Ref(made, *(fresh or best)[0])
            if fresh or name in linker.ledger.first:
                return ref
            known = known or ref
        elif found or name in linker.ledger.first:
            return known
    return known


def _next(linker: Linker, name: str, offset: int) -> tuple[int, int]:
    """The entry behind the one that was printed last before an offset, as one goes on through a matrix."""
    last = linker.ledger.last_before(name, offset)
    row = last[1] if last is not None else 0
    before = (at for at, made in linker.ledger.first.get(name, {}).items() if made.num.start < offset)
    col = sum(at[0] == row for at in before)
    return (row, col) if col < linker.ledger.shape("scores")[1] else (row + 1, 0)


def _row_of(linker: Linker, row: Row, sources: Sequence[str], item: Item, made: str) -> int | None:
    """The row of one of the sources that was printed so: that of the context, or the first not `made` yet."""
    found = [(name, at) for name, at in linker.ledger.rows_like(numbers(row)) if name in sources]
    here = linker.query(item.start)
    by_entries = (
        at
        for name in sources
        for at in range(min(linker.ledger.shape(name)[0], MOST_LISTED))
        if [linker.ledger.entry(name, at, col) for col in range(len(row.items))]
        == [value(num) for num in numbers(row)]
    )
    rows = list(dict.fromkeys([*(at for _, at in found), *by_entries]))
    before = linker.ledger.rows_between(made, 0, item.start)
    known = [at for at in rows if at not in before] or rows
    return here if here in known else next(iter(known), None)


def _quotient(linker: Linker, over: Num, under: Num, item: Item) -> Ref | None:
    """3.16/12.55 where 3.16 was printed as an exponential and 12.55 as the sum of its row."""
    for row in _rows(linker, "sum", item):
        if linker.ledger.entry("sum", row, 0) != value(under):
            continue
        cols = [c for r, c in linker.ledger.entries_like("exp", over) if r == row]
        done = linker.ledger.first.get("A", {})
        fresh = [c for c in cols if (row, c) not in done]
        if len(cols) == 1 or fresh:
            return Ref("A", row, (fresh or cols)[0])
    return None


def _of_powers(linker: Linker, pairs: Sequence[tuple[Node, Node]], item: Item) -> Ref | None:
    """The row of `[2.72/3.72, 1/3.72]`, whose exponentials were not printed before."""
    here = linker.query(item.start)
    at = here if here is not None else linker.ledger.only_row("Q")
    overs = [num for over, _ in pairs for num in numerals(over)]
    return Ref("A", at) if at is not None and linker.are_powers(at, dict(enumerate(overs))) else None


def _sum(linker: Linker, node: Node, item: Item) -> Ref | None:
    """What numbers that were printed add up to, or the exponentials of such: `e^0.5 + e^2.5`."""
    terms = flatten(node)
    powers = [term.argument for term in terms if isinstance(term, Call) and term.function == "exp"]
    nums = [term for term in powers or terms if isinstance(term, Num)]
    if len(nums) == len(terms):
        sources = LOGITS if powers else ("exp",)
        rows = [row for name, row in linker.ledger.rows_like(nums) if name in sources]
        here = linker.query(item.start)
        before = linker.ledger.rows_between("sum", 0, item.start)
        fresh = [row for row in rows if row not in before]
        return Ref("sum", here if here in rows else (fresh or rows)[0], 0) if rows else None
    weights = [pair[0] for term in terms if (pair := weighted(term)) is not None]
    if len(weights) == len(terms):
        at = _row_of(linker, Row(tuple(weights), item.start, item.end), ("A",), item, "Z")
        return Ref("Z", at) if at is not None else None
    return None


def followed(linker: Linker, node: Node, item: Item) -> bool:
    """A list or a matrix that goes on from the printed numbers before it, by most of its own."""
    if linker.context.supposes(item.start):
        return False
    row = only_row(node)
    if row is not None and len(row.items) <= MOST_LISTED:
        at = linker.predictor.step_of(nums := numbers(row), linker.query(item.start))
        if at is not None and not any(map(is_decimal, nums)) and not _is_whole(linker, at, nums):
            at = None  # some whole numbers agree by chance
        if at is not None and linker.predictor.explained(*at, nums) < worked_out(item.node):
            at = None  # what stands before them gives more of them
        if at is None:
            told = weights_of_line(linker, row, item)
            return told is not None and linker.place(told, row)
        return linker.predictor.is_made_before(at[0], item.start) and linker.place(Ref(*at), row)
    table = table_of(node) if row is None and grid_of(node) is not None else None
    name = linker.predictor.matrix_of(table, None) if table is not None else None
    called = item.target == Ref("A") and name in ("exp", None)
    if table is not None and called and linker.predictor.weigh(table):
        name = "A"  # what they are called, and nobody divided them by their sum
    return name is not None and linker.place(Ref(name), node)


def whole_row(linker: Linker, node: Node, item: Item) -> bool:
    """The scores inside a function that says what it comes to, where all of them are those of a row."""
    row = only_row(node)
    nums = numbers(row) if row is not None else []
    at = linker.predictor.step_of(nums, linker.query(item.start), ("scores", "scaled"))
    return at is not None and _is_whole(linker, at, nums) and followed(linker, node, item)


def _is_whole(linker: Linker, at: tuple[str, int], nums: Sequence[Num]) -> bool:
    return linker.predictor.explained(*at, nums) == len(nums)


def in_prose(linker: Linker, num: Num) -> bool:
    """A numeral in a sentence: an entry of A or of the scores that was printed with this value."""
    context, ledger = linker.context, linker.ledger
    if led_to(linker, num) or is_root(linker, num):
        return True
    decimal = "." in num.text or num.text.endswith("%")
    share = linker.share(num.start) if decimal else None
    if share is not None:
        ledger.next_group()
        ledger.claim("A", 0 if linker.bases.single else share.row, share.col, num)
        return True
    if context.speaks_of_sum(num.start) and ledger.last_before("exp", num.start) is not None:
        row = linker.predictor.sum_of(num, linker.query(num.start))
        beside = row_of_line(linker, num.start) if row is None else None
        if beside is not None and (
            not linker.predictor.printed("sum", beside) or (beside, 0) in ledger.entries_like("sum", num)
        ):
            row = beside
        elif row is None and _ALONE.search(context.before(num.start)):
            again = [at for at, _ in ledger.entries_like("sum", num)]
            row = again[0] if again else row_above(linker, num.start)
        if row is not None:
            ledger.next_group()
            ledger.claim("sum", row, 0, num)
            return True
    counts = _COUNTED.search(context.before(num.start)[-12:]) or context.speaks_of_sum(num.start)
    if (counts and not decimal) or not context.speaks_of(_RATED, num.start):
        return False
    here = linker.query(num.start) if decimal else context.own_row(num.start)
    for name in ("A",) if decimal else ("scores",):
        found = ledger.entries_like(name, num)
        mine = [at for at in found if at[0] == here] or (found if decimal else [])
        best = [at for at in mine if at[1] == context.column(num.start)] or mine
        if best:
            ledger.next_group()
            ledger.claim(name, *best[0], num)
            return True
    return False
