"""Speed of the auditor: a case with a thousand printed numbers, and the five sources beside their imports.

    python benchmarks/audit_speed.py [--repeat 5]

The thousand numbers are honest two-decimal prints of a walk with 13 tokens; in the second row one score
was misprinted and carried on. The five sources are audited in a fresh interpreter each time, and the
time is divided by that of importing the auditor and the reader of cases. All times are medians.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from random import Random

from msgspec.structs import replace

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from symattn.attention.case import Case, Claim, Given, Settings
from symattn.attention.recipes.attention import attention, values
from symattn.auditor.audit import audit
from symattn.auditor.numeral import read_numeral
from symattn.exact.decimal import rounded_matrix
from symattn.exact.matrix import Matrix
from symattn.plans.derive import derive

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (
    "thinking_machines",
    "wo_ai_mao",
    "mao_zuozai_dianzi_shang",
    "thinking_machines_unscaled",
    "softmax_saturation",
)
IMPORTS = "from symattn.auditor.audit import audit; from symattn.casefile.case_file import read_case"
AUDITS = f"{IMPORTS}\nfor name in {SOURCES!r}: audit(read_case(f'cases/{{name}}.toml'))"


def large(*, slip: bool) -> Case:
    """A case of 13 tokens with d_model = d_k = 8 and every step from Q to Z printed."""
    rng = Random(1)

    def typed(n: int, m: int) -> Given:
        rows = tuple(tuple(f"{rng.uniform(0, 0.9):.1f}" for _ in range(m)) for _ in range(n))
        return Given(rows, Matrix.rational([[read_numeral(cell).value for cell in row] for row in rows]))

    given = {"X": typed(13, 8), **{f"W_{name}": typed(8, 8) for name in "QKV"}}
    case = Case("large", given, settings=Settings())
    known, claims = values(case), []
    seen = derive(attention(case), known).values
    for line in attention(case):
        prints = [[decimal.digits for decimal in row] for row in rounded_matrix(seen[line.name], 2)]
        if slip and line.name == "scores":
            prints[0][0] = str(Decimal(prints[0][0]) + Decimal("1.17"))
            assumed = Matrix.rational([[read_numeral(cell).value for cell in row] for row in prints])
            seen = derive(attention(case), known, {"scores": assumed}).values
        claims.append(Claim(line.name, tuple(tuple(row) for row in prints)))
    return replace(case, stated=tuple(claims))


def seconds(case: Case) -> float:
    start = time.perf_counter()
    audit(case)
    return time.perf_counter() - start


def process(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the speed of the auditor.")
    parser.add_argument("--repeat", type=int, default=5)
    repeat = range(parser.parse_args().repeat)
    for name, slip in (("honest", False), ("one slip", True)):
        case = large(slip=slip)
        count = sum(len(claim.values) * len(claim.values[0]) for claim in case.stated)
        print(f"{count} numbers, {name}: {statistics.median(seconds(case) for _ in repeat):.2f} s")
    empty, imports, audits = (
        statistics.median(process(code) for _ in repeat) for code in ("pass", IMPORTS, AUDITS)
    )
    print(f"imports: {imports - empty:.2f} s, the five sources: {audits - imports:.2f} s", end="")
    print(f", ratio {(audits - imports) / (imports - empty):.2f}")


if __name__ == "__main__":
    main()
