"""From formulas to claims: every numeral of a chain that has a name is tied to an entry of the walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.chains import Item
from symattn.reading.notes.context import Context
from symattn.reading.notes.denote import ROOT, denote
from symattn.reading.notes.formula import (
    Binary,
    Call,
    Chain,
    Dots,
    Grid,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    grid_of,
    names,
    numerals,
)
from symattn.reading.notes.ledger import INPUTS, Ledger, value, values
from symattn.reading.notes.names import Bases, Ref
from symattn.reading.notes.works import Table, entries, is_literal, is_worked, spell

PROJECTED = {"Q": "W_Q", "K": "W_K", "V": "W_V"}
KEPT_LINES = 8
SQUARES = ("scores", "scaled", "masked", "exp", "A")


class Linker:
    """Ties the formulas of one example to the walk. `roles` accounts for numerals that claim nothing."""

    def __init__(self, context: Context, bases: Bases) -> None:
        self.context, self.bases = context, bases
        self.ledger = Ledger()
        self.renamed: dict[str, str] = {}
        self.roles: dict[int, str] = {}
        self.sizes: dict[str, int] = {}
        self.pending: dict[tuple[str, int, int], tuple[str, int]] = {}

    # chains -------------------------------------------------------------------------------------------

    def chain(self, item: Item) -> bool:
        """Link a chain whose members name a quantity; False where none does."""
        assert isinstance(item.node, Chain)
        members = item.node.members[1:] if item.broken else item.node.members
        if item.node.relations[0] == ":" and _exponential(members[-2 if len(members) > 1 else 0]):
            return False
        target = self.target(members)
        if target is None:
            return False
        return self.members(target, members)

    def members(self, target: Ref, members: Sequence[Node]) -> bool:
        """Tie every member of a chain to what it says about the target."""
        linked = False
        for member in members:
            if next(numerals(member), None) is not None:
                linked = self.explain(target, member) or linked
        return linked

    def target(self, members: Sequence[Node]) -> Ref | None:
        """The quantity that a chain is about: the first that is named, made more precise by the others."""
        refs = [denote(member, self.bases, self.renamed) for member in members]
        known = [ref for ref in refs if ref is not None and not ref.running]
        if not known:
            return self._squared(members)
        target = known[0]
        for ref in known[1:]:
            if ref.name == "scaled" and target.name == "scores" and isinstance(members[0], Name):
                self.renamed["scores"] = "scaled"
                target = replace(target, name="scaled")
            if ref.name == target.name:
                target = replace(
                    target,
                    row=target.row if target.row is not None else ref.row,
                    col=target.col if target.col is not None else ref.col,
                )
        return self._of_head(target, members)

    def _of_head(self, target: Ref, members: Sequence[Node]) -> Ref:
        """`Q_1 = (4, 10)^T`, a column for every token, is a head and not a row."""
        tokens = self.ledger.shape("X")[0] or self.ledger.shape("Q")[0]
        tables = [grid_of(member) for member in members if not isinstance(member, Row) or grid_of(member)]
        if target.row is None or target.col is not None or target.name not in ("Q", "K", "V") or tokens < 2:
            return target
        full, width = self.ledger.shape(target.name)
        if full != tokens or not isinstance(members[0], Name) or not members[0].text[:1].isupper():
            return target
        if any(g is not None and len(g.rows) == tokens and len(g.rows[0]) < width for g in tables):
            return replace(target, row=None, head=target.row)
        return target

    def _squared(self, members: Sequence[Node]) -> Ref | None:
        """sqrt(2) = 1.414 where d_k is 2."""
        match members[0]:
            case Call(function="sqrt", argument=Num(text=text)) if text.isdigit():
                if self.sizes.get("d_k", self.ledger.shape("W_Q")[1]) == int(text):
                    return Ref(ROOT, 0, 0)
        return None

    # members ------------------------------------------------------------------------------------------

    def explain(self, target: Ref, node: Node) -> bool:
        """Tie one member: a literal is the quantity itself, anything worked says how it was made."""
        if target.name == "d_k":
            return self._size(node)
        if isinstance(node, Transpose) and is_literal(node.of):
            node = node.of
            target = replace(target, transposed=grid_of(node) is not None and target.row is None)
        if is_literal(node):
            return self.place(target, node)
        if target.name in INPUTS:
            return False
        done = False
        match node:
            case Grid(rows=rows) if any(isinstance(cell, Chain) for row in rows for cell in row):
                return self._worked_cells(target, rows)
            case Row(items=cells) if any(isinstance(cell, Dots) for cell in cells):
                kept = tuple(cell for cell in cells if not isinstance(cell, Dots))
                return bool(kept) and self.explain(target, replace(node, items=kept))
            case Binary(op="*", left=left, right=right) if target.name in PROJECTED:
                done = self._input(left, "X", target) | self._input(right, PROJECTED[target.name], target)
            case Binary(op="*", left=left, right=right) if target.name == "scores":
                done = self._factors(target, left, right)
            case Binary(op="/", left=inner, right=divisor) if target.name == "scaled":
                done = self._divided(target, node, inner, divisor)
            case Binary(op="*", left=factor, right=inner) if target.name == "scaled" and not isinstance(factor, Row | Grid):
                done = self.explain(replace(target, name="scores"), inner)
                self._role(factor, "working")
            case Call(function="softmax", argument=argument) if target.name == "A":
                done = self._softmaxed(target, argument)
            case Binary(op="/", left=Row() as inner, right=Num() as divisor) if target.name == "A":
                done = self.explain(replace(target, name="exp"), inner)
                self.explain(replace(target, name="sum"), divisor)
            case Binary(op="*", left=left, right=right) if target.name == "Z" and _wide(left):
                done = self._weighed(target, left, right)
            case Binary() if target.name == "Z":
                done = self._terms(target, node)
        remembered = self._remember(target, node)
        if done or remembered:
            self._role(node, "working")
        return done or remembered

    def _size(self, node: Node) -> bool:
        if isinstance(node, Num) and node.text.isdigit() and len(node.text) < 6:
            self.sizes["d_k"] = int(node.text)
        self._role(node, "size")
        return True

    def _role(self, node: Node, role: str) -> None:
        for num in numerals(node):
            self.roles.setdefault(num.start, role)

    def _input(self, node: Node, name: str, target: Ref) -> bool:
        """A factor of a projection, printed again: an input and no claim."""
        if not is_literal(node):
            return False
        self._role(node, "input")
        return True

    def _factors(self, target: Ref, left: Node, right: Node) -> bool:
        """The factors of scores: rows of Q and K, or Q and the transpose of K."""
        done = False
        if is_literal(left) and not isinstance(left, Num):
            done = self.place(Ref("Q", target.row if isinstance(left, Row) and grid_of(left) is None else None), left)
        turned = right.of if isinstance(right, Transpose) else right
        if is_literal(turned) and not isinstance(turned, Num):
            grid = grid_of(turned)
            if grid is None:
                done = self.place(Ref("K", target.col), turned) or done
            else:
                printed = not isinstance(right, Transpose) and not self._is_printed("K", grid)
                done = self.place(Ref("K", transposed=printed), turned) or done
        return done

    def _is_printed(self, name: str, grid: Grid) -> bool:
        """Whether a matrix is the one printed before, as it stands."""
        shape = self.ledger.shape(name)
        if shape != (len(grid.rows), len(grid.rows[0])):
            return False
        return all(
            isinstance(cell, Num) and self.ledger.entry(name, i, j) == value(cell)
            for i, row in enumerate(grid.rows)
            for j, cell in enumerate(row)
        )

    def _divided(self, target: Ref, node: Node, inner: Node, divisor: Node) -> bool:
        done = self.explain(replace(target, name="scores"), inner) if next(numerals(inner), None) else False
        if isinstance(divisor, Num):
            self.ledger.next_group()
            self.ledger.claim(ROOT, 0, 0, divisor)
            done = True
        else:
            self._role(divisor, "working")
        return done

    def _softmaxed(self, target: Ref, argument: Node) -> bool:
        """The scores inside a softmax: the kind that was printed with these values, or the last before A."""
        if not is_literal(argument):
            return self.explain(replace(target, name="scaled"), argument)
        if isinstance(argument, Row) and grid_of(argument) is None:
            likely = [at for at in self.ledger.rows_like(_nums(argument)) if at[0] in ("masked", "scaled", "scores")]
            for name, row in likely:
                if target.row in (None, row):
                    return self.place(replace(target, name=name, row=row), argument)
        name = next((name for name in ("masked", "scaled") if name in self.ledger.first), None)
        if name is None:
            name = "scores" if self.context.declares_scale() == "1" else "scaled"
        return self.place(replace(target, name=name), argument)

    def _weighed(self, target: Ref, left: Node, right: Node) -> bool:
        done = False
        if is_literal(left):
            done = self.place(Ref("A", target.row), left)
        if is_literal(right):
            done = self.place(Ref("V"), right) or done
        return done

    def _terms(self, target: Ref, node: Node) -> bool:
        """`0.3 V_1 + 0.7 [1, 2]`, or the weighted vectors themselves."""
        terms = _flatten(node)
        row = self._row(target, node)
        if row is None or target.col is not None:
            return False
        if all(isinstance(term, Row) and is_literal(term) for term in terms):
            if len(terms) != (self.ledger.shape("V")[0] or len(terms)):
                return False
            for key, term in enumerate(terms):
                self.ledger.next_group()
                for col, num in enumerate(_nums(term)):
                    self.ledger.claim("Z.term", row, col, num, key=key)
            return True
        found = [_weighted(term) for term in terms]
        pairs = [pair for pair in found if pair is not None]
        if len(pairs) != len(terms):
            return False
        keys = self._keys([vector for _, vector in pairs])
        if keys is None:
            return False
        self.ledger.next_group()
        for key, (weight, _) in zip(keys, pairs, strict=True):
            self.ledger.claim("A", row, key, weight)
        for key, (_, vector) in zip(keys, pairs, strict=True):
            if isinstance(vector, Row):
                self.place(Ref("V", key), vector)
        return True

    def _keys(self, vectors: Sequence[Node]) -> list[int] | None:
        """Which row of V each vector is: by name, by its values, or by its position where none is left out."""
        keys: list[int] = []
        for k, vector in enumerate(vectors):
            ref = denote(vector, self.bases, self.renamed)
            rows = [r for n, r in self.ledger.rows_like(_nums(vector)) if n == "V"] if isinstance(vector, Row) else []
            if ref is not None and ref.name == "V" and ref.row is not None:
                keys.append(ref.row)
            elif rows and k not in rows:
                keys.append(next((row for row in rows if row not in keys), rows[0]))
            elif rows or len(vectors) == (self.ledger.shape("V")[0] or len(vectors)):
                keys.append(k)
            else:
                return None
        return keys if len(set(keys)) == len(keys) else None

    def _worked_cells(self, target: Ref, rows: Sequence[Sequence[Node]]) -> bool:
        """Cells of the form `working = number`: placed by the factors of the working."""
        done = False
        for row in rows:
            for cell in row:
                if isinstance(cell, Chain) and isinstance(cell.members[-1], Num):
                    at = self.located(target.name, cell.members[0])
                    if at is not None:
                        self.ledger.next_group()
                        work = spell(cell.members[0])
                        self.ledger.claim(target.name, *at, cell.members[-1], work=work)
                        self._role(cell.members[0], "working")
                        done = True
        return done

    def located(self, name: str, node: Node) -> tuple[int, int] | None:
        """The entry of X W that a sum of products works out: by the row of X and the column or row of W."""
        if name not in PROJECTED:
            return None
        products = [
            (term.left, term.right)
            for term in _flatten(node)
            if isinstance(term, Binary) and term.op == "*" and isinstance(term.left, Num) and isinstance(term.right, Num)
        ]
        if not products:
            return None
        xs, ws = values(x for x, _ in products), values(w for _, w in products)
        x_rows = [row for n, row in self.ledger.rows_like([x for x, _ in products]) if n == "X"]
        weights = self.ledger.given.get(PROJECTED[name], {})
        n, m = self.ledger.shape(PROJECTED[name])
        columns = [c for c in range(m) if tuple(value(weights[r, c]) for r in range(n) if (r, c) in weights) == ws]
        turned = [r for r in range(n) if tuple(value(weights[r, c]) for c in range(m) if (r, c) in weights) == ws]
        found = columns or turned
        return (x_rows[0], found[0]) if len(xs) == len(ws) and len(x_rows) == 1 and len(found) == 1 else None

    # placing ------------------------------------------------------------------------------------------

    def _row(self, target: Ref, node: Node) -> int | None:
        """The row that a vector belongs to: said by its name, the only one, or the one being worked."""
        if target.row is not None:
            return target.row
        if self.ledger.shape(target.name)[0] == 1 and self.ledger.shape("Q")[0] == 1:
            return 0
        first = next(numerals(node), None)
        return self.context.row(first.start) if first is not None else None

    def origin(self, target: Ref, table: Table | Sequence[Sequence[Node]], node: Node) -> tuple[int, int, bool] | None:
        """Where the upper left entry of a table belongs, and whether the table is transposed."""
        rows, cols = len(table), len(table[0])
        if target.name == ROOT:
            return (0, 0, False) if rows == cols == 1 else None
        if target.row is not None and target.col is not None:
            return (target.row, target.col, False) if rows == cols == 1 else None
        if target.name == "sum":
            if rows == cols == 1:
                row = self._row(target, node)
                return None if row is None else (row, 0, False)
            return 0, 0, rows == 1
        if rows == 1 and not isinstance(node, Grid) and grid_of(node) is None:
            row = self._row(target, node)
            return None if row is None or (cols == 1 and not isinstance(node, Row)) else (row, 0, False)
        if target.row is not None:
            return (target.row, 0, cols == 1 and rows > 1) if 1 in (rows, cols) else None
        return 0, 0, target.transposed

    def place(self, target: Ref, node: Node) -> bool:
        """Enter a literal as the quantity, or a part of it."""
        table = _table(node)
        origin = self.origin(target, table, node) if table else None
        if table is None or origin is None:
            return False
        row0, col0, turned = origin
        cells = tuple(zip(*table, strict=True)) if turned else table
        name = f"head{target.head + 1}.{target.name}" if target.head is not None else target.name
        if name in INPUTS:
            return self._give(name, row0, cells)
        if self._disagrees(name, row0, col0, cells):
            return False
        self.ledger.next_group()
        for i, line in enumerate(cells):
            for j, num in enumerate(line):
                self.ledger.claim(
                    name, row0 + i, col0 + j, num, work=self._work(name, row0 + i, col0 + j, num),
                    example=self._is_example(name, cells, num),
                )
            if len(cells) * len(line) > 1 or name == "sum":
                self.ledger.index_row(name, row0 + i, line)
        return True

    def _is_example(self, name: str, cells: Sequence[Sequence[Num]], num: Num) -> bool:
        return len(cells) > 1 and name not in ("A", "Z") and self.context.example(num.start)

    def _disagrees(self, name: str, row0: int, col0: int, cells: Sequence[Sequence[Num]]) -> bool:
        """Whether a table differs from an earlier one of its name in most entries: another example."""
        if len(cells) * len(cells[0]) < 3:
            return False
        printed = [
            (self.ledger.entry(name, row0 + i, col0 + j), value(num))
            for i, line in enumerate(cells)
            for j, num in enumerate(line)
        ]
        known = [(a, b) for a, b in printed if a is not None and b is not None]
        return len(known) > 2 and 2 * sum(_far(a, b) for a, b in known) > len(known)

    def _give(self, name: str, row0: int, cells: Sequence[Sequence[Num]]) -> bool:
        for i, line in enumerate(cells):
            self.ledger.give(name, row0 + i, line)
            for num in line:
                self.roles.setdefault(num.start, "input")
        return True

    # workings -----------------------------------------------------------------------------------------

    def _remember(self, target: Ref, node: Node) -> bool:
        """Keep the working of each entry for the number that follows it."""
        table = entries(node) if is_worked(node) else None
        if table is None:
            return False
        origin = self.origin(target, table, node if len(table) > 1 or len(table[0]) == 1 else Row((), 0, 0))
        if origin is None and len(table) == 1:
            row = self._row(target, node)
            origin = None if row is None or len(table[0]) == 1 or target.col is not None else (row, 0, False)
        if origin is None:
            return False
        row0, col0, turned = origin
        first = next(numerals(node), None)
        line = self.context.line(first.start) if first is not None else 0
        for i, cells in enumerate(zip(*table, strict=True) if turned else table):
            for j, cell in enumerate(cells):
                if not isinstance(cell, Num):
                    self.pending[target.name, row0 + i, col0 + j] = spell(cell), line
        return True

    def _work(self, name: str, row: int, col: int, num: Num) -> str | None:
        work, line = self.pending.pop((name, row, col), (None, 0))
        return work if work is not None and self.context.line(num.start) - line <= KEPT_LINES + 2 else None


def _exponential(node: Node) -> bool:
    """e to a single number: `Softmax: e^{2.1} = 8.17` is about the exponential and not about A."""
    return isinstance(node, Call) and node.function == "exp" and isinstance(node.argument, Num)


def _wide(node: Node) -> bool:
    return isinstance(node, Row | Grid)


def _far(a: object, b: object) -> bool:
    return a != b


def _table(node: Node) -> tuple[tuple[Num, ...], ...] | None:
    """A literal as rows of numerals."""
    grid = grid_of(node)
    rows = grid.rows if grid is not None else ((node.items,) if isinstance(node, Row) else ((node,),))
    if any(not isinstance(cell, Num) for row in rows for cell in row):
        return None
    table = tuple(tuple(cell for cell in row if isinstance(cell, Num)) for row in rows)
    return table if table and table[0] and all(len(row) == len(table[0]) for row in table) else None


def _nums(node: Node) -> list[Num]:
    return list(numerals(node))


def _flatten(node: Node) -> list[Node]:
    terms: list[Node] = []
    while isinstance(node, Binary) and node.op == "+":
        terms.append(node.right)
        node = node.left
    return [node, *reversed(terms)]


def _weighted(term: Node) -> tuple[Num, Node] | None:
    """The weight and the vector of one summand."""
    match term:
        case Binary(op="*", left=Num() as weight, right=Row() | Name() as vector):
            return (weight, vector) if not isinstance(vector, Row) or is_literal(vector) else None
        case Binary(op="*", left=Num() as weight, right=vector) if next(names(vector), None) is not None:
            return weight, vector
        case Binary(op="*", left=vector, right=Num() as weight) if isinstance(vector, Row):
            return (weight, vector) if is_literal(vector) else None
    return None
