"""How good reader and auditor are on public notes: folders of texts, judged against labels made by hand.

    python benchmarks/real_notes.py FOLDER... [--set SET] [--show]
    python benchmarks/real_notes.py --list
    python benchmarks/real_notes.py FOLDER --copy CLONES

The labels are in benchmarks/data/real_notes, a file for each set: for each note its address and, for every
computed number, its place and whether it is right. Those called `held_out` were reported once before they
were used to find defects, and what they gave then stands at the head of their files. Those called `closed`
are never looked into: of them only totals are printed, with `--show` too. The texts are not part of this
repository: `--list` says which part of which file must be in a folder, and under which name, and `--copy`
cuts the parts whose address is known out of clones, each a folder CLONES/owner+name that `git -C` can read.
A note whose file is in no folder is left out and named.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.injection.score import Proportion
from benchmarks.judging import Audited, judged
from symattn.casefile.file_kinds import KINDS

LABELS = Path(__file__).resolve().parent / "data" / "real_notes"
SETS = (
    "first",
    "development",
    "held_out",
    "development2",
    "held_out2",
    "held_out3",
    "held_out4",
    "held_out5",
    "held_out6",
    "held_out7",
    "held_out8",
    "held_out9",
    "held_out10",
    "held_out11",
    "held_out12",
    "closed_en",
    "open_en",
    "closed_zh",
    "open_zh",
)
CLOSED = "closed"
"""How the name of a set begins that is never looked into: only its totals are printed."""
NEITHER = ("copied", "unclear")
"""A wrong number printed again, and what a text leaves open: an accusation is neither right nor false."""
PARTS = ("lines", "cells")
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
            if label in NEITHER:
                continue
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
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--set", choices=SETS, action="append", help="only this set (repeatable)")
    parser.add_argument("--show", action="store_true", help="list what is missed and what is accused")
    parser.add_argument("--list", action="store_true", help="say where each text comes from")
    parser.add_argument(
        "--copy", type=Path, metavar="CLONES", help="cut the texts out of clones into the folder"
    )
    options = parser.parse_args()
    for name in options.set or SETS:
        notes = notes_of(name)
        if options.copy:
            _copy(notes, options.copy, options.folders[0])
            continue
        print("\n".join(_list(notes) if options.list else _table(name, notes, options.folders, options.show)))


def notes_of(name: str) -> list[dict[str, Any]]:
    """The notes of a set: their addresses and labels."""
    notes: list[dict[str, Any]] = tomllib.loads((LABELS / f"{name}.toml").read_text(encoding="utf-8"))["note"]
    return notes


def _list(notes: list[dict[str, Any]]) -> Iterator[str]:
    for note in notes:
        yield f"{note['file']}: {note['about']}, of {_address(note)}"


def _address(note: Mapping[str, Any]) -> str:
    """Where the text of a note can be had: a page, or a file, of which the repository may not be known."""
    if "page" in note:
        return str(note["page"])
    if "repository" not in note:
        return f"a public file whose repository is not known ({note['id']})"
    part = "".join(f", {key} {note[key][0]} to {note[key][1]}" for key in PARTS if key in note)
    path = quote(note["path"])
    return f"https://github.com/{note['repository']}/blob/{note['commit']}/{path}{part}"


def part_of(text: str, note: Mapping[str, Any]) -> str:
    """The part of a file that a note is: `lines`, from 1, or `cells`, from 0; without either the whole."""
    if "lines" in note:
        first, last = note["lines"]
        return "\n".join(text.split("\n")[first - 1 : last]) + "\n"
    if "cells" in note:
        first, last = note["cells"]
        notebook = json.loads(text)
        notebook["cells"] = notebook["cells"][first : last + 1]
        return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    return text


def _copy(notes: list[dict[str, Any]], clones: Path, folder: Path) -> None:
    """Write the parts of the notes whose repository is among the clones."""
    for note in notes:
        clone = clones / note.get("repository", "").replace("/", "+")
        if "repository" in note and clone.exists():
            shown = ["git", "-C", str(clone), "show", f"{note['commit']}:{note['path']}"]
            text = subprocess.run(shown, capture_output=True, check=True).stdout.decode("utf-8")
            (folder / note["file"]).write_text(part_of(text, note), encoding="utf-8")


def _table(name: str, notes: list[dict[str, Any]], folders: list[Path], show: bool) -> Iterator[str]:
    whole = Tally()
    missing: list[str] = []
    details: list[str] = []
    yield f"\n### {name}\n"
    yield "| note | computed numbers | wrong | " + " | ".join(MEASURES) + " |"
    yield "|---|---:|---:|" + "---|" * len(MEASURES)
    for note in notes:
        file = next((folder / note["file"] for folder in folders if (folder / note["file"]).exists()), None)
        if file is None:
            missing.append(note["file"])
            continue
        labels = {
            (line, column): (text, quantity, label) for line, column, text, quantity, label in note["results"]
        }
        audited = judged(file.read_text(encoding="utf-8"), file.name, KINDS[file.suffix])
        own = Tally()
        whole.count(labels, audited)
        details += [
            note["file"],
            *own.count(labels, audited),
            *(f"  failed: {why}" for why in audited.failures),
        ]
        wrong = sum(label not in ("right", *NEITHER) for _, _, label in labels.values())
        shares = " | ".join(_share(own.of[name]) for name in MEASURES)
        if not name.startswith(CLOSED):
            yield f"| {file.stem} | {len(labels)} | {wrong} | {shares} |"
    yield "| all | | | " + " | ".join(str(whole.of[name]) for name in MEASURES) + " |"
    if missing:
        yield f"\nin no folder: {', '.join(missing)}"
    if show and not name.startswith(CLOSED):
        yield from ("", *details)


def _share(proportion: Proportion) -> str:
    return f"{proportion.k} of {proportion.n}"


if __name__ == "__main__":
    main()
