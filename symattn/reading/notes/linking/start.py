"""Where the walk of an example starts, and which prints are claims of it.

The walk starts at the inputs. Where they are missing it starts at the first printed matrices, which then
are givens and no claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from symattn.bilingual import Bilingual
from symattn.case import Given
from symattn.errors import SymattnError
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.reading.notes.formulas.formula import Num
from symattn.reading.notes.linking.closeness import agree
from symattn.reading.notes.linking.denote import ROOT
from symattn.reading.notes.linking.ledger import Print

WALK: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("PE", ()),
    ("X+PE", (("X", "PE"),)),
    ("Q", (("X", "W_Q"), ("X+PE", "W_Q"))),
    ("K", (("X", "W_K"), ("X+PE", "W_K"), ("memory", "W_K"))),
    ("V", (("X", "W_V"), ("X+PE", "W_V"), ("memory", "W_V"))),
    ("scores", (("Q", "K"),)),
    ("scaled", (("scores",),)),
    ("masked", (("scaled",),)),
    ("tempered", (("scaled",),)),
    ("exp", (("scaled",), ("masked",))),
    ("sum", (("exp",),)),
    ("A", (("exp",),)),
    ("Z", (("A", "V"),)),
    ("concat", (("Z",),)),
    ("output", (("Z", "W_O"),)),
    ("residual_1", (("X", "Z"), ("X+PE", "Z"))),
    ("norm_1", (("residual_1",),)),
    ("widened", (("norm_1", "W_1"),)),
    ("active", (("widened",),)),
    ("ffn", (("active", "W_2"),)),
    ("residual_2", (("norm_1", "ffn"),)),
    ("norm_2", (("residual_2",),)),
)
NOWHERE = -1
"""Where a numeral begins that is printed nowhere."""
STARTS = frozenset({"PE", "Q", "K", "V", "scores", "scaled", "A", "Z", "residual_1"})
OF_A_NORM = (".mean", ".variance", ".deviation", ".normalised")
LAYER = ("residual_1", "norm_1", "widened", "active", "ffn", "residual_2", "norm_2")
IN_A_LAYER = frozenset({*LAYER, *(f"norm_{k}{part}" for k in (1, 2) for part in OF_A_NORM)})
"""What stands around attention in a layer."""
OVER_KEYS = frozenset({"scores", "scaled", "masked", "exp", "A"})
"""What has a column for each key."""
_OVER = {"scores": "K", "Z": "V"}
"""What has one term, or one column, for each row of another quantity."""
FEWEST = 2
"""How many numbers beyond the last key tell that there are more keys."""
QUERY_SIDE = frozenset(
    {"Q", "scores", "scaled", "masked", "tempered", "exp", "sum", "A", "Z", "Z.term", "output", *IN_A_LAYER}
)
NO_SOURCE = Bilingual(
    "nothing that {name} is computed from is given or printed", "计算 {name} 所需的量既没有给出，也没有印出"
)
ONE_HEAD = frozenset({"scores", "scaled", "masked", "exp", "sum", "A", "Z"})
"""Printed without a head, these belong to a walk with a single one."""
AUXILIARY: Mapping[str, str] = {
    "Z.term": "Z",
    ROOT: "scaled",
    **{f"norm_{k}{part}": f"norm_{k}" for k in (1, 2) for part in OF_A_NORM},
}


def head_number(name: str) -> int:
    """The head of `head2.A`, from 1; 0 for a name without one."""
    tag, dot, _ = name.partition(".")
    return int(tag.removeprefix("head")) if dot and tag.startswith("head") else 0


def plain_name(name: str) -> str:
    """The quantity of a name without its head."""
    return name.partition(".")[2] if head_number(name) else name


class Start:
    """Where the walk starts: what can be computed stays a claim, the first that cannot is given.

    `rows` says which row of the queries a printed index means, where not all of them are there; `known` are
    quantities that need no input, `foreign` projections of something else than X, `hidden` the scores that
    are printed as minus infinity; `turned` says that queries and keys are rotated before they meet.
    """

    def __init__(
        self,
        prints: Sequence[Print],
        given: Mapping[str, Given],
        masked: bool = False,
        rows: Mapping[int, int] | None = None,
        known: frozenset[str] = frozenset(),
        foreign: frozenset[str] = frozenset(),
        hidden: frozenset[tuple[int, int]] = frozenset(),
        *,
        turned: bool = False,
    ) -> None:
        self.given = dict(given)
        self.turned = turned
        self.claims: list[Print] = []
        self.left: list[tuple[Print, Bilingual]] = []
        self.rows, self.foreign, self.hidden = rows, foreign, hidden
        by_name: dict[str, list[Print]] = {}
        for made in prints:
            by_name.setdefault(made.name, []).append(made)
        self.rows = self.rows or self._only_query(prints)
        self.gaps = False
        self.columns = {made.col for over in OVER_KEYS for made in by_name.get(over, ())}
        available = set(self.given) | known
        taken: set[int] = set()
        for name, ways in WALK:
            if any(all(part in available for part in way) and self._fits(name, way, by_name) for way in ways):
                if name != "masked" or masked:
                    available.add(name)
            elif name not in available and name in STARTS and _goes_on(name, by_name):
                if name in QUERY_SIDE and rows is not None:
                    self.rows = None  # the rows of X are not those of the queries
                if name == "scores" and not self._spans(name, by_name):
                    unused = {"Q", "K"} | (set() if "X" in given else {"W_Q", "W_K"})
                    self.given = {of: each for of, each in self.given.items() if of not in unused}
                printed = by_name.get(name) or self._seen(name, by_name)
                if name in QUERY_SIDE and self._has_other_rows(printed):
                    self.rows = None
                    available -= self.given.keys() & QUERY_SIDE
                    self.given = {of: each for of, each in self.given.items() if of not in QUERY_SIDE}
                table = self._table(name, printed)
                if table is not None:
                    keys = len(table) if name == "K" else len(table[0]) if name in OVER_KEYS else 0
                    if not keys or keys >= _most_columns(by_name) or _are_whole(by_name):
                        self.given[name] = self._behind_past(name, given_of(table))
                        available.add(name)
                    taken |= {num.start for row in table for num in row}
        self.only = len(self.rows or ()) == 1 and self._is_one_row(prints, self.rows or ())
        for made in prints:
            plain = plain_name(made.name)
            needs = AUXILIARY.get(plain, plain)
            if made.num.start in taken:
                continue
            row = self._compressed(made)
            if needs in available and row is not None and made.name != "X":
                made.row = row
                self.claims.append(made)
            else:
                self.left.append((made, NO_SOURCE.format(name=made.name)))

    def _spans(self, name: str, by_name: Mapping[str, Sequence[Print]]) -> bool:
        """Whether there is a row of keys, or of values, for each column of what goes over them.

        Rotated keys are others than those of the walk.
        """
        if name == "scores" and self.turned:
            return False
        of = next((of for of in (_OVER[name], "memory", "X") if of in self.given), None)
        if of is None or f"past_{_OVER[name]}" in self.given:
            return True
        if _are_whole(by_name):
            return True
        columns = [made.col for over in OVER_KEYS for made in by_name.get(over, ())]
        return sum(col >= self.given[of].shape[0] for col in columns) < FEWEST

    def _only_query(self, prints: Sequence[Print]) -> Mapping[int, int] | None:
        """The row of a single query that is given, which may be counted among all tokens."""
        queries = self.given.get("Q") or self.given.get("X")
        rows = (
            {made.row for made in prints if made.name == "Q"}
            if queries is None
            else set(range(queries.shape[0]))
        )
        said = {made.row for made in prints if plain_name(made.name) in QUERY_SIDE} - {0}
        projected = {row: {m.col: m.num for m in prints if (m.name, m.row) == ("Q", row)} for row in said}
        first = {made.col: made.num for made in prints if (made.name, made.row) == ("Q", 0)}
        several = any(
            not agree(num, row[col]) for row in projected.values() for col, num in first.items() if col in row
        )
        only = dict.fromkeys(said, 0) if rows == {0} and len(said) == 1 and not several else None
        return only if only is None or self._is_one_row(prints, only) else None

    @staticmethod
    def _is_one_row(prints: Sequence[Print], rows: Collection[int]) -> bool:
        """Whether row 0 can be the only one of `rows`: no list has other numbers in both."""
        first: dict[tuple[str, bool, int], Num] = {}
        for made in prints:
            if plain_name(made.name) in QUERY_SIDE and (made.row == 0 or made.row in rows):
                first.setdefault((made.name, made.row == 0, made.col), made.num)
        other = Counter(
            name
            for (name, is_first, col), num in first.items()
            if is_first and (name, False, col) in first and not agree(num, first[name, False, col])
        )
        return max(other.values(), default=0) < 2

    def _fits(self, name: str, way: Sequence[str], by_name: Mapping[str, Sequence[Print]]) -> bool:
        """Whether a quantity may be made so: not where it is of something else, or more of it is printed."""
        if way[0] == "X" and name in self.foreign:
            return False
        if name == "Q" and way[0] == "X":
            return len({made.row for made in by_name.get(name, ())}) <= self.given["X"].shape[0]
        if name in _OVER and not self._spans(name, by_name):
            return False
        if name not in ("K", "V") or way[0] != "X":
            return True
        past = self.given.get(f"past_{name}")
        most = self.given["X"].shape[0] + (past.shape[0] if past is not None else 0)
        if _most_columns(by_name) > most:
            return False
        return max((made.row for made in by_name.get(name, ())), default=0) < max(most, len(self.rows or ()))

    def _behind_past(self, name: str, new: Given) -> Given:
        """The keys or values of new tokens behind those of a cache, unless these are printed with them."""
        past = self.given.get(f"past_{name}")
        if past is None or past.shape[1] != new.shape[1]:
            return new
        if new.shape[0] > past.shape[0] and new.typed[: past.shape[0]] == past.typed:
            return new
        return Given(past.typed + new.typed, Matrix.of([*past.values.rows(), *new.values.rows()]))

    def _seen(self, name: str, by_name: Mapping[str, Sequence[Print]]) -> Sequence[Print]:
        """Masked scores are the scaled ones, where a key is seen; what a hidden one was tells nothing."""
        if name != "scaled" or "masked" not in by_name:
            return ()
        nothing = Num("0", NOWHERE, NOWHERE)
        return [*by_name["masked"], *(Print("masked", row, col, nothing, 0) for row, col in self.hidden)]

    def _table(self, name: str, prints: Sequence[Print]) -> tuple[tuple[Num, ...], ...] | None:
        """The first printing of every entry, as a full table; rows that are not printed are left out."""
        cells: dict[tuple[int, int], Num] = {}
        for made in prints:
            if made.key is None and not made.num.text.endswith("%"):
                cells.setdefault((made.row, made.col), made.num)
        for made in prints:
            cells.setdefault((made.row, made.col), made.num)
        rows = sorted({row for row, _ in cells})
        cached = f"past_{name}" in self.given
        if name in ("K", "V") and not cached and self.columns & set(range(max(rows, default=0))) - {*rows}:
            return None  # there are scores of a key that is not printed
        if name in QUERY_SIDE and rows != list(range(len(rows))) and self.rows is None:
            self.rows, self.gaps = {row: i for i, row in enumerate(rows)}, True
        return full(
            {(i, col): num for i, row in enumerate(rows) for (r, col), num in cells.items() if r == row}
        )

    def _has_other_rows(self, prints: Sequence[Print]) -> bool:
        """Whether rows of a quantity are printed that are not among those of the queries above it."""
        here = {made.row for made in prints}
        return self.rows is not None and self.gaps and not here <= self.rows.keys()

    def _compressed(self, made: Print) -> int | None:
        if self.rows is None or plain_name(made.name) not in QUERY_SIDE:
            return made.row
        only = 0 if self.only and made.row == 0 else None  # of a matrix with nothing but this row
        return self.rows.get(made.row, only)


_BEHIND = ("scores", "scaled", "masked", "tempered", "exp", "sum", "A", "Z", "Z.term", "output", *LAYER)


def _goes_on(name: str, printed: Mapping[str, object]) -> bool:
    """Whether something is printed that is computed from a quantity: weights alone are no input."""
    if name not in _BEHIND:
        return True
    if name in ("Z", "residual_1"):  # the blocks of a layer on their own
        return any(made.startswith("norm_1") or made == "residual_1" != name for made in printed)
    return any(later in printed for later in _BEHIND[_BEHIND.index(name) + 1 :])


def _are_whole(by_name: Mapping[str, Sequence[Print]]) -> bool:
    """Whether Q, K and V were printed as one matrix each, all of as many rows: none of them was left unread.

    What goes over more keys is wrong then.
    """
    heights = set()
    for name in "QKV":
        first: dict[tuple[int, int], int] = {}
        for made in by_name.get(name, ()):
            first.setdefault((made.row, made.col), made.group)
        if len(set(first.values())) != 1:
            return False
        heights.add(max(first)[0])
    return len(heights) == 1 and heights != {0}


def _most_columns(by_name: Mapping[str, Sequence[Print]]) -> int:
    """How many keys most rows over keys go over, as far as they are printed."""
    rows: dict[tuple[str, int], int] = {}
    for name in OVER_KEYS:
        for made in by_name.get(name, ()):
            rows[name, made.row] = max(rows.get((name, made.row), 0), made.col + 1)
    return sorted(rows.values())[(len(rows) - 1) // 2] if rows else 0


def full(cells: Mapping[tuple[int, int], Num]) -> tuple[tuple[Num, ...], ...] | None:
    """The cells as a table without gaps, or None."""
    n, m = max((r for r, _ in cells), default=-1) + 1, max((c for _, c in cells), default=-1) + 1
    if not n or not m or len(cells) != n * m:
        return None
    return tuple(tuple(cells[r, c] for c in range(m)) for r in range(n))


def given_of(table: Sequence[Sequence[Num]]) -> Given:
    typed = tuple(tuple(num.text for num in row) for row in table)
    return Given(typed, Matrix.of([[_exact(text) for text in row] for row in typed]))


def _exact(text: str) -> Exact:
    try:
        return read(text, {})
    except SymattnError:
        return Exact.of(0)
