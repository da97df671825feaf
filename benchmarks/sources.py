"""How the five source documents are judged as they are: verdicts against labels, numeral by numeral.

    python benchmarks/sources.py FOLDER [--show]

The labels are in benchmarks/data/sources.toml; the documents are not part of this repository. A numeral that
is an operand of a working on its own line gets no verdict of its own where the working is judged as a whole.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.injection.score import Proportion
from benchmarks.judging import Audited, Spot, judged
from symattn.casefile.file_kinds import KINDS

LABELS = Path(__file__).resolve().parent / "data" / "sources.toml"
TRUTHS = ("right", "rounding", "carried", "slip", "copied")
VERDICTS = ("correct", "rounding", "carried", "slip", "undecided", "no verdict")
AGREES: Mapping[str, str] = {
    "right": "correct", "rounding": "rounding", "carried": "carried", "slip": "slip", "copied": "slip"
}  # fmt: skip
Label = tuple[str, str, str]
Confusion = Counter[tuple[str, str]]


def labels_of(results: Sequence[tuple[int, int, str, str, str]]) -> dict[Spot, Label]:
    """By place: what is printed, which entry it is, and what is true of it ("slip: why" if wrong)."""
    return {
        (line, column): (text, entry, truth if truth in TRUTHS else f"slip: {truth}")
        for line, column, text, entry, truth in results
    }


def confusion(labels: Mapping[Spot, Label], audited: Audited) -> tuple[Confusion, list[str]]:
    """How often each truth met each verdict, and the numerals on which they differ, in words."""
    counts: Confusion = Counter()
    differing = []
    for (line, column), (text, entry, truth) in labels.items():
        said = audited.said.get((line, column))
        verdict = said.verdict if said else "no verdict"
        kind = truth.partition(":")[0]
        counts[kind, verdict] += 1
        if verdict != AGREES[kind]:
            differing.append(f"  {line}:{column} {text} ({entry}) {truth} -> {verdict}")
    for (line, column), extra in audited.said.items():
        if extra.verdict == "slip" and (line, column) not in labels:
            differing.append(f"  {line}:{column} {extra.text} accused, though it has no label")
    return counts, differing


def table(counts: Confusion) -> Iterator[str]:
    """The confusion as a Markdown table, and the shares that follow from it."""
    yield "| truth \\ verdict | " + " | ".join(VERDICTS) + " |"
    yield "|---|" + "---:|" * len(VERDICTS)
    for truth in TRUTHS:
        yield f"| {truth} | " + " | ".join(str(counts[truth, verdict]) for verdict in VERDICTS) + " |"
    accused = sum(counts[truth, "slip"] for truth in TRUTHS)
    deserved = counts["slip", "slip"] + counts["copied", "slip"]
    without = sum(counts[truth, none] for truth in TRUTHS for none in ("undecided", "no verdict"))
    wrong = sum(counts["slip", verdict] for verdict in VERDICTS)
    yield ""
    yield f"judged {Proportion(counts.total() - without, counts.total())}"
    yield f"accusations right {Proportion(deserved, accused)}"
    yield f"wrong numbers found {Proportion(counts['slip', 'slip'], wrong)}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge the five source documents as they are.")
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--show", action="store_true", help="list the numerals on which label and verdict differ"
    )
    options = parser.parse_args()
    whole: Confusion = Counter()
    for note in tomllib.loads(LABELS.read_text(encoding="utf-8"))["note"]:
        file = options.folder / note["file"]
        audited = judged(file.read_text(encoding="utf-8"), file.name, KINDS[file.suffix])
        labels = labels_of(note["results"])
        counts, differing = confusion(labels, audited)
        whole += counts
        agree = sum(n for (truth, verdict), n in counts.items() if AGREES[truth] == verdict)
        print(f"{note['file']} ({note['about']}): {agree} of {len(labels)} labels and verdicts agree")
        if options.show:
            print(*differing, *audited.failures, sep="\n")
    print("", *table(whole), sep="\n")


if __name__ == "__main__":
    main()
