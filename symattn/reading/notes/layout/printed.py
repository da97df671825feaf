"""Lists, matrices and labelled tables in the output of a program, named by the words or the code above.

    print("Attention scores:")      Attention scores:                  k:cat  k:sat
    print(scores)                   [[1.  0.5]                  q:cat  1.000  0.500
                                     [0.5 1. ]]                 q:sat  0.500  1.000

A caption stands directly above its matrix or before it on its line; where the output has none, the matrices
are those that the code prints by name, in their order.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain as every
from itertools import pairwise

from symattn.reading.notes.formulas.chains import Item
from symattn.reading.notes.formulas.characters import lines_of, normalise
from symattn.reading.notes.formulas.formula import Chain, Grid, Name, Node, Num, Row, grid_of
from symattn.reading.notes.formulas.names import USUAL, Ref, resolve
from symattn.reading.notes.formulas.segment import Segment, segments
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.layout.captions import named
from symattn.reading.notes.layout.prompts import Line, answers, is_console, lines_in

_NUMBER = r"-?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]\d+)?|inf|∞)"
_NUMERAL = re.compile(_NUMBER)
_HEADS = re.compile(r" *\S+(?: +\S+)+ *")
_LABELLED = re.compile(rf" *(?P<label>\S+) +(?P<cells>{_NUMBER}(?: +{_NUMBER})*) *")
_COUNTED = re.compile(r"\[?\d+,?\]?")
"""A row by its number."""
_COLUMN = re.compile(r"([A-Za-z]+)_?\d+")
_FENCES = re.compile(
    r"[\s`~*]*(?:(?:(?:运行|打印|输出)?(?:的)?结果(?:如下)?|(?:运行|程序)?输出(?:如下)?|[Oo]ut(?:put)?|[Rr]esult"
    r"|[Pp]rints|出力|실행 결과|출력|Ausgabe|Salida|Sortie|Saída|Вывод)[*_ ]*[:：][*_]*)?[\s`~]*"
)
"""What may stand between a program and what it printed: no more than a word for that."""
_LEAD = re.compile(r"[^\d\[\]=|]*[:=]? *")
_BETWEEN = re.compile(r"[\s:`\"']*")
_PRINTED = re.compile(
    r"[ \t]*(?:print\(|display\(|(?:pd\.)?DataFrame\(|(?:np\.|torch\.)?round\(|\((?=\w+ *<-))*"
    r"([A-Za-z_]\w*)(?:[,)]|\.round| *<-|$)"
)
_MIXED = re.compile(
    r"[ \t]*(?:print\(|display\(|(?:np|torch)\.round\()*\(*[A-Za-z_]\w* @ (?:V|v|values?)\)*"
    r"(?:\.round\(\d*\)|, *\d+\))*\)*"
)
"""A product with the values that is printed itself: `(w @ V).round(4)`."""
_OTHERS = re.compile(r"(?: *, *[A-Za-z_]\w*)+ *(?=\)|$)")
_NAME = re.compile(r"[A-Za-z_]\w*")
"""What is printed behind a name in one go: `Q, K, V`."""
_DIVIDED = re.compile(r"(?i)^(?!.*softmax).*(?:score|logit|\bS\b).*/ ?(?:\w+\.)?sqrt\(")
"""What prints scores divided by a root."""
_FRAMED = re.compile(r"^(?:df|frame|table)_|_(?:df|frame|table)$")
"""What names of data frames have beside what is in them: `df_scores`."""
_SHOWN = re.compile(r"(?:print\(|display\(|DataFrame\()")


_BY_ROOT = re.compile(
    r"[ \t]*(\w+) *(?:= *(?!.*softmax)[^=]*/|/=) *\(?(?:(?:\w+\.)?sqrt\(|\w[\w.]* *\*\* *0?\.5)"
)
"""Code that sets a name to something divided by a root: what it prints by that name is scaled."""


def with_printed(text: str, found: list[Item], kind: str) -> list[Item]:
    """The items, with what a program printed tied to its captions; labelled tables are made one matrix."""
    plain = normalise(text)
    blocks = [each for each in segments(plain, kind) if each.kind == "code"]
    if not blocks:
        return found
    output = _Output(text, plain, blocks, found)
    tables = list(output.tables())
    spans = [(item.start, item.end) for item in tables]
    kept = [item for item in output.items() if not _inside(item.start, spans)]
    return sorted([*kept, *tables], key=lambda item: item.start)


def _inside(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(spans, (offset + 1, 0)) - 1
    return at >= 0 and offset < spans[at][1]


class _Output:
    def __init__(self, text: str, plain: str, blocks: Sequence[Segment], found: Sequence[Item]) -> None:
        self.text, self.plain, self.blocks, self.found = text, plain, blocks, found
        self.opened = [block.start for block in blocks]
        self.starts = lines_of(plain)
        self.outputs = frozenset(
            k + 1
            for k, (code, output) in enumerate(pairwise(blocks))
            if _FENCES.fullmatch(plain, code.end, output.start)
        )

    def items(self) -> Iterator[Item]:
        """Every item, with its caption where it is a printed literal."""
        before: Item | None = None
        silent: dict[int, int] = {}
        for item in every.from_iterable(map(self._parts, self.found)):
            block = self._block(item.start)
            node = _unbatched(item.node)
            if (
                item.target is None
                and not item.broken
                and (asked := self._asked(item.start))
                and _is_list(node)
            ):
                item = replace(item, node=node, target=asked, shown=True)
            if block is None or item.broken or item.target is not None or not _is_list(node):
                labelled = self._labelled(item) if block is not None else None
                before = item
                yield labelled or item
                continue
            line = bisect_right(self.starts, item.start) - 1
            lead = self.plain[self.starts[line] : item.start]
            made = replace(item, node=node, shown=True)
            if lead.strip():
                name = named(lead, USUAL) if _LEAD.fullmatch(lead) else None
                made = replace(made, target=Ref(name) if name else None)
            elif before is not None and self._captions(before, item):
                assert isinstance(before.node, Chain)
                chain = Chain((*before.node.members, node), (*before.node.relations, "="))
                made = Item(chain, before.start, item.end, before.broken, before.label)
            else:
                made = replace(made, target=self._said_above(line, block) or self._in_order(block, silent))
            before = item
            yield made

    def _parts(self, item: Item) -> list[Item]:
        """The matrices of a tuple, `(array([[1, 2]]), array([[3, 4]]))`, each for itself; else the item."""
        whole = self.plain[item.start] != "(" or self._block(item.start) is None
        if whole or not isinstance(item.node, Row) or not all(map(_is_list, item.node.items)):
            return [item]
        return [
            replace(item, node=node, start=node.start, end=node.end)
            for node in item.node.items
            if isinstance(node, Row)
        ]

    def _labelled(self, item: Item) -> Item | None:
        """`Attention weights: tensor([...])` as the list that the words before it name."""
        if (
            not isinstance(item.node, Chain)
            or item.node.relations != (":",)
            or not _is_list(item.node.members[1])
        ):
            return None
        node = _unbatched(item.node.members[1])
        assert isinstance(node, Row)
        line = bisect_right(self.starts, item.start) - 1
        name = named(self.plain[self.starts[line] : node.start], USUAL)
        return Item(node, node.start, item.end, target=Ref(name) if name else None, shown=True)

    def tables(self) -> Iterator[Item]:
        """The labelled tables: a line of heads, and below it lines of a label and a number for each head."""
        for lines, code in self._printouts():
            i = 0
            while i + 1 < len(lines):
                rows = _rows(lines, i)
                if len(rows) > 1:
                    yield from self._table(
                        lines[i].said.split(), rows, _name(lines, i, code), typed=bool(code)
                    )
                i += 1 + len(rows)

    def _printouts(self) -> Iterator[tuple[list[Line], Sequence[str]]]:
        """The lines that programs printed, with the code above them."""
        yield from self.answers
        for at, block in enumerate(self.blocks):
            if at in self.outputs and at not in self.consoles:
                yield lines_in(self.plain, block), self._code_above(at)

    @cached_property
    def answers(self) -> list[tuple[list[Line], Sequence[str]]]:
        """What consoles answered, with what was typed at the prompts."""
        return [answer for at in self.consoles for answer in answers(self.text, self.plain, self.blocks[at])]

    @cached_property
    def consoles(self) -> dict[int, None]:
        """Which blocks have prompts, in their order."""
        return {at: None for at, block in enumerate(self.blocks) if is_console(self.text, block)}

    def _asked(self, offset: int) -> Ref | None:
        """The name that was typed at the prompt for the literal that is its answer."""
        code = self._asking.get(self.starts[bisect_right(self.starts, offset) - 1], ())
        return next(reversed(_named_by(code)), None)

    @cached_property
    def _asking(self) -> dict[int, Sequence[str]]:
        """What was typed above an answer, by where this begins."""
        return {lines[0].start: code for lines, code in self.answers if lines}

    def _table(
        self,
        heads: Sequence[str],
        rows: Sequence[tuple[re.Match[str], int]],
        name: str | None,
        *,
        typed: bool,
    ) -> Iterator[Item]:
        """A table with a quantity in its columns; `typed` says that code above it asked for it."""
        labels = tuple(row["label"] for row, _ in rows if not _COUNTED.fullmatch(row["label"]))
        cells = [
            [_num(n, start + row.start("cells")) for n in _NUMERAL.finditer(row["cells"])]
            for row, start in rows
        ]
        last, start = rows[-1]
        span = rows[0][1], start + last.end()
        if typed and set(map(_stem, heads)) == {"V"}:
            heads = ["", *heads[1:]]  # how R calls columns without names
        for ref, first, after in _quantities(heads, name):
            part = tuple(tuple(row[first:after]) for row in cells)
            yield Item(Grid(part, span[0], span[1], labels), *span, target=ref, shown=True)

    def _block(self, offset: int) -> int | None:
        """The output of a program that an offset stands in: a block of code that follows another one."""
        at = bisect_right(self.opened, offset) - 1
        return at if at in self.outputs and offset < self.blocks[at].end else None

    def _captions(self, before: Item, item: Item) -> bool:
        """Whether a formula without a value stands alone above a literal: `S = Q K^T / sqrt(d_k):`."""
        between = self.plain[before.end : item.start]
        alone = isinstance(before.node, Chain) and not is_literal(before.node.members[-1])
        return alone and "\n" in between and _BETWEEN.fullmatch(between) is not None

    def _said_above(self, line: int, block: int) -> Ref | None:
        """What the words directly above a literal name."""
        above = self.plain[self.starts[line - 1] : self.starts[line]] if line else ""
        name = None
        worded = ":" in above or _NUMERAL.search(above) is None
        if worded and above.strip() and self.starts[line] > self.blocks[block].start:
            name = named(above, USUAL)
        return Ref(name) if name else None

    def _in_order(self, block: int, silent: dict[int, int]) -> Ref | None:
        """The name that the code prints in the place of a literal without words."""
        shown, n = self._shown(block), silent.get(block, 0)
        silent[block] = n + 1
        return shown[n] if n < len(shown) else None

    def _shown(self, block: int) -> list[Ref | None]:
        """What the code above an output prints by name."""
        return _named_by(self._code_above(block))

    def _code_above(self, block: int) -> list[str]:
        return [line.said for line in lines_in(self.plain, self.blocks[block - 1])] if block else []


def _name(lines: Sequence[Line], i: int, code: Sequence[str]) -> str | None:
    """What stands above a table: a caption in the output, or the name that the code shows."""
    if i and lines[i - 1].said.strip():
        return named(lines[i - 1].said, USUAL)
    shown = _named_by(code)
    if shown and shown[-1] is not None and shown[-1].row is None:
        return shown[-1].name
    return "scaled" if code and _DIVIDED.search(code[-1]) else None


def _named_by(lines: Sequence[str]) -> list[Ref | None]:
    """What code prints by name, its last line as well; None for what is not ours."""
    code = [said for said in lines if said.strip()]
    refs: list[Ref | None] = []
    for k, said in enumerate(code):
        shown = _PRINTED.match(said) if _SHOWN.search(said) or k == len(code) - 1 else None
        if shown is None and _MIXED.fullmatch(said) and (_SHOWN.search(said) or k == len(code) - 1):
            refs.append(Ref("Z"))
        if shown is not None:
            others = _OTHERS.match(said, shown.end(1))
            names = [shown[1], *(_NAME.findall(others[0]) if others is not None else ())]
            divided = {line[1] for said in code[: k + 1] if (line := _BY_ROOT.match(said)) is not None}
            for name in names:
                ref = resolve(Name(_FRAMED.sub("", name)))
                refs.append(Ref("scaled") if ref == Ref("scores") and name in divided else ref)
    return refs


def _quantities(heads: Sequence[str], name: str | None) -> Iterator[tuple[Ref | None, int, int]]:
    """The columns of each quantity: all of one, or `Q1 Q2 K1 K2` those of two."""
    stems = list(map(_stem, heads))
    refs = {stem: resolve(Name(stem)) if stem else None for stem in stems}
    if all(refs.values()):
        for stem, ref in refs.items():
            yield ref, stems.index(stem), len(stems) - stems[::-1].index(stem)
        return
    yield (Ref(name) if name else None), 0, len(heads)


def _stem(head: str) -> str:
    """The letter of a head that counts, `V1`."""
    found = _COLUMN.fullmatch(head)
    return found[1] if found is not None else ""


def _rows(lines: Sequence[Line], i: int) -> list[tuple[re.Match[str], int]]:
    """The rows below a line of heads, with their offsets: as many numbers in each as there are heads."""
    heads = lines[i].said.split()
    width, counted = len(heads), _counts(heads)
    if (
        _HEADS.fullmatch(lines[i].said) is None
        or "=" in lines[i].said
        or heads[-1].endswith(":")
        or (_NUMERAL.fullmatch(heads[-1]) and not counted)
    ):
        return []
    rows: list[tuple[re.Match[str], int]] = []
    for line in lines[i + 1 :]:
        row = _LABELLED.fullmatch(line.said)
        if row is None or len(row["cells"].split()) != width or _is_decimal(row["label"]):
            break
        rows.append((row, line.start))
    return rows if not counted or _counts([row["label"] for row, _ in rows]) else []


def _is_decimal(label: str) -> bool:
    """Whether what stands before the cells of a row is rather one of them."""
    return "." in label and _NUMERAL.fullmatch(label) is not None


def _counts(said: Sequence[str]) -> bool:
    """Whether words count from 0, as the heads and the rows of a table without names do."""
    return len(said) > 1 and list(said) == [str(k) for k in range(len(said))]


def _num(found: re.Match[str], offset: int) -> Node:
    return Num(found[0].replace("∞", "inf"), offset + found.start(), offset + found.end())


def _unbatched(node: Node) -> Node:
    """A list around one matrix is that matrix: a batch of one."""
    while isinstance(node, Row) and len(node.items) == 1 and isinstance(node.items[0], Row):
        inner = node.items[0]
        if not inner.items or not isinstance(inner.items[0], Row):
            break
        node = inner
    return node


def _is_list(node: Node) -> bool:
    return isinstance(node, Row) and is_literal(node) and (grid_of(node) is not None or len(node.items) > 1)
