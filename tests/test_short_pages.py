"""Short pages: a first page, then each step with one entry worked out and what it uses marked."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from command import symattn
from once import work, work_text

from symattn.narrate.put_in import lands
from symattn.text.document import (
    Block,
    Bullets,
    Display,
    Document,
    Heatmap,
    Maths,
    PageBreak,
    Panel,
    Panels,
    Table,
)
from symattn.text.notation import Chain, Grid, Marked, Number, Product, Quotient, Sum, Symbol, parts
from symattn.typeset.bands import bands, flows, panel_width
from symattn.typeset.engines import ENGINES
from symattn.typeset.latex import latex
from symattn.typeset.pdf import pdf

CASES = Path(__file__).parent.parent / "cases"
SHORT = work(CASES / "thinking_machines.toml").document()


def panels(blocks: tuple[Block, ...]) -> Iterator[Panel]:
    """All panels of a page, those within others too."""
    for block in blocks:
        if isinstance(block, Panels):
            for panel in block.panels:
                yield panel
                yield from panels(panel.blocks)


def panel(document: Document, title: str) -> Panel:
    return next(each for each in panels(document.blocks) if title in "".join(map(str, each.title)))


def test_the_first_page_has_givens_result_weights_proofs_and_the_meaning_of_each_step() -> None:
    at = SHORT.blocks.index(PageBreak())
    first = list(panels(SHORT.blocks[:at]))
    titles = ["".join(word for word in each.title if isinstance(word, str)).strip() for each in first]
    assert titles == [
        "Givens",
        "Result",
        "Weights",
        "Proved and cross-checked",
        "The steps and their meaning",
    ]
    assert any(isinstance(block, Heatmap) for each in first for block in each.blocks)
    (steps,) = (block for block in first[-1].blocks if isinstance(block, Table))
    assert [row[3] for row in steps.rows] == [
        ("2×2",),
        ("2×2",),
        ("2×3",),
        ("2×2",),
        ("2×2",),
        ("2×2",),
        ("2×3",),
    ]


@pytest.mark.parametrize(
    "name", ["encoder_post_norm", "backward_heads", "latent_attention", "jacobian_keys", "backward_online"]
)
def test_each_step_has_a_meaning(name: str) -> None:
    page = work(CASES / "variants" / f"{name}.toml").document(lang="en")
    (steps,) = (block for block in panel(page, "their meaning").blocks if isinstance(block, Table))
    assert all(meaning for *_, meaning in steps.rows)


def test_the_meaning_of_a_gradient_names_what_the_loss_changes_with() -> None:
    page = work(CASES / "variants" / "backward.toml").document()
    (steps,) = (block for block in panel(page, "their meaning").blocks if isinstance(block, Table))
    said = {str(row[1][0]): row[4] for row in steps.rows}
    assert said["Gradient of the keys"] == ("How the loss changes with ", Maths(Symbol("K")), ".")
    assert said["Gradient of the inputs, through the keys"][:2] == ("A part of ", Maths(Symbol("dX")))


def test_a_step_has_one_worked_entry_with_two_terms_other_than_zero() -> None:
    worked = [block for block in panel(SHORT, "Queries").blocks if isinstance(block, Display)][1]
    assert worked.kind == "worked"
    (line,) = worked.lines
    assert "row=2, col=1" in str(line)


def test_the_numbers_that_the_worked_entry_uses_are_marked_with_their_place_in_the_result() -> None:
    (whole, _) = panel(SHORT, "Queries").blocks
    grids = [part for part in parts(whole) if isinstance(part, Grid)]
    marked = [
        {(i, j) for i, row in enumerate(grid.rows) for j, cell in enumerate(row) if isinstance(cell, Marked)}
        for grid in grids
    ]
    assert marked == [{(1, 0), (1, 1), (1, 2)}, {(0, 0), (1, 0), (2, 0)}, {(1, 0)}]


@pytest.mark.parametrize("name", ["thinking_machines", "wo_ai_mao", "two_heads", "variants/backward"])
def test_the_decimals_put_into_an_output_give_the_printed_last_digit(name: str) -> None:
    document = work(CASES / f"{name}.toml").document()
    found = 0
    for each in panels(document.blocks):
        for line in (line for block in each.blocks if isinstance(block, Display) for line in block.lines):
            if block_of_decimals(line) is not None:
                total, printed = block_of_decimals(line) or (Decimal(0), Decimal(0))
                found += 1
                assert abs(total - printed) < Decimal("0.00005"), str(line)
    assert found


def block_of_decimals(line: object) -> tuple[Decimal, Decimal] | None:
    """The sum of products of numerals in a chain `... ≈ a·b + c·d ≈ x`, and x."""
    if not isinstance(line, Chain) or len(line.links) < 2:
        return None
    (_, before), (sign, last) = line.links[-2:]
    if sign != "≈" or not isinstance(last, Number) or not isinstance(before, Sum):
        return None
    total = Decimal(0)
    for term in before.terms:
        if not isinstance(term, Product) or not all(isinstance(each, Number) for each in term.factors):
            return None
        product = Decimal(1)
        for factor in term.factors:
            assert isinstance(factor, Number)
            product *= Decimal(factor.digits)
        total += product
    return total, Decimal(last.digits)


def test_numbers_of_any_size_are_put_in_without_delay() -> None:
    assert lands(Sum((Product((Number("1.0000e-1000000000"), Number("2"))), Number("1"))), "1.0000")
    assert not lands(Product((Number("0.5"), Number("3"))), "1.6")


def test_narrow_steps_stand_side_by_side_in_latex() -> None:
    source = work(CASES / "thinking_machines.toml").latex()
    queries = source.index("Queries}{")
    band = source[queries : source.index("Scores}{")]
    assert band.count(r"\hfill") >= 2
    assert band.index("Keys}{") < band.index("Values}{")
    assert r"\addvspace" not in band[: band.index("Values}{")]


def test_a_result_stands_on_the_line_of_its_working_where_the_panel_has_room() -> None:
    worked = work(CASES / "variants" / "encoder_post_norm.toml")
    assert "S_{11} = 1 \\cdot 0 = 0" in worked.latex()
    assert "S_11 = 1 dot 0 = 0" in worked.typst()
    assert "dot 0 = frac(5, 4) = 1.25" in work(CASES / "variants" / "sparsemax.toml").typst()


def test_a_short_result_stays_on_the_line_of_its_working_in_three_columns() -> None:
    worked = work(CASES / "thinking_machines.toml")
    assert "Q_{21} = 1 \\cdot 1 + 0 \\cdot 0 + 1 \\cdot 1 = 2" in worked.latex()
    assert "Q_21 = 1 dot 1 + 0 dot 0 + 1 dot 1 = 2" in worked.typst()


def test_two_columns_are_taken_where_three_would_tear_a_short_result_off() -> None:
    worked = work(CASES / "variants" / "latent_attention.toml")
    assert '(K_"P")_11 = 1 dot 1 + 0 dot 0 + 1 dot 1 = 2' in worked.typst(lang="zh")


@pytest.mark.parametrize(("links", "a_band"), [(1, [2]), (3, [1, 1])])
def test_steps_that_are_lower_one_below_another_are_not_squeezed_side_by_side(
    links: int, a_band: list[int]
) -> None:
    matrix = Grid(((Number("1.4142"),) * 3,) * 4)
    worked = Display((Chain(Symbol("S"), (("=", matrix),) * links),), kind="worked")
    step = Panel(("Scores",), (worked,), level=2)
    assert [len(band) for band in bands(Panels((step, step)), 43.0)] == a_band


def test_a_long_list_goes_on_on_the_next_page_and_a_short_one_stays_whole() -> None:
    proved = ("Every row sums to exactly 1.",)
    short, long = (Panel(("Proved",), (Bullets((proved,) * count),)) for count in (4, 12))
    assert not flows([(short, 43.0)])
    assert flows([(long, 43.0)])


def test_what_flows_after_a_panel_on_the_next_page_begins_below_it(xelatex: Callable[[str], str]) -> None:
    row = ((Number("1"),),)
    high = Panel(("Givens",), (Display((Grid(row * 30),)),))
    list_ = Panel(("Proved",), (Bullets((("Every row sums to exactly 1.",),) * 12),))
    log = xelatex(
        latex(Document("", tuple(Panels((each,)) for each in (high, high, list_))), standalone=True)
    )
    assert "(2 pages" in log


def test_a_narrow_column_has_one_step_in_a_line() -> None:
    source = work(CASES / "thinking_machines.toml").latex(width=85)
    assert r"\addvspace" in source[source.index("Queries}{") : source.index("Keys}{")]


def test_the_table_says_of_scores_that_are_not_scaled_that_they_stay() -> None:
    text = "[given]\nscores = [[1, 2]]\nV = [[1], [2]]\n[attention]\nscale = "
    said = {scale: work_text(f"{text}'{scale}'\n").text(width=200) for scale in ("1", "1/2")}
    assert [scale for scale, page in said.items() if "Leaves the scores as they are." in page] == ["1"]


def test_a_table_of_many_steps_goes_on_on_the_next_page() -> None:
    worked = work(CASES / "two_heads.toml")
    title = "The steps and their meaning"
    source = worked.latex(standalone=True, lang="en")
    table = source[source.index(title) : source.index("One entry of each step")]
    # columns of a width that the head knows in the first run
    assert re.search(r"\\begin\{longtable\}\{(>\{[^}]*\}p\{[^}]*\})+\}\n", table)
    assert table.count(r"\\*") == 5  # two rows before a page break, and three after it
    source = worked.typst(lang="en")
    before = source[: source.index(title)]
    assert before.rindex("#panel(") > before.rindex("#block(breakable: false")
    short = work(CASES / "thinking_machines.toml").latex(standalone=True)
    assert "longtable" not in short


@pytest.mark.slow
def test_a_fragment_fits_the_columns_of_an_article(xelatex: Callable[[str], str]) -> None:
    fragment = work(CASES / "thinking_machines.toml").latex(width=85, only=("Q", "K", "scores", "A", "Z"))
    packages = "amsmath,array,booktabs,geometry,multicol,fancyhdr,longtable,amsthm"
    xelatex(
        rf"\documentclass[twocolumn,a4paper]{{article}}\PassOptionsToPackage{{hmargin=17mm}}{{geometry}}"
        rf"\usepackage{{{packages}}}\usepackage[table]{{xcolor}}\begin{{document}}{fragment}\end{{document}}"
    )


def test_heads_stand_side_by_side_and_layers_one_after_another() -> None:
    heads = work(CASES / "two_heads.toml").document().blocks
    assert any(
        isinstance(block, Panels) and [each.title[0] for each in block.panels] == ["4.2  ", "5.2  "]
        for block in heads
    )
    layers = work(CASES / "variants" / "two_layers.toml").document()
    numbers = [str(each.title[0]).strip() for each in panels(layers.blocks) if "." in str(each.title[:1])]
    assert numbers == sorted(numbers, key=lambda number: [*map(int, number.split("."))])


def test_gradients_of_heads_stand_side_by_side_with_long_formulas_below_their_titles() -> None:
    blocks = work(CASES / "variants" / "talking_heads.toml").document().blocks
    (pair,) = (
        block
        for block in blocks
        if isinstance(block, Panels) and [each.title[0] for each in block.panels] == ["14.1  ", "15.1  "]
    )
    (band,) = bands(pair, 43.0)
    for (headed, _), before in zip(band, pair.panels, strict=True):
        (formula,) = before.formula
        assert isinstance(formula, Maths)
        assert headed.formula == ()
        assert headed.blocks == (Display((formula.formula,)), *before.blocks)


def test_the_result_alone_has_no_steps_and_all_entries_have_all() -> None:
    worked = work(CASES / "thinking_machines.toml")
    result, entries = worked.text(detail="result"), worked.text(detail="entries")
    assert "Proved and cross-checked" in result
    assert "Q₂₁" not in result
    assert all(f"Q{index} =" in entries for index in ("₁₁", "₁₂", "₂₁", "₂₂"))


def test_detail_is_chosen_on_the_command_line_and_steps_all_is_another_name(tmp_path: Path) -> None:
    case = CASES / "thinking_machines.toml"
    everything = symattn("derive", case, "--detail", "entries").stdout
    assert symattn("derive", case, "--steps", "all").stdout == everything
    assert "Q₁₂" in everything
    assert "Q₁₂" not in symattn("derive", case).stdout


def test_narrow_steps_stand_side_by_side_in_typst() -> None:
    source = work(CASES / "thinking_machines.toml").typst()
    start = source.rindex("#block(", 0, source.rindex("Queries]"))
    band = source[start : source.rindex("Scores]")]
    assert "grid(columns: (" in band
    assert band.index("Keys]") < band.index("Values]")


@pytest.mark.slow
@pytest.mark.needs("xelatex")
@pytest.mark.parametrize("name", ["thinking_machines", "wo_ai_mao", "two_heads", "variants/backward"])
def test_both_engines_make_the_same_number_of_pages(name: str) -> None:
    document = work(CASES / f"{name}.toml").document()
    by_tex, by_typst = (pages_of(pdf(document, engine)) for engine in ENGINES)
    assert by_tex == by_typst


def test_pages_are_numbered_in_order() -> None:
    ran = subprocess.run(["pdftotext", "-", "-"], input=pdf(SHORT, "typst"), capture_output=True, check=True)
    ends = [page.split()[-1] for page in ran.stdout.decode().split("\f") if page.strip()]
    assert ends == [str(number) for number in range(1, len(ends) + 1)]


def pages_of(made: bytes) -> int:
    ran = subprocess.run(["pdfinfo", "-"], input=made, capture_output=True, check=True)
    return int(re.findall(rb"Pages: +([0-9]+)", ran.stdout)[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("thinking_machines", 2),
        ("wo_ai_mao", 3),
        ("biases", 2),
        ("variants/padded_batch", 2),
        ("two_heads", 4),
        ("variants/backward", 5),
        ("variants/latent_attention", 6),
        ("variants/kv_cache", 5),
        ("variants/talking_heads", 8),
    ],
)
def test_pages_are_as_many_as_they_should_be_and_no_line_is_too_wide(
    name: str, most: int, xelatex: Callable[[str], str]
) -> None:
    log = xelatex(work(CASES / f"{name}.toml").latex(standalone=True))
    found = re.search(r"Output written on .*?\((\d+) page", log)
    assert found is not None
    assert int(found[1]) <= most


def test_the_matrix_of_the_weights_is_beside_the_last_of_an_odd_number_of_rows() -> None:
    page = work(CASES / "wo_ai_mao.toml").document(lang="en")
    (weights,) = (each for each in panels(page.blocks) if each.title == ("6  ", "Weights"))
    (rows,) = weights.blocks
    assert isinstance(rows, Panels)
    assert [len(band) for band in bands(rows, 43.0)] == [2, 2]


def test_titles_side_by_side_are_on_one_line() -> None:
    source = work(CASES / "thinking_machines.toml").latex(lang="en")
    line = source[source.rindex(r"\noindent", 0, source.index("Queries}{")) : source.index("Values}{")]
    assert line.count("[t]") == 3
    assert r"\vspace{0pt}" not in line


def test_a_high_matrix_asks_for_the_width_of_its_brackets() -> None:
    low, high = (Grid(((Quotient(Number("1"), Number("2")),),) * rows) for rows in (1, 3))
    assert panel_width(high) > panel_width(low)
