"""Judging anew under another supposition: what it does not reach stands, and nothing comes out otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from flint import fmpq
from msgspec.structs import replace

from symattn.attention.case import Case, Claim
from symattn.attention.recipes.attention import attention, values
from symattn.auditor.claims import extended, printed_numbers
from symattn.auditor.judging.baseline import Baseline
from symattn.auditor.judging.judge import Judged, judge
from symattn.auditor.judging.supposed import NOTHING, Supposed
from symattn.casefile.file_kinds import kind_of
from symattn.exact.number import Exact
from symattn.exact.weighted import Weighted
from symattn.notes.documents import read_notes
from symattn.plans.derive import derive
from tests.audit_cases import Rows, case, stated

GIVEN: dict[str, Rows] = {
    "X": [["1", "0"], ["0", "1"]],
    "W_Q": [["1", "2"], ["0", "1"]],
    "W_K": [["1", "1"], ["2", "0"]],
    "W_V": [["2", "0"], ["1", "3"]],
}
WRONG_Q = stated("Q", [["2", "2"], ["0", "1"]])  # Q is [[1, 2], [0, 1]]
SCORES = stated("scores", [["3", "4"], ["1", "0"]])  # one from the right Q, one from the printed
A = stated("A", [["0.27", "0.73"], ["0.73", "0.27"]])
WORKED = stated("Z", [["1.25"]], work="0.27*2 + 0.73*1")  # which is 1.27
Z = stated("Z", [["1.27", "2.19"], ["1.73", "0.84"]])  # 0.81 is right for the last


def baseline(*claims: Claim) -> Baseline:
    return ground_of(case(GIVEN, *claims))


def ground_of(source: Case) -> Baseline:
    plan, ways = extended(source, attention(source))
    given = values(source)
    known = {**given, **derive(plan, given).values}
    printed, _ = printed_numbers(source, {name: matrix.shape for name, matrix in known.items()})
    return Baseline.of(plan, ways, given, known, printed)


def verdicts(judged: Judged) -> list[tuple[str, str | None, str, int | None]]:
    return [(each.verdict, each.code, each.note, each.root) for each in judged.judgements]


@pytest.mark.parametrize(
    "claims",
    [
        (WRONG_Q, SCORES, A, WORKED, Z),
        (WRONG_Q, A, Z),
        (WRONG_Q, SCORES, stated("Q", [["1", "2"], ["0", "3"]]), A, Z, stated("scores", [["4", "4"]])),
    ],
)
@pytest.mark.parametrize("meant", [None, Exact.of(5)])
def test_what_is_judged_anew_comes_out_as_what_is_judged_from_the_beginning(
    claims: tuple[Claim, ...], meant: Exact | None
) -> None:
    source = baseline(*claims)
    first = judge(source)
    numbers = range(len(source.printed))
    suppositions = [
        *(Supposed(typos={index: meant}) for index in numbers),
        *(Supposed(typos={0: meant}, wrong=frozenset((index,)), odd=bool(meant)) for index in numbers),
        Supposed(truncates=True),
        *(Supposed(cut=frozenset(names)) for names in (("Q",), ("scores",), ("A",), ("A", "Z"))),
        Supposed(divisor=fmpq(7, 5)),
        Supposed(divisor=fmpq(7, 5), cut=frozenset(("A",))),
    ]
    for supposed in suppositions:
        anew = judge(source, supposed, before=first)
        assert verdicts(anew) == verdicts(judge(source, supposed)), supposed
        back = judge(source, NOTHING, before=anew)
        assert verdicts(back) == verdicts(first), supposed


def test_a_misprint_leaves_alone_the_rows_that_do_not_rest_on_it() -> None:
    source = baseline(WRONG_Q, SCORES, A, Z)
    first = judge(source)
    anew = judge(source, Supposed(typos={0: None}), before=first)
    stands = {
        each.printed.at[:3]
        for was, each in zip(first.judgements, anew.judgements, strict=True)
        if was is each
    }
    assert {("scores", 1, 0), ("scores", 1, 1), ("A", 1, 0), ("Z", 1, 1)} <= stands
    assert ("scores", 0, 0) not in stands


def test_a_quantity_that_nothing_reaches_is_not_walked_again() -> None:
    source = baseline(WRONG_Q, SCORES, A, Z)
    first = judge(source)
    anew = judge(replace(source), Supposed(typos={0: None}), before=first)
    same = [
        name
        for name, settled in anew.evaluations.settled.items()
        if settled is first.evaluations.settled[name]
    ]
    assert same == ["X", "W_Q", "W_K", "W_V", "K", "V"]


def test_a_quantity_that_was_cut_off_reaches_what_follows_it_and_nothing_else() -> None:
    source = baseline(WRONG_Q, SCORES, A, Z)
    first = judge(source)
    anew = judge(source, Supposed(cut=frozenset(("A",))), before=first)
    same = {
        name
        for name, settled in anew.evaluations.settled.items()
        if settled is first.evaluations.settled[name]
    }
    assert {"X", "Q", "K", "V", "scores"} <= same
    assert not {"A", "Z"} & same


def test_the_ways_to_a_right_number_are_not_looked_up() -> None:
    right = stated("scores", [["3", "2"], ["1", "0"]])
    judged = judge(baseline(right, stated("A", [["0.73", "0.27"], ["0.73", "0.27"]])))
    assert {each.verdict for each in judged.completed().judgements} == {"correct"}
    seen = judged.evaluations.settled["A"].local.seen
    assert isinstance(seen, Weighted)
    assert not seen._entries


DOCUMENTS = (
    pytest.param("zh_mask.md", marks=pytest.mark.slow),
    pytest.param("zh_heads.md", marks=pytest.mark.slow),
    "en_readme_ascii.md",
    "en_versus.txt",
    "es_some_rows.md",
)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_judging_anew_agrees_with_judging_all_on_documents(name: str) -> None:
    text = (Path(__file__).parent / "documents" / name).read_text(encoding="utf-8")
    (source, *_) = read_notes(text, name, kind_of(name)).cases
    read = ground_of(source)
    first = judge(read)
    numbers = range(len(read.printed))
    for index in numbers[:: max(len(numbers) // 10, 1)]:
        for supposed in (
            Supposed(typos={index: None}),
            Supposed(typos={index: Exact.of(3)}, odd=False),
            Supposed(wrong=frozenset({index, numbers[index - 1]})),
            Supposed(cut=frozenset({read.printed[index].name})),
            Supposed(cut=frozenset({read.printed[index].name}), divisor=fmpq(7, 5)),
            Supposed(divisor=fmpq(7, 10)),
        ):
            anew = judge(read, supposed, before=first)
            assert verdicts(anew) == verdicts(judge(read, supposed)), supposed
