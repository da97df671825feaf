"""How well notes are read: random worked examples in the forms that people write, read, judged and counted.

    python benchmarks/random_documents.py --seed 7 --documents 200 [--clean] [--show] [--write FOLDER]

*judged*: printed results with a verdict. *accusations right*: accused numbers that are slips; of a number
that is said again, or that the printed digits leave open, an accusation counts only where it is false.
*found*: slips that are accused. Intervals are Wilson's at 95%.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.documents.page import Numeral
from benchmarks.documents.writer import Document, document
from benchmarks.injection.score import Proportion, counted_as, together
from symattn.casefile.file_kinds import KINDS
from symattn.notes.documents import document_reports

TRUTHS = ("correct", "rounding", "carried", "slip", "undecided", "copied", "given", "no number")
VERDICTS = ("correct", "rounding", "carried", "slip", "undecided", "unread")
LABELS = {"correct": "right"}


@dataclass
class Tally:
    """What is counted over all documents, or over those numbers that share a form or a slip."""

    judged: Proportion = field(default_factory=Proportion)
    right: Proportion = field(default_factory=Proportion)
    found: Proportion = field(default_factory=Proportion)
    evident: Proportion = field(default_factory=Proportion)


@dataclass
class Count:
    """A whole run."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    slips: dict[str, Proportion] = field(default_factory=dict)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    accused: Proportion = field(default_factory=Proportion)
    noticed: Proportion = field(default_factory=Proportion)
    crashes: Counter[str] = field(default_factory=Counter)


def verdicts(written: Document) -> dict[tuple[int, int], tuple[str, bool]]:
    """The verdict on the number at each place, and whether one finding about a convention stands for it."""
    kind = KINDS[Path(written.name).suffix]
    found: dict[tuple[int, int], tuple[str, bool]] = {}
    for report in document_reports(written.text, written.name, kind):
        convention = together(report)
        for number in report.judgements:
            if number.printed.place is not None:
                spot = number.printed.place.line, number.printed.place.column
                found.setdefault(spot, (number.verdict, number.printed.index in convention))
    return found


def count(run: Count, written: Document, show: bool) -> None:
    """Read a document, and add what was said of it."""
    try:
        said = verdicts(written)
    except Exception as error:  # a reader of notes never raises: this document is unread
        run.crashes[f"{type(error).__name__}: {error}"[:60]] += 1
        if show:
            print(f"crash: {written.name} {error!r}")
        said = {}
    lines, accusations, rightly = written.text.split("\n"), 0, 0

    def shown(what: str, line: int, column: int, numeral: Numeral | None) -> None:
        if show:
            mistake = numeral.truth.mistake.code if numeral is not None and numeral.truth.mistake else ""
            of = f"{numeral.entry} {numeral.label} {mistake}" if numeral is not None else "no number"
            print(f"{what}: {written.name}:{line}:{column} {of} | {lines[line - 1].strip()[:140]}")

    for numeral in written.numerals:
        spot = numeral.line, numeral.column
        if spot not in said and numeral.text[0] in "-−":
            spot = numeral.line, numeral.column + 1
        verdict, convention = said.pop(spot, ("unread", False))
        label = numeral.label
        verdict = counted_as(verdict, label, convention)
        run.confusion[label, verdict] += 1
        name = numeral.entry[0].rpartition(".")[2]
        form = written.forms.get(numeral.entry[0], "given")
        tallies = [run.tallies.setdefault(key, Tally()) for key in ("all", written.frame, form, f"{name}:")]
        if numeral.role != "result":
            tallies = tallies[:2]
        for tally in tallies:
            if numeral.role == "result":
                tally.judged.add(verdict not in ("unread", "undecided"))
            neither = label == "undecided" or (
                label == "copied" and numeral.truth.label in ("slip", "carried")
            )
            if verdict == "slip" and not neither:
                tally.right.add(label == "slip")
            if label == "slip":
                tally.found.add(verdict == "slip")
                if not numeral.truth.possible:
                    tally.evident.add(verdict == "slip")
        if verdict == "slip":
            accusations += 1
            rightly += label == "slip"
            if label != "slip":
                shown("accused", numeral.line, numeral.column, numeral)
        if label == "slip":
            code = (
                numeral.truth.mistake.code
                if numeral.truth.mistake
                else "made before, where nothing is printed"
            )
            run.slips.setdefault(code, Proportion()).add(verdict == "slip")
            if verdict != "slip":
                shown(f"missed, {verdict}", numeral.line, numeral.column, numeral)
        elif numeral.role == "result" and verdict in ("unread", "undecided"):
            shown(verdict, numeral.line, numeral.column, numeral)
    for (line, column), (verdict, _) in said.items():
        run.confusion["no number", verdict] += 1
        if verdict == "slip":
            accusations += 1
            for key in ("all", written.frame):
                run.tallies.setdefault(key, Tally()).right.add(False)
            shown("accused", line, column, None)
    if written.clean:
        run.accused.add(accusations > 0)
    else:
        run.noticed.add(rightly > 0)


def table(run: Count) -> list[str]:
    """The run as Markdown."""
    lines = [
        "| | judged | accusations right | wrong numbers found | of those that no honest author could print |",
        "|---|---|---|---|---|",
    ]
    for key, tally in sorted(
        run.tallies.items(), key=lambda item: (item[0] != "all", item[0].endswith(":"), item[0])
    ):
        lines.append(f"| {key} | {tally.judged} | {tally.right} | {tally.found} | {tally.evident} |")
    lines += [
        "",
        f"| truth \\ verdict | {' | '.join(map(_word, VERDICTS))} |",
        "|---|" + "---:|" * len(VERDICTS),
    ]
    lines += [
        f"| {_word(truth)} | {' | '.join(str(run.confusion[truth, verdict]) for verdict in VERDICTS)} |"
        for truth in TRUTHS
    ]
    lines += [
        "",
        "| slip | found |",
        "|---|---|",
        *(f"| {code} | {run.slips[code]} |" for code in sorted(run.slips)),
    ]
    lines += ["", f"clean documents accused: {run.accused}"]
    return [*lines, f"others of which a slip is found: {run.noticed}", f"crashes: {dict(run.crashes)}"]


def _word(label: str) -> str:
    return LABELS.get(label, label)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the reader of notes on random documents.")
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clean", action="store_true", help="documents without slips")
    parser.add_argument("--show", action="store_true", help="list what is accused falsely, missed, unread")
    parser.add_argument("--write", type=Path, help="also write the documents into this folder")
    options = parser.parse_args()
    run, start = Count(), time.perf_counter()
    for k in range(options.documents):
        written = document(options.seed, k, clean=options.clean)
        if options.write is not None:
            options.write.mkdir(parents=True, exist_ok=True)
            (options.write / written.name).write_text(written.text, encoding="utf-8")
        count(run, written, options.show)
    print(f"{options.documents} documents, seed {options.seed}, {time.perf_counter() - start:.0f} s\n")
    print("\n".join(table(run)))


if __name__ == "__main__":
    main()
