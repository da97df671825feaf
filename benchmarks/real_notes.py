"""How good reader and auditor are on public notes: a folder of texts, judged against labels made by hand.

    python benchmarks/real_notes.py FOLDER [--show]

The labels are in benchmarks/data/real_notes.toml: for each note its address and, for every computed
number, its place and whether it is right. The texts are not part of this repository; a note whose file is
not in the folder is left out and counted as such.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.injection.score import Proportion
from benchmarks.notes.judging import Audited, judged

LABELS = Path(__file__).resolve().parent / "data" / "real_notes.toml"
MEASURES = ("coverage", "slip precision", "slip recall", "right numbers accused")


class Tally:
    """What is counted for one note or for all."""

    def __init__(self) -> None:
        self.of = {name: Proportion() for name in MEASURES}

    def count(self, labels: dict[tuple[int, int], tuple[str, str, str]], audited: Audited) -> list[str]:
        """Add one note; the lines that `--show` prints."""
        told = []
        for (line, column), (text, quantity, label) in labels.items():
            said = _said(audited, line, column, text)
            verdict = said.verdict if said else None
            right = label == "right"
            self.of["coverage"].add(verdict not in (None, "undecided"))
            if not right:
                self.of["slip recall"].add(verdict == "slip")
            if verdict is not None and right:
                self.of["right numbers accused"].add(verdict == "slip")
            if verdict == "slip":
                self.of["slip precision"].add(not right)
            if verdict is None:
                told.append(
                    f"  {line}:{column} {text} ({quantity}) not judged: {_why(audited, line, column)}"
                )
            elif (verdict == "slip") == right:
                told.append(
                    f"  {line}:{column} {text} ({quantity}) {verdict}, though {label}; taken for {said}"
                )
        known = set(labels) | {(line, column + 1) for line, column in labels}
        for spot, extra in audited.said.items():
            if extra.verdict == "slip" and spot not in known:
                self.of["slip precision"].add(False)
                told.append(
                    f"  {spot[0]}:{spot[1]} {extra.text} accused, though it is no result; taken for {extra}"
                )
        return told


def _said(audited: Audited, line: int, column: int, text: str):  # type: ignore[no-untyped-def]
    signed = audited.said.get((line, column + 1)) if text[:1] in "+-−" else None
    return audited.said.get((line, column)) or signed


def _why(audited: Audited, line: int, column: int) -> str:
    spot = line, column
    return audited.unread.get(spot) or "taken for no result"


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge public notes and compare with labels made by hand.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true", help="list what is missed and what is accused")
    options = parser.parse_args()
    whole, missing = Tally(), []
    print("| note | computed numbers | wrong | " + " | ".join(MEASURES) + " |")
    print("|---|---:|---:|" + "---|" * len(MEASURES))
    details: list[str] = []
    for note in tomllib.loads(LABELS.read_text(encoding="utf-8"))["note"]:
        file = options.folder / note["file"]
        if not file.exists():
            missing.append(note["file"])
            continue
        labels = {
            (line, column): (text, quantity, label) for line, column, text, quantity, label in note["results"]
        }
        audited = judged(file.read_text(encoding="utf-8"), file.name, "markdown")
        own = Tally()
        whole.count(labels, audited)
        details += [
            note["file"],
            *own.count(labels, audited),
            *(f"  failed: {why}" for why in audited.failures),
        ]
        wrong = sum(label != "right" for _, _, label in labels.values())
        shares = " | ".join(_share(own.of[name]) for name in MEASURES)
        print(f"| {file.stem} | {len(labels)} | {wrong} | {shares} |")
    print("| all | | | " + " | ".join(str(whole.of[name]) for name in MEASURES) + " |")
    if missing:
        print(f"\nnot in the folder: {', '.join(missing)}")
    if options.show:
        print("\n" + "\n".join(details))


def _share(proportion: Proportion) -> str:
    return f"{proportion.k} of {proportion.n}"


if __name__ == "__main__":
    main()
