"""Whole encoder layers, one after the other: exact through names, held against NumPy by the textbook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from once import but_slow, work
from test_layers import FOLDER, attend, floats, gelu, layer_norm, near, rms_norm

from symattn.auditor.audit import audit
from symattn.casefile.case_file import parse_case
from symattn.exact.decimal import rounded
from symattn.text.errors import SymattnError

CASES = sorted(FOLDER.glob("stacked_*.toml"))


def own(g: dict[str, Any], layer: int) -> dict[str, Any]:
    """The matrices of one layer: its own before those of all."""
    tag = f"layer{layer}."
    return g | {name.removeprefix(tag): matrix for name, matrix in g.items() if name.startswith(tag)}


def test_two_layers_with_norms_first_and_shared_weights() -> None:
    worked = work(FOLDER / "stacked_pre_norm.toml")
    g = floats(worked)
    x = g["X"]
    for _ in range(2):
        x = x + attend(layer_norm(x), g)
        x = x + gelu(layer_norm(x) @ g["W_1"]) @ g["W_2"]
    assert near(worked, "layer2.residual_2", x)


def test_two_layers_with_norms_last_and_weights_of_their_own() -> None:
    worked = work(FOLDER / "stacked_post_norm_own.toml")
    x = floats(worked)["X"]
    for layer in (1, 2):
        g = own(floats(worked), layer)
        x = layer_norm(x + attend(x, g))
        x = layer_norm(x + np.maximum(x @ g["W_1"] + g["b_1"], 0) @ g["W_2"])
        if layer == 1:
            x = x * g["gamma_2"] + g["beta_2"]
    assert near(worked, "layer2.norm_2", x)


def test_two_layers_with_heads_and_a_gain_of_all_layers() -> None:
    worked = work(FOLDER / "stacked_pre_norm_own.toml")
    x = floats(worked)["X"]
    for layer in (1, 2):
        g = own(floats(worked), layer)
        n = rms_norm(x) * g["gamma_1"]
        heads = [
            attend(n, {name: g[name][:, part] for name in ("W_Q", "W_K")} | {"W_V": g["W_V"][:, wide]})
            for part, wide in ((slice(0, 1), slice(0, 2)), (slice(1, 2), slice(2, 4)))
        ]
        x = x + np.concatenate(heads, axis=1) @ g["W_O"]
        x = x + gelu(rms_norm(x) @ g["W_1"]) @ g["W_2"]
    assert near(worked, "layer2.residual_2", x)


@pytest.mark.parametrize("path", but_slow(CASES, "stacked_pre_norm", "stacked_pre_norm_own"))
def test_numpy_agrees_and_every_entry_has_a_certified_decimal(path: Path) -> None:
    worked = work(path)
    assert worked.check.agrees
    assert all(
        entry is not None
        for step in worked.data(digits=30)["steps"]
        for row in step["decimal"]
        for entry in row
    )


def test_shared_weights_may_be_written_out_for_each_layer() -> None:
    text = (FOLDER / "stacked_post_norm.toml").read_text(encoding="utf-8")
    shared = "W_1 = [[-1], [1]]\nb_1 = [1]\nW_2 = [[1, 2]]\n"
    assert shared in text
    each = text.replace(shared, f"[given.layer1]\n{shared}[given.layer2]\n{shared}")
    one, two = (work(parse_case(each))["layer2.norm_2"], work(parse_case(text))["layer2.norm_2"])
    assert one == two


def test_rows_of_equal_tokens_are_proved_equal_in_the_second_layer() -> None:
    facts = work(FOLDER / "stacked_post_norm_own.toml").facts
    assert [fact.rows for fact in facts if (fact.kind, fact.name) == ("equal-rows", "layer2.Z")] == [(0, 2)]


@pytest.mark.parametrize(
    ("case", "name"),
    [
        ("stacked_pre_norm", "layer2.V"),
        pytest.param("stacked_post_norm", "layer2.norm_1", marks=pytest.mark.slow),
    ],
)
def test_what_the_json_writes_is_read_back_by_its_definitions(case: str, name: str) -> None:
    import sympy

    data = work(FOLDER / f"{case}.toml").data(digits=12, only=[name])
    assert len(data["definitions"]) >= 4
    known: dict[Any, Any] = {}
    for name, text in data["definitions"].items():
        known[sympy.Symbol(name)] = sympy.sympify(text).evalf(40, subs=known)
    (step,) = data["steps"]
    for exact, decimal in zip(step["exact"][0], step["decimal"][0], strict=True):
        assert abs(sympy.sympify(exact).evalf(40, subs=known) - sympy.Rational(decimal)) <= 0.5e-12


def test_short_entries_stay_in_closed_form() -> None:
    """Z of two keys is written out; a norm of it goes by its name, which the JSON of one layer resolves."""
    worked = work(FOLDER / "encoder_post_norm.toml")
    assert str(worked["residual_1"][0, 0].to_sympy()) == "(2 + E)/(1 + E)"
    assert str(worked["widened"][0, 0].to_sympy()) == "norm_1_0_0 + 2*norm_1_0_2"
    assert "definitions" not in worked.data(only=["widened", "norm_2"])


STATED = """
[[stated]]
name = "layer1.norm_2"
values = [[0.1626, -2.5959, 2.1353], [-1.4021, 1.7223, 1.5409], [0.1626, -2.5959, 2.1353]]
[[stated]]
name = "layer2.scores"
values = [[-5.9652, -0.3604, -5.9652], [3.9578, 0.2391, 3.9578], [-5.9652, -0.3604, -5.9625]]
"""


def test_a_number_of_the_second_layer_is_judged() -> None:
    case = (FOLDER / "stacked_post_norm_own.toml").read_text(encoding="utf-8")
    report = audit(parse_case(case + STATED))
    wrong = [judged for judged in report.judgements if judged.verdict != "correct"]
    assert [(j.printed.name, j.printed.row, j.printed.col, j.verdict) for j in wrong] == [
        ("layer2.scores", 2, 2, "slip")
    ]


def test_the_wrong_weights_of_a_layer_are_found_as_the_cause() -> None:
    """The keys of layer 2 multiplied by W_Q of layer 2: every entry of a row is its second column."""
    case = (FOLDER / "stacked_post_norm_own.toml").read_text(encoding="utf-8")
    stated = STATED.split("[[stated]]")[1] + '[[stated]]\nname = "layer2.K"\n'
    report = audit(parse_case(f"{case}\n[[stated]]{stated}values = [[-2.5959], [1.7223], [-2.5959]]\n"))
    assert [cause.slip for cause in report.causes] == ["weights-q-for-k"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("[given.layer3]\nW_Q = [[1], [0]]\n", "layer3.W_Q"),
        ("[given.layer1]\nX = [[1, 0], [0, 2]]\n", "layer1.X"),
        ("[given.layer1]\nW_Z = [[1]]\n", "layer1.W_Z"),
    ],
)
def test_a_layer_has_only_what_layers_have(given: str, message: str) -> None:
    text = (FOLDER / "stacked_post_norm.toml").read_text(encoding="utf-8")
    with pytest.raises(SymattnError, match=message):
        work(parse_case(text + given))


def test_certified_decimals_of_the_second_layer_at_a_hundred_places() -> None:
    """Two precisions of enclosure, one number: the digits agree as far as both go."""
    x = work(FOLDER / "stacked_pre_norm.toml")["layer2.residual_2"][0, 0]
    assert rounded(x, 100).digits.startswith(rounded(x, 60).digits[:-1])
