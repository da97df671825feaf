"""The case files as data: they parse, their shapes fit, and no figure of theirs gets lost or changed.

Nothing here walks a case. The figures are held against arithmetic that a reader can redo by hand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symattn.casefile.case_file import read_case
from symattn.exact.functions import symbol
from symattn.exact.literal import read
from symattn.exact.number import Exact

CASES = Path(__file__).parent.parent / "cases"

FIGURES = {
    "bank_recipe": (10, "3.70"),
    "mao_zuozai_dianzi_shang": (77, "171.554"),
    "sinusoidal_positions": (6, "3.2568"),
    "softmax_saturation": (36, "1030.13"),
    "thinking_machines": (102, "206.638"),
    "thinking_machines_unscaled": (89, "126.67"),
    "two_heads_symbolic_wo": (4, "30"),
    "wo_ai_mao": (226, "352.06"),
}
"""How many numbers each source printed, and their sum: a changed digit changes the sum."""

OURS = {
    "all_symbols",
    "base_three",
    "biases",
    "causal_mask",
    "column_convention",
    "cross_attention",
    "deep_saturation",
    "exact_algebraic",
    "two_heads",
}

PLAIN_NUMERAL = re.compile(r"-?[0-9]+(\.[0-9]+)?%?")
STAGES = ("Q", "K", "V", "sqrt(d_k)", "scores", "scaled", "exp", "sum", "A", "Z.term", "Z", "PE")

Case = dict[str, Any]
Shape = tuple[int, int]


class Typed(str):
    """A TOML float with its characters: `1.00` stays 1.00."""


def load(name: str) -> Case:
    return tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"), parse_float=Typed)


ALL = {path.stem: load(path.stem) for path in sorted(CASES.glob("*.toml"))}
every_case = pytest.mark.parametrize("name", ALL)


def figure(typed: object) -> Fraction:
    text = str(typed)
    return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)


def figures(case: Case) -> Iterator[tuple[tuple[str, int, int, int | None], Fraction]]:
    """Every printed number with its place: (quantity, row, column, key of a weighted value vector)."""
    for stated in case.get("stated", []):
        for i, row in enumerate(stated["values"], stated.get("row", 0)):
            for j, typed in enumerate(row, stated.get("col", 0)):
                yield (stated["name"], i, j, stated.get("key")), figure(typed)


def result(expression: str) -> Fraction:
    """The value of a rational working such as `4.11 + 8.34`."""
    value = read(expression, {}).rational
    assert value is not None
    return Fraction(int(value.p), int(value.q))


def product(a: list[list[Any]], b: list[list[Any]]) -> list[list[Fraction]]:
    columns = list(zip(*b, strict=True))
    return [
        [Fraction(sum(figure(x) * figure(y) for x, y in zip(r, c, strict=True))) for c in columns] for r in a
    ]


def extent(matrix: list[list[Any]]) -> Shape:
    return len(matrix), len(matrix[0])


def shapes(case: Case) -> dict[str, Shape]:
    """The shape of every quantity of the walk, from the givens alone."""
    attention = case.get("attention", {})
    columns = attention.get("tokens_as") == "columns"
    given = {name: extent(matrix) for name, matrix in case.get("given", {}).items()}
    found = shapes_in_rows(case, {name: turned(shape, columns) for name, shape in given.items()})
    return {name: turned(shape, columns) for name, shape in found.items()}


def turned(shape: Shape, columns: bool) -> Shape:
    return shape[::-1] if columns else shape


def shapes_in_rows(case: Case, have: dict[str, Shape]) -> dict[str, Shape]:
    attention = case.get("attention", {})
    other = attention.get("weights") == "transposed"
    rows = {"Q": "X", "K": "memory" if "memory" in have else "X", "V": "memory" if "memory" in have else "X"}
    for name, source in rows.items():
        if f"W_{name}" in have:
            deep, wide = have[f"W_{name}"][:: -1 if other else 1]
            assert have[source][1] == deep, f"{source} does not fit W_{name}"
            assert have.get(f"b_{name}", (1, wide)) == (1, wide)
            have[name] = (have[source][0], wide)
    if "Q" in have:
        assert have["Q"][1] == have["K"][1]
        heads = attention.get("heads", 1)
        assert have["Q"][1] % heads == have["V"][1] % heads == 0
        for head in range(1, heads + 1):
            have |= {f"head{head}.{name}": (have[name][0], have[name][1] // heads) for name in "QKV"}
        have |= dict.fromkeys(("scores", "scaled", "exp", "A"), (have["Q"][0], have["K"][0]))
        have["sum"] = (have["Q"][0], 1)
        have["sqrt(d_k)"] = (1, 1)
    if "A" in have:
        assert have["A"][1] == have["V"][0]
        have["Z"] = have["Z.term"] = (have["A"][0], have["V"][1])
    if attention.get("positions") == "sinusoidal":
        have["PE"] = (len(case["tokens"]), attention["d_model"])
    return have


def test_the_folder_holds_the_five_sources_and_our_own_cases() -> None:
    assert set(ALL) == set(FIGURES) | OURS


@every_case
def test_a_case_begins_with_a_comment_that_says_what_it_shows(name: str) -> None:
    lines = (CASES / f"{name}.toml").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert len(lines[0]) > 40 or lines[1].startswith("# ")
    assert max(map(len, lines)) <= 110


@every_case
def test_a_case_says_its_title_and_where_its_numbers_come_from(name: str) -> None:
    case = ALL[name]
    assert case["title"]
    assert case["source"]
    assert case.get("lang", "en") in ("en", "zh")


@every_case
def test_rows_are_even_and_shapes_fit_together(name: str) -> None:
    case = ALL[name]
    tables = [*case.get("given", {}).values(), *(stated["values"] for stated in case.get("stated", []))]
    assert all(len(row) == len(table[0]) for table in tables for row in table)
    sizes = shapes(case)
    columns = case.get("attention", {}).get("tokens_as") == "columns"
    queries, keys = turned(sizes["PE"] if "PE" in sizes else sizes["A"], columns)
    if "tokens" in case:
        assert len(case["tokens"]) == queries
    if "PE" not in sizes and ("memory_tokens" in case or queries != keys):
        assert len(case["memory_tokens"]) == keys


@every_case
def test_every_given_entry_reads_as_an_exact_expression(name: str) -> None:
    case = ALL[name]
    names = {label: symbol(label) for label in case.get("symbols", [])}
    used = {str(entry) for table in case.get("given", {}).values() for row in table for entry in row}
    assert all(isinstance(read(entry, names), Exact) for entry in used)
    assert set(names) <= used, "a symbol is declared and not used"


@every_case
def test_every_stated_table_lies_within_its_quantity(name: str) -> None:
    case = ALL[name]
    sizes = shapes(case)
    for quantity, i, j, key in dict(figures(case)):
        rows, columns = sizes[quantity]
        assert i < rows
        assert j < columns
        assert (key is not None) == quantity.endswith(".term")
        assert key is None or key < sizes["A"][1]


@every_case
def test_stated_figures_are_plain_numerals_in_the_order_of_the_source(name: str) -> None:
    stated = ALL[name].get("stated", [])
    typed = [str(entry) for table in stated for row in table["values"] for entry in row]
    assert all(PLAIN_NUMERAL.fullmatch(entry) for entry in typed)
    lines = [table["line"] for table in stated if "line" in table]
    assert lines == sorted(lines)
    assert name in OURS or len(lines) == len(stated)


@every_case
def test_the_reader_keeps_every_given_and_every_figure_as_typed(name: str) -> None:
    case, wanted = read_case(CASES / f"{name}.toml"), ALL[name]
    assert case.title == wanted["title"]
    assert {name: [list(row) for row in given.typed] for name, given in case.given.items()} == {
        name: [[str(entry) for entry in row] for row in table]
        for name, table in wanted.get("given", {}).items()
    }
    assert [(claim.name, [list(row) for row in claim.values], claim.line) for claim in case.stated] == [
        (stated["name"], [[str(entry) for entry in row] for row in stated["values"]], stated.get("line"))
        for stated in wanted.get("stated", [])
    ]
    assert len(case.statements) == len(wanted.get("statement", []))


@pytest.mark.parametrize("name", FIGURES)
def test_no_figure_of_a_source_is_lost_or_changed(name: str) -> None:
    printed = [value for _, value in figures(ALL[name])]
    count, total = FIGURES[name]
    assert (len(printed), sum(printed)) == (count, Fraction(total))


@pytest.mark.parametrize("name", FIGURES)
def test_a_number_printed_again_is_the_same_number(name: str) -> None:
    first: dict[tuple[str, int, int, int | None], Fraction] = {}
    for place, value in figures(ALL[name]):
        assert first.setdefault(place, value) == value


def test_typed_decimals_keep_their_last_zero() -> None:
    assert "1.00" in [str(v) for s in ALL["thinking_machines"]["stated"] for row in s["values"] for v in row]


@pytest.mark.parametrize("name", ["thinking_machines", "thinking_machines_unscaled"])
def test_the_worked_products_of_the_honest_example_are_right(name: str) -> None:
    """Where a working has no exponential, the number beside it is its value, rounded."""
    for stated in ALL[name]["stated"]:
        if "work" in stated and not re.search("[a-z]", stated["work"]):
            ((typed,),) = stated["values"]
            unit = Fraction(1, 10 ** len(str(typed).partition(".")[2]))
            assert abs(result(stated["work"]) - figure(typed)) <= unit  # 3/1.414 has hidden digits


@pytest.mark.parametrize("weights", ["W_Q", "W_K", "W_V"])
def test_the_weights_read_from_the_flattened_print_give_the_printed_projections(weights: str) -> None:
    case = ALL["thinking_machines"]
    printed = {place[1:3]: value for place, value in figures(case) if place[0] == weights[-1]}
    computed = product(case["given"]["X"], case["given"][weights])
    assert printed == {(i, j): x for i, row in enumerate(computed) for j, x in enumerate(row)}


def test_only_one_of_the_36_projected_numbers_of_wo_ai_mao_is_right() -> None:
    case = ALL["wo_ai_mao"]
    printed = dict(figures(case))
    right = [
        (name, i, j)
        for name in "QKV"
        for i, row in enumerate(product(case["given"]["X"], case["given"][f"W_{name}"]))
        for j, value in enumerate(row)
        if printed[name, i, j, None] == value
    ]
    assert right == [("V", 0, 0)]


def test_three_workings_of_the_saturated_example_do_not_give_the_number_beside_them() -> None:
    wrong = {
        (stated["name"], stated["row"], stated["col"]): result(stated["work"])
        for stated in ALL["softmax_saturation"]["stated"]
        if "work" in stated and "exp" not in stated["work"]
        if result(stated["work"]) != figure(stated["values"][0][0])
    }
    assert wrong == {("V", 0, 1): 3, ("scores", 0, 0): 75, ("scores", 1, 0): 171}


@every_case
def test_statements_name_known_kinds_rows_and_labels(name: str) -> None:
    case = ALL[name]
    labels: list[Any] = case["memory_tokens"] if "memory_tokens" in case else case.get("tokens", [])
    sizes = shapes(case)
    for said in case.get("statement", []):
        picked: list[Any] = said.get("value", [])
        match said["kind"]:
            case "argmax":
                assert picked in labels
            case "order":
                assert set(picked) <= set(labels)
                assert len(set(picked)) == len(picked) > 1
            case "shape":
                assert len(picked) == 2
            case "equal-rows":
                assert all(row < sizes[said["name"]][0] for row in picked)
            case kind:
                assert kind == "sums-to-one"
        rows, columns = sizes.get(said["name"], (1, 1))
        assert said.get("row", 0) < rows
        assert said.get("col", 0) < columns
        assert name in OURS or said["line"] > 0


def test_workings_stand_beside_single_numbers() -> None:
    for case in ALL.values():
        assert all(extent(s["values"]) == (1, 1) for s in case.get("stated", []) if "work" in s)
