"""The cells of a table: what a head names, and what cells in a row or below one another are entries of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType

from symattn.immutable import immutable
from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.formula import Chain, Name, Node, Num, Row
from symattn.reading.notes.formulas.names import Bases, Ref, resolve
from symattn.reading.notes.formulas.works import WRITTEN
from symattn.reading.notes.layout.captions import named

HEADINGS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "scaled": re.compile(r".* ?[/÷] ?(?:√|\\?sqrt).*|[÷/] ?√.*|[Ss]caled ?\([÷/].*\)"),
        "scores": re.compile(
            r"[Rr]aw|[Uu]nscaled|未缩放|"
            r"(?:(?:(?:dot|inner) product|(?:raw )?score|[内点]积|得分|分数)s? ?\(?)?(?:[qQ](?:uery)?|查询)"
            r"(?:[ _]?[a-z\d])?(?: ?\^ ?\{?(?:T|\\top)\}?|ᵀ|⊤)? ?(?:[.·⋅×*@]|\\?(?:cdot|times))? ?"
            r"(?:[kK](?:ey)?|键)(?:[ _]?[a-z\d])?(?:ᵀ|⊤| ?\^ ?\{?(?:T|\\top)\}?)?\)?(?: \(.*\))?"
        ),
        "exp": re.compile(r"(?:e ?\^|exp\b).*"),
        "A": re.compile(r"[Ww]eights?"),
        "norm.mean": re.compile(r"mean|μ"),
        "norm.variance": re.compile(r"var(?:iance)?|σ²|σ\^2"),
        "norm.deviation": re.compile(r"std(?:\.? ?dev\.?)?|standard deviation|σ"),
    }
)
"""Heads of columns that are formulas, or words too common to mean this anywhere else."""
_PAIR = re.compile(r" *(?:→|->|⟶|\bto\b|/|,|·) *")
"""Between the two tokens of a label, `cat → sat`."""
_SEVERAL = re.compile(r"\w[ (]+[\w√÷]")
"""A head of several words, `query (Q)` and `查询 q`: they say it together."""
_COUNTED = re.compile(r"(.*[^\W\d]) ?[\[({]?(\d)[\])}]?")
"""A head that counts, `q 1` and `out[0]`."""
_DIMENSION = re.compile(r"(?:dim\w*|d|feature|component|coord\w*|维度?|分量)[ _\d]*$", re.IGNORECASE)
"""What a row is called that is none of a token."""
SUMMED = re.compile(r"sum|total|Σ|合计|总和", re.IGNORECASE)
"""The head of a row or a column of totals."""
_WEIGHTED = re.compile(
    r"(?:weight(?:ed|s)?|softmax|[aα])(?: ?[×·*x⋅] ?| times (?:the )?| )(?:values?|v)(?: vectors?)?"
    r"|values? ?[×·*x⋅] ?weights?|加权(?:后的?)?值?(?:向量)?|权重 ?[×·*x⋅] ?(?:值|V)(?:向量)?",
    re.IGNORECASE,
)
"""The head of a row of values, each times its weight."""
_NORMALISED = re.compile(
    r"归一化[后值]?|normali[sz]ed|正規化|(?:α|\\?alpha|[awp])(?:_?\{?(?:i|j|ij)\}?|[ᵢⱼ]{1,2})?|prob(?:\.|ability)?|share",
    re.IGNORECASE,
)
"""What exponentials become, in the head of a column beside them."""
_TEMPERATURE = re.compile(r"temperature|temp\.?|τ|\\?tau|T|温度", re.IGNORECASE)
SQUARE = ("scores", "scaled", "masked", "exp", "A")
"""What has an entry for each pair of a query and a key."""


@immutable(frozen=True, slots=True)
class Cell:
    """A cell: its words without what dresses them, where it stands, and the formula that fills it."""

    said: str
    start: int
    end: int
    node: Node | None


def heading(cell: Cell, bases: Bases) -> str | None:
    """The quantity that the head of a column or a row names."""
    if not cell.said or len(cell.said) > 40:
        return None
    known = next((name for name, said in HEADINGS.items() if said.fullmatch(cell.said)), None)
    if known is not None:
        return known
    ref = resolve(Name(cell.said), bases) or resolve(Name(cell.said.replace(" ", "_")), bases)
    if ref is None and _SEVERAL.search(cell.said):
        return named(cell.said, bases)
    return ref.name if ref is not None and ref.row is None else None


def headings(header: Sequence[Cell], bases: Bases) -> list[str | None]:
    """The quantities that the heads of columns name; what is normalised beside exponentials are weights."""
    named_by = [heading(cell, bases) for cell in header]
    weighed = "exp" in named_by and "A" not in named_by
    return [
        "A" if weighed and name is None and _NORMALISED.fullmatch(cell.said) else name
        for cell, name in zip(header, named_by, strict=True)
    ]


def components(header: Sequence[Cell], body: Sequence[Sequence[Cell]], bases: Bases) -> Iterator[Item]:
    """The vectors that stand in columns of their components, `q_1 | q_2`, with a row for each token."""
    body = [row for row in body if not SUMMED.fullmatch(row[0].said.strip(" *"))]
    if any(not row[0].said[:1].isalpha() or _DIMENSION.match(row[0].said) for row in body):
        return
    counted = [_COUNTED.fullmatch(cell.said) for cell in header]
    names = [_counted_of(cell, bases) for cell in header]
    of_rows = {_counted_of(row[0], bases) for row in body}
    for name, group in groupby(range(len(header)), key=names.__getitem__):
        at = list(group)
        numbers = [int(said[2]) for k in at if (said := counted[k]) is not None]
        if name is None or of_rows == {"Q", "K"} - {name}:
            continue  # nothing, or numbers for each pair of a query and a key
        if len(at) < 2 or numbers != [*range(numbers[0], numbers[0] + len(at))]:
            continue
        rows = [tuple(node for k in at if isinstance(node := row[k].node, Num)) for row in body]
        if numbers[0] < 2 and all(len(row) == len(at) for row in rows):
            for i, row in enumerate(rows):
                start, end = row[0].start, row[-1].end
                yield Item(Row(row, start, end), start, end, target=Ref(name, i))


def _counted_of(cell: Cell, bases: Bases) -> str | None:
    """The quantity of which a head counts the vectors or the components, `q 1`."""
    said = _COUNTED.fullmatch(cell.said)
    return heading(replace(cell, said=said[1]), bases) if said is not None else None


def is_row(header: Sequence[Cell]) -> bool:
    """Whether the first line of a table is a row of numbers: heads count, and are not alike."""
    nums = [cell.node.text for cell in header[1:] if isinstance(cell.node, Num)]
    repeated = len(set(nums)) < len(nums)
    return len(nums) == len(header) - 1 and (repeated or any("." in num for num in nums))


def is_of_temperatures(header: Sequence[Cell], body: Sequence[Sequence[Cell]]) -> bool:
    """Whether each row is of another temperature: they are rows of other walks."""
    several = len(header) > 2 and all(isinstance(row[0].node, Num) for row in body)
    return several and _TEMPERATURE.fullmatch(header[0].said.strip(" *$")) is not None


def total_of(name: str, row: int, cells: Sequence[Node], total: Cell) -> Iterator[Item]:
    """What the entries of a row add up to: a step of the walk for exponentials, else what they say."""
    if not isinstance(total.node, Num):
        return
    if name == "exp":
        yield Item(total.node, total.start, total.end, target=Ref("sum", row, 0))
    elif cells:
        yield Item(Chain((WRITTEN.summed(cells), total.node), ("=",)), total.start, total.end)


def totals(
    header: Sequence[Cell], body: Sequence[Sequence[Cell]], columns: Sequence[str | None]
) -> Iterator[Item]:
    """The sums in a column behind one of lists of exponentials."""
    exp = columns.index("exp") if "exp" in columns else 0
    at = next((k for k, cell in enumerate(header) if SUMMED.fullmatch(cell.said)), 0)
    for i, row in enumerate(body if at > exp > 0 else ()):
        if isinstance(row[exp].node, Row):
            yield from total_of("exp", i, (), row[at])


def by_row(quantities: Sequence[str], body: Sequence[Sequence[Cell]]) -> Iterator[Item]:
    """Each row is a quantity: one value, whatever it is, or a vector for each token."""
    for name, (_, *cells) in zip(quantities, body, strict=True):
        for k, cell in enumerate(cells):
            if cell.node is not None:
                told = Ref(name) if len(cells) == 1 else Ref(name, k)
                yield Item(cell.node, cell.start, cell.end, target=told)


def by_step(
    quantities: Sequence[str | None], header: Sequence[Cell], body: Sequence[Sequence[Cell]], query: int
) -> Iterator[Item]:
    """Each row is a step of one query, with a number for each key, and perhaps their total behind them.

    The keys, their values and what is weighted of these may stand among them as vectors.
    """
    last = len(header) - (SUMMED.fullmatch(header[-1].said) is not None)
    steps = [name for name in quantities if name in SQUARE]
    plain = all(
        isinstance(cell.node, Num | Row) or not cell.said.strip("-–—/ ") for row in body for cell in row[1:]
    )
    if len(steps) < 2 or len(set(steps)) < len(steps) or last < 3 or not plain:
        return
    for name, row in zip(quantities, body, strict=True):
        nodes = [cell.node for cell in row[1:last]]
        nums = tuple(node for node in nodes if isinstance(node, Num))
        vectors = [node for node in nodes if isinstance(node, Row)]
        start, end = row[1].start, row[last - 1].end
        if name in SQUARE and len(nums) == last - 1:
            yield Item(Row(nums, nums[0].start, nums[-1].end), start, end, target=Ref(name, query))
            for total in row[last:]:
                yield from total_of(name, query, nums, total)
        elif len(vectors) < last - 1:
            continue
        elif _WEIGHTED.fullmatch(row[0].said):
            yield Item(WRITTEN.summed(vectors), start, end, target=Ref("Z", query))
            for total in row[last:]:
                if isinstance(total.node, Row):
                    yield Item(total.node, total.start, total.end, target=Ref("Z", query))
        elif name in ("K", "V"):
            for k, node in enumerate(vectors):
                yield Item(node, node.start, node.end, target=Ref(name, k))


def pairs_of(body: Sequence[Sequence[Cell]]) -> list[tuple[int, int]]:
    """The query and the key of each row, where the first two columns go through all the pairs of some."""
    said = [
        (row[0].said, row[1].said) for row in body if len(row) > 2 and not isinstance(row[1].node, Num | Row)
    ]
    apart = [tuple(_PAIR.split(row[0].said)) for row in body]
    if not said and all(len(pair) == 2 for pair in apart):
        said = [(pair[0].strip(), pair[1].strip()) for pair in apart]
    queries, keys = (list(dict.fromkeys(labels)) for labels in zip(*said, strict=True)) if said else ([], [])
    whole = len(set(said)) == len(body) == len(queries) * len(keys) and len(queries) > 1
    return [(queries.index(query), keys.index(key)) for query, key in said] if whole else []


def are_remarks(body: Sequence[Sequence[Cell]]) -> bool:
    """Whether the last column of a table says something of each row, `sum = 1 ✓`, beside its numbers."""
    return not any(isinstance(row[-1].node, Num | Row) for row in body) and all(row[-1].said for row in body)


def in_percent(rows: Sequence[Sequence[Node]]) -> bool:
    """Whether all numbers are percentages, as no vectors are."""
    return all(isinstance(cell, Num) and cell.text.endswith("%") for row in rows for cell in row)
