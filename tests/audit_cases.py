"""Cases made in a line, for the tests of the auditor: givens, what was printed, and the verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.attention.case import Case, Claim, Given, Settings, Statement
from symattn.auditor.audit import audit
from symattn.auditor.report import Judgement, Report
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix

Rows = Sequence[Sequence[str]]


def given(rows: Rows) -> Given:
    """A given matrix of its characters."""
    typed = tuple(tuple(row) for row in rows)
    return Given(typed, Matrix.of([[read(cell, {}) for cell in row] for row in typed]))


def stated(name: str, rows: Rows, work: str | None = None, row: int = 0, col: int = 0) -> Claim:
    """What a source printed for a quantity."""
    return Claim(name, tuple(tuple(r) for r in rows), row, col, work)


# Q = 1/3, printed 0.33; K = 3; scores = 1 exactly, 0.99 from the print, [0.975, 1.005] within its digits
THIRD: dict[str, Rows] = {"X": [["1"]], "W_Q": [["1/3"]], "K": [["3"]]}
Q = stated("Q", [["0.33"]])
WRONG = stated("Q", [["0.43"]])  # a slip: 1/3 is 0.33


def case(
    matrices: dict[str, Rows],
    *claims: Claim,
    statements: tuple[Statement, ...] = (),
    tokens: tuple[str, ...] = (),
    **settings: str | int | Given,
) -> Case:
    """A case of givens and prints; the scale is 1 unless the settings say otherwise."""
    conventions = Settings(**{"scale": "1", **settings})  # type: ignore[arg-type]
    known = {name: given(rows) for name, rows in matrices.items()}
    return Case("test", known, tokens=tokens, settings=conventions, stated=claims, statements=statements)


def judged(matrices: dict[str, Rows], *claims: Claim, **settings: str | int | Given) -> Report:
    """The report on what was printed."""
    return audit(case(matrices, *claims, statements=(), tokens=(), **settings))


def told(report: Report) -> list[tuple[str, str | None]]:
    """Verdict and code of every printed number, in order."""
    return [(judgement.verdict, judgement.code) for judgement in report.judgements]


def last(report: Report) -> Judgement:
    """The judgement on the last printed number."""
    return report.judgements[-1]
