"""Judging documents one after the other, and printing what was counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.injection.score import counted_as
from benchmarks.notes.documents import Written
from benchmarks.notes.judging import Audited, judged
from benchmarks.notes.score import ACCUSING, Tally, confusion, count, spots, table, why_unread

Judge = Callable[[Written], Audited]


def by_reading(document: Written) -> Audited:
    """What `symattn audit` says of the document."""
    return judged(document.text, document.name, document.kind)


def measure(
    documents: Iterable[tuple[str, Written]],
    seed: int,
    judge: Judge = by_reading,
    folder: Path | None = None,
    show: bool = False,
    *,
    by_hand: bool = False,
) -> None:
    """Judge documents, each with the name of a group that it is also counted in (or ""); print the tables.

    `by_hand` tells them apart by the group alone, the kind of slip that is in them.
    They are written into the folder, if there is one; `show` lists false accusations and common misses.
    """
    tallies: dict[str, Tally] = {}
    whole, seconds, characters = Tally(), 0.0, 0
    for group, document in documents:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / document.name).write_text(document.text, encoding="utf-8")
        start = time.perf_counter()
        audited = judge(document)
        seconds += time.perf_counter() - start
        characters += len(document.text)
        for name in (group, "" if by_hand else document.form):
            if name:
                count(tallies.setdefault(name, Tally()), document, audited)
        count(whole, document, audited)
        if show:
            _show(document, audited)
    tallies["all"] = whole
    print(f"{whole.documents} documents, seed {seed}, {characters} characters, {seconds:.1f} s\n")
    print("\n".join(table(tallies, by_hand=by_hand)))
    print()
    print("\n".join(confusion(whole)))
    print(f"\ncrashes: {sum(whole.failures.values())}")
    for failure, times in whole.failures.most_common() if show else ():
        print(f"failed {times} times: {failure}")
    if show:
        for form, tally in tallies.items():
            for why, times in tally.missed.most_common(12):
                print(f"missed in {form}: {times} × {why}")


def _show(document: Written, audited: Audited) -> None:
    """Print what is accused without being wrong, what is carried and called a slip, the slips missed."""
    lines = document.text.split("\n")
    for mark in document.marks:
        num = mark.num
        if num.role != "result" or num.truth is None or num.truth.label != "slip":
            continue
        said = next((audited.said[spot] for spot in spots(mark) if spot in audited.said), None)
        if said is None or counted_as(said.verdict, "slip", said.together) != "slip":
            print(
                f"missed slip: {document.name}:{mark.line}:{mark.column} {document.form} {num.entry}"
                f" {num.text} {num.truth.mistake and num.truth.mistake.code} possible {num.truth.possible}"
                f" said {said or why_unread(mark, audited)} | {lines[mark.line - 1].strip()[:160]}"
            )
    known = {spot: mark for mark in document.marks for spot in spots(mark)}
    for spot, said in audited.said.items():
        mark = known.get(spot)
        label = mark.num.truth.label if mark is not None and mark.num.truth is not None else "no claim"
        verdict = counted_as(said.verdict, label, said.together)
        wrongly = label not in (*ACCUSING, "undecided") if verdict == "carried" else label != "slip"
        if verdict in ACCUSING and wrongly:
            print(
                f"accused: {document.name}:{spot[0]}:{spot[1]} {document.form} {said}"
                f" truth {label} {mark and mark.num.entry} | {lines[spot[0] - 1].strip()[:160]}"
            )
    for remark in audited.remarks if document.clean else ():
        print(f"remark: {document.name} {remark}")
