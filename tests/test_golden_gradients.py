"""dQ, dK and dV, correctly rounded once: by hand, and against the formulas in float64."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import symattn as run

import symattn
from symattn.golden.attention import Target
from symattn.golden.formats import FORMATS
from symattn.golden.gradients import gradients


def grads(*, format: str = "float64", **arguments: Any) -> tuple[Any, Any, Any]:
    given = {name: x if name in OPTIONS else np.asarray(x, float) for name, x in arguments.items()}
    found = symattn.golden(**given, format=format)
    return tuple(found[name].values.tolist() for name in ("dq", "dk", "dv"))  # type: ignore[return-value]


OPTIONS = ("causal", "scale", "softcap", "mask")


def test_one_key_takes_the_whole_gradient_and_passes_nothing_to_its_score() -> None:
    assert grads(q=[[0.3]], k=[[0.7]], v=[[0.1, 2.0]], dO=[[0.1, -3.0]]) == ([[0.0]], [[0.0]], [[0.1, -3.0]])


def test_two_equal_scores_share_the_gradient() -> None:
    dq, dk, dv = grads(q=[[0.0]], k=[[1.0], [3.0]], v=[[5.0], [1.0]], dO=[[1.0]])
    assert (dq, dk, dv) == ([[-2.0]], [[0.0], [0.0]], [[0.5], [0.5]])
    dq, dk, dv = grads(q=[[2.0]], k=[[3.0], [3.0]], v=[[5.0], [1.0]], dO=[[1.0]])
    assert (dq, dk, dv) == ([[0.0]], [[2.0], [-2.0]], [[0.5], [0.5]])


@pytest.mark.parametrize("form", ["float16", "float64"])
def test_ties_of_gradients_go_to_the_even_number(form: str) -> None:
    unit = float(FORMATS[form].ulp(np.array([1.0]))[0])
    zeros, even = [[0.0], [0.0], [0.0]], 1 + 2 * unit
    # dV = (3 + 9/2 unit) / 3
    dO = [[3.0], [4.5 * unit]]
    assert grads(q=zeros[:2], k=zeros, v=zeros, dO=dO, format=form)[2] == [[even]] * 3
    # dS = 2, -1, -1, so that dQ = 2 k_1 - k_2 - k_3
    k, v = [[(1 + unit) / 2], [-unit / 2], [0.0]], [[6.0], [-3.0], [-3.0]]
    assert grads(q=[[0.0]], k=k, v=v, dO=[[1.0]], format=form)[0] == [[even]]
    # the same dS in both rows, so that dK = dS (q_1 + q_2)
    q = [[(1 + unit) / 2], [unit / 4]]
    assert grads(q=q, k=zeros, v=v, dO=[[1.0], [1.0]], format=form)[1] == [[even], [-even / 2], [-even / 2]]


def test_a_row_that_sees_no_key_has_no_gradient() -> None:
    found = grads(q=[[1.0]], k=[[1.0]], v=[[1.0]], dO=[[1.0]], mask=[[False]])
    assert found == ([[0.0]], [[0.0]], [[0.0]])


def test_a_sink_takes_its_part_of_the_gradient() -> None:
    zero = np.zeros((1, 1))
    found = symattn.golden(zero, zero + 3, zero + 4, sinks=[0.0], dO=zero + 1, scale=1)
    assert [found[name].values.tolist() for name in ("dq", "dk", "dv")] == [[[3.0]], [[0.0]], [[0.5]]]
    assert found["dsinks"].values.tolist() == [-1.0]


@pytest.mark.parametrize("form", ["float32", "float64"])
def test_the_gradient_of_a_sink_is_the_sum_over_the_batches_of_what_it_moves(form: str) -> None:
    generator = np.random.default_rng(9)
    q, dO = generator.standard_normal((2, 2, 4, 3, 5))
    k, v = generator.standard_normal((2, 2, 2, 3, 5))
    sinks, step = np.array([0.5, -1.0, 2.0, 0.0]), 1e-4
    found = symattn.golden(q, k, v, dO=dO, sinks=sinks, causal=True, softcap=2.0, format=form)["dsinks"]

    def moved(head: int, by: float) -> Any:
        at = sinks + by * np.eye(4)[head]
        return (symattn.golden(q, k, v, sinks=at, causal=True, softcap=2.0).o.values * dO).sum()

    slopes = [(moved(head, step) - moved(head, -step)) / (2 * step) for head in range(4)]
    assert found.values + found.rest == pytest.approx(slopes, rel=1e-6)
    assert found.values == pytest.approx(slopes, rel=1e-6)


def in_floats(q: Any, k: Any, v: Any, dO: Any, seen: Any, softcap: float | None) -> tuple[Any, Any, Any]:
    """The same in float64, from dP, D and the derivative of tanh; two heads share the keys of each group."""
    k, v = np.repeat(k, 2, axis=1), np.repeat(v, 2, axis=1)
    scale = q.shape[-1] ** -0.5
    x = scale * q @ np.swapaxes(k, 2, 3)
    tangent = np.tanh(x / softcap) if softcap else np.zeros_like(x)
    s = np.where(seen, softcap * tangent if softcap else x, -np.inf)
    P = np.exp(s - s.max(axis=3, keepdims=True))
    P /= P.sum(axis=3, keepdims=True)
    dP = dO @ np.swapaxes(v, 2, 3)
    dX = P * (dP - (P * dP).sum(axis=3, keepdims=True)) * (1 - tangent**2)
    dk, dv = scale * np.swapaxes(dX, 2, 3) @ q, np.swapaxes(P, 2, 3) @ dO
    return scale * dX @ k, dk[:, ::2] + dk[:, 1::2], dv[:, ::2] + dv[:, 1::2]


@pytest.mark.parametrize("softcap", [None, 1.5])
@pytest.mark.parametrize("form", ["float64", "float32"])
def test_gradients_are_those_of_the_formulas_for_grouped_heads_and_masks(
    softcap: float | None, form: str
) -> None:
    generator = np.random.default_rng(5)
    q, dO = generator.standard_normal((2, 1, 4, 5, 3))
    k, v = generator.standard_normal((2, 1, 2, 5, 3))
    seen = np.tril(np.ones((5, 5), bool))
    found = symattn.golden(q, k, v, dO=dO, causal=True, softcap=softcap, format=form)
    for name, expected in zip(("dq", "dk", "dv"), in_floats(q, k, v, dO, seen, softcap), strict=True):
        assert found[name].values == pytest.approx(
            expected, rel=1e-6, abs=1e-12 if form == "float64" else 1e-7
        )
        assert found[name].values + found[name].rest == pytest.approx(expected, abs=1e-14)


def test_keys_of_the_past_have_no_gradient_here() -> None:
    zero = np.zeros((1, 1))
    found = symattn.golden(zero, zero, zero + 3, past_k=zero, past_v=zero + 1, dO=zero + 1, causal=True)
    assert (found["dk"].values.shape, found["dv"].values.tolist()) == ((1, 1), [[0.5]])


def test_the_command_writes_gradients_and_compares_them(tmp_path: Path) -> None:
    arguments = ["golden", "seed:1:2x3x4", "--format", "bfloat16", "--grad", "seed:2:2x3x4"]
    done = run(*arguments, "-o", "out.npz", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = run("golden", "out.npz", "--grad", "out.npz", "--compare", "out.npz", folder=tmp_path)
    assert [line.partition(" (")[0] for line in done.stdout.splitlines() if line[0] != " "] == [
        "o",
        "lse",
        "dq",
        "dk",
        "dv",
    ]
    assert done.stdout.count("24 of 24 correctly rounded") == 4
    missing = run("golden", "seed:1:2x3x4", "--grad", "no.npz", "-o", "a.npz", folder=tmp_path)
    assert (missing.returncode, "symattn: no.npz: No such file" in missing.stderr) == (2, True)
    wrong = run("golden", "seed:1:2x3x4", "--grad", "seed:1:2x3x5", "-o", "a.npz", folder=tmp_path)
    assert "dO (1, 2, 3, 5) does not fit o (1, 2, 3, 4)" in wrong.stderr


def test_how_long_gradients_take_is_known_after_a_part_of_the_first_head() -> None:
    some = symattn.golden(*np.zeros((3, 2, 700, 1)), dO=np.zeros((2, 700, 1)), format="float16").inputs
    shares: list[float] = []
    gradients(some, Target(FORMATS["float16"]), shares.append)
    assert (shares[0] < 0.1, sorted(shares) == shares, shares[-1]) == (True, True, pytest.approx(1))
