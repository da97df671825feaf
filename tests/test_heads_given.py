"""Q, K and V given for each head apart are treated like those given side by side, in every step."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from symattn import result
from symattn.attention.case import Case, Claim, Given
from symattn.attention.quantities import QUANTITIES
from symattn.attention.recipes.scaling import scale as scale_of
from symattn.auditor.audit import audit
from symattn.auditor.ranges.roots import is_result
from symattn.casefile.case_file import parse_case
from symattn.exact.decision import equal
from symattn.exact.matrix import Matrix
from symattn.exact.number import Infinite
from symattn.narrate.export import conventions
from symattn.plans.ops.scale import Scale
from symattn.result import Worked
from symattn.text.bilingual import Bilingual
from symattn.text.errors import SymattnError

JOINED = """
[given]
Q = [[2, 1, 1, 2], [1, 2, 2, 1], [1, 1, 2, 1]]
K = [[1, 1, 2, 1], [2, 1, 1, 1], [1, 2, 1, 1]]
V = [[1, 1, 1, 2], [1, 3, 3, 3], [3, 3, 3, 4]]
W_O = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]]
"""
SHARED = (
    ("K = [[1, 1, 2, 1], [2, 1, 1, 1], [1, 2, 1, 1]]", "K = [[1, 1], [2, 1], [1, 2]]"),
    ("V = [[1, 1, 1, 2], [1, 3, 3, 3], [3, 3, 3, 4]]", "V = [[1, 1], [1, 3], [3, 3]]"),
)
SETTINGS = {
    "nothing": "",
    "a scale in d_k": 'scale = "1/d_k"',
    "a scale in n": 'scale = "1/n"',
    "a scale of its own": 'scale = "1/3"',
    "causal": 'mask = "causal"',
    "a mask": "mask = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]",
    "a window": "window_left = 1",
    "padding": "padding = [1, 0, 1]",
    "rope": 'positions = "rope"',
    "rope by halves": 'positions = "rope"\npairs = "half"\nangles = ["pi/3"]\nstart = 2',
    "alibi": 'positions = "alibi"',
    "slopes": 'positions = "alibi"\nslopes = ["1/2", "1/3"]',
    "relative": 'positions = "relative"\n[given]\nrelative = [1, 2, 0]',
    "sinks": "[given]\nsink = [1, 2]",
    "unit rows": 'qk_norm = "unit"',
    "a softcap": 'softcap = "5"',
    "a temperature": 'temperature = "2"',
    "a base": 'base = "2"',
    "a shift": 'shift = "max"',
    "relu": 'normaliser = "relu"',
    "sparsemax": 'normaliser = "sparsemax"',
    "sigmoid": 'normaliser = "sigmoid"',
    "two maps": '[given]\nlambda = "1/3"',
    "two maps and a norm": 'head_norm = "rms"\n[given]\nlambda = "1/3"',
    "linear": 'kernel = "relu"',
    "linear, causal": 'kernel = "relu"\nmask = "causal"\nevaluation = "linear"',
    "in blocks": 'evaluation = "online"\nblock = 2',
    "with a cache": 'evaluation = "cached"\nmask = "causal"',
    "jacobians": 'jacobians = "all"',
    "a gradient": "[given]\ndoutput = [[1, 0, 0, 0], [0, 1, 0, 2], [0, 0, 1, 0]]",
    "a loss": 'loss = "squared"\n[given]\ntarget = [[1, 0, 0, 0], [0, 1, 0, 2], [0, 0, 1, 0]]',
    "columns": 'tokens_as = "columns"\nmask = "causal"',
    "a group": "kv_heads = 1",
}


def _joined(settings: str) -> Case:
    """Two heads side by side, or with `kv_heads` two that share keys and values."""
    attention, _, more = settings.partition("[given]")
    text = JOINED if "kv_heads" not in settings else JOINED.replace(*SHARED[0]).replace(*SHARED[1])
    case = parse_case(f"{text}{more}\n[attention]\nheads = 2\n")
    own = parse_case(f"[given]\nQ = [[1]]\n[attention]\nheads = 2\n{attention}").settings
    if own.tokens_as == "columns":
        case = replace(case, given={name: given.T for name, given in case.given.items()})
    return replace(case, settings=own)


def _part(given: Given, start: int, stop: int) -> Given:
    return Given(tuple(row[start:stop] for row in given.typed), given.values.columns(start, stop))


def _apart(case: Case) -> Case:
    """The same case with Q, K and V cut up into those of each head."""
    columns = case.settings.tokens_as == "columns"
    projected = [quantity.name for quantity in QUANTITIES.projected]
    given = {name: matrix for name, matrix in case.given.items() if name not in projected}
    for name in projected:
        whole = case.given[name].T if columns else case.given[name]
        width = 2 if whole.shape[1] == 4 or case.settings.kv_heads else whole.shape[1] // 2
        for head in range(2):
            start = head * width % whole.shape[1]
            part = _part(whole, start, start + width)
            given[f"head{head + 1}.{name}"] = part.T if columns else part
    return replace(case, given=given, settings=replace(case.settings, kv_heads=None))


def _same(first: Matrix, second: Matrix) -> bool:
    return first.shape == second.shape and all(
        equal(a, b) is True
        for row, other in zip(first.rows(), second.rows(), strict=True)
        for a, b in zip(row, other, strict=True)
    )


def _steps(case: Worked) -> set[str]:
    return set(case.derivation.values)


def _said(made: Worked) -> str:
    """The conventions as the page lists them."""
    return made.text().partition("Conventions: ")[2].partition("\n\n")[0]


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_heads_given_apart_have_every_step_of_heads_given_side_by_side(settings: str) -> None:
    joined = _joined(settings)
    whole, parts = result.work(joined), result.work(_apart(joined))
    cut = {name for name in parts.derivation.given if name.startswith("head")}
    gradients = {"dQ", "dK", "dV"}
    assert _steps(whole) - cut - gradients == _steps(parts)
    assert {name for name in _steps(parts) if not _same(whole[name], parts[name])} == set()
    assert parts.check.agrees
    assert {proof.equal for proof in parts.proofs if proof.decided} <= {True}
    if joined.settings.kv_heads is None:
        assert conventions(parts.case) == conventions(joined)
        assert _said(parts) == _said(whole)


def test_heads_given_apart_are_what_the_formula_makes_of_them() -> None:
    """softmax(Q_h K_h^T / sqrt(d_k) + M) V_h with a causal mask, in NumPy."""
    case = _apart(_joined('mask = "causal"'))
    made = result.work(case)
    for head in (1, 2):
        q, k, v = (case.given[f"head{head}.{name}"].values for name in "QKV")
        q, k, v = (np.array([[float(x.to_sympy()) for x in row] for row in m.rows()]) for m in (q, k, v))
        scores = q @ k.T / np.sqrt(2)
        powers = np.tril(np.exp(scores))
        expected = powers / powers.sum(axis=1, keepdims=True) @ v
        found = [[float(x.to_sympy()) for x in row] for row in made[f"head{head}.Z"].rows()]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


LATER = {
    "scores": ("scores = [[4, 8], [1, 2]]", 'scale = "1/3"\nmask = "causal"'),
    "scores without d_k": ("scores = [[4, 8], [1, 2]]", ""),
    "scaled": ("scaled = [[4, 8], [1, 2]]", 'mask = "causal"'),
    "scaled and a window": ("scaled = [[4, 8], [1, 2]]", "window_right = 0"),
    "masked": ('masked = [[4, "-inf"], [1, 2]]', 'mask = "causal"'),
    "exp": ("exp = [[4, 8], [1, 2]]", ""),
    "A": ('A = [["1/2", "1/2"], [0, 1]]', ""),
    "more columns": ("Q = [[1, 0, 1], [0, 1, 2]]\nK = [[1, 1, 1], [0, 2, 1]]", 'mask = "causal"'),
    "an odd number to turn": ("Q = [[1, 0, 1], [0, 1, 2]]\nK = [[1, 1, 1], [0, 2, 1]]", 'positions = "rope"'),
    "padding of another length": ("Q = [[1], [2]]\nK = [[1], [1]]", "padding = [1, 0, 1]"),
}


def _outcome(text: str) -> Worked | Bilingual:
    """What a case comes to: its computation, or why it is refused."""
    try:
        return result.work(parse_case(text))
    except SymattnError as error:
        return error.reason


@pytest.mark.parametrize(("first", "settings"), LATER.values(), ids=LATER)
def test_a_head_given_apart_is_computed_or_refused_like_the_only_head(first: str, settings: str) -> None:
    given = f"{first}\nV = [[1], [2]]\n"
    one = _outcome(f"[given]\n{given}[attention]\n{settings}\n")
    two = _outcome(f"[given.head1]\n{given}[given.head2]\n{given}[attention]\nheads = 2\n{settings}\n")
    if isinstance(one, Bilingual) or isinstance(two, Bilingual):
        assert two == one
        return
    expected = {f"head{head}.{name}" for head in (1, 2) for name in _steps(one)}
    assert _steps(two) == expected | {"concat"}
    assert all(_same(two[name], one[name.partition(".")[2]]) for name in expected)


def test_heads_of_which_one_is_given_apart_have_each_its_own_sizes() -> None:
    """The keys of head 1 are given; those of head 2 come after the cache."""
    made = result.work(
        parse_case(
            "[given]\nX = [[1, 0], [0, 1]]\nW_Q = [[1, 2], [3, 4]]\nW_K = [[1, 2], [0, 1]]\n"
            "W_V = [[1, 2], [2, 1]]\npast_K = [[1, 1]]\npast_V = [[0, 1]]\n"
            "head1.K = [[1], [2]]\nhead1.V = [[1], [2]]\n"
            '[attention]\nheads = 2\nmask = "causal"\nalign = "bottom-right"\n'
        )
    )
    hidden = {
        head: [[isinstance(x, Infinite) for x in row] for row in made[f"head{head}.masked"].rows()]
        for head in (1, 2)
    }
    assert hidden == {1: [[False, True], [False, False]], 2: [[False, False, True], [False, False, False]]}


def _of_heads(**widths: int) -> str:
    """Heads with so many columns of Q and K, two queries and keys."""
    rows = {head: [[1] * width, [2] * width] for head, width in widths.items()}
    return "".join(
        f"{head}.{name} = {rows[head] if name in 'QK' else [[1], [2]]}\n" for head in widths for name in "QKV"
    )


@pytest.mark.parametrize(
    ("scale", "clause"),
    [
        ("1/sqrt(d_k)", "d_k = 2 and 3, d_v = 1; scores are divided by √d_k;"),
        ("1/d_k", "scores are divided by 2 and 3;"),
        ("2/(2*d_k + 1)", "scores are multiplied by 2/5 and 2/7;"),
    ],
)
def test_heads_of_different_widths_have_each_their_own_scale_and_the_page_names_all(
    scale: str, clause: str
) -> None:
    made = result.work(
        parse_case(f'[given]\n{_of_heads(head1=2, head2=3)}[attention]\nheads = 2\nscale = "{scale}"\n')
    )
    assert clause in " ".join(made.text().split())
    for head, width in ((1, 2), (2, 3)):
        line = made.derivation.line(f"head{head}.scaled")
        assert line is not None
        assert isinstance(line.op, Scale)
        assert line.op.divisor == scale_of(made.case, {"d_k": width}).divisor


def test_labels_fit_the_rows_of_what_is_given_by_head() -> None:
    text = f"[given]\n{_of_heads(head1=2, head2=2)}[attention]\nheads = 2\n"
    assert result.work(parse_case(f'tokens = ["a", "b"]\n{text}')).case.tokens == ("a", "b")
    with pytest.raises(SymattnError, match=r"3 labels, while head1\.Q has 2 rows"):
        parse_case(f'tokens = ["a", "b", "c"]\n{text}')


def test_beside_a_head_given_apart_the_others_are_what_is_missing() -> None:
    made = result.work(parse_case(f"[given]\n{_of_heads(head1=2)}[attention]\nheads = 2\n"))
    assert made.leftover.needs == ("head2.Q", "head2.K", "head2.V")


def test_scores_given_by_head_beside_their_queries_were_worked_out() -> None:
    """So that all their decimals may hide digits, as for one head."""
    assert is_result("head1.scores", {"head1.Q", "head1.scores"})
    assert not is_result("head1.scores", {"head2.Q", "head1.scores"})


def test_right_numbers_of_heads_given_apart_are_confirmed() -> None:
    """Scores 3, 5, 4 of head 1 over the root of 2."""
    case = _apart(_joined(""))
    printed = Claim("head1.scaled", (("2.12", "3.54", "2.83"),))
    report = audit(replace(case, stated=(printed,)))
    assert [judgement.verdict for judgement in report.judgements] == ["correct"] * 3
