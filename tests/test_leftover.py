"""What is given in vain and a result that is not reached, with what it needs, are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.attention.recipes.leftover import Leftover
from symattn.casefile.case_file import parse_case
from symattn.cli import cli
from symattn.result import work
from symattn.text.errors import UnusableValue

QK = "[given]\nX = [[1, 2], [3, 4]]\nW_Q = [[1], [0]]\nW_K = [[1], [1]]\n"
PAST = "past_K = [[1]]\npast_V = [[2]]\n"
QKV = "[given]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (QK + "W_V = [[1], [1]]\n", Leftover()),
        (QK, Leftover("Z", ("W_V",))),
        (QK + "W_O = [[1]]\n", Leftover("output", ("W_V",), ("W_O",))),
        (QK + "[attention]\nlayers = 2\n", Leftover("layer2.Z", ("W_V",))),
        ("[given]\nscores = [[1, 2]]\n[attention]\nscale = '1'\n", Leftover("Z", ("V",))),
        (QKV + PAST, Leftover(unused=("past_K", "past_V"))),
        (QKV + "X = [[1]]\nW_Q = [[1]]\n", Leftover(unused=("X", "W_Q"))),
        ("[given]\nA = [[1]]\nV = [[1]]\nb_V = [1]\n", Leftover(unused=("b_V",))),
    ],
)
def test_every_given_is_used_or_named_and_what_is_missing_is_named(text: str, expected: Leftover) -> None:
    assert work(parse_case(text)).leftover == expected


def test_tokens_as_columns_leave_over_the_same() -> None:
    columns = QK.replace("W_Q = [[1], [0]]", "W_Q = [[1, 0]]").replace("W_K = [[1], [1]]", "W_K = [[1, 1]]")
    text = f'{columns}W_O = [[1]]\n[attention]\ntokens_as = "columns"\n'
    assert work(parse_case(text)).leftover == Leftover("output", ("W_V",), ("W_O",))


def test_page_and_json_say_it_in_both_languages() -> None:
    worked = work(parse_case(QK + "W_O = [[1]]\n"))
    assert "O was not computed: that would need W_V." in worked.text()
    assert "Given but not used: W_O." in worked.text()
    assert "未计算 O：还需要给出 W_V。" in worked.text(lang="zh")
    data = worked.data()
    assert data["not_computed"] == {"name": "output", "needs": ["W_V"]}
    assert data["unused"] == ["W_O"]


TWO = "[given]\nQ = [[1, 2], [0, 1]]\nK = [[1, 0], [1, 1]]\nV = [[1], [2]]\n[attention]\n"


@pytest.mark.parametrize(
    ("settings", "key", "words"),
    [
        ('scale = "sqrt(d_k)"', "scale", 'to divide by it, write scale = "1/sqrt(d_k)"'),
        ('scale = "d_k**0.5"', "scale", 'write scale = "1/(d_k**0.5)"'),
        ("scale = 1.41", "scale", 'write scale = "1/1.41"'),
        ('scale = "d_k"', "scale", 'write scale = "1/d_k"'),
        ('base = 100\npositions = "rope"', "base", "that of the angles of rope is rotary_base = 10000"),
    ],
)
def test_a_key_that_is_probably_meant_otherwise_is_a_warning(settings: str, key: str, words: str) -> None:
    worked = work(parse_case(f"{TWO}{settings}\n"))
    (caution,) = worked.cautions
    assert (caution.key, caution.kind) == (f"attention.{key}", "warning")
    assert words in caution.words.en
    assert words in " ".join(worked.text().split())
    assert worked.data()["cautions"] == [
        {"key": f"attention.{key}", "kind": "warning", "message": caution.words.en}
    ]


def test_the_base_of_the_softmax_is_held_apart_from_that_of_a_sinusoidal_encoding() -> None:
    (caution,) = work(parse_case(QK + '[attention]\npositions = "sinusoidal"\nbase = 100\n')).cautions
    assert "base = 100 is the base of the softmax, not of the sinusoidal encoding" in caution.words.en


@pytest.mark.parametrize(
    "settings",
    [
        'scale = "1/sqrt(d_k)"',
        'scale = "2"',  # a number that is not the root of d_k
        'scale = "log(n)/sqrt(d_k)"',
        'scale = "sqrt(d_k)"\nqk_norm = "unit"',
        'scale = "a"',
        'base = 2\npositions = "rope"\nrotary_base = 10000',
        'base = 2\npositions = "rope"\nangles = [1]',
        "base = 2",
    ],
)
def test_a_key_that_leaves_no_doubt_is_no_warning(settings: str) -> None:
    assert work(parse_case(f'symbols = ["a"]\n{TWO}{settings}\n')).cautions == ()


@pytest.mark.parametrize("verb", ["derive", "check"])
def test_the_command_warns_on_standard_error_with_the_place(verb: str, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(QK + "W_O = [[1]]\n", encoding="utf-8")
    found = CliRunner().invoke(cli, [verb, str(file)])
    assert found.exit_code == 0
    assert f"symattn: {file}: warning: output was not computed: that would need W_V" in found.stderr
    assert f"symattn: {file}:5:7: warning: W_O is given but not used" in found.stderr


@pytest.mark.parametrize(
    ("evaluation", "more"),
    [
        ("cached", "scores = [[1]]"),
        ("cached", "scaled = [[1]]"),
        ("online", "A = [[1]]"),
        ("linear", "A = [[1]]"),
    ],
)
def test_what_an_evaluation_by_steps_or_blocks_does_not_start_from_is_refused(
    evaluation: str, more: str
) -> None:
    """The direct evaluation starts from it: both would not make the same, nor have the same gradients."""
    kernel = 'kernel = "relu"' if evaluation == "linear" else 'mask = "causal"'
    text = f'{QKV}{more}\n[attention]\nevaluation = "{evaluation}"\nscale = "1"\n{kernel}\n'
    with pytest.raises(UnusableValue, match="does not start from") as refused:
        work(parse_case(text))
    assert refused.value.line == 5


def test_the_command_warns_of_a_scale_that_multiplies_at_its_place(tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(f'{TWO}scale = "sqrt(d_k)"\n', encoding="utf-8")
    english = CliRunner().invoke(cli, ["check", str(file)])
    assert f'symattn: {file}:6:9: warning: scale = "sqrt(d_k)" multiplies the scores' in english.stderr
    chinese = CliRunner().invoke(cli, ["check", str(file), "--lang", "zh"])
    assert '警告：scale = "sqrt(d_k)" 是乘在得分上的因子' in chinese.stderr
