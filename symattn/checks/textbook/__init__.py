"""Attention in NumPy by the formulas of the papers, straight from a case: the second leg of the cross-check.

It shares no operation, plan or recipe with the derivation, so that a plan that says something else than the
case is found out. `evaluation.py` is its table of contents; `coverage.py` says which cases it understands.
"""

from __future__ import annotations

from symattn.checks.textbook.conventions import Conventions
from symattn.checks.textbook.coverage import not_understood
from symattn.checks.textbook.evaluation import evaluate
from symattn.checks.textbook.steps import Array, Steps

__all__ = ["Array", "Conventions", "Steps", "evaluate", "not_understood"]
