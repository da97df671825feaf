"""What an audit says for people: messages, text, Markdown, the annotated derivation."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction

import pytest
from msgspec.structs import replace
from reports import report

from symattn.attention.case import Place
from symattn.auditor.findings.codes import Finding
from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.document import document, printed_grid
from symattn.auditor.formats.groups import Group, steps
from symattn.auditor.formats.items import Options, count_failing
from symattn.auditor.formats.table import NAMES
from symattn.auditor.messages import message
from symattn.auditor.numeral import read_numeral
from symattn.auditor.report import Judgement, Printed, Report, Unread
from symattn.exact.number import Exact
from symattn.text.bilingual import Bilingual
from symattn.text.document import Display, Document
from symattn.text.notation import Chain, Dots, Grid, Marked, Number
from symattn.typeset.html import html
from symattn.typeset.latex import latex
from tests.audit_cases import Rows, judged, stated
from tests.audit_written import written

# messages

TEXTS = [name for name in NAMES if name != "pdf"]


def test_a_slip_is_told_with_the_right_value_its_size_and_its_cause() -> None:
    (slip, *_) = report().findings()
    assert message(report(), slip, "en") == (
        "scores, row 1, column 1: printed 19, the right value is 17, off by 2; "
        "you have multiplied Q by K instead of K^T"
    )
    assert message(report(), slip, "zh") == (
        "scores 第 1 行第 1 列：原文为 19，正确值是 17，相差 2；这里用 K 代替了 K^T"
    )


def test_a_carried_number_names_the_slip_that_it_goes_back_to() -> None:
    carried = report().judgements[4]
    assert message(report(), carried, "en") == (
        "scaled, row 1, column 1: 13.44 follows from the numbers before it, but those go back to "
        "scores, row 1, column 1 (19, line 10); the right value is 12.02 (exactly 17*sqrt(2)/2), "
        "off by 1.42"
    )


@pytest.mark.parametrize("form", TEXTS)
def test_a_cause_in_a_step_that_is_not_printed_is_named_where_its_numbers_are(form: str) -> None:
    # scores 5 3 | 3 2, divided by 2: the weights of 1 and of 0.5 more; the scaled scores are not printed
    rows: dict[str, Rows] = {
        "X": [["1", "0", "1", "2"], ["0", "1", "1", "1"]],
        "W_Q": [["1", "0"], ["0", "1"], ["1", "1"], ["0", "0"]],
        "W_K": [["1", "1"], ["0", "1"], ["1", "0"], ["0", "0"]],
    }
    found = judged(rows, stated("A", [["0.731", "0.269"], ["0.622", "0.378"]]), scale="1/sqrt(d_k)")
    assert "divided by d" in written(form, [found])


def test_a_copy_says_where_it_was_printed_before() -> None:
    assert message(report(), report().judgements[8], "en").endswith("(printed before on line 10)")


def test_no_message_has_a_value_left_open() -> None:
    languages: tuple[Lang, ...] = ("en", "zh")
    for lang in languages:
        for finding in report(lang).findings():
            said = message(report(lang), finding, lang)
            assert "…" not in said
            assert not re.search(r"[{}]", said)


# text and Markdown


def test_the_text_groups_by_step_and_sets_the_printed_beside_the_right_value() -> None:
    lines = written("text", width=200).splitlines()
    assert lines[0] == "notes/cat.toml: 猫 & <cat>"
    slip = next(line for line in lines if "SA202" in line)
    assert slip.split()[:10] == ["10,", "16", "row", "1,", "column", "1", "19", "17", "2", "SA202"]
    assert slip.split()[-1] == "1"
    assert (
        "  • ✗ Cause: you have multiplied Q by K instead of K^T (in the whole matrix; explains 4 numbers)."
        in lines
    )
    assert "± intermediate rounding `SA101`: 2.00 (row 1, column 1; exact 2.01)" in lines
    assert lines[-1] == (
        "10 printed numbers: 1 right, 1 off by rounding only, 5 slips, 1 carried forward, 1 undecided, "
        "1 false statement, 1 without a verdict."
    )


def test_the_chinese_text_aligns_its_columns_by_display_width() -> None:
    from symattn.typeset.cjk import display_width

    lines = written("text", [report("zh")]).splitlines()
    assert lines[-1].endswith("连带错误 1，未判定 1，陈述有误 1，无结论 1。")
    slips = [line for line in lines if "SA202" in line]
    assert len({display_width(line[: line.index("SA202")]) for line in slips}) == 1


def test_colour_only_when_asked() -> None:
    assert "\x1b" not in written("text")
    assert "\x1b[31m" in written("text", colour=True)


def test_an_exact_tie_is_noted_and_is_no_finding() -> None:
    tie = Judgement(
        Printed(0, "V", 1, 1, read_numeral("0.3")),
        "correct",
        None,
        Exact.of(Fraction(1, 4)),
        "0.3",
        note="tie",
    )
    tied = Report(report().case, report().derivation, (tie,))
    assert "✓ an exact tie `SA105`: 0.3 (row 2, column 2; exact 0.25)" in written("text", [tied])
    assert list(tied.findings()) == []


def test_a_number_printed_again_is_one_row_of_the_list() -> None:
    (scores,) = [step for step in steps(report()) if step.name == "scores"]
    assert [len(group.copies) for group in scores.groups] == [1, 0, 0, 0]
    assert scores.groups[0].lines(of_source=False) == (10, 16)
    assert Group(scores.groups[0].first, scores.groups[0].copies * 2).lines(of_source=False) == (10, 16)


def test_markdown_escapes_what_the_source_says() -> None:
    page = written("markdown")
    assert page.startswith("# notes/cat.toml: 猫 &amp; &lt;cat&gt;\n")
    assert "| scaled | 1 of 1 follows from scores |" in page


def test_what_follows_from_a_slip_stands_with_the_slip() -> None:
    page = written("text", width=200)
    assert "SA301" not in page
    assert "↪ 1 number follows from this: scaled 1." in page
    alone = written("text", width=200, ignore=("SA2",))
    assert "SA301  ↪ from scores, row 1, column 1 (19, line 10)" in alone


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_an_audit_begins_with_what_was_read_and_what_became_of_each_quantity(form: str) -> None:
    page = written(form)
    parts = ("Read: Q (2", "softmax to the base", "4 of 4 wrong", "multiplied Q by K")
    assert sorted(map(page.index, parts)) == [page.index(part) for part in parts]


def test_the_digest_is_in_the_language_of_the_report_and_calls_no_suppressed_number_right() -> None:
    page = written("markdown", [report("zh")])
    assert "| scores | 4 个中 4 个有误 |" in page
    assert "| V | 正确 |" in page
    (right,) = (one for one in report("zh").judgements if one.printed.name == "V")
    hidden = replace(right, verdict="slip", code=None, suppressed="quoted")
    quiet = replace(report("zh"), judgements=(*report("zh").judgements[:4], hidden))
    assert "正确 |" not in written("markdown", [quiet]).partition("scores，得分")[0].partition("scores")[2]


def test_numerals_that_are_unread_for_one_reason_are_one_line_with_its_range() -> None:
    why = Bilingual("no computation", "没有计算")
    found = tuple(
        Unread(text, Finding.NO_SUCH_QUANTITY, why, place=Place(line, 1))
        for line, text in ((3, "0.5"), (4, "0.7"), (9, "0.9"))
    )
    unread = Report(report().case, report().derivation, (), unread=found, document=True)
    said = "have no verdict (0.5, 0.7, 0.9), each for this reason: no computation"
    assert f"notes/cat.toml:3-9: SA902 3 numbers {said}" in written("text", [unread])
    assert f"lines 3–9: 3 numbers {said} `SA902`" in written("markdown", [unread])


# the annotated derivation


def grids(page: Document) -> dict[str, Grid]:
    """The printed matrices of a page by the name before the equals sign."""
    found = {}
    for block in page.blocks:
        if isinstance(block, Display):
            (chain,) = block.lines
            assert isinstance(chain, Chain)
            _, value = chain.links[-1]
            assert isinstance(value, Grid)
            found[chain.first.name] = value  # type: ignore[union-attr]
    return found


def test_wrong_numbers_are_struck_out_with_the_right_ones_beside_them() -> None:
    drawn = grids(document(report()))
    assert drawn["scores"].rows == (
        (Marked(Number("19"), "slip", Number("17")), Marked(Number("22"), "slip", Number("23"))),
        (Marked(Number("43"), "slip", Number("39")), Marked(Number("50"), "slip", Number("53"))),
    )
    assert drawn["scores"].row_labels == ("猫", "<b>")


def test_a_carried_number_is_marked_and_a_right_one_is_quiet() -> None:
    drawn = grids(document(report()))
    assert drawn["scaled"].rows == ((Marked(Number("13.44"), "carried", Number("12.02")),),)
    assert drawn["V"].rows == ((Number("0.33"),),)
    assert drawn["V"].row_labels == ("<b>",)
    assert drawn["exp"].rows == ((Marked(Number("2.00"), "rounding", None),),)


def test_entries_that_were_not_printed_are_dots() -> None:
    (scores,) = [step for step in steps(report()) if step.name == "scores"]
    diagonal = {(0, 0): scores.groups[0], (1, 1): scores.groups[3]}
    assert printed_grid(report(), diagonal).rows[0][1] == Dots()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_typesets_in_latex_and_html(lang: str) -> None:
    page = document(report(lang))
    source, website = latex(page, standalone=True), html(page)
    assert r"\documentclass" in source
    assert "multiplied Q by K" in website or "用 K 代替了" in website
    assert "<cat>" not in website


def test_several_files_are_one_page_with_a_part_each() -> None:
    page = written("html", [report(), report("zh")])
    assert page.count("<h1 ") == 1
    assert '<h2 class="level-1">Audit: 猫 &amp; &lt;cat&gt;</h2>' in page
    assert '<h2 class="level-1">审校：猫 &amp; &lt;cat&gt;</h2>' in page


# choosing


@pytest.mark.parametrize(
    ("options", "failing"),
    [
        (Options(), 7),
        (Options(strict=True), 8),
        (Options(select=("SA1",)), 0),
        (Options(select=("SA1",), strict=True), 1),
        (Options(ignore=("SA2",)), 2),
    ],
)
def test_slips_fail_always_and_rounding_only_when_strict(options: Options, failing: int) -> None:
    assert count_failing(report(), options) == failing


@pytest.mark.parametrize("form", TEXTS)
def test_every_format_writes_a_report_without_findings(form: str) -> None:
    clean = Report(report().case, report().derivation, (report().judgements[5],))
    assert written(form, [clean]) or form == "github"


NOTEBOOK = """
import sys, symattn
assert not [name for name in sys.modules if name.startswith("symattn.")]
stated = "[[stated]]\\nname = 'scores'\\nvalues = [[17]]"
case = symattn.parse_case("given.Q = [[1]]\\ngiven.K = [[2]]\\n" + stated, "")
report = symattn.audit(case)
assert "symattn.auditor.formats.document" not in sys.modules
print(type(report) is symattn.Report, "17" in report._repr_html_())
"""


def test_a_report_shows_itself_in_a_notebook_though_its_page_is_imported_only_then() -> None:
    ran = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, timeout=60)
    assert (ran.stdout.split(), ran.stderr) == (["True", "True"], "")
