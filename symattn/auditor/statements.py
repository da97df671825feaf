"""What a source says in words, decided exactly: orders, equal rows, sums, shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from symattn.attention.case import Case, Statement
from symattn.attention.recipes.columns import as_columns
from symattn.auditor.findings.codes import Finding
from symattn.auditor.report import Remark, Verdict
from symattn.checks.facts import ranking, sums_to_one
from symattn.exact.decision import equal
from symattn.exact.functions import symbol
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.exact.plain import plain
from symattn.exact.shapes import Shape, spelled
from symattn.exact.weighted import Weighted
from symattn.plans.derive import Derivation
from symattn.plans.transposed import transposed_derivation
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError, UnusableValue
from symattn.text.suggest import instead


def judge_statements(case: Case, derivation: Derivation) -> tuple[Remark, ...]:
    """A remark for each false statement, and for each that cannot be decided; nothing for a true one."""
    remarks = []
    for statement in case.statements:
        columns = _of_columns(case, statement)
        if columns:
            told = replace(statement, row=statement.col, col=None)
            remark = _RULES[told.kind](case, told, transposed_derivation(derivation))
        else:
            remark = _RULES[statement.kind](case, statement, derivation)
        if remark is not None:
            remarks.append(replace(remark, columns=columns))
    return tuple(remarks)


def _of_columns(case: Case, statement: Statement) -> bool:
    """Whether a statement is about columns: it says so, or means the tokens, and these are columns."""
    if statement.kind in ("shape", "equal", "equal-rows"):
        return False
    if statement.kind == "sums-to-one" and statement.row is None and statement.col is None:
        return as_columns(case)
    return statement.kind == "equal-columns" or statement.col is not None


def _remark(code: Finding, statement: Statement, **values: str) -> Remark:
    row = statement.row
    said = {"name": statement.name, "row": "" if row is None else str(row + 1), **values}
    verdict: Verdict = "undecided" if code == Finding.UNDECIDED_STATEMENT else "claim"
    return Remark(code, verdict, said, statement.name, row, (), statement.line, statement.place)


def _matrix(statement: Statement, derivation: Derivation) -> Matrix:
    if statement.name not in derivation:
        error = UnusableValue(
            Bilingual(
                f"a statement is about {statement.name}, which the computation does not have",
                f"有一条语句说的是 {statement.name}，而推导中没有它",
            ),
            Bilingual(
                f"it has {', '.join(name for name, _ in derivation.items())}",
                f"推导中有 {'、'.join(name for name, _ in derivation.items())}",
            ),
        )
        raise _placed(error, statement)
    return derivation[statement.name]


def _placed(error: SymattnError, statement: Statement) -> SymattnError:
    place = statement.place
    return error.at(line=place.line, column=place.column) if place else error


def labels_of(case: Case, columns: int) -> tuple[str, ...]:
    for labels in (case.memory_tokens, case.tokens):
        if len(labels) == columns:
            return labels
    return tuple(str(k) for k in range(columns))


def shown_labels(case: Case, columns: int) -> tuple[str, ...]:
    """The columns as a reader names them in any language: by their tokens, or as keys k_1, k_2, ..."""
    labels = labels_of(case, columns)
    if labels in (case.tokens, case.memory_tokens):
        return labels
    return tuple(f"k_{k + 1}" for k in range(columns))


def _column(case: Case, statement: Statement, word: str, columns: int) -> int:
    labels = labels_of(case, columns)
    if word in labels:
        return labels.index(word)
    if word.isdigit() and int(word) < columns:
        return int(word)
    error = UnusableValue(
        Bilingual(f'"{word}" is no column of {statement.name}', f"{statement.name} 没有名为“{word}”的列"),
        instead(
            word,
            labels,
            Bilingual(
                f"a number from 0 to {columns - 1} means a column too",
                f"也可以用 0 到 {columns - 1} 的数表示列",
            ),
        ),
    )
    raise _placed(error, statement)


def order_of(matrix: Matrix, row: int) -> tuple[tuple[int, ...], ...] | None:
    """The columns of one row, largest first; weights are compared by their logits."""
    whole = isinstance(matrix, Weighted) and matrix.coefficients is None
    values = matrix.logits if whole and isinstance(matrix, Weighted) else matrix
    return ranking([values[row, j] for j in range(matrix.shape[1])])


def _rows(statement: Statement, matrix: Matrix) -> Sequence[int]:
    return range(matrix.shape[0]) if statement.row is None else [statement.row]


def _order(case: Case, statement: Statement, derivation: Derivation) -> Remark | None:
    """The named columns are the largest of the row, in this order, each strictly above the next."""
    matrix = _matrix(statement, derivation)
    code = Finding.FALSE_ORDER if statement.kind == "order" else Finding.FALSE_ARGMAX
    wanted = [_column(case, statement, word, matrix.shape[1]) for word in statement.value]
    labels = shown_labels(case, matrix.shape[1])
    for row in _rows(statement, matrix):
        order = order_of(matrix, row)
        stated = " > ".join(labels[k] for k in wanted)
        if order is None:
            return _remark(Finding.UNDECIDED_STATEMENT, statement, stated=stated)
        if [list(group) for group in order[: len(wanted)]] != [[k] for k in wanted]:
            actual = " > ".join(" = ".join(labels[k] for k in group) for group in order)
            largest = " = ".join(labels[k] for k in order[0])
            told = _remark(code, statement, stated=stated, actual=actual, largest=largest, row=str(row + 1))
            return _rewritten(told, statement, _names(case, statement, matrix.shape[1], order))
    return None


def _names(case: Case, statement: Statement, columns: int, order: Sequence[Sequence[int]]) -> Sequence[str]:
    """What a statement would say if it were true, in its own manner: labels or numbers. Empty for a tie."""
    labels, groups = labels_of(case, columns), order[: len(statement.value)]
    if len(statement.value) > len(order) or any(len(group) > 1 for group in groups):
        return ()
    pairs = zip(statement.value, groups, strict=True)
    return [labels[k] if word in labels else str(k) for word, (k,) in pairs]


def _rewritten(remark: Remark, statement: Statement, names: Sequence[str]) -> Remark:
    """The remark with what to write for the words of its statement, where it is known and where they stand.

    A statement about every row would be true of no more than the one that was found.
    """
    everywhere = statement.kind in ("order", "argmax") and statement.row is None
    if everywhere or not names or len(statement.words) != len(names):
        return remark
    instead = tuple(
        (word.place, word.said, name)
        for word, stated, name in zip(statement.words, statement.value, names, strict=True)
        if stated != name
    )
    return replace(remark, fix="unsafe", instead=instead)


def _equal_rows(case: Case, statement: Statement, derivation: Derivation) -> Remark | None:
    matrix = _matrix(statement, derivation)
    rows = [int(word) for word in statement.value] or list(range(matrix.shape[0]))
    for other in rows[1:]:
        for j in range(matrix.shape[1]):
            verdict = equal(matrix[rows[0], j], matrix[other, j])
            if verdict is not True:
                stated = ", ".join(str(row + 1) for row in rows)
                return _remark(
                    Finding.ROWS_DIFFER if verdict is False else Finding.UNDECIDED_STATEMENT,
                    statement,
                    stated=stated,
                    actual=f"{plain(matrix[rows[0], j])} ≠ {plain(matrix[other, j])}",
                    col=str(j + 1),
                )
    return None


def _sums_to_one(case: Case, statement: Statement, derivation: Derivation) -> Remark | None:
    """False for the first row that does not sum to 1; undecided where none is known not to."""
    rows = _rows(statement, _matrix(statement, derivation))
    verdicts = [sums_to_one(derivation, statement.name, [row]) for row in rows]
    if False in verdicts:
        row = rows[verdicts.index(False)]
        return _remark(Finding.DOES_NOT_SUM_TO_ONE, statement, stated="1", actual="≠ 1", row=str(row + 1))
    return _remark(Finding.UNDECIDED_STATEMENT, statement, stated="Σ = 1") if None in verdicts else None


def _shape(case: Case, statement: Statement, derivation: Derivation) -> Remark | None:
    stated = tuple(int(word) for word in statement.value)
    actual = _shape_of(statement, derivation)
    if actual is None:
        return _undefined(statement, derivation)
    if actual == stated:
        return None
    remark = _remark(
        Finding.FALSE_SHAPE, statement, stated="×".join(map(str, stated)), actual=spelled(actual)
    )
    return _rewritten(remark, statement, [str(size) for size in actual])


def _undefined(statement: Statement, derivation: Derivation) -> Remark:
    """A product that the source writes and that has no value; with the reading that would have one."""
    x, w = factors_of(statement.name)[-2:]
    fits = derivation[x].shape[1] == derivation[w].shape[1]
    said = {
        "written": f"{x} {w}",
        "fits": f"{x} {w}^T" if fits else "—",
        "x": spelled(derivation[x].shape),
        "w": spelled(derivation[w].shape),
    }
    return Remark(
        Finding.UNDEFINED_PRODUCT, "shape", said, statement.name, None, (), statement.line, statement.place
    )


def factors_of(name: str) -> list[str]:
    """The factors of a product, X and W_Q of `X W_Q`; the name alone of a quantity."""
    return name.replace("·", " ").replace("*", " ").split()


def _shape_of(statement: Statement, derivation: Derivation) -> Shape | None:
    """The shape of a matrix or of a product such as `X W_Q`; None where the product is undefined."""
    shapes = []
    for factor in factors_of(statement.name):
        if factor not in derivation:
            _matrix(statement, derivation)
        shapes.append(derivation[factor].shape)
    rows, columns = shapes[0]
    for n, m in shapes[1:]:
        if columns != n:
            return None
        columns = m
    return rows, columns


def _equal(case: Case, statement: Statement, derivation: Derivation) -> Remark | None:
    matrix = _matrix(statement, derivation)
    row, col = statement.row or 0, statement.col or 0
    try:
        stated = read(statement.value[0], {name: symbol(name) for name in case.symbols})
        verdict = equal(matrix[row, col], stated)
    except SymattnError as error:
        raise _placed(error, statement) from None
    if verdict is True:
        return None
    code = Finding.FALSE_EQUALITY if verdict is False else Finding.UNDECIDED_STATEMENT
    return _remark(
        code, statement, stated=statement.value[0], actual=plain(matrix[row, col]), col=str(col + 1)
    )


_RULES: Mapping[str, Callable[[Case, Statement, Derivation], Remark | None]] = {
    "order": _order,
    "argmax": _order,
    "equal-rows": _equal_rows,
    "equal-columns": _equal_rows,
    "sums-to-one": _sums_to_one,
    "shape": _shape,
    "equal": _equal,
}
