"""Attention on floats, correctly rounded once: by hand, and against the operator of ONNX."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from flint import ctx
from onnx.reference.ops.op_attention import _compute_attention

from symattn.golden import pairs
from symattn.golden.attention import Target, golden
from symattn.golden.balls import Balls
from symattn.golden.enclosures import enclosures, exp
from symattn.golden.formats import FORMATS
from symattn.golden.inputs import Array, Inputs, inputs
from symattn.golden.options import Options
from symattn.text.errors import SymattnError

HALF = FORMATS["float16"]


def given(options: Options | None = None, form: str = "float64", **arrays: Any) -> Inputs:
    found = {name: np.asarray(x) for name, x in arrays.items()}
    return inputs(
        {
            name: Array(x, None) if x.dtype == bool else Array(x.astype(float), FORMATS[form])
            for name, x in found.items()
        },
        options or Options(),
    )


def rounded(some: Inputs, form: str = "float64", saturate: bool = False) -> tuple[Any, Any]:
    found = golden(some, Target(FORMATS[form], saturate))
    return found["o"].values.tolist(), found["lse"].values.tolist()


def test_equal_scores_give_the_mean_of_the_values_and_the_logarithm_of_their_number() -> None:
    o, lse = rounded(given(q=[[0.0]], k=[[1.0], [2.0]], v=[[1.0, 4.0], [2.0, 4.0]]))
    assert o == [[1.5, 4.0]]
    assert lse == [math.log(2)]


@pytest.mark.parametrize("form", ["float16", "float64"])
def test_a_tie_goes_to_the_even_number(form: str) -> None:
    unit = FORMATS[form].ulp(np.array([1.0]))[0]
    values = [[1, 1 + unit], [1 + unit, 1 + 2 * unit]]
    o, _ = rounded(given(q=[[3.0]], k=[[1.0], [1.0]], v=values), form)
    assert o == [[1.0, 1 + 2 * unit]]
    o, _ = rounded(given(q=[[3.0]], k=[[1.0], [1 + 2.0**-60]], v=[values[0], values[1]]), form)
    assert o == [[1.0, 1 + 2 * unit]]


def test_a_weight_too_small_for_floats_tells_on_which_side_of_a_tie_an_output_is() -> None:
    values = [[1.0], [1.0 + 2.0**-10], [2.0]]
    o, _ = rounded(given(q=[[1.0]], k=[[0.0], [0.0], [-900.0]], v=values), "float16")
    assert o == [[1.0 + 2.0**-10]]
    values[2] = [-2.0]
    o, _ = rounded(given(q=[[1.0]], k=[[0.0], [0.0], [-900.0]], v=values), "float16")
    assert o == [[1.0]]


def test_scores_beyond_every_float_are_compared_all_the_same() -> None:
    some = given(q=[[1e300]], k=[[1e300], [np.nextafter(1e300, 2e300)]], v=[[1.0], [2.0]])
    o, lse = rounded(some)
    assert (o, lse) == ([[2.0]], [math.inf])


def test_a_softcap_below_every_difference_leaves_the_mean() -> None:
    arrays: dict[str, Any] = {"q": [[1.0]], "k": [[1.0], [-1.0]], "v": [[1.0], [2.0]]}
    assert rounded(given(Options(softcap=1e-320), **arrays))[0] == [[1.5]]


def test_one_key_gives_its_value_and_its_score() -> None:
    o, lse = rounded(given(q=[[2.0, 1.0, 1.0, 0.0]], k=[[1.0, 1.0, 0.5, 9.0]], v=[[0.1]]))
    assert (o, lse) == ([[0.1]], [1.75])
    _, lse = rounded(given(Options(scale="1/3"), q=[[1.0]], k=[[1.0]], v=[[0.1]]))
    assert lse == [1 / 3]


def test_a_causal_query_sees_the_keys_up_to_its_own_and_those_of_the_past() -> None:
    q, k, v = np.zeros((2, 1)), np.zeros((2, 1)), np.array([[1.0], [3.0]])
    assert rounded(given(Options(causal=True), q=q, k=k, v=v))[0] == [[1.0], [2.0]]
    past = {"past_k": [[0.0]], "past_v": [[5.0]]}
    assert rounded(given(Options(causal=True), q=q, k=k, v=v, **past))[0] == [[3.0], [3.0]]


def test_a_window_hides_the_keys_before_it_and_not_the_sink() -> None:
    arrays: dict[str, Any] = {"q": np.zeros((3, 1)), "k": np.zeros((3, 1)), "v": [[1.0], [3.0], [8.0]]}
    options = Options(causal=True, window=2)
    assert rounded(given(options, **arrays))[0] == [[1.0], [2.0], [5.5]]
    assert rounded(given(options, sinks=[0.0], **arrays))[0] == [[0.5], [4 / 3], [11 / 3]]


@pytest.mark.parametrize("mask", [None, [[True, False]], [[0.0, -np.inf]]])
def test_a_sink_is_a_score_without_a_value(mask: Any) -> None:
    arrays: dict[str, Any] = {"q": [[0.0]], "k": [[3.0], [3.0]], "v": [[4.0], [4.0]], "sinks": [math.log(2)]}
    o, lse = rounded(given(**arrays | ({} if mask is None else {"mask": mask})), "float16")
    assert o == [[2.0 if mask is None else float(np.float16(4 / 3))]]
    assert lse == [float(np.float32(math.log(4 if mask is None else 3)))]


def test_keys_behind_the_length_of_their_batch_are_hidden_as_in_onnx() -> None:
    q, k, v = np.random.default_rng(2).standard_normal((3, 2, 1, 4, 3))
    lengths, mask = np.array([2, 4]), np.triu(np.full((2, 1, 4, 4), 0.5))
    expected = _compute_attention(q, k, v, mask, nonpad_kv_seqlen=lengths)[0]
    arrays = {name: Array(x, FORMATS["float64"]) for name, x in zip("qkv", (q, k, v), strict=True)}
    arrays |= {"nonpad_kv_seqlen": Array(lengths, None), "mask": Array(mask, FORMATS["float64"])}
    assert np.asarray(rounded(inputs(arrays, Options()))[0]) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("form", ["float16", "float64"])
def test_a_row_that_sees_no_key_is_zero_and_its_log_sum_exp_minus_infinity(form: str) -> None:
    for mask in ([[False, False], [True, False]], [[-np.inf, -np.inf], [0.0, -np.inf]]):
        some = given(q=np.ones((2, 1)), k=[[1.0], [1.0]], v=[[2.0], [9.0]], mask=mask)
        assert rounded(some, form) == ([[0.0], [2.0]], [-math.inf, 1.0])


def test_query_heads_that_follow_each_other_share_the_keys_of_a_group() -> None:
    q, k = np.zeros((4, 1, 1)), np.zeros((2, 1, 1))
    o, lse = rounded(given(q=q, k=k, v=[[[1.0]], [[2.0]]]))
    assert o == [[[1.0]], [[1.0]], [[2.0]], [[2.0]]]
    assert lse == [[0.0]] * 4


def test_a_last_axis_of_several_heads_is_divided_as_in_onnx() -> None:
    some = given(Options(heads=2), q=np.zeros((1, 1, 4)), k=np.zeros((1, 2, 4)), v=[[[1.0, 5.0], [3.0, 9.0]]])
    assert rounded(some)[0] == [[[2.0, 7.0]]]
    assert np.shape(rounded(some)[1]) == (1, 2, 1)


def test_what_is_beyond_the_largest_number_follows_the_rule_of_the_format() -> None:
    some = given(q=[[0.0]], k=[[0.0]], v=[[500.0, -500.0]])
    o, _ = rounded(some, "float8_e4m3fn")
    assert np.isnan(o).all()
    assert rounded(some, "float8_e4m3fn", saturate=True)[0] == [[448.0, -448.0]]


def test_the_scale_may_be_rounded_to_float32_first() -> None:
    arrays: dict[str, Any] = {"q": [[1.0, 0.0, 0.0]], "k": [[1.0, 0.0, 0.0]], "v": [[1.0]]}
    assert rounded(given(**arrays))[1] == [math.sqrt(1 / 3)]
    assert rounded(given(Options(scale="float32"), **arrays))[1] == [float(np.float32(math.sqrt(1 / 3)))]


def sampled(seed: int, options: Options, mask: str = "", sinks: bool = False) -> Inputs:
    generator = np.random.default_rng(seed)
    arrays: dict[str, Any] = {
        name: HALF.rounded(generator.standard_normal((1, heads, n, 5)) * 2)
        for name, heads, n in (("q", 4, 3), ("k", 2, 6), ("v", 2, 6))
    }
    if mask:
        arrays["mask"] = generator.random((4, 3, 6)) < 0.7
    if mask == "floats":
        arrays["mask"] = np.where(arrays["mask"], generator.standard_normal((4, 3, 6)), -np.inf)
    if sinks:
        arrays["sinks"] = generator.standard_normal(4)
    return given(options, "float16", **arrays)


SAMPLES = [
    (Options(), ""),
    (Options(causal=True), ""),
    (Options(softcap=1.5), "bool"),
    (Options(causal=True, scale=0.3, softcap=2.0), "floats"),
    (Options(scale=30), ""),
]


@pytest.mark.parametrize(("options", "mask"), SAMPLES)
def test_outputs_are_those_of_the_onnx_operator(options: Options, mask: str) -> None:
    some = sampled(1, options, mask)
    scale = None if options.scale is None else float(options.scale)
    with np.errstate(all="ignore"):
        expected = _compute_attention(
            some.q,
            some.k,
            some.v,
            None if some.mask is None else np.array(some.mask),
            scale=scale,
            is_causal=options.causal,
            softcap=options.softcap,
        )[0]
    o, _ = rounded(some)
    assert np.asarray(o) == pytest.approx(np.nan_to_num(expected), abs=1e-13)


@pytest.mark.parametrize(("options", "mask"), SAMPLES)
def test_the_bounds_in_float64_hold_against_balls_and_are_narrow(options: Options, mask: str) -> None:
    for seed in range(3):
        for _, head in sampled(seed, options, mask, seed > 0):
            ((_, o, lse),) = enclosures(head)
            with ctx.workprec(200):
                for i, balls in Balls(head).rows(range(len(head.q))):
                    found = [*zip(o.middle[i], o.error[i], strict=True), (lse.middle[i], lse.error[i])]
                    for (middle, error), ball in zip(found, balls, strict=True):
                        assert abs(ball - middle) <= error or (middle == -np.inf and ball == middle)
                        assert error < 1e-10


@pytest.mark.parametrize(("options", "mask"), SAMPLES)
def test_every_format_is_the_float64_rounded_where_that_is_no_tie(options: Options, mask: str) -> None:
    some = sampled(7, options, mask)
    exact = golden(some, Target(FORMATS["float64"]))
    for name in ("float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"):
        one, found = FORMATS[name], golden(some, Target(FORMATS[name]))["o"]
        nearest, x = one.rounded(exact["o"].values), exact["o"].values
        assert ((found.values == nearest) | (np.abs(nearest - x) == one.ulp(x) / 2)).all()
        assert found.values + found.rest == pytest.approx(exact["o"].values, abs=1e-13)


@pytest.mark.parametrize(
    "options", [Options(), Options(causal=True, scale="1/3"), Options(causal=True, window=2)]
)
def test_pairs_of_floats_decide_float64_as_balls_do(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    q, k, v = np.random.default_rng(4).standard_normal((3, 2, 9, 5)) * [[[[0.1]]], [[[50.0]]], [[[1e200]]]]
    some = given(options, q=q, k=k, v=v, mask=np.arange(9) != 3 * np.arange(9)[:, None])
    found = golden(some, Target(FORMATS["float64"]))
    for _, head in some:
        covered = [i for part in pairs.rows(Balls(head)) for i in part.numbers[part.rounded()[2].all(axis=1)]]
        assert covered == [i for i in range(9) if head.visible(slice(i, i + 1)).any()]
    monkeypatch.setattr(pairs, "rows", lambda balls: iter(()))
    for name, each in golden(some, Target(FORMATS["float64"])).items():
        assert np.array_equal(found[name].values, each.values)
        assert found[name].rest == pytest.approx(each.rest, rel=1e-9, abs=abs(each.values).min() * 1e-28)


def test_the_exponential_is_within_its_bound() -> None:
    x = -np.geomspace(1e-20, 700, 4000)
    errors = np.abs(exp(x).astype(np.longdouble) / np.exp(x.astype(np.longdouble)) - 1)
    assert 0 < errors.max() < 6 * 2.0**-53


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": [[np.nan, 0.0]]}, r"q: NaN at \[0, 0\]"),
        ({"v": [[np.inf], [0.0]]}, r"v: inf at \[0, 0\]"),
        ({"k": [[0.0, -np.inf], [0.0, 0.0]]}, r"k: -inf at \[0, 1\]"),
        ({"mask": [[np.inf, 0.0]]}, r"mask: inf at \[0, 0\]"),
        ({"q": [[1.0]]}, r"q \(1, 1, 1, 1\) does not fit k \(1, 1, 2, 2\)"),
        ({"v": [[1.0]]}, r"k \(1, 1, 2, 2\) does not fit v \(1, 1, 1, 1\)"),
        ({"mask": np.zeros((3, 2))}, r"mask \(3, 2\) does not fit scores \(1, 1, 1, 2\)"),
        ({"q": [1.0, 2.0]}, "q, k and v have 1, 2 and 2 axes"),
        ({"q": [[True, False]]}, "q: the array is of bool"),
        ({"q": np.zeros((1, 0))}, r"q: the shape \(1, 0\)"),
        ({"sinks": [0.0, 1.0]}, r"sinks \(2,\) does not fit heads \(1,\)"),
        ({"nonpad_kv_seqlen": [3.0]}, r"nonpad_kv_seqlen: lengths \[3.0\]\n  they are integers from 0 to 2"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(change: dict[str, Any], message: str) -> None:
    arrays: dict[str, Any] = {"q": [[1.0, 2.0]], "k": [[1.0, 0.0], [0.0, 1.0]], "v": [[1.0], [2.0]]}
    with pytest.raises(SymattnError, match=message):
        given(**{**arrays, **change})


@pytest.mark.parametrize("options", [Options(window=2), Options(causal=True, window=0)])
def test_a_window_needs_a_causal_mask_and_a_key(options: Options) -> None:
    with pytest.raises(SymattnError, match="at least 1, under a causal mask"):
        given(options, q=[[1.0]], k=[[1.0]], v=[[1.0]])


def test_a_size_beyond_the_limit_is_refused_before_work() -> None:
    wide = np.broadcast_to(0.0, (1, 2**15, 1))
    with pytest.raises(SymattnError, match="1073741824 attention weights\n  at most 268435456"):
        inputs({name: Array(wide, HALF) for name in "qkv"}, Options())
