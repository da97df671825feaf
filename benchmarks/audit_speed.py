"""Speed of the auditor: audits a second of cases that are read, and the five sources beside their imports.

    python benchmarks/audit_speed.py [--repeat 20]

Printed are every step from Q to Z in two decimals, of 4 tokens with 4 columns (132 numbers) and of 13 tokens
with 8 (1105 numbers), all right and with one score that was misprinted and carried on; and what 我爱猫
printed, of which most is wrong. Audits a second are those of the fastest of --repeat, in processor time of
one core: the others were disturbed. The five sources are audited in a fresh interpreter each time, and the
time is divided by that of importing the auditor and the reader of cases.
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
from symattn.casefile.case_file import read_case
from symattn.exact.decimal import rounded_matrix
from symattn.exact.matrix import Matrix
from symattn.plans.derive import derive

FRESH = 5
"""Fresh interpreters, of which the median counts."""
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


def made(n: int, d: int, *, slip: bool) -> Case:
    """A case of n tokens with d_model = d_k = d and every step from Q to Z printed."""
    rng = Random(1)

    def typed(n: int, m: int) -> Given:
        rows = tuple(tuple(f"{rng.uniform(0, 0.9):.1f}" for _ in range(m)) for _ in range(n))
        return Given(rows, Matrix.rational([[read_numeral(cell).value for cell in row] for row in rows]))

    given = {"X": typed(n, d), **{f"W_{name}": typed(d, d) for name in "QKV"}}
    case = Case("made", given, settings=Settings())
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
    start = time.process_time()
    audit(case)
    return time.process_time() - start


def process(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the speed of the auditor.")
    parser.add_argument("--repeat", type=int, default=20)
    repeat = parser.parse_args().repeat
    cases = {
        f"{n} tokens, {name}": made(n, d, slip=slip)
        for n, d in ((4, 4), (13, 8))
        for name, slip in (("all right", False), ("one slip", True))
    }
    cases["我爱猫"] = read_case(ROOT / "cases/wo_ai_mao.toml")
    print("| case | numbers | audits a second |\n|---|---|---|")
    for name, case in cases.items():
        count = sum(len(row) for claim in case.stated for row in claim.values)
        audit(case)
        took = min(seconds(case) for _ in range(repeat))
        print(f"| {name} | {count} | {1 / took:.1f} |", flush=True)
    empty, imports, audits = (
        statistics.median(process(code) for _ in range(FRESH)) for code in ("pass", IMPORTS, AUDITS)
    )
    print(f"imports: {imports - empty:.2f} s, the five sources: {audits - imports:.2f} s", end="")
    print(f", ratio {(audits - imports) / (imports - empty):.2f}")


if __name__ == "__main__":
    main()
