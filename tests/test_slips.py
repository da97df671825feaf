"""The words of mistakes in `plans/slips.toml`: each is used, in both languages and for columns."""

from __future__ import annotations

import tomllib
from pathlib import Path

from case_plans import cases

import symattn
from symattn.attention.recipes.attention import attention
from symattn.attention.registry import OPERATIONS
from symattn.plans.ops.rotate import Rotate
from symattn.plans.ops.unchanged import Unchanged
from symattn.plans.slips import mistake
from symattn.plans.transposed import on_rows

TABLE = Path(symattn.__file__).with_name("plans") / "slips.toml"


def test_every_mistake_of_the_table_is_one_of_an_operation() -> None:
    rotation, _ = Rotate.example()
    assert isinstance(rotation, Rotate)
    operations = [kind.example()[0] for kind in OPERATIONS]
    operations += [on_rows(line.op) for case in cases() for line in attention(case)]
    operations += [Rotate(rotation.angles, past=1), Rotate(rotation.angles, past=1, turns_past=0)]
    made = {slip.code for op in operations for slip in op.slips()}
    table = tomllib.loads(TABLE.read_text("utf-8"))
    assert {code.partition("/")[0] for code in table} - made == set()


def test_the_words_of_a_mistake_have_its_numbers_and_its_way_of_columns() -> None:
    shifted = mistake("positions-shifted", Unchanged(), made=0, due=1)
    assert shifted.because.en == "started the positions at 0 instead of 1"
    apart = mistake("rotation-pairs/apart", Unchanged())
    assert apart.code == "rotation-pairs"
    assert "columns" in apart.because.en
    assert "rows" in apart.because.transposed.en
    assert mistake("softmax-columns", Unchanged()).on_columns == "softmax-rows"
