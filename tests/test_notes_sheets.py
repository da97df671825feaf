"""Tables in the markups that people write them in: the same table, with the same numbers read out of it."""

from __future__ import annotations

import pytest

from symattn.reading.kinds import Kind
from symattn.reading.notes import read_notes
from symattn.reading.notes.layout.sheets import sheets
from tests.linked import ATTENDED, accused, given, linked

GIVEN = "X = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [3, 4]]\n\n"
HEADS_AND_ROWS = [["", "d1", "d2"], ["cat", "1", "2"], ["sat", "3", "4"]]
TABLES = {
    "Markdown": "| | d1 | d2 |\n|---|---|---|\n| cat | 1 | 2 |\n| sat | 3 | 4 |\n",
    "Org": "| | d1 | d2 |\n|---+---+---|\n| cat | 1 | 2 |\n| sat | 3 | 4 |\n",
    "framed": "+---+--+--+\n| | d1 | d2 |\n+---+--+--+\n| cat | 1 | 2 |\n| sat | 3 | 4 |\n+---+--+--+\n",
    "AsciiDoc": "|===\n| | d1 | d2\n\n| cat | 1 | 2\n| sat | 3 | 4\n|===\n",
    "wiki": '{| class="wikitable"\n|-\n! !! d1 !! d2\n|-\n! cat\n| 1 || 2\n|-\n! sat\n| 3 || 4\n|}\n',
    "HTML": (
        "<table>\n<tr><th></th><th>d1</th><th>d2</th></tr>\n"
        '<tr>\n<th>cat</th>\n<td align="right">1</td><td>2</td></tr>\n'
        "<tr><th>sat</th><td>3</td><td>4</td></tr>\n</table>\n"
    ),
    "LaTeX": (
        "\\begin{tabular}{lrr}\n\\toprule\n & d1 & d2 \\\\\n\\midrule\ncat & 1 & 2 \\\\\nsat & 3 & 4\n"
        "\\end{tabular}\n"
    ),
    "reStructuredText": "===  ==  ==\n     d1  d2\n===  ==  ==\ncat  1   2\nsat  3   4\n===  ==  ==\n",
    "tabs": "\td1\td2\ncat\t1\t2\nsat\t3\t4\n",
    "commas": ",d1,d2\ncat,1,2\nsat,3,4\n",
    "open": "    | d1 | d2\n----|----|---\ncat | 1  | 2\nsat | 3  | 4\n",
    "open and drawn": "    │ d1 │ d2\n────┼────┼───\ncat │ 1  │ 2\nsat │ 3  │ 4\n",
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_has_its_heads_and_its_rows_in_every_markup(table: str) -> None:
    text = "Above.\n\n" + table + "\nBelow.\n"
    (sheet,) = sheets(text)
    assert [[text[a:b].strip() for a, b in row] for row in (sheet.header, *sheet.body)] == HEADS_AND_ROWS


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_its_numbers_are_those_of_what_stands_above_it(table: str) -> None:
    kind: Kind = "latex" if "tabular" in table else "markdown"
    (case,) = read_notes(f"{GIVEN}Queries Q\n\n{table}", "a", kind).cases
    assert [(claim.name, claim.values) for claim in case.stated] == [("Q", (("1", "2"), ("3", "4")))]


def test_a_caption_inside_a_table_is_what_stands_above_it() -> None:
    table = TABLES["HTML"].replace("<table>\n", "<table>\n<caption>Queries</caption>\n")
    (case,) = read_notes(GIVEN + table, "a").cases
    assert [claim.name for claim in case.stated] == ["Q"]


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n| 1 | 2 |\n",
        "One, two,\nthree, 4\nfive, 6\n",
        "{| class\n! a\n",
        "<table><tr><td>1</td>",
        "|===\n| a | b\n",
        "\\begin{tabular}{ll} a & b \\\\",
        "=== ===\na b\n",
    ],
)
def test_what_is_not_whole_is_no_table(text: str) -> None:
    assert list(sheets(text)) == []


def test_a_table_may_stand_in_a_block_quote() -> None:
    quoted = "".join(f"> {line}\n" for line in ("**Q**:", "", *TABLES["Markdown"].splitlines()))
    (case,) = read_notes(GIVEN + quoted).cases
    assert [(claim.name, claim.values) for claim in case.stated] == [("Q", (("1", "2"), ("3", "4")))]


def test_rows_that_begin_with_a_product_are_its_entries() -> None:
    text = (
        "Q = [[1, 0], [0, 1]]\n\nK = [[2, 0], [0, 4]]\n\n"
        "| pair | dot product |\n|---|---|\n| q_1 · k_1 | 2 |\n| q_2 · k_2 | 4 |\n"
    )
    (case,) = read_notes(text).cases
    assert [(claim.name, claim.row, claim.col) for claim in case.stated] == [
        ("scores", 0, 0),
        ("scores", 1, 1),
    ]


@pytest.mark.parametrize("mark", ["Σ", "sum", "合计"])
def test_the_totals_of_a_table_are_checked_and_no_entries(mark: str) -> None:
    text = f"### Weights\n\n| | a | b | {mark} |\n|---|---|---|---|\n"
    text += "| a | 0.67 | 0.33 | 1.00 |\n| b | 0.2 | 0.8 | 1.1 |\n"
    found = read_notes(ATTENDED + text)
    assert [claim.values for claim in found.cases[0].stated] == [(("0.67", "0.33"), ("0.2", "0.8"))]
    assert [equation.printed for equation in found.equations] == ["1.00", "1.1"]


@pytest.mark.parametrize("head", ["缩放 /√2", "Scaled √2", "÷√2", "QK^T /√2"])
def test_a_head_with_a_root_says_that_the_table_is_scaled(head: str) -> None:
    text = "Q\td1\td2\na\t1\t0\nb\t0\t1\n\nK\td1\td2\na\t1\t0\nb\t1\t1\n\n"
    text += f"{head}\ta\tb\na\t0.71\t0.71\nb\t0.00\t0.71\n"
    assert linked(text, "text") == [("scaled", 0, (("0.71", "0.71"), ("0.00", "0.71")))]


def test_the_word_for_a_total_may_stand_in_the_second_column() -> None:
    text = "q = [1, 0], K = [[1, 2], [0, 1]], do not scale.\n\nRow 1:\n\n"
    text += "| # | key | score | exp |\n|---|---|---|---|\n"
    text += "| 1 | a | 1 | 2.718 |\n| 2 | b | 0 | 1.000 |\n|  | total |  | 3.718 |\n"
    found = read_notes(text)
    assert ("sum", 0, 0) in [(claim.name, claim.row, claim.col) for claim in found.cases[0].stated]


def test_a_table_of_asciidoc_whose_first_row_holds_numbers_has_no_heads() -> None:
    text = "|===\n| cat | 1 | 2\n| sat | 3 | 4\n|===\n"
    (sheet,) = sheets(text)
    assert [[text[a:b].strip() for a, b in row] for row in (sheet.header, *sheet.body)] == [
        ["", "", ""],
        ["cat", "1", "2"],
        ["sat", "3", "4"],
    ]


def test_rows_of_values_between_pipes_need_no_rule_to_be_a_matrix() -> None:
    text = "#+RESULTS: Q\n| 1 | 2 |\n| 3 | 4 |\n"
    assert linked(GIVEN + text) == [("Q", 0, (("1", "2"), ("3", "4")))]


def test_columns_of_components_are_vectors_and_the_head_of_labels_is_none() -> None:
    text = (
        "| key of | q_1 | q_2 | k_1 | k_2 | out[0] | out[1] |\n|---|---|---|---|---|---|---|\n"
        "| cat | 1 | 0 | 1 | 0 | 2 | 1 |\n| sat | 0 | 2 | 0 | 1 | 0 | 3 |\n\nScores Q Kᵀ = [[1, 0], [0, 2]]\n"
    )
    assert (given(text, "Q"), given(text, "K")) == ((("1", "0"), ("0", "2")), (("1", "0"), ("0", "1")))
    turned = text.replace("cat", "dim 1").replace("sat", "dim 2")
    assert [case.given.keys() & {"Q", "K"} for case in read_notes(turned).cases] in ([], [set()])


def test_heads_in_braces_of_their_own_are_what_stands_in_these() -> None:
    """As columns of siunitx want them, which else would take a letter for a number."""
    text = (
        "\\begin{tabular}{lSSSS}\n\\toprule\nToken & {$q_1$} & {$q_2$} & {$k_1$} & {$k_2$} \\\\\n\\midrule\n"
        "cat & 1 & 0 & 1 & 0 \\\\\nsat & 0 & 2 & 0 & 1 \\\\\n\\bottomrule\n\\end{tabular}\n\n"
        "$QK^T = \\begin{bmatrix} 1 & 0 \\\\ 0 & 2 \\end{bmatrix}$\n"
    )
    (case,) = read_notes(text, "a", "latex").cases
    assert case.given["Q"].typed == (("1", "0"), ("0", "2"))
    assert case.given["K"].typed == (("1", "0"), ("0", "1"))


NODES = """\
\\begin{{tikzpicture}}
  \\matrix ({name}) [matrix of math nodes, left delimiter={{[}}, right delimiter={{]}}{label}] {{
    1 & 2 \\\\
    3 & {last} \\\\
  }};
\\end{{tikzpicture}}
"""


@pytest.mark.parametrize(("name", "label"), [("m", ", label=above:{$Q$}"), ("Q", "")])
def test_a_matrix_of_nodes_is_what_its_label_says_or_its_name(name: str, label: str) -> None:
    text = f"{GIVEN}{NODES.format(name=name, label=label, last='4')}"
    assert [(each, rows) for each, _, rows in linked(text)] == [("Q", (("1", "2"), ("3", "4")))]


def test_a_matrix_of_nodes_with_more_than_numbers_in_it_is_no_table() -> None:
    assert not [*sheets(NODES.format(name="Q", label="", last="|[fill=red]| 4"))]


def test_a_list_of_lists_is_a_table() -> None:
    text = (
        f"{ATTENDED}\n.. list-table:: Raw scores\n   :header-rows: 1\n   :stub-columns: 1\n\n"
        "   * -\n     - cat\n     - sat\n   * - cat\n     - 1\n     - 0\n"
        "   * - sat\n     - 0\n     - 2\n\nNext.\n"
    )
    assert ("scores", 0, (("1", "0"), ("0", "2"))) in linked(text)


def test_tables_within_a_table_are_those_that_are_read() -> None:
    inner = "<table><tr><td>{}</td><td>{}</td></tr>\n<tr><td>{}</td><td>{}</td></tr></table>"
    inner = inner.format(1, 0, 0, 2)
    text = f"{ATTENDED}\n<table><tr><td>\n\n**Scores**\n\n{inner}\n\n</td></tr></table>\n"
    assert ("scores", 0, (("1", "0"), ("0", "2"))) in linked(text)


def test_rows_of_a_table_of_temperatures_are_of_none_of_the_walk() -> None:
    text = f"{ATTENDED}\n| τ | α_1 | α_2 |\n|---|---|---|\n| 0.5 | 0.88 | 0.12 |\n| 1 | 0.73 | 0.27 |\n"
    assert all(name != "A" for name, *_ in linked(text))


def test_the_statistics_of_a_row_are_not_of_the_list_in_the_row_above() -> None:
    rows = "| 1 | 2.0 | [-1.0, 1.0, 0.1] |\n| 2 | 0.9 | [1.2, -1.2, 0.3] |\n"
    assert accused(f"| token | mean | normalised |\n|---|---|---|\n{rows}") == []
