"""A derivation as data: the JSON contract `symattn/derivation/1`, which only grows."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from symattn.attention.case import Case, Given, Settings
from symattn.attention.keys import Kind
from symattn.attention.recipes.cautions import Caution
from symattn.attention.recipes.leftover import Leftover
from symattn.attention.registry import CONVENTION_KEYS
from symattn.checks.crosscheck import CrossCheck, TextbookCheck
from symattn.checks.doubt import Doubt
from symattn.checks.facts import Fact
from symattn.checks.proofs import Proof
from symattn.exact.carried_forms import long_parts, text
from symattn.exact.decimal import Undecided, printed, rounded_matrix
from symattn.exact.enclosure import HasSymbols
from symattn.exact.expression import Node
from symattn.exact.matrix import Matrix
from symattn.exact.names import holds_names
from symattn.exact.number import Exact, Infinite
from symattn.exact.plain import plain, plain_table, terms_in
from symattn.exact.trees import of_exact
from symattn.plans.derive import Derivation
from symattn.text.bilingual import Bilingual, both
from symattn.text.errors import OutOfBounds
from symattn.text.notation import named
from symattn.text.suggest import MOST
from symattn.typeset.plain import plain_formula

SCHEMA = "symattn/derivation/1"
MOST_TERMS = 4_000_000
LONGEST_WHOLE = 300  # nodes of a closed form that is written without names
ALWAYS = ("weights", "scale", "mask", "heads", "positions", "start", "base")
"""The conventions that the JSON lists with their defaults too; the others only where they are set."""


def derivation_data(
    case: Case,
    derivation: Derivation,
    facts: Sequence[Fact],
    check: CrossCheck | None,
    *,
    digits: int = 4,
    significant_digits: int | None = None,
    only: Collection[str] = (),
    proofs: Sequence[Proof] = (),
    leftover: Leftover | None = None,
    cautions: Sequence[Caution] = (),
) -> dict[str, Any]:
    """The derivation as a dictionary of plain values, in the order of the contract.

    `exact` strings are read back by SymPy; `decimal` is correctly rounded, and null with free symbols.
    Closed forms that would outgrow any page hold names such as `layer1_Z_0_1`, entry (0, 1) of layer1.Z,
    and `definitions` says what each one is.
    """

    lines = [line for line in derivation if not only or line.name in only]
    _hold_to_size({line.name: derivation[line.name] for line in lines})
    named_entries = any(line.most_nodes is not None for line in derivation)
    closed = ClosedForms(named_entries or any(map(holds_names, derivation.values.values())))
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "title": case.title,
        "tokens": list(case.tokens),
        "conventions": conventions(case),
        "steps": [
            {
                "name": line.name,
                "formula": plain_formula(line.op.formula(*(named(name) for name in line.args))),
                "shape": list(derivation[line.name].shape),
                "exact": closed.table(derivation[line.name]),
                "decimal": _decimals(derivation[line.name], digits, significant_digits),
            }
            for line in lines
        ],
        "facts": [
            _fact(fact, closed, digits, significant_digits) for fact in facts if not only or fact.name in only
        ],
    }
    if case.files:
        data["files"] = dict(case.files)
    if case.memory_tokens:
        data["memory_tokens"] = list(case.memory_tokens)
    if closed.definitions:
        data["definitions"] = dict(closed.definitions)
    if proofs:
        data["proofs"] = [_proof(proof) for proof in proofs]
    if leftover is not None and leftover.result is not None:
        data["not_computed"] = {"name": leftover.result, "needs": list(leftover.needs)}
    if leftover is not None and leftover.unused:
        data["unused"] = list(leftover.unused)
    if cautions:
        data["cautions"] = [
            {"key": caution.key, "kind": caution.kind, "message": caution.words[case.lang]}
            for caution in cautions
        ]
    if check is not None:
        data["crosscheck"] = check_data(check)
    return data


class ClosedForms:
    """Closed forms as text, and what the names in them stand for, each after those that it needs."""

    def __init__(self, named: bool) -> None:
        self.named = named
        self.definitions: dict[str, str] = {}
        self.labels: dict[Node, str] = {}
        self.written: dict[Exact, str] = {}

    def table(self, matrix: Matrix) -> list[list[str]]:
        if not self.named:
            return plain_table(matrix)
        return [[self.text(x) for x in row] for row in matrix.rows()]

    def text(self, x: Exact) -> str:
        if not (self.named and x.symbolic):
            return plain(x)
        if x.carried:
            return self.carried(of_exact(x))
        if x not in self.written:
            self.written[x] = self._in_names(x)
        return self.written[x]

    def _in_names(self, x: Exact) -> str:
        from symattn.exact.named import names_in, size

        leaves = {leaf.label: leaf.definition for leaf in names_in(x)}
        if size(x) > LONGEST_WHOLE:
            for label in sorted(leaves.keys() - self.definitions.keys()):
                self.definitions[label] = self.text(leaves[label])
            return plain(x)
        return re.sub(r"\w+", lambda word: self._whole(word[0], leaves), plain(x))

    def carried(self, node: Node) -> str:
        """What is carried, in names and in labels of the long sums that entries share."""
        leaves = {part.value for part in node.parts if part.operation == "named"}
        for leaf in sorted(leaves, key=lambda leaf: leaf.label):
            if leaf.label not in self.definitions:
                self.definitions[leaf.label] = self.text(leaf.definition)
        for part in long_parts(node):
            if part not in self.labels:
                word = text(part, self.labels)
                self.labels[part] = f"part_{len(self.labels) + 1}"
                self.definitions[self.labels[part]] = word
        return text(node, self.labels)

    def _whole(self, word: str, leaves: Mapping[str, Exact]) -> str:
        return f"({self.text(leaves[word])})" if word in leaves else word


def check_data(check: CrossCheck) -> dict[str, Any]:
    """The cross-check as plain values."""
    data: dict[str, Any] = {
        "backend": check.backend,
        "agrees": check.agrees,
        "steps": [
            {"name": s.name, "max_ulp": s.max_ulp, "agrees": s.agrees, **_reason(s.doubt)}
            for s in check.steps
        ],
    }
    if check.gradients:
        data["gradients"] = [
            {"name": g.name, "relative_error": g.error, "agrees": g.agrees, **_reason(g.doubt)}
            for g in check.gradients
        ]
    if check.textbook is not None:
        data["textbook"] = _textbook(check.textbook)
    if check.symbols:
        data["symbols"] = dict(check.symbols)
    return data


def _textbook(check: TextbookCheck) -> dict[str, Any]:
    """The second computation: which steps it covers, or the keys for which it has no formula."""
    data: dict[str, Any] = {"agrees": not check.wrong, "covers": list(check.covers)}
    if check.wrong:
        data["disagrees_in"] = list(check.wrong)
    if check.not_understood:
        data["not_understood"] = list(check.not_understood)
    return data


def _reason(doubt: Doubt | None) -> dict[str, Any]:
    return {} if doubt is None else {"reason": doubt.text.by_language}


def conventions(case: Case) -> Mapping[str, Any]:
    """The `[attention]` table in force: of its keys those in `ALWAYS`, and what is not the default."""
    usual = Settings()
    found: dict[str, Any] = {}
    for key in CONVENTION_KEYS:
        value = getattr(case.settings, key.name)
        if key.name in ALWAYS or value != getattr(usual, key.name):
            found[key.name] = _typed(value, key.kind) if isinstance(value, Given) else value
    return found


def _typed(given: Given, kind: Kind) -> list[Any]:
    """A mask as a list of rows, any other key as the one row that it is."""
    rows = [list(row) for row in given.typed]
    return rows if kind == "mask" else rows[0]


def decimal_digits(x: Exact, digits: int, significant_digits: int | None) -> str | None:
    """The decimal of a number, or None where it has free symbols or its rounding is undecided."""
    if isinstance(x, Infinite):
        return "-inf"
    try:
        return printed(x, digits, significant_digits).digits
    except (HasSymbols, Undecided):
        return None


def _decimals(matrix: Matrix, digits: int, significant_digits: int | None) -> list[list[str | None]]:
    if significant_digits is None:
        try:
            return [list[str | None](row) for row in rounded_matrix(matrix, digits).digits()]
        except (HasSymbols, Undecided, ValueError):
            pass  # some entry has no decimal: then each one by itself
    return [[decimal_digits(entry, digits, significant_digits) for entry in row] for row in matrix.rows()]


def _hold_to_size(matrices: Mapping[str, Matrix]) -> None:
    """Raises OutOfBounds where the closed forms of the steps would fill the memory."""
    sizes = {name: terms_in(matrix) for name, matrix in matrices.items()}
    if sum(sizes.values()) > MOST_TERMS:
        small = [name for name, size in sizes.items() if size <= MOST_TERMS // MOST][:MOST]
        only = f"--only {','.join(small)}"
        some = Bilingual(
            f"; ask for some steps, such as {only} (from Python only={small})",
            f"；请只输出一部分步骤，例如 {only}（Python 中为 only={small}）",
        )
        some = some if small else both("")
        raise OutOfBounds(
            Bilingual(
                f"the closed forms hold about {sum(sizes.values()):,} exponentials",
                f"各步的封闭形式共有约 {sum(sizes.values()):,} 个指数项",
            ),
            Bilingual(
                f"at most {MOST_TERMS:,} are written out{some.en}", f"最多写出 {MOST_TERMS:,} 个{some.zh}"
            ),
        )


def _proof(proof: Proof) -> dict[str, Any]:
    data: dict[str, Any] = {"name": proof.name, "decided": proof.decided, "equal": proof.equal}
    if proof.evaluation:
        data["walk"] = proof.evaluation
    if proof.reason is not None:
        data["reason"] = proof.reason.by_language
    if proof.witness is not None:
        at = proof.witness
        data["witness"] = {
            "row": at.row,
            "col": at.col,
            "values": [plain(at.left), plain(at.right)],
        }
    return data


def _fact(fact: Fact, closed: ClosedForms, digits: int, significant_digits: int | None) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": fact.kind, "name": fact.name, "rows": list(fact.rows)}
    if fact.columns:
        data["columns"] = list(fact.columns)
    if fact.col is not None:
        data["col"] = fact.col
    if fact.value is not None:
        data["value"] = closed.text(fact.value)
        if fact.kind in ("entropy", "log-sum-exp"):
            one = Matrix.of([[fact.value]])
            data["decimal"] = _decimals(one, digits, significant_digits)[0][0]
    if fact.order:
        data["order"] = [list(group) for group in fact.order]
    data["decided"] = fact.decided
    return data
