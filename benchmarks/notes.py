"""How good the reader of notes is: random worked examples written as documents, read, judged, counted.

    python benchmarks/notes.py [--documents 400] [--seed 1] [--write FOLDER] [--show]

The numbers, the slips and their truth are those of the injection benchmark; the renderer knows the place
of every numeral. Intervals are Wilson's at 95%.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import chain
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.notes.documents import Written, documents, further
from benchmarks.notes.judging import Audited, judged, judged_by_oracle
from benchmarks.notes.kinds import KINDS
from benchmarks.notes.score import ACCUSING, Tally, confusion, count, spots, table


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the reader of notes on documents with known slips.")
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--further", type=int, default=0, help="documents of the further kinds")
    parser.add_argument("--kinds", nargs="+", default=tuple(KINDS), help="which of the further kinds")
    parser.add_argument("--write", type=Path, help="also write the documents into this folder")
    parser.add_argument("--oracle", action="store_true", help="link by the truth, to see the auditor alone")
    parser.add_argument("--show", action="store_true", help="list false accusations and the commonest misses")
    options = parser.parse_args()
    tallies: dict[str, Tally] = {}
    whole, seconds, characters = Tally(), 0.0, 0
    written = chain(
        documents(options.documents, options.seed), further(options.further, options.seed, options.kinds)
    )
    for document in written:
        if options.write:
            options.write.mkdir(parents=True, exist_ok=True)
            (options.write / document.name).write_text(document.text, encoding="utf-8")
        start = time.perf_counter()
        audited = (
            judged_by_oracle(document)
            if options.oracle
            else judged(document.text, document.name, document.kind)
        )
        seconds += time.perf_counter() - start
        characters += len(document.text)
        for tally in (tallies.setdefault(document.form, Tally()), whole):
            count(tally, document, audited)
        if options.show:
            _show(document, audited)
    tallies["all"] = whole
    print(f"{whole.documents} documents, seed {options.seed}, {characters} characters, {seconds:.1f} s\n")
    print("\n".join(table(tallies)))
    print()
    print("\n".join(confusion(whole)))
    print(f"\ncrashes: {sum(whole.failures.values())}")
    for failure, times in whole.failures.most_common() if options.show else ():
        print(f"failed {times} times: {failure}")
    if options.show:
        for form, tally in tallies.items():
            for why, times in tally.missed.most_common(12):
                print(f"missed in {form}: {times} × {why}")


def _show(document: Written, audited: Audited) -> None:
    """Print what is accused without being wrong."""
    known = {spot: mark for mark in document.marks for spot in spots(mark)}
    for spot, said in audited.said.items():
        mark = known.get(spot)
        label = mark.num.truth.label if mark is not None and mark.num.truth is not None else "no claim"
        if said.verdict in ACCUSING and label not in (*ACCUSING, "undecided"):
            print(
                f"accused: {document.name}:{spot[0]}:{spot[1]} {document.form} {said}"
                f" truth {label} {mark and mark.num.entry}"
            )
    for remark in audited.remarks if document.clean else ():
        print(f"remark: {document.name} {remark}")


if __name__ == "__main__":
    main()
