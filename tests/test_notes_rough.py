"""Workings that certainly come to something else are sorted out in floats, and none that may be right."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from random import Random

import pytest
from flint import fmpq

from symattn.auditor.judging import equations
from symattn.auditor.numeral import read_numeral
from symattn.auditor.ranges.rough import roughly
from symattn.auditor.ranges.working import operands, read_working
from symattn.exact.syntax import parse
from symattn.reading.documents import document_reports

NUMBERS = ("0.5", "1.25", "3", "0.07", "2.0", "12", "33%", "1e-3", "0")


def _moving(text: str) -> tuple[fmpq, fmpq]:
    numeral = read_numeral(text)
    return numeral.preimage(False) if "." in text else (numeral.value, numeral.value)


def _working(rng: Random, depth: int = 3) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(NUMBERS)
    a, b = (_working(rng, depth - 1) for _ in range(2))
    sums = (f"({a}+{b})", f"({a}-{b})", f"{a}*{b}", f"({a})/({b})", f"-({a})")
    powers = (f"({a})^2", f"({a})^{b}", f"e^({a})", f"2^({a})", f"{a}*10^2")
    return rng.choice((*sums, *powers, f"exp({a})", f"sqrt({a})", f"log({a})"))


@pytest.mark.parametrize("seed", range(8))
def test_the_range_of_a_working_lies_in_its_rough_one(seed: int) -> None:
    rng, told = Random(seed), 0
    for _ in range(60):
        work = _working(rng)
        shown = operands(work)
        at = rng.randrange(len(shown))
        text = rng.choice(NUMBERS)
        start = shown[at].column - 1
        other = f"{work[:start]}{text}{work[start + len(shown[at].text) :]}"
        exact = read_working(other, lambda text: "." in text)
        if exact is None:
            continue
        (low,), (high,) = _ends(work, at, text)
        told += low == low  # a number
        assert not exact.range.low < low, (other, exact.range, low)
        assert not exact.range.high > high, (other, exact.range, high)
    assert told > 10


def _ends(work: str, at: int, text: str) -> tuple[list[float], list[float]]:
    rough = roughly(parse(work), [(at, text)], _moving, fmpq(0))
    return rough.low.tolist(), rough.high.tolist()


def test_each_operand_is_exchanged_for_itself() -> None:
    rough = roughly(parse("0.5*3 + 2"), [(0, "0.7"), (1, "4"), (2, "9")], _points, fmpq(0))
    assert rough.low.tolist() == pytest.approx([4.1, 4.0, 10.5])
    assert rough.may_meet(fmpq(4), fmpq(4)) == [False, True, False]


def _points(text: str) -> tuple[fmpq, fmpq]:
    return read_numeral(text).value, read_numeral(text).value


def test_few_misprints_of_an_operand_are_worked_out_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(4)
    scores = [[rng.randint(0, 29) / 10 for _ in range(3)] for _ in range(12)]
    text = "\n\n".join(f"softmax({row}) = [0.111, 0.222, 0.667]" for row in scores)
    asked = []
    judge: Callable[..., object] = equations._judged

    def counted(*given: object, **how: object) -> object:
        asked.append(how.get("work"))
        return judge(*given, **how)

    monkeypatch.setattr(equations, "_judged", counted)
    report = document_reports(text, None, "markdown")[-1]
    wrong = sum(judged.verdict == "slip" for judged in report.judgements)
    assert wrong > 20
    assert len(asked) < 20 * wrong  # more than a hundred operands for each look alike


def test_numpy_is_imported_only_where_an_operand_may_be_misprinted() -> None:
    code = "import sys, symattn.reading.documents; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
