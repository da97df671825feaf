"""One table of quantities: nothing else in the package lists their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import symattn.attention.registry  # noqa: F401  (joins the quantities of the variants)
from symattn.attention.quantities import QUANTITIES, Quantity, Table
from symattn.attention.quantities.inputs import INPUTS
from symattn.checks.textbook import coverage
from symattn.text.bilingual import Bilingual
from symattn.text.notation import Symbol, Text

PACKAGE = Path(__file__).parent.parent / "symattn"
ELSEWHERE = {
    "attention/quantities": "the table itself",
    "checks/textbook": "uses nothing of the package that could be wrong; its names are checked below",
    "classroom": "says by name what a sheet gives and what it asks for",
    "golden": "the arrays of ONNX's operator are named q, k and v",
    "cli/golden.py": "likewise",
    "cli/golden_results.py": "likewise",
    "library/golden.py": "likewise",
    "notes": "documents call quantities by letters of their own",
    "exact": "exp and sum are functions there",
    "typeset": "l and r are sides of a cell there",
}
GRADIENTS = {f"d{name}" for name in QUANTITIES}
ONE_NAME = 2  # and more are a collection


def collections(source: str) -> Iterator[tuple[int, list[str]]]:
    """Line and names of every literal collection of quantities; a line of a plan and a type are none."""
    tree = ast.parse(source)
    within = {part for node in ast.walk(tree) if _no_collection(node) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if node in within:
            continue
        names = {name for name in _members(node) if name in QUANTITIES or name in GRADIENTS}
        if len(names) >= ONE_NAME:
            within |= set(ast.walk(node))
            yield node.lineno, sorted(names)  # type: ignore[attr-defined]


def _no_collection(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="Line")) | ast.Subscript(value=ast.Name(id="Literal")):
            return True
    return False


def _members(node: ast.AST) -> Iterator[str]:
    """The strings that a collection holds, those of collections within it too."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            held: list[ast.AST | None] = list(parts)
        case ast.Dict(keys=keys):
            held = list(keys)
        case ast.MatchOr(patterns=patterns):
            held = [part.value for part in patterns if isinstance(part, ast.MatchValue)]
        case ast.Match(cases=cases):
            held = [each.pattern.value for each in cases if isinstance(each.pattern, ast.MatchValue)]
        case _:
            return
    for part in held:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif part is not None:
            yield from _members(part)


def listed(package: Path) -> list[str]:
    return [
        f"{path.relative_to(package).as_posix()}:{line} lists {', '.join(names)}"
        for path in sorted(package.rglob("*.py"))
        if not path.relative_to(package)
        .as_posix()
        .startswith(tuple(name if name.endswith(".py") else f"{name}/" for name in ELSEWHERE))
        for line, names in collections(path.read_text(encoding="utf-8"))
    ]


def test_no_other_file_lists_quantities() -> None:
    assert listed(PACKAGE) == []


def test_the_textbook_formulas_know_givens_by_names_of_the_table() -> None:
    assert [name for name in coverage.GIVENS if name not in QUANTITIES] == []


@pytest.mark.parametrize(
    "planted",
    [
        'SQUARES = ("scores", "A")',
        'KEYS = ["K", "V"]',
        'if name in {"X", "memory"}:\n    pass',
        'SEEDS = frozenset(("dZ", "dconcat"))',
        'LETTERS = {"scores": "S", "exp": "E"}',
        'PAIRS = (("Q", 1), ("K", 2))',
        'match name:\n    case "A" | "Z":\n        pass',
        'match name:\n    case "A":\n        pass\n    case "Z":\n        pass',
    ],
)
def test_a_planted_list_is_caught(planted: str, tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(planted)
    assert len(listed(tmp_path)) == 1


@pytest.mark.parametrize(
    "fine",
    [
        'Line("Z", Weigh(), ("A", "V"))',
        'name == "A"',
        'Left = Literal["Q", "K"]',
        'KINDS = ("softmax", "A")',
    ],
)
def test_a_line_of_a_plan_a_type_and_a_single_name_are_no_list(fine: str, tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text(fine)
    assert listed(tmp_path) == []


GATE = Quantity(
    "planted", ("n_q", "d_v"), letter="g", heading=Bilingual("Gate", "门"), given="the gate", after="Z"
)


def test_a_variant_joins_its_quantities_after_others() -> None:
    table = Table(tuple(QUANTITIES.values()))
    table.join((GATE, Quantity("planted_2", ("n_q", "d_v"), after="planted")))
    names = list(table)
    assert names[names.index("Z") + 1 :][:3] == ["planted", "planted_2", "concat"]
    assert table.heading("planted") == (Bilingual("Gate", "门"), True)
    assert GATE in table.givens


def test_a_name_that_is_taken_and_an_unknown_place_are_refused() -> None:
    table = Table(INPUTS)
    with pytest.raises(ValueError, match="two quantities are named X"):
        table.join((Quantity("X"),))
    with pytest.raises(ValueError, match="planted follows Z, which is no quantity"):
        table.join((GATE,))


def test_the_symbol_is_the_letter_or_the_name() -> None:
    assert QUANTITIES["scaled"].symbol == Symbol("S'")
    assert QUANTITIES["W_Q"].symbol == Symbol("W", sub=Symbol("Q"))
    assert QUANTITIES["past_K"].slope == Symbol("dK", sub=Text("past"))


@pytest.mark.parametrize(
    ("base", "of"),
    [
        ("dX", "X"),
        ("dX_QK", "X"),
        ("dW_Q", "W_Q"),
        ("dnorm_1_R", "norm_1"),
        ("dmemory_12", "memory"),
        ("Z", ""),
    ],
)
def test_a_gradient_and_its_parts_are_of_one_quantity(base: str, of: str) -> None:
    assert QUANTITIES.subject(base) == of


def test_a_part_of_a_gradient_has_the_heading_of_the_whole() -> None:
    assert QUANTITIES.heading("dQ") == (QUANTITIES["Q"].heading_of_gradient, True)
    assert QUANTITIES.heading("dQ_12") == (QUANTITIES["Q"].heading_of_gradient, False)


def test_a_gradient_is_called_after_its_quantity() -> None:
    heading, whole = QUANTITIES.heading("dkept")
    assert whole
    assert heading.en == "Gradient of the largest scores of each row"
    assert heading.zh == "每行最大的得分的梯度"
    assert heading.transposed.en == "Gradient of the largest scores of each column"


def test_a_tap_shows_the_step_before_where_its_own_is_left_out() -> None:
    assert QUANTITIES.taps == {
        "raw": ("scaled",),
        "softcapped": ("capped", "scaled"),
        "biased": ("masked", "capped", "scaled"),
        "probabilities": ("A",),
    }


def test_scores_beside_what_they_are_made_of_were_computed() -> None:
    assert QUANTITIES.ancestors("head1.scaled") == {"scores", "Q", "K", "W_Q", "W_K"}
    assert QUANTITIES.ancestors("X") == frozenset()


def test_what_is_named_in_the_table_is_in_it() -> None:
    for quantity in QUANTITIES.values():
        others = {*quantity.made_of, quantity.weights} - {""}
        assert others <= set(QUANTITIES), quantity.name


def test_both_languages_are_there_for_every_quantity() -> None:
    for quantity in QUANTITIES.values():
        for words in (quantity.heading, quantity.gradient, quantity.title):
            assert words is None or (words.en and words.zh), quantity.name
