"""The styles of the styles benchmark say what they mean: numerals at their places, with their truth."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.injection.arithmetic import Undefined
from benchmarks.injection.truth import Truth
from benchmarks.injection.world import World
from benchmarks.notes.documents import Written, of_kind
from benchmarks.notes.draft import Draft
from benchmarks.notes.judging import judged
from benchmarks.notes.paper import Mark
from benchmarks.notes.score import Tally, count
from benchmarks.styles.families import FAMILIES, STYLES, documents

Matrix = npt.NDArray[Any]
HONEST = ("correct", "rounding", "undecided")  # undecided where the printed digits leave everything open
CLEAN, WRONG = 0, 1  # the numbers of a document without slips, and of one with a slip
every_style = pytest.mark.parametrize("name", STYLES)


@cache
def written(name: str, k: int) -> Written:
    """Document number k of a style, for all tests."""
    return STYLES[name].document(11, k)


def dishonest(document: Written) -> Iterator[Mark]:
    """The marks whose numeral is far from what NumPy makes of the inputs, or whose truth is no honest one.

    Authors round and truncate, step after step: what is left is far less than 5% of a quantity's largest
    entry, and than that of a LayerNorm whose deviation is small.
    """
    exact = recomputed(document.drafts[0].world)
    for mark in document.marks:
        name, i, j = mark.num.entry
        value, largest = exact[name][i, j], np.abs(exact[name]).max()
        far = abs(number(mark.num.text) - value) > 0.03 + 0.05 * largest
        label = mark.num.truth.label if mark.num.truth is not None else "correct"
        if far or label not in HONEST:
            yield mark


def number(text: str) -> float:
    """A numeral as a number, however it is spelled."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("{,}", ".").replace(",", ".")
    return float(plain.rstrip("\\%")) / (100 if plain.endswith("%") else 1)


def recomputed(world: World) -> dict[str, Matrix]:
    """Every quantity of a walk, with every digit of a float."""
    all_ = {name: np.array(rows, dtype=float) for name, rows in world.given.items()}
    if "PE" in world.shapes:
        (facts,) = (step.facts for step in world.steps if step.name == "PE")
        n, d = world.shapes["PE"]
        angles = [[(i + facts["start"]) / 10_000 ** (j // 2 * 2 / d) for j in range(d)] for i in range(n)]
        all_["PE"] = np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles))
        all_["X+PE"] = all_["X"] + all_["PE"]
    if "z" in all_:
        powers = all_["exp"] = np.exp(all_["z"])
        all_["sum"] = powers.sum(axis=1, keepdims=True)
        all_["A"] = powers / all_["sum"]
    if "W_1" in all_:
        all_["widened"] = all_["X"] @ all_["W_1"] + all_.get("b_1", 0)
        all_["active"] = np.maximum(all_["widened"], 0)
        all_["ffn"] = all_["active"] @ all_["W_2"] + all_.get("b_2", 0)
    if not any(name.endswith("scores") for name in world.shapes):
        return all_
    for tag in ("head1.", "head2.") if "concat" in world.shapes else ("",):
        attend(all_, tag, world)
    if "concat" in world.shapes:
        all_["concat"] = np.hstack([all_["head1.Z"], all_["head2.Z"]])
        all_["output"] = all_["concat"] @ all_["W_O"]
    if "residual_1" in world.shapes:
        x = all_["residual_1"] = all_["X"] + all_["Z"]
        all_["norm_1.mean"] = x.mean(axis=1, keepdims=True)
        all_["norm_1.variance"] = x.var(axis=1, keepdims=True)
        all_["norm_1.deviation"] = x.std(axis=1, keepdims=True)
        all_["norm_1"] = (x - all_["norm_1.mean"]) / all_["norm_1.deviation"]
    return all_


def temper(all_: dict[str, Matrix], scaled: Matrix, world: World) -> Matrix:
    """The scaled scores over the temperature, where there is one."""
    tenths = [step.facts["tenths"] for step in world.steps if step.kind == "temper"]
    if tenths:
        scaled = all_["tempered"] = scaled / (tenths[0] / 10)
    return scaled


def attend(all_: dict[str, Matrix], tag: str, world: World) -> None:
    """One head, put in with its names."""
    for name in "QKV":
        if f"{tag}W_{name}" not in all_:
            continue
        x = all_.get("X+PE", all_["X"])
        source = x if name == "Q" or "memory" not in all_ else all_["memory"]
        weights = all_[f"{tag}W_{name}"]
        made = source @ (weights.T if world.weights == "transposed" else weights)
        made = made + all_.get(f"b_{name}", 0)
        if name != "Q" and f"past_{name}" in all_:
            all_[f"new_{name}"], made = made, np.vstack([all_[f"past_{name}"], made])
        all_[tag + name] = made
    q, k, v = (all_[tag + name] for name in "QKV")
    scores = all_[f"{tag}scores"] = q @ k.T
    scaled = all_[f"{tag}scaled"] = scores / (np.sqrt(k.shape[1]) if world.scale != "1" else 1)
    hidden = np.array([[world.hides(i, j) for j in range(len(k))] for i in range(len(q))])
    scaled = temper(all_, scaled, world)
    powers = all_[f"{tag}exp"] = np.where(hidden, 0, np.exp(scaled))
    total = all_[f"{tag}sum"] = powers.sum(axis=1, keepdims=True)
    all_[f"{tag}A"] = powers / total
    all_[f"{tag}Z"] = all_[f"{tag}A"] @ v
    all_["sqrt(d_k)"] = np.array([[np.sqrt(k.shape[1])]])


@every_style
def test_every_numeral_stands_at_the_place_of_its_mark(name: str) -> None:
    for document in (written(name, CLEAN), written(name, WRONG)):
        lines = document.text.split("\n")
        assert document.marks
        for mark in document.marks:
            assert lines[mark.line - 1][mark.column - 1 :].startswith(mark.num.text), mark
        assert not any("\ue000" <= c <= "\uf8ff" for c in document.text)  # no token is left over


def test_every_style_has_a_name_of_its_own_and_documents_hang_on_seed_and_number_alone() -> None:
    styles = [style for family in FAMILIES.values() for style in family]
    assert len(styles) == len(STYLES)
    assert styles[0].document(3, 5).text == styles[0].document(3, 5).text != styles[0].document(4, 5).text


@every_style
def test_the_numbers_of_a_clean_document_are_honest(name: str) -> None:
    document = written(name, CLEAN)
    assert document.clean
    assert not list(dishonest(document))


def test_a_wrong_number_in_a_clean_document_would_be_noticed() -> None:
    """The recomputation sees a changed numeral, and a truth that says slip of a right one."""
    document = written("md blog", CLEAN)
    mark = next(m for m in document.marks if m.num.role == "result" and m.num.entry[0] == "A")
    rest = tuple(m for m in document.marks if m is not mark)
    wrong = replace(mark, num=replace(mark.num, text="7.77"))
    called = replace(mark, num=replace(mark.num, truth=Truth("slip")))
    assert list(dishonest(replace(document, marks=(*rest, wrong)))) == [wrong]
    assert list(dishonest(replace(document, marks=(*rest, called)))) == [called]


@every_style
def test_a_document_with_a_slip_has_numbers_that_do_not_follow(name: str) -> None:
    document = written(name, WRONG)
    assert not document.clean
    assert list(dishonest(document))


@pytest.mark.parametrize("names", [[*STYLES][::5], pytest.param([*STYLES], marks=pytest.mark.slow)], ids=len)
def test_a_small_run_has_no_crash(names: list[str]) -> None:
    tally = Tally()
    for _, document in documents(1, 13, names):
        count(tally, document, judged(document.text, document.name, document.kind))
    assert tally.documents == len(names)
    assert not tally.failures


@pytest.mark.parametrize("drawn", [STYLES["md blog"].document, partial(of_kind, "one query")])
def test_an_example_that_its_reader_cannot_go_on_from_is_drawn_anew(
    drawn: Callable[[int, int], Written], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From what dots leave over an exponential may grow too large to print."""
    seen, calls = Draft.seen, list[int]()

    def once(self: Draft, marks: Sequence[Mark]) -> tuple[Mark, ...]:
        calls.append(len(marks))
        if len(calls) == 1:
            raise Undefined("too large to print")
        return seen(self, marks)

    monkeypatch.setattr(Draft, "seen", once)
    assert drawn(3, 1).marks
    assert len(calls) > 1
