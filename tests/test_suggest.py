"""What a message offers instead of an unknown word."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.attention.runnable import asked
from symattn.auditor.audit import audit
from symattn.auditor.catalogue import CATALOGUE, checked_selectors, explain
from symattn.casefile.case_file import parse_case
from symattn.casefile.keys import given_keys
from symattn.casefile.overrides import overrides
from symattn.cli import cli
from symattn.exact.literal import read
from symattn.exact.number import Exact
from symattn.result import Worked, work
from symattn.text.bilingual import both
from symattn.text.errors import SymattnError
from symattn.text.suggest import MOST, instead, near

CASES = Path(__file__).parent.parent / "cases"
STEPS = ("X", "Q", "K", "V", "scores", "scaled", "exp", "sum", "A", "Z")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("skaled", ("scaled",)),
        ("a", ("A",)),
        ("Scores", ("scores",)),
        ("score", ("scores",)),
        ("nothing like it", ()),
        ("", ()),
    ],
)
def test_the_nearest_words_are_offered(word: str, meant: tuple[str, ...]) -> None:
    assert near(word, STEPS) == meant


def test_where_only_capitals_and_separators_differ_no_other_word_is_meant() -> None:
    assert near("w q", ("W_K", "W_Q", "Q")) == ("W_Q",)


def test_of_words_that_are_equally_near_the_first_five_are_offered() -> None:
    assert near("W_9", [f"W_{k}" for k in "ABCDEFGH"]) == ("W_A", "W_B", "W_C", "W_D", "W_E")


def test_a_remedy_says_where_the_words_are_listed_that_it_leaves_out() -> None:
    assert instead("skaled", STEPS, both("elsewhere")).en == "did you mean scaled? (elsewhere)"
    assert instead("softmax", STEPS, both("elsewhere")).en == "such as X, Q, K, V, scores; elsewhere"


def test_few_words_are_all_listed() -> None:
    assert (
        instead("lef", ("right", "left"), both("elsewhere")).en == "did you mean left? (one of: right, left)"
    )
    assert instead("up", ("right", "left"), both("elsewhere")).en == "one of: right, left"


def test_several_near_words_are_alternatives() -> None:
    assert (
        instead("SA21", ("SA2", "SA1", "B", "C", "D", "E"), both("more")).en
        == "did you mean SA2 or SA1? (more)"
    )


def test_a_page_in_place_of_a_word_is_refused_at_once() -> None:
    began = time.perf_counter()
    assert near("ab" * 5000, ["ba" * 5000] * 100) == ()
    assert time.perf_counter() - began < 0.5


@pytest.fixture(scope="module")
def headed() -> Worked:
    return work(CASES / "two_heads.toml")


SIX = "symbols = ['p', 'q', 'r', 's', 't', 'u']\n"
LAYERS = "[attention]\nheads = 4\nlayers = 3\nlayer = 'post-norm'\n"

UNKNOWN: Mapping[str, tuple[Callable[[], object], str]] = {
    "a key of [given]": (
        lambda: parse_case("[given]\nWQ = [[1]]\n"),
        "did you mean W_Q? (`symattn schema` lists all keys)",
    ),
    "a key of [given] of many layers": (
        lambda: parse_case("[given]\nfoo = [[1]]\n" + LAYERS),
        "such as X, W_Q, W_K, W_V, W_O; `symattn schema` lists all keys",
    ),
    "a key of [attention]": (
        lambda: parse_case("[given]\nX = [[1]]\n[attention]\nhead = 2\n"),
        "did you mean heads? (`symattn schema` lists all keys)",
    ),
    "a value of a key": (
        lambda: parse_case("[given]\nX = [[1]]\n[[statement]]\nkind = 'ordre'\nname = 'A'\n"),
        "did you mean order? (`symattn schema` lists all values)",
    ),
    "a key of --set": (
        lambda: overrides(["scal=1"]),
        "did you mean scale? (`symattn schema` lists all keys)",
    ),
    "a value of --set": (lambda: overrides(["positions=rop"]), "did you mean rope? (one of: none, sin"),
    "a name in an expression": (
        lambda: read("2*thet", {"theta": Exact.of(1)}),
        'did you mean theta? (add it to the symbols of the case: symbols = ["thet"])',
    ),
    "a name in an expression, unlike all others": (
        lambda: read("foo", {name: Exact.of(1) for name in "pqrstu"}),
        'add it to the symbols of the case: symbols = ["foo"]',
    ),
    "a function": (lambda: read("sqr(2)", {}), "did you mean sqrt? (a product needs its sign, sqr*(...))"),
    "a code": (
        lambda: explain("SA2O1"),
        "did you mean SA201? (`symattn explain` lists all codes)",
    ),
    "a selector": (
        lambda: checked_selectors(["X2"], "--select"),
        "`symattn explain` lists all codes; SA2 means all codes that begin with it, ALL means all",
    ),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_an_unknown_word_is_answered_by_few_known_ones(what: str) -> None:
    attempt, remedy = UNKNOWN[what]
    with pytest.raises(SymattnError) as caught:
        attempt()
    assert remedy in caught.value.remedy
    known = {*(key.name for key in given_keys(4, 3)), *CATALOGUE}
    assert sum(word.strip("?,;()`") in known for word in caught.value.remedy.split()) <= MOST


@pytest.mark.parametrize(
    ("step", "remedy"),
    [
        ("skores", "did you mean scores? (`symattn check CASE` lists all steps)"),
        ("head1.a", "did you mean head1.A? (`symattn check CASE` lists all steps)"),
        ("W_1", "such as "),
    ],
)
def test_an_unknown_step_is_answered_by_few_known_ones(headed: Worked, step: str, remedy: str) -> None:
    with pytest.raises(SymattnError) as caught:
        asked(headed.derivation.plan, [step])
    assert remedy in caught.value.remedy
    assert caught.value.remedy.count(", ") < MOST


def test_an_unknown_command_is_answered_by_the_nearest_one() -> None:
    refused = CliRunner().invoke(cli, ["audti", "notes.md"])
    assert refused.exit_code == 2
    assert "No such command 'audti'.\n  did you mean audit? (`symattn --help` lists all" in refused.output


def test_what_the_messages_refer_to_lists_everything(headed: Worked) -> None:
    run = CliRunner()
    schema = run.invoke(cli, ["schema"]).output
    assert [key.name for key in given_keys(1, 1) if f'"{key.name}"' not in schema] == []
    assert [code for code in CATALOGUE if code not in run.invoke(cli, ["explain"]).output] == []
    checked = run.invoke(cli, ["check", str(CASES / "two_heads.toml")]).output
    assert [line.name for line in headed.derivation.plan if line.name not in checked] == []


@pytest.mark.parametrize(
    ("name", "why", "zh"),
    [
        (
            "W_1",
            "the computation has no quantity W_1; it has W_Q, W_K, W_V and others, "
            "which `symattn check` lists",
            "推导中没有 W_1 这个量，有 W_Q, W_K, W_V 等，check 命令列出全部",
        ),
    ],
)
def test_a_number_stated_of_no_step_is_answered_by_few_steps(name: str, why: str, zh: str) -> None:
    text = (CASES / "thinking_machines.toml").read_text(encoding="utf-8")
    report = audit(parse_case(f'{text}\n[[stated]]\nname = "{name}"\nvalues = ["1"]\n'))
    left = report.unread[-1]
    assert (left.why.en, left.why.zh) == (why, zh)
