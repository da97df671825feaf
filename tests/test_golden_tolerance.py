"""A tolerance that lets rounding pass and shows mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import symattn as run
from jsonschema import Draft202012Validator

import symattn
from benchmarks import gradient_bound
from benchmarks.kernels import SETTINGS, planted
from symattn.golden.data import schema
from symattn.golden.files import seeded
from symattn.golden.formats import FORMATS
from symattn.golden.mistakes import MISTAKES
from symattn.golden.sound import WAYS


def sampled(format: str, **options: Any) -> symattn.Golden:
    """Two heads for each of two groups, 70 tokens; a mask of floats where a softcap makes scores small."""
    generator = np.random.default_rng(3)
    q = generator.standard_normal((4, 70, 16)) * 2
    k, v = generator.standard_normal((2, 2, 70, 16))
    if format == "float16":
        q, k, v = (x.astype(np.float16) for x in (q, k, v))
    return symattn.golden(q, k, v, format=format, **options)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"causal": True, "softcap": 1.0},
    {"mask": np.where(np.tri(70) > 0, np.linspace(-1, 1, 70), -np.inf), "sinks": np.arange(4.0)},
    {"causal": True, "window": 20, "sinks": np.arange(4.0)},
]


@pytest.mark.parametrize("name", ["o", "lse"])
@pytest.mark.parametrize("format", ["float16", "float32", "bfloat16"])
@pytest.mark.parametrize("options", OPTIONS)
def test_every_sound_way_is_within_and_every_mistake_is_caught_and_named(
    name: str, format: str, options: dict[str, Any]
) -> None:
    golden = sampled(format, **options)
    found = golden.tolerances[name]
    assert len(found.ways) == len(WAYS)
    assert [way.name.en for way in found.ways if not 0 < way.share <= 1] == []
    assert [each.name.en for each in found.hidden] == []
    for each in found.mistakes:
        with pytest.raises(AssertionError) as caught:
            symattn.assert_within_ulps(golden[name].format.rounded(each.output), golden, name=name)
        assert f"the mistake that fits best: {each.name.en}\n" in str(caught.value)


@pytest.mark.parametrize("setting", SETTINGS)
def test_mistakes_planted_in_a_kernel_are_caught_and_named_and_the_sound_kernel_is_not(setting: str) -> None:
    tally = planted([SETTINGS[setting]], np, "float32", 7)
    assert (tally.caught, tally.named) == (tally.mistakes, tally.mistakes)
    assert (tally.sound, tally.accused, tally.mistakes > 5) == (1, 0, True)


@pytest.mark.parametrize("format", ["float16", "float32"])
@pytest.mark.parametrize(
    "options", [{"causal": True, "softcap": 1.0}, {"causal": True, "window": 9, "sinks": np.arange(4.0)}]
)
def test_gradients_have_tolerances_that_every_mistake_is_beyond(format: str, options: dict[str, Any]) -> None:
    generator = np.random.default_rng(5)
    q, dO = generator.standard_normal((2, 4, 20, 8))
    k, v = generator.standard_normal((2, 2, 20, 8))
    golden = symattn.golden(q, k, v, dO=dO, format=format, **options)
    seen = set()
    names = {"o", "lse", "dq", "dk", "dv"} | ({"dsinks"} if "sinks" in options else set())
    assert golden.tolerances.keys() == names
    for name in sorted(names - {"o", "lse"}):
        found = golden.tolerances[name]
        assert [way.name.en for way in found.ways if not 0 < way.share <= 1] == []
        for each in found.mistakes:
            with pytest.raises(AssertionError, match=f"the mistake that fits best: {each.name.en}\n"):
                symattn.assert_within_ulps(golden[name].format.rounded(each.output), golden, name=name)
            seen.add(each.name.en)
    assert {"D left out", "gradients without the scale", "heads of a group not summed"} <= seen
    assert ("derivative of the softcap left out" in seen) == ("softcap" in options)


@pytest.mark.parametrize("form", ["float32", "float16"])
def test_bad_rows_use_up_less_than_the_bound_on_gradients(form: str) -> None:
    found = dict(gradient_bound.worst(form, 8, 15, 1))
    assert found.keys() == {"dq", "dk", "dv", "dsinks"}
    assert all(0 < share < 1 for share in found.values())


def test_gradients_may_be_off_by_what_float32_loses_to_underflow() -> None:
    far = {"q": [[1.0]], "k": [[0.0], [-101.0]], "v": [[1.0], [30.0]], "dO": [[1.0]]}
    found = gradient_bound.shares({name: np.array(x) for name, x in far.items()}, "float32", {}, exact=True)
    assert max(found.values()) < 1


def test_every_mistake_is_possible_under_some_options() -> None:
    golden = [sampled("float16", **options) for options in OPTIONS]
    q, k, v = (np.ones((1, n, 2)) for n in (2, 3, 3))
    golden.append(symattn.golden(q, k, v, causal=True))
    possible = {each.name.en for one in golden for each in MISTAKES if each.possible(one.inputs)}
    assert possible == {each.name.en for each in MISTAKES}


def test_what_no_mistake_explains_is_beyond_all_the_same() -> None:
    golden = sampled("float16")
    wrong = golden.o.values.copy()
    symattn.assert_within_ulps(wrong, golden)
    wrong[0, 0, 0] += 1
    with pytest.raises(AssertionError, match=r"^1 entry of o beyond the tolerance\no"):
        symattn.assert_within_ulps(wrong, golden)
    wrong[0, 0, 0] = np.nan
    with pytest.raises(AssertionError, match="1 entry of o"):
        symattn.assert_within_ulps(wrong, golden)


def test_a_mistake_that_the_inputs_cannot_show_is_said_to_be_hidden() -> None:
    golden = symattn.golden(np.float16([[0]]), np.float16([[1], [2]]), np.float16([[1], [1]]))
    assert "no scale" not in [each.name.en for each in golden.tolerance.mistakes]  # d = 1
    assert "base 2 without log2 e" in [each.name.en for each in golden.tolerance.hidden]


def test_scores_too_large_for_any_bound_accuse_nobody() -> None:
    q, k, v = np.random.default_rng(1).standard_normal((3, 4, 4)).astype(np.float32)
    some = symattn.golden(q, k, v, scale=1e30)
    symattn.assert_within_ulps(some.o.values + 1, some)


def test_a_row_that_sees_no_key_has_the_log_sum_exp_minus_infinity_and_no_other() -> None:
    one = np.ones((2, 1), np.float16)
    golden = symattn.golden(one, one, one, mask=np.eye(2) * [[1], [0]] > 0)
    assert golden.lse.values.tolist() == [1, -np.inf]
    symattn.assert_within_ulps([1, -np.inf], golden, name="lse")
    with pytest.raises(AssertionError, match=r"^1 entry of lse beyond"):
        symattn.assert_within_ulps([1, 0], golden, name="lse")


def test_the_command_lists_both_and_judges_a_comparison(tmp_path: Path) -> None:
    arguments = ["golden", "seed:1:2x8x4", "--format", "float16"]
    listed = run(*arguments, "--causal", "--tolerance", folder=tmp_path)
    assert listed.returncode == 0
    assert "online softmax, blocks of 16\n" in listed.stdout
    assert "causal mask: one key too many\n" in listed.stdout
    run(*arguments, "-o", "unmasked.npz", folder=tmp_path)
    judged = run(*arguments, "--causal", "--tolerance", "--compare", "unmasked.npz", folder=tmp_path)
    assert judged.returncode == 1
    assert judged.stdout.endswith("the mistake that fits best: causal mask left out\n")
    grad = ["--grad", "seed:2:2x8x4"]
    run(*arguments, *grad, "-o", "unmasked.npz", folder=tmp_path)
    wrong = run(*arguments, *grad, "--causal", "--tolerance", "--compare", "unmasked.npz", folder=tmp_path)
    assert wrong.returncode == 1
    assert wrong.stdout.endswith("beyond the tolerance; the mistake that fits best: causal mask left out\n")
    assert wrong.stdout.count("entries of d") == 3
    same = run(*arguments, "--tolerance", "--compare", "unmasked.npz", folder=tmp_path)
    assert same.returncode == 0
    for name in ("o", "lse"):
        assert f"\n0 entries of {name} beyond the tolerance\n" in same.stdout


@pytest.mark.parametrize("grad", [False, True])
def test_the_command_says_which_inputs_show_what_these_hide(grad: bool, tmp_path: Path) -> None:
    one = np.ones((1, 2, 8), np.float32)
    np.savez(tmp_path / "in.npz", q=one, k=one, v=one, dO=one)
    options = ["--causal", "--softcap", "40", "--tolerance", *(["--grad", "in.npz"] if grad else [])]
    said = run("golden", "in.npz", *options, folder=tmp_path).stdout
    assert "of the mistakes cannot be seen on these inputs\n" in said
    _, _, found = said.splitlines()[-1].partition(
        "the mistakes that these inputs hide are shown by: symattn "
    )
    assert ("--grad" in found) == grad
    again = run(*found.split(), folder=tmp_path)
    assert (again.returncode, "cannot be seen" in again.stdout) == (0, False)
    assert "softcap after the mask\n" in again.stdout


def test_what_no_seed_shows_is_listed_or_said(tmp_path: Path) -> None:
    one = np.ones((1, 2, 8), np.float16)
    np.savez(tmp_path / "in.npz", q=one, k=one, v=one, sinks=np.float16([-90]))
    report = json.loads(run("golden", "in.npz", "--tolerance", "--json", folder=tmp_path).stdout)
    Draft202012Validator(schema()).validate(report)
    assert report["shown_by"]["hidden"] == [
        [name, f"sink {mistake}"]
        for name in ("o", "lse")
        for mistake in ("left out", "multiplied by the scale")
    ]
    done = run("golden", "seed:1:16x1", "--scale", "0", "--tolerance", folder=tmp_path)
    assert "\nno other inputs that were tried (seeds, sizes, ranges) show the mistakes" in done.stdout


def test_a_seed_has_shapes_for_queries_and_for_keys_and_a_factor() -> None:
    small = seeded("seed:3:4x5x2", FORMATS["float64"]), seeded("seed:3:4x5x2,2x6x2:0.5", FORMATS["float64"])
    (one, other) = ({name: x.values for name, x in each.items()} for each in small if each)
    assert [other[name].shape for name in "qkv"] == [(4, 5, 2), (2, 6, 2), (2, 6, 2)]
    assert (other["q"] == one["q"] / 2).all()
