"""HTML on which every entry answers: what its file stores of each entry is what the computation says."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import command
import pytest
from test_typeset_html import Balance

import symattn
from symattn.casefile.case_file import parse_case
from symattn.exact.decimal import printed, significant
from symattn.exact.number import Exact, Infinite
from symattn.exact.substitution import free_symbols
from symattn.narrate.cut_off import cut_off
from symattn.narrate.example import used
from symattn.plans.kinds import Masking
from symattn.result import Worked, work
from symattn.text.notation import Power, Product, Quotient, Sum, Symbol
from symattn.typeset.answers import runs
from symattn.typeset.html import html
from symattn.typeset.slots import CLOSE, OPEN, template
from symattn.typeset.stored_digits import rounded, significantly

CASE = Path(__file__).parent.parent / "cases" / "thinking_machines.toml"
HEAD = '[given]\nX = [["1/3", 1], [2, "0.5"], [-1, 3]]\n'
WEIGHTS = "".join(f"{name} = [[1, -2], [0.25, 1]]\n" for name in ("W_Q", "W_K", "W_V"))
CASES = {
    "causal": HEAD + WEIGHTS + '[attention]\nmask = "causal"\n',
    "rotated": HEAD + WEIGHTS + '[attention]\npositions = "rope"\n',
    "layer": HEAD
    + WEIGHTS
    + 'W_1 = [[1, 0], [1, 1]]\nW_2 = [[1, 2], [0, 1]]\n[attention]\nlayer = "post-norm"\n',
    "columns": "[given]\nX = [[1, 0.5], [2, -1]]\n" + WEIGHTS + '[attention]\ntokens_as = "columns"\n',
    "typed": '[given]\nX = [["1.0", "0.50"]]\nW_Q = [[2], [1]]\nW_K = [[1], [0]]\nW_V = [[1], [0]]\n',
    "symbols": 'symbols = ["a", "b"]\n[given]\nQ = [["a", 1]]\nK = [[1, "b"], [0, 1]]\nV = [[1], [2]]\n',
}


def solved(case: str) -> Worked:
    return work(parse_case(CASES[case], "case.toml", folder="."))


def stored(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def places(text: str) -> Iterator[tuple[int, int]]:
    for run in text.split(";") if text else ():
        rows, cols = (
            range(int(first), int(last or first) + 1)
            for first, _, last in (part.partition("-") for part in run.split(","))
        )
        yield from ((i, j) for i in rows for j in cols)


def sources(tables: dict[str, Any], key: str, at: int) -> set[tuple[str, int, int]]:
    """What an entry is made of, definitions by what these are made of."""
    table, found = tables[key], set()
    for argument, text in zip(table["args"], table["from"][at].split("|"), strict=False):
        for i, j in places(text):
            found |= sources(tables, argument, j) if "names" in tables[argument] else {(argument, i, j)}
    return found


@pytest.mark.parametrize("case", CASES)
def test_every_entry_is_said_to_be_made_of_the_operands_of_its_operation(case: str) -> None:
    worked = solved(case)
    tables = stored(worked.html())["tables"]
    for line in worked.derivation:
        n, m = worked[line.name].shape
        for i in range(n):
            for j in range(m):
                said = sources(tables, line.name, i * m + j)
                if isinstance(line.op, Masking):
                    assert said == {(line.args[0], i, j), (f"{line.name}:M", i, j)}
                else:
                    operands = used(worked.derivation, line, i, j)
                    assert said == {(name, *place) for name, found in operands.items() for place in found}


@pytest.mark.parametrize("case", CASES)
def test_digits_of_the_file_round_to_those_of_the_exact_number(case: str) -> None:
    worked = solved(case)
    tables = stored(worked.html())["tables"]
    for name, matrix in worked.derivation.items():
        entries = [x for row in matrix.rows() for x in row]
        for x, digits in zip(entries, tables[name]["digits"], strict=True):
            if isinstance(x, Infinite) or (case == "symbols" and free_symbols(x)):
                assert digits == ""
                continue
            for count in range(13):
                text, exact = rounded(digits, count)
                assert exact == printed(x, count).exact
                if "e" not in text:
                    assert Fraction(text) == Fraction(printed(x, count).digits)


@pytest.mark.parametrize("case", ["causal", "rotated", "layer"])
def test_digits_of_the_file_round_to_significant_digits_of_the_exact_number(case: str) -> None:
    worked = solved(case)
    page = worked.html(significant=3)
    assert 'value="significant" checked' in page
    for name, table in stored(page)["tables"].items():
        entries = [x for row in worked[name].rows() for x in row] if name in worked.derivation else []
        for x, digits in zip(entries, table["digits"], strict=False):
            for count in range(1, 13 if digits else 1):
                text, exact = significantly(digits, count)
                assert not isinstance(x, Infinite)
                found = significant(x, count)
                assert (Fraction(text), "e" in text, exact) == (
                    Fraction(found.digits),
                    "e" in found.digits,
                    found.exact,
                )


@pytest.mark.parametrize("scale", [40, 10**4, 10**9, 10**11, 10**20])
def test_small_numbers_keep_significant_digits(scale: int) -> None:
    x = Exact.of(2) / Exact.of(7 * scale)
    for count in range(1, 13):
        assert significantly(cut_off(x, 13), count) == (significant(x, count).digits, False)


@pytest.mark.parametrize(
    ("digits", "count", "text"),
    [
        ("0.1234499999999…", 4, "0.1234"),  # rounded to twelve places first it would become 0.1235
        ("0.1234500000000…", 4, "0.1235"),
        ("-9.9996000000000…", 3, "-10.000"),
        ("0.5", 0, "1"),
        ("12345678901234567890.25", 1, "12345678901234567890.3"),
        ("0.00003125", 4, "3.13e-5"),
        ("9.9999999999999…e-14", 4, "1.00e-13"),
        ("0", 4, "0"),
    ],
)
def test_cut_digits_are_rounded_half_up_and_never_to_zeros(digits: str, count: int, text: str) -> None:
    assert rounded(digits, count)[0] == text


def test_digits_are_cut_off_and_not_rounded() -> None:
    assert cut_off(Exact.of(2) / Exact.of(3), 5) == "0.66666…"
    assert cut_off(Exact.of(-1) / Exact.of(8), 5) == "-0.125"
    assert cut_off(Exact.of(2) / Exact.of(3 * 10**15), 5) == "6.66666…e-16"
    assert cut_off(Exact.of(10**9 - 1) / Exact.of(10**9), 4) == "0.9999…"


def test_a_slot_says_which_operands_need_parentheses_in_it() -> None:
    a, b = Symbol("@0"), Symbol("@1")
    made = template(Sum((Product((a, b), "dot"), Product((a, b), "dot"))))
    assert made.products
    assert f"{OPEN}0-+{CLOSE}" in made.pieces[0]
    assert f"{OPEN}1-+*{CLOSE}" in made.pieces[1]
    assert template(Quotient(a, b)).pieces == (f"<mfrac>{OPEN}0{CLOSE}{OPEN}1{CLOSE}</mfrac>",)
    assert f"{OPEN}0-+/*^{CLOSE}" in template(Power(a, Symbol("n"))).pieces[0]


def test_places_in_a_row_or_column_are_stored_together_and_in_order() -> None:
    for found in ([(0, 0), (0, 1), (0, 2)], [(1, 1), (2, 1)], [(0, 0), (0, 0)], [(0, 1), (1, 1), (1, 2)], []):
        assert list(places(runs(tuple(found)))) == found
    assert runs(tuple((0, k) for k in range(64))) == "0,0-63"


def test_the_file_stands_without_its_script_and_runs_no_other() -> None:
    worked = solved("causal")
    page = worked.html()
    balance = Balance()
    balance.feed(page.partition("<!DOCTYPE html>")[2])
    script = page.rpartition("<script>")[2].partition("</script>")[0]
    assert f"script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in page
    assert not re.search(r'(src|href)="|https?://(?!www\.w3\.org/1998/Math)', page)
    assert page.count('<div class="workings"><div class="display worked"') == len(worked.derivation.plan)
    assert "Queries" in page
    assert "查询" in page


def test_a_static_page_is_the_document_and_nothing_else() -> None:
    worked = solved("causal")
    for options in ({}, {"lang": "zh", "digits": 2}):
        assert worked.html(static=True, **options) == html(worked.document(**options))
    assert worked.html(detail="entries") == html(worked.document(detail="entries"))
    assert "<script" not in worked.html(static=True)
    printed = command.symattn("derive", CASE, "--html", "--static").stdout
    assert printed == html(symattn.work(CASE).document())


def test_parts_of_one_notebook_share_no_id() -> None:
    part = symattn.work(CASES["causal"]).html(standalone=False)
    assert "<script>" in part
    assert not re.search(r'\sid="', part)


def test_workings_of_a_large_product_are_stored_once() -> None:
    rows = [[(7 * i + 5 * j) % 19 / 20 for j in range(20)] for i in range(20)]
    case = "[given]\n" + "".join(f"{name} = {rows}\n" for name in ("X", "W_Q", "W_K", "W_V"))
    page = work(parse_case(case, "case.toml", folder=".")).html()
    assert len(stored(page)["workings"]) <= 6
    assert len(page.encode()) < 700_000


def test_a_page_with_too_many_entries_is_static(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.result.MOST_ENTRIES", 20)
    assert "<script" not in solved("causal").html()


def test_static_is_refused_for_what_is_no_page_in_html() -> None:
    refused = command.symattn("derive", CASE, "--text", "--static")
    assert refused.returncode == 2
    assert "--html --static" in refused.stderr


@pytest.mark.parametrize("tokens_as", ["rows", "columns"])
def test_what_the_source_printed_wrongly_is_struck_out_next_to_the_right_value(tokens_as: str) -> None:
    printed = {"rows": "[[4, 4], [5, 2]]", "columns": "[[4, 5], [4, 2]]"}[tokens_as]
    x = {"rows": "[[1, 2], [3, 1]]", "columns": "[[1, 3], [2, 1]]"}[tokens_as]
    w_q = {"rows": "[[1, 0], [1, 2]]", "columns": "[[1, 1], [0, 2]]"}[tokens_as]
    case = f"[given]\nX = {x}\nW_Q = {w_q}\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]\n"
    case += f'[attention]\ntokens_as = "{tokens_as}"\n[[stated]]\nname = "Q"\nvalues = {printed}\n'
    page = work(parse_case(case, "case.toml", folder=".")).html()
    at = {"rows": ["0,0", "1,0"], "columns": ["0,0", "0,1"]}[tokens_as]
    assert stored(page)["tables"]["Q"]["misprints"] == {at[0]: "4", at[1]: "5"}
    assert re.search(rf'data-c="{at[0]}">(?:(?!</td>).)*<mn>3</mn>(?:(?!</td>).)*<del>4</del></td>', page)
