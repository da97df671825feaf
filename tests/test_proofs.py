"""Two walks of one result: proved equal, refuted with a witness, or undecided."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from once import work

from symattn.attention.case import Case
from symattn.attention.recipes.attention import attention, values
from symattn.casefile.case_file import parse_case
from symattn.checks.proofs import Proof, compare_values, prove_equal
from symattn.exact.decision import equal
from symattn.exact.functions import exp, symbol
from symattn.exact.literal import read
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.derive import derive
from symattn.plans.operation import Operation, Slip
from symattn.plans.ops.products import WeightedSum
from symattn.plans.ops.running import RunningSink
from symattn.plans.plan import Line, Plan
from symattn.text.bilingual import both
from symattn.text.errors import OutOfBounds, ShapeMismatch, UnusableValue

FOLDER = Path(__file__).parent.parent / "cases" / "variants"

ONLINE = """
[given]
Q = [[1], [2]]
K = [[0], [1], [3], [2]]
V = [[1, 0], [0, 1], [2, 2], [4, 0]]
[attention]
scale = "1"
evaluation = "online"
block = 2
"""
SYMBOLS = """
symbols = ["a", "b", "c", "u", "v", "w"]
[given]
scores = [["a", "b", "c"]]
V = [["u"], ["v"], ["w"]]
[attention]
scale = "1"
evaluation = "online"
"""
CACHE = """
[given]
Q = [[1, 0], [0, 1], [1, 2]]
K = [[1, 1], [0, 2], [1, 0]]
V = [[1], [2], [4]]
[attention]
mask = "causal"
evaluation = "cached"
"""


def direct(case: Case) -> Plan:
    return attention(replace(case, settings=replace(case.settings, evaluation="direct")))


def proof(text: str, plan: Plan | None = None) -> Proof:
    """Whether the walk of a case (or another plan) makes the Z of the direct walk."""
    case = parse_case(text)
    return prove_equal(plan or attention(case), direct(case), values(case), "Z")


def exchanged(text: str, name: str, code: str) -> Plan:
    """The plan of a case with the operation of one line exchanged for a slip of its own."""
    plan = attention(parse_case(text))
    (line,) = (line for line in plan if line.name == name)
    (slip,) = (slip for slip in line.op.slips() if slip.code == code)
    return tuple(replace(each, op=slip.instead) if each is line else each for each in plan)


PROVED = Proof("Z", decided=True, equal=True)


@pytest.mark.parametrize("block", [1, 2, 3, 4, 9])
def test_the_online_softmax_is_the_softmax_for_every_size_of_block(block: int) -> None:
    assert proof(ONLINE.replace("block = 2", f"block = {block}")) == PROVED


@pytest.mark.parametrize("block", [1, 2, 3])
def test_the_online_softmax_is_the_softmax_for_all_numbers_at_once(block: int) -> None:
    assert proof(f"{SYMBOLS}block = {block}\n") == PROVED


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("block2.l", "running-sum-unscaled"),
        ("block2.l", "running-sum-block-skipped"),
        ("block2.O", "running-output-unscaled"),
        ("block2.O", "running-output-block-skipped"),
        ("block2.r", "rescaling-omitted"),
        ("block2.r", "shift-reversed"),
        ("block2.P", "shift-omitted"),
    ],
)
@pytest.mark.parametrize("text", [ONLINE, SYMBOLS + "block = 2\n"], ids=["numbers", "symbols"])
def test_a_wrong_recurrence_is_refuted_with_a_witness(text: str, name: str, code: str) -> None:
    refuted = proof(text, exchanged(text, name, code))
    assert refuted.decided
    assert not refuted.equal
    assert refuted.witness is not None
    assert equal(refuted.witness.left, refuted.witness.right) is False


def test_the_maximum_is_for_the_range_of_floats_and_not_for_the_result() -> None:
    """Any shift will do, as long as the rescaling follows it: the maximum of the block alone, for one."""
    assert proof(ONLINE, exchanged(ONLINE, "block2.m", "maximum-of-the-block")) == PROVED


def test_the_running_values_of_the_online_softmax_worked_by_hand() -> None:
    """The first row has the scores 0, 1 | 3, 2: maxima 1 and 3, so what came before shrinks by e^-2."""
    case = parse_case(ONLINE)
    walk = derive(attention(case), values(case))
    expected = {
        "block1.m": "1",
        "block1.l": "exp(-1) + 1",
        "block2.m": "3",
        "block2.r": "exp(-2)",
        "block2.l": "exp(-3) + exp(-2) + 1 + exp(-1)",
        "block2.O": "exp(-3) + 2 + 4*exp(-1)",
    }
    for name, value in expected.items():
        assert equal(walk[name][0, 0], read(value, {})) is True, name


def test_a_block_without_a_visible_key_adds_nothing() -> None:
    masked = ONLINE + "mask = [[0, 0, 1, 1], [1, 1, 0, 0]]\n"
    assert proof(masked) == PROVED


SINK = ONLINE.replace("[attention]", "sink = [2]\n[attention]")


@pytest.mark.parametrize("more", ["", 'base = "2"\n', "mask = [[0, 0, 1, 1], [0, 0, 0, 0]]\n"])
def test_an_online_softmax_with_a_sink_is_the_softmax_with_it(more: str) -> None:
    assert proof(SINK + more) == PROVED


def test_each_head_has_its_own_sink_in_an_online_softmax() -> None:
    heads = SINK.replace("[[1], [2]]", "[[1, 0], [2, 1]]")
    heads = heads.replace("[[0], [1], [3], [2]]", "[[0, 1], [1, 1], [3, 0], [2, 2]]")
    worked = work(parse_case(heads.replace("sink = [2]", "sink = [2, 0]") + "heads = 2\n"))
    assert [(p.name, p.decided, p.equal) for p in worked.proofs] == [
        (f"head{h}.Z", True, True) for h in (1, 2)
    ]
    assert "The sink of the head" in worked.markdown()


@pytest.mark.parametrize("slip", RunningSink().slips(), ids=lambda slip: slip.code)
def test_a_sink_left_out_or_not_shifted_is_refuted_with_a_witness(slip: Slip) -> None:
    plan, given = attention(parse_case(SINK)), values(parse_case(SINK))
    told = tuple(replace(line, op=slip.instead) if line.name == "total" else line for line in plan)
    found = prove_equal(told, plan, given, "Z")
    assert (found.decided, found.equal) == (True, False)
    assert found.witness is not None


@pytest.mark.parametrize("base", ["2", "1/2", "3/2"])
def test_the_online_softmax_to_another_base_is_the_softmax_to_that_base(base: str) -> None:
    text = ONLINE + f'base = "{base}"\n'
    assert proof(text) == PROVED
    assert work(parse_case(text)).check.agrees
    refuted = proof(text, exchanged(text, "block2.r", "shift-reversed"))
    assert refuted.witness is not None


@pytest.mark.parametrize(
    "more",
    [
        "",
        'positions = "alibi"\n',
        'positions = "rope"\nangles = ["pi/3"]\n',
        "window_left = 1\n",
        "softcap = 2\n",
        'temperature = "1/2"\n',
        'qk_norm = "unit"\n',
        "padding = [1, 0, 1]\n",
    ],
)
def test_decoding_with_a_cache_equals_causal_attention(more: str) -> None:
    assert proof(CACHE + more) == PROVED


def test_a_cache_that_was_filled_before_continues_at_the_lower_right_corner() -> None:
    text = CACHE.replace("Q = [[1, 0], [0, 1], [1, 2]]", "Q = [[0, 1], [1, 2]]") + 'align = "bottom-right"\n'
    assert proof(text) == PROVED


def test_a_step_without_a_key_of_its_own_is_refused() -> None:
    fewer = CACHE.replace("K = [[1, 1], [0, 2], [1, 0]]", "K = [[1, 1], [0, 2]]").replace(", [4]]", "]")
    with pytest.raises(UnusableValue, match="step 3 has no key"):
        work(parse_case(fewer + 'align = "top-left"\n'))


def test_a_cache_in_the_wrong_order_is_refuted() -> None:
    for name in ("step2.K", "step2.V"):
        refuted = proof(CACHE, exchanged(CACHE, name, "stacked-in-reverse"))
        assert refuted.decided
        assert refuted.witness is not None
        assert refuted.witness.row == 1


def test_a_cache_needs_a_causal_mask() -> None:
    with pytest.raises(UnusableValue, match="causal"):
        work(parse_case(CACHE.replace('mask = "causal"\n', "")))


def test_every_head_is_proved() -> None:
    text = CACHE.replace("V = [[1], [2], [4]]", "V = [[1, 0], [2, 1], [4, 3]]") + "heads = 2\n"
    assert [(proof.name, proof.equal) for proof in work(parse_case(text)).proofs] == [
        ("head1.Z", True),
        ("head2.Z", True),
    ]


@pytest.mark.parametrize(
    ("name", "walk"),
    [
        ("kv_cache", "cached"),
        ("kv_cache_window", "cached"),
        ("online_softmax", "online"),
        ("online_symbolic", "online"),
    ],
)
def test_the_proof_of_a_case_is_on_its_page_and_in_its_data(name: str, walk: str) -> None:
    worked = work(FOLDER / f"{name}.toml")
    assert worked.data()["proofs"] == [{"name": "Z", "decided": True, "equal": True, "walk": walk}]
    assert "equals the direct result" in worked.markdown(lang="en")
    assert "逐项相等" in worked.markdown(lang="zh")


def test_a_direct_walk_has_nothing_to_prove() -> None:
    worked = work(parse_case(ONLINE.replace('"online"', '"direct"').replace("block = 2\n", "")))
    assert worked.proofs == ()
    assert "proofs" not in worked.data()


# deciding


def one(x: Exact) -> Matrix:
    return Matrix.of([[x]])


def test_what_cannot_be_settled_is_undecided_and_neither_proved_nor_refuted() -> None:
    """Products of logarithms, which no theorem reaches: 3 + 2 sqrt(2) is the square of 1 + sqrt(2)."""
    x = read("log(3 + 2*sqrt(2))*log(5) - 2*log(1 + sqrt(2))*log(5)", {})
    assert compare_values("Z", one(x), one(Exact.of(0))) == Proof("Z", decided=False, equal=False)


def test_equality_with_symbols_is_equality_of_functions() -> None:
    a = symbol("a")
    assert compare_values("Z", one(exp(a) * exp(-a)), one(Exact.of(1))).equal
    refuted = compare_values("Z", one(a * a), one(a))
    assert refuted.decided
    assert not refuted.equal


def test_the_witness_is_the_first_entry_that_differs() -> None:
    found = compare_values("A", Matrix.rational([[1, 2], [3, 4]]), Matrix.rational([[1, 2], [5, 6]]))
    assert found.witness is not None
    assert (found.witness.row, found.witness.col) == (1, 0)
    assert (found.witness.left, found.witness.right) == (Exact.of(3), Exact.of(5))


def test_results_of_different_shapes_are_not_compared() -> None:
    op: Operation = WeightedSum()
    given = {
        "A": Matrix.rational([[1, 2]]),
        "V": Matrix.rational([[1], [2]]),
        "W": Matrix.rational([[1, 1], [2, 2]]),
    }
    with pytest.raises(ShapeMismatch, match="1×1 in one evaluation and 1×2 in the other"):
        prove_equal((Line("Z", op, ("A", "V")),), (Line("Z", op, ("A", "W")),), given, "Z")


def test_a_proof_of_two_evaluations_that_cannot_be_made_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> Proof:
        raise OutOfBounds(both("a long product"))

    monkeypatch.setattr("symattn.checks.proofs.prove_equal", ended)
    worked = work(parse_case(ONLINE))
    assert [(each.evaluation, each.decided) for each in worked.proofs] == [("online", False)]
    assert "reason: a long product" in worked.markdown()
