"""Results in notebooks: the cell magic, rich representations, and the notebook of the manual."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

import symattn
from symattn import Exact, Matrix, Report, SymattnError, Worked

NOTEBOOK = Path(__file__).parent.parent / "docs" / "first_steps.ipynb"
CASE = "[given]\nscaled = [[0, 1]]\nV = [[1], [2]]\n"


class Shell:
    """Stands for IPython: keeps the magic and the variables."""

    def __init__(self) -> None:
        self.variables: dict[str, Any] = {}
        self.magic: Any = None

    def register_magic_function(
        self, func: Any, magic_kind: str = "line", magic_name: str | None = None
    ) -> None:
        assert (magic_kind, magic_name) == ("cell", "symattn")
        self.magic = func

    def push(self, variables: dict[str, Any]) -> None:
        self.variables |= variables


@pytest.fixture
def shell() -> Shell:
    shell = Shell()
    symattn.load_ipython_extension(shell)
    return shell


def test_a_cell_is_derived_and_kept_in_a_variable(shell: Shell) -> None:
    worked = shell.magic("mine", CASE)
    assert isinstance(worked, Worked)
    assert shell.variables == {"mine": worked}


@pytest.mark.parametrize(
    ("cell", "slips"),
    [(CASE + '[[stated]]\nname = "Z"\nvalues = [["9.00"]]\n', 1), ("The score is 1·3 + 3·0 = 4.", 1)],
)
def test_a_cell_with_a_case_or_notes_is_audited(shell: Shell, cell: str, slips: int) -> None:
    report = shell.magic("audit", cell)
    assert isinstance(report, Report)
    assert report.counts["slip"] == slips
    assert shell.variables == {}


def test_a_line_that_the_magic_does_not_know_is_refused(shell: Shell) -> None:
    with pytest.raises(SymattnError, match=r"'derive a b' after %%symattn"):
        shell.magic("derive a b", CASE)


def test_numbers_and_matrices_show_themselves_as_formulas() -> None:
    assert Exact("sqrt(2)")._repr_latex_() == r"$\displaystyle \sqrt{2}$"
    assert "<msqrt>" in Exact("sqrt(2)")._repr_html_()
    assert r"1 & \frac{1}{2}" in Matrix([[1, "1/2"]])._repr_latex_()
    assert "<mtable" in Matrix([[1, 2]])._repr_html_()


def output_of(source: str, names: dict[str, Any]) -> str:
    """What a cell prints, and then the value of its last expression."""
    tree, value = ast.parse(source), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue() + ("" if value is None else repr(value))


def test_the_notebook_of_the_manual_runs_and_has_the_outputs_that_it_shows() -> None:
    names: dict[str, Any] = {}
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if "outputs" in cell]
    shown = ["".join(part.get("text") or part["data"]["text/plain"]) for c in cells for part in c["outputs"]]
    made = [output_of("".join(cell["source"]), names) for cell in cells]
    assert [output for output in made if output] == shown
    assert len(shown) == 7
