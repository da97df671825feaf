"""What is generated from the registry is what the registry says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from symattn.attention.registry import CONVENTION_KEYS
from symattn.attention.settings import Settings

ROOT = Path(__file__).parent.parent


def test_generated_files_are_fresh() -> None:
    made = subprocess.run(
        [sys.executable, ROOT / "tools/generate.py", "--check"], capture_output=True, text=True, cwd=ROOT
    )
    assert (made.returncode, made.stdout) == (0, "")


def test_every_key_of_the_conventions_is_a_field_of_the_settings_with_its_default() -> None:
    assert {key.name: key.default for key in CONVENTION_KEYS} == {
        name: getattr(Settings(), name) for name in Settings.__struct_fields__
    }
