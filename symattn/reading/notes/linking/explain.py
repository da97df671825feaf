"""Worked formulas: what `[1, 2] * [3, 4]` or `0.3 V_1 + 0.7 V_2` say about what they result in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.reading.notes.formulas.dots import dotted
from symattn.reading.notes.formulas.formula import (
    Binary,
    Call,
    Chain,
    Grid,
    Name,
    Node,
    Num,
    Row,
    Transpose,
    grid_of,
    numerals,
)
from symattn.reading.notes.formulas.names import INPUTS, Ref
from symattn.reading.notes.formulas.works import is_literal
from symattn.reading.notes.linking.denote import LOGITS, ROOT, denote
from symattn.reading.notes.linking.ledger import value, values
from symattn.reading.notes.linking.rooted import Rooted
from symattn.reading.notes.linking.terms import flatten, numbers, weighted

PROJECTED = {"Q": "W_Q", "K": "W_K", "V": "W_V"}
_LAYERED = {"widened": "norm_1", "ffn": "active"}
"""What the feed-forward layer multiplies by weights, beside a bias."""


class Explainer(Rooted):
    """Ties the numerals of a worked formula to the quantities that it was made of."""

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
        left_out = dotted(node)
        if left_out is not None:
            return self.scatter(target, node, left_out)
        done = False
        match node:
            case Grid(rows=rows) if any(isinstance(cell, Chain) for row in rows for cell in row):
                return self._worked_cells(target, rows)
            case Binary(op="*", left=left, right=Name()) if target.name == "output" and is_literal(left):
                done = self.place(Ref("concat" if self.heads else "Z", target.row), left)
            case Binary(op="*", left=left, right=Name()) if target.name in _LAYERED and is_literal(left):
                done = self.place(Ref(_LAYERED[target.name], target.row), left)
            case Binary(op="+", left=inner, right=Name()) if target.name in _LAYERED:
                done = self.explain(target, inner)
            case Call(function="relu", argument=argument) if target.name == "active":
                done = self.explain(replace(target, name="widened"), argument)
            case Binary(op="*", left=left, right=right) if target.name in PROJECTED:
                done = self._inputs(target, left, right)
            case Binary(op="*", left=left, right=right) if target.name == "scores" and not self._turns(
                target
            ):
                done = self._factors(target, left, right)
            case Row() | Grid() if target.name == "scaled" and (over := self.numerators(node)) is not None:
                done = self.place(replace(target, name="scores"), over)
            case Binary(op="/", left=inner, right=divisor) if target.name == "scaled":
                done = self._divided(target, node, inner, divisor)
                if isinstance(divisor, Call) and ROOT in self.ledger.first:
                    self.role(
                        node, "working"
                    )  # sqrt(3) may stand for the announced 1.73: no working to hold to
                    return done
            case Binary(op="*", left=factor, right=inner) if target.name == "scaled" and not isinstance(
                factor, Row | Grid | Name
            ):
                done = self.explain(replace(target, name="scores"), inner)
                self.role(factor, "working")
            case Call(function="softmax", argument=argument) if target.name == "A":
                done = self._softmaxed(target, argument)
            case Binary(op="/", left=Row() as inner, right=Num() as divisor) if target.name == "A":
                done = self.explain(replace(target, name="exp"), inner)
                self.explain(replace(target, name="sum"), divisor)
            case Binary(op="/", left=Num() as over, right=under) if target.name == "A":
                done = self.quotient(target, over, under)
            case Row(items=cells) if target.name == "A" and target.row is not None:
                done = self.quotients(target.row, cells)
            case Binary(op="*", left=left, right=right) if (
                target.name == "Z" and _wide(left) and not self._turns(target)
            ):
                done = self._weighed(target, left, right)
            case Binary(op="+") if target.name == "sum" and target.row is not None:
                terms = [term for term in flatten(node) if isinstance(term, Num)]
                if len(terms) == len(flatten(node)) == self.ledger.shape("K")[0]:
                    done = self.place(
                        Ref("exp", target.row), Row(tuple(terms), terms[0].start, terms[-1].end)
                    )
            case Binary() if target.name == "Z":
                done = self._terms(target, node)
        remembered = self.remember(target, node)
        if done or remembered:
            self.role(node, "working")
        return done or remembered

    def _turns(self, target: Ref) -> bool:
        """Whether a product of matrices is that of the turned ones, in the other order."""
        return target.row is None and target.name in self.turned

    def _size(self, node: Node) -> bool:
        if isinstance(node, Num) and node.text.isdigit() and len(node.text) < 6:
            self.sizes.setdefault("d_k", int(node.text))
        self.role(node, "size")
        return True

    def _inputs(self, target: Ref, *factors: Node) -> bool:
        """The factors of a projection: inputs, printed again or here alone, and no claims.

        Both matrices of a whole product are given by it where X and the weights are told nowhere else. Keys
        and values may be of a memory, where its rows stand there.
        """
        told = [factor for factor in factors if is_literal(factor)]
        grids = [grid_of(factor) for factor in told]
        weights = PROJECTED[target.name]
        if len(told) == 2 and None not in grids and target == Ref(target.name):
            tables = [[[*numerals(Row(cells, 0, 0))] for cells in grid.rows] for grid in grids if grid]
            source = next((name for name in ("memory", "X") if self._begins(name, tables[0])), None)
            if source is None and "X" not in self.ledger.given:
                source = "X"
            if weights not in self.ledger.given and source is not None:
                for name, table in ((source, tables[0]), (weights, tables[1])):
                    for i, row in enumerate(table):
                        self.ledger.give(name, i, row)
        for factor in told:
            self.role(factor, "input")
        return bool(told)

    def _begins(self, name: str, table: Sequence[Sequence[Num]]) -> bool:
        """Whether the first column of an input is that of a table, as far as both go."""
        given = self.ledger.given.get(name, {})
        known = [value(num) for i in range(len(table)) if (num := given.get((i, 0))) is not None]
        return bool(known) and known == [value(row[0]) for row in table]

    def _factors(self, target: Ref, left: Node, right: Node) -> bool:
        """The factors of scores: rows of Q and K, or Q and the transpose of K."""
        done = False
        if is_literal(left) and not isinstance(left, Num):
            done = self.place(Ref("Q", target.row if _is_vector(left) else None), left)
        turned = right.of if isinstance(right, Transpose) else right
        if is_literal(turned) and not isinstance(turned, Num):
            grid = grid_of(turned)
            if grid is None or (target.col is not None and _is_vector(turned)):
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
        self.divides = True
        done = self.explain(replace(target, name="scores"), inner) if next(numerals(inner), None) else False
        self.divides = False
        if isinstance(divisor, Num):
            self.ledger.next_group()
            self.ledger.claim(ROOT, 0, 0, divisor)
            done = True
        else:
            self.role(divisor, "working")
        return done

    def _softmaxed(self, target: Ref, argument: Node) -> bool:
        """The scores inside a softmax: the last kind printed with these values, or the last before A."""
        if not is_literal(argument):
            return self.explain(replace(target, name="scaled"), argument)
        if isinstance(argument, Row) and grid_of(argument) is None:
            likely = [at for at in self.ledger.rows_like(numbers(argument)) if at[0] in LOGITS]
            for name, row in sorted(likely, key=lambda at: -LOGITS.index(at[0])):
                if target.row in (None, row):
                    return self.place(replace(target, name=name, row=row), argument)
        usual = "scores" if self._is_unscaled(target, argument) else "scaled"
        kind = next(
            (known for known in ("tempered", "masked", "scaled") if known in self.ledger.first), usual
        )
        return self.place(replace(target, name=kind), argument)

    def _is_unscaled(self, target: Ref, argument: Node) -> bool:
        """Whether a softmax is of the scores themselves: it says so, or no root is spoken of and they are."""
        declared = self.context.declares_scale()
        nums, row = numbers(argument), self.row(replace(target, name="scores"), argument)
        if declared is not None or row is None or not isinstance(argument, Row):
            return declared == "1"
        return [self.ledger.entry("scores", row, col) for col in range(len(nums))] == list(values(nums))

    def _weighed(self, target: Ref, left: Node, right: Node) -> bool:
        done = False
        if is_literal(left):
            done = self.place(Ref("A", target.row), left)
        if is_literal(right):
            done = self.place(Ref("V"), right) or done
        return done

    def _terms(self, target: Ref, node: Node) -> bool:
        """`0.3 V_1 + 0.7 [1, 2]`, or the weighted vectors themselves."""
        terms = flatten(node)
        found = [weighted(term) for term in terms]
        pairs = [pair for pair in found if pair is not None]
        weights = tuple(weight for weight, _ in pairs)
        whole = weights and len(pairs) == len(terms) and target.row is None
        said = Row(weights, weights[0].start, weights[-1].end) if whole else None
        row = self.row(target, node) if said is None else self.row(replace(target, name="A"), said)
        if row is None or target.col is not None:
            return False
        if all(isinstance(term, Row) and is_literal(term) for term in terms):
            if len(terms) != (self.ledger.shape("V")[0] or len(terms)):
                return False
            for key, term in enumerate(terms):
                self.ledger.next_group()
                for col, num in enumerate(numbers(term)):
                    self.ledger.claim("Z.term", row, col, num, key=key)
            return True
        if len(pairs) != len(terms):
            return False
        keys = self._keys([vector for _, vector in pairs])
        if keys is None:
            return False
        self.ledger.next_group()
        for key, (weight, _) in zip(keys, pairs, strict=True):
            self.ledger.claim("A", row, key, weight)
        if keys == list(range(len(keys))):
            self.ledger.index_row("A", row, [weight for weight, _ in pairs])
        for key, (_, vector) in zip(keys, pairs, strict=True):
            if isinstance(vector, Row):
                self.place(Ref("V", key), vector)
        return True

    def _keys(self, vectors: Sequence[Node]) -> list[int] | None:
        """Which row of V each vector is: by name, by its values, or by its position."""
        keys: list[int] = []
        for k, vector in enumerate(vectors):
            ref = denote(vector, self.bases, self.renamed)
            rows = (
                [r for n, r in self.ledger.rows_like(numbers(vector)) if n == "V"]
                if isinstance(vector, Row)
                else []
            )
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
                        work = cell.members[0]
                        self.ledger.claim(target.name, *at, cell.members[-1], work=work)
                        self.role(cell.members[0], "working")
                        done = True
        return done

    def query_of(self, members: Sequence[Node]) -> int | None:
        """The only query with the values that a key is multiplied with: `q · k_cat = [1, 2] · [0, 1]`.

        The words of such a line are about the key.
        """
        for member in members:
            match member:
                case Binary(op="*", left=Row() as left, right=Row()) if is_literal(left):
                    rows = [row for name, row in self.ledger.rows_like(numbers(left)) if name == "Q"]
                    return rows[0] if len(set(rows)) == 1 else None
                case Binary(op="*", left=Transpose(of=Name() as query)) if self.ledger.shape("Q")[0] == 1:
                    return 0 if denote(query, self.bases, self.renamed) == Ref("Q") else None  # `q^T k_1`
        return None

    def dot_product(self, node: Node) -> tuple[int, int] | None:
        """The score that a sum of products works out: by the rows of Q and of K that its factors are."""
        pairs = [
            (term.left, term.right) for term in flatten(node) if isinstance(term, Binary) and term.op == "*"
        ]
        left = [a for a, b in pairs if isinstance(a, Num) and isinstance(b, Num)]
        right = [b for a, b in pairs if isinstance(a, Num) and isinstance(b, Num)]
        if len(left) < 2 or len(left) < len(flatten(node)):
            return None
        here = self.context.row(left[0].start)
        queries = [row for name, row in self.ledger.rows_like(left) if name == "Q"]
        keys = [row for name, row in self.ledger.rows_like(right) if name == "K"]
        entries = [(row, col) for row in sorted(queries, key=lambda row: row != here) for col in sorted(keys)]
        fresh = (at for at in entries if at not in self.ledger.first.get("scores", {}))
        return next(fresh, entries[0] if len(entries) == 1 else None)

    def located(self, name: str, node: Node) -> tuple[int, int] | None:
        """The entry of X W that a sum of products works out: by the row of X and the column or row of W."""
        if name not in PROJECTED:
            return None
        products = [
            (term.left, term.right)
            for term in flatten(node)
            if isinstance(term, Binary)
            and term.op == "*"
            and isinstance(term.left, Num)
            and isinstance(term.right, Num)
        ]
        if not products:
            return None
        xs, ws = values(x for x, _ in products), values(w for _, w in products)
        x_rows = [row for n, row in self.ledger.rows_like([x for x, _ in products]) if n == "X"]
        weights = self.ledger.given.get(PROJECTED[name], {})
        n, m = self.ledger.shape(PROJECTED[name])
        columns = [
            c for c in range(m) if tuple(value(weights[r, c]) for r in range(n) if (r, c) in weights) == ws
        ]
        turned = [
            r for r in range(n) if tuple(value(weights[r, c]) for c in range(m) if (r, c) in weights) == ws
        ]
        found = columns or turned
        return (x_rows[0], found[0]) if len(xs) == len(ws) and len(x_rows) == 1 and len(found) == 1 else None


def _is_vector(node: Node) -> bool:
    """A list, or a matrix of one row or of one column."""
    grid = grid_of(node)
    return isinstance(node, Row) if grid is None else 1 in (len(grid.rows), len(grid.rows[0]))


def _wide(node: Node) -> bool:
    return isinstance(node, Row | Grid)
