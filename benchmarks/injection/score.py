"""Counting: the confusion matrix, proportions with Wilson intervals, and the baselines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from math import sqrt

from benchmarks.injection.documents import Document
from benchmarks.injection.truth import holds
from symattn.auditor.report import Cause, Report
from symattn.text.bilingual import both

VERDICTS = ("correct", "rounding", "carried", "slip", "undecided")
HONEST = ("correct", "rounding")
BASELINES = ("exact value at printed precision", "5% tolerance", "follow-through only")


@dataclass
class Proportion:
    """k of n, with the Wilson score interval at 95%."""

    k: int = 0
    n: int = 0

    def add(self, success: bool) -> None:
        self.k += success
        self.n += 1

    def wilson(self) -> tuple[float, float]:
        if not self.n:
            return 0.0, 1.0
        z, p = 1.959964, self.k / self.n
        middle = p + z * z / (2 * self.n)
        spread = z * sqrt(p * (1 - p) / self.n + z * z / (4 * self.n * self.n))
        scale = 1 + z * z / self.n
        return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)

    def __str__(self) -> str:
        if not self.n:
            return "0 of 0"
        low, high = self.wilson()
        return f"{100 * self.k / self.n:.2f}% [{100 * low:.2f}, {100 * high:.2f}] ({self.k} of {self.n})"


@dataclass
class Score:
    """Everything counted in one run."""

    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    coverage: Proportion = field(default_factory=Proportion)
    precision: Proportion = field(default_factory=Proportion)
    recall: Proportion = field(default_factory=Proportion)
    visible: Proportion = field(default_factory=Proportion)
    roots: Proportion = field(default_factory=Proportion)
    causes: Proportion = field(default_factory=Proportion)
    either: Proportion = field(default_factory=Proportion)
    abstained: Proportion = field(default_factory=Proportion)
    clean_numbers: Proportion = field(default_factory=Proportion)
    clean_documents: Proportion = field(default_factory=Proportion)
    honest: Proportion = field(default_factory=Proportion)
    authors: dict[str, Proportion] = field(default_factory=lambda: defaultdict(Proportion))
    kinds: dict[str, Proportion] = field(default_factory=lambda: defaultdict(Proportion))
    baselines: dict[str, dict[str, Proportion]] = field(
        default_factory=lambda: {name: defaultdict(Proportion) for name in BASELINES}
    )

    def count(self, document: Document, report: Report) -> None:
        """Add one judged document."""
        found = 0
        found_together = together(report)
        for number, truth in zip(report.judgements, document.truths, strict=True):
            verdict = counted_as(number.verdict, truth.label, number.printed.index in found_together)
            self.confusion[truth.label, verdict] += 1
            self.coverage.add(verdict != "undecided")
            if verdict == "slip":
                self.precision.add(truth.label == "slip")
            if truth.label == "slip":
                self.recall.add(verdict == "slip")
                if not truth.possible:
                    self.visible.add(verdict == "slip")
                code = truth.mistake.code if truth.mistake else "made before, where nothing is printed"
                self.kinds[code].add(verdict == "slip")
            if truth.label == "carried" and verdict == "carried" and number.root is not None:
                self.roots.add(document.entries[number.root] in truth.roots)
            if truth.label in HONEST:
                self.honest.add(verdict in ("slip", "carried"))
            if document.clean:
                self.clean_numbers.add(verdict in ("slip", "carried"))
                found += verdict in ("slip", "carried")
        if document.clean:
            self.clean_documents.add(
                found > 0 or any(m.verdict in ("claim", "shape") for m in report.remarks)
            )
            self.authors[document.author.kind].add(found > 0)
        self._count_causes(document, report)
        self._count_baselines(document)

    def _count_causes(self, document: Document, report: Report) -> None:
        named = certain(report)
        for cause in named:
            (self.either if cause.rivals else self.causes).add(explains(document, cause))
        for mistake in document.mistakes:
            if mistake.family == "library matrix":
                wrong = [t for t in document.truths if t.label == "slip" and t.mistake == mistake]
                if wrong:
                    self.abstained.add(not any(cause.slip == mistake.code for cause in named))

    def _count_baselines(self, document: Document) -> None:
        for entry, text, truth in zip(document.entries, document.texts, document.truths, strict=True):
            name, i, j = entry
            plain = str(Decimal(text[:-1]) / 100) if text.endswith("%") else text
            exact, local = document.walks.exact[name][i][j], document.walks.local[name][i][j]
            accused = (
                not holds(plain, exact),
                abs(Decimal(plain) - exact) > abs(exact) * Decimal("0.05"),
                not holds(plain, local),
            )
            for baseline, says in zip(BASELINES, accused, strict=True):
                counts = self.baselines[baseline]
                if says:
                    counts["precision"].add(truth.label == "slip")
                if truth.label == "slip":
                    counts["recall"].add(says)
                if truth.label in HONEST:
                    counts["honest accused"].add(says)


DESCRIBED = {"rows-exchanged": "neighbour-row", "row-shifted": "neighbour-column"}
"""What a cell cause says rightly of a mixed-up matrix: the entry of another row, of another column."""


def together(report: Report) -> frozenset[int]:
    """The numbers for which one finding about a convention stands."""
    return frozenset(k for remark in report.remarks if remark.code == "SA601" for k in remark.numbers)


def counted_as(verdict: str, truth: str, stands: bool) -> str:
    """The verdict on a number; a finding about a convention does not tell slips from what they carry."""
    if not stands:
        return verdict
    return truth if truth in ("slip", "carried") else "carried"


def certain(report: Report) -> list[Cause]:
    """The causes that are named without a doubt, and conventions that are."""
    return [cause for cause in (*report.causes, *_conventions(report)) if cause.certain]


def _conventions(report: Report) -> Iterator[Cause]:
    """The findings about conventions, as the causes that they name."""
    for remark in report.remarks:
        if remark.code == "SA601" and remark.name is not None:
            slip, *rivals = remark.values["slips"].split("; ")
            others = tuple((rival, both("")) for rival in rivals)
            yield Cause(slip, both(""), remark.name, "matrix", remark.numbers, True, others)


def explains(document: Document, cause: Cause) -> bool:
    """Whether a cause (or one of its rivals) is a mistake that was made, where it was made."""
    codes = {cause.slip, *(rival[0] for rival in cause.rivals)}
    for mistake in document.mistakes:
        if not codes & {mistake.code, DESCRIBED.get(mistake.code)}:
            continue
        if mistake.step != cause.name and not cause.rivals:
            continue
        if mistake.at is None or any(
            document.entries[k] == (mistake.step, *mistake.at) for k in cause.numbers
        ):
            return True
    return False


def table(score: Score) -> Iterator[str]:
    """The run as Markdown."""
    yield "| truth \\ verdict | " + " | ".join(VERDICTS) + " |"
    yield "|---|" + "---:|" * len(VERDICTS)
    for label in VERDICTS:
        yield (
            f"| {label} | " + " | ".join(str(score.confusion[label, verdict]) for verdict in VERDICTS) + " |"
        )
    yield ""
    yield "| measure | share [Wilson 95%] (count) |"
    yield "|---|---|"
    for name, proportion in (
        ("coverage (judged / printed)", score.coverage),
        ("precision of slip", score.precision),
        ("recall of slip", score.recall),
        ("recall of slips that no honest author could print", score.visible),
        ("root accuracy of carried", score.roots),
        ("cause precision (one cause named)", score.causes),
        ("'A or B' that holds the cause", score.either),
        ("abstention on library slips of a matrix", score.abstained),
        ("honest numbers accused", score.honest),
        ("numbers accused in clean documents", score.clean_numbers),
        ("clean documents with a finding", score.clean_documents),
    ):
        yield f"| {name} | {proportion} |"
    yield ""
    yield "| clean documents of an author who | with an accusation |"
    yield "|---|---|"
    for style, proportion in sorted(score.authors.items()):
        yield f"| {style} | {proportion} |"
    yield ""
    yield "| baseline | precision of slip | recall of slip | honest numbers accused |"
    yield "|---|---|---|---|"
    for name, counts in score.baselines.items():
        yield f"| {name} | {counts['precision']} | {counts['recall']} | {counts['honest accused']} |"
    yield ""
    yield "| kind of slip | recall |"
    yield "|---|---|"
    for kind, proportion in sorted(score.kinds.items()):
        yield f"| {kind} | {proportion} |"
