"""What a case says without an effect is refused, in one message that says what is in the way or missing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from command import symattn

from symattn.attention.recipes.attention import attention, forward
from symattn.casefile.case_file import parse_case
from symattn.plans.plan import missing
from symattn.result import work
from symattn.text.errors import SymattnError

X = "[given]\nX = [[1, 2], [3, 4]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [1, 1]]\nW_V = [[1, 0], [0, 2]]\n"
QKV = "[given]\nQ = [[1, 2], [3, 4]]\nK = [[1, 2], [3, 5]]\nV = [[1], [2]]\n"
FOUR = "[given]\nQ = [[1, 2, 3, 4]]\nK = [[1, 2, 3, 4]]\nV = [[1]]\n"
MASKED = "[given]\nmasked = [[1, 2], [3, 4]]\nV = [[1], [2]]\n"
FEED = "W_1 = [[1, 0], [0, 1]]\nW_2 = [[1, 0], [1, 1]]\n"
A = "[attention]\n"

IDLE = [
    # a setting that another one, or what is given, leaves without an effect
    (QKV + A + "positions = 'rope'\nangles = [1]\nrotary = 2", "rotary = 2 has no effect with angles"),
    (FOUR + A + "positions = 'rope'\nangles = [1, 2]\nrotary_base = 5", "no effect with angles"),
    (QKV + A + "kernel = 'relu'\nbase = 2", 'base = "2" has no effect with kernel = "relu"'),
    (QKV + A + "kernel = 'relu'\nscale = '1/2'", 'scale = "1/2" has no effect with kernel = "relu"'),
    (QKV + A + "mask = 'causal'\nwindow_right = 3", 'no effect with mask = "causal"'),
    (MASKED + A + "mask = 'causal'\nsoftcap = 2", 'softcap = "2" has no effect: it changes capped, which is'),
    ('"X+PE" = [[1, 2], [3, 4]]\n'.join((X, A + "positions = 'sinusoidal'\nstart = 3")), "with X+PE given"),
    # a setting that belongs to another one
    (QKV + A + "qk_norm = 'rms'\nepsilon = '1/4'", 'or add layer = "post-norm" or "pre-norm"'),
    (X + A + "slopes = [1]", 'slopes has no effect on this case\n  leave it out, or add positions = "alibi"'),
    (X + A + "pairs = 'half'", 'or add positions = "sinusoidal" or "rope" (pairs: '),
    (X + A + "rotary = 2", 'or add positions = "rope"'),
    (X + A + "start = 3", 'or add positions = "sinusoidal" or "rope"'),
    (X + A + "align = 'top-left'", 'align = "top-left" has no effect on this case'),
    (X + A + "block = 2", 'or add evaluation = "online"'),
    (X + A + "norm = 'rms'", 'or add layer = "post-norm" or "pre-norm"'),
    (X + A + "activation = 'gelu'", 'or add layer = "post-norm" or "pre-norm"'),
    (X + A + "positions = 'sinusoidal'\nd_model = 4", "where no X is given to take it from"),
    (X + A + "tokens_as = 'columns'\nstart = 3", 'or add positions = "sinusoidal" or "rope"'),
    # a given that no step takes
    (X + FEED + "beta_1 = [1, 1]\n" + A + "layer = 'post-norm'\nnorm = 'rms'", 'or add norm = "layer"'),
    (X + FEED + A + "layer = 'residual'", "W_1 and W_2 are given, and no step of this case takes them\n"),
    (X + "gamma_1 = [1, 2]\n" + A + "layer = 'residual'", 'or add layer = "post-norm" or "pre-norm"'),
    (X + "b_O = [1, 2]\n", "leave it out, or add W_O under [given] (b_O: the bias of the output"),
    (X + "relative = [1, 2, 3]\n", 'or add positions = "relative"'),
    (X + "PE = [[1, 2], [3, 4]]\n", 'or add positions = "sinusoidal"'),
    (X + "target = [[1]]\n" + A + "loss = 'sum'", 'or add loss = "squared" or "cross-entropy"'),
    (X + "concat = [[1, 2], [3, 4]]\n", "or add heads = 2"),
    (X + "Z = [[1, 2], [3, 4]]\n" + A + "heads = 2", "or add heads = 1"),
    # sinks that are neither one for each head nor one for all
    (X + "sink = [1, 2, 3]\n" + A + "heads = 2", "3 sinks for 2 heads"),
    (X + "sink = [1, 2]\n", "2 sinks for 1 head\n  one sink"),
    # rows that steps and blocks would leave out
    ("[given]\nQ = [[1]]\nK = [[1]]\nV = [[1], [2]]\n" + A + "evaluation = 'online'", "V is 2×1, so A V"),
    (
        "[given]\nQ = [[1]]\nK = [[1]]\nV = [[1], [2]]\n" + A + "mask = 'causal'\nevaluation = 'cached'",
        "V is 2",
    ),
]


@pytest.mark.parametrize(("text", "words"), IDLE)
def test_what_has_no_effect_is_refused_with_its_place_and_what_would_work(text: str, words: str) -> None:
    with pytest.raises(SymattnError) as refused:
        work(parse_case(text, "c.toml"))
    assert words in str(refused.value)
    assert refused.value.file == "c.toml"
    assert refused.value.line is not None


@pytest.mark.parametrize(
    "text",
    [
        X + A + "kv_heads = 1",  # what is so anyway is no setting in vain
        QKV + A + "positions = 'rope'\nrotary = 2",
        X + A + "mask = 'causal'\nwindow_left = 4096",
        X + A + "mask = 'causal'\npadding = [1, 1]",
        X + A + "mask = 'causal'\nwindow_right = 0",  # both say the same
        QKV + A + "weights = 'transposed'",  # how a source writes its matrices
        QKV + "X = [[1]]\nW_Q = [[1]]\n",  # what a later given replaces is a warning
        X + "scores = [[1, 2], [3, 4]]\n" + A + "layers = 2",
        # what happens to change nothing at these sizes, and would at others
        QKV + A + "positions = 'rope'\nrotary_base = 500000",  # one pair of columns has the angle 1
        FOUR + A + "positions = 'rope'\nrotary_base = 500000\nrotary = 2",
        X + A + "tokens_as = 'columns'\npositions = 'rope'\nrotary_base = 500000",
        QKV + A + "mask = 'causal'\nalign = 'bottom-right'",  # as many queries as keys
        X + A + "mask = 'causal'\npadding = [1, 0]\nalign = 'bottom-right'",
        FOUR + A + "mask = 'causal'\nwindow_left = 4096",
        X + "dZ = [[1, 2], [3, 4]]\n" + A + "positions = 'rope'\nrotary_base = 500000",
        FOUR + A + "evaluation = 'online'\nblock = 2",
    ],
)
def test_what_is_honoured_and_what_a_later_given_replaces_is_not_refused(text: str) -> None:
    work(parse_case(text))


@pytest.mark.parametrize("verb", ["derive", "check", "audit"])
def test_a_command_refuses_with_exit_status_2_and_one_message(verb: str, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(X + "b_O = [1, 2]\n[[stated]]\nname = 'Q'\nvalues = [[1, 2], [3, 4]]\n", encoding="utf-8")
    found = symattn(verb, file)
    assert found.returncode == 2
    assert f"{file}:6:7: given.b_O: b_O is given, and no step of this case takes it" in found.stderr


DEEP = X + "{}[attention]\nlayers = 64\nmask = 'causal'\npositions = 'rope'\npairs = 'half'\nsoftcap = 2\n{}"


def test_many_layers_are_looked_through_at_once() -> None:
    began = time.monotonic()
    for more in (("", "block = 2\n"), ("b_O = [1, 2]\n", "")):
        with pytest.raises(SymattnError, match=r"no effect on this case|no step of this case"):
            work(parse_case(DEEP.format(*more)))
    assert time.monotonic() - began < 5


def test_what_many_layers_miss_is_named_at_once() -> None:
    case = parse_case(DEEP.format("", "").replace("W_V", "memory"))
    assert missing(forward(case), case.given, "layer64.Z") == ("W_V",)
    with pytest.raises(SymattnError, match="nothing can be computed"):
        attention(parse_case("[given]\nX = [[1, 2]]\n[attention]\nlayers = 64\n"))
