"""What the reader of notes accuses when it misses a line: right documents, each with one line knocked out.

    python benchmarks/knocks.py [--documents 20] [--further 20] [--styles 1] [--seed 1] [--knocks 8] [--show]

A reader that meets a document of an author whom it does not know will miss a wording or a layout. Every
number of a document without slips is right, whatever of it is not read: so a line that can no longer be
read must not turn into an accusation. Four ways, each on lines drawn by lot: its words become one that
nobody knows (renamed), its digits become question marks (blurred), it is missing (removed), or the whole
paragraph around it is (cut). A row out of the middle of a matrix is not removed: what is left would be
wrong. In a fifth way a paragraph is put in that says itself that its numbers are of something else (amid).
The share of such documents in which anything is accused that is not in the whole one is the measure;
intervals are Wilson's at 95%.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.injection.score import Proportion
from benchmarks.notes.documents import Written, further
from benchmarks.notes.documents import documents as usual
from benchmarks.notes.judging import judged
from benchmarks.notes.score import ACCUSING
from benchmarks.styles.families import documents as styled

_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z][A-Za-z_]*|[\u4e00-\u9fff]+")
_DIGIT = re.compile(r"\d")
_WITHIN = re.compile(r"&|\\\\\s*$|^\s*\||^\s*[\[(]?\s*[\[(]?[-−\d., ]+[\])]*[,;]?\s*$")
"""A line that may be one row of a matrix or of a table."""
_PAIRS = (("[", "]"), ("\\begin", "\\end"))

_CHINESE = re.compile(r"[\u4e00-\u9fff]{4}")
ASIDES: Mapping[str, Sequence[str]] = {
    "en": (
        "Now suppose instead that q = [2, 0] and the keys are k_1 = [1, 1], k_2 = [0, 3]. Then the scores are"
        " 2 and 0, and after dividing by √2 we get 1.41 and 0.",
        "Reminder: for q = [1, 2] and k = [3, 4] the dot product is q·k = 1·3 + 2·4 = 11.",
        "Another head with other weights might have the first row [0.20, 0.80].",
        "With temperature T = 2 the first row would become [0.55, 0.45], with T = 0.5 [0.73, 0.27].",
        "Common mistake: no division by √d_k. Then the first row of weights would be [0.95, 0.05].",
        "During training the loss fell from 2.31 to 0.87 in 3 epochs.",
    ),
    "zh": (
        "假如 q = [2, 0]，k_1 = [1, 1]，k_2 = [0, 3]，那么分数为 2 和 0，除以 √2 后得到 1.41 和 0。",
        "复习：若 q = [1, 2]，k = [3, 4]，则点积 q·k = 1×3 + 2×4 = 11。",
        "换一个查询试试：q = [3, 1]，分数 = [4, 2]，权重 = [0.88, 0.12]。",
        "温度 T = 2 时第一行变成 [0.55, 0.45]，T = 0.5 时为 [0.73, 0.27]。",
        "错误做法：不除以 √d_k，这样第一行权重是 [0.95, 0.05]，这是错的。",
        "训练时损失从 2.31 降到 0.87，共 3 轮。",
    ),
}
"""Paragraphs of numbers that are none of the walk, as the text around says."""

Lines = Sequence[str]


def renamed(lines: Lines, at: int) -> list[str] | None:
    return _with(lines, at, _WORD.sub("zorp", lines[at]))


def blurred(lines: Lines, at: int) -> list[str] | None:
    return _with(lines, at, _DIGIT.sub("?", lines[at]))


def removed(lines: Lines, at: int) -> list[str] | None:
    return None if _WITHIN.search(lines[at]) else _with(lines, at, "\n")


def cut(lines: Lines, at: int) -> list[str] | None:
    """Lines without the paragraph around one, unless a matrix goes on beyond it; lines keep their numbers."""
    first = last = at
    while first > 0 and lines[first - 1].strip():
        first -= 1
    while last + 1 < len(lines) and lines[last + 1].strip():
        last += 1
    paragraph = "".join(lines[first : last + 1])
    if any(paragraph.count(opening) != paragraph.count(closing) for opening, closing in _PAIRS):
        return None
    return [*lines[:first], *(["\n"] * (last + 1 - first)), *lines[last + 1 :]]


def amid(lines: Lines, at: int) -> list[str] | None:
    """Lines with an aside above the paragraph of one, unless a display or a fence goes on there."""
    first = at
    while first > 0 and lines[first - 1].strip():
        first -= 1
    above, next_word = "".join(lines[:first]).replace(r"\begin{document}", ""), lines[first].lstrip()[:1]
    inside = any(above.count(opening) != above.count(closing) for opening, closing in _PAIRS)
    fenced = any(above.count(sign) % 2 for sign in ("```", "$$", "---"))
    if not first or inside or fenced or lines[first] != lines[first].lstrip() or next_word in "|\\<":
        return None
    asides = ASIDES["zh" if _CHINESE.search("".join(lines)) else "en"]
    return [*lines[:first], f"{asides[at % len(asides)]}\n\n", *lines[first:]]


def _with(lines: Lines, at: int, line: str) -> list[str] | None:
    return None if line == lines[at] else [*lines[:at], line, *lines[at + 1 :]]


WAYS: Mapping[str, Callable[[Lines, int], list[str] | None]] = {
    "renamed": renamed,
    "blurred": blurred,
    "removed": removed,
    "cut": cut,
    "amid": amid,
}


def accusations(text: str, document: Written) -> set[tuple[str, ...]]:
    """What the audit of a text accuses: numbers with their lines, and findings about no number."""
    audited = judged(text, document.name, document.kind)
    numbers = {
        (str(line), said.name, said.text)
        for (line, _), said in audited.said.items()
        if said.verdict in ACCUSING
    }
    return numbers | {("", remark) for remark in audited.remarks} | {("", said) for said in audited.failures}


def knocks(document: Written, rng: Random, count: int) -> Iterator[tuple[str, int, str]]:
    """For each way `count` lines with numerals, drawn by lot: the way, the line, the text that is left."""
    lines = document.text.splitlines(keepends=True)
    numbered = [at for at, line in enumerate(lines) if _DIGIT.search(line)]
    for way, knocked_out in WAYS.items():
        left = ((way, at, knocked_out(lines, at)) for at in rng.sample(numbered, len(numbered)))
        yield from islice(((way, at, "".join(rest)) for way, at, rest in left if rest), count)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Count accusations in right documents of which a line is unread."
    )
    parser.add_argument("--documents", type=int, default=20, help="of the usual forms")
    parser.add_argument("--further", type=int, default=20, help="of the further kinds")
    parser.add_argument("--styles", type=int, default=1, help="of each style")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--knocks", type=int, default=8, help="lines of each document, for each way")
    parser.add_argument("--show", action="store_true", help="list what is accused")
    options = parser.parse_args()
    written = chain(
        usual(options.documents, options.seed),
        further(options.further, options.seed),
        (document for _, document in styled(options.styles, options.seed)),
    )
    counted = {way: Proportion() for way in WAYS}
    hit = Proportion()
    for document in written:
        if not document.clean or document.kind == "notebook":
            continue
        rng, known, any_accused = Random(document.name), accusations(document.text, document), False
        for way, at, text in knocks(document, rng, options.knocks):
            new = accusations(text, document) - known
            counted[way].add(bool(new))
            any_accused |= bool(new)
            if new and options.show:
                print(f"{document.name}:{at + 1} {way} {document.text.splitlines()[at].strip()[:80]!r}")
                for accused in sorted(new)[:4]:
                    print("    ", *accused)
        hit.add(any_accused)
    print("| line | texts with an accusation |\n|---|---|")
    for way, share in counted.items():
        print(f"| {way} | {share} |")
    print(f"\ndocuments with one: {hit}")


if __name__ == "__main__":
    main()
