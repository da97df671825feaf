"""From the account of one example to its cases: what is given, which conventions, what is claimed.

The walk starts at the inputs. Where they are missing it starts at the first printed matrices, which then
are givens and no claims; what cannot be recomputed at all is unread (SA905), never correct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symattn.case import Case, Claim, Given, Place, Settings
from symattn.derive import shapes
from symattn.errors import SymattnError
from symattn.exact.literal import names_in, parse, read
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.reading.notes.context import Context
from symattn.reading.notes.denote import ROOT
from symattn.reading.notes.formula import Num, numerals
from symattn.reading.notes.infer import Evidence, inferred
from symattn.reading.notes.ledger import Ledger, Print, value
from symattn.reading.notes.result import Convention
from symattn.reading.notes.sentences import undefined
from symattn.reading.notes.works import spell
from symattn.recipes.attention import attention, values

WALK: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("Q", (("X", "W_Q"),)),
    ("K", (("X", "W_K"),)),
    ("V", (("X", "W_V"),)),
    ("scores", (("Q", "K"),)),
    ("scaled", (("scores",),)),
    ("masked", (("scaled",),)),
    ("exp", (("scaled",), ("masked",))),
    ("sum", (("exp",),)),
    ("A", (("exp",),)),
    ("Z", (("A", "V"),)),
    ("concat", (("Z",),)),
    ("output", (("Z", "W_O"),)),
)
STARTS = frozenset({"Q", "K", "V", "scores", "scaled", "A"})
QUERY_SIDE = frozenset({"Q", "scores", "scaled", "masked", "exp", "sum", "A", "Z", "Z.term", "output"})
ONE_HEAD = frozenset({"scores", "scaled", "masked", "exp", "sum", "A", "Z"})
"""Printed without a head, these belong to a walk with a single one."""
AUXILIARY: Mapping[str, str] = {"Z.term": "Z", ROOT: "scaled"}
Built = tuple[Case, tuple[Convention, ...]]


def build(
    ledger: Ledger,
    context: Context,
    title: str,
    lang: str,
    file: str | None,
    tokens: tuple[str, ...],
    evidence: Evidence,
    position: int = 0,
) -> tuple[list[Built], list[tuple[Print, str]]]:
    """The cases of one example, and the prints that belong to no walk, with the reason."""
    prints = sorted(ledger.prints, key=lambda made: made.num.start)
    positions = [made for made in prints if made.name == "PE"]
    heads = max((number for made in prints if (number := head_number(made.name))), default=1)
    apart = heads > 1 and any(made.name in ONE_HEAD for made in prints)
    of_heads = [made for made in prints if head_number(made.name)] if apart else []
    left_out = {id(made) for made in (*positions, *of_heads)}
    core = [made for made in prints if id(made) not in left_out]
    built: list[Built] = []
    unread: list[tuple[Print, str]] = []
    given = {name: table for name, cells in ledger.given.items() if (table := _full(cells)) is not None}
    matrices = {name: _given(table) for name, table in given.items()}
    start = _Start(core, matrices, context.causal or bool(evidence.hidden))
    if start.given and (start.claims or start.given.keys() & {"X", "Q"}):
        labels = _labels(tokens, start)
        settings, conventions = inferred(start.given, start.claims, evidence, 1 if apart else heads)
        case = _case(title, lang, file, start.given, settings, start.claims, labels, context)
        case = replace(case, statements=undefined(case, conventions, evidence, context))
        problem = _unwalkable(case)
        if problem is None:
            built.append((case, conventions))
        else:
            unread += [(made, problem) for made in start.claims]
    unread += start.left
    if of_heads:
        built += _heads(of_heads, built, context, unread)
    if positions:
        built += _positions(positions, title, lang, file, context, position)
    return built, unread


def head_number(name: str) -> int:
    """The head of `head2.A`, from 1; 0 for a name without one."""
    tag, dot, _ = name.partition(".")
    return int(tag.removeprefix("head")) if dot and tag.startswith("head") else 0


def plain_name(name: str) -> str:
    """The quantity of a name without its head."""
    return name.partition(".")[2] if head_number(name) else name


class _Start:
    """Where the walk starts: what can be computed stays a claim, the first that cannot is given."""

    def __init__(self, prints: Sequence[Print], given: Mapping[str, Given], masked: bool = False) -> None:
        self.given = dict(given)
        self.claims: list[Print] = []
        self.left: list[tuple[Print, str]] = []
        self.rows: dict[int, int] | None = None
        by_name: dict[str, list[Print]] = {}
        for made in prints:
            by_name.setdefault(made.name, []).append(made)
        available = set(self.given)
        taken: set[int] = set()
        for name, ways in WALK:
            if any(all(part in available for part in way) for way in ways):
                if name != "masked" or masked:
                    available.add(name)
            elif name not in available and name in by_name and name in STARTS and _goes_on(name, by_name):
                table = self._table(name, by_name[name])
                if table is not None:
                    self.given[name] = _given(table)
                    available.add(name)
                    taken |= {num.start for row in table for num in row}
        self.started = frozenset(taken)
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
                self.left.append((made, f"nothing that {made.name} is computed from is given or printed"))

    def _table(self, name: str, prints: Sequence[Print]) -> tuple[tuple[Num, ...], ...] | None:
        """The first printing of every entry, as a full table; rows that are not printed are left out."""
        cells: dict[tuple[int, int], Num] = {}
        for made in prints:
            if made.key is None and not made.num.text.endswith("%"):
                cells.setdefault((made.row, made.col), made.num)
        for made in prints:
            cells.setdefault((made.row, made.col), made.num)
        rows = sorted({row for row, _ in cells})
        if name in QUERY_SIDE and rows != list(range(len(rows))) and self.rows is None:
            self.rows = {row: i for i, row in enumerate(rows)}
        return _full(
            {(i, col): num for i, row in enumerate(rows) for (r, col), num in cells.items() if r == row}
        )

    def _compressed(self, made: Print) -> int | None:
        if self.rows is None or plain_name(made.name) not in QUERY_SIDE:
            return made.row
        return self.rows.get(made.row)


_BEHIND = ("scores", "scaled", "masked", "exp", "sum", "A", "Z", "Z.term", "output")


def _goes_on(name: str, printed: Mapping[str, object]) -> bool:
    """Whether something is printed that is computed from a quantity: weights alone are no input."""
    if name not in _BEHIND:
        return True
    return any(later in printed for later in _BEHIND[_BEHIND.index(name) + 1 :])


def _full(cells: Mapping[tuple[int, int], Num]) -> tuple[tuple[Num, ...], ...] | None:
    """The cells as a table without gaps, or None."""
    n, m = max((r for r, _ in cells), default=-1) + 1, max((c for _, c in cells), default=-1) + 1
    if not n or not m or len(cells) != n * m:
        return None
    return tuple(tuple(cells[r, c] for c in range(m)) for r in range(n))


def _given(table: Sequence[Sequence[Num]]) -> Given:
    typed = tuple(tuple(num.text for num in row) for row in table)
    return Given(typed, Matrix.of([[_exact(text) for text in row] for row in typed]))


def _exact(text: str) -> Exact:
    try:
        return read(text, {})
    except SymattnError:
        return Exact.of(0)


def _labels(tokens: tuple[str, ...], start: _Start) -> tuple[str, ...]:
    rows = [start.given[name].shape[0] for name in ("X", "Q") if name in start.given]
    return tokens if rows and len(tokens) == rows[0] and len(set(tokens)) == len(tokens) else ()


def claims(prints: Sequence[Print], context: Context) -> tuple[Claim, ...]:
    """Prints that stand together become one claim; a working belongs to a single number."""
    starts: dict[tuple[str, int], int] = {}
    for made in prints:
        starts.setdefault((made.name, made.group), made.num.start)
    groups: list[list[Print]] = []
    for made in sorted(prints, key=lambda made: (starts[made.name, made.group], made.row, made.col)):
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and made.work is None
            and last.work is None
            and (
                (last.group, last.name, last.key, last.example)
                == (made.group, made.name, made.key, made.example)
                and (
                    (made.row, made.col) == (last.row, last.col + 1)
                    or (made.row == last.row + 1 and made.col == groups[-1][0].col)
                )
            )
        ):
            groups[-1].append(made)
        else:
            groups.append([made])
    return tuple(claim for group in groups for claim in _rectangles(group, context))


def _rectangles(group: Sequence[Print], context: Context) -> list[Claim]:
    """A group as one claim where it is a rectangle, row by row otherwise."""
    rows: dict[int, list[Print]] = {}
    for made in group:
        rows.setdefault(made.row, []).append(made)
    tables = [list(rows.values())]
    if any(len(row) != len(tables[0][0]) for row in tables[0]):
        tables = [[row] for row in rows.values()]
    return [_claim(table, context) for table in tables]


def _claim(table: Sequence[Sequence[Print]], context: Context) -> Claim:
    first = table[0][0]
    work = spell(first.work) if first.work is not None else None
    work = work if work is not None and _readable(work) else None
    places = tuple(tuple(Place(*context.place(made.num.start)) for made in row) for row in table)
    return Claim(
        name=first.name,
        values=tuple(tuple(made.num.text for made in row) for row in table),
        row=first.row,
        col=first.col,
        work=work,
        work_places=tuple(Place(*context.place(num.start)) for num in numerals(first.work))
        if first.work is not None and work is not None
        else (),
        line=places[0][0].line,
        key=first.key,
        example=first.example,
        place=places[0][0],
        places=places,
    )


def _unwalkable(case: Case) -> str | None:
    """Why no walk goes through these matrices, or None. An undefined X W is the auditor's to report."""
    turned = "right" if case.settings.weights == "transposed" else "transposed"
    problem = None
    for weights in (case.settings.weights, turned):
        try:
            shapes(attention(replace(case, settings=replace(case.settings, weights=weights))), values(case))
            return None
        except SymattnError as error:
            problem = problem or error.found
    return problem


def _readable(work: str) -> bool:
    """Whether the expression language of a case can say the working."""
    try:
        names = names_in(parse(work))
    except SymattnError:
        return False
    return not list(names)


def _case(
    title: str,
    lang: str,
    file: str | None,
    given: Mapping[str, Given],
    settings: Settings,
    prints: Sequence[Print],
    tokens: tuple[str, ...],
    context: Context,
) -> Case:
    return Case(
        title=title,
        given=MappingProxyType(dict(given)),
        lang=lang,
        tokens=tokens,
        settings=settings,
        stated=claims(prints, context),
        file=file,
    )


def _heads(
    prints: Sequence[Print], built: Sequence[Built], context: Context, unread: list[tuple[Print, str]]
) -> list[Built]:
    """The claims about single heads, on the givens of the first case."""
    count = max(head_number(made.name) for made in prints)
    if not built:
        unread += [(made, "there is no walk for this head") for made in prints]
        return []
    case, conventions = built[0]
    widths = [
        given.shape[0 if case.settings.weights == "transposed" else 1]
        for name, given in case.given.items()
        if name in ("W_Q", "Q")
    ]
    if not widths or widths[0] % count or count > 64:
        unread += [(made, f"{count} heads do not share the columns evenly") for made in prints]
        return []
    settings = replace(case.settings, heads=count)
    stated = claims(prints, context)
    return [
        (
            replace(case, settings=settings, stated=stated),
            (*conventions, Convention("heads", str(count), inferred=True)),
        )
    ]


def _positions(
    prints: Sequence[Print], title: str, lang: str, file: str | None, context: Context, position: int
) -> list[Built]:
    """A positional encoding that stands alone."""
    n, m = max(made.row for made in prints) + 1, max(made.col for made in prints) + 1
    zero = any((made.row, made.col) == (0, 1) and value(made.num) == 1 for made in prints)
    start = position or (0 if zero else 1)
    settings = Settings(positions="sinusoidal", start=start, d_model=m + m % 2)
    tokens = tuple(f"{'位置' if lang == 'zh' else 'position'} {start + i}" for i in range(n))
    case = _case(title, lang, file, {}, settings, prints, tokens, context)
    return [(case, (Convention("positions", "sinusoidal", inferred=True),))]
