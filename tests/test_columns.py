"""Tokens as columns: every matrix transposed, Q = W_Q X, S = K^T Q, softmax down the columns, Z = V A."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from once import CASES, but_slow, work

from symattn.attention.case import Case, Claim, Given
from symattn.attention.recipes.attention import attention, values
from symattn.attention.recipes.columns import in_rows
from symattn.auditor.audit import audit
from symattn.auditor.findings.rule import Lang
from symattn.auditor.formats.document import document
from symattn.auditor.messages import message
from symattn.casefile.case_file import parse_case, read_case
from symattn.checks.proofs import prove_transposed
from symattn.exact.decimal import rounded_matrix
from symattn.exact.decision import equal
from symattn.plans.derive import derive
from symattn.plans.plan import Plan
from symattn.result import Worked
from symattn.text.bilingual import Bilingual
from symattn.text.document import Display
from symattn.text.errors import ShapeMismatch, SymattnError, UnusableValue
from symattn.text.notation import Chain, Grid

COLUMNS = """
tokens = ["the", "cat"]
[given]
X = [[1, 1], [1, 0], [0, 1]]
W_Q = [[1, 0, 1], [0, 1, 1]]
W_K = [[0, 1, 1], [1, 0, 1]]
W_V = [[1, 0, 1], [0, 1, 1], [1, 1, 0]]
b_Q = [1, 0]
[attention]
tokens_as = "columns"
scale = "1"
"""


FOLDER = Path(__file__).parent.parent / "cases"

SQUARE = """
tokens = ["the", "cat", "sat"]
[given]
X = [[1, 0, 2], [0, 1, 1]]
W_Q = [[1, 1], [0, 2]]
W_K = [[1, 0], [3, 1]]
W_V = [[2, 0], [0, 4]]
b_Q = [0, -1]
[attention]
tokens_as = "columns"
"""


def worked(text: str) -> Worked:
    return work(parse_case(text))


def entries(walk: Worked, name: str) -> list[list[str]]:
    from symattn.exact.plain import plain_table

    return plain_table(walk[name])


def with_slip(case: Case, name: str, code: str) -> Plan:
    """The plan of a case with one line's operation exchanged for a slip of its own."""
    plan = attention(case)
    (line,) = (line for line in plan if line.name == name)
    (slip,) = (slip for slip in line.op.slips() if slip.code == code)
    return tuple(replace(each, op=slip.instead) if each is line else each for each in plan)


def test_every_step_is_that_of_columns() -> None:
    walk = worked(COLUMNS)
    assert entries(walk, "Q") == [["2", "3"], ["1", "1"]]
    assert entries(walk, "scores") == [["3", "4"], ["4", "5"]]
    assert entries(walk, "sum") == [["exp(3) + exp(4)", "exp(4) + exp(5)"]]
    assert entries(walk, "A") == [
        ["1/(1 + exp(1))", "1/(1 + exp(1))"],
        ["1/(1 + exp(-1))", "1/(1 + exp(-1))"],
    ]
    assert walk["Z"].shape == (3, 2)


def test_the_formulas_are_those_of_columns() -> None:
    steps = {step["name"]: step["formula"] for step in worked(COLUMNS).data()["steps"]}
    assert steps == {
        "Q": "W_Q X + b_Q",
        "K": "W_K X",
        "V": "W_V X",
        "scores": "K^T Q",
        "scaled": "scores",
        "exp": "e^scaled",
        "sum": "sum_i exp",
        "A": "exp / sum",
        "Z": "V A",
    }


def test_what_is_proved_of_rows_is_proved_of_columns() -> None:
    found = [(fact.kind, fact.name, fact.rows, fact.columns) for fact in worked(COLUMNS).facts]
    assert ("sums-to-one", "A", (), (0, 1)) in found
    assert ("equal-columns", "A", (), (0, 1)) in found
    assert not any(kind == "equal-rows" for kind, *_ in found)


def test_the_cross_check_walks_columns_and_finds_exponentials_that_overflow() -> None:
    large = COLUMNS.replace('scale = "1"', 'scale = "900"')
    assert worked(COLUMNS).check.agrees
    assert worked(large).check.agrees


@pytest.mark.parametrize(
    ("change", "mistake", "said"),
    [
        (
            ('tokens_as = "columns"', 'tokens_as = "columns"\nweights = "right"'),
            UnusableValue,
            "(X W) with tokens",
        ),
        (
            ("W_Q = [[1, 0, 1], [0, 1, 1]]", "W_Q = [[1, 0], [0, 1], [1, 1]]"),
            ShapeMismatch,
            "W_Q X is undefined",
        ),
        (('scale = "1"', "heads = 3"), ShapeMismatch, "Q has 2 rows, which 3 heads cannot share"),
        (("b_Q = [1, 0]", "b_Q = [[1, 0]]"), ShapeMismatch, "a bias is one column, added to every column"),
        (("b_Q = [1, 0]", "b_Q = [1, 0, 2]"), ShapeMismatch, "the bias is 3×1"),
        (('"the", "cat"', '"the", "cat", "sat"'), ShapeMismatch, "3 labels, while X has 2 columns"),
    ],
)
def test_what_does_not_fit_is_said_of_columns(
    change: tuple[str, str], mistake: type[SymattnError], said: str
) -> None:
    with pytest.raises(mistake, match=re.escape(said)):
        worked(COLUMNS.replace(*change))


def test_the_walk_is_proved_to_be_the_transpose_of_that_on_rows() -> None:
    (proof,) = worked(COLUMNS).proofs
    assert (proof.name, proof.evaluation, proof.equal) == ("Z", "columns", True)
    assert "equals the transpose of the computation with tokens as rows" in worked(COLUMNS).markdown(
        lang="en"
    )


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("sum", "softmax-rows"),
        ("scores", "query-key-exchanged"),
        ("scores", "query-for-key"),
        ("Z", "weights-matrix-transposed"),
        ("Q", "bias-dropped"),
    ],
)
def test_a_wrong_walk_on_columns_is_refuted_with_a_witness(name: str, code: str) -> None:
    case = parse_case(SQUARE)
    refuted = prove_transposed(with_slip(case, name, code), attention(in_rows(case)), values(case), "Z")
    assert refuted.decided
    assert refuted.witness is not None
    assert equal(refuted.witness.left, refuted.witness.right) is False


@pytest.mark.parametrize(
    ("name", "code", "said", "zh"),
    [
        (
            "sum",
            "softmax-rows",
            "normalised along the rows instead of down the columns",
            "按行归一化，而不是按列",
        ),
        ("Q", "weights-transposed", "multiplied by W^T instead of W", "乘的是 W 的转置"),
        ("scores", "query-key-exchanged", "computed Q^T K instead of K^T Q", "把 K^T Q 算成了 Q^T K"),
        ("scores", "key-for-query", "used K for Q, K^T K", "把 Q 用成了 K"),
        ("Z", "values-reversed", "taken the columns of V in the wrong order", "V 的列顺序弄反了"),
    ],
)
def test_the_audit_names_the_slip_of_a_walk_on_columns(name: str, code: str, said: str, zh: str) -> None:
    case = parse_case(SQUARE)
    walk = derive(with_slip(case, name, code), values(case))
    stated = tuple(
        Claim(shown, tuple(tuple(entry.digits for entry in row) for row in rounded_matrix(walk[shown], 3)))
        for shown in ("Q", "K", "V", "scores", "A", "Z")
    )
    (cause,) = audit(replace(case, stated=stated)).causes
    assert (cause.slip, cause.because, cause.scope) == (code, Bilingual(said, zh), "matrix")


def test_a_slip_in_the_softmax_of_one_query_has_its_column_for_a_scope() -> None:
    case = parse_case(SQUARE)
    right, wrong = (
        derive(plan, values(case)) for plan in (attention(case), with_slip(case, "exp", "base-two"))
    )
    printed = [list(row) for row in rounded_matrix(right["A"], 3)]
    for key, row in enumerate(rounded_matrix(wrong["A"], 3)):
        printed[key][2] = row[2]
    stated = (Claim("A", tuple(tuple(entry.digits for entry in row) for row in printed)),)
    (cause,) = audit(replace(case, stated=stated)).causes
    assert (cause.slip, cause.scope) == ("base-two", "column")


STATEMENTS = """
[[statement]]
kind = "order"
name = "A"
col = 0
value = ["cat", "the", "sat"]
[[statement]]
kind = "sums-to-one"
name = "A"
[[statement]]
kind = "argmax"
name = "A"
col = 0
value = "sat"
[[statement]]
kind = "sums-to-one"
name = "A"
row = 1
[[statement]]
kind = "equal-columns"
name = "V"
value = [0, 1]
"""


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            [
                "A, column 1: the largest entry is cat, not sat",
                "A, row 2 does not sum to 1",
                "columns 1, 2 of V are not equal: in row 1, 2 ≠ 0",
            ],
        ),
        (
            "zh",
            [
                "A 第 1 列：最大的是 cat，而不是 sat",
                "A 第 2 行之和不为 1",
                "V 的第 1, 2 列并不相等：第 1 行 2 ≠ 0",
            ],
        ),
    ],
)
def test_statements_about_columns_are_decided_on_columns(lang: Lang, said: list[str]) -> None:
    report = audit(parse_case(SQUARE + STATEMENTS))
    assert [message(report, remark, lang) for remark in report.remarks] == said


def in_columns(case: Case) -> Case:
    """The same case with every matrix transposed and tokens as columns."""
    settings = case.settings
    mask = settings.mask.T if isinstance(settings.mask, Given) else settings.mask
    weights = "left" if settings.weights == "right" else settings.weights
    return replace(
        case,
        given={name: given.T for name, given in case.given.items()},
        settings=replace(settings, tokens_as="columns", weights=weights, mask=mask),
        stated=(),
        statements=(),
    )


ON_ROWS = [
    path
    for path in CASES
    if (settings := read_case(path).settings).tokens_as == "rows" and settings.weights != "left"
]


@pytest.mark.parametrize(
    "path", but_slow(ON_ROWS, "backward_layers", "stacked_pre_norm", "stacked_pre_norm_own")
)
def test_every_case_on_columns_is_confirmed_in_floats_and_transposes_every_step(path: Path) -> None:
    rows, columns = work(path), work(in_columns(work(path).case))
    assert in_rows(columns.case).given == rows.case.given
    assert columns.check.agrees
    assert {line.name: columns[line.name].shape for line in columns.derivation} == {
        line.name: rows[line.name].shape[::-1] for line in rows.derivation
    }
    for line in rows.derivation:
        n, m = rows[line.name].shape
        verdicts = {
            equal(rows[line.name][i, j], columns[line.name][j, i])
            for i in range(min(n, 2))
            for j in range(min(m, 2))
        }
        # entries that go by name need not be decided, but nothing may tell them apart
        assert verdicts <= ({True, None} if line.most_nodes is not None else {True})


def test_the_page_of_an_audit_labels_columns_with_tokens() -> None:
    stated = '[[stated]]\nname = "Q"\nvalues = [[1, 1, 3], [0, 5, 2]]\n'
    stated += '[[stated]]\nname = "sum"\nvalues = [[1, 1, 3]]\n'
    report = audit(parse_case(SQUARE.replace("b_Q = [0, -1]\n", "") + stated))
    grids = [
        link
        for block in document(report).blocks
        if isinstance(block, Display)
        for chain in block.lines
        if isinstance(chain, Chain)
        for _, link in chain.links
        if isinstance(link, Grid)
    ]
    assert [(grid.row_labels, grid.col_labels) for grid in grids] == [((), ("the", "cat", "sat"))] * 2
    (message_of_sum,) = (
        message(report, judged, "en")
        for judged in report.judgements
        if judged.printed.name == "sum" and judged.printed.col == 2
    )
    assert message_of_sum.startswith("sum, row 1, column 3")
