"""Fixes: what is written, in which notation, where nothing is, and that the fixed file audits clean."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.auditor.audit import audit
from symattn.auditor.fixing.edits import Edit, applied, in_notation
from symattn.auditor.fixing.rewriting import edits
from symattn.auditor.formats.items import Options
from symattn.casefile.case_file import parse_case
from symattn.cli.fixing import Fixed, Fixing, fixed

CASES = Path(__file__).parent.parent / "cases"
CHAIN = """\
[given]
X = [[1, 2], [3, 4]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 1], [0, 1]]

[[stated]]
name = "K"
values = [[1, 3], [3, 8]]

[[stated]]
name = "scores"
row = 1
col = 1
values = [[41]]
work = "3*3 + 4*8"
"""


def repaired(text: str, *, unsafe: bool = False) -> Fixed:
    """A case after its fixes."""
    return fixed(text, lambda said: (audit(parse_case(said)),), Fixing(unsafe), Options())


@pytest.mark.parametrize(
    ("right", "printed", "written"),
    [
        ("1.09", "1.14", "1.09"),
        ("0.66", ".67", ".66"),
        ("-0.42", "−0.41", "−0.42"),
        ("1.09", "１.１４", "１．０９"),
        ("31%", "２９８%", "３１%"),
        ("33%", "34\\%", "33\\%"),
        ("33%", "34 %", "33 %"),
        ("0.50", "+0.40", "+0.50"),
        ("0.00262", "2.61e-3", "2.62e-3"),
        ("0.00262", "2.61 \\times 10^{-3}", "2.62 \\times 10^{-3}"),
        ("-0.00262", "-2.61×10⁻³", "-2.62×10⁻³"),
        ("263412", "2.5*10^5", "2.6*10^5"),
        ("8.97e-5", "1.23e-04", "8.97e-05"),
        ("8.97e-5", "1.23×10⁻⁴", "8.97×10⁻⁵"),
        ("1.20e3", "1.23e-04", "1.20e+03"),
        ("1.20e3", "1.23e4", "1.20e3"),
        ("1234567.5", "1 234 568,5", "1 234 567,5"),
        ("-2000.0", "-2'001.0", "-2'000.0"),
        ("999.50", "1.000,50", "999,50"),
        ("2000", "1\\,999", "2\\,000"),
        ("0.125", "0.126", "0.125"),
        ("0.125", "0,126", "0,125"),
        ("0.42", "०.41", "०.४२"),
    ],
)
def test_a_fix_keeps_the_notation(right: str, printed: str, written: str) -> None:
    assert in_notation(right, printed) == written


@pytest.mark.parametrize(
    ("value", "printed", "written"),
    [
        ("0.0000897", "1.23e-04", "8.97e-05"),
        ("0.00009996", "1.23e-05", "1.00e-04"),
        ("exp(-9)", "2.3e-2", "1.2e-4"),
        ("0.00897", "0.12e-3", "8.97e-3"),  # the mantissa is none from 1 to 10
        ("0", "1.2e-3", "0.0e0"),
    ],
)
def test_a_mantissa_keeps_its_digits_where_the_power_of_ten_was_wrong(
    value: str, printed: str, written: str
) -> None:
    text = f'[given]\nX = [[1]]\nW_Q = [["{value}"]]\n[[stated]]\nname = "Q"\nvalues = [["{printed}"]]\n'
    assert f'[["{written}"]]' in repaired(text, unsafe=True).text


@pytest.mark.parametrize(
    ("text", "edit", "result"),
    [
        ("a = 1.14\r\nb = 2\r\n", Edit(1, 5, "1.14", "1.09"), "a = 1.09\r\nb = 2\r\n"),
        ("\ufeffQ = 1.14", Edit(1, 5, "1.14", "1.09"), "\ufeffQ = 1.09"),
        ('"1.14"', Edit(1, 1, "1.14", "1.09"), '"1.09"'),
        ("猫\u2028 −0.41", Edit(1, 4, "-0.41", "-0.42"), "猫\u2028 −0.42"),
        ("猫 −0.41", Edit(1, 4, "-0.41", "-0.42"), "猫 −0.42"),
        ("e^{-0.41}", Edit(1, 5, "-0.41", "0.42"), "e^{0.42}"),
        ("a = 1 234,5", Edit(1, 5, "1234.5", "1235.5"), "a = 1 235,5"),
    ],
)
def test_an_edit_leaves_every_other_character(text: str, edit: Edit, result: str) -> None:
    assert applied(text, [edit]) == (result, 1)


@pytest.mark.parametrize(
    "text",
    ["a = 1.145", "a = 1.15", "", "a = 11.14", "a =\n1.14"],
    ids=["longer", "other", "gone", "prefix", "line"],
)
def test_a_place_that_holds_something_else_is_left_alone(text: str) -> None:
    assert applied(text, [Edit(1, 5, "1.14", "1.09")]) == (text, 0)


def test_the_result_on_which_nothing_builds_is_a_safe_fix() -> None:
    text = CHAIN.replace("3, 8]", "3, 7]").replace("4*8", "4*7")
    assert repaired(text).text == text.replace("[[41]]", "[[37]]")


def test_a_result_beside_a_wrong_operand_is_not_a_safe_fix() -> None:
    text = CHAIN.replace("3, 8]", "3, 7]")
    assert [each.fix for each in audit(parse_case(text)).judgements] == [None, None, None, None, "unsafe"]
    assert repaired(text).text == text
    assert repaired(text, unsafe=True).text == text.replace("[[41]]", "[[37]]").replace("4*8", "4*7")


def test_what_others_build_on_is_fixed_only_with_the_whole_chain() -> None:
    assert repaired(CHAIN).text == CHAIN
    chain = CHAIN.replace("3, 8]", "3, 7]").replace("41", "37").replace("4*8", "4*7")
    assert repaired(CHAIN, unsafe=True) == Fixed(chain, 3, repaired(CHAIN, unsafe=True).reports)


def test_operands_are_tied_in_order_so_that_equal_numbers_are_told_apart() -> None:
    """K[1] = [3, 3] with its first entry wrong: of two operands 3 that print K, only the first changes."""
    text = """\
[given]
Q = [[3, 3]]
W_K = [[1, 0], [0, 1]]
X = [[2, 3]]
[[stated]]
name = "K"
values = [[3, 3]]
[[stated]]
name = "scores"
values = [[18]]
work = "3*3 + 3*3"
"""
    found = repaired(text, unsafe=True).text
    assert "values = [[2, 3]]" in found
    assert 'values = [[15]]\nwork = "3*2 + 3*3"' in found


def test_a_chain_in_a_working_keeps_the_sign_that_the_working_gives() -> None:
    text = CHAIN.replace("W_K = [[1, 1], [0, 1]]", "W_K = [[1, 1], [0, -1]]")
    text = text.replace("[[1, 3], [3, 8]]", "[[1, -1], [3, -2]]").replace("41", "1").replace("4*8", "4*-2")
    found = repaired(text, unsafe=True).text
    assert 'values = [[5]]\nwork = "3*3 + 4*-1"' in found


@pytest.mark.parametrize(
    ("w", "work", "written"),
    [
        ("-4", "2*3 - 1*5", "2*3 - 1*4"),
        ("4", "2*3 - 1*5", "2*3 - 1*-4"),
        ("4", "2*3 + 1*5", "2*3 + 1*4"),
    ],
)
def test_a_minus_that_belongs_to_the_working_is_kept(w: str, work: str, written: str) -> None:
    text = f"""\
[given]
Q = [[2, 1]]
X = [[1]]
W_K = [[3, {w}]]
[[stated]]
name = "K"
values = [[3, -5]]
[[stated]]
name = "scores"
values = [[1]]
work = "{work}"
"""
    assert repaired(text, unsafe=True).text.endswith(f'work = "{written}"\n')


def test_an_operand_with_the_right_sign_is_left_alone_where_the_print_lacks_it() -> None:
    text = CHAIN.replace("[3, 8]", "[3, -7]").replace("41", "37").replace("4*8", "4*7")
    assert repaired(text, unsafe=True).text == text.replace("-7", "7")


def test_an_operand_keeps_its_own_decimals() -> None:
    found = repaired(CHAIN.replace("4*8", "4*8.0"), unsafe=True).text
    assert found.endswith('work = "3*3 + 4*7.0"\n')


def test_only_chosen_findings_are_fixed() -> None:
    report = audit(parse_case(CHAIN))
    assert {edit.old for edit in edits([report], unsafe=True)} == {"8", "41"}
    assert edits([report], unsafe=True, chosen=lambda code: code.startswith("SA1")) == ()


LEFT = {
    "wo_ai_mao": set(),
    "softmax_saturation": set(),
    "thinking_machines": {"SA101"},
    "thinking_machines_unscaled": set(),
    "mao_zuozai_dianzi_shang": {"SA401"},
}
"""What no fix can mend: products that are not defined, and honest rounding."""


@pytest.mark.parametrize("name", LEFT)
def test_no_number_of_a_source_is_wrong_after_its_chains_are_recomputed(name: str) -> None:
    found = repaired((CASES / f"{name}.toml").read_text("utf-8"), unsafe=True)
    assert {finding.code for report in found.reports for finding in report.findings()} == LEFT[name]
    assert repaired(found.text, unsafe=True).numbers == 0


decimals = st.integers(-30, 30)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(decimals, min_size=8, max_size=8),
    st.lists(st.sampled_from([0, 0, 0, 1, -3, 20]), min_size=10, max_size=10),
)
def test_any_chain_with_any_slips_audits_clean_once_it_is_recomputed(
    entries: list[int], slips: list[int]
) -> None:
    """Q and K to one decimal, scores to two with their workings, from the wrong K where there is one."""
    x, w = entries[:4], entries[4:]
    product = [x[2 * i] * w[j] + x[2 * i + 1] * w[2 + j] for i in range(2) for j in range(2)]  # in hundredths
    k = [Fraction(round(Fraction(value, 10)) + slip, 10) for value, slip in zip(product, slips, strict=False)]
    q = [Fraction(value, 10) for value in x]
    lines = [
        "[given]",
        f"Q = {_matrix(q)}",
        f"X = {_matrix(q)}",
        f"W_K = {_matrix([Fraction(value, 10) for value in w])}",
        f'[[stated]]\nname = "K"\nvalues = {_matrix(k)}',
    ]
    for n, (i, j) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
        score = q[2 * i] * k[2 * j] + q[2 * i + 1] * k[2 * j + 1] + Fraction(slips[4 + n], 100)
        work = f"{_one(q[2 * i])}*{_one(k[2 * j])} + {_one(q[2 * i + 1])}*{_one(k[2 * j + 1])}"
        lines.append(
            f'[[stated]]\nname = "scores"\nrow = {i}\ncol = {j}\nvalues = [[{float(score):.2f}]]\n'
            f'work = "{work}"'
        )
    found = repaired("\n".join(lines), unsafe=True)
    assert [f.code for report in found.reports for f in report.findings() if str(f.code)[2] in "23"] == []


def _one(value: Fraction) -> str:
    return f"{float(value):.1f}"


def _matrix(values: list[Fraction]) -> str:
    a, b, c, d = map(_one, values)
    return f"[[{a}, {b}], [{c}, {d}]]"
